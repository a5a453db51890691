# Runs the addon's other modifiers: a leg with a foot direction, a head that looks, and a character that walks over
# slopes. Prints one line for each frame. Run: godot --headless --path PROJECT --script addon.gd
extends SceneTree

const SLOPES := [-20.0, -10.0, 20.0]
const ANKLE := 0.08
const HIP := 0.88

var _lines: PackedStringArray = []


func _initialize() -> void:
	await process_frame
	await _leg_and_head()
	for slope in SLOPES:
		await _walk(slope)
	print("\n".join(_lines))
	quit()


func _chain(names: Array, places: Array, parents: Array) -> Skeleton3D:
	var skeleton := Skeleton3D.new()
	for k in names.size():
		skeleton.add_bone(names[k])
		if parents[k] >= 0:
			skeleton.set_bone_parent(k, parents[k])
		skeleton.set_bone_rest(k, Transform3D(Basis.from_euler(Vector3(0.1 * k, 0.0, 0.0)), places[k]))
		skeleton.reset_bone_pose(k)
	root.add_child(skeleton)
	return skeleton


func _leg_and_head() -> void:
	var places := [Vector3(0, 1, 0), Vector3(0, -0.45, 0), Vector3(0, -0.42, 0), Vector3(0, -0.05, 0.12)]
	var skeleton := _chain(["hip", "knee", "ankle", "toe"], places, [-1, 0, 1, 2])
	var target := Node3D.new()
	root.add_child(target)
	var leg := LimbikThreeBoneLeg.new()
	leg.root_bone = "hip"
	leg.middle_bone = "knee"
	leg.ankle_bone = "ankle"
	leg.tip_bone = "toe"
	leg.target = target
	skeleton.add_child(leg)
	var head_skeleton := _chain(["head"], [Vector3(0, 1.5, 0)], [-1])
	var look := LimbikLookAt.new()
	look.bone = "head"
	look.target = target
	look.max_angle = 180.0
	look.speed = 3600.0
	head_skeleton.add_child(look)
	leg.modification_processed.connect(func() -> void: _leg_line(skeleton, target))
	look.modification_processed.connect(func() -> void: _look_line(head_skeleton, target))
	target.global_position = Vector3(0.0, 0.4, 0.25)
	_lines.clear()
	for frame in 60:
		var t := 0.1 * frame
		target.global_position = Vector3(0.2 * sin(t), 0.45 + 0.1 * cos(2.0 * t), 0.25 * cos(t))
		target.global_basis = Basis.from_euler(Vector3(0.3 * sin(t), 0.5 * cos(t), 0.0))
		await process_frame
		await process_frame
	skeleton.queue_free()
	head_skeleton.queue_free()


func _leg_line(skeleton: Skeleton3D, target: Node3D) -> void:
	var ankle := skeleton.get_bone_global_pose(2).origin
	var toe := skeleton.get_bone_global_pose(3).origin
	var direction := (toe - ankle).normalized()
	_lines.append("leg %s %s" % [toe.distance_to(target.global_position), direction.distance_to(target.global_basis.z)])


func _look_line(skeleton: Skeleton3D, target: Node3D) -> void:
	var pose := skeleton.get_bone_global_pose(0)
	var line := (target.global_position - pose.origin).normalized()
	_lines.append("look %s %s" % [pose.basis.z.distance_to(line), absf(pose.basis.x.dot(Vector3.UP))])


# --- a walk: the animation is that of level ground, computed by the law of cosines


func _walk(slope: float) -> void:
	var ground := StaticBody3D.new()
	var shape := CollisionShape3D.new()
	shape.shape = WorldBoundaryShape3D.new()
	ground.add_child(shape)
	ground.basis = Basis(Vector3.RIGHT, deg_to_rad(-slope))
	root.add_child(ground)
	var names := ["pelvis"]
	var places := [Vector3(0, HIP, 0)]
	var parents := [-1]
	for side in 2:
		names.append_array(["hip%d" % side, "knee%d" % side, "ankle%d" % side])
		places.append_array([Vector3(0.2 * side - 0.1, 0, 0), Vector3(0, -0.45, 0), Vector3(0, -0.43, 0)])
		parents.append_array([0, 3 * side + 1, 3 * side + 2])
	var skeleton := _chain(names, places, parents)
	for bone in skeleton.get_bone_count():
		skeleton.set_bone_rest(bone, Transform3D(Basis.IDENTITY, places[bone]))
		skeleton.reset_bone_pose(bone)
	var feet := LimbikFootPlacement.new()
	feet.pelvis_bone = "pelvis"
	feet.leg_bones = PackedStringArray(["hip0", "knee0", "ankle0", "", "hip1", "knee1", "ankle1", ""])
	skeleton.add_child(feet)
	var stance := [false, false]
	var seen := []
	var animated := []
	feet.modification_processed.connect(func() -> void: seen.assign(_feet(skeleton)))
	skeleton.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_PHYSICS
	await physics_frame
	for frame in 240:
		var time := frame / 60.0
		skeleton.global_position = Vector3(0, tan(deg_to_rad(slope)) * time, time)
		for side in 2:
			var phase := fposmod(time + 0.5 * side + 0.3, 1.0)
			stance[side] = phase < 0.6
			_animate(skeleton, side, phase)
		animated.assign(_knees(skeleton))
		await physics_frame
		await process_frame
		for side in 2:
			_lines.append("walk %s %d %d %s %s" % [slope, side, int(stance[side]), seen[side], animated[side]])
	skeleton.queue_free()
	ground.queue_free()
	await physics_frame


func _animate(skeleton: Skeleton3D, side: int, phase: float) -> void:
	var z := 0.3 - phase
	var y := ANKLE
	if phase >= 0.6:
		var u := (phase - 0.6) / 0.4
		z = -0.3 * (2.0 * u * u * u - 3.0 * u * u + 1.0) - 0.4 * (u * u * u - 2.0 * u * u + u)
		z += 0.3 * (3.0 * u * u - 2.0 * u * u * u) - 0.4 * (u * u * u - u * u)
		y += 0.12 * sin(PI * u) ** 2
	y -= HIP
	var d := sqrt(y * y + z * z)
	var line := atan2(-z, -y)
	var first := line - acos((0.45 * 0.45 + d * d - 0.43 * 0.43) / (0.9 * d))
	var second := line + acos((0.43 * 0.43 + d * d - 0.45 * 0.45) / (0.86 * d))
	for pair in [[1, first], [2, second - first], [3, -second]]:
		skeleton.set_bone_pose_rotation(3 * side + pair[0], Quaternion(Vector3.RIGHT, pair[1]))


func _feet(skeleton: Skeleton3D) -> Array:
	var found := []
	for side in 2:
		var ankle := skeleton.global_transform * skeleton.get_bone_global_pose(3 * side + 3)
		var sole := ankle * Vector3(0, -ANKLE, 0)
		var toe := ankle * Vector3(0, -ANKLE, 0.15)
		found.append("%s %s %s %s %s" % [sole.y, sole.z, toe.y, toe.z, _knees(skeleton)[side]])
	return found


func _knees(skeleton: Skeleton3D) -> Array:
	var found := []
	for side in 2:
		var knee := skeleton.global_transform * skeleton.get_bone_global_pose(3 * side + 2).origin
		found.append("%s %s" % [knee.y, knee.z])
	return found
