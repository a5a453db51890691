## A foot: where the animation has it, whether it stands, and where it goes. Places are in the world.
class_name LimbikFoot
extends RefCounted

const BLEND := 0.012  # leg lengths: parts of the sole whose heights differ by this share the contact
const KEEP_STANDING := 1.5  # a standing foot is released at this multiple of the height and speed at which one is planted
const NORMAL_TIME := 0.05  # seconds in which a free foot takes the slope below it
const LOOK_AHEAD := 0.15  # seconds before a step up in which a free foot begins to rise
const HURRY := 1.6  # how much faster than others a foot is that is too low for a step
const FREE_TIME := 0.1  # seconds that a foot which was released is free
const STEP_ARC := 0.12  # how high a foot is lifted when it is put elsewhere, of the way
const STEP_TIME := 0.3  # seconds

var bones := PackedInt32Array()  # hip, knee, ankle
var planted := false
var stepping := 0.0
## Where the ankle goes.
var goal := Transform3D.IDENTITY
## The ankle as animated.
var animated := Transform3D.IDENTITY
## The length of the leg, and the place of the hip.
var length := 0.0
var hip := Vector3.ZERO
var footing := LimbikFooting.new()

var _sole: LimbikSole
var _bend := LimbikBend.new()
var _seen := false
var _on_ground := false
var _sloped := false
var _free := FREE_TIME  # seconds since it was released
var _stride := 0.0
var _level := 0.0
var _risen := 0.0
var _before := Transform3D.IDENTITY
var _path := Transform3D.IDENTITY
var _plant := Transform3D.IDENTITY
var _points := PackedVector3Array()
var _offsets := PackedVector3Array()  # the same in the foot's frame
var _contact := Vector3.ZERO  # likewise: the lowest part
var _low := 0.0
var _heading := Vector3.ZERO
var _plant_heading := Vector3.ZERO
var _velocity := Vector3.ZERO  # of the animated contact point over the ground
var _goal_velocity := Vector3.ZERO
var _offset := Vector3.ZERO  # of the goal, from where the foot should be; it fades
var _drift := Vector3.ZERO  # its change a second
var _turned := Quaternion.IDENTITY  # the same of the rotation
var _normal := Vector3.UP
var _support := LimbikFooting.new()
var _last := LimbikFooting.new()
var _collider: Node3D = null
var _collider_was := Transform3D.IDENTITY


func _init(skeleton: Skeleton3D, leg: PackedInt32Array, toes: int) -> void:
	bones = leg
	_sole = LimbikSole.new(skeleton, leg[0], leg[2], toes)


func reset() -> void:
	_seen = false
	planted = false
	stepping = 0.0
	_free = FREE_TIME
	_sloped = false
	_collider = null
	_bend.reset()


## The direction ahead, as animated, level.
func heading() -> Vector3:
	return _heading


## Reads the animated pose. level: the height on which the animation stands.
func read(skeleton: Skeleton3D, level: float) -> void:
	var world := skeleton.global_transform
	_risen = level - _level if _seen else 0.0
	_level = level
	_before = animated
	animated = (world * skeleton.get_bone_global_pose(bones[2])).orthonormalized()
	hip = world * LimbikBend.place(skeleton, bones[0])
	var knee := world * LimbikBend.place(skeleton, bones[1])
	length = hip.distance_to(knee) + knee.distance_to(animated.origin)
	_points.clear()
	_offsets.clear()
	_low = INF
	for point in _sole.points:
		var place := world * _sole.locate(skeleton, point)
		_points.append(place)
		_offsets.append(animated.affine_inverse() * place)
		_low = minf(_low, place.y - level)
	_contact = Vector3.ZERO
	var total := 0.0
	for k in _points.size():
		var weight := exp((_low - (_points[k].y - level)) / (BLEND * length))
		_contact += weight * _offsets[k]
		total += weight
	_contact /= total
	_heading = _points[1] - _points[0]
	_heading.y = 0.0
	_heading = _heading.normalized()


## Goes with what it stands on, where that moves.
func ride(delta: float) -> void:
	if not _seen or delta <= 0.0 or not is_instance_valid(_collider):
		return
	var carry := _collider.global_transform * _collider_was.affine_inverse()
	var height := _before.origin.y
	_before = carry * _before
	_risen -= _before.origin.y - height  # what carries it explains that much
	_plant = carry * _plant
	goal = carry * goal
	if planted:
		_support.place = carry * _support.place
		_support.normal = (carry.basis * _support.normal).normalized()
		_plant_heading = carry.basis * _plant_heading
		_plant_heading.y = 0.0
		_plant_heading = _plant_heading.normalized()


## Looks for ground below the foot and, where it moves, before it.
func look(
	space: PhysicsDirectSpaceState3D, query: PhysicsRayQueryParameters3D, delta: float, options: LimbikFootPlacement
) -> void:
	var high := _level + options.reach_up * length
	var low := _level - options.reach_down * length
	var at := animated.origin
	footing = LimbikFooting.new()
	footing.look(space, query, _points, at.x, at.z, high, low, deg_to_rad(options.max_angle))
	if footing.found and not planted and _seen and delta > 0.0:
		var ahead := _points[2] + (at - _before.origin) * (LOOK_AHEAD / delta)
		footing.rise_to(space, query, ahead.x, ahead.z, high, low)


## Decides whether it stands, and where it goes.
func put(
	space: PhysicsDirectSpaceState3D,
	query: PhysicsRayQueryParameters3D,
	delta: float,
	airborne: bool,
	may_step: bool,
	options: LimbikFootPlacement
) -> void:
	if _seen and delta <= 0.0:
		return
	var on_ground := footing.found and not airborne
	_measure_speed(delta)
	_follow_path(delta, on_ground)
	var slack := KEEP_STANDING if planted else 1.0
	var stands := on_ground and _low < slack * options.plant_height * length
	stands = stands and _velocity.length() < slack * options.plant_speed * length
	if planted and not stands:
		_release(delta)
	elif planted and may_step and _has_strayed(options):
		_release(delta)
		stepping = STEP_TIME
		_stride = Vector2(goal.origin.x - _path.origin.x, goal.origin.z - _path.origin.z).length()
	elif not planted and stands and stepping <= 0.0 and _free >= FREE_TIME:
		_stand(space, query, options)
	elif planted:
		_roll()
	_on_ground = on_ground
	_free += delta
	stepping = maxf(0.0, stepping - delta)
	var was := goal.origin
	_settle(delta, options.settle_time)
	if planted:
		goal.origin.y -= minf(0.0, _clearance(goal, _support))
	_goal_velocity = (goal.origin - was) / delta if _seen and delta > 0.0 else Vector3.ZERO
	_collider = (_support if planted else footing).collider if on_ground else null
	if _collider != null:
		_collider_was = _collider.global_transform
	_last = footing
	_seen = true


func _measure_speed(delta: float) -> void:
	_velocity = Vector3.ZERO
	if _seen and delta > 0.0:
		_velocity = (animated * _contact - _before * _contact) / delta
		_velocity.y -= _risen / delta  # steps of the character as a whole are none of the foot's


# The animated pose, put on the ground below it.
func _follow_path(delta: float, on_ground: bool) -> void:
	_path = animated
	if not on_ground:
		if _seen and _on_ground and not planted:
			_go_on(delta, _path, _velocity)
		_sloped = false
		return
	_normal = _normal.lerp(footing.normal, 1.0 - exp(-delta / NORMAL_TIME)).normalized() if _sloped else footing.normal
	_sloped = true
	_path.origin.y = footing.place.y + (animated.origin.y - _level) / _normal.y
	_path.basis = Basis(Quaternion(Vector3.UP, _normal)) * animated.basis
	if _seen and not planted:
		if not _on_ground:
			_go_on(delta, _path, _velocity)
		else:
			_offset.y -= _last.step_to(footing)


# Goes on from where it is and as fast as it is, now towards another pose, which moves with a velocity.
func _go_on(delta: float, pose: Transform3D, velocity: Vector3) -> void:
	_offset = goal.origin - pose.origin + velocity * delta
	_drift = _goal_velocity - velocity
	_turned = (goal.basis * pose.basis.inverse()).get_rotation_quaternion()


func _release(delta: float) -> void:
	planted = false
	_free = 0.0
	_go_on(delta, _path, _velocity)


# Whether the animation has gone too far away from where the foot stands.
func _has_strayed(options: LimbikFootPlacement) -> bool:
	var away := Vector2(_plant.origin.x - _path.origin.x, _plant.origin.z - _path.origin.z).length()
	return away > options.release_distance * length or _heading.angle_to(_plant_heading) > deg_to_rad(options.release_angle)


# Puts the foot on the ground, where it comes to rest if it glides on from where it is.
func _stand(space: PhysicsDirectSpaceState3D, query: PhysicsRayQueryParameters3D, options: LimbikFootPlacement) -> void:
	var rate := 2.0 / options.settle_time
	planted = true
	_plant_heading = _heading
	var at := goal.origin + _goal_velocity / rate if _seen else _path.origin
	var shifted := PackedVector3Array()
	for k in 3:
		shifted.append(_points[k] + Vector3(at.x - animated.origin.x, 0.0, at.z - animated.origin.z))
	_support = LimbikFooting.new()
	var high := _level + options.reach_up * length
	var low := _level - options.reach_down * length
	_support.look(space, query, shifted, at.x, at.z, high, low, deg_to_rad(options.max_angle))
	if not _support.found:
		_support = footing
	_plant.basis = Basis(Quaternion(Vector3.UP, _support.normal)) * animated.basis
	_plant.origin = Vector3(at.x, _support.height_at(at.x, at.z), at.z)
	_plant.origin.y -= _clearance(_plant, _support)
	if not _seen:
		return
	_offset = goal.origin - _plant.origin
	_drift = -rate * _offset  # so that it does not overshoot
	_drift.y = minf(_goal_velocity.y, 0.0)  # the ground stops it
	_turned = (goal.basis * _plant.basis.inverse()).get_rotation_quaternion()


# The standing foot rolls as in the animation, without sliding where it touches the ground, and does not swivel.
func _roll() -> void:
	var stays := _plant * _contact
	var angle := _heading.signed_angle_to(_plant_heading, Vector3.UP)
	_plant.basis = Basis(Quaternion(Vector3.UP, _support.normal)) * Basis(Vector3.UP, angle) * animated.basis
	_plant.origin = stays - _plant.basis * _contact
	_plant.origin.y -= _clearance(_plant, _support)


# How far the lowest part of the sole is above a plane.
func _clearance(pose: Transform3D, support: LimbikFooting) -> float:
	var least := INF
	for offset in _offsets:
		var place := pose * offset
		least = minf(least, place.y - support.height_at(place.x, place.z))
	return least


# The goal: where the foot should be, and what is left of where it was.
func _settle(delta: float, settle_time: float) -> void:
	var pose := _plant if planted else _path
	if not _seen:
		_offset = Vector3.ZERO
		_drift = Vector3.ZERO
		_turned = Quaternion.IDENTITY
	var rate := 2.0 / settle_time
	var fade := exp(-rate * delta)
	var drive := _drift + rate * _offset  # the exact step of a critically damped spring
	var offset := (_offset + drive * delta) * fade
	var drift := drive * fade - rate * offset
	if _offset.y < 0.0 and not planted:
		var fast := HURRY * rate
		var push := _drift.y + fast * _offset.y
		offset.y = (_offset.y + push * delta) * exp(-fast * delta)
		drift.y = push * exp(-fast * delta) - fast * offset.y
	_offset = offset
	_drift = drift
	_turned = _turned.slerp(Quaternion.IDENTITY, 1.0 - fade)
	goal = Transform3D(Basis(_turned) * pose.basis, pose.origin + _offset)
	if stepping > 0.0:
		var part := stepping / STEP_TIME
		goal.origin.y += 4.0 * part * (1.0 - part) * STEP_ARC * _stride


## Bends the leg to the goal and turns the foot. ahead: where the knee of a straight leg goes, in the skeleton's space.
func pose_leg(skeleton: Skeleton3D, ahead: Vector3) -> void:
	var into := skeleton.global_transform.affine_inverse()
	var scales := skeleton.get_bone_global_pose(bones[2]).basis.get_scale()
	_bend.reach(skeleton, bones, into * goal.origin, Vector3.ZERO, 1.0, ahead)
	var turned := (into.basis.orthonormalized() * goal.basis).orthonormalized()
	LimbikBend.turn(skeleton, bones[2], turned * Basis.from_scale(scales))
