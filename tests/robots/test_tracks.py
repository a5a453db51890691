"""Tracks of robot limbs: still targets, smooth paths, bounds on steps, targets that cannot be followed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import Status
from limbik.robots.robot_limb import RobotLimb
from tests.assets import asset
from tests.robots.random_chains import Array, forward, random_chain
from tests.robots.robot_files import menagerie
from tests.thoroughness import THOROUGH

ARMS = {
    "UR5e": ("universal_robots_ur5e/ur5e.xml", "wrist_3_link", None),
    "Panda": ("franka_emika_panda/panda.xml", "hand", None),
    "iiwa": ("kuka_iiwa_14/iiwa14.xml", "link7", None),
    "G1 arm": ("unitree_g1/g1.xml", "left_wrist_yaw_link", "torso_link"),
    "G1 leg": ("unitree_g1/g1.xml", "left_ankle_roll_link", "pelvis"),
}
FRAMES, PATHS = 200, 8 if THOROUGH else 2


def arm(name: str) -> RobotLimb:
    path, tip, base = ARMS[name]
    return limbik.Robot.load(menagerie(path)).limb(tip, base)


def targets(limb: RobotLimb, angles: Array) -> tuple[Array, Array]:
    position, rotation = forward(limb.chain, angles)
    return position, rotation.as_quat()


def smooth_path(limb: RobotLimb, seed: int) -> Array:
    """Angles (FRAMES, n) along a wave within 60 % of the joints' ranges, at most 0.03 rad a frame."""
    random = np.random.default_rng(seed)
    lower, upper = np.maximum(limb.lower, -np.pi), np.minimum(limb.upper, np.pi)
    phase, speed = random.uniform(0, 2 * np.pi, (2, len(limb.joints)))
    wave = 0.5 * (lower + upper) + 0.3 * (upper - lower) * np.sin(
        np.linspace(0, 1, FRAMES)[:, None] * (1 + 0.5 * speed) + phase
    )
    return wave[0] + (wave - wave[0]) * min(1.0, 0.03 / np.abs(np.diff(wave, axis=0)).max())


def largest_step(angles: Array) -> float:
    return float(np.abs(np.diff(angles, axis=0)).max())


@pytest.mark.parametrize("name", ARMS)
def test_a_still_target_moves_no_joint(name: str) -> None:
    limb = arm(name)
    for angles in (smooth_path(limb, seed)[0] for seed in range(PATHS)):
        position, rotation = targets(limb, np.repeat(angles[None], 300, axis=0))
        for previous in (None, angles):
            track = limb.track(position, rotation, previous=previous)
            assert (track.status == Status.REACHED).all() and largest_step(track.angles) == 0.0


@pytest.mark.parametrize("name", ARMS)
def test_smooth_paths_are_followed_by_small_steps(name: str) -> None:
    limb = arm(name)
    for seed in range(100, 100 + PATHS):
        path = smooth_path(limb, seed)
        position, rotation = targets(limb, path)
        for previous in (None, path[0]):
            track = limb.track(position, rotation, previous=previous)
            assert (track.status == Status.REACHED).all() and not track.held.any()
            assert ((track.angles >= limb.lower) & (track.angles <= limb.upper)).all()
            there, turned = forward(limb.chain, track.angles)
            assert np.abs(there - position).max() < 1e-9
            assert (turned * Rotation.from_quat(rotation).inv()).magnitude().max() < 1e-8
            assert largest_step(track.angles) <= 3 * largest_step(path)


@pytest.mark.parametrize("name", ARMS)
def test_noise_of_a_micrometre_stays_small_where_limbs_are_singular(name: str) -> None:
    limb, random = arm(name), np.random.default_rng(0)
    angles = np.clip(np.zeros(len(limb.joints)), limb.lower, limb.upper)  # stretched, with aligned axes
    position, rotation = targets(limb, np.repeat(angles[None], 60, axis=0))
    position += random.normal(size=position.shape) * 1e-6
    assert largest_step(limb.track(position, rotation, previous=angles).angles) < 1e-3


@pytest.mark.parametrize("name", ["UR5e", "iiwa"])
def test_joints_move_by_max_step_at_most_and_say_that_they_lag(name: str) -> None:
    limb = arm(name)
    path = smooth_path(limb, 1)
    position, rotation = targets(limb, path)
    bound = 0.5 * largest_step(path)
    stays = 3 * FRAMES
    position = np.concatenate([position, np.repeat(position[-1:], stays, axis=0)])
    rotation = np.concatenate([rotation, np.repeat(rotation[-1:], stays, axis=0)])
    track = limb.track(position, rotation, previous=path[0], max_step=bound)
    assert largest_step(track.angles) <= bound * (1 + 1e-12)
    assert track.held[: len(path)].any() and (track.residual[track.held] > 1e-9).any()
    assert track.status[-1] == Status.REACHED and not track.held[-1]


def test_velocity_limits_of_the_file_bound_the_steps_of_a_track() -> None:
    chain = random_chain("three parallel, last two meet", 1, squared=True)
    limb = RobotLimb(chain.__class__(**{**chain.__dict__, "max_velocity": np.full(6, 0.6)}))
    path = np.linspace(0.0, 1.0, 50)[:, None] * np.full(6, 1.0) + 0.2
    track = limb.track(*targets(limb, path), previous=path[0], fps=50)
    assert largest_step(track.angles) <= 0.6 / 50 * (1 + 1e-12)
    assert track.held.any()


def test_a_leg_follows_a_recorded_walk_beyond_its_ankle_without_jumps() -> None:
    limb, clip = arm("G1 leg"), limbik.load(asset("bvh/cmu_16_15.bvh"))
    hip, knee, ankle = limbik.find_limbs(clip.skeleton)["left_leg"].joints
    positions, rotations = clip.world()
    pelvis = Rotation.from_quat(rotations[1:, 0]).inv()
    thigh, shin = (np.linalg.norm(positions[1, a] - positions[1, b]) for a, b in ((hip, knee), (knee, ankle)))
    axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # from y up and z ahead to z up and x ahead
    foot = pelvis * Rotation.from_quat(rotations[1:, ankle])
    turn = Rotation.from_matrix(axes @ (foot * foot.mean().inv()).as_matrix() @ axes.T)
    place, straight = limb.forward(np.zeros(6))
    reach = 0.61  # of the robot's leg from hip to ankle, metres
    way = (
        place
        + [0, 0, reach]
        + pelvis.apply(positions[1:, ankle] - positions[1:, hip]) @ axes.T * reach / (thigh + shin)
    )
    tilt = Rotation.from_euler("y", 0.7)
    track = limb.track(way, (turn * tilt * Rotation.from_quat(straight)).as_quat())
    assert 0.1 < track.reached.mean() < 0.95
    assert np.array_equal(track.held, track.status != Status.REACHED)
    assert largest_step(track.angles) <= 0.3
    assert track.within_limits.all()


def test_targets_that_are_not_finite_are_invalid_alone_and_the_limb_waits() -> None:
    limb = arm("UR5e")
    path = smooth_path(limb, 3)[:30]
    position, rotation = targets(limb, path)
    position[10:13] = np.nan
    track = limb.track(position, rotation, previous=path[0])
    assert (track.status == np.where(np.isnan(position[:, 0]), Status.INVALID, Status.REACHED)).all()
    assert np.isnan(track.angles[10:13]).all() and np.abs(track.angles[13] - track.angles[9]).max() < 0.3


@pytest.mark.parametrize("name", ["UR5e", "G1 leg", "iiwa"])
def test_limbs_of_a_batch_are_tracked_as_each_alone(name: str) -> None:
    limb = arm(name)
    paths = np.stack([smooth_path(limb, seed)[:20] for seed in (5, 6)], axis=1)
    position, rotation = targets(limb, paths.reshape(-1, paths.shape[-1]))
    position, rotation = position.reshape(20, 2, 3), rotation.reshape(20, 2, 4)
    both = limb.track(position, rotation, previous=paths[0])
    for k in range(2):
        alone = limb.track(position[:, k], rotation[:, k], previous=paths[0, k])
        np.testing.assert_allclose(both.angles[:, k], alone.angles, atol=1e-9)
