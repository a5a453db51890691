"""Several ends at once: hands and feet to targets, and the body follows where limbs alone are too short.

Writes crouch.html; open it in a browser.
"""

import numpy as np

import limbik

first = limbik.samples.walk(1)
still = limbik.Clip(first.skeleton, first.rotations.repeat(60, 0), first.translations.repeat(60, 0), fps=30.0)
targets = {"left_hand": [0.25, 0.15, 0.45], "right_hand": [-0.25, 0.15, 0.45], "head": [0.0, 0.75, 0.45]}
posed = still.reach(targets, weight=np.linspace(0.0, 1.0, 60))  # the feet stay where they are

for end, joint in (("left_hand", "LeftHand"), ("right_hand", "RightHand"), ("head", "Head")):
    gap = np.linalg.norm(posed.positions()[-1, posed.skeleton.index(joint)] - targets[end])
    print(f"{end:10s} {1e3 * gap:.3f} mm from its target")
moved = np.linalg.norm(posed.positions()[-1, 0] - posed.positions()[0, 0])
print(f"the hips moved by {moved:.3f} m")
limbik.write_page(posed, "crouch.html")
