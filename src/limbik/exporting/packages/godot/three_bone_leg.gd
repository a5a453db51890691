@tool
## A leg of three bones: the tip reaches a target, and the foot points where it should.
class_name LimbikThreeBoneLeg
extends SkeletonModifier3D

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

## What became of the last target: status, residual, joints.
var solution: LimbikThreeLink.Solution


func _process_modification_with_delta(_delta: float) -> void:
	var skeleton := get_skeleton()
	if skeleton == null or target == null:
		return
	var bones := PackedInt32Array()
	for bone in [root_bone, middle_bone, ankle_bone, tip_bone]:
		bones.append(skeleton.find_bone(bone))
	if bones.has(-1):
		return
	var into := skeleton.global_transform.affine_inverse()
	var side := LimbikBoneChain.bend(skeleton, bones[0], bones[1], bones[2])
	if pole != null:
		side = into * pole.global_position - LimbikBoneChain.place(skeleton, bones[0])
	var direction := into.basis * target.global_basis.z
	solution = LimbikBoneChain.reach_along(
		skeleton, bones, into * target.global_position, direction, side
	)
