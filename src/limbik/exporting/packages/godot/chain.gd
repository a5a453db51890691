@tool
## A spine, tail or tentacle of any number of bones, which reaches for a target along an arc.
class_name LimbikChain
extends LimbikModifier

const TURN_RATE := 5.0  # how far the bending plane may turn for each degree that the target or the pole turns
const FLAT := 1e-6  # the square of a sine below which two directions decide no plane

## The bones from root to tip: three or more.
@export var bones: PackedStringArray = []
## Where the tip goes.
@export var target: Node3D
## The arc bulges to the side of this node. Without one, to the side to which the animation bends it.
@export var pole: Node3D

var _arc := LimbikArc.new()
var _side := Vector3.ZERO
var _aim := Vector3.ZERO
var _guide := Vector3.ZERO


func reset() -> void:
	super()
	_side = Vector3.ZERO


func _solve(skeleton: Skeleton3D, _delta: float) -> void:
	if target == null:
		return
	if bones.size() < 3:
		_report("a chain has two links or more: name three bones at least")
		return
	var names: Array[String] = []
	names.assign(Array(bones))
	var chain := _bones(skeleton, names)
	if chain.is_empty() or not _are_even(skeleton, chain):
		return
	var goal := skeleton.global_transform.affine_inverse() * target.global_position
	if not goal.is_finite():
		return
	var posed := PackedVector3Array()
	var kept: Array[Basis] = []
	var lengths := PackedFloat64Array()
	for bone in chain:
		posed.append(LimbikBend.place(skeleton, bone))
		kept.append(skeleton.get_bone_global_pose(bone).basis)
	var last := chain.size() - 1
	for k in last:
		lengths.append(posed[k].distance_to(posed[k + 1]))
	_decide_side(skeleton, posed, goal)
	_arc.solve(lengths, posed[0].distance_to(goal))
	var before := Vector2.ZERO
	for k in last:
		var after := Vector2(_arc.along[k], _arc.aside[k])
		var wanted := ((after.x - before.x) * _aim + (after.y - before.y) * _side).normalized()
		var swing := Quaternion((posed[k + 1] - posed[k]).normalized(), wanted)
		LimbikBend.turn(skeleton, chain[k], Basis(swing) * kept[k])
		before = after
	LimbikBend.turn(skeleton, chain[last], kept[last])  # what hangs from the tip keeps its rotation


# The side to which the arc bulges: the pole's, without a jump where the target crosses the pole's line.
func _decide_side(skeleton: Skeleton3D, posed: PackedVector3Array, goal: Vector3) -> void:
	var last := posed.size() - 1
	var aim := goal - posed[0]
	if aim.length_squared() == 0.0:
		aim = posed[last] - posed[0]
	aim = aim.normalized()
	var guide := Vector3.ZERO
	if pole != null:
		guide = skeleton.global_transform.affine_inverse() * pole.global_position - posed[0]
	else:
		for k in range(1, last):
			guide += posed[k] - 0.5 * (posed[0] + posed[last])
	guide = guide.normalized()
	var side := guide - guide.dot(aim) * aim
	var decided := side.length_squared() > FLAT
	if _side == Vector3.ZERO:
		if not decided:
			side = Vector3(-aim.z, 0.0, aim.x) if absf(aim.y) < 0.9 else Vector3(0.0, -aim.z, aim.y)
		_side = side.normalized()
	else:
		var most := deg_to_rad(TURN_RATE * rad_to_deg(aim.angle_to(_aim) + guide.angle_to(_guide)))
		var carried := Quaternion(_aim, aim) * _side
		carried = (carried - carried.dot(aim) * aim).normalized()
		if decided:
			var angle := carried.signed_angle_to(side.normalized(), aim)
			carried = carried.rotated(aim, clampf(angle, -most, most))
		_side = carried.normalized()
	_aim = aim
	_guide = guide
