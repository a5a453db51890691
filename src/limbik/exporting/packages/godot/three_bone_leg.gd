@tool
## A leg of three bones: the tip reaches a target, and the foot points where it should.
class_name LimbikThreeBoneLeg
extends LimbikModifier

## Where the leg is attached: the hip.
@export var root_bone := ""
## The knee.
@export var middle_bone := ""
## The ankle: the last bone begins here.
@export var ankle_bone := ""
## Toes or paw: what is brought to the target.
@export var tip_bone := ""
## Where the tip goes; its +z axis is the direction of the foot, from ankle to tip.
@export var target: Node3D
## The knee lies on the side of this node. Without one, the bend of the animation is kept.
@export var pole: Node3D

## What became of the last target: status, residual, joints in the skeleton's space.
var solution: LimbikThreeLink.Solution:
	get:
		return _bend.three

var _bend := LimbikBend.new()


func reset() -> void:
	super()
	_bend.reset()


func _solve(skeleton: Skeleton3D, _delta: float) -> void:
	if target == null:
		return
	var bones := _bones(skeleton, [root_bone, middle_bone, ankle_bone, tip_bone])
	if bones.is_empty() or not _are_even(skeleton, bones):
		return
	var into := skeleton.global_transform.affine_inverse()
	var side := Vector3.ZERO
	if pole != null:
		side = into * pole.global_position - LimbikBend.place(skeleton, bones[0])
	var direction := into.basis * target.global_basis.z
	_bend.reach_along(skeleton, bones, into * target.global_position, direction, side)
