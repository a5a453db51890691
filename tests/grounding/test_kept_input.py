"""On a level floor no foot ends farther from the ground than in the input: else frames of the input stay."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from limbik.grounding.kept_input import input_share, keep_input
from limbik.referee.comparison import compare
from tests.assets import asset, present
from tests.grounding.test_bars import forward

MEASURES = (
    "slide_mm",
    "heel_float_mm",
    "heel_penetration_mm",
    "toe_float_mm",
    "toe_penetration_mm",
    "sole_penetration_mm",
    "swing_penetration_mm",
    "sole_angle_deg",
)


@pytest.mark.parametrize("name", present("bvh/cmu_05_06.bvh"))
def test_a_dance_on_an_uneven_floor_is_in_no_measure_worse_than_before(name):
    clip = forward(limbik.load(asset(name))[1:])
    result = ground(clip, "plane")
    before, after = result.report.total.before, result.report.total.after
    for measure in MEASURES:
        assert getattr(after, measure) <= getattr(before, measure) + 0.5
    assert "of the frames are the input's" in result.notes[-1]


def raised(clip, first, stop, metres):
    shift = np.zeros((len(clip), 3))
    shift[first:stop, 1] = metres
    return clip.moved(shift)


def test_stances_that_would_float_are_those_of_the_input():
    clip = samples.walk(240)
    limbs = [limb for limb in limbik.find_limbs(clip).values() if limb.kind == "leg"]
    bad = raised(clip, 100, 140, 0.06)
    share = input_share(compare(clip, bad, limbik.terrain("plane"), limbs), np.zeros(len(clip), bool))
    assert np.all(share[100:140] == 1.0) and np.all(share[:30] == 0.0) and np.all(share[-30:] == 0.0)
    kept = keep_input(clip, bad.with_(contacts=np.ones((240, 2), bool), feet=(0, 1)), share)
    assert np.abs(kept.positions() - clip.positions()).max() < 1e-9
    assert np.array_equal(kept.contacts[:, 0], share == 0.0)


def test_the_whole_input_stays_where_most_of_it_would_be_worse():
    clip = samples.walk(240)
    limbs = [limb for limb in limbik.find_limbs(clip).values() if limb.kind == "leg"]
    plane = limbik.terrain("plane")
    assert np.all(input_share(compare(clip, raised(clip, 0, 240, -0.06), plane, limbs), np.zeros(240, bool)) == 1.0)
    assert np.all(input_share(compare(clip, clip, plane, limbs), np.zeros(240, bool)) == 0.0)
    assert not ground(clip, "plane").notes
