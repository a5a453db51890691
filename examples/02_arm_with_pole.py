"""An arm in space: the pole sets the side of the elbow, and a plot shows it.

Two links can reach a point with the elbow anywhere on a circle. The pole is a direction, not a point: the elbow lies on
its side of the line from origin to target. `twist` rotates the elbow further about that line; `soften` slows the arm
down before full stretch, so that it does not snap straight when the target moves out of reach.

Writes arm.png; needs `pip install 'limbik[plot]'`.
"""

import numpy as np

import limbik

arm = limbik.TwoLink(0.30, 0.28)
target, down_and_out = (0.15, 0.10, 0.38), (0.4, -1.0, 0.0)

solution = arm.solve(target, pole=down_and_out)
print(solution)
print("upper arm's rotation, xyzw:", solution.rotations[0].round(4))
branches = arm.branches(target, pole=down_and_out)
limbik.plots.limb(solution, "arm.png", branches=branches, title="An arm, elbow down and out")

# The same target, with the elbow turned about the line to it.
for twist in np.radians([-40, 0, 40]):
    elbow = arm.solve(target, pole=down_and_out, twist=float(twist)).joints[1]
    print(f"twist {np.degrees(twist):4.0f}°: elbow at {elbow.round(3)}")

# A target that moves away: bent less and less, without and with softening.
far = np.stack([np.zeros(5), np.zeros(5), np.linspace(0.5, 0.7, 5)], -1)
for soften in (1.0, 0.85):
    bends = np.degrees(arm.solve(far, soften=soften).angles[:, 3])
    print(f"soften {soften}: elbow bent by", np.abs(bends).round(1), "degrees")
