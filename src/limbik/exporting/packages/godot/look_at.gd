@tool
## A head, an eye or a turret that looks at a target, turned as little as possible and kept upright.
class_name LimbikLookAt
extends SkeletonModifier3D

## The bone that looks.
@export var bone := ""
## What it looks at.
@export var target: Node3D
## Direction in which the bone looks, in its own frame.
@export var axis := Vector3(0.0, 0.0, 1.0)
## Direction that stays up, in the bone's own frame.
@export var up_axis := Vector3(0.0, 1.0, 0.0)
## Largest turn from the animation, degrees.
@export_range(0.0, 180.0) var max_angle := 80.0


func _process_modification_with_delta(_delta: float) -> void:
	var skeleton := get_skeleton()
	if skeleton == null or target == null or skeleton.find_bone(bone) < 0:
		return
	var number := skeleton.find_bone(bone)
	var pose := skeleton.get_bone_global_pose(number)
	var into := skeleton.global_transform.affine_inverse()
	var looking := LimbikAim.look(
		pose.basis.get_rotation_quaternion(),
		pose.origin,
		into * target.global_position,
		axis,
		up_axis,
		into.basis * Vector3.UP,
		deg_to_rad(max_angle)
	)
	skeleton.set_bone_global_pose(number, Transform3D(Basis(looking.rotation), pose.origin))
