## The sole of a foot, measured once: from the character's skin, or from its bones at rest where it has none. `points` are
## those on which the foot can rest, however it is tilted; the first three are heel, ball and tip.
class_name LimbikSole
extends RefCounted

const SECTION := 0.25  # of the foot's length: heel, ball and tip are as low as the lowest point this near
const HEEL_BEHIND := 0.3  # of the way from ankle to toes, where there is no skin
const TIP_AHEAD := 1.5  # likewise
const BALL := 0.7  # of the way from heel to tip, where the toes have no bone
const ANKLE_HEIGHT := 0.09  # of the leg's length, where nothing tells
const HIGHEST_ANKLE := 0.25
const PITCHES: Array[float] = [-0.8, -0.5, -0.35, -0.2, -0.1, 0.0, 0.1, 0.2, 0.35, 0.5, 0.8]  # radians: tilts of a foot
const ROLLS: Array[float] = [-0.5, -0.25, 0.0, 0.25, 0.5]
const PARTS: Array[Vector2] = [Vector2(0.0, 0.2), Vector2(0.2, 0.8), Vector2(0.8, 1.0)]  # by the share that the toes have


class Point:
	extends RefCounted
	var on_ankle := Vector3.ZERO
	var on_toes := Vector3.ZERO
	var share := 0.0  # of the toes

	func _init(place: Vector3, from_toes: float) -> void:
		on_ankle = place
		share = from_toes


var points: Array[Point] = []

var _ankle := -1
var _toes := -1


func _init(skeleton: Skeleton3D, hip: int, ankle: int, toes: int) -> void:
	_ankle = ankle
	_toes = toes
	var rest := skeleton.get_bone_global_rest(ankle)
	var up := (rest.basis.inverse() * Vector3.UP).normalized()
	var skin := _skin(skeleton, ankle, toes)
	var ahead := Vector3.ZERO
	if toes >= 0:
		ahead = rest.affine_inverse() * skeleton.get_bone_global_rest(toes).origin
	elif skin.size() > 8:
		for point in skin:
			ahead += point.on_ankle
	else:
		ahead = rest.basis.inverse() * Vector3.BACK  # +z
	var far := ahead - ahead.dot(up) * up
	ahead = far.normalized()
	if skin.size() > 8:
		_measure(skin, ahead, up, far.length() if toes >= 0 else -1.0)
	else:
		var length := skeleton.get_bone_global_rest(hip).origin.distance_to(rest.origin)
		var height := rest.origin.y
		var low := height if height > 0.0 and height < HIGHEST_ANKLE * length else ANKLE_HEIGHT * length
		low /= rest.basis.get_scale().y
		var reach := far.length() if toes >= 0 else 0.15 * length / rest.basis.get_scale().y
		for share: float in [-HEEL_BEHIND, 1.0, TIP_AHEAD]:
			points.append(Point.new(share * reach * ahead - low * up, 1.0 if share > 1.0 and toes >= 0 else 0.0))
	if toes >= 0:
		var to_toes := skeleton.get_bone_global_rest(toes).affine_inverse() * rest
		for point in points:
			point.on_toes = to_toes * point.on_ankle


## Where a point is in the skeleton's space.
func locate(skeleton: Skeleton3D, point: Point) -> Vector3:
	var place := skeleton.get_bone_global_pose(_ankle) * point.on_ankle
	if point.share > 0.0:
		place = place.lerp(skeleton.get_bone_global_pose(_toes) * point.on_toes, point.share)
	return place


# Heel, ball and tip, and the points that are the lowest ones when the foot is tilted some way or other.
func _measure(skin: Array[Point], ahead: Vector3, up: Vector3, ball: float) -> void:
	var first := INF
	var last := -INF
	for point in skin:
		first = minf(first, point.on_ankle.dot(ahead))
		last = maxf(last, point.on_ankle.dot(ahead))
	if ball < 0.0:
		ball = first + BALL * (last - first)
	for far: float in [first, clampf(ball, first, last), last]:
		var low := INF
		for point in skin:
			if absf(point.on_ankle.dot(ahead) - far) <= SECTION * (last - first):
				low = minf(low, point.on_ankle.dot(up))
		points.append(Point.new(far * ahead + low * up, 1.0 if far == last and _toes >= 0 else 0.0))
	var across := up.cross(ahead)
	var found := {}
	for part in PARTS:
		for pitch in PITCHES:
			for roll in ROLLS:
				var down := -up + tan(pitch) * ahead + tan(roll) * across
				var best: Point = null
				for point in skin:
					if point.share < part.x or point.share > part.y:
						continue
					if best == null or point.on_ankle.dot(down) > best.on_ankle.dot(down):
						best = point
				if best != null and not found.has(best):
					found[best] = true
					points.append(best)


# The vertices of a foot in the ankle's frame at rest.
func _skin(skeleton: Skeleton3D, ankle: int, toes: int) -> Array[Point]:
	var found: Array[Point] = []
	for child in skeleton.find_children("*", "MeshInstance3D", true, false):
		var mesh := child as MeshInstance3D
		if mesh.skin == null or mesh.mesh == null or mesh.get_node_or_null(mesh.skeleton) != skeleton:
			continue
		var belongs := {}
		var of_toes := {}
		var bind := -1
		for k in mesh.skin.get_bind_count():
			var bone := mesh.skin.get_bind_bone(k)
			if bone < 0:
				bone = skeleton.find_bone(mesh.skin.get_bind_name(k))
			belongs[k] = _is_at_or_below(skeleton, bone, ankle)
			of_toes[k] = toes >= 0 and _is_at_or_below(skeleton, bone, toes)
			if bone == ankle:
				bind = k
		if bind < 0:
			continue
		var to_ankle := mesh.skin.get_bind_pose(bind)
		for surface in mesh.mesh.get_surface_count():
			var arrays := mesh.mesh.surface_get_arrays(surface)
			var vertices: PackedVector3Array = arrays[Mesh.ARRAY_VERTEX]
			if arrays[Mesh.ARRAY_BONES] == null or arrays[Mesh.ARRAY_WEIGHTS] == null or vertices.is_empty():
				continue
			var bones := PackedInt32Array(arrays[Mesh.ARRAY_BONES])
			var weights := PackedFloat32Array(arrays[Mesh.ARRAY_WEIGHTS])
			@warning_ignore("integer_division")
			var count := bones.size() / vertices.size()
			for k in vertices.size():
				var weight := 0.0
				var toe_weight := 0.0
				for j in range(k * count, (k + 1) * count):
					weight += weights[j] if belongs.get(bones[j], false) else 0.0
					toe_weight += weights[j] if of_toes.get(bones[j], false) else 0.0
				if weight > 0.9:
					found.append(Point.new(to_ankle * vertices[k], toe_weight / weight))
	return found


func _is_at_or_below(skeleton: Skeleton3D, bone: int, above: int) -> bool:
	while bone >= 0 and bone != above:
		bone = skeleton.get_bone_parent(bone)
	return bone == above
