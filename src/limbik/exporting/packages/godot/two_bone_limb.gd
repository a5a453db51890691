@tool
## An arm or a leg of two bones that reaches for a target, after the animation.
class_name LimbikTwoBoneLimb
extends SkeletonModifier3D

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

## What became of the last target: status, residual, joints.
var solution: LimbikTwoLink.Solution


func _process_modification_with_delta(_delta: float) -> void:
	var skeleton := get_skeleton()
	if skeleton == null or target == null:
		return
	var bones := PackedInt32Array()
	for bone in [root_bone, middle_bone, tip_bone]:
		bones.append(skeleton.find_bone(bone))
	if bones.has(-1):
		return
	var into := skeleton.global_transform.affine_inverse()
	var side := LimbikBoneChain.bend(skeleton, bones[0], bones[1], bones[2])
	if pole != null:
		side = into * pole.global_position - LimbikBoneChain.place(skeleton, bones[0])
	solution = LimbikBoneChain.reach(skeleton, bones, into * target.global_position, side, soft_reach)
