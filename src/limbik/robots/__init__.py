"""Robots from their files: links and joints, where the links are, and the limbs between them.

robot.py          Robot                                 robot_limb.py      RobotLimb: solving
urdf.py, mjcf.py  the formats; xml_elements.py: XML     robot_solution.py  RobotSolution
description.py    what a file says; placements.py       layouts.py         what each family asks of the axes
robot_tree.py     links and joints as frames            families.py        which family a limb belongs to
robot_forward.py  where the frames are, on any engine   robot_branches.py  a family's formula, branch by branch
limb_ends.py      which chains are arms and legs        swivels.py         seven joints: which swivel
screws.py         from base to tip, as screws           guesses.py         limbs by one scalar
jacobians.py      how the tip moves with its joints     descent.py         steps to the target, within limits
array_solving.py  NumPy                                 tensor_solving.py  torch and JAX
device_solving.py tensors on devices, under jax.jit     answer_slopes.py   how answers move with their targets
robot_tracks.py   a limb along time                     path_planning.py   which branches a whole path takes
whole_body.py     several ends at once, body_*.py     standing.py        how a robot stands
trajectories.py   Trajectory: times, files
path_timing.py: as fast as limits allow, trajectory_files.py: CSV, JSON, YAML.
"""

from limbik.robots.description import Mimic, RobotJoint
from limbik.robots.limb_ends import LimbEnds
from limbik.robots.robot import Robot
from limbik.robots.robot_forward import LinkFrames, to_y_up, to_z_up
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.screws import ScrewChain
from limbik.robots.trajectories import Trajectory
from limbik.robots.whole_body_solution import WholeBodySolution

__all__ = [
    "LimbEnds",
    "LinkFrames",
    "Mimic",
    "Robot",
    "RobotJoint",
    "RobotLimb",
    "RobotSolution",
    "ScrewChain",
    "Trajectory",
    "WholeBodySolution",
    "to_y_up",
    "to_z_up",
]
