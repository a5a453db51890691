"""A leg whose foot has a direction: the natural way, the easy way, and all eight solutions.

`up` is the direction of the last link, from ankle to tip: here the foot, pointing forward and a little down. The
natural style turns the whole leg so that hip, knee, ankle and toe lie in one plane. The easy style keeps the leg in a
plane of your choice and lets the ankle alone turn the foot.

Writes leg.png; needs `pip install 'limbik[plot]'`.
"""

import numpy as np

import limbik
from limbik.pictures.limb_plot import draw

leg = limbik.ThreeLink(0.45, 0.42, 0.20)
toe, foot = (0.15, -0.70, 0.25), (0.45, -0.30, 1.0)

natural = leg.solve(toe, foot)
easy = leg.solve(toe, foot, style="easy", hint=(0, 0, 1))
for name, pose in (("natural", natural), ("easy", easy)):
    lean = np.degrees(pose.out_of_plane)
    print(f"{name:8s} knee at {pose.joints[1].round(3)}, foot {lean:.1f}° out of the leg's plane")

# Five angles hold the natural pose: yaw, roll and three hinges. The easy one needs the sixth, out_of_plane.
assert np.allclose(leg.forward(natural.angles), natural.joints)
assert np.allclose(leg.forward(easy.angles, out_of_plane=easy.out_of_plane), easy.joints)

branches = leg.branches(toe, foot)
print("\nevery solution for the five joints, in degrees; the number tells which share their joints")
for angles, group in zip(branches.degrees(), branches.same_joints_as, strict=True):
    print(f"  {group}: " + "".join(f"{angle:9.2f}" for angle in angles))
draw(leg, natural, branches, "leg.png", title="A leg, its foot turned out")
