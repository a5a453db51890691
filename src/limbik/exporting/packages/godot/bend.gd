@tool
## Two or three bones that reach, frame by frame. A solver's links have their own axes (+z along the link, +x the hinge), a
## rig's bones have others: each bone keeps its rotation relative to its link. All places are in the skeleton's space.
class_name LimbikBend
extends RefCounted

const TURN_RATE := 5.0  # degrees that the bending plane may turn for each degree that the target or the pole turns
const STRAIGHT := 0.2  # of the first link: where the middle joint is nearer to the line, a guide helps to decide the plane
const GUIDE := 0.3  # of the first link: how much, where the limb is straight

## What became of the last goal.
var two: LimbikTwoLink.Solution
var three: LimbikThreeLink.Solution

var _bend := Vector3.ZERO
var _frames: Array[Quaternion] = []
var _kept: Array[Basis] = []


## Begins a new track.
func reset() -> void:
	two = null
	three = null


static func place(skeleton: Skeleton3D, bone: int) -> Vector3:
	return skeleton.get_bone_global_pose(bone).origin


static func turn(skeleton: Skeleton3D, bone: int, basis: Basis) -> void:
	skeleton.set_bone_global_pose(bone, Transform3D(basis, place(skeleton, bone)))


## Brings the tip of two bones (root, middle, tip) to a goal. pole: direction on whose side the middle joint lies; zero keeps
## the bend that the pose has. guide: helps to decide where a straight limb bends; zero: as it did.
func reach(
	skeleton: Skeleton3D, bones: PackedInt32Array, goal: Vector3, pole: Vector3, soft_reach: float, guide: Vector3
) -> void:
	var before := Vector3.ZERO if two == null else two.state.side
	_read(skeleton, bones, 2, guide if guide != Vector3.ZERO else before)
	var root := place(skeleton, bones[0])
	var middle := place(skeleton, bones[1])
	var tip := place(skeleton, bones[2])
	var side := pole if pole != Vector3.ZERO else _bend
	var state := LimbikTwoLink.State.new()
	if two == null:
		var none := Vector3(NAN, NAN, NAN)
		state.aim = none
		state.side = none
		state.guide = none
		state.hinge = none
	else:
		state = two.state
	two = LimbikTwoLink.track(
		root.distance_to(middle), middle.distance_to(tip), goal, side, root, soft_reach, 1.0, TURN_RATE, state
	)
	if two.status != LimbikTwoLink.STATUS_INVALID:
		_turn(skeleton, bones, [two.first_rotation, two.second_rotation])


## Brings the tip of three bones (root, middle, ankle, tip) to a goal, with the last bone along a direction.
func reach_along(
	skeleton: Skeleton3D, bones: PackedInt32Array, goal: Vector3, direction: Vector3, pole: Vector3
) -> void:
	var before := Vector3.ZERO if three == null else three.state.side
	_read(skeleton, bones, 3, pole if pole != Vector3.ZERO else before)
	var root := place(skeleton, bones[0])
	var middle := place(skeleton, bones[1])
	var ankle := place(skeleton, bones[2])
	var tip := place(skeleton, bones[3])
	var side := pole if pole != Vector3.ZERO else _bend
	var state := LimbikThreeLink.State.new()
	if three == null:
		var none := Vector3(NAN, NAN, NAN)
		state.aim = none
		state.side = none
		state.guide = none
		state.hinge = none
	else:
		state = three.state
	three = LimbikThreeLink.track(
		root.distance_to(middle),
		middle.distance_to(ankle),
		ankle.distance_to(tip),
		goal,
		direction,
		root,
		side,
		TURN_RATE,
		state
	)
	if three.status != LimbikThreeLink.STATUS_INVALID:
		_turn(skeleton, bones, [three.first_rotation, three.second_rotation, three.last_rotation])


# Reads the pose: the bend, steadied where the limb is straight, and the frames of the links.
func _read(skeleton: Skeleton3D, bones: PackedInt32Array, links: int, guide: Vector3) -> void:
	var root := place(skeleton, bones[0])
	var middle := place(skeleton, bones[1])
	var end := place(skeleton, bones[2])
	var first := root.distance_to(middle)
	_bend = middle - 0.5 * (root + end)
	var straight := 1.0 - _bend.length() / (STRAIGHT * first)
	if straight > 0.0:
		_bend += GUIDE * first * straight * straight * guide.normalized()
	var hinge := _bend.cross(end - root)
	_frames.clear()
	_kept.clear()
	for k in links:
		var z := (place(skeleton, bones[k + 1]) - place(skeleton, bones[k])).normalized()
		var x := hinge - hinge.dot(z) * z
		if x.length_squared() == 0.0:
			x = Vector3(z.y, -z.x, 0.0) if absf(z.z) < 0.9 else Vector3(0.0, z.z, -z.y)
		x = x.normalized()
		_frames.append(Basis(x, z.cross(x), z).get_rotation_quaternion())
		_kept.append(skeleton.get_bone_global_pose(bones[k]).basis)


func _turn(skeleton: Skeleton3D, bones: PackedInt32Array, after: Array[Quaternion]) -> void:
	for k in after.size():
		turn(skeleton, bones[k], Basis(after[k] * _frames[k].inverse()) * _kept[k])
