"""A gait diagram shows what the contacts are: its bars, duty factors and support count, read back from the picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import limbik
from limbik import samples
from limbik.errors import LimbikError
from limbik.grounding.ground import ground
from limbik.pictures.gait_plot import Footfalls, footfalls, gait, gait_figure
from tests.assets import asset, present

from .texts import assert_readable

CREATURES = ["biped", "quadruped", "hexapod", "spider", "centipede"]


@pytest.fixture(scope="module", params=CREATURES)
def walked(request):
    return limbik.walk(request.param, "hills", seconds=2, fps=30, seed=1)


def axes_of(figure):
    """The axes of the bars, and those of the support count."""
    bars, count = figure.axes
    return bars, count


def bars_of(figure, fps, frames, start=0.0):
    """The bars of each foot, by its name, as (frames,) bool: which frames lie within one."""
    axes, _ = axes_of(figure)
    middles = start + (np.arange(frames) + 0.5) / fps
    names = [label.get_text() for label in axes.get_yticklabels()]
    found = {}
    for name, place, bars in zip(names, axes.get_yticks(), axes.collections, strict=True):
        spans = [path.get_extents() for path in bars.get_paths()]
        assert all(span.y0 < place < span.y1 for span in spans)
        found[name] = np.array([any(span.x0 < time < span.x1 for span in spans) for time in middles])
    return found


def duties_of(figure):
    """The duty factors beside the bars, by the place of their row."""
    axes, _ = axes_of(figure)
    return {text.get_position()[1]: text.get_text() for text in axes.texts if "\n" not in text.get_text()}


def whole_strides(stands):
    """Stance over stride, counted frame by frame from the first touch-down to the last."""
    landings = [k for k in range(1, len(stands)) if stands[k] and not stands[k - 1]]
    if len(landings) < 2:
        return None
    return sum(bool(stands[k]) for k in range(landings[0], landings[-1])) / (landings[-1] - landings[0])


def legs_of(clip):
    """When each leg of a creature stands, by its name: on its tip or, where it has one, on its heel."""
    legs = {}
    for foot, stands in zip(clip.feet, clip.contacts.T, strict=True):
        name = clip.skeleton.names[foot].rpartition("_")[0].replace("_", " ")
        legs[name] = legs.get(name, False) | stands
    return legs


def test_bars_duty_factors_and_support_are_those_of_the_contacts(walked):
    figure, legs = gait_figure(footfalls(walked), "a walk"), legs_of(walked)
    axes, count = axes_of(figure)
    drawn, duties = bars_of(figure, walked.fps, len(walked)), duties_of(figure)
    assert drawn.keys() == legs.keys()
    for label, place in zip(axes.get_yticklabels(), axes.get_yticks(), strict=True):
        stands = legs[label.get_text()]
        assert np.array_equal(drawn[label.get_text()], stands)
        duty = whole_strides(stands)
        assert duties[place] == ("–" if duty is None else f"{duty:.2f}")
    for patch in count.patches:
        values, edges, _ = patch.get_data()
        assert np.array_equal(values, np.sum(list(legs.values()), axis=0))
        assert edges == pytest.approx(np.arange(len(walked) + 1) / walked.fps)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 60).flatmap(
        lambda frames: st.lists(st.lists(st.booleans(), min_size=frames, max_size=frames), min_size=1, max_size=4)
    ),
    st.sampled_from([24.0, 60.0, 120.0]),
    st.floats(-5.0, 5.0),
)
def test_whatever_the_contacts_are_the_diagram_shows_them(feet, fps, start):
    stands = np.array(feet).T
    names = tuple(f"left {k}" for k in range(len(feet)))
    seen = Footfalls(names, ("left",) * len(feet), stands, fps, start, 1.0)
    figure = gait_figure(seen, "any")
    drawn = bars_of(figure, fps, len(stands), start)
    for k, name in enumerate(names):
        assert np.array_equal(drawn[name], stands[:, k])
        expected = whole_strides(stands[:, k])
        assert np.isnan(seen.duty[k]) if expected is None else seen.duty[k] == pytest.approx(expected)


def test_legs_are_sorted_from_front_to_back_on_the_left_and_then_on_the_right():
    seen = footfalls(limbik.walk("hexapod", seconds=2))
    rows = ["front", "middle", "hind"]
    assert seen.names == (*(f"left {row}" for row in rows), *(f"right {row}" for row in rows))
    assert seen.sides == ("left",) * 3 + ("right",) * 3


def test_the_order_does_not_depend_on_where_the_creature_walks_nor_on_how_its_feet_are_listed():
    clip = limbik.walk("quadruped", seconds=2, heading_degrees=130.0)
    turned = clip.with_(feet=clip.feet[::-1], contacts=clip.contacts[:, ::-1])
    for one in (clip, turned):
        assert footfalls(one).names == ("left fore", "left hind", "right fore", "right hind")
    assert np.array_equal(footfalls(clip).stands, footfalls(turned).stands)


@pytest.mark.parametrize("gait, duty", [("wave", 5 / 6), ("ripple", 2 / 3), ("tripod", 0.54)])
def test_the_duty_factor_is_that_of_the_gait(gait, duty):
    seen = footfalls(limbik.walk("hexapod", seconds=6, gait=gait))
    assert seen.duty == pytest.approx(duty, abs=0.03)


def test_the_speed_is_that_of_the_figure():
    clip = limbik.walk("spider", seconds=4, speed=0.3)
    root = clip.positions()[:, 0, [0, 2]]
    assert footfalls(clip).speed == pytest.approx(np.linalg.norm(root[-1] - root[0]) / 4, rel=0.02)
    figure = gait_figure(footfalls(clip), "spider on a plane: ripple")
    assert figure.texts[0].get_text() == f"spider on a plane: ripple at {footfalls(clip).speed:.2f} m/s"


@pytest.mark.parametrize("name", present("bvh/cmu_35_01.bvh", "bvh/cmu_16_35.bvh"))
def test_contacts_are_found_where_a_clip_has_none(name):
    clip = limbik.load(asset(name))[1:]
    seen, walked = footfalls(clip), ground(clip, "plane")
    assert seen.names == ("left leg", "right leg")
    assert np.array_equal(seen.stands, walked.standing)
    assert 0.1 < seen.duty[0] < 0.8 and seen.speed > 0.5


def test_a_cycle_on_the_spot_has_a_speed_and_an_animal_fore_and_hind_legs():
    seen = footfalls(limbik.load(asset("gltf/Fox.glb"), animation="Walk"))
    assert seen.names == ("left fore", "left hind", "right fore", "right hind")
    assert 0.5 < seen.speed < 2.0


def test_contacts_of_a_grounded_clip_are_taken_as_they_are():
    walked = ground(samples.walk(120), "stairs").clip
    seen = footfalls(walked)
    assert seen.names == ("left leg", "right leg")
    assert np.array_equal(seen.stands, walked.contacts)


def test_a_foot_that_nothing_is_known_of_keeps_its_name():
    walked = limbik.walk("hexapod", seconds=1)
    odd = walked.with_(feet=(walked.skeleton.index("jaws"),), contacts=walked.contacts[:, :1])
    assert footfalls(odd).names == ("jaws",) and footfalls(odd).sides == ("",)


def test_nothing_in_the_picture_covers_anything_else(walked):
    assert_readable(gait_figure(footfalls(walked), f"{walked.name} on hills:height=0.3,size=4: some gait"))


@pytest.mark.parametrize(
    "clip, told",
    [
        (lambda: limbik.walk("hexapod", seconds=1, count=2), "clip: got 2 figures; expected a single one"),
        (lambda: limbik.walk("hexapod", seconds=1)[:1], "clip: got 1 frames; expected at least two"),
        (lambda: samples.walk(30).with_(feet=(), contacts=np.zeros((30, 0), bool)), "clip: got no feet"),
        (lambda: limbik.load(asset("gltf/RiggedSimple.glb")), "no legs found"),
    ],
)
def test_what_has_no_gait(tmp_path, clip, told):
    with pytest.raises(LimbikError, match=told):
        gait(clip(), tmp_path / "gait.png")
    assert not list(tmp_path.iterdir())
