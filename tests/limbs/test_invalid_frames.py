"""Invalid frames of a track: NaN themselves, and the other frames are those of the track, whole or frame by frame."""

import numpy as np
import pytest

import limbik
from limbik import Status

HINT = (0.3, 0.2, -0.7)
CASES = {
    "two-link": (limbik.TwoLink(0.45, 0.42), {}),
    "two-link, options": (limbik.TwoLink(0.45, 0.42, middle_limits=(0.1, 2.5)), {"twist": 0.3, "soften": 0.8}),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12), {}),
    "three-link, bent back": (limbik.ThreeLink(0.45, 0.42, 0.12), {"bend": -1}),
    "three-link, easy": (limbik.ThreeLink(0.45, 0.42, 0.12), {"style": "easy", "hint": HINT}),
    "three-link, position": (limbik.ThreeLink(0.45, 0.42, 0.12), {"priority": "position", "hint": HINT}),
    "three-link, limits": (limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-0.5, 1.2)), {}),
    "three-link, limits, bent back": (limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-0.5, 1.2)), {"bend": -1}),
    "n-link": (limbik.NLink([0.2, 0.25, 0.2, 0.1]), {}),
    "n-link, options": (limbik.NLink([0.2, 0.25, 0.2, 0.1], limits=(0.05, 1.2)), {"direction": HINT, "soften": 0.8}),
}
INVALID = {
    "first": [0],
    "two": [0, 1],
    "between": [3, 4],
    "last": [7],
    "first and last": [0, 1, 4, 6, 7],
    "all": range(8),
}
ANSWERS = ("joints", "angles", "rotations", "status", "residual")
FRAMES = 8


def motion(rng, *batch):
    """Targets and poles or ups along time, (frames, ..., 3): anywhere, and from there on in small steps."""
    start = rng.normal(size=(2, 1, *batch, 3)) * 0.4
    return start + np.cumsum(rng.normal(size=(2, FRAMES, *batch, 3)) * 0.02, axis=1)


def frame_by_frame(limb, vectors, options):
    frames = [None]
    for t in range(FRAMES):
        frames.append(limb.track(*(vector[t : t + 1] for vector in vectors), previous=frames[-1], **options))
    return frames[1:]


def answers(solutions):
    return {name: np.concatenate([getattr(one, name) for one in solutions]) for name in ANSWERS}


def assert_close(found, expected, dtype):
    assert np.array_equal(found["status"], expected["status"])
    for name in ANSWERS:
        wanted = expected[name]
        np.testing.assert_allclose(found[name], wanted, atol=1e-12 if dtype == "float64" else 1e-5, err_msg=name)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("case", CASES)
def test_frame_by_frame_as_one_track(case, dtype):
    limb, options = CASES[case]
    rng = np.random.default_rng(7)
    for frames in INVALID.values():
        for spoiled in range(2):  # the target, or the pole or up
            vectors = motion(rng).astype(dtype)
            vectors[spoiled, list(frames), 1] = np.nan
            whole = limb.track(*vectors, **options)
            assert np.array_equal(np.flatnonzero(whole.status == Status.INVALID), list(frames))
            assert_close(answers(frame_by_frame(limb, vectors, options)), answers([whole]), dtype)
            parts = [limb.track(*vectors[:, :5], **options)]
            parts.append(limb.track(*vectors[:, 5:], previous=parts[0], **options))
            assert_close(answers(parts), answers([whole]), dtype)
            cut = limb.track(*vectors[:, 5:], previous=whole[:5], **options)
            assert_close(answers([parts[0], cut]), answers([whole]), dtype)


@pytest.mark.parametrize("case", CASES)
def test_limbs_of_a_batch_begin_by_themselves(case):
    limb, options = CASES[case]
    vectors = motion(np.random.default_rng(8), len(INVALID))
    for k, frames in enumerate(INVALID.values()):
        vectors[0, list(frames), k] = np.nan
    whole = limb.track(*vectors, **options)
    assert_close(answers(frame_by_frame(limb, vectors, options)), answers([whole]), "float64")
    for k in range(len(INVALID)):
        alone = limb.track(*vectors[:, :, k], **options)
        assert_close(answers([alone]), {name: value[:, k] for name, value in answers([whole]).items()}, "float64")


@pytest.mark.parametrize("case", CASES)
def test_the_first_valid_frame_is_a_solve(case):
    limb, options = CASES[case]
    vectors = motion(np.random.default_rng(9), 20)
    vectors[1, :2] = np.nan
    track, alone = limb.track(*vectors, **options), limb.solve(*vectors[:, 2], **options)
    np.testing.assert_allclose(track.joints[2], alone.joints, atol=1e-12)
    np.testing.assert_allclose(track.rotations[2], alone.rotations, atol=1e-12)
    assert np.array_equal(track.status[2], alone.status)


def test_after_a_solution_that_is_invalid():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    vectors = motion(np.random.default_rng(10), 5)
    start = vectors[:, 0].copy()
    start[0, 2] = np.nan
    track = leg.track(*vectors[:, 1:], previous=leg.solve(*start))
    assert np.all(track.status != Status.INVALID)
    np.testing.assert_allclose(track.joints[:, 2], leg.track(*vectors[:, 1:, 2]).joints, atol=1e-12)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_tensors(library):
    module = pytest.importorskip("torch" if library == "torch" else "jax.numpy")
    for limb, options in (CASES["two-link"], CASES["three-link, limits"]):
        vectors = motion(np.random.default_rng(11), 3).astype("float32")[:, :4]
        vectors[0, :2, 1] = np.nan
        found = limb.track(*map(module.asarray, vectors), **options)
        expected = limb.track(*vectors, **options)
        np.testing.assert_allclose(np.asarray(found.joints), expected.joints, atol=2e-5)


# --- what may be continued


@pytest.mark.parametrize("case", ["two-link", "three-link", "n-link"])
def test_row_by_row_from_a_batch(case):
    """A solution of a batch is one frame of as many limbs, never a track."""
    limb, options = CASES[case]
    vectors = motion(np.random.default_rng(12), 5)
    batch = limb.solve(*vectors[:, 0], **options)
    track = limb.track(*vectors[:, 1:], previous=batch, **options)
    for k in range(5):
        alone = limb.track(*vectors[:, 1:, k], previous=batch[k], **options)
        np.testing.assert_allclose(track.joints[:, k], alone.joints, atol=1e-12)
    with pytest.raises(limbik.LimbikError, match=r"previous: got shape \(5,\); expected a solution of shape \(\)"):
        limb.track(*vectors[:, 1:, 0], previous=batch, **options)
