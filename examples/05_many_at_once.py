"""Fifty thousand legs in one call: every argument broadcasts, and an invalid row affects no other.

Arrays have the components on their last axis; the axes before it are the batch. Link lengths may be arrays too. Answers
have the number type of the inputs: float32 for float32.
"""

import numpy as np

import limbik

rng = np.random.default_rng(0)
count = 50_000
targets = rng.uniform(-1.0, 1.0, (count, 3)).astype(np.float32)
ups = rng.normal(size=(count, 3)).astype(np.float32)
targets[123, 1] = np.nan

legs = limbik.ThreeLink(rng.uniform(0.40, 0.50, count), 0.42, 0.12)
solutions = legs.solve(targets, ups)
print(solutions)
print("joints", solutions.joints.shape, solutions.joints.dtype, "angles", solutions.angles.shape)

for status in limbik.Status:
    rows = solutions.status == status
    print(f"{status.name:9s} {rows.sum():6d} rows")
print("row 123 holds a NaN:", solutions[123].joints[-1], "and its neighbour does not:", solutions[124].joints[-1])

# The same target for many limbs, or many targets for one: shapes broadcast as NumPy's do.
grid = np.stack(np.meshgrid([-0.2, 0.0, 0.2], [-0.6, -0.5], [0.3], indexing="ij"), -1)
print("a grid of targets", grid.shape, "gives angles", limbik.TwoLink(0.45, 0.42).solve(grid).angles.shape)
