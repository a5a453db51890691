## A creature that walks over a scene's colliders: the body that `limbik walk` saves (a .glb), and the walk that
## `limbik export spider --to gdscript` writes. Put the body's scene below this node.
class_name LimbikCreature3D
extends Node3D

const VOID := -1000.0  # metres: the height of the ground where there is none
const HEADROOM := 1.0  # of the creature's size: how far above its root ground counts
const DEPTH := 4.0  # likewise below

## The script of the walk, such as spider.gd.
@export var walk: GDScript
## What counts as ground.
@export_flags_3d_physics var ground_mask := 1

## Where to go, m/s in this node's space, and how to turn, radians a second; NAN: it faces where it goes.
var velocity := Vector3.ZERO
var turn := NAN

var _walker: RefCounted
var _skeleton: Skeleton3D
var _bones := PackedInt32Array()
var _query := PhysicsRayQueryParameters3D.new()
var _size := 0.0


func _ready() -> void:
	var skeletons := find_children("*", "Skeleton3D", true, false)
	if walk == null or skeletons.is_empty():
		push_warning("limbik: %s: set `walk`, and put the creature's scene below this node" % name)
		return
	_skeleton = skeletons[0]
	_walker = walk.new(_height)
	for joint: String in _walker.JOINTS:
		var bone := _skeleton.find_bone(joint)
		if bone < 0:
			push_warning("limbik: %s: no bone named %s; take the body that limbik walk saves" % [name, joint])
			_walker = null
			return
		_bones.append(bone)
	for offset: Array in _walker.TRANSLATIONS:
		_size = maxf(_size, 4.0 * Vector3(offset[0], offset[1], offset[2]).length())
	for player in find_children("*", "AnimationPlayer", true, false):
		(player as AnimationPlayer).stop()
	var own: Array[RID] = []
	for child in find_children("*", "CollisionObject3D", true, false):
		own.append((child as CollisionObject3D).get_rid())
	_query.exclude = own


## Sets it on the ground at x and z of this node's space, facing yaw, radians from +z to +x.
func begin(x := 0.0, z := 0.0, yaw := 0.0) -> void:
	if _walker != null:
		_walker.begin(x, z, yaw)
		_pose()


## The usual speed, m/s.
func cruise() -> float:
	return _walker.CRUISE if _walker != null else 0.0


## Whether it cannot go where it is sent.
func is_blocked() -> bool:
	return _walker != null and _walker.blocked()


## Where it is, in this node's space.
func place() -> Vector3:
	return _walker.place() if _walker != null else Vector3.ZERO


func _physics_process(delta: float) -> void:
	if _walker == null:
		return
	if _walker.body.is_empty():
		begin()
	var faces := turn if velocity != Vector3.ZERO or not is_nan(turn) else 0.0
	_walker.step(delta, velocity.x, velocity.z, faces)
	_pose()


# The height of the ground, in this node's space: rays go down in it.
func _height(x: float, z: float) -> float:
	var height := 0.0 if _walker == null or _walker.segment.is_empty() else place().y
	_query.collision_mask = ground_mask
	_query.from = global_transform * Vector3(x, height + HEADROOM * _size, z)
	_query.to = global_transform * Vector3(x, height - DEPTH * _size, z)
	var hit := get_world_3d().direct_space_state.intersect_ray(_query)
	if hit.is_empty():
		return VOID
	var met: Vector3 = hit["position"]
	return (global_transform.affine_inverse() * met).y


func _pose() -> void:
	_walker.pose()
	_skeleton.set_bone_pose_position(_bones[0], place())
	var turns: PackedFloat64Array = _walker.rotations
	for k in _bones.size():
		var rotation_of := Quaternion(turns[4 * k], turns[4 * k + 1], turns[4 * k + 2], turns[4 * k + 3])
		_skeleton.set_bone_pose_rotation(_bones[k], rotation_of.normalized())
