## Keeps the feet of an animated character on the ground: on slopes, stairs and rubble they neither float nor sink, and a foot
## that stands stays where it is, on moving ground, too. The animation is that of a walk on level ground. Heights and speeds are
## in lengths of the leg, so that they fit characters of any size.
class_name LimbikFootPlacement
extends LimbikModifier

const LONGEST_STRETCH := 0.99
const LANDED := 0.4  # of the height from which on a character is in the air: lower than that it has landed
const RISING := 1.3  # leg lengths a second: a character that leaves the ground faster than this jumps
const LEAVING := 0.03  # leg lengths above the ground, and rising
const STEP := 0.04  # leg lengths: a sudden change of the height is a step

enum Grounded { BY_FEET, YES, NO }

## The bone that carries the legs.
@export var pelvis_bone := "Hips"
## The bones of each leg: hip, knee, ankle and toes (empty: none), one leg after the other.
@export var leg_bones: PackedStringArray = [
	"LeftUpperLeg",
	"LeftLowerLeg",
	"LeftFoot",
	"LeftToes",
	"RightUpperLeg",
	"RightLowerLeg",
	"RightFoot",
	"RightToes",
]
## What counts as ground. Areas do not, nor does the character's own body.
@export_flags_3d_physics var ground_mask := 1
## Whether the character is on the ground, if your game knows it.
@export var grounded := Grounded.BY_FEET
## The height on which the animation stands, above the skeleton's origin, in its space.
@export var level := 0.0
@export_group("Feet, in leg lengths")
## A foot is planted where its animated sole is lower than this above the level ...
@export_range(0.001, 0.2) var plant_height := 0.04
## ... and slower than this, leg lengths a second.
@export_range(0.01, 2.0) var plant_speed := 0.45
## A standing foot is put elsewhere when the animation is this far away ...
@export_range(0.01, 1.0) var release_distance := 0.28
## ... or turned by this much, degrees.
@export_range(1.0, 180.0) var release_angle := 45.0
## How far above and below the level ground counts.
@export_range(0.1, 1.0) var reach_up := 0.5
@export_range(0.1, 1.0) var reach_down := 0.6
## Largest tilt of a foot, degrees.
@export_range(0.0, 60.0) var max_angle := 40.0
## How far the pelvis may be lowered.
@export_range(0.0, 0.8) var max_drop := 0.45
## The height above the ground from which on the character is in the air.
@export_range(0.05, 1.0) var air_height := 0.2
@export_group("Times")
## Seconds in which a foot settles where it lands, and returns to its path when it is released.
@export_range(0.01, 1.0) var settle_time := 0.1
## Seconds in which the pelvis follows the ground.
@export_range(0.01, 1.0) var pelvis_time := 0.08
## Fraction of the leg's length from which on the pelvis is lowered.
@export_range(0.8, 1.0) var comfortable_stretch := 0.93

## Whether the character is in the air: feet are free.
var airborne := false

var feet: Array[LimbikFoot] = []

var _pelvis := -1
var _ahead := Vector3.ZERO  # in the pelvis's frame
var _query := PhysicsRayQueryParameters3D.new()
var _dropped := 0.0
var _drop_speed := 0.0
var _last_level := 0.0
var _last_top := 0.0
var _climb := 0.0


func reset() -> void:
	super()
	airborne = false
	_dropped = 0.0
	_drop_speed = 0.0
	_climb = 0.0
	for foot in feet:
		foot.reset()


func _teleported() -> void:
	reset()


func _solve(skeleton: Skeleton3D, delta: float) -> void:
	if feet.is_empty() and not _find(skeleton):
		return
	for foot in feet:
		if not _are_even(skeleton, foot.bones):
			return
	var height := (skeleton.global_transform * Vector3(0.0, level, 0.0)).y
	var space := skeleton.get_world_3d().direct_space_state
	_query.collision_mask = ground_mask
	var longest := 0.0
	for foot in feet:
		foot.read(skeleton, height)
		foot.ride(delta)
		foot.look(space, _query, delta, self)
		longest = maxf(longest, foot.length)
	_decide_air(skeleton, space, delta, height, longest)
	var is_stepping := feet.any(func(foot: LimbikFoot) -> bool: return foot.stepping > 0.0)
	for foot in feet:
		foot.put(space, _query, delta, airborne, not is_stepping, self)
		is_stepping = is_stepping or foot.stepping > 0.0
	_lower_pelvis(skeleton, delta, longest)
	var ahead := skeleton.get_bone_global_pose(_pelvis).basis.orthonormalized() * _ahead
	for foot in feet:
		foot.pose_leg(skeleton, ahead)


# Finds the bones, and what belongs to the character itself.
func _find(skeleton: Skeleton3D) -> bool:
	_pelvis = LimbikHumanoid.bone(skeleton, pelvis_bone)
	for first in range(0, leg_bones.size() - 3, 4):
		var names: Array[String] = [pelvis_bone, leg_bones[first], leg_bones[first + 1], leg_bones[first + 2]]
		var bones := _bones(skeleton, names)
		if bones.is_empty():
			feet.clear()
			return false
		feet.append(LimbikFoot.new(skeleton, bones.slice(1), LimbikHumanoid.bone(skeleton, leg_bones[first + 3])))
	if feet.is_empty():
		_report("leg_bones names no leg: four names for each, hip, knee, ankle and toes")
		return false
	_ahead = Vector3.ZERO
	var pelvis_turn := skeleton.get_bone_global_pose(_pelvis).basis.orthonormalized()
	for foot in feet:
		foot.read(skeleton, 0.0)
		foot.reset()
		_ahead += pelvis_turn.inverse() * (skeleton.global_basis.orthonormalized().inverse() * foot.heading())
	var own: Array[RID] = []
	var body: Node = skeleton
	while body != null and not body is CollisionObject3D:
		body = body.get_parent()
	if body == null:
		body = skeleton
	else:
		own.append((body as CollisionObject3D).get_rid())
	for child in body.find_children("*", "CollisionObject3D", true, false):
		own.append((child as CollisionObject3D).get_rid())
	_query.exclude = own
	return true


# Whether the character is in the air: there is no ground below it, or it rises from it.
func _decide_air(
	skeleton: Skeleton3D, space: PhysicsDirectSpaceState3D, delta: float, height: float, longest: float
) -> void:
	var top := -INF
	for foot in feet:
		top = maxf(top, foot.footing.top)
	var at := skeleton.global_position
	_query.from = Vector3(at.x, height + reach_up * longest, at.z)
	_query.to = Vector3(at.x, height - reach_down * longest, at.z)
	var hit := space.intersect_ray(_query)
	if not hit.is_empty():
		var met: Vector3 = hit["position"]
		top = maxf(top, met.y)
	var above := height - top
	var rising := 0.0
	if not _fresh and delta > 0.0:
		rising = (height - _last_level - maxf(top - _last_top, 0.0)) / delta
	var climb := 0.0 if _fresh else height - _last_level
	# Where the character is put on a step at once, its body follows with a delay.
	var step := STEP * longest
	if not airborne and not _fresh and absf(climb - _climb) > step and absf(climb) > step:
		_dropped += climb - _climb
	else:
		_climb = climb
	_last_level = height
	_last_top = top
	if grounded != Grounded.BY_FEET:
		airborne = grounded == Grounded.NO
	elif airborne:
		airborne = above > LANDED * air_height * longest or rising > RISING * longest
	else:
		airborne = above > air_height * longest or (above > LEAVING * longest and rising > RISING * longest)


# Lowers the pelvis so that every leg reaches its goal: with delay where a leg is longer than is comfortable, and without
# delay, but as smoothly, where it would be straight.
func _lower_pelvis(skeleton: Skeleton3D, delta: float, longest: float) -> void:
	var wanted := 0.0
	for foot in feet:
		if not airborne:
			wanted = _together(wanted, _drop(foot, 0.0, _comfort(foot)))
	wanted = minf(wanted, max_drop * longest)
	if _fresh:
		_dropped = wanted
		_drop_speed = 0.0
	else:
		var rate := 2.0 / pelvis_time
		var fade := exp(-rate * delta)
		var drive := _drop_speed + rate * (_dropped - wanted)
		_dropped = wanted + (_dropped - wanted + drive * delta) * fade
		_drop_speed = (_drop_speed - rate * delta * drive) * fade
	var more := 0.0
	for foot in feet:
		if not airborne:
			more = _together(more, _drop(foot, _dropped, _eased(foot)))
	var down := minf(_dropped + more, max_drop * longest)
	var pose := skeleton.get_bone_global_pose(_pelvis)
	var shift := skeleton.global_basis.inverse() * (down * Vector3.DOWN)
	skeleton.set_bone_global_pose(_pelvis, pose.translated(shift))


func _comfort(foot: LimbikFoot) -> float:
	return maxf(comfortable_stretch, foot.hip.distance_to(foot.animated.origin) / foot.length)


# How far the pelvis, already lowered, must go down for a leg to reach with a stretch.
func _drop(foot: LimbikFoot, lowered: float, stretch: float) -> float:
	var way := foot.goal.origin - foot.hip
	var down := -way.y - lowered
	way.y = 0.0
	var length := stretch * foot.length
	return maxf(0.0, down - sqrt(maxf(0.0, length * length - way.length_squared())))


# The stretch to which the pelvis leaves a leg: eased above the comfortable one, below the longest.
func _eased(foot: LimbikFoot) -> float:
	var way := foot.goal.origin - foot.hip + _dropped * Vector3.UP
	var comfort := _comfort(foot)
	var over := way.length() / foot.length - comfort
	var room := maxf(LONGEST_STRETCH - comfort, 1e-4)
	return comfort + (over if over <= 0.0 else room * (1.0 - exp(-over / room)))


# One drop of the pelvis for several legs: the larger, without a corner where another takes over.
func _together(a: float, b: float) -> float:
	return sqrt(a * a + b * b)
