"""Joint limits: the nearest pose that joints allow, in closed form, and what it misses.

Limits are in radians. Where the target needs more than they allow, `status` is LIMITED and `residual` is the distance
that is left.
"""

import numpy as np

import limbik

free = limbik.TwoLink(0.45, 0.42)
stiff = limbik.TwoLink(0.45, 0.42, middle_limits=(np.radians(20), np.radians(100)))

print("distance   free   stiff")
for distance in (0.2, 0.5, 0.7, 0.86):
    target = [0.0, -distance, 0.0]
    a, b = free.solve(target), stiff.solve(target)
    print(f"{distance:5.2f} m   {a.status.name:8s} {b.status.name:8s} {b.residual:.3f} m away")

foot = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-0.4, 0.4))
outcome = foot.solve([0.1, -0.8, 0.25], up=[0.0, 1.0, 0.3])
print("a foot that cannot point so far up:", outcome.status.name, f"{outcome.residual:.3f} m away")
