"""Other packages on the tasks of limbik: a leg's pose, every answer for a robot arm, files of motion.

Packages are imported where they are used: `pip install 'limbik[peers]'` brings them; what is missing is left out.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from limb_calls import LEG, Array, limb
from report import Row, duration, installed
from timing import Effort, Work, round_robin

import limbik

POSES = 64
ARM_BATCH = 50_000
JUDGED_ROWS = 64  # of a batch
SLOW_SECONDS = 0.05  # a slow package solves fewer of the poses in a pass, but at least so many:
MIN_POSES = 8
START_RADIANS = 0.1  # at every hinge for iterative solvers: away from the straight limb, where Jacobians are singular


@dataclass(frozen=True, eq=False)
class Task:
    """A chain of hinges: their axes at rest and the offsets after them, (hinges, 3), and poses (n, 4, 4) to reach."""

    axes: Array
    links: Array
    poses: Array

    def pose(self, angles: Any) -> Array:
        """The pose of the tip, (4, 4); rotation matrices, independent of limbik and its peers."""
        pose = np.eye(4)
        for axis, link, angle in zip(self.axes, self.links, angles, strict=True):
            x, y, z = axis
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
            pose[:3, :3] = pose[:3, :3] @ turn
            pose[:3, 3] += pose[:3, :3] @ link
        return pose

    def tip(self, angles: Any) -> Array:
        """The position of the tip, (3,)."""
        return self.pose(angles)[:3, 3]

    def urdf(self) -> str:
        """The chain in the language that robots are described in."""
        count, text = len(self.axes), '<robot name="limb"><link name="link_0"/>'
        for k, offset in enumerate(np.vstack([np.zeros(3), self.links])):  # what lies before each joint
            child, kind = ("tip", "fixed") if k == count else (f"link_{k + 1}", "continuous")
            where, about = (" ".join(map(str, vector)) for vector in (offset, self.axes[min(k, count - 1)]))
            text += f'<link name="{child}"/><joint name="joint_{k}" type="{kind}"><parent link="link_{k}"/>'
            text += f'<child link="{child}"/><origin xyz="{where}" rpy="0 0 0"/><axis xyz="{about}"/></joint>'
        return text + "</robot>"


def _task(axes: Any, links: Any, bent: tuple[int, ...]) -> Task:
    """A task whose poses come from random angles; the `bent` joints stay away from the straight limb."""
    rng, axes, links = np.random.default_rng(1), np.array(axes, float), np.array(links, float)
    chain = Task(axes, links, np.empty((0, 4, 4)))
    angles = rng.uniform(-1.2, 1.2, (POSES, len(axes)))
    for joint in bent:
        angles[:, joint] = rng.uniform(0.3, 2.2, POSES) * rng.choice([-1, 1], POSES)
    return Task(axes, links, np.array([chain.pose(one) for one in angles]))


@cache
def leg() -> Task:
    """Three intersecting hinges at the hip, knee and ankle."""
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (1, 0, 0), (1, 0, 0)]
    return _task(axes, [(0, 0, 0), (0, 0, 0), *((0, 0, length) for length in LEG)], (3,))


@cache
def arm() -> Task:
    """A UR5e in the frames of its Denavit–Hartenberg parameters, except that its tip is not turned at zero."""
    axes = [(0, 0, 1), (0, -1, 0), (0, -1, 0), (0, -1, 0), (0, 0, -1), (0, -1, 0)]
    links = [(0, 0, 0.1625), (-0.425, 0, 0), (-0.3922, 0, 0), (0, -0.1333, 0), (0, 0, -0.0997), (0, -0.0996, 0)]
    return _task(axes, links, (2, 4))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppresses what packages print and warn about while they are measured."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


# --- one pose of a leg at a time: functions that prepare a pose (untimed), solve it, and find the tip of the answer

Solver = tuple[Callable[[Array], Any], Callable[[Any], Any], Callable[[Any], Array]]


def limbik_leg(answer: str) -> Solver:
    """The public call on Python lists, reading one answer."""
    solve = limb("three-link").solve

    def prepare(pose: Array) -> list[list[float]]:
        return [pose[:3, 3].tolist(), pose[:3, 2].tolist()]

    if answer == "joints":
        return prepare, lambda given: solve(*given).joints, lambda joints: joints[-1]
    return prepare, lambda given: solve(*given).angles, leg().tip


def eaik_leg() -> Solver:
    """Closed forms in C++, found by decomposing the chain; gives every solution."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(leg().axes, np.vstack([np.zeros(3), leg().links]))
    return np.asfortranarray, lambda pose: robot.IK(pose).Q, lambda found: leg().tip(found[0])


def ikpy_leg() -> Solver:
    """Least squares by SciPy: a position, and the direction of the last link, its frame's z."""
    from ikpy.chain import Chain  # pyright: ignore[reportMissingImports]
    from ikpy.link import OriginLink, URDFLink  # pyright: ignore[reportMissingImports]

    offsets = np.vstack([np.zeros(3), leg().links])  # URDF: what lies before each hinge
    given = {"origin_orientation": np.zeros(3)}
    hinges = [
        URDFLink(f"hinge_{k}", origin_translation=offset, rotation=axis, **given)
        for k, (offset, axis) in enumerate(zip(offsets, leg().axes, strict=False))
    ]
    tip = URDFLink("tip", origin_translation=offsets[-1], joint_type="fixed", **given)
    chain = Chain([OriginLink(), *hinges, tip], active_links_mask=[False, *[True] * len(hinges), False])
    start = np.array([0.0, *[START_RADIANS] * len(hinges), 0.0])

    def solve(pose: Array) -> Array:
        return chain.inverse_kinematics(pose[:3, 3], pose[:3, 2], orientation_mode="Z", initial_position=start)

    return np.array, solve, lambda found: leg().tip(found[1:-1])


def pytorch_kinematics_leg() -> Solver:
    """Damped least squares on torch tensors; one start, its own tolerances (1 mm, 0.01 rad)."""
    import pytorch_kinematics as kinematics  # pyright: ignore[reportMissingImports]
    import torch  # pyright: ignore[reportMissingImports]

    chain = kinematics.build_serial_chain_from_urdf(leg().urdf(), "tip").to(dtype=torch.float64)
    start = torch.full((1, len(leg().axes)), START_RADIANS, dtype=torch.float64)
    solver = kinematics.PseudoInverseIK(chain, retry_configs=start, enforce_joint_limits=False)

    def prepare(pose: Array) -> Any:
        return kinematics.Transform3d(matrix=torch.from_numpy(pose)[None], dtype=torch.float64)

    return prepare, solver.solve, lambda found: leg().tip(found.solutions[0, 0].tolist())


def robotics_toolbox_leg() -> Solver:
    """Levenberg-Marquardt in C++."""
    from roboticstoolbox import ET, ETS  # pyright: ignore[reportMissingImports]

    parts = []
    for axis, link in zip(leg().axes, leg().links, strict=True):
        parts.append((ET.Rx, ET.Ry, ET.Rz)[int(axis.argmax())]())
        parts += [move(float(part)) for move, part in zip((ET.tx, ET.ty, ET.tz), link, strict=True) if part]
    chain, start, mask = ETS(parts), np.full(len(leg().axes), START_RADIANS), np.ones(6)
    return np.ascontiguousarray, lambda pose: chain.ik_LM(pose, q0=start, mask=mask), lambda found: leg().tip(found[0])


LEGS: dict[str, Callable[[], Solver]] = {
    "eaik": eaik_leg,
    "roboticstoolbox-python": robotics_toolbox_leg,
    "ikpy": ikpy_leg,
    "pytorch-kinematics": pytorch_kinematics_leg,
}


def leg_rows(effort: Effort) -> list[Row]:
    """A leg, one pose at a time, the same poses for every package; the largest distance of a tip from its target."""
    solvers = {f"limbik, {answer}": limbik_leg(answer) for answer in ("joints", "angles")}
    solvers |= {name: solver() for name, solver in LEGS.items() if installed(name)}
    works: dict[str, Work] = {}
    counts, misses = {}, {}
    with quiet():
        for name, (prepare, solve, tip) in solvers.items():
            given = [prepare(pose) for pose in leg().poses]
            tips = np.array([tip(solve(one)) for one in given])
            misses[name] = float(np.linalg.norm(tips - leg().poses[:, :3, 3], axis=1).max())
            once = round_robin({"": lambda solve=solve, given=given: solve(given[0])}, Effort(0.0, 1))[""]["best"]
            some = given[: max(MIN_POSES, min(len(given), int(SLOW_SECONDS / once)))]
            works[name], counts[name] = (lambda solve=solve, some=some: [solve(one) for one in some]), len(some)
        timed = round_robin(works, effort)
    return [_row("leg, one pose", name, counts[name], found, misses[name]) for name, found in timed.items()]


def _row(task: str, name: str, poses: int, seconds: dict[str, float], miss: float) -> Row:
    release = limbik.__version__ if name.startswith("limbik") else installed(name)
    times = {"best": duration(seconds["best"] / poses), "median": duration(seconds["median"] / poses)}
    of_a_core = {"of a core": duration(seconds["cpu"] / poses), "worst miss, m": f"{miss:.1e}"}
    return {"task": task, "package": f"{name} {release}", **times, **of_a_core}


# --- every answer for an arm: functions of a pose and of a batch that return what is timed, and the angles in an answer

ArmSolver = tuple[Callable[[Array], Work], Callable[[Array], Work] | None, Callable[[Any, int | None], Array]]


def limbik_arm() -> ArmSolver:
    """`branches` of the arm, as it stands in its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_text(arm().urdf())
        solver = limbik.Robot.load(path).limb("tip")

    def work(poses: Array) -> Work:
        position, rotation = poses[..., :3, 3].copy(), limbik.rotations.from_matrices(poses[..., :3, :3])
        with limbik.warm_up():
            _ = solver.branches(position, rotation).angles
        return lambda: solver.branches(position, rotation)

    def answers(found: Any, row: int | None) -> Array:
        angles, reached = found.angles, found.reached
        return angles[reached] if row is None else angles[:, row][reached[:, row]]

    return work, work, answers


def eaik_arm() -> ArmSolver:
    """One pose by `IK`, a batch by `IK_batched`."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(arm().axes, np.vstack([np.zeros(3), arm().links]))

    def one(pose: Array) -> Work:
        given = np.asfortranarray(pose)
        return lambda: robot.IK(given)

    def answers(found: Any, row: int | None) -> Array:
        solution = found if row is None else found[row]
        return np.array(solution.Q)[~np.array(solution.is_LS, bool)]  # without those that are only near

    return one, lambda poses: lambda: robot.IK_batched(poses), answers


def jaik_arm() -> ArmSolver:
    """Its own UR5e on Numba; in a batch, spread over the cores."""
    import jaik  # pyright: ignore[reportMissingImports]
    from numba import njit, prange

    _, solve, _ = jaik.make_robot("ur5e", solver="numba")

    @njit(parallel=True)
    def run(rotations: Any, positions: Any, out: Any) -> Any:
        for row in prange(len(out)):
            out[row] = solve(rotations[row], positions[row])[0]
        return out

    def one(pose: Array) -> Work:
        rotation, position = np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy()
        return lambda: solve(rotation, position)[0]

    def many(poses: Array) -> Work:
        rotations, positions = np.ascontiguousarray(poses[:, :3, :3]), poses[:, :3, 3].copy()
        out = np.empty((len(poses), 6, 8))
        return lambda: run(rotations, positions, out)

    def answers(found: Any, row: int | None) -> Array:
        angles = (found if row is None else found[row]).T
        return angles[np.isfinite(angles).all(axis=1)]

    return one, many, answers


def ssik_arm() -> ArmSolver:
    """Its own UR5e, each answer once; its frames are those of ROS: a half turn about z, and a quarter about x."""
    from ssik.prebuilt import ur5e_ik  # pyright: ignore[reportMissingImports]

    base, tip = np.diag([-1.0, -1.0, 1.0, 1.0]), np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])

    def one(pose: Array) -> Work:
        given = np.ascontiguousarray(base @ pose @ tip)
        return lambda: ur5e_ik.solve(given, enumerate_windings=False)

    return one, None, lambda found, row: np.array([solution.q for solution in found])


ARMS: dict[str, Callable[[], ArmSolver]] = {"eaik": eaik_arm, "jaik": jaik_arm, "ssik": ssik_arm}


def arm_rows(effort: Effort, batch: int = ARM_BATCH) -> list[Row]:
    """Every answer for a robot arm, one pose at a time and in a batch."""
    with quiet():
        solvers = {"limbik": limbik_arm(), **{name: solver() for name, solver in ARMS.items() if installed(name)}}
        poses = np.resize(arm().poses, (batch, 4, 4))
        single = {name: one(poses[0]) for name, (one, _, _) in solvers.items()}
        batches = {name: many(poses) for name, (_, many, _) in solvers.items() if many}
        misses = {name: _worst_miss(solver) for name, solver in solvers.items()}
        timed = {("UR5e, one pose", 1): round_robin(single, effort)}
        timed[f"UR5e, a pose of a batch of {batch:,}", batch] = round_robin(batches, effort)
    return [
        _row(task, name, poses, seconds, misses[name])
        for (task, poses), found in timed.items()
        for name, seconds in found.items()
    ]


def _worst_miss(solver: ArmSolver) -> float:
    """The largest distance of a tip from its target over all answers, one pose at a time and in a batch, metres."""
    one, many, answers = solver
    poses, worst = arm().poses[:JUDGED_ROWS], 0.0
    together = many(poses)() if many else None
    for row, pose in enumerate(poses):
        found = [answers(one(pose)(), None)] + ([] if together is None else [answers(together, row)])
        for angles in found:
            tips = [arm().tip(one) for one in angles]
            worst = max(worst, *np.linalg.norm(np.array(tips) - pose[:3, 3], axis=1)) if tips else float("inf")
    return worst


# --- files of motion


def load_by_pybvh(path: Path) -> object:
    """The joints' positions and quaternions, which is what a clip holds."""
    from pybvh import read_bvh_file  # pyright: ignore[reportMissingImports]

    return read_bvh_file(path).to_quat()


def load_by_pygltflib(path: Path) -> object:
    """The document; the numbers of meshes and animations stay bytes."""
    from pygltflib import GLTF2  # pyright: ignore[reportMissingImports]

    return GLTF2().load(path)


READERS = {".bvh": ("pybvh", load_by_pybvh), ".glb": ("pygltflib", load_by_pygltflib)}
