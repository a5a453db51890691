## A character walks over stairs and a ramp. Its animation is that of a walk on a level floor: LimbikFootPlacement does the rest.
extends Node3D

const SPEED := 1.0  # m/s, of the animation

var _course := LimbikSampleCourse.new()
var _character: Node3D
var _ball := MeshInstance3D.new()


func _ready() -> void:
	add_child(_course)
	var scene: PackedScene = load("res://addons/limbik/samples/character.gltf")
	_character = scene.instantiate()
	add_child(_character)
	_ball.mesh = SphereMesh.new()
	_ball.scale = 0.12 * Vector3.ONE
	add_child(_ball)
	var player: AnimationPlayer = _character.find_children("*", "AnimationPlayer", true, false)[0]
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	player.get_animation("walk").loop_mode = Animation.LOOP_LINEAR
	player.play("walk")
	var skeleton: Skeleton3D = _character.find_children("*", "Skeleton3D", true, false)[0]
	skeleton.modifier_callback_mode_process = Skeleton3D.MODIFIER_CALLBACK_MODE_PROCESS_PHYSICS
	skeleton.add_child(LimbikFootPlacement.new())
	var look := LimbikLookAt.new()
	look.target = _ball
	skeleton.add_child(look)


func _physics_process(delta: float) -> void:
	var place := _character.position
	place.z += SPEED * delta
	if place.z > 12.0:
		place.z = 0.0  # a teleport: nothing to do about it
	place.y = _course.ground_below(place)
	_character.position = place
	var time := Time.get_ticks_msec() * 0.001
	_ball.position = place + Vector3(0.3 * sin(time), 1.3, 0.8)
	_course.camera.look_at_from_position(place + Vector3(-3.2, 1.6, 1.6), place + Vector3(0.0, 0.9, 0.0))
