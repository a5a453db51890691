"""Several ends at once: hands and feet to targets, and the body follows where limbs alone are too short."""

import numpy as np

import limbik

walk = limbik.samples.walk(1)
at = {name: walk.positions()[0, walk.skeleton.index(name)] for name in ("LeftHand", "RightHand", "LeftFoot")}
targets = {
    "left_hand": at["LeftHand"] + [0.1, 0.35, 0.25],
    "right_hand": at["RightHand"] + [-0.1, 0.5, 0.3],
    "left_foot": at["LeftFoot"] + [0.0, 0.15, 0.1],
}
posed = walk.reach(targets)

for end, joint in (("left_hand", "LeftHand"), ("right_hand", "RightHand"), ("left_foot", "LeftFoot")):
    gap = np.linalg.norm(posed.positions()[0, walk.skeleton.index(joint)] - targets[end])
    print(f"{end:10s} {1e3 * gap:.3f} mm from its target")
moved = np.linalg.norm(posed.positions()[0, 0] - walk.positions()[0, 0])
print(f"the hips moved by {moved:.3f} m")
