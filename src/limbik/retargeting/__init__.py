"""Puts the motion of one figure on another: of other bones, proportions and rest pose, on any terrain.

retarget.py      retarget()                            figure_parts.py  the parts of a figure: limbs, torso, fingers
joint_map.py     which parts of two figures match      part_frames.py   frames of parts that mean the same in any rig
transfer.py      rotations and path, frame by frame    hand_contact.py  hands that touch each other or the body
body_path.py     where the body goes over its feet     steps.py         when the feet stand

A part is a limb, or a chain of joints such as the spine, a clavicle or a finger. The frame of a link points along it
(+z), with the axis about which it bends (+x): two figures in the same posture have the same frames, whatever their
rest poses and the axes of their bones.
"""
