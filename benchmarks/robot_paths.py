"""Evidence for robot limbs that move: answers near given angles, still targets, smooth paths, and every limb's reach.

`python benchmarks/robot_paths.py` prints the tables; `--only near`, `still`, `paths`, `singular`, `recorded` or `cover`
one of them, `--named` limbs whose names contain a word. Paths are made joint by joint and judged by the joints' steps
and by the forward kinematics of `robots.py`, which shares no code with limbik.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
from report import Row, machine, table
from robots import Array, errors, forward
from scipy.spatial.transform import Rotation

import limbik
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.robot_files import EXAMPLES, MENAGERIE, menagerie

FRAMES, STEP = 300, 0.03  # of a smooth path, radians a frame
RANGE = 0.6  # of a joint's range, about its middle, that a path uses
TOLD = 0.15  # radians: a step above this must be told by a status

LAB = {
    "Panda": ("franka_emika_panda/panda.xml", "hand", None),
    "iiwa 14": ("kuka_iiwa_14/iiwa14.xml", "link7", None),
    "UR5e": ("universal_robots_ur5e/ur5e.xml", "wrist_3_link", None),
    "G1 arm": ("unitree_g1/g1.xml", "left_wrist_yaw_link", "torso_link"),
    "G1 leg": ("unitree_g1/g1.xml", "left_ankle_roll_link", "pelvis"),
}
# Denavit and Hartenberg's a, alpha, d, metres and quarter turns; limits, ± radians; whether modified (Craig).
TABLES = {
    "like Sawyer": (
        [
            (0.081, -1, 0.317),
            (0, 1, 0.1925),
            (0, -1, 0.4),
            (0, 1, -0.1685),
            (0, -1, 0.4),
            (0, 1, 0.1363),
            (0, 0, 0.134),
        ],
        (3.05, 2.4, 3.04, 3.04, 2.98, 2.98, 4.7),
        False,
    ),
    "like Gen3": (
        [
            (0, 1, -0.2848),
            (0, 1, -0.0118),
            (0, 1, -0.4208),
            (0, 1, -0.0128),
            (0, 1, -0.3143),
            (0, 1, 0),
            (0, 2, -0.1674),
        ],
        (np.inf, 2.41, np.inf, 2.66, np.inf, 2.23, np.inf),
        False,
    ),
    "like xArm7": (
        [(0, 0, 0.267), (0, -1, 0), (0, 1, 0.293), (0.0525, 1, 0), (0.0775, 1, 0.3425), (0, 1, 0), (0.076, -1, 0.097)],
        (6.28, (-2.059, 2.094), 6.28, (-0.191, 3.927), 6.28, (-1.69, 3.14), 6.28),
        True,
    ),
}


def chain_of_table(name: str) -> ScrewChain:
    """The screws of a table."""
    lines, limits, modified = TABLES[name]
    frame, rotation = np.zeros(3), Rotation.identity()
    axes, points = [], []
    for a, quarter, d in lines:
        twist = Rotation.from_rotvec([quarter * np.pi / 2, 0, 0])
        if modified:
            frame, rotation = frame + rotation.apply([a, 0, 0]), rotation * twist
        axes.append(rotation.apply([0, 0, 1]))
        points.append(frame)
        frame = frame + rotation.apply([0, 0, d])
        if not modified:
            frame, rotation = frame + rotation.apply([a, 0, 0]), rotation * twist
    pairs = np.array([one if isinstance(one, tuple) else (-one, one) for one in limits])
    names = tuple(f"joint{k + 1}" for k in range(len(lines)))
    kinds = ("hinge",) * len(lines)
    lower, upper = pairs.T
    return ScrewChain(names, np.array(axes), np.array(points), kinds, lower, upper, frame, rotation.as_quat())


def lab_limbs() -> dict[str, RobotLimb]:
    """The arms and legs that smooth paths are tried on."""
    found = {name: limbik.Robot.load(menagerie(path)).limb(tip, base) for name, (path, tip, base) in LAB.items()}
    tiago = sorted(EXAMPLES.rglob("tiago.urdf"))
    if tiago:
        found["TIAGo"] = limbik.Robot.load(tiago[0]).limb("arm_7_link", "torso_lift_link")
    return found | {name: RobotLimb(chain_of_table(name)) for name in TABLES}


def file_limbs(least_joints: int) -> Iterator[tuple[str, RobotLimb]]:
    """Every limb of the files, by the names of its file and its own; limbs with equal chains once."""
    seen = set()
    for path in (*map(menagerie, MENAGERIE), *sorted(EXAMPLES.rglob("*.urdf"))):
        try:
            robot = limbik.Robot.load(path)
        except limbik.LimbikError:
            continue
        for name, limb in robot.limbs().items():
            if len(limb.joints) >= least_joints and limb not in seen:
                seen.add(limb)
                yield f"{path.stem}: {name}", limb


def range_of(chain: ScrewChain, part: float = 1.0) -> tuple[Array, Array]:
    """A part of the joints' ranges about their middles, (n,) each; joints without limits turn by half a turn."""
    lower, upper = np.maximum(chain.lower, -np.pi), np.minimum(chain.upper, np.pi)
    lower, upper = np.minimum(lower, upper), np.maximum(lower, upper)
    middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower)
    return middle - part * half, middle + part * half


def random_angles(chain: ScrewChain, count: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform(*range_of(chain), (count, len(chain)))


def targets_of(limb: RobotLimb, angles: Array) -> tuple[Array, Array]:
    """Positions and rotations of the tip, (..., 3) and (..., 4); of slides by limbik's own forward kinematics."""
    if "slide" in limb.chain.kinds:
        return limb.forward(angles)
    position, matrix = forward(limb.chain, angles.reshape(-1, angles.shape[-1]))
    turns = Rotation.from_matrix(matrix).as_quat()
    return position.reshape(*angles.shape[:-1], 3), turns.reshape(*angles.shape[:-1], 4)


def smooth_path(chain: ScrewChain, seed: int) -> Array:
    """Angles (frames, n): sums of sines that use a part of the range, the fastest joint at STEP radians a frame."""
    random = np.random.default_rng(seed)
    lower, upper = range_of(chain, RANGE)
    time_axis = np.linspace(0.0, 1.0, FRAMES)[:, None]
    waves = np.zeros((FRAMES, len(chain)))
    for cycles in (1, 2, 3):
        phase = random.uniform(0, 2 * np.pi, len(chain))
        waves += random.uniform(0, 1 / cycles, len(chain)) * np.sin(2 * np.pi * cycles * 0.5 * time_axis + phase)
    waves /= np.abs(waves).max(axis=0)
    path = 0.5 * (lower + upper) + 0.5 * (upper - lower) * waves
    steps = np.abs(np.diff(path, axis=0)).max()
    return path[0] + (path - path[0]) * min(1.0, STEP / steps)


def near(limbs: Iterator[tuple[str, RobotLimb]], poses: int) -> list[Row]:
    """Poses made from angles, solved near these angles: how many are answered by other angles."""
    rows: list[Row] = []
    for name, limb in limbs:
        angles = random_angles(limb.chain, poses)
        found = limb.solve(*targets_of(limb, angles), near=angles)
        apart = np.abs(found.angles - angles).max(axis=1)
        missed = int((~(apart <= 1e-9)).sum())
        rows.append({"limb": name, "joints": len(limb.joints), "family": limb.family, "missed": missed})
    return rows


def still(limbs: Iterator[tuple[str, RobotLimb]]) -> list[Row]:
    """A target that stays where it is, 300 frames: the largest motion of a joint."""
    rows: list[Row] = []
    for name, limb in limbs:
        worst = 0.0
        for angles in random_angles(limb.chain, 10):
            position, rotation = targets_of(limb, np.repeat(angles[None], FRAMES, 0))
            for previous in (None, angles):
                track = limb.track(position, rotation, previous=previous)
                worst = max(worst, float(np.abs(np.diff(track.angles, axis=0)).max()))
        rows.append({"limb": name, "largest motion": f"{worst:.1e}"})
    return rows


def through_singularities(chain: ScrewChain, seed: int) -> Array:
    """A smooth path one joint of which, another one for each seed, goes through zero or a quarter turn."""
    path, random = smooth_path(chain, seed), np.random.default_rng(seed)
    joint = seed % len(chain)
    stops = [
        stop
        for stop in (0.0, np.pi / 2, -np.pi / 2)
        if chain.lower[joint] < stop - 0.3 < stop + 0.3 < chain.upper[joint]
    ]
    if stops:
        stop = stops[random.integers(len(stops))]
        apart = path[:, joint] - path[FRAMES // 2, joint]
        room = np.where(apart > 0, chain.upper[joint] - stop, stop - chain.lower[joint])
        path[:, joint] = stop + apart * min(1.0, float((0.9 * room / np.maximum(np.abs(apart), 1e-9)).min()))
    return path


def paths(limbs: dict[str, RobotLimb], count: int, make: Callable[[ScrewChain, int], Array]) -> list[Row]:
    """Smooth paths of the joints, of which only the tip's poses are given: how the joints of the track move."""
    rows: list[Row] = []
    for name, limb in limbs.items():
        for given in ("start", "nothing"):
            ratios, largest, worst_miss, untold, held, seconds = [], [], 0.0, 0, 0, 0.0
            for seed in range(count):
                path = make(limb.chain, seed)
                position, rotation = targets_of(limb, path)
                began = time.process_time()
                track = limb.track(position, rotation, previous=path[0] if given == "start" else None)
                seconds += time.process_time() - began
                steps = np.abs(np.diff(track.angles, axis=0)).max(axis=1)
                reached = np.asarray(track.status == limbik.Status.REACHED)
                matrix = Rotation.from_quat(rotation).as_matrix()
                miss = errors(limb.chain, track.angles, position, matrix, limb.oriented)
                worst_miss = max(worst_miss, float(miss[reached].max(initial=0.0)))
                largest.append(float(steps.max()))
                ratios.append(float(steps.max() / np.abs(np.diff(path, axis=0)).max()))
                held += not reached.all()
                untold += bool((steps[reached[1:]] > TOLD + 1e-9).any())
            ratios_, largest_ = np.array(ratios), np.array(largest)
            row: Row = {"limb": name, "given": given, "paths": count, "≤ 3 × path": f"{(ratios_ <= 3.0).mean():.1%}"}
            row |= {"median ratio": f"{np.median(ratios_):.2f}", "99 %": f"{np.quantile(ratios_, 0.99):.2f}"}
            row |= {
                "largest step": f"{largest_.max():.3f}",
                "held": held,
                "untold": untold,
                "miss": f"{worst_miss:.0e}",
            }
            rows.append({**row, "µs a frame, of a core": round(1e6 * seconds / count / FRAMES, 1)})
    return rows


def cover(limbs: Iterator[tuple[str, RobotLimb]], poses: int) -> list[Row]:
    """Poses made from angles within limits, of every limb: how many are left without an answer within limits."""
    rows: list[Row] = []
    for name, limb in limbs:
        angles = random_angles(limb.chain, poses)
        position, rotation = targets_of(limb, angles)
        began = time.process_time()
        found = limb.solve(position, rotation if limb.uses_rotation else None)
        seconds = time.process_time() - began
        there, turned = targets_of(limb, found.angles)
        miss = np.linalg.norm(there - position, axis=1)
        if limb.oriented:
            turn = (Rotation.from_quat(turned) * Rotation.from_quat(rotation).inv()).magnitude()
            miss = np.maximum(miss, turn)
        within = ((found.angles >= limb.lower - 1e-9) & (found.angles <= limb.upper + 1e-9)).all(axis=1)
        good = within & (miss < 1e-6)
        said = found.status == limbik.Status.REACHED
        row: Row = {"limb": name, "joints": len(limb.joints), "family": limb.family}
        row |= {"answered": f"{good.mean():.1%}", "said wrongly": int((said & ~good).sum())}
        rows.append({**row, "µs a pose": round(1e6 * seconds / poses, 1)})
    return rows


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=2000, help="poses of each limb")
    parser.add_argument("--paths", type=int, default=200, help="paths of each limb")
    parser.add_argument("--named", default="", help="only limbs whose names contain this")
    parser.add_argument("--only", choices=("near", "still", "paths", "singular", "cover"))
    given = parser.parse_args()
    print(f"Measured on: {machine()}.")

    def named(pairs: Iterator[tuple[str, RobotLimb]]) -> Iterator[tuple[str, RobotLimb]]:
        return (pair for pair in pairs if given.named in pair[0])

    lab = dict(named(iter(lab_limbs().items())))
    tables: dict[str, tuple[str, Callable[[], list[Row]]]] = {
        "near": ("Near an answer", lambda: near(named(file_limbs(6)), given.poses)),
        "still": ("Still targets", lambda: still(named(iter(lab.items())))),
        "paths": ("Smooth paths", lambda: paths(lab, given.paths, smooth_path)),
        "singular": ("Through singularities", lambda: paths(lab, given.paths, through_singularities)),
        "cover": ("Every limb", lambda: cover(named(file_limbs(1)), given.poses)),
    }
    for name, (title, make) in tables.items():
        if given.only in (None, name):
            print(table(make(), title), flush=True)


if __name__ == "__main__":
    main()
