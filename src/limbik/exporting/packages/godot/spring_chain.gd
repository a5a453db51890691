## A tail, an ear, hair or a cape that follows the character's motion by springs, the same at any frame rate.
class_name LimbikSpringChain
extends LimbikModifier

## The bones from root to tip; the last one's length is that to its first child.
@export var bones: PackedStringArray = []
## Of the springs, hertz.
@export_range(0.1, 20.0) var frequency := 2.0
## Of critical.
@export_range(0.0, 2.0) var damping := 0.3
## Largest turn of a bone, degrees.
@export_range(1.0, 170.0) var max_angle := 60.0

var _ends: Array[End] = []
var _has_moved := false


class End:
	extends RefCounted
	var place := Vector3.ZERO
	var velocity := Vector3.ZERO
	var lag := Vector3.ZERO
	var speed := Vector3.ZERO
	var frames := 0


func reset() -> void:
	super()
	_ends.clear()


func _teleported() -> void:
	_has_moved = true


func _solve(skeleton: Skeleton3D, delta: float) -> void:
	var names: Array[String] = []
	names.assign(Array(bones))
	if names.is_empty():
		return
	var chain := _bones(skeleton, names)
	if chain.is_empty() or not _are_even(skeleton, chain):
		return
	var tips := chain.slice(1)
	var children := skeleton.get_bone_children(chain[-1])
	if not children.is_empty():
		tips.append(children[0])
	var world := skeleton.global_transform
	var into := world.affine_inverse()
	var wanted := PackedVector3Array()
	var posed := PackedVector3Array()
	var kept: Array[Basis] = []
	for bone in chain:
		posed.append(LimbikBend.place(skeleton, bone))
		kept.append(skeleton.get_bone_global_pose(bone).basis)
	while _ends.size() < tips.size():
		_ends.append(End.new())
	for k in tips.size():
		wanted.append(LimbikBend.place(skeleton, tips[k]))
		_follow(_ends[k], world * wanted[k], delta)
	_has_moved = false
	var turn := Quaternion.IDENTITY
	for k in tips.size():
		var place := LimbikBend.place(skeleton, chain[k])
		var toward := into * (world * wanted[k] + _ends[k].lag) - place
		turn = _limited((wanted[k] - posed[k]).normalized(), toward.normalized())
		LimbikBend.turn(skeleton, chain[k], Basis(turn) * kept[k])
	if chain.size() > tips.size():
		LimbikBend.turn(skeleton, chain[-1], Basis(turn) * kept[-1])


# How far a point lags behind one that it follows, by the exact motion of a damped spring.
func _follow(end: End, place: Vector3, delta: float) -> void:
	if end.frames > 0 and delta > 0.0:
		var velocity := end.velocity if _has_moved else (place - end.place) / delta
		if end.frames > 1:
			end.speed += end.velocity - velocity
		end.velocity = velocity
		var step := _step(delta)
		var lag := end.lag
		end.lag = step.x * lag + step.y * end.speed
		end.speed = step.z * lag + step.w * end.speed
	if end.frames == 0 or delta > 0.0:
		end.frames += 1
		end.place = place


# What position and speed of a spring become after a time: (a position + b speed, c position + d speed).
func _step(delta: float) -> Vector4:
	var rate := TAU * frequency
	var drag := damping * rate
	var even := 0.0
	var slope := 0.0
	if damping < 1.0:
		var wave := rate * sqrt(1.0 - damping * damping)
		var fade := exp(-drag * delta)
		even = fade * cos(wave * delta)
		slope = fade * sin(wave * delta) / wave
	else:
		var root := sqrt(damping * damping - 1.0)
		var spread := rate * root
		var slower := exp(-rate / (damping + root) * delta)
		var faster := 1.0 - exp(-2.0 * spread * delta)
		even = slower * (1.0 - 0.5 * faster)
		slope = slower * (0.5 * faster / spread if spread > 0.0 else delta)
	return Vector4(even + drag * slope, slope, -rate * rate * slope, even - drag * slope)


# The turn of a bone towards a direction; large ones ease towards the largest.
func _limited(from: Vector3, to: Vector3) -> Quaternion:
	var turn := Quaternion(from, to)
	var angle := from.angle_to(to)
	if angle < 1e-6:
		return Quaternion.IDENTITY
	var most := deg_to_rad(max_angle)
	return Quaternion.IDENTITY.slerp(turn, most * tanh(angle / most) / angle)
