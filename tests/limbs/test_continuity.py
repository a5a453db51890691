"""Along a path nothing pops: swept through and beside every singularity, the bending plane turns no faster than 10° for
each degree that the target moves, no joint jumps, and the tip stays exact."""

import numpy as np
import pytest

import limbik
from limbik import Status
from limbik.engines import dispatch
from tests import reference
from tests.reference import angle_between
from tests.thoroughness import some

# How far the path passes from the singularity, in radians or metres.
BESIDE = some([0.0, 1e-15, 1e-9, 1e-4, 1e-2, 0.1], 2)


def sweep(start, stop, frames=721):
    return np.linspace(start, stop, frames)


def fan(axis, across, beside, angles):
    """Directions that sweep past `axis` at a distance, towards `across`."""
    axis, across = (np.asarray(v, float) / np.linalg.norm(v) for v in (axis, across))
    third = np.cross(axis, across)
    path = np.cos(angles)[:, None] * axis + np.sin(angles)[:, None] * across + beside * third
    return path / np.linalg.norm(path, axis=-1, keepdims=True)


def turning(s):
    """How far the bending plane turns in each step, radians, modulo half a turn."""
    hinge = reference.turn(s.rotations[:, 0], [1.0, 0, 0])
    angle = angle_between(hinge[:-1], hinge[1:])
    return np.minimum(angle, np.pi - angle)


def spin(s):
    """How far each link turns in each step, radians, twist included."""
    dots = np.abs(np.sum(s.rotations[:-1] * s.rotations[1:], -1))
    return 2 * np.arccos(np.clip(dots, 0, 1))


def check_tracked(s, target, origin, motion, lengths, speed):
    """`motion`: how far the target turned in each step; `speed`: how far joints may go for each unit of its step."""
    steps = np.linalg.norm(np.diff(target, axis=0), axis=-1)
    reached = np.asarray(s.reached)
    assert np.abs(s.joints[:, -1] - target)[reached].max(initial=0) < 1e-12
    assert np.abs(reference.link_lengths(s.joints) - lengths).max() < 1e-12
    assert np.all(np.degrees(turning(s)) <= 10 * np.degrees(motion) + 1e-6)
    moved = np.linalg.norm(np.diff(s.joints, axis=0), axis=-1).max(-1)
    # Straight and folded limbs move their middle joint with the root of the step.
    assert np.all(moved <= speed * (steps + motion) + 1.5 * np.sqrt(steps * sum(lengths)))
    assert spin(s).max() < 0.75


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("ankle", [(0.2, -0.6, 0.3), (0.0, -0.7, 0.0), (0.5, 0.0, 0.0)])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("bend", [1, -1])
def test_up_through_the_aim_axis(beside, ankle, sign, bend):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    up = fan(sign * np.array(ankle), (0.3, 0.2, 0.9), beside, sweep(-1.2, 1.2))
    target = np.array(ankle) + 0.12 * up
    s = leg.track(target, up, bend=bend)
    motion = angle_between(up[:-1], up[1:])
    check_tracked(s, target, (0, 0, 0), motion, leg.lengths, 10)
    assert np.abs(s.up_error).max() < 1e-12
    assert np.all(s.reached)
    # Well away from the singularity the plane is the natural one again.
    assert np.abs(s.out_of_plane[[0, -1]]).max() < 1e-9


@pytest.mark.parametrize("beside", BESIDE)
def test_target_swings_the_aim_through_up(beside):
    """The foot keeps its direction while the ankle swings under it."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    aim = fan((0, -1, 0), (0, 0, 1), beside, sweep(-1.0, 1.0))
    up = np.tile([0.0, -1.0, 0.0], (len(aim), 1))
    target = 0.7 * aim + 0.12 * up
    s = leg.track(target, up)
    check_tracked(s, target, (0, 0, 0), angle_between(aim[:-1], aim[1:]), leg.lengths, 10)
    assert np.all(s.reached)


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("moving", ["target", "pole"])
def test_pole_through_the_aim_axis(beside, moving):
    limb = limbik.TwoLink(0.45, 0.42)
    path = fan((0.2, 0.9, -0.1), (1, 0, 0.2), beside, sweep(-1.2, 1.2))
    still = np.tile(np.array([0.2, 0.9, -0.1]) / np.linalg.norm([0.2, 0.9, -0.1]), (len(path), 1))
    aim, pole = (path, still) if moving == "target" else (still, path)
    s = limb.track(0.6 * aim, pole)
    check_tracked(s, 0.6 * aim, (0, 0, 0), angle_between(path[:-1], path[1:]), limb.lengths, 10)
    assert np.all(s.reached)


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("lengths", [(0.45, 0.42), (0.4, 0.4), (0.5, 0.2)])
def test_target_through_the_origin(beside, lengths):
    """Through the too-near region and its centre, where the direction of the target reverses at once."""
    limb = limbik.TwoLink(*lengths)
    target = sweep(-0.5, 0.5, 20_001)[:, None] * np.array([0.6, 0.0, 0.8]) + beside * np.array([0.0, 1.0, 0.0])
    s = limb.track(target, pole=(0, 1, 0.2))
    rim = abs(lengths[0] - lengths[1])
    check_passage(s, target, target, rim, sum(lengths))
    assert np.array_equal(s.reached, np.linalg.norm(target, axis=-1) >= rim - 1e-12)


@pytest.mark.parametrize("beside", BESIDE)
def test_ankle_through_the_origin(beside):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    ankle = sweep(-0.4, 0.4, 20_001)[:, None] * np.array([1.0, 0.0, 0.0]) + beside * np.array([0.0, 1.0, 0.0])
    up = np.array([0.0, 0.6, 0.8])
    s = leg.track(ankle + 0.12 * up, up)
    check_passage(s, ankle, ankle + 0.12 * up, 0.03, 0.87)


def check_passage(s, ankle, target, rim, total):
    """No joint moves faster than the geometry demands: with the aim's turning, with the root of the step at the rim of
    the too-near region, and inside it as the aim has half a turn to make on its way from the centre to the rim."""
    steps = np.linalg.norm(np.diff(ankle, axis=0), axis=-1)
    moved = np.linalg.norm(np.diff(s.joints, axis=0), axis=-1).max(-1)
    angle = angle_between(ankle[:-1], ankle[1:])
    bound = 4 * steps + 6 * total * np.minimum(angle, np.pi - angle)
    if rim > 0:
        bound += total * np.sqrt(steps / rim) + np.pi * total * steps / rim
    assert np.all(moved <= bound), (moved / bound).max()
    assert np.abs(s.joints[:, -1] - target)[s.reached].max() < 1e-12


@pytest.mark.parametrize("soften", [1.0, 0.9])
def test_target_through_full_stretch(soften):
    limb = limbik.TwoLink(0.45, 0.42)
    target = np.stack([0.1 + 0 * sweep(0, 1), 0 * sweep(0, 1), sweep(0.6, 1.1)], -1)
    s = limb.track(np.concatenate([target, target[::-1]]), pole=(0, 1, 0), soften=soften)
    moved = np.linalg.norm(np.diff(s.joints, axis=0), axis=-1).max(-1)
    assert moved.max() < (0.03 if soften == 1.0 else 0.005)
    assert np.abs(s.joints[:721] - s.joints[721:][::-1]).max() < 1e-12  # and back the same way


def test_a_long_random_walk_stays_exact_and_smooth():
    rng = np.random.default_rng(2)
    frames, batch = 600, 50
    knots = rng.normal(size=(2, 7, batch, 3))
    t = np.linspace(0, 5.999, frames)
    k, f = t.astype(int), (t % 1)[:, None, None]
    ease = f * f * (3 - 2 * f)
    ankle, up = (path[k] * (1 - ease) + path[k + 1] * ease for path in knots)
    ankle *= (0.2 + 0.6 / (1 + np.linalg.norm(ankle, axis=-1, keepdims=True))) / np.linalg.norm(
        ankle, axis=-1, keepdims=True
    )
    up /= np.linalg.norm(up, axis=-1, keepdims=True)
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target = ankle + 0.12 * up
    s = leg.track(target, up)
    assert np.all(s.reached)
    assert np.abs(s.joints[..., 3, :] - target).max() < 1e-12
    assert np.abs(s.up_error).max() < 1e-12
    motion = np.maximum(angle_between(ankle[:-1], ankle[1:]), angle_between(up[:-1], up[1:]))
    hinge = reference.turn(s.rotations[..., 0, :], [1.0, 0, 0])
    angle = angle_between(hinge[:-1], hinge[1:])
    assert np.all(np.minimum(angle, np.pi - angle) <= 10 * motion + 1e-9)
    assert np.abs(leg.forward(s.angles, out_of_plane=s.out_of_plane) - s.joints).max() < 1e-12
    # One limb of the batch, alone, on plain floats: the same track.
    alone = leg.track(target[:, 7], up[:, 7])
    assert np.abs(alone.joints - s.joints[:, 7]).max() < 1e-12


def test_a_track_goes_on_from_a_plain_solution():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    start = leg.solve([0.2, -0.6, 0.3], [0.1, -1, 0.2], bend=-1)
    s = leg.track([[0.2, -0.6, 0.3]], [0.1, -1, 0.2], previous=start)
    assert np.abs(s.joints[0] - start.joints).max() < 1e-12
    assert np.abs(np.abs(np.sum(s.rotations[0] * start.rotations, -1)) - 1).max() < 1e-12


def test_bad_frames_do_not_break_the_track():
    limb = limbik.TwoLink(0.45, 0.42)
    target = np.tile([0.3, 0.2, 0.1], (9, 1)) + np.linspace(0, 0.2, 9)[:, None]
    spoiled = target.copy()
    spoiled[[0, 4]] = np.nan
    a, b = limb.track(target), limb.track(spoiled)
    good = [1, 2, 3, 5, 6, 7, 8]
    assert np.all(np.isnan(b.joints[[0, 4]]))
    assert np.all(b.status[[0, 4]] == Status.INVALID)
    assert np.abs(a.joints[good] - b.joints[good]).max() < 0.05
    assert np.abs(b.joints[good, 2] - target[good]).max() < 1e-15


def test_angles_along_a_track_are_continuous():
    """Round and round: yaw goes on past π, and the chain still puts the joints where they are."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    turn = np.linspace(0, 6 * np.pi, 2000)
    up = np.stack([np.cos(turn) * 0.6, -0.8 + 0 * turn, np.sin(turn) * 0.6], -1)
    target = np.stack([0.4 * np.cos(turn), -0.4 + 0.2 * np.sin(2 * turn), 0.4 * np.sin(turn)], -1)
    s = leg.track(target, up)
    assert np.abs(np.diff(s.angles, axis=0)).max() < 0.3
    assert np.ptp(s.angles[:, 0]) > 5 * np.pi
    assert np.abs(leg.forward(s.angles, out_of_plane=s.out_of_plane) - s.joints).max() < 1e-12


def test_stateless_natural_style_hands_over_to_a_hint():
    """With a hint on its side, even `solve` turns the plane by at most 10° a degree past the singularity."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    up = fan((0, -1, 0), (1, 0, 0), 0.0, sweep(-1.2, 1.2))
    target = np.array([0, -0.7, 0]) + 0.12 * up
    s = leg.solve(target, up, hint=(0, 0, 1))
    assert np.all(s.reached)
    assert np.abs(s.up_error).max() < 1e-12
    rate = np.degrees(turning(s)) / np.degrees(angle_between(up[:-1], up[1:]))
    assert rate.max() < 10.5
    knee = s.joints[:, 1] / np.linalg.norm(s.joints[:, 1], axis=-1, keepdims=True)
    assert np.all(knee[:, 2] > -1e-12)  # on the hint's side all the way


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_empty_tracks(engine):
    with dispatch.use(engine):
        for shape in ((0, 3), (4, 0, 3), (0, 2, 3)):
            assert limbik.TwoLink(1, 1).track(np.zeros(shape)).joints.shape == (*shape[:-1], 3, 3)


def test_empty_tracks_with_a_kernel():
    with limbik.warm_up():
        limbik.TwoLink(1, 1).track(np.ones((4, 3)))
    assert limbik.TwoLink(1, 1).track(np.zeros((0, 3))).joints.shape == (0, 3, 3)


def test_track_faults():
    limb = limbik.TwoLink(1, 1)
    with pytest.raises(limbik.LimbikError, match="time on axis 0"):
        limb.track([0.5, 0.5, 0.5])
    with pytest.raises(limbik.LimbikError, match="turn_rate"):
        limb.track(np.ones((3, 3)), turn_rate=0)
    with pytest.raises(limbik.LimbikError, match="previous"):
        limb.track(np.ones((3, 3)), previous=limbik.ThreeLink(1, 1, 1).solve([1, 1, 1], [0, 1, 0]))
    with pytest.raises(limbik.LimbikError, match="batch"):
        limb.track(np.ones((3, 2, 3)), previous=limb.solve(np.ones((5, 3))))


def test_twist_goes_along_with_a_track():
    limb = limbik.TwoLink(0.45, 0.42)
    target = np.stack([np.linspace(0.2, 0.4, 50), 0.3 + 0 * np.linspace(0, 1, 50), 0.1 + 0 * np.linspace(0, 1, 50)], -1)
    plain = limb.solve(target, (0, 0, 1), twist=0.4)
    assert np.abs(limb.track(target, (0, 0, 1), twist=0.4).joints - plain.joints).max() < 1e-12
    spoiled = limb.track(target, (0, 0, 1), twist=np.where(np.arange(50) == 20, np.nan, 0.4))
    assert (spoiled.status == Status.INVALID).nonzero()[0].tolist() == [20]
