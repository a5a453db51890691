@tool
## A head, an eye or a turret that looks at a target, upright, by the shorter way and at a bounded rate.
class_name LimbikLookAt
extends LimbikModifier

## The bone that looks.
@export var bone := "Head"
## What it looks at.
@export var target: Node3D
## Direction in which the bone looks, in its own frame.
@export var axis := Vector3(0.0, 0.0, 1.0)
## Direction that stays up, in the bone's own frame.
@export var up_axis := Vector3(0.0, 1.0, 0.0)
## Largest turn from the animation, degrees.
@export_range(0.0, 180.0) var max_angle := 80.0
## How fast it turns, degrees a second.
@export_range(1.0, 3600.0) var speed := 360.0

var _turned := Quaternion.IDENTITY  # from the animation, so far


func reset() -> void:
	super()
	_turned = Quaternion.IDENTITY


func _solve(skeleton: Skeleton3D, delta: float) -> void:
	if target == null:
		return
	var bones := _bones(skeleton, [bone])
	if bones.is_empty() or not _are_even(skeleton, bones):
		return
	var pose := skeleton.get_bone_global_pose(bones[0])
	var into := skeleton.global_transform.affine_inverse()
	var before := pose.basis.get_rotation_quaternion()
	var looking := LimbikAim.look(
		before,
		pose.origin,
		into * target.global_position,
		axis,
		up_axis,
		into.basis * Vector3.UP,
		deg_to_rad(max_angle)
	)
	var wanted := looking.rotation
	if is_nan(wanted.x):
		wanted = before
	wanted = (wanted * before.inverse()).normalized()
	var angle := _turned.angle_to(wanted)
	var most := deg_to_rad(speed) * delta
	_turned = wanted if angle <= most else _turned.slerp(wanted, most / angle).normalized()
	LimbikBend.turn(skeleton, bones[0], Basis(_turned) * pose.basis)
