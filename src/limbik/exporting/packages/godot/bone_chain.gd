# Poses bones with the rotations of a solver. A solver's links have their own axes (+z along the link), a rig's bones have
# others: each bone keeps its rotation relative to its link. The links are solved twice, once for the pose that the bones
# are in, once for the goal, and each bone is turned by the difference. All positions are in the skeleton's space.
class_name LimbikBoneChain
extends RefCounted

const INVALID := 4


# The direction in which a limb is bent; zero where it is straight.
static func bend(skeleton: Skeleton3D, root: int, middle: int, tip: int) -> Vector3:
	return place(skeleton, middle) - 0.5 * (place(skeleton, root) + place(skeleton, tip))


static func place(skeleton: Skeleton3D, bone: int) -> Vector3:
	return skeleton.get_bone_global_pose(bone).origin


# Brings the tip of two bones to a target; the tip bone keeps its rotation in the skeleton.
static func reach(
	skeleton: Skeleton3D, bones: PackedInt32Array, target: Vector3, pole: Vector3, soft_reach := 1.0
) -> LimbikTwoLink.Solution:
	var origin := place(skeleton, bones[0])
	var middle := place(skeleton, bones[1])
	var tip := place(skeleton, bones[2])
	var first := origin.distance_to(middle)
	var second := middle.distance_to(tip)
	var side := bend(skeleton, bones[0], bones[1], bones[2])
	var now := LimbikTwoLink.solve(first, second, tip, side, origin, 1.0, 1.0)
	if now.singular:
		now = LimbikTwoLink.solve(first, second, tip, pole, origin, 1.0, 1.0)
	var then := LimbikTwoLink.solve(first, second, target, pole, origin, soft_reach, 1.0)
	if then.status != INVALID:
		var kept := skeleton.get_bone_global_pose(bones[2]).basis
		_turn(
			skeleton,
			bones,
			[now.first_rotation, now.second_rotation],
			[then.first_rotation, then.second_rotation]
		)
		_set_basis(skeleton, bones[2], kept)
	return then


# Brings the tip of three bones to a target, with the last bone along a direction.
static func reach_along(
	skeleton: Skeleton3D, bones: PackedInt32Array, target: Vector3, direction: Vector3, pole: Vector3
) -> LimbikThreeLink.Solution:
	var origin := place(skeleton, bones[0])
	var middle := place(skeleton, bones[1])
	var ankle := place(skeleton, bones[2])
	var tip := place(skeleton, bones[3])
	var first := origin.distance_to(middle)
	var second := middle.distance_to(ankle)
	var last := ankle.distance_to(tip)
	var side := bend(skeleton, bones[0], bones[1], bones[2])
	var foot := tip - ankle
	var now := LimbikThreeLink.solve(first, second, last, tip, foot, origin, side, 1.0)
	if now.singular:
		now = LimbikThreeLink.solve(first, second, last, tip, foot, origin, pole, 1.0)
	var then := LimbikThreeLink.solve(first, second, last, target, direction, origin, pole, 1.0)
	if then.status != INVALID:
		_turn(
			skeleton,
			bones,
			[now.first_rotation, now.second_rotation, now.last_rotation],
			[then.first_rotation, then.second_rotation, then.last_rotation]
		)
	return then


static func _turn(
	skeleton: Skeleton3D, bones: PackedInt32Array, before: Array[Quaternion], after: Array[Quaternion]
) -> void:
	var bases: Array[Basis] = []
	for k in before.size():
		bases.append(skeleton.get_bone_global_pose(bones[k]).basis)
	for k in before.size():
		_set_basis(skeleton, bones[k], Basis(after[k] * before[k].inverse()) * bases[k])


static func _set_basis(skeleton: Skeleton3D, bone: int, basis: Basis) -> void:
	skeleton.set_bone_global_pose(bone, Transform3D(basis, place(skeleton, bone)))
