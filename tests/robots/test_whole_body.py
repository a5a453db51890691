"""Whole robots: several ends at once, judged by the robot's own forward kinematics and by SciPy's optimiser."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from limbik import Robot, Status
from limbik.errors import ArgumentError, LimbikError, ShapeError
from limbik.robots import Trajectory
from tests.robots.robot_files import menagerie
from tests.robots.small_robots import MJCF, URDF, write

Array = np.ndarray[Any, Any]
FEET = ("left_ankle_roll_link", "right_ankle_roll_link")
HANDS = ("left_wrist_yaw_link", "right_wrist_yaw_link")
SETS = {
    "everything": ("pelvis", "torso_link", *FEET, *HANDS),
    "pelvis, feet and hands": ("pelvis", *FEET, *HANDS),
    "feet and hands": (*FEET, *HANDS),
    "feet, a hand and the torso": (*FEET, HANDS[0], "torso_link"),
    "a foot and a hand": (FEET[0], HANDS[1]),
}


@pytest.fixture(scope="module")
def g1() -> Robot:
    return Robot.load(menagerie("unitree_g1/g1.xml"))


def limits(robot: Robot) -> tuple[Array, Array]:
    lower, upper = (np.array([getattr(joint, side) for joint in robot.joints]) for side in ("lower", "upper"))
    return lower, upper


def random_poses(robot: Robot, count: int, seed: int) -> tuple[Array, Array, Array]:
    """Angles within limits, and the base anywhere."""
    random = np.random.default_rng(seed)
    lower, upper = limits(robot)
    angles = random.uniform(np.maximum(lower, -np.pi), np.minimum(upper, np.pi), (count, len(lower)))
    return angles, random.normal(size=(count, 3)), Rotation.random(count, random_state=seed).as_quat()


def targets_of(robot: Robot, names: tuple[str, ...], angles: Array, position: Array, rotation: Array) -> dict[str, Any]:
    """Where links are, by the robot's own forward kinematics."""
    places, turns = robot.forward(angles, position=position, rotation=rotation)
    numbers = {name: robot.links.index(name) for name in names}
    return {name: (places[..., k, :], turns[..., k, :]) for name, k in numbers.items()}


def worst_miss(robot: Robot, solution: Any, targets: dict[str, Any]) -> float:
    """Metres or radians by which any target is missed, by `Robot.forward` and SciPy's rotations."""
    found = robot.forward(solution.joint_values, position=solution.position, rotation=solution.rotation)
    worst = 0.0
    for name, (place, turn) in targets.items():
        k = robot.links.index(name)
        worst = max(worst, float(np.abs(found.positions[..., k, :] - place).max()))
        between = Rotation.from_quat(turn).inv() * Rotation.from_quat(found.rotations[..., k, :])
        worst = max(worst, float(np.max(between.magnitude())))
    return worst


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
def test_poses_that_the_robot_can_take_are_reached(g1, names):
    targets = targets_of(g1, names, *random_poses(g1, 40, 1))
    solution = g1.reach(targets)
    assert solution.reached.all(), solution
    assert worst_miss(g1, solution, targets) < 1e-9
    lower, upper = limits(g1)
    assert np.all(solution.angles >= lower) and np.all(solution.angles <= upper)
    assert all(
        residual.max() < 1e-9 for residual in (*solution.residual.values(), *solution.rotation_residual.values())
    )


def by_scipy(robot: Robot, targets: dict[str, Any], start: Array, weights: dict[str, float] | None = None) -> Any:
    """The base and the angles by which SciPy comes nearest to targets, from a start within limits."""
    lower, upper = limits(robot)

    def errors(x: Array) -> Array:
        rotation = Rotation.from_rotvec(x[3:6])
        places, turns = robot.forward(x[6:], position=x[:3], rotation=rotation.as_quat())
        parts = []
        for name, (place, turn) in targets.items():
            k, weight = robot.links.index(name), (weights or {}).get(name, 1.0)
            parts.append(weight * (places[k] - place))
            if turn is not None:
                parts.append(weight * (Rotation.from_quat(turn) * Rotation.from_quat(turns[k]).inv()).as_rotvec())
        return np.concatenate(parts)

    bounds = np.r_[[-np.inf] * 6, lower], np.r_[[np.inf] * 6, upper]
    inside = np.r_[start[:6], np.clip(start[6:], lower + 1e-3, upper - 1e-3)]
    return least_squares(errors, inside, bounds=bounds, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=200)


def standing(robot: Robot) -> tuple[dict[str, Any], Array]:
    """Where feet, hands and pelvis of the standing G1 are, and SciPy's unknowns there."""
    angles = np.array([robot.poses["stand"][joint.name] for joint in robot.joints])
    places = robot.forward(angles)
    pelvis = places.positions[robot.links.index("pelvis")]
    names = ("pelvis", *FEET, *HANDS)
    return targets_of(robot, names, angles, pelvis, np.array([0.0, 0, 0, 1])), np.r_[pelvis, 0, 0, 0, angles]


def squat(targets: dict[str, Any], depth: float) -> dict[str, Any]:
    down = np.array([0.0, 0.0, -depth])
    return {name: (p if name in FEET else p + down, q) for name, (p, q) in targets.items()}


def step(targets: dict[str, Any]) -> dict[str, Any]:
    moves = {FEET[0]: (0.25, 0.0, 0.06), "pelvis": (0.1, -0.02, -0.06), HANDS[0]: (0.05, 0.0, -0.05)}
    return {name: (p + moves.get(name, (0.0, 0.0, -0.05 * (name in HANDS))), q) for name, (p, q) in targets.items()}


def stretch(targets: dict[str, Any]) -> dict[str, Any]:
    ahead = {HANDS[0]: (0.3, 0.0, -0.1), HANDS[1]: (0.3, 0.05, 0.1), "pelvis": (0.02, 0.0, -0.1)}
    return {name: (p + ahead.get(name, 0.0), None if name in HANDS else q) for name, (p, q) in targets.items()}


MOTIONS = {"squat": lambda targets: squat(targets, 0.15), "step": step, "reach": stretch}


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)
def test_what_an_optimiser_meets_is_met(g1, motion):
    there, start = standing(g1)
    targets = motion(there)
    bent = {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3}
    start[6:] += [sum(value for part, value in bent.items() if part in joint.name) for joint in g1.joints]
    assert np.abs(by_scipy(g1, targets, start).fun).max() < 1e-8
    solution = g1.reach(targets)
    assert solution.reached
    assert worst_miss(g1, solution, {k: v for k, v in targets.items() if v[1] is not None}) < 1e-9


def test_targets_out_of_reach_say_so_and_are_come_near(g1):
    there, start = standing(g1)
    far = there[HANDS[0]][0] + (2.0, 0.0, 0.3)
    targets = {name: there[name] for name in FEET} | {HANDS[0]: (far, None)}
    solution = g1.reach(targets)
    assert [int(solution.status[name]) for name in targets] == [Status.REACHED, Status.REACHED, Status.TOO_FAR]
    assert not solution.reached and solution.residual[FEET[0]] < 1e-9
    best = by_scipy(g1, targets, start, dict.fromkeys(FEET, 1e3))
    assert solution.residual[HANDS[0]] < 1.05 * np.linalg.norm(best.fun[-3:])
    assert "TOO_FAR" in repr(solution) and HANDS[0] in repr(solution)


def test_ends_go_by_their_roles(g1):
    answers = [g1.reach({name: (0.2, 0.3, 0.2)}) for name in ("left_foot", "left_leg")]
    assert np.array_equal(answers[0].angles, answers[1].angles)
    chest = g1.reach({"chest": (None, Rotation.from_euler("z", 0.4).as_quat())})
    turned = chest.forward().rotations[g1.links.index("torso_link")]
    assert np.allclose(turned, Rotation.from_euler("z", 0.4).as_quat(), atol=1e-12)


def test_an_answer_stays_what_it_is(g1):
    there, _ = standing(g1)
    first = g1.reach(squat(there, 0.1))
    again = g1.reach(squat(there, 0.1), first)
    assert np.allclose(again.angles, first.angles, atol=1e-9)
    named = g1.reach(squat(there, 0.1), first.joint_values, position=first.position, rotation=first.rotation)
    assert np.allclose(named.angles, first.angles, atol=1e-9)


def test_a_batch_is_its_rows_and_nan_is_invalid_in_its_row_alone(g1):
    targets = targets_of(g1, SETS["pelvis, feet and hands"], *random_poses(g1, 6, 2))
    targets[HANDS[0]][0][2] = np.nan
    every = g1.reach({name: (p.reshape(2, 3, 3), q.reshape(2, 3, 4)) for name, (p, q) in targets.items()})
    assert every.shape == (2, 3) and every.angles.shape == (2, 3, len(g1.joints))
    for k in range(6):
        one = g1.reach({name: (p[k], q[k]) for name, (p, q) in targets.items()})
        assert np.allclose(one.angles, every.angles.reshape(6, -1)[k], atol=1e-7, equal_nan=True)
    invalid = every.status["pelvis"] == Status.INVALID
    assert invalid.sum() == 1 and np.isnan(every.angles[0, 2]).all() and every.reached.sum() == 5


def test_a_track_of_a_squat_is_smooth(g1):
    there, _ = standing(g1)
    there = squat(there, 0.03)  # straight knees are singular
    depths = 0.07 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, 120)))
    moved = squat({name: (np.tile(p, (120, 1)), q) for name, (p, q) in there.items()}, 0.0)
    for name, (p, _) in moved.items():
        if name not in FEET:
            p[:, 2] -= depths
    steps = g1.track(moved)
    assert steps.is_track and steps.reached.all()
    assert np.abs(np.diff(steps.angles, axis=0)).max() < 0.04
    assert np.abs(np.diff(steps.angles, 2, axis=0)).max() < 0.004
    assert np.abs(steps.angles[-1] - steps.angles[0]).max() < 0.02
    halves = g1.track({name: (p[:60], q) for name, (p, q) in moved.items()})
    halves = [halves, g1.track({name: (p[60:], q) for name, (p, q) in moved.items()}, previous=halves)]
    assert np.allclose(np.concatenate([half.angles for half in halves]), steps.angles, atol=1e-9)


def test_a_track_holds_still_and_keeps_its_steps(g1):
    there, _ = standing(g1)
    still = {name: (np.tile(p, (5, 1)), q) for name, (p, q) in squat(there, 0.1).items()}
    held = g1.track(still)
    assert np.ptp(held.angles, axis=0).max() == 0.0
    jump = {
        name: (np.concatenate([p, p + (0.0, 0.0, -0.08 * (name not in FEET))]), q) for name, (p, q) in still.items()
    }
    slow = g1.track(jump, max_step=0.02)
    assert np.abs(np.diff(slow.angles, axis=0)).max() <= 0.02 + 1e-12
    assert slow[:5].reached.all() and not slow.reached[5] and slow[:5].is_track


def test_a_track_gets_times_from_limits(g1):
    there, _ = standing(g1)
    path = {name: (np.linspace(p, p - (0, 0, 0.1 * (name not in FEET)), 20), q) for name, (p, q) in there.items()}
    motion = Trajectory.in_shortest_time(g1.track(path), max_velocity=2.0, max_acceleration=10.0)
    assert motion.names == tuple(joint.name for joint in g1.joints)
    assert np.abs(motion.velocities).max() <= 2.0 and np.abs(motion.accelerations).max() <= 10.0


def test_a_robot_that_is_fixed_keeps_its_base():
    arm = Robot.load(menagerie("universal_robots_ur5e/ur5e.xml"))
    targets = targets_of(arm, ("wrist_3_link",), random_poses(arm, 20, 3)[0], None, None)  # type: ignore[arg-type]
    solution = arm.reach(targets)
    assert solution.reached.all() and not np.ptp(solution.position, axis=0).any()
    with pytest.raises(ArgumentError, match="free_base"):
        arm.reach({"pelvis": (0, 0, 0)})
    moved = arm.reach({"wrist_3_link": (5.0, 1.0, 0.5), "pelvis": (4.8, 1.0, 0.2)}, free_base=True)
    assert moved.reached and np.allclose(moved.position, (4.8, 1.0, 0.2))


def test_robots_with_slides_and_followers(tmp_path):
    legs = Robot.load(write(tmp_path, MJCF))
    angles, position, rotation = random_poses(legs, 20, 4)
    targets = targets_of(legs, ("left_shin", "right_shin"), 0.3 * angles, position, rotation)
    assert legs.reach(targets).reached.all()
    arm = Robot.load(write(tmp_path, URDF, "arm.urdf"))
    lower, upper = limits(arm)
    values = np.random.default_rng(5).uniform(np.maximum(lower, -1), np.minimum(upper, 1), (20, len(lower)))
    assert arm.reach(targets_of(arm, ("tool",), values, None, None)).reached.all()  # type: ignore[arg-type]


BAD = {
    "nothing": ({}, {}, "ends and their targets"),
    "no mapping": ([1, 2], {}, "ends and their targets"),
    "an unknown end": ({"left_food": (0, 0, 0)}, {}, "did you mean 'left_foot'.*'right_hand'.*'pelvis'"),
    "no name": ({3: (0, 0, 0)}, {}, "ends"),
    "twice": ({"left_foot": (0, 0, 0), "left_leg": (0, 0, 0)}, {}, "each end once"),
    "no target": ({"left_foot": None}, {}, "a position, a rotation, or both"),
    "no numbers": ({"left_foot": "here"}, {}, "real numbers"),
    "two numbers": ({"left_foot": [0.0, 1.0]}, {}, "a position"),
    "a short rotation": ({"left_foot": ((0, 0, 0), (0, 0, 1))}, {}, "a rotation"),
    "shapes": ({"left_foot": np.zeros((3, 3)), "right_foot": np.zeros((2, 3))}, {}, "broadcast"),
    "near": ({"left_foot": (0, 0, 0)}, {"near": [1.0, 2.0]}, "near"),
    "names near": ({"left_foot": (0, 0, 0)}, {"near": {"left_kne_joint": 1.0}}, "did you mean"),
    "a base": ({"left_foot": (0, 0, 0)}, {"position": (1, 2)}, "position"),
}


@pytest.mark.parametrize(("targets", "options", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_name(g1, targets, options, message):
    with pytest.raises(LimbikError, match=message):
        g1.reach(targets, **options)


def test_bad_tracks_are_refused(g1):
    path = {"left_foot": np.zeros((4, 3))}
    with pytest.raises(ShapeError, match="time"):
        g1.track({"left_foot": (0, 0, 0)})
    with pytest.raises(ArgumentError, match="max_step"):
        g1.track(path, max_step=0.0)
    with pytest.raises(ArgumentError, match="fps"):
        g1.track(path, fps=-1)
    with pytest.raises(LimbikError, match="broadcast"):
        g1.track({"left_foot": np.zeros((4, 3)), "right_foot": np.zeros((3, 3))})
