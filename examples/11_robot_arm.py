"""A robot arm from a URDF file: every solution for a pose of its tool, and a straight line of the tool.

Poses are a position and a quaternion, xyzw, of the tip in the frame of the base. docs/robots.md goes on from here.
"""

import tempfile
from pathlib import Path

import numpy as np

import limbik

JOINTS = [  # name, parent, child, where it is in the parent's frame, axis
    ("pan", "base", "shoulder", "0 0 0.16", "0 0 1"),
    ("lift", "shoulder", "upper", "0 0 0", "0 1 0"),
    ("elbow", "upper", "fore", "0.43 0 0", "0 1 0"),
    ("wrist_1", "fore", "w1", "0.39 0 0", "0 1 0"),
    ("wrist_2", "w1", "w2", "0 0.13 0", "0 0 -1"),
    ("wrist_3", "w2", "tool", "0 0 -0.1", "0 1 0"),
]
text = "<robot name='arm'><link name='base'/>"
for name, parent, child, xyz, axis in JOINTS:
    text += f"<link name='{child}'/><joint name='{name}' type='continuous'><parent link='{parent}'/>"
    text += f"<child link='{child}'/><origin xyz='{xyz}'/><axis xyz='{axis}'/></joint>"
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "arm.urdf"
    path.write_text(text + "</robot>", "utf-8")
    arm = limbik.Robot.load(path).limb("tool")

print(arm.family)
start = np.array([0.3, -1.2, 1.8, -2.0, -1.5, 0.4])
position, rotation = arm.forward(start)
every = arm.branches(position, rotation)
print(np.isfinite(every.angles).all(axis=-1).sum(), "solutions for the tool at", position.round(3))

line = position + np.linspace(0.0, 0.2, 50)[:, None] * np.array([0.0, 0.0, 1.0])
angles = [start]
for place in line:
    angles.append(arm.solve(place, rotation, near=angles[-1]).angles)
reached, _ = arm.forward(np.array(angles[1:]))
print(f"along a line of 0.2 m: {np.abs(reached - line).max():.0e} m off")
