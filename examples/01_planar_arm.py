"""An arm in the plane: solve, read the status, and check with forward kinematics.

`bend` chooses the elbow's side: +1 left of the ray from origin to target, −1 right of it. A target out of reach
does not raise an error: the arm gets as near as it can, and `status` and `residual` say how near.
"""

import limbik

arm = limbik.PlanarTwoLink(0.5, 0.4)

solution = arm.solve([0.6, 0.3], bend=+1)
print(solution)

# Both ways to reach the same target, on a leading axis.
for bend, angles in zip((+1, -1), arm.branches([0.6, 0.3]).degrees(), strict=True):
    print(f"bend {bend:+d}: shoulder {angles[0]:7.2f}°, elbow {angles[1]:7.2f}°")

# Forward kinematics: from the angles back to the joints.
print("the tip by forward kinematics:", arm.forward(solution.angles)[-1].round(12))

# Too far, too near, and held back by the limits of the elbow.
careful = limbik.PlanarTwoLink(0.5, 0.4, middle_limits=(0.2, 2.4))
for limb, target in ((arm, [1.2, 0.0]), (arm, [0.05, 0.0]), (careful, [0.2, 0.0])):
    outcome = limb.solve(target)
    print(f"{target}: {outcome.status.words}; {outcome.residual:.3f} from the target")
