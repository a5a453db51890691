## A spider walks wherever the arrow keys send it.
extends Node3D

var _course := LimbikSampleCourse.new(0.35)
var _spider := LimbikCreature3D.new()


func _ready() -> void:
	add_child(_course)
	var scene: PackedScene = load("res://addons/limbik/samples/spider.gltf")
	_spider.add_child(scene.instantiate())
	_spider.walk = load("res://addons/limbik/samples/spider.gd")
	add_child(_spider)


func _physics_process(_delta: float) -> void:
	var way := Input.get_vector("ui_left", "ui_right", "ui_down", "ui_up")
	_spider.velocity = _spider.cruise() * Vector3(-way.x, 0.0, way.y)
	var place := _spider.place()
	_course.camera.look_at_from_position(place + Vector3(0.0, 0.9, -1.2), place)
