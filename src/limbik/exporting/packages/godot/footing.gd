## The plane on which a sole rests, found by rays through heel, ball and tip.
class_name LimbikFooting
extends RefCounted

const STEEP := 0.5  # the cosine of a slope from which on the ground is a wall, and its normal says nothing about feet
const SAME_GROUND := 0.15  # of the sole's length: how far the ground under a part of it may be from the plane of another

var found := false
var normal := Vector3.UP
var place := Vector3.ZERO  # a point of the plane, below or above the foot
var top := -INF  # the highest ground that was met
var collider: Node3D = null


## The plane's height at a place.
func height_at(x: float, z: float) -> float:
	return place.y - (normal.x * (x - place.x) + normal.z * (z - place.z)) / normal.y


## Looks for ground under a sole. points: heel, ball and tip in the world; x, z: where the foot is; high, low: heights between
## which ground counts; steepest: largest tilt of a foot, radians.
func look(
	space: PhysicsDirectSpaceState3D,
	query: PhysicsRayQueryParameters3D,
	points: PackedVector3Array,
	x: float,
	z: float,
	high: float,
	low: float,
	steepest: float
) -> void:
	var places := PackedVector3Array()
	var normals := PackedVector3Array()
	var best := -1
	found = false
	top = -INF
	collider = null
	for k in 3:
		query.from = Vector3(points[k].x, high, points[k].z)
		query.to = Vector3(points[k].x, low, points[k].z)
		var hit := space.intersect_ray(query)
		if hit.is_empty():
			continue
		var own: Vector3 = hit["normal"]
		places.append(hit["position"])
		normals.append(own if own.y >= STEEP else Vector3.UP)
		if best < 0 or places[-1].y > places[best].y:
			best = places.size() - 1
			collider = hit["collider"] as Node3D
	place = Vector3(x, 0.0, z)
	if best < 0:
		return
	found = true
	top = places[best].y
	_fit(places, normals, best, points[0].distance_to(points[2]))
	var tilt := normal.angle_to(Vector3.UP)
	if tilt > steepest:
		normal = Vector3.UP.slerp(normal, steepest / tilt).normalized()
	place.y = -INF
	for one in places:
		place.y = maxf(place.y, one.y + (normal.x * (one.x - x) + normal.z * (one.z - z)) / normal.y)


# The normal of what belongs to one piece of ground: beyond the edge of a stair there is nothing to stand on.
func _fit(places: PackedVector3Array, normals: PackedVector3Array, best: int, length: float) -> void:
	normal = Vector3.ZERO
	var first := -1
	var last := -1
	for k in places.size():
		var across := places[k] - places[best]
		if minf(absf(across.dot(normals[best])), absf(across.dot(normals[k]))) > SAME_GROUND * length:
			continue
		normal += normals[k]
		first = k if first < 0 else first
		last = k
	normal = normal.normalized()
	var along := places[last] - places[first]
	if along.length() > 0.1 * length:
		along = along.normalized()
		normal = (normal - normal.dot(along) * along).normalized()


## Rises to ground ahead that is higher than the plane leads to: a step.
func rise_to(
	space: PhysicsDirectSpaceState3D, query: PhysicsRayQueryParameters3D, x: float, z: float, high: float, low: float
) -> void:
	query.from = Vector3(x, high, z)
	query.to = Vector3(x, low, z)
	var hit := space.intersect_ray(query)
	if not hit.is_empty():
		var met: Vector3 = hit["position"]
		place.y += maxf(0.0, met.y - height_at(x, z))


## By how much the ground steps up from this plane to another, below a moving foot: what neither of them explains.
func step_to(other: LimbikFooting) -> float:
	var early := other.height_at(place.x, place.z) - place.y
	var late := other.place.y - height_at(other.place.x, other.place.z)
	if early * late <= 0.0:
		return 0.0
	return early if absf(early) < absf(late) else late
