# Moves a target along a path and prints, for limbik's modifier and for Godot's own TwoBoneIK3D, the tip's error and the
# middle joint's place in each frame. Run: godot --headless --path PROJECT --script trial.gd
extends SceneTree

const FRAMES := 240
const SPECIAL := 30  # the last frames: targets on the root, along the pole, out of reach

var _skeletons := {}
var _seen := {}


func _initialize() -> void:
	var target := Node3D.new()
	var pole := Node3D.new()
	root.add_child(target)
	root.add_child(pole)
	for kind in ["limbik", "godot"]:
		var skeleton := _skeleton()
		root.add_child(skeleton)
		var modifier: SkeletonModifier3D
		if kind == "limbik":
			modifier = LimbikTwoBoneLimb.new()
			modifier.root_bone = "upper"
			modifier.middle_bone = "lower"
			modifier.tip_bone = "hand"
			modifier.target = target
			modifier.pole = pole
			skeleton.add_child(modifier)
		else:
			if not ClassDB.class_exists("TwoBoneIK3D"):
				continue
			modifier = ClassDB.instantiate("TwoBoneIK3D")
			skeleton.add_child(modifier)
			modifier.set("setting_count", 1)
			modifier.call("set_root_bone_name", 0, "upper")
			modifier.call("set_middle_bone_name", 0, "lower")
			modifier.call("set_end_bone_name", 0, "hand")
			modifier.call("set_target_node", 0, modifier.get_path_to(target))
			modifier.call("set_pole_node", 0, modifier.get_path_to(pole))
		_skeletons[kind] = skeleton
		modifier.modification_processed.connect(_look.bind(kind))
	await process_frame
	for frame in FRAMES:
		_move(frame, target, pole)
		_seen.clear()
		await process_frame
		await process_frame
		for kind in _skeletons:
			var pose: Array = _seen.get(kind, [Vector3.INF, Vector3.INF, Vector3.INF])
			print("%s %d %s %s" % [kind, frame, _text(target.global_position), " ".join(pose.map(_text))])
	quit()


func _skeleton() -> Skeleton3D:
	var skeleton := Skeleton3D.new()
	for bone in ["upper", "lower", "hand"]:
		var number := skeleton.add_bone(bone)
		if number > 0:
			skeleton.set_bone_parent(number, number - 1)
		var length: float = [0.0, 0.45, 0.42][number]
		var rest := Transform3D(Basis.from_euler(Vector3(0.2 * number, 0.0, 0.0)), Vector3(0.0, length, 0.0))
		skeleton.set_bone_rest(number, rest)
		skeleton.reset_bone_pose(number)
	return skeleton


func _move(frame: int, target: Node3D, pole: Node3D) -> void:
	var t := frame * 0.05
	pole.global_position = Vector3(0.3, 0.2, 1.0)
	target.global_position = Vector3(0.5 * sin(1.3 * t), 0.4 * cos(0.7 * t), 0.5 * sin(t))
	if frame >= FRAMES - SPECIAL:
		var places := [Vector3.ZERO, 0.5 * pole.global_position, Vector3(0.0, 0.87, 0.0), Vector3(0.0, -2.0, 0.0)]
		target.global_position = places[frame % 4]


func _look(kind: String) -> void:
	var skeleton: Skeleton3D = _skeletons[kind]
	_seen[kind] = [0, 1, 2].map(func(bone: int) -> Vector3: return skeleton.get_bone_global_pose(bone).origin)


func _text(v: Vector3) -> String:
	return "%s %s %s" % [v.x, v.y, v.z]
