"""Parts of the Walk tab: support polygon, camera follower, gait diagram, narrow windows."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from limbik.gait.creature import creature, preset_names
from limbik.gait.walker import Walker
from limbik.studio.walk_marks import contains, points_along_edge, support_polygon
from limbik.studio.walk_panel import chart_html, numbers_html, row_order
from limbik.studio.walk_tab import FPS, CameraFollower, WalkRecording, terrain_presets
from tests.thoroughness import some


# Not by Hypothesis: it fails where another thread, such as the studio's, takes random numbers meanwhile.
@pytest.mark.parametrize("count", (1, 2, 3, 8, 30))
def test_support_polygons_are_the_convex_hulls_of_the_discs_below_feet(count):
    feet, radius = np.random.default_rng(count).normal(size=(count, 2)), 0.1
    corners = support_polygon(feet, radius)
    turn = np.linspace(0.0, 2.0 * np.pi, 720)[:, None]
    discs = (feet + radius * np.stack([np.cos(turn), np.sin(turn)], axis=-1)).reshape(-1, 2)
    x, y = corners.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
    assert area == pytest.approx(ConvexHull(discs).volume, rel=2e-3)
    middle = corners.mean(axis=0)
    assert all(contains(corners, middle + 0.99 * (place - middle)) for place in discs)
    assert not any(contains(corners, middle + 1.001 * (corner - middle)) for corner in corners)
    edge = points_along_edge(corners, 50)
    assert all(contains(corners, middle + 0.999 * (place - middle)) for place in edge)


def test_even_one_foot_supports_something_and_none_supports_nothing():
    one = support_polygon(np.array([[1.0, 2.0]]), 0.1)
    assert contains(one, np.array([1.0, 2.05])) and not contains(one, np.array([1.0, 2.11]))
    none = support_polygon(np.zeros((0, 2)), 0.1)
    assert none.shape == (0, 2) and not contains(none, np.zeros(2))


def test_the_picture_does_not_lag_behind_a_steady_walk_and_takes_a_push_softly():
    follower, place, velocity = CameraFollower(np.zeros(3)), np.zeros(3), np.array([0.0, 0.0, 1.3])
    for _ in range(300):
        place = place + velocity / 60.0
        follower.advance(place, 1.0 / 60.0)
    assert np.abs(follower.position - place).max() < 1e-3
    before = follower.position
    place = place + (velocity + (2.0, 0.0, 0.0)) / 60.0
    follower.advance(place, 1.0 / 60.0)
    assert 0.0 <= follower.position[0] - before[0] < 0.2 * 2.0 / 60.0


@pytest.mark.parametrize("name", some(preset_names(), 2))
def test_every_creature_gets_through_the_grounds_that_suit_it(name):
    kind = creature(name)
    for spec in terrain_presets(kind).values():
        walker = Walker(name, spec)
        for _ in range(120):
            walker.step(1.0 / FPS, (0.0, 0.7 * kind.cruise))
        assert walker.places[0, 2] > 0.5 * kind.cruise, spec


def test_diagrams_have_the_left_legs_first_and_names_are_only_text():
    legs = creature("spider").legs
    assert [legs[k].name.split("_")[0] for k in row_order(legs)] == ["left"] * 4 + ["right"] * 4
    drawn = chart_html(legs, np.ones((3, 8), bool), 10, 2.0)
    assert drawn.count("M7 ") == 8 and "left first" in drawn
    assert "left legs" in chart_html(creature("centipede").legs, np.ones((3, 20), bool), 10, 2.0)
    assert "<script>" not in numbers_html("<script>", {"<script>": "<script>"})


def test_a_record_keeps_the_last_minute_and_how_far_it_went():
    walker = Walker("hexapod")
    record = WalkRecording(walker)
    assert len(record.clip()) == 1
    for _ in range(120):
        walker.step(1.0 / FPS, (0.0, 0.3))
        record.add()
    assert record.distance == pytest.approx(walker.places[0, 2])
    assert np.array_equal(record.standing(1.0), record.clip().contacts[-60:])
    assert len(record.standing(9.0)) == len(record.clip()) == 121
