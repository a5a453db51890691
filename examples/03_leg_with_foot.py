"""A leg whose foot has a direction: natural style, easy style, and all eight solutions.

`up` is the direction of the last link, from ankle to tip: here the foot, pointing forward and a little down. The
natural style turns the whole leg so that hip, knee, ankle and toe lie in one plane. The easy style keeps the leg in a
plane of your choice and turns the foot at the ankle alone.

Writes leg.png; needs `pip install 'limbik[plot]'`.
"""

import numpy as np

import limbik

leg = limbik.ThreeLink(0.45, 0.42, 0.20)
toe, foot = (0.15, -0.70, 0.25), (0.45, -0.30, 1.0)

natural = leg.solve(toe, foot)
easy = leg.solve(toe, foot, style="easy", hint=(0, 0, 1))
for name, pose in (("natural", natural), ("easy", easy)):
    lean = np.degrees(pose.out_of_plane)
    print(f"{name:8s} knee at {pose.joints[1].round(3)}, foot {lean:.1f}° out of the leg's plane")

# Five angles describe the natural pose: yaw, roll and three hinges. The easy one needs a sixth, out_of_plane.
assert np.allclose(leg.forward(natural.angles), natural.joints)
assert np.allclose(leg.forward(easy.angles, out_of_plane=easy.out_of_plane), easy.joints)

branches = leg.branches(toe, foot)
print("\nall solutions in degrees; solutions with the same number share their joint positions")
for angles, group in zip(branches.degrees(), branches.same_joints_as, strict=True):
    print(f"  {group}: " + "".join(f"{angle:9.2f}" for angle in angles))
limbik.plots.limb(natural, "leg.png", branches=branches, title="A leg, its foot turned out")
