"""Evidence for robot limbs: exactness over random poses of every family, limits, and speed beside other solvers.

`python benchmarks/robots.py` prints the tables; `--only exact`, `limits` or `speed` one of them. `--robots FOLDER`
names a folder of MJCF files as mujoco_menagerie has them, whose arms and legs are then tried within their limits.
Whether an answer is right is judged by SciPy's rotations, not by limbik's forward kinematics.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import limbik
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.random_chains import FAMILIES, Array, angle_gap, forward, jacobian, random_chain

CHUNK = 100_000
SINGULAR = 1e-6  # poses whose Jacobian has a singular value below this are left out of the worst case


def exactness(poses: int) -> None:
    """Every branch of random poses: right, distinct, and the one that made the pose among them."""
    print(
        f"{'family':38s} {'poses':>9s} {'missing':>8s} {'median':>9s} {'worst':>9s} {'NaN':>4s}  family as recognised"
    )
    for number, family in enumerate(FAMILIES):
        limb = RobotLimb(random_chain(family, number, squared=True))
        missing = nans = count = 0
        medians, worst = [], 0.0
        for start in range(0, poses, CHUNK):
            random = np.random.default_rng(start + number)
            angles = random.uniform(-np.pi, np.pi, (min(CHUNK, poses - start), len(limb.chain)))
            position, rotation = forward(limb.chain, angles)
            swivel = limb.swivel(angles) if len(limb.chain) == 7 else None
            found = limb.branches(position, rotation.as_quat(), swivel=swivel)
            nans += int(np.isnan(found.angles).sum())
            gaps = angle_gap(found.angles, angles).min(axis=0)
            errors = _worst_errors(limb, found, position, rotation)
            medians.append(np.median(errors))
            doubtful = (gaps > 1e-6) | (errors > 1e-12)
            regular = _regular(limb, angles[doubtful])
            missing += int((gaps[doubtful] > 1e-6)[regular].sum())
            worst = max(worst, errors[~doubtful].max(initial=0), errors[doubtful][regular].max(initial=0))
            count += len(angles)
        print(
            f"{family:38s} {count:9,d} {missing:8d} {np.median(medians):9.1e} {worst:9.1e} {nans:4d}  {limb.family}",
            flush=True,
        )


def _worst_errors(limb: RobotLimb, found: Any, position: Array, rotation: Any) -> Array:
    """The largest error of a row's branches that reach the target: metres or radians."""
    worst = np.zeros(len(position))
    posed = "position" not in limb.family
    for branch, status in zip(found.angles, found.status, strict=True):
        there, turned = forward(limb.chain, branch)
        error = np.linalg.norm(there - position, axis=1)
        if posed:
            error = np.maximum(error, (turned * rotation.inv()).magnitude())
        worst = np.where(status == limbik.Status.REACHED, np.maximum(worst, error), worst)
    return worst


def _regular(limb: RobotLimb, angles: Array) -> Array:
    if not len(angles):
        return np.zeros(0, bool)
    slopes = jacobian(limb.chain, angles)
    slopes = slopes if "position" not in limb.family else slopes[:, :3]
    return np.linalg.svd(slopes, compute_uv=False)[:, -1] > SINGULAR


def within_limits(poses: int, folder: Path | None) -> None:
    """Poses made from angles within limits: how many are left without an answer within limits."""
    chains = {f"S-R-S, limits ± {width:g} rad": _narrow(width) for width in (2.0, 0.5, 0.05)}
    if folder:
        for name, (path, tip, base) in REAL.items():
            chains[name] = limbik.Robot.load(folder / path).limb(tip, base).chain
    print(f"\n{'limb':32s} {'poses':>8s} {'without':>8s} {'worst':>9s} {'µs/pose':>8s}")
    for name, chain in chains.items():
        limb = RobotLimb(chain)
        lower, upper = np.maximum(chain.lower, -np.pi), np.minimum(chain.upper, np.pi)
        angles = np.random.default_rng(0).uniform(lower, upper, (poses, len(chain)))
        position, rotation = forward(chain, angles)
        began = time.perf_counter()
        found = limb.solve(position, rotation.as_quat())
        seconds = time.perf_counter() - began
        inside = ((found.angles >= chain.lower - 1e-9) & (found.angles <= chain.upper + 1e-9)).all(axis=1)
        there, turned = forward(chain, found.angles)
        error = np.maximum(np.linalg.norm(there - position, axis=1), (turned * rotation.inv()).magnitude())
        good = inside & (error < 1e-8)
        worst, without = error[good].max(initial=0), int((~good).sum())
        print(f"{name:32s} {poses:8,d} {without:8d} {worst:9.1e} {seconds / poses * 1e6:8.1f}", flush=True)


REAL = {
    "KUKA iiwa 14": ("kuka_iiwa_14/iiwa14.xml", "link7", None),
    "Franka Panda": ("franka_emika_panda/panda.xml", "hand", None),
    "Unitree G1, left arm": ("unitree_g1/g1.xml", "left_wrist_yaw_link", "torso_link"),
    "Unitree G1, left leg": ("unitree_g1/g1.xml", "left_ankle_roll_link", "pelvis"),
    "Booster T1, left leg": ("booster_t1/t1.xml", "left_foot_link", "Waist"),
    "UR5e": ("universal_robots_ur5e/ur5e.xml", "wrist_3_link", None),
}


def _narrow(width: float) -> ScrewChain:
    axes = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]], float)
    points = np.array([[0, 0, h] for h in (0.1, 0.36, 0.5, 0.78, 0.9, 1.18, 1.3)])
    middle = np.array([0.3, 0.9, -0.4, 1.2, 0.5, -0.8, 0.2])
    tip, names = np.array([0.0, 0.0, 1.4]), tuple("abcdefg")
    return ScrewChain(
        names, axes, points, ("hinge",) * 7, middle - width, middle + width, tip, np.array([0, 0, 0, 1.0])
    )


def ur5e() -> ScrewChain:
    """The geometry of a UR5e, from its data sheet."""
    axes = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, -1], [0, 1, 0]], float)
    points = np.zeros((6, 3))
    points[:, 0] = 0, 0, 0.425, 0.8172, 0.8172, 0.8172
    points[:, 1] = 0, 0, 0, 0, 0.1333, 0.1333
    points[:, 2] = 0, 0.1625, 0.1625, 0.1625, 0.1625, 0.0628
    tip = np.array([0.8172, 0.2329, 0.0628])
    limit = np.full(6, 2 * np.pi)
    return ScrewChain(tuple("abcdef"), axes, points, ("hinge",) * 6, -limit, limit, tip, np.array([0, 0, 0, 1.0]))


def speed(poses: int) -> None:
    """All branches of a UR5e in a batch, and one pose at a time, beside EAIK, jaik and ssik."""
    chain = ur5e()
    limb = RobotLimb(chain)
    angles = np.random.default_rng(1).uniform(-np.pi, np.pi, (poses, 6))
    position, rotation = forward(chain, angles)
    quaternions = rotation.as_quat()
    matrices = np.tile(np.eye(4), (poses, 1, 1))
    matrices[:, :3, :3], matrices[:, :3, 3] = rotation.as_matrix(), position
    tasks: dict[str, Callable[[], Any]] = {}
    with limbik.warm_up():  # compiled kernels from the first call on
        limb.branches(position[:1000], quaternions[:1000])
        limb.solve(position[0], quaternions[0])
    tasks["limbik, all 8 branches"] = lambda: limb.branches(position, quaternions)
    tasks["limbik, best within limits"] = lambda: limb.solve(position, quaternions)
    for name, make in (("EAIK", _eaik), ("jaik", _jaik)):
        try:
            tasks[f"{name}, all 8 branches"] = make(chain, matrices)
        except ImportError:
            print(f"{name} is not installed")
    print(f"\n{'batches of ' + format(poses, ','):32s} {'µs/pose':>9s} {'of a core':>9s}")
    for name, (seconds, cores) in _best_times(tasks).items():
        print(f"{name:32s} {seconds / poses * 1e6:9.4f} {cores / poses * 1e6:9.4f}")
    print(f"\n{'one pose from Python':32s} {'µs':>9s} {'of a core':>9s}")
    singles = {"limbik, best within limits": lambda: limb.solve(position[0], quaternions[0])}
    singles["limbik, all 8 branches"] = lambda: limb.branches(position[0], quaternions[0])
    try:
        robot, one = _eaik_robot(chain), np.asfortranarray(matrices[0])
        singles["EAIK, all 8 branches"] = lambda: robot.IK(one)
    except ImportError:
        pass
    for name, (seconds, cores) in _best_times(singles, repeats=1000).items():
        print(f"{name:32s} {seconds * 1e6:9.2f} {cores * 1e6:9.2f}")


def _best_times(
    tasks: dict[str, Callable[[], Any]], rounds: int = 9, repeats: int = 1
) -> dict[str, tuple[float, float]]:
    """The best of several interleaved rounds: seconds a call, and seconds of all cores together."""
    best = dict.fromkeys(tasks, (np.inf, np.inf))
    for run in tasks.values():
        run()
    for _ in range(rounds):
        for name, run in tasks.items():
            began, used = time.perf_counter(), time.process_time()
            for _ in range(repeats):
                run()
            seconds, cores = (time.perf_counter() - began) / repeats, (time.process_time() - used) / repeats
            best[name] = min(best[name][0], seconds), min(best[name][1], cores)
    return best


def _eaik_robot(chain: ScrewChain) -> Any:
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    links = np.diff(np.vstack([np.zeros(3), chain.points, chain.position]), axis=0)
    return HPRobot(chain.axes, links)


def _eaik(chain: ScrewChain, matrices: Array) -> Callable[[], Any]:
    robot = _eaik_robot(chain)
    return lambda: robot.IK_batched(matrices)


def _jaik(chain: ScrewChain, matrices: Array) -> Callable[[], Any]:
    """Its own UR5e, on Numba, spread over the cores."""
    import jaik  # pyright: ignore[reportMissingImports]
    from numba import njit, prange

    _, solve, _ = jaik.make_robot("ur5e", solver="numba")

    @njit(parallel=True)
    def run(rotations: Any, positions: Any, out: Any) -> None:
        for row in prange(len(out)):
            out[row] = solve(rotations[row], positions[row])[0]

    rotations, positions = (np.ascontiguousarray(part) for part in (matrices[:, :3, :3], matrices[:, :3, 3]))
    out = np.empty((len(matrices), 6, 8))
    return lambda: run(rotations, positions, out)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--poses", type=int, default=1_000_000, help="poses of each family")
    parser.add_argument("--limits", type=int, default=100_000, help="poses of each limb with limits")
    parser.add_argument("--batch", type=int, default=50_000, help="poses in a batch whose speed is measured")
    parser.add_argument("--robots", type=Path, help="folder of MJCF files")
    parser.add_argument("--only", choices=("exact", "limits", "speed"))
    given = parser.parse_args()
    print(f"limbik {limbik.__version__}, NumPy {np.__version__}, {platform.processor() or platform.machine()}\n")
    if given.only in (None, "speed"):
        speed(given.batch)
    if given.only in (None, "exact"):
        exactness(given.poses)
    if given.only in (None, "limits"):
        within_limits(given.limits, given.robots)


if __name__ == "__main__":
    main()
