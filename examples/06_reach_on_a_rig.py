"""A hand follows a path, and the head watches it: on your own figure, or on a small one defined here.

`python 06_reach_on_a_rig.py walk.bvh` (or any .glb, .gltf) loads a figure and its motion from a file. The limbs are
found by the names of joints, or by their shape. `reach` bends the arm the way it bends already; bones keep their
lengths and do not twist. `aim` turns the head. Each returns a new clip, and changes no other joint.

Writes reach.glb; any glTF viewer shows it.
"""

import sys

import numpy as np

import limbik
from limbik.rotations import inverse, rotate

JOINTS = {  # name: parent, and position relative to it in metres; the figure faces +z and its left is +x
    "Hips": (None, (0, 0.95, 0)),
    "Chest": ("Hips", (0, 0.4, 0)),
    "Head": ("Chest", (0, 0.25, 0)),
    **{f"{s}UpLeg": ("Hips", (x, -0.05, 0)) for s, x in (("Left", 0.1), ("Right", -0.1))},
    **{f"{s}Leg": (f"{s}UpLeg", (0, -0.42, 0.02)) for s in ("Left", "Right")},
    **{f"{s}Foot": (f"{s}Leg", (0, -0.4, -0.02)) for s in ("Left", "Right")},
    **{f"{s}Arm": ("Chest", (x, 0.1, 0)) for s, x in (("Left", 0.18), ("Right", -0.18))},
    **{f"{s}ForeArm": (f"{s}Arm", (0, -0.28, -0.03)) for s in ("Left", "Right")},
    **{f"{s}Hand": (f"{s}ForeArm", (0, -0.26, 0.03)) for s in ("Left", "Right")},
}


def standing() -> limbik.Clip:
    """The small figure, standing for three seconds."""
    names = list(JOINTS)
    parents = [-1 if parent is None else names.index(parent) for parent, _ in JOINTS.values()]
    skeleton = limbik.Skeleton(tuple(names), np.array(parents), np.array([place for _, place in JOINTS.values()]))
    return limbik.Clip(skeleton, np.tile(skeleton.rotations, (90, 1, 1)), fps=30)


clip = limbik.load(sys.argv[1]) if len(sys.argv) > 1 else standing()
print(clip)
limbs = limbik.find_limbs(clip)
arm = limbs.get("right_arm") or next(iter(limbs.values()))
print(f"{arm.name}: {', '.join(clip.skeleton.names[joint] for joint in arm.joints)}; also found: {', '.join(limbs)}")

# A circle in front of the shoulder, twice around: (frames, 3), world positions in metres.
joints = clip.positions()[:, list(arm.joints)]
length = np.linalg.norm(np.diff(joints[0], axis=0), axis=-1).sum()
turn = np.linspace(0, 4 * np.pi, len(clip))
path = joints[:, 0] + length * np.stack([0.3 * np.cos(turn), 0.3 * np.sin(turn), np.full(len(clip), 0.6)], axis=-1)
posed = clip.reach(arm, path, soften=0.95)
misses = np.linalg.norm(posed.positions()[:, arm.joints[-1]] - path, axis=-1)
print(f"the hand is within {1000 * misses.max():.3g} mm of its path in every one of {len(posed)} frames")

head = next((name for name in clip.skeleton.names if "head" in name.lower()), None)
if head is not None:  # its forward and up axes, from the rest pose, in which the figure faces +z
    rest = limbik.Pose.rest(clip.skeleton).world()[1][clip.skeleton.index(head)]
    ahead, above = rotate(inverse(rest), np.array([[0.0, 0, 1], [0, 1, 0]]))
    posed = posed.aim(head, path, axis=ahead, up_axis=above, max_angle=np.radians(70))
limbik.save(posed, "reach.glb")
print("reach.glb:", limbik.load("reach.glb"))
