"""Hips of a grounded clip accelerate little more than in the recording, whatever the ground."""

import numpy as np
import pytest

from limbik import samples
from limbik.grounding.ground import ground
from tests.assets import present
from tests.grounding import measures
from tests.grounding.test_bars import SLOPES, STAIRS, walk

SAMPLE = "sample"
TAKES = ("02_01", "07_01", "16_17", "16_35", "143_40")  # walks, a turn, a run, and a walk sideways
EVERY = [SAMPLE, *present(*(f"bvh/cmu_{take}.bvh" for take in TAKES))]


@pytest.fixture(scope="module")
def clips():
    return {}


def peak(clip, feet):
    """The largest vertical acceleration of the middle of the hips, over thirtieths of a second, m/s²."""
    step = max(round(clip.fps / 30.0), 1)
    heights = clip.positions()[:, [foot.limb.joints[0] for foot in feet], 1].mean(axis=1)
    faster = heights[2 * step :] - 2.0 * heights[step:-step] + heights[: -2 * step]
    return np.abs(faster).max() * (clip.fps / step) ** 2


@pytest.mark.parametrize(
    ("spec", "factor", "more"),
    [
        ("plane", 1.05, 0.2),
        *((spec, 1.5, 6.0) for spec in (*SLOPES[1:], "hills:height=0.3")),
        *((spec, 2.0, 8.0) for spec in STAIRS),
    ],
)
@pytest.mark.parametrize("name", EVERY)
def test_hips_accelerate_little_more_than_in_the_clip(clips, name, spec, factor, more):
    clip = samples.walk(240) if name == SAMPLE else walk(clips, name)
    result = ground(clip, spec)
    own = peak(clip, result.feet)
    assert peak(result.clip, result.feet) <= max(factor * own, own + more)


def test_hips_stay_calm_where_steps_are_as_high_as_for_giants():
    """Half a leg up and down between plants: feet and knees give way, and not the hips."""
    clip = samples.walk(240)
    result = ground(clip, lambda x, z: 0.25 * (np.floor(z / 0.5) % 2), settings={"fit_stride": 0.0})
    own = peak(clip, result.feet)
    assert peak(result.clip, result.feet) <= 2.5 * own + 10.0


def test_a_figure_that_no_foot_carries_follows_stairs_smoothly():
    """It flies on its belly, and moves ahead."""
    quarter_turn = [np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)]
    flying = measures.frozen(samples.walk(120), 40, 180).moved((0.0, 1.0, 0.0), quarter_turn)
    ahead = np.linspace(0.0, 1.0, 180)[:, None] * [0.0, 0.0, 1.5]
    result = ground(flying.moved(ahead), STAIRS[0])
    assert "no foot carries" in result.notes[0]
    assert peak(result.clip, result.feet) <= 8.0
    assert result.clip.positions()[-1, 0, 1] - result.before.positions()[-1, 0, 1] > 0.3


def test_frames_in_which_a_recorded_body_jumps_are_replaced_and_named():
    clip = samples.walk(480).resampled(120.0)
    shift = np.zeros((len(clip), 3))
    shift[200] = [0.05, 0.0, 0.02]
    result = ground(clip.moved(translation=shift), "slope:10")
    whole = ground(clip, "slope:10")
    assert "first 200" in result.notes[0] and not whole.notes
    assert np.abs(result.clip.positions() - whole.clip.positions()).max() < 3e-3
    assert np.allclose(result.before.positions()[200, 0] - clip.positions()[200, 0], shift[200])
