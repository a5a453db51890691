@tool
## Hands and feet at their targets at once: where a limb is too short, the pelvis follows; feet without a target stay.
class_name LimbikFullBody
extends LimbikModifier

const ROUNDS := 24  # of projections onto the balls from which limbs reach
const STRETCH := 0.998  # of a limb's length: how far it is straightened before the pelvis follows

@export var pelvis_bone := "Hips"
@export var left_hand: Node3D
@export var right_hand: Node3D
@export var left_foot: Node3D
@export var right_foot: Node3D
@export var pelvis: Node3D
## Fraction of a limb's length at which reaching begins to ease.
@export_range(0.5, 1.0) var soft_reach := 1.0

var _limbs: Array[Limb] = []


class Limb:
	extends RefCounted
	var names: Array[String] = []
	var is_leg := false
	var bones := PackedInt32Array()
	var bend := LimbikBend.new()
	var goal := Vector3.ZERO
	var kept := Basis.IDENTITY
	var stretch := 0.0
	var reaches := false

	func _init(limb_names: Array[String], leg: bool) -> void:
		names = limb_names
		is_leg = leg


func reset() -> void:
	super()
	for limb in _limbs:
		limb.bend.reset()


func _solve(skeleton: Skeleton3D, _delta: float) -> void:
	if _limbs.is_empty():
		_limbs = [
			Limb.new(["LeftUpperArm", "LeftLowerArm", "LeftHand"], false),
			Limb.new(["RightUpperArm", "RightLowerArm", "RightHand"], false),
			Limb.new(["LeftUpperLeg", "LeftLowerLeg", "LeftFoot"], true),
			Limb.new(["RightUpperLeg", "RightLowerLeg", "RightFoot"], true),
		]
	var targets: Array[Node3D] = [left_hand, right_hand, left_foot, right_foot]
	var pelvis_name: Array[String] = [pelvis_bone]
	var hips := _bones(skeleton, pelvis_name)
	if hips.is_empty():
		return
	var into := skeleton.global_transform.affine_inverse()
	var shift := Vector3.ZERO
	if pelvis != null:
		shift = into * pelvis.global_position - LimbikBend.place(skeleton, hips[0])
	for k in _limbs.size():
		var limb := _limbs[k]
		limb.reaches = targets[k] != null or limb.is_leg
		if not limb.reaches:
			continue
		limb.bones = _bones(skeleton, limb.names)
		if limb.bones.is_empty() or not _are_even(skeleton, limb.bones):
			return
		var root := LimbikBend.place(skeleton, limb.bones[0])
		var middle := LimbikBend.place(skeleton, limb.bones[1])
		var tip := LimbikBend.place(skeleton, limb.bones[2])
		limb.goal = tip if targets[k] == null else into * targets[k].global_position
		limb.kept = skeleton.get_bone_global_pose(limb.bones[2]).basis
		limb.stretch = STRETCH * (root.distance_to(middle) + middle.distance_to(tip))
		if targets[k] == null:  # a leg that the animation has straighter than that may stay so
			limb.stretch = maxf(limb.stretch, root.distance_to(tip))
	shift = _shift_of_pelvis(skeleton, shift)
	if shift != Vector3.ZERO:
		var pose := skeleton.get_bone_global_pose(hips[0])
		skeleton.set_bone_global_pose(hips[0], pose.translated(shift))
	for limb in _limbs:
		if limb.reaches:
			limb.bend.reach(skeleton, limb.bones, limb.goal, Vector3.ZERO, soft_reach, Vector3.ZERO)
			LimbikBend.turn(skeleton, limb.bones[2], limb.kept)


# The shift of the pelvis from which every limb reaches: onto the balls around the targets in turn, hands first, so that feet
# have the last word where not all can be reached.
func _shift_of_pelvis(skeleton: Skeleton3D, shift: Vector3) -> Vector3:
	for k in ROUNDS:
		var moved := 0.0
		for limb in _limbs:
			if not limb.reaches:
				continue
			var way := LimbikBend.place(skeleton, limb.bones[0]) + shift - limb.goal
			var over := way.length() - limb.stretch
			if over > 0.0:
				shift -= over * way.normalized()
				moved = maxf(moved, over)
		if moved < 1e-6:
			break
	return shift
