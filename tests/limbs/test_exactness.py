"""Reachable targets are reached: tip, up vector, link lengths, planes and bends, on every engine and number type."""

import zlib

import mpmath
import numpy as np
import pytest

import limbik
from limbik import Status
from tests import reference
from tests.limbs.engines_under_test import DTYPES, ENGINES, SHAPES, run

EVERY = [(engine, dtype) for engine in ENGINES for dtype in DTYPES]
# How far along its range a chord lies: everywhere, and hard against full stretch and full fold.
EXTENTS = (None, 1.0, 1 - 1e-15, 1 - 1e-9, 1 - 1e-4, 0.0, 1e-15, 1e-9, 1e-4)


def chords(rng, first, second, shape, extent):
    """Distances that two links can span."""
    low, high = np.abs(first - second), first + second
    part = rng.uniform(0, 1, shape) if extent is None else np.full(shape, extent)
    return low + part * (high - low)


def legs(rng, shape, extent):
    """Lengths, targets and ups of random legs whose ankle is at a given extent."""
    lengths = rng.uniform(0.2, 2, (3,))
    up = reference.random_directions(rng, *shape)
    ankle = reference.random_directions(rng, *shape) * chords(rng, *lengths[:2], shape, extent)[..., None]
    origin = rng.uniform(-1, 1, (*shape, 3))
    return lengths, origin + ankle + lengths[2] * up, up, origin


@pytest.mark.parametrize("shape", [*SHAPES, (40,)])
@pytest.mark.parametrize("extent", EXTENTS)
@pytest.mark.parametrize(("engine", "dtype"), EVERY)
@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("style", ["natural", "easy"])
def test_leg_reaches(engine, dtype, shape, extent, bend, style):
    rng = np.random.default_rng(zlib.crc32(repr((shape, extent, bend)).encode()))
    lengths, target, up, origin = legs(rng, shape, extent)
    leg = limbik.ThreeLink(*lengths)
    arrays = {"target": target, "up": up, "origin": origin}
    s = run(engine, leg.solve, dtype, arrays, bend=bend, style=style)
    near = reference.TOLERANCE[dtype] * (leg.reach + 2)  # coordinates go up to reach + |origin|
    joints = np.asarray(s.joints, float)
    assert joints.shape == (*shape, 4, 3)
    assert s.angles.shape == (*shape, 5)
    assert s.rotations.shape == (*shape, 3, 4)
    if 0 in shape:
        return
    assert s.joints.dtype == s.angles.dtype == s.rotations.dtype == dtype
    if dtype == "float64":
        assert np.all(np.asarray(s.status) == Status.REACHED)
    assert np.abs(joints[..., 3, :] - target).max() < near
    assert np.abs(joints[..., 0, :] - origin).max() < near
    assert np.abs(reference.link_lengths(joints) - lengths).max() < near
    assert np.abs((joints[..., 3, :] - joints[..., 2, :]) / lengths[2] - up).max() < 4 * near / lengths[2]
    check_rotations(s, lengths, up, near)
    check_plane(joints, up, bend, style, near)
    lean = np.asarray(s.out_of_plane, float)
    rebuilt = reference.chain_joints(lengths, s.angles, origin, lean=lean)
    assert np.abs(rebuilt - joints).max() < 2 * near
    assert np.abs(leg.forward(np.asarray(s.angles, float), origin, out_of_plane=lean) - joints).max() < 2 * near
    if style == "natural":
        assert not np.any(lean)


def check_rotations(s, lengths, up, near):
    """Rotations take +z along the links and +x to a hinge perpendicular to the first two."""
    joints = np.asarray(s.joints, float)
    ahead = reference.turn(s.rotations, [0, 0, 1.0])
    for k, length in enumerate(lengths):
        assert np.abs(ahead[..., k, :] * length - (joints[..., k + 1, :] - joints[..., k, :])).max() < 2 * near
    assert np.abs(ahead[..., 2, :] - up).max() < 4 * near
    assert np.abs(np.linalg.norm(s.rotations, axis=-1) - 1).max() < 4 * near
    hinge = reference.turn(s.rotations, [1.0, 0, 0])
    assert np.abs(hinge[..., 0, :] - hinge[..., 1, :]).max() < 8 * near


def check_plane(joints, up, bend, style, near):
    """Natural limbs lie in one plane with `up`; the knee is on the side that the bend says."""
    ankle = joints[..., 2, :] - joints[..., 0, :]
    knee = joints[..., 1, :] - joints[..., 0, :]
    if style == "natural":
        volume = np.abs(np.sum(np.cross(knee, ankle) * up, -1))
        assert volume.max() < 8 * near * (1 + np.abs(ankle).max())
    wish = up if style == "natural" else np.broadcast_to([0.0, 1.0, 0.0], up.shape)
    aim = ankle / np.maximum(np.linalg.norm(ankle, axis=-1, keepdims=True), 1e-30)
    side = wish - np.sum(wish * aim, -1, keepdims=True) * aim
    clear = (np.linalg.norm(side, axis=-1) > 1e-2) & (np.linalg.norm(ankle, axis=-1) > 1e-3)
    assert np.all(bend * np.sum(knee * side, -1)[clear] > -4 * near)


@pytest.mark.parametrize("shape", [*SHAPES, (40,)])
@pytest.mark.parametrize("extent", EXTENTS)
@pytest.mark.parametrize(("engine", "dtype"), EVERY)
def test_arm_reaches(engine, dtype, shape, extent):
    rng = np.random.default_rng(zlib.crc32(repr((shape, extent)).encode()))
    lengths = rng.uniform(0.2, 2, (2,))
    origin = rng.uniform(-1, 1, (*shape, 3))
    aim = reference.random_directions(rng, *shape)
    target = origin + aim * chords(rng, *lengths, shape, extent)[..., None]
    pole = rng.normal(size=(*shape, 3))
    limb = limbik.TwoLink(*lengths)
    s = run(engine, limb.solve, dtype, {"target": target, "pole": pole, "origin": origin})
    near = reference.TOLERANCE[dtype] * (limb.reach + 2)
    joints = np.asarray(s.joints, float)
    assert joints.shape == (*shape, 3, 3)
    assert s.rotations.shape == (*shape, 2, 4)
    if 0 in shape:
        return
    assert s.joints.dtype == dtype
    assert np.abs(joints[..., 2, :] - target).max() < near
    assert np.abs(reference.link_lengths(joints) - lengths).max() < near
    assert np.abs(reference.chain_joints(lengths, s.angles, origin) - joints).max() < 2 * near
    ahead = reference.turn(s.rotations, [0, 0, 1.0])
    assert np.abs(ahead * lengths[:, None] - np.diff(joints, axis=-2)).max() < 2 * near
    elbow = joints[..., 1, :] - joints[..., 0, :]
    side = pole - np.sum(pole * aim, -1, keepdims=True) * aim
    assert np.all(np.sum(elbow * side, -1) > -8 * near * (1 + np.abs(pole).max()))
    assert np.abs(np.sum(np.cross(elbow, aim) * pole, -1)).max() < 16 * near * (1 + np.abs(pole).max())


@pytest.mark.parametrize("shape", [*SHAPES, (40,)])
@pytest.mark.parametrize("extent", EXTENTS)
@pytest.mark.parametrize(("engine", "dtype"), EVERY)
@pytest.mark.parametrize("bend", [1, -1])
def test_planar_arm_reaches(engine, dtype, shape, extent, bend):
    rng = np.random.default_rng(zlib.crc32(repr((shape, extent, bend)).encode()))
    lengths = rng.uniform(0.2, 2, (2,))
    origin = rng.uniform(-1, 1, (*shape, 2))
    heading = rng.uniform(-np.pi, np.pi, shape)
    aim = np.stack([np.cos(heading), np.sin(heading)], -1)
    target = origin + aim * chords(rng, *lengths, shape, extent)[..., None]
    arm = limbik.PlanarTwoLink(*lengths)
    s = run(engine, arm.solve, dtype, {"target": target, "origin": origin}, bend=bend)
    near = reference.TOLERANCE[dtype] * (arm.reach + 2)
    joints = np.asarray(s.joints, float)
    assert joints.shape == (*shape, 3, 2)
    if 0 in shape:
        return
    assert s.joints.dtype == s.angles.dtype == dtype
    assert np.abs(joints[..., 2, :] - target).max() < near
    assert np.abs(reference.link_lengths(joints) - lengths).max() < near
    assert np.abs(reference.planar_joints(lengths, s.angles, origin) - joints).max() < 2 * near
    elbow = joints[..., 1, :] - origin
    left = aim[..., 0] * elbow[..., 1] - aim[..., 1] * elbow[..., 0]
    assert np.all(bend * left > -4 * near)


@pytest.mark.parametrize("lack", [1e-3, 1e-8, 1e-14, 0.0])
@pytest.mark.parametrize("end", ["stretch", "fold"])
def test_elbow_agrees_with_fifty_digits(lack, end):
    """The elbow itself, against mpmath: where the problem is ill-conditioned the error stays that of the input."""
    mpmath.mp.dps = 50
    first, second = 0.5, 0.4
    d = (first + second) * (1 - lack) if end == "stretch" else (first - second) * (1 + lack)
    s = limbik.PlanarTwoLink(first, second).solve([d, 0.0])
    a, b, c = mpmath.mpf(first), mpmath.mpf(second), mpmath.mpf(d)
    total = a + b
    c = min(max(c, abs(a - b)), total)
    x = (c**2 + a**2 - b**2) / (2 * c)
    y = mpmath.sqrt(max(a**2 - x**2, 0))
    # An error of one rounding in d moves the elbow by eps · dy/dd = eps · x·dx/dd / y.
    ill = 4e-16 * (1 + float(1 / max(y, mpmath.mpf(2e-8))))
    assert abs(s.joints[1, 0] - float(x)) < 1e-15 + ill
    assert abs(s.joints[1, 1] - float(y)) < max(ill, 4e-8 if lack < 1e-14 else 0)


def test_many_limbs_of_different_sizes_in_one_call():
    rng = np.random.default_rng(5)
    lengths = rng.uniform(0.1, 3, (3, 500))
    up = reference.random_directions(rng, 500)
    part = rng.uniform(0, 1, 500)
    d = np.abs(lengths[0] - lengths[1]) * (1 - part) + (lengths[0] + lengths[1]) * part
    target = reference.random_directions(rng, 500) * d[:, None] + lengths[2][:, None] * up
    leg = limbik.ThreeLink(*lengths)
    s = leg.solve(target, up)
    assert np.abs(reference.link_lengths(s.joints) - lengths.T).max() < 1e-12
    assert np.abs(s.joints[:, 3] - target).max() < 1e-12
    assert np.abs(leg.forward(s.angles) - s.joints).max() < 1e-12


def test_shapes_broadcast_against_one_another():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target = np.random.default_rng(0).normal(size=(5, 1, 3)) * 0.3
    up = np.random.default_rng(1).normal(size=(4, 3))
    s = leg.solve(target, up, origin=(0.1, 0, 0), bend=np.array([[1.0], [-1], [1], [-1], [1]]))
    assert s.joints.shape == (5, 4, 4, 3)
    one = leg.solve(target[3, 0], up[2], origin=(0.1, 0, 0), bend=-1)
    assert np.array_equal(s.joints[3, 2], one.joints)
