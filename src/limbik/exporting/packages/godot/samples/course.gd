## Ground for the samples: a floor, stairs up, a landing and a ramp down; light, and a camera.
class_name LimbikSampleCourse
extends Node3D

const STEPS := 8

## Of the steps, over those for people.
var size := 1.0
var camera := Camera3D.new()


func _init(course_size := 1.0) -> void:
	size = course_size


func _ready() -> void:
	var rise := 0.15 * size
	var run := 0.32 * size
	_box(Vector3(60.0, 1.0, 60.0), Vector3(0.0, -0.5, 0.0), Color(0.72, 0.7, 0.65))
	for k in STEPS:
		var depth := (STEPS - k) * run
		var at := Vector3(0.0, (k + 0.5) * rise, 1.5 * size + k * run + 0.5 * depth)
		_box(Vector3(3.0 * size, rise, depth), at, Color(0.66, 0.69, 0.72) if k % 2 else Color(0.77, 0.79, 0.81))
	var top := STEPS * rise
	var landing := 1.5 * size + STEPS * run
	_box(Vector3(3.0 * size, top, 2.0 * size), Vector3(0.0, 0.5 * top, landing + size), Color(0.66, 0.69, 0.72))
	var length := top / tan(0.26)
	var ramp := _box(
		Vector3(3.0 * size, 0.1 * size, length / cos(0.26)),
		Vector3(0.0, 0.5 * top, landing + 2.0 * size + 0.5 * length),
		Color(0.77, 0.79, 0.81)
	)
	ramp.rotation.x = 0.26
	ramp.position -= 0.05 * size * ramp.basis.y
	var sun := DirectionalLight3D.new()
	sun.rotation = Vector3(-0.9, 0.6, 0.0)
	sun.shadow_enabled = true
	add_child(sun)
	var world := WorldEnvironment.new()
	world.environment = Environment.new()
	world.environment.background_mode = Environment.BG_COLOR
	world.environment.background_color = Color(0.87, 0.9, 0.93)
	world.environment.ambient_light_source = Environment.AMBIENT_SOURCE_COLOR
	world.environment.ambient_light_color = Color(0.6, 0.62, 0.65)
	add_child(world)
	add_child(camera)


func _box(extent: Vector3, at: Vector3, color: Color) -> StaticBody3D:
	var body := StaticBody3D.new()
	var shape := CollisionShape3D.new()
	var box := BoxShape3D.new()
	box.size = extent
	shape.shape = box
	var visual := MeshInstance3D.new()
	var mesh := BoxMesh.new()
	mesh.size = extent
	var material := StandardMaterial3D.new()
	material.albedo_color = color
	mesh.material = material
	visual.mesh = mesh
	body.add_child(shape)
	body.add_child(visual)
	body.position = at
	add_child(body)
	return body


## Where the ground is below a place.
func ground_below(place: Vector3) -> float:
	var query := PhysicsRayQueryParameters3D.create(place + 0.5 * Vector3.UP, place + 10.0 * Vector3.DOWN)
	var hit := get_world_3d().direct_space_state.intersect_ray(query)
	if hit.is_empty():
		return 0.0
	var met: Vector3 = hit["position"]
	return met.y
