"""Evidence for robot limbs: files beside MuJoCo, exactness over random poses of every family, answers within limits.

`python benchmarks/robots.py` prints the tables; `--only files`, `exact`, `singular`, `limits` or `whole` one of them,
`--named` families and limbs whose names contain a word. `--robots FOLDER` names a folder of MJCF files as
mujoco_menagerie has them, whose arms and legs are then tried within their limits. Poses are made and judged chunk by
chunk, in bounded memory, by a forward kinematics that shares no code with limbik: a million poses of a family take ten
seconds of a core.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from report import Row, machine, table
from scipy.spatial.transform import Rotation

import limbik
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.mujoco_referee import compiled, distance, placed
from tests.robots.random_chains import FAMILIES, jacobian, random_chain
from tests.robots.robot_files import EXAMPLES, MENAGERIE, menagerie
from tests.robots.test_robot_forward import values_of

Array = np.ndarray[Any, Any]

CHUNK = 20_000  # poses
FILE_POSES = 20  # of a robot, beside MuJoCo
SINGULAR = 1e-6  # poses whose Jacobian has a singular value below this are counted apart
SAME = 1e-6  # radians: angles that differ by less are the same
RIGHT = 1e-12  # metres or radians: errors below this need no second look


def forward(chain: ScrewChain, angles: Array) -> tuple[Array, Array]:
    """The tip's position (rows, 3) and rotation matrix (rows, 3, 3) for angles (rows, n)."""
    position, matrix = np.empty((len(angles), 3)), np.empty((len(angles), 3, 3))
    home = Rotation.from_quat(chain.rotation).as_matrix()
    _forward(chain.axes, chain.points, chain.position, home, angles, position, matrix)
    return position, matrix


@njit(cache=False)
def _forward(
    axes: Array, points: Array, tip: Array, home: Array, angles: Array, position: Array, matrix: Array
) -> None:
    """Joint after joint from the tip to the base: each turns what comes after it about its axis (Rodrigues)."""
    for row in range(len(angles)):
        frame = np.empty((4, 3))  # the tip's position, and its three axes
        frame[0] = tip
        for k in range(3):
            frame[k + 1] = home[:, k]
        for joint in range(len(axes) - 1, -1, -1):
            a, b, c = axes[joint]
            cosine, sine = np.cos(angles[row, joint]), np.sin(angles[row, joint])
            for k in range(4):
                shift = 1.0 if k == 0 else 0.0
                x = frame[k, 0] - shift * points[joint, 0]
                y = frame[k, 1] - shift * points[joint, 1]
                z = frame[k, 2] - shift * points[joint, 2]
                along = (1.0 - cosine) * (a * x + b * y + c * z)
                frame[k, 0] = cosine * x + sine * (b * z - c * y) + along * a + shift * points[joint, 0]
                frame[k, 1] = cosine * y + sine * (c * x - a * z) + along * b + shift * points[joint, 1]
                frame[k, 2] = cosine * z + sine * (a * y - b * x) + along * c + shift * points[joint, 2]
        for k in range(3):
            position[row, k] = frame[0, k]
            for axis in range(3):
                matrix[row, k, axis] = frame[axis + 1, k]


def errors(chain: ScrewChain, angles: Array, position: Array, matrix: Array, oriented: bool) -> Array:
    """How far the tip is from its target, (rows,): metres, or radians where that is more and `oriented`."""
    there, turned = forward(chain, angles)
    miss = np.linalg.norm(there - position, axis=1)
    # Of two rotations whose matrices differ by little, that difference is √2 of the angle.
    return np.maximum(miss, np.sqrt(0.5 * np.sum((turned - matrix) ** 2, axis=(1, 2)))) if oriented else miss


def worst_distance(path: Path, robot: limbik.Robot) -> float:
    """The largest distance of a link from where MuJoCo has it, metres or radians, over random poses."""
    model = compiled(path.read_bytes())
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(FILE_POSES):
        given, values = values_of(robot, rng)
        position, rotation = rng.normal(size=3), rng.normal(size=4)
        rotation /= np.linalg.norm(rotation)
        moved = {"position": position, "rotation": rotation} if robot.floating else {}
        positions, rotations = robot.forward(given, **moved)
        bodies, _ = placed(model, values, position, rotation)
        for number, link in enumerate(robot.links):
            if link in bodies:
                worst = max(worst, distance((positions[number], rotations[number]), bodies[link]))
    return worst


def files() -> None:
    """Real robots: how many limbs are solved in which way, and forward kinematics beside MuJoCo's."""
    found: dict[tuple[str, str], list[str]] = {}
    worst, robots = 0.0, 0
    for path in (*map(menagerie, MENAGERIE), *sorted(EXAMPLES.rglob("*.urdf"))):
        try:
            robot = limbik.Robot.load(path)
        except limbik.LimbikError as error:
            print(f"{path.name}: refused: {str(error).split(': ', 1)[1]}")
            continue
        robots += 1
        worst = max(worst, worst_distance(path, robot))
        for name, limb in robot.limbs().items():
            kind = next((kind for kind in ("leg", "arm") if name.endswith(kind)), "")
            found.setdefault((way_of(limb), limb.family), []).append(f"{path.stem} {kind}".strip())
    print(f"\n{robots} robots, {sum(map(len, found.values()))} limbs\n")
    ways = list(dict.fromkeys(WAYS.values()))
    order = sorted(found.items(), key=lambda one: (ways.index(one[0][0]), -len(one[1])))
    rows: list[Row] = [
        {"solved": way, "limbs": len(limbs), "family": family, "in": ", ".join(dict.fromkeys(limbs))}
        for (way, family), limbs in order
    ]
    print(table(rows))
    print(f"\nforward kinematics of all links, {FILE_POSES} poses each, beside MuJoCo's: at most {worst:.1e} m or rad")


# How limbs are solved, by what their family leaves free.
WAYS = {
    "": "closed form",
    "virtual joint": "closed form",
    "swivel": "closed form, by the swivel",
    "last joint": "closed form, by the last joint",
    "guess": "one scalar, fixed steps",
    "nearly": "fixed Newton steps",
    "iterative": "descents",
}


def way_of(limb: RobotLimb) -> str:
    """How a limb is solved, in a few words."""
    layout = limb.closed_form.layout
    free = "nearly" if layout.nearly else layout.free_parameter
    return WAYS["swivel" if not free and layout.has_swivel else free]


def whole_bodies(poses: int) -> list[Row]:
    """Poses of whole robots, made from angles within limits: how many `Robot.reach` meets, and how long it takes."""
    rows: list[Row] = []
    for path in map(menagerie, MENAGERIE):
        robot, random = limbik.Robot.load(path), np.random.default_rng(0)
        if not robot.floating or path.stem.endswith("_mjx"):
            continue
        lower, upper = (np.array([getattr(joint, side) for joint in robot.joints]) for side in ("lower", "upper"))
        low, high = np.maximum(lower, -np.pi), np.minimum(upper, np.pi)
        angles = random.uniform(low, high, (poses, len(low)))
        base = random.normal(size=(poses, 3)), Rotation.random(poses, random_state=0).as_quat()
        places, turns = robot.forward(angles, position=base[0], rotation=base[1])
        links = [robot.links.index(joint.link) for joint in robot.joints]
        joints = [joint.name for joint in robot.joints]
        ends = [links[joints.index(limb.joints[-1])] for limb in robot.limbs().values()]
        targets = {robot.links[k]: (places[:, k], turns[:, k]) for k in ends}
        for words, wanted in (("limbs and pelvis", targets | {"pelvis": base}), ("limbs", targets)):
            began = time.process_time()
            solved = robot.reach(wanted)
            seconds = time.process_time() - began
            miss = max(float(residual[solved.reached].max()) for residual in solved.residual.values())
            row: Row = {"robot": path.stem, "joints": len(low), "targets": words, "poses": poses}
            row |= {"met": int(solved.reached.sum()), "worst of these, m": f"{miss:.0e}"}
            rows.append({**row, "ms a pose, of a core": 1e3 * seconds / poses})
    return rows


@dataclass
class Tally:
    """What was found of a family."""

    poses: int = 0
    missing: int = 0  # poses whose own angles are not among the answers
    doubled: int = 0  # answers that repeat another one
    nans: int = 0
    worst: float = 0.0
    worst_singular: float = 0.0
    medians: list[float] = field(default_factory=list)


def exactness(poses: int, word: str, *, singular: bool = False) -> list[Row]:
    """Every branch of random poses: right, distinct, and the one that made the pose among them.

    With `singular`, joints are within 1e-6 rad of quarter turns, at which these limbs are singular in many ways.
    """
    rows = []
    for number, family in enumerate(FAMILIES):
        if word not in family:
            continue
        limb, tally = RobotLimb(random_chain(family, number, squared=True)), Tally()
        for start in range(0, poses, CHUNK):
            random = np.random.default_rng((number, start))
            angles = random.uniform(-np.pi, np.pi, (min(CHUNK, poses - start), len(limb.chain)))
            if singular:
                angles = np.round(angles * (2 / np.pi)) * (np.pi / 2) + random.uniform(-1e-6, 1e-6, angles.shape)
            _count(limb, angles, tally)
        row: Row = {"family": family, "poses": tally.poses, "missing": tally.missing}
        row |= {"median": f"{np.median(tally.medians):.1e}", "worst": f"{tally.worst:.1e}"}
        row |= {"worst, singular": f"{tally.worst_singular:.1e}", "repeated": tally.doubled, "NaN": tally.nans}
        rows.append({**row, "as recognised": limb.family})
    return rows


def _count(limb: RobotLimb, angles: Array, tally: Tally) -> None:
    """Adds poses made from these angles."""
    position, matrix = forward(limb.chain, angles)
    swivel = limb.swivel(angles) if len(limb.chain) == 7 else None
    found = limb.branches(position, Rotation.from_matrix(matrix).as_quat(), swivel=swivel)
    oriented = "position" not in limb.family
    reached = found.status == limbik.Status.REACHED
    error, gap = np.zeros(len(angles)), np.full(len(angles), np.inf)
    for branch, ok in zip(found.angles, reached, strict=True):
        error = np.maximum(error, np.where(ok, errors(limb.chain, branch, position, matrix, oriented), 0.0))
        gap = np.minimum(gap, _gap(branch, angles))
    repeated = _repeated(found.angles, reached)
    doubtful = np.flatnonzero((gap > SAME) | (error > RIGHT) | (repeated > 0))
    regular = np.ones(len(angles), bool)
    regular[doubtful] = _regular(limb, angles[doubtful], oriented)
    tally.poses += len(angles)
    tally.nans += int(np.isnan(found.angles).sum())
    tally.missing += int((regular & (gap > SAME)).sum())
    tally.doubled += int(repeated[regular].sum())
    tally.medians.append(float(np.median(error)))
    tally.worst = max(tally.worst, error[regular].max(initial=0.0))
    tally.worst_singular = max(tally.worst_singular, error[~regular].max(initial=0.0))


def _gap(first: Array, second: Array) -> Array:
    """The largest difference between angles, whole turns aside, (rows, n) to (rows,)."""
    turns = (first - second) * (0.5 / np.pi)
    return 2 * np.pi * np.abs(turns - np.round(turns)).max(axis=-1)


def _repeated(angles: Array, reached: Array) -> Array:
    """How many of a pose's answers repeat another one, (rows,)."""
    count = np.zeros(angles.shape[1], int)
    for one in range(len(angles)):
        for other in range(one):
            both = np.flatnonzero(reached[one] & reached[other])
            count[both] += _gap(angles[one, both], angles[other, both]) < 0.1 * SAME
    return count


def _regular(limb: RobotLimb, angles: Array, oriented: bool) -> Array:
    """Where the joints that are not given move the tip in every direction that counts."""
    if not len(angles):
        return np.zeros(0, bool)
    gradients = jacobian(limb.chain, angles)[:, : 6 if oriented else 3]
    return np.linalg.svd(gradients, compute_uv=False)[:, -1] > SINGULAR


def within_limits(poses: int, folder: Path | None, word: str) -> list[Row]:
    """Poses made from angles within limits: how many are left without an answer within limits."""
    chains = {f"S-R-S, limits ± {width:g} rad": narrow(width) for width in (2.0, 0.5, 0.05)}
    if folder:
        for name, (path, tip, base) in REAL.items():
            chains[name] = limbik.Robot.load(folder / path).limb(tip, base).chain
        chains["Unitree G1, left leg, bent"] = _bent(chains["Unitree G1, left leg"])
    rows = []
    for name, chain in chains.items():
        if word not in name:
            continue
        limb, without, worst, medians, seconds = RobotLimb(chain), 0, 0.0, [], 0.0
        for start in range(0, poses, CHUNK):
            random = np.random.default_rng(start)
            lower, upper = np.maximum(chain.lower, -np.pi), np.minimum(chain.upper, np.pi)
            angles = random.uniform(lower, upper, (min(CHUNK, poses - start), len(chain)))
            position, matrix = forward(chain, angles)
            turns = Rotation.from_matrix(matrix).as_quat()
            began = time.process_time()
            found = limb.solve(position, turns).angles
            seconds += time.process_time() - began
            error = errors(chain, found, position, matrix, True)
            good = ((found >= chain.lower - 1e-12) & (found <= chain.upper + 1e-12)).all(axis=1) & (error < 1e-9)
            without += int((~good).sum())
            worst = max(worst, error[good].max(initial=0.0))
            medians.append(float(np.median(error)))
        row: Row = {"limb": name, "poses": poses, "without": without, "median": f"{np.median(medians):.1e}"}
        rows.append({**row, "worst": f"{worst:.1e}", "µs a pose, of a core": 1e6 * seconds / poses})
    return rows


REAL = {
    "KUKA iiwa 14": ("kuka_iiwa_14/iiwa14.xml", "link7", None),
    "Franka Panda": ("franka_emika_panda/panda.xml", "hand", None),
    "Unitree G1, left arm": ("unitree_g1/g1.xml", "left_wrist_yaw_link", "torso_link"),
    "Talos, left arm": ("pal_talos/talos.xml", "arm_left_7_link", "torso_2_link"),
    "UR5e": ("universal_robots_ur5e/ur5e.xml", "wrist_3_link", None),
    "Booster T1, left leg": ("booster_t1/t1.xml", "left_foot_link", "Waist"),
    "Unitree G1, left leg": ("unitree_g1/g1.xml", "left_ankle_roll_link", "pelvis"),
}


def _bent(chain: ScrewChain) -> ScrewChain:
    """The same leg with its knee, the fourth joint, bent by 0.25 rad or more."""
    lower = chain.lower.copy()
    lower[3] = 0.25
    return replace(chain, lower=lower)


def narrow(width: float) -> ScrewChain:
    """An arm like OpenArm's, with limits of so many radians on either side."""
    axes = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]], float)
    points = np.array([[0, 0, h] for h in (0.1, 0.36, 0.5, 0.78, 0.9, 1.18, 1.3)])
    middle = np.array([0.3, 0.9, -0.4, 1.2, 0.5, -0.8, 0.2])
    tip, names = np.array([0.0, 0.0, 1.4]), tuple("abcdefg")
    return ScrewChain(
        names, axes, points, ("hinge",) * 7, middle - width, middle + width, tip, np.array([0, 0, 0, 1.0])
    )


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=1_000_000, help="poses of each family")
    parser.add_argument("--limits", type=int, default=100_000, help="poses of each limb with limits")
    parser.add_argument("--named", default="", help="only families and limbs whose names contain this")
    parser.add_argument("--robots", type=Path, help="folder of MJCF files")
    parser.add_argument("--only", choices=("files", "exact", "singular", "limits", "whole"))
    parser.add_argument("--whole", type=int, default=200, help="poses of each whole robot")
    given = parser.parse_args()
    print(f"Measured on: {machine()}.")
    if given.only in (None, "files"):
        files()
    if given.only in (None, "whole"):
        print(table(whole_bodies(given.whole), "Whole robots"))
    if given.only in (None, "limits"):
        print(table(within_limits(given.limits, given.robots, given.named), "Within limits"))
    if given.only in (None, "exact"):
        print(table(exactness(given.poses, given.named), "Every family"))
    if given.only in (None, "singular"):
        print(table(exactness(max(given.poses // 50, 1), given.named, singular=True), "Near singularities"))


if __name__ == "__main__":
    main()
