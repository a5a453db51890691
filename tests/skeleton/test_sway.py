"""Chains that follow by springs: the same at any frame rate, stable, and no longer or shorter than they were."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik.errors import LimbikError
from limbik.files.clip_files import load
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from tests.assets import asset
from tests.skeleton.figures import angle

TAIL = ("tail1", "tail2", "tail3", "tail4")


def tailed(fps, seconds=2.0, path=None, turn=None):
    """A body that moves along a path of time, and a tail of four bones."""
    names = ("body", *TAIL, "tip")
    offsets = np.array([[0, 1, 0], [0, 0, -0.2], *([0.02, 0.01, -0.1],) * 4])
    skeleton = Skeleton(names, np.arange(6) - 1, offsets, np.tile([0, 0, 0, 1.0], (6, 1)))
    t = np.arange(round(seconds * fps) + 1) / fps
    translations = np.tile(offsets, (len(t), 1, 1))
    rotations = np.tile(skeleton.rotations, (len(t), 1, 1))
    if path is not None:
        translations[:, 0] += path(t)
    if turn is not None:
        rotations[:, 0] = Rotation.from_euler("y", turn(t)[:, None]).as_quat()
    return Clip(skeleton, rotations, translations, fps=fps)


def dash(t):
    """Half a second straight ahead, and then a halt."""
    return np.minimum(t, 0.5)[:, None] * [1.5, 0.4, -0.7]


@pytest.mark.parametrize("options", [{}, {"frequency": 4.7, "damping": 0.05}, {"damping": 1.0}, {"damping": 2.5}])
def test_the_pose_is_the_same_at_30_60_and_144_hertz(options):
    ends = [tailed(fps, 1.5, dash).sway(TAIL, **options) for fps in (30, 60, 144)]
    moved = [np.abs(clip.positions()[-1] - tailed(clip.fps, 1.5, dash).positions()[-1]).max() for clip in ends]
    assert options.get("damping", 0.3) >= 1 or moved[0] > 1e-3, "it still swings"
    for clip in ends[1:]:
        assert np.abs(clip.positions()[-1] - ends[0].positions()[-1]).max() < 1e-9
        assert np.abs(clip.rotations[-1] - ends[0].rotations[-1]).max() < 1e-9
        shared = clip.positions()[:: round(clip.fps / 30)] if clip.fps == 60 else None
        assert shared is None or np.abs(shared - ends[0].positions()).max() < 1e-9


def test_a_body_at_rest_or_in_steady_motion_leaves_the_tail():
    for path in (None, lambda t: t[:, None] * [1.0, 0, 2.0]):
        clip = tailed(60, path=path)
        assert np.abs(clip.sway(TAIL).positions() - clip.positions()).max() < 1e-12


def test_the_first_bone_swings_as_a_spring_does():
    """Against the differential equation, integrated in small steps by another method."""
    from scipy.integrate import solve_ivp

    clip = tailed(120, 1.5, dash)
    found = clip.sway(TAIL[:1], frequency=1.5, damping=0.2, max_angle=np.pi)
    rate, gap = 2 * np.pi * 1.5, dash(np.array([0.25]))[0] / 0.25
    begin = np.concatenate([np.zeros(3), gap])  # at the halt the body's velocity becomes the lag's
    swing = solve_ivp(
        lambda _, s: np.concatenate([s[3:], -rate * rate * s[:3] - 0.4 * rate * s[3:]]),
        (0, 1.0),
        begin,
        rtol=1e-10,
        atol=1e-12,
        t_eval=np.arange(0, 121) / 120,
    )
    plain, now = (one.positions()[60:, 2] - one.positions()[60:, 1] for one in (clip, found))
    bone = plain + swing.y[:3].T
    wide = angle(bone, plain)
    assert wide.max() > 0.5
    assert np.abs(angle(bone, now) - (wide - np.pi * np.tanh(wide / np.pi))).max() < 1e-6


@pytest.mark.parametrize("frequency", [1e-6, 0.5, 1e3, 1e9])
@pytest.mark.parametrize("damping", [0.0, 0.3, 1.0, 100.0])
def test_any_stiffness_is_stable_and_keeps_lengths(frequency, damping):
    rng = np.random.default_rng(1)
    shaken = rng.normal(size=(61, 3))
    clip = tailed(30, path=lambda t: shaken[: len(t)], turn=lambda t: 5 * np.sin(9 * t))
    swayed = clip.sway(TAIL, frequency=frequency, damping=damping)
    lengths = [np.linalg.norm(np.diff(one.positions(), axis=1), axis=-1) for one in (clip, swayed)]
    assert np.abs(lengths[1] - lengths[0]).max() < 1e-12
    links = [np.diff(one.positions()[:, 1:], axis=1) for one in (clip, swayed)]
    assert angle(*links).max() <= 1.0 + 1e-9
    if frequency > 1e8 and damping in (0.3, 1.0):
        assert np.abs(swayed.positions() - clip.positions()).max() < 1e-6


def test_real_tails_and_what_else_stays():
    clip = load(asset("gltf/Fox.glb"))
    tail = [name for name in clip.skeleton.names if "Tail" in name]
    swayed = clip.sway(tail)
    others = [k for k, name in enumerate(clip.skeleton.names) if "Tail" not in name]
    assert np.array_equal(swayed.rotations[:, others], clip.rotations[:, others])
    assert np.abs(swayed.rotations - clip.rotations).max() > 0.003
    assert np.array_equal(clip.sway(tail, weight=0.0).rotations, clip.rotations)


def test_frames_that_are_not_finite_do_not_spread():
    clip = tailed(30, path=dash)
    translations = clip.translations.copy()
    translations[10, 0] = np.nan
    swayed = clip.with_(translations=translations).sway(TAIL)
    assert np.isfinite(swayed.rotations[11:]).all() and np.isfinite(swayed.rotations[:10]).all()
    assert len(clip[:0].sway(TAIL)) == 0 and len(clip[:1].sway(TAIL)) == 1


@pytest.mark.parametrize(
    ("joints", "options", "message"),
    [
        (("nothing",), {}, "nothing"),
        ("tail1", {}, "joints"),
        ((), {}, "joints"),
        (("tail2", "tail1"), {}, "tail"),
        (TAIL, {"frequency": 0.0}, "frequency"),
        (TAIL, {"frequency": np.inf}, "frequency"),
        (TAIL, {"damping": -0.1}, "damping"),
        (TAIL, {"max_angle": 4.0}, "max_angle"),
        (TAIL, {"weight": 2.0}, "weight"),
        (TAIL, {"weight": [1.0, 1.0]}, "weight"),
        (("tip",), {}, "bone"),
    ],
)
def test_bad_arguments(joints, options, message):
    with pytest.raises(LimbikError, match=message):
        tailed(30).sway(joints, **options)
