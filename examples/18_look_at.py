"""A head that looks: `aim` turns a joint toward a point, no further than its neck allows."""

import numpy as np

import limbik

walk = limbik.samples.walk(120)
bird = np.array([1.5, 2.0, 1.0]) + np.linspace(0.0, 1.0, 120)[:, None] * np.array([-3.0, 0.5, 1.0])
looking = walk.aim("Head", bird, axis=(0.0, 0.0, 1.0), max_angle=np.radians(70.0))

head = walk.skeleton.index("Head")
for frame in (0, 40, 80, 119):
    pose = looking[frame]
    gaze = pose.world_matrices()[head][:3, 2]  # its +z axis
    wanted = bird[frame] - pose.positions()[head]
    off = np.degrees(np.arccos(np.clip(gaze @ wanted / np.linalg.norm(wanted), -1.0, 1.0)))
    print(f"frame {frame:3d}: {off:5.1f}° off the bird")
