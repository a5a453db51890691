"""Several ends at once, beside an independent optimiser: `python benchmarks/several_ends.py [CASES]`.

Random poses of the bipeds among the assets; hands, feet and pelvis are sent to random places. SciPy searches for a
place of the pelvis and a bend of the spine from which every limb spans the distance to its target; it starts from the
pose and from random places, and knows nothing of limbik but the poses and what may move. Where it finds one, limbik
must meet all targets; where it does not, limbik keeps the feet. What limbik reached is measured by products of
matrices, not by limbik.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np
from report import machine, table
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import limbik
from tests.assets import asset
from tests.skeleton.figures import world_by_matrices

RIGS = ["bvh/cmu_05_02.bvh", "bvh/cmu_16_35.bvh", "bvh/cmu_13_35.bvh", "gltf/KayKit_Rogue.glb", "gltf/RiggedFigure.glb"]
HANDS, FEET = ("left_arm", "right_arm"), ("left_leg", "right_leg")
MOST_BENT = 2.0  # radians: the largest bend of a spine, as documented
MET = 1e-9  # metres: a target that is met


@dataclass
class Case:
    """One pose and the targets of its ends; what may move: the pelvis's place, and the bend of the spine."""

    pose: limbik.Pose
    targets: dict[str, np.ndarray]
    limbs: list[tuple[str, bool]]  # and whether the chest carries them

    def __post_init__(self):
        skeleton, torso = self.pose.skeleton, self.pose.skeleton.torso
        rotations, translations = self.pose.rotations[None], self.pose.translations[None]
        self.places = world_by_matrices(skeleton, rotations, translations)[0][0]
        self.spine = self.places[list(torso.spine)]
        chains = [skeleton.limbs[name].joints for name, _ in self.limbs]
        self.roots = np.array([self.places[chain[0]] for chain in chains])
        self.on_chest = np.array([carried for _, carried in self.limbs])
        self.goals = np.array([self.targets[name] for name, _ in self.limbs])
        links = [np.linalg.norm(np.diff(self.places[list(chain)], axis=0), axis=-1) for chain in chains]
        self.longest = np.array([sum(one) for one in links])
        self.shortest = np.array([max(2 * max(one) - sum(one), 0.0) for one in links])

    def lacking(self, x):
        """How far each target is from what its limb can span, for a shift and a bend (6,)."""
        count = len(self.spine)
        turns = Rotation.from_rotvec(np.arange(1, count + 1)[:, None] / count * x[3:]).as_matrix()
        bones = np.einsum("kij,kj->i", turns[:-1], np.diff(self.spine, axis=0))
        leaned = self.spine[0] + bones + (self.roots - self.spine[-1]) @ turns[-1].T
        roots = np.where(self.on_chest[:, None], leaned, self.roots) + x[:3]
        distance = np.linalg.norm(roots - self.goals, axis=-1)
        lacking = np.maximum(distance - self.longest, 0.0) + np.maximum(self.shortest - distance, 0.0)
        return np.append(lacking, max(np.linalg.norm(x[3:]) - MOST_BENT, 0.0))


def optimised(case, rng, starts):
    """Whether SciPy finds a shift of the pelvis and a bend of the spine from which all limbs reach."""
    for start in range(starts):
        first = np.zeros(6) if start == 0 else rng.normal(size=6) * 0.4
        found = least_squares(case.lacking, first, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=200)
        if case.lacking(found.x).max() <= 1e-12:
            return True
    return False


def random_case(clip, rng):
    """A random pose of a clip, and targets that are near, at the edge of what can be met, or beyond it."""
    pose = clip[int(rng.integers(len(clip)))]
    places, skeleton = pose.positions(), pose.skeleton
    leg = sum(np.linalg.norm(np.diff(places[list(skeleton.limbs["left_leg"].joints)], axis=0), axis=-1))
    targets = {}
    for name in (*FEET, *HANDS):
        spread = leg * (rng.choice([0.0, 0.1, 0.3]) if name in FEET else rng.choice([0.1, 0.3, 0.6]))
        targets[name] = places[skeleton.limbs[name].joints[-1]] + spread * rng.normal(size=3)
    case = Case(pose, targets, [(name, name in HANDS) for name in (*FEET, *HANDS)])
    wish = places[skeleton.torso.pelvis] + leg * rng.choice([0.0, 0.1, 0.4]) * rng.normal(size=3)
    return case, wish, leg


def misses(case, posed):
    """How far each end of a pose is from its target, by products of matrices."""
    skeleton = posed.skeleton
    places = world_by_matrices(skeleton, posed.rotations[None], posed.translations[None])[0][0]
    ends = [skeleton.limbs[name].joints[-1] for name, _ in case.limbs]
    return np.linalg.norm(places[ends] - case.goals, axis=-1)


@dataclass
class Tally:
    """Counts over all cases of a rig."""

    cases: int = 0
    found: int = 0  # by SciPy
    met: int = 0  # by limbik
    failed: int = 0  # found by SciPy, not met by limbik
    worst: float = 0.0  # miss of a case that SciPy found
    feet: float = 0.0  # miss of a foot where both feet can be reached
    residual: float = 0.0  # the largest difference of a residual from what was measured

    def add(self, case, wish, rng, starts):
        """Counts one case."""
        result = limbik.reach_ends(case.pose, {**case.targets, "pelvis": wish})
        measured = misses(case, result.pose)
        found = optimised(case, rng, starts)
        met = measured.max() < MET
        self.cases += 1
        self.found += found
        self.met += met
        self.failed += found and not met
        self.worst = max(self.worst, measured.max() if found else 0.0)
        names = ("left_foot", "right_foot", "left_hand", "right_hand")
        stated = np.array([result.residual[name] for name in names])
        self.residual = max(self.residual, np.abs(stated - measured).max())
        hips, feet = case.roots[:2], case.goals[:2]
        apart = np.linalg.norm((feet[1] - hips[1]) - (feet[0] - hips[0]))
        if apart < case.longest[:2].sum():
            self.feet = max(self.feet, measured[:2].max())


def counted(task):
    """The tally of some cases of a rig; `task` is the rig, the number of cases, and the seed."""
    name, cases, seed = task
    clip, rng, tally = limbik.load(asset(name), fps=30), np.random.default_rng(seed), Tally()
    with limbik.warm_up():
        limbik.reach_ends(clip[0], {"left_hand": (0.0, 9.0, 0.0)})
    for _ in range(cases):
        case, wish, _ = random_case(clip, rng)
        tally.add(case, wish, rng, starts=3)
    return name, tally


def main(cases):
    """Prints the table."""
    parts = max(1, cases // len(RIGS) // 100)
    tasks = [(name, cases // len(RIGS) // parts, seed) for name in RIGS for seed in range(parts)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        tallies = list(pool.map(counted, tasks))
    counts = {"cases": "cases", "found": "SciPy finds", "met": "limbik meets", "failed": "found, not met"}
    worst = {"worst": "worst miss, m", "feet": "feet, m", "residual": "residuals, m"}
    rows = []
    for rig in RIGS:
        found = [tally for name, tally in tallies if name == rig]
        row = {column: sum(getattr(one, field) for one in found) for field, column in counts.items()}
        row |= {column: f"{max(getattr(one, field) for one in found):.1e}" for field, column in worst.items()}
        rows.append({"rig": rig, **row})
    print(f"Measured on: {machine()}.\n\n{table(rows)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
