"""A track frame by frame: each frame is that of a whole track, however its arguments are passed."""

import pickle

import numpy as np
import pytest

import limbik
from limbik.engines import scalar_engine
from limbik.engines.programs import THREE_LINK, ThreeLinkFlags
from limbik.engines.trace import engine_trace

FRAMES = 12
LIMBS = {
    "arm": limbik.TwoLink(0.45, 0.42),
    "leg": limbik.ThreeLink(0.45, 0.42, 0.12),
    "limited leg": limbik.ThreeLink(0.45, 0.42, 0.12, middle_limits=(0.2, 2.5), last_limits=(-1.0, 0.5)),
    "chain": limbik.NLink([0.3, 0.2, 0.2, 0.1]),
    "bending chain": limbik.NLink([0.3, 0.2, 0.2], shares=[1, 2]),
    "legs": limbik.ThreeLink(np.array([0.45, 0.5, 0.4]), 0.42, 0.12),
}
OPTIONS = {
    "leg": [{}, {"style": "easy"}, {"hint": (0.1, 0.2, 1.0)}, {"priority": "position"}, {"bend": -1, "turn_rate": 2.0}],
    "arm": [{}, {"twist": 0.3}, {"stretch": 1.2}],
    "chain": [{}, {"direction": (0.0, -1.0, 0.2)}],
}
ANSWERS = ("joints", "angles", "rotations", "status", "residual", "singular")


def path(shape, seed=0):
    """Targets, sides and origins that move; one frame stands still, one row of another is invalid."""
    rng = np.random.default_rng(seed)
    target, side, origin = np.cumsum(rng.normal(size=(3, FRAMES, *shape, 3)) * 0.05, 1)
    target += [0.3, -0.4, 0.2]
    target[4], side[4], origin[4] = target[3], side[3], origin[3]
    target.reshape(FRAMES, -1, 3)[7, 0] = np.nan
    return target, side + [0.1, -1.0, 0.3], origin * 0.3


def assert_frames(track, whole, t):
    for name in ANSWERS:
        assert np.array_equal(getattr(track, name)[0], getattr(whole, name)[t], equal_nan=True), (name, t)


CASES = [(kind, options) for kind in LIMBS for options in OPTIONS.get(kind, [{}])]


@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_frames_one_by_one_are_those_of_a_whole_track(kind, options, dtype):
    limb = LIMBS[kind]
    target, side, origin = (one.astype(dtype) for one in path((3,)))
    whole, last = limb.track(target, side, origin, **options), None
    for t in range(FRAMES):
        last = limb.track(target[t : t + 1], side[t : t + 1], origin[t : t + 1], previous=last, **options)
        assert last.dtype == dtype and last.shape == (1, 3)
        assert_frames(last, whole, t)


@pytest.mark.parametrize("shape", [(), (1,), (4,), (2, 3)])
@pytest.mark.parametrize("kind", ["arm", "leg"])
def test_whatever_is_the_same_for_all_limbs(kind, shape):
    target, side, origin = path(shape)
    limb = LIMBS[kind]
    still = side[0].reshape(-1, 3)[0].tolist()
    for sides, origins in ((side, None), (side, origin), (side[0], origin[0]), (still, origin), (still, [0, 0, 0.1])):
        extra = () if origins is None else (origins,)
        whole, last = limb.track(target, sides, *extra), None
        for t in range(FRAMES):
            now = [one[t : t + 1] if one is side or one is origin else one for one in (sides, *extra)]
            last = limb.track(target[t : t + 1], *now, previous=last)
            assert_frames(last, whole, t)


@pytest.mark.parametrize("shape", [(), (3,)])
def test_vectors_that_change_from_call_to_call(shape):
    """For one limb and for many: constants of one frame are not those of the next."""
    leg, last = LIMBS["leg"], None
    target, side, origin = path(shape)
    sides, origins = (one.reshape(FRAMES, -1, 3)[:, 0] for one in (side, origin))
    every = (FRAMES, *(1,) * len(shape), 3)
    whole = leg.track(target, sides.reshape(every), origins.reshape(every))
    for t in range(FRAMES):
        passed = (sides[t], list(origins[t])) if t % 2 else (tuple(sides[t].tolist()), origins[t])
        last = leg.track(target[t : t + 1], *passed, previous=last)
        assert_frames(last, whole, t)


def test_arguments_may_be_passed_otherwise_in_the_middle():
    leg, last = LIMBS["leg"], None
    target, up, origin = path((3,))
    up[:], origin[:] = up[0, :1], 0.0
    whole = leg.track(target, up)
    for t in range(FRAMES):
        ups = (up[t : t + 1], up[t], up[t, 0], up[t, 0].tolist(), up[t, :1])[t % 5]
        origins = (limbik.ThreeLink.solve.__defaults__[0], (0, 0, 0), origin[t], origin[t : t + 1])[t % 4]
        last = leg.track(target[t : t + 1] if t % 3 else target[t : t + 1].tolist(), ups, origins, previous=last)
        assert_frames(last, whole, t)
        if t == 5:
            last = pickle.loads(pickle.dumps(last))
            assert_frames(last, whole, t)


def test_the_caller_may_reuse_its_arrays():
    leg = LIMBS["leg"]
    target, up, _ = path((3,))
    whole, last = leg.track(target[:5], up[0]), None
    now = np.empty((1, 3, 3))
    for t in range(5):
        now[:] = target[t]
        last = leg.track(now, up[0], previous=last)
        now[:] = np.nan
        assert_frames(last, whole, t)


def test_other_options_than_those_of_the_frame_before_are_not_overlooked():
    leg = LIMBS["leg"]
    target, up, _ = path((3,))
    first = leg.track(target[:1], up[0])
    second = leg.track(target[1:2], up[0], previous=first)
    for options in ({"turn_rate": 1.0}, {"style": "easy"}, {"hint": (0, 0, 1)}, {"priority": "position"}):
        found = leg.track(target[5:6], up[0], previous=second, **options)
        assert np.array_equal(found.joints, leg.track(target[[5, 6]], up[0], previous=second, **options)[:1].joints)
    with pytest.raises(limbik.LimbikError, match="turn_rate"):
        leg.track(target[2:3], up[0], previous=second, turn_rate=np.ones(2))
    with pytest.raises(limbik.LimbikError, match="previous"):
        leg.track(target[2:3, :2], up[0, :2], previous=second)


def test_a_limb_that_stands_still_is_no_rare_case():
    """Rare cases take several times as long, and feet stand for half of a walk."""
    flags, dtype = ThreeLinkFlags(), np.dtype(np.float64)
    short = engine_trace(THREE_LINK, "follow", flags, dtype, False)
    step = scalar_engine.function(short, lambda *_: pytest.fail("a rare case"))
    leg, target, up = LIMBS["leg"], (0.2, -0.6, 0.3), (0.1, -1.0, 0.2)
    first = leg.track(np.array([target]), up)
    again = leg.track(np.array([target]), up, previous=first)
    groups = (leg._lengths, leg._chords, target, up, (0.0,) * 3, (0.0,) * 3, (1.0,) * 3, (0.0,) * 3, (5.0,))
    numbers = step(*(number for group in groups for number in group), *first._after.tolist())
    assert np.array_equal(numbers[7:], again._after)
