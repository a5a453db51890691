@tool
## An arm or a leg of two bones that reaches for a target, after the animation.
class_name LimbikTwoBoneLimb
extends LimbikModifier

## Where the limb is attached: shoulder or hip.
@export var root_bone := ""
## Elbow or knee.
@export var middle_bone := ""
## Wrist or ankle: what is brought to the target.
@export var tip_bone := ""
## Where the tip goes.
@export var target: Node3D
## The middle joint lies on the side of this node. Without one, the bend of the animation is kept.
@export var pole: Node3D
## Fraction of the limb's length at which reaching begins to ease towards full stretch. 1: exact to the end.
@export_range(0.5, 1.0) var soft_reach := 1.0
## How far the tip takes the target's rotation. 0: it keeps the animation's.
@export_range(0.0, 1.0) var rotation_weight := 0.0

## What became of the last target: status, residual, joints in the skeleton's space.
var solution: LimbikTwoLink.Solution:
	get:
		return _bend.two

var _bend := LimbikBend.new()


func reset() -> void:
	super()
	_bend.reset()


func _solve(skeleton: Skeleton3D, _delta: float) -> void:
	if target == null:
		return
	var bones := _bones(skeleton, [root_bone, middle_bone, tip_bone])
	if bones.is_empty() or not _are_even(skeleton, bones):
		return
	var into := skeleton.global_transform.affine_inverse()
	var side := Vector3.ZERO
	if pole != null:
		side = into * pole.global_position - LimbikBend.place(skeleton, bones[0])
	var kept := skeleton.get_bone_global_pose(bones[2]).basis
	_bend.reach(skeleton, bones, into * target.global_position, side, soft_reach, side)
	if rotation_weight > 0.0:
		var scales := kept.get_scale()
		var wanted := (into.basis * target.global_basis).get_rotation_quaternion()
		kept = Basis(kept.get_rotation_quaternion().slerp(wanted, rotation_weight)) * Basis.from_scale(scales)
	LimbikBend.turn(skeleton, bones[2], kept)
