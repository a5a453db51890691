## Keeps the feet of an animated character on the ground: on slopes, stairs and rubble they neither float nor sink, and a
## foot that stands stays where it is. The animation is that of a walk on level ground; the level is the height of the
## skeleton's origin.
class_name LimbikFootPlacement
extends SkeletonModifier3D

## The bone that carries the legs; it is lowered where a leg is too short for the ground.
@export var pelvis_bone := ""
## The bones of each leg: hip, knee and ankle, one leg after the other.
@export var leg_bones: PackedStringArray = []
## What counts as ground.
@export_flags_3d_physics var ground_mask := 1
## Height of the ankle above the sole, metres.
@export var ankle_height := 0.08
## How far above and below the animated foot the ground is searched, metres.
@export var search_height := 0.6
## A foot stands where its animated sole is lower than this above level ground, metres ...
@export var plant_height := 0.02
## ... and slower than this, metres a second.
@export var plant_speed := 0.4
## A standing foot is released when the animation has moved this far from it, metres.
@export var release_distance := 0.25
## Time in which a foot settles where it lands, and returns to its path when it is released, seconds.
@export var settle_time := 0.1
## Time in which the pelvis follows the ground, seconds.
@export var pelvis_time := 0.08
## Fraction of the leg's length from which on the pelvis is lowered.
@export_range(0.8, 1.0) var comfortable_stretch := 0.93
## Where the knees of straight legs go, in the skeleton's frame.
@export var knee_direction := Vector3(0.0, 0.0, 1.0)

const LONGEST_STRETCH := 0.99

var _legs: Array[Leg] = []
var _pelvis_drop := Vector2.ZERO  # how far, and how fast


class Leg:
	extends RefCounted
	var bones := PackedInt32Array()
	var animated := Vector3.ZERO
	var basis := Basis.IDENTITY
	var lift := 0.0
	var hip := Vector3.ZERO
	var length := 0.0
	var comfort := 0.0
	var path := Vector3.ZERO
	var normal := Vector3.UP
	var plant := Vector3.ZERO
	var plant_normal := Vector3.UP
	var offset := Vector3.ZERO
	var drift := Vector3.ZERO
	var goal := Vector3.ZERO
	var planted := false
	var seen := false


func _process_modification_with_delta(delta: float) -> void:
	var skeleton := get_skeleton()
	var pelvis := skeleton.find_bone(pelvis_bone) if skeleton != null else -1
	if pelvis < 0:
		return
	@warning_ignore("integer_division")
	while _legs.size() < leg_bones.size() / 3:
		var leg := Leg.new()
		for k in 3:
			leg.bones.append(skeleton.find_bone(leg_bones[3 * _legs.size() + k]))
		_legs.append(leg)
	for leg in _legs:
		_place(skeleton, leg, delta)
	_lower_pelvis(skeleton, pelvis, delta)
	for leg in _legs:
		_pose(skeleton, leg)


# Decides whether a foot stands, and where it goes, in the world.
func _place(skeleton: Skeleton3D, leg: Leg, delta: float) -> void:
	var world := skeleton.global_transform * skeleton.get_bone_global_pose(leg.bones[2])
	leg.animated = world.origin
	leg.basis = world.basis
	leg.lift = maxf(0.0, leg.animated.y - skeleton.global_position.y - ankle_height)
	if leg.seen and delta <= 0.0:
		return  # no time has passed: the foot stays where it is
	var found := _ground(skeleton, leg.animated)
	var path := found[0]
	var speed := (path - leg.path) / delta if leg.seen else Vector3.ZERO
	if not leg.seen:
		leg.path = path
	var stands := leg.lift < plant_height and speed.length() < plant_speed
	if leg.planted and (not stands or path.distance_to(leg.plant) > release_distance):
		leg.planted = false  # the foot stood while its path went on; from there it returns to it
		leg.offset += leg.plant - leg.path
		leg.drift -= speed
	elif not leg.planted and stands:
		leg.planted = true  # the foot moves with its path; from there it glides to rest
		var foot := leg.path + leg.offset
		var rest := _ground(skeleton, foot + 0.5 * settle_time * (leg.drift + speed))
		leg.plant = rest[0]
		leg.plant_normal = rest[1]
		leg.offset = foot - leg.plant
		leg.drift = (-2.0 / settle_time) * leg.offset
	var rate := 2.0 / settle_time
	var fade := exp(-rate * delta)
	var along := (leg.drift + rate * leg.offset) * delta
	leg.drift = (leg.drift - rate * along) * fade
	leg.offset = (leg.offset + along) * fade
	# A standing foot comes down and leaves as the animation lifts it.
	leg.goal = (leg.plant if leg.planted else path) + leg.offset + leg.lift * Vector3.UP
	var turn := 1.0 - fade if leg.seen else 1.0
	leg.normal = leg.normal.lerp(leg.plant_normal if leg.planted else found[1], turn).normalized()
	leg.path = path
	leg.seen = true


# Where an ankle stands on the ground below or above a point, and the ground's normal there.
func _ground(skeleton: Skeleton3D, point: Vector3) -> PackedVector3Array:
	var height := skeleton.global_position.y
	var normal := Vector3.UP
	var reach := search_height * Vector3.UP
	var query := PhysicsRayQueryParameters3D.create(point + reach, point - reach, ground_mask)
	var hit := skeleton.get_world_3d().direct_space_state.intersect_ray(query)
	if not hit.is_empty():
		height = hit.position.y
		normal = hit.normal
	return [Vector3(point.x, height + ankle_height / maxf(normal.y, 0.2), point.z), normal]


# Lowers the pelvis so that every leg reaches its goal: with delay where a leg is longer than is comfortable, and without
# delay, but as smoothly, where it would be straight.
func _lower_pelvis(skeleton: Skeleton3D, pelvis: int, delta: float) -> void:
	var wanted := 0.0
	for leg in _legs:
		leg.hip = skeleton.global_transform * LimbikBoneChain.place(skeleton, leg.bones[0])
		var knee := skeleton.global_transform * LimbikBoneChain.place(skeleton, leg.bones[1])
		leg.length = leg.hip.distance_to(knee) + knee.distance_to(leg.animated)
		leg.comfort = maxf(comfortable_stretch, leg.hip.distance_to(leg.animated) / leg.length)
		wanted = _together(wanted, _drop(leg, 0.0, leg.comfort))
	var rate := 2.0 / pelvis_time
	var fade := exp(-rate * delta)
	var gap := _pelvis_drop.x - wanted
	var along := (_pelvis_drop.y + rate * gap) * delta
	_pelvis_drop = Vector2(wanted + (gap + along) * fade, (_pelvis_drop.y - rate * along) * fade)
	var more := 0.0
	for leg in _legs:
		more = _together(more, _drop(leg, _pelvis_drop.x, _eased(leg)))
	var down := skeleton.global_basis.inverse() * Vector3.DOWN
	var pose := skeleton.get_bone_global_pose(pelvis)
	skeleton.set_bone_global_pose(pelvis, pose.translated((_pelvis_drop.x + more) * down))


# How far the pelvis, already lowered, must go down for a leg to reach with a stretch.
func _drop(leg: Leg, lowered: float, stretch: float) -> float:
	var level := leg.goal - leg.hip
	var down := -level.y - lowered
	level.y = 0.0
	var length := stretch * leg.length
	return maxf(0.0, down - sqrt(maxf(0.0, length * length - level.length_squared())))


# The stretch to which the pelvis leaves a leg: eased above the comfortable one, below the longest.
func _eased(leg: Leg) -> float:
	var way := leg.goal - leg.hip + _pelvis_drop.x * Vector3.UP
	var over := way.length() / leg.length - leg.comfort
	var room := maxf(LONGEST_STRETCH - leg.comfort, 1e-4)
	return leg.comfort + (over if over <= 0.0 else room * (1.0 - exp(-over / room)))


# One drop of the pelvis for several legs: the larger, without a corner where another takes over.
func _together(a: float, b: float) -> float:
	return sqrt(a * a + b * b)


# Bends a leg to its goal and turns its foot to the ground.
func _pose(skeleton: Skeleton3D, leg: Leg) -> void:
	var into := skeleton.global_transform.affine_inverse()
	var hip := LimbikBoneChain.place(skeleton, leg.bones[0])
	var thigh := hip.distance_to(LimbikBoneChain.place(skeleton, leg.bones[1]))
	# Where the leg is almost straight, the knee goes forward.
	var pole := LimbikBoneChain.bend(skeleton, leg.bones[0], leg.bones[1], leg.bones[2])
	LimbikBoneChain.reach(skeleton, leg.bones, into * leg.goal, pole + 0.1 * thigh * knee_direction)
	var turned := into.basis * Basis(Quaternion(Vector3.UP, leg.normal)) * leg.basis
	var ankle := LimbikBoneChain.place(skeleton, leg.bones[2])
	skeleton.set_bone_global_pose(leg.bones[2], Transform3D(turned, ankle))
