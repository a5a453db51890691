@tool
## The bones of a person by the names of Godot's humanoid profile, in skeletons that use other names, too.
class_name LimbikHumanoid
extends RefCounted

const PREFIXES := ["", "mixamorig_", "mixamorig:", "J_Bip_C_", "J_Bip_"]
const OTHERS := {
	"Hips": ["hips", "pelvis", "Pelvis"],
	"Spine": ["LowerBack", "spine", "spine_01"],
	"Chest": ["Spine1", "chest", "spine_02"],
	"Neck": ["neck", "neck_01"],
	"Head": ["head"],
	"UpperLeg": ["UpLeg", "upperleg", "thigh", "L_UpperLeg"],
	"LowerLeg": ["Leg", "lowerleg", "shin", "calf"],
	"Foot": ["foot", "Ankle"],
	"Toes": ["ToeBase", "toes", "toe", "ball"],
	"Shoulder": ["Shoulder", "shoulder", "clavicle"],
	"UpperArm": ["Arm", "upperarm", "upper_arm"],
	"LowerArm": ["ForeArm", "lowerarm", "forearm"],
	"Hand": ["hand", "wrist"],
}


## The number of a bone, by its own name or by that of the profile; -1 where there is none.
static func bone(skeleton: Skeleton3D, bone_name: String) -> int:
	var found := skeleton.find_bone(bone_name)
	if found >= 0 or bone_name.is_empty():
		return found
	for candidate in _candidates(bone_name):
		for prefix: String in PREFIXES:
			found = skeleton.find_bone(prefix + candidate)
			if found >= 0:
				return found
	return -1


static func _candidates(bone_name: String) -> PackedStringArray:
	var found := PackedStringArray()
	var part := bone_name.trim_prefix("Left").trim_prefix("Right")
	if part == bone_name:
		for other: String in OTHERS.get(part, []):
			found.append(other)
		return found
	var side := bone_name.left(bone_name.length() - part.length())
	var letter := side.left(1)
	for other: String in [part] + OTHERS.get(part, []):
		found.append_array([side + other, other + "." + letter, other + "_" + letter])
		found.append_array([other + "." + letter.to_lower(), other + "_" + letter.to_lower(), letter + "_" + other])
	return found
