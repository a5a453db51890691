"""The picture of a report: its curves are what an independent measurement finds, its words those of the report."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.grounding.ground import ground
from limbik.pictures.report_plot import AFTER_COLOUR, BALL_COLOUR, BEFORE_COLOUR, HEEL_COLOUR, report_figure
from tests.assets import asset, present

from .texts import assert_readable

CASES = {
    "walk": lambda: ground(samples.walk(150), "stairs:rise=0.17,run=0.3"),
    "bvh/cmu_35_01.bvh": lambda: ground(limbik.load(asset("bvh/cmu_35_01.bvh")), "hills:height=0.3"),
    "gltf/Fox.glb": lambda: ground(limbik.load(asset("gltf/Fox.glb"), animation="Run"), "slope:10"),
}


@pytest.fixture(scope="module", params=["walk", *present("bvh/cmu_35_01.bvh", "gltf/Fox.glb")])
def grounded(request):
    return CASES[request.param]()


def picture(grounded):
    return report_figure(grounded.comparison, grounded.report, "a clip"), grounded.comparison.skipped


def curves_of(figure, feet):
    """The curves before and after, (feet, columns) of pairs (frames,)."""
    panels = figure.axes[1:]
    pairs = []
    for axes in panels:
        lines = {line.get_color(): line.get_ydata() for line in axes.get_lines()}
        pairs.append((np.asarray(lines[BEFORE_COLOUR], float), np.asarray(lines[AFTER_COLOUR], float)))
    return [pairs[3 * foot : 3 * foot + 3] for foot in range(feet)]


def test_heights_are_those_of_the_soles(grounded):
    figure, _ = picture(grounded)
    for foot, ((before, after), *_) in zip(
        grounded.comparison.feet, curves_of(figure, len(grounded.feet)), strict=True
    ):
        for shown, motion in ((before, foot.before_on_terrain), (after, foot.after)):
            over = motion.sole[..., 1] - grounded.terrain.height(motion.sole[..., [0, 2]])
            assert shown == pytest.approx(100.0 * over.min(axis=1), abs=1e-6)


def test_slides_are_speeds_of_balls_that_stand(grounded):
    figure, skipped = picture(grounded)
    for k, (foot, (_, pair, _)) in enumerate(zip(grounded.feet, curves_of(figure, len(grounded.feet)), strict=True)):
        stands = grounded.comparison.feet[k].ball
        for clip, shown in zip((grounded.before, grounded.clip), pair, strict=True):
            ball = clip.positions()[skipped:, foot.ball]
            for frame, speed in enumerate(shown):
                if frame and stands[frame] and stands[frame - 1]:
                    moved = np.linalg.norm(ball[frame] - ball[frame - 1])
                    assert speed == pytest.approx(100.0 * moved * clip.fps, abs=1e-6)
                else:
                    assert np.isnan(speed)


def test_reach_is_from_hip_to_ankle_over_the_leg(grounded):
    figure, skipped = picture(grounded)
    for foot, (*_, pair) in zip(grounded.feet, curves_of(figure, len(grounded.feet)), strict=True):
        for clip, shown in zip((grounded.before, grounded.clip), pair, strict=True):
            places = clip.positions()[skipped:]
            away = np.linalg.norm(places[:, foot.ankle] - places[:, foot.limb.joints[0]], axis=-1)
            assert shown == pytest.approx(100.0 * away / foot.leg, abs=1e-6)


def test_bars_are_the_stances_of_balls_and_heels(grounded):
    from matplotlib.colors import to_rgba

    figure, skipped = picture(grounded)
    bars = {BALL_COLOUR: [], HEEL_COLOUR: []}
    for collection in figure.axes[0].collections:
        colour = next(one for one in bars if tuple(collection.get_facecolor()[0]) == to_rgba(one))
        bars[colour].append([path.get_extents() for path in collection.get_paths()])
    times = grounded.clip.times[skipped:] + 0.5 / grounded.clip.fps
    solid = [k for k, foot in enumerate(grounded.feet) if not foot.pointlike]
    feet = grounded.comparison.feet
    expected = {
        BALL_COLOUR: np.stack([foot.ball for foot in feet]),
        HEEL_COLOUR: np.array([feet[k].heel for k in solid]),
    }
    for part, stands in expected.items():
        drawn = [[any(bar.x0 < time < bar.x1 for bar in some) for time in times] for some in bars[part]]
        assert np.array_equal(drawn, stands.tolist())


def test_the_totals_are_written_below(grounded):
    figure, _ = picture(grounded)
    written = [text.get_text() for text in figure.texts]
    for label, total, *_ in grounded.report.table()[1]:
        assert label in written and total in written


def test_every_text_can_be_read(grounded):
    assert_readable(picture(grounded)[0])


def test_the_dashes_are_the_straightest_that_legs_were():
    grounded = ground(samples.walk(60), "slope:5")
    figure, _ = picture(grounded)
    heights = [
        line.get_ydata()[0] for axes in figure.axes[3::3] for line in axes.get_lines() if len(line.get_ydata()) == 2
    ]
    assert heights == pytest.approx([100.0 * foot.before.extension.max() for foot in grounded.comparison.feet])
