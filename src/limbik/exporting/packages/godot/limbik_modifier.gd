@tool
## What limbik's modifiers share: bones by name, checks that are reported once, and memory that is dropped where it must be.
## Godot itself brings the animated pose back in each frame and blends by `influence`: 0 leaves the pose untouched.
class_name LimbikModifier
extends SkeletonModifier3D

const UNEVEN := 1e-3  # how much scales along two axes may differ, as a fraction
const JUMP := 0.25  # metres a frame that the motion does not explain, over the scale: a teleport ...
const JUMP_SPEED := 8.0  # ... if it is as fast as that, metres a second
const TURN := 1.0  # likewise of a turn, radians
const PAUSE := 0.25  # seconds without a frame: the modifier was off, or the game stood still

var _reported := {}
var _last := Transform3D.IDENTITY
var _velocity := Vector3.ZERO
var _last_time := -1.0
var _fresh := true


## Poses the bones: modifiers fill this in.
func _solve(_skeleton: Skeleton3D, _delta: float) -> void:
	pass


## Forgets earlier frames. Call it when a character respawns.
func reset() -> void:
	_fresh = true


## The character has been put elsewhere.
func _teleported() -> void:
	pass


func _process_modification_with_delta(delta: float) -> void:
	var skeleton := get_skeleton()
	if skeleton == null:
		return
	var now := Time.get_ticks_msec() * 0.001
	var was_off := _last_time >= 0.0 and now - _last_time > PAUSE + delta
	if influence <= 0.0 or was_off:
		reset()
	_last_time = now
	if influence <= 0.0 or not _is_even(skeleton):
		return
	if _has_jumped(skeleton, delta):
		_teleported()
	_solve(skeleton, delta)
	_fresh = false


## The bones of names; empty where one is missing, which is reported once.
func _bones(skeleton: Skeleton3D, names: Array[String]) -> PackedInt32Array:
	var found := PackedInt32Array()
	for bone_name in names:
		var bone := LimbikHumanoid.bone(skeleton, bone_name)
		if bone < 0:
			_report("no bone named \"%s\" in %s" % [bone_name, skeleton.name])
			return PackedInt32Array()
		found.append(bone)
	for k in range(1, found.size()):
		if not _is_below(skeleton, found[k], found[k - 1]):
			_report("%s is not below %s" % [names[k], names[k - 1]])
			return PackedInt32Array()
	return found


func _is_below(skeleton: Skeleton3D, bone: int, above: int) -> bool:
	var parent := skeleton.get_bone_parent(bone)
	while parent >= 0 and parent != above:
		parent = skeleton.get_bone_parent(parent)
	return parent == above


func _report(message: String) -> void:
	if not _reported.has(message):
		_reported[message] = true
		push_warning("limbik: %s: %s" % [name, message])


# Whether the skeleton's scale is the same along x, y and z: otherwise directions of the world are others in it.
func _is_even(skeleton: Skeleton3D) -> bool:
	var scales := skeleton.global_basis.get_scale()
	var even := absf(scales.x - scales.y) <= UNEVEN * scales.x and absf(scales.x - scales.z) <= UNEVEN * scales.x
	if not even or scales.x <= 0.0:
		_report("the skeleton's scale is not the same along x, y and z: the pose stays the animation's")
		return false
	return true


## Whether the scales of bones and of what they hang from are even, too.
func _are_even(skeleton: Skeleton3D, bones: PackedInt32Array) -> bool:
	for bone in bones:
		var parent := skeleton.get_bone_parent(bone)
		if parent < 0:
			continue
		var scales := skeleton.get_bone_global_pose(parent).basis.get_scale()
		if absf(scales.x - scales.y) > UNEVEN * absf(scales.x) or absf(scales.x - scales.z) > UNEVEN * absf(scales.x):
			_report("%s has a scale that would shear its bones: the pose stays the animation's" % skeleton.get_bone_name(parent))
			return false
	return true


func _has_jumped(skeleton: Skeleton3D, delta: float) -> bool:
	var here := skeleton.global_transform
	var jumped := false
	if not _fresh and delta > 0.0:
		var moved := here.origin - _last.origin
		var off := moved - _velocity * delta
		off.y *= 0.4  # characters are put on stairs
		var turned := here.basis.get_rotation_quaternion().angle_to(_last.basis.get_rotation_quaternion())
		var size := here.basis.get_scale().x
		jumped = off.length() > JUMP * size and off.length() > JUMP_SPEED * size * delta
		jumped = jumped or turned > TURN
		_velocity = Vector3.ZERO if jumped else moved / delta
	elif _fresh:
		_velocity = Vector3.ZERO
	if _fresh or delta > 0.0:
		_last = here
	return jumped


## In the inspector, names of bones are chosen from those of the skeleton.
func _validate_property(property: Dictionary) -> void:
	var skeleton := get_skeleton()
	if skeleton != null and property.type == TYPE_STRING and String(property.name).ends_with("bone"):
		property.hint = PROPERTY_HINT_ENUM_SUGGESTION
		property.hint_string = skeleton.get_concatenated_bone_names()
