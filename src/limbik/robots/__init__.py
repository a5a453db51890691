"""Robots from their files: links and joints, where the links are, and the limbs between them.

urdf.py, mjcf.py  the formats                      robot_tree.py     links and joints as frames
description.py    what a file says                 robot_forward.py  where the frames are, on every engine
robot.py          Robot                            limb_paths.py     from base to tip; screws.py: as screws
limb_finding.py   which chains are arms and legs   robot_limb.py     RobotLimb: solving, by families.py
"""

from limbik.robots.description import Mimic, RobotJoint
from limbik.robots.limb_finding import LimbEnds
from limbik.robots.robot import LinkFrames, Robot
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from limbik.robots.world_axes import to_y_up, to_z_up

__all__ = ["LimbEnds", "LinkFrames", "Mimic", "Robot", "RobotJoint", "RobotLimb", "ScrewChain", "to_y_up", "to_z_up"]
