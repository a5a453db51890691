"""Every solution: all poses of a leg with a foot that reach one target, and how they differ."""

import numpy as np

import limbik

leg = limbik.ThreeLink(0.45, 0.42, 0.12)
branches = leg.branches([0.1, -0.7, 0.2], up=[0.0, -0.3, 1.0])
print(len(branches.angles), "solutions, angles in degrees:")
for angles, joints in zip(branches.degrees(), branches.joints, strict=True):
    print(" ".join(f"{angle:7.1f}" for angle in angles), "  knee at", joints[1].round(3))

again = leg.forward(branches.angles)
print("forward kinematics agrees to", f"{np.abs(again - branches.joints).max():.0e} m")
