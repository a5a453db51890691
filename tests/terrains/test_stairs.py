"""Stairs have treads where they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.terrains.base import direction
from limbik.terrains.stairs import Stairs

from .grounds import places, stairs


def test_treads_begin_at_the_start_and_end_with_the_last_step():
    flight = Stairs(rise=0.2, run=0.3, start=1.0, steps=3)
    z = np.array([-50.0, 0.0, 0.99, 1.01, 1.29, 1.31, 1.59, 1.61, 1.89, 1.91, 50.0])
    heights = flight.height(np.stack([np.full(z.shape, 7.0), z], axis=-1))
    np.testing.assert_allclose(heights, 0.2 * np.array([0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3]))


def test_stairs_without_a_number_of_steps_do_not_end():
    assert Stairs(rise=0.17, run=0.3, start=0.0).height((0.0, 300.0 + 0.1)) == pytest.approx(0.17 * 1001)


def test_an_edge_belongs_to_the_higher_tread():
    assert Stairs(rise=0.5, run=1.0, start=0.0).height([[0, 0], [0, 1], [0, 2]]).tolist() == [0.5, 1.0, 1.5]
    assert Stairs(rise=-0.5, run=1.0, start=0.0).height([[0, 0], [0, 1], [0, 2]]).tolist() == [0.0, -0.5, -1.0]


@given(stairs, places)
def test_heights_depend_on_the_distance_along_the_heading_alone(flight, xz):
    straight = Stairs(flight.rise, flight.run, flight.start, flight.steps)
    across, along = np.sin(np.radians(flight.heading_degrees)), np.cos(np.radians(flight.heading_degrees))
    distance = xz[0] * across + xz[1] * along
    edge = (distance - flight.start) / flight.run
    if abs(edge - round(edge)) > 1e-9:
        assert flight.height(xz) == pytest.approx(straight.height((0.0, distance)), abs=1e-12)


@pytest.mark.parametrize("degrees, xz", [(0, (0, 1)), (90, (1, 0)), (180, (0, -1)), (270, (-1, 0)), (-90, (-1, 0))])
def test_headings_along_the_axes_are_exact(degrees, xz):
    assert direction(degrees) == xz


@given(st.floats(-360.0, 360.0))
def test_headings_turn_from_z_to_x(degrees):
    np.testing.assert_allclose(
        direction(degrees), [np.sin(np.radians(degrees)), np.cos(np.radians(degrees))], atol=1e-12
    )


@given(stairs, places, places)
def test_no_place_on_a_line_is_above_its_highest_ground(flight, a, b):
    part = np.linspace(0.0, 1.0, 301)[:, None]
    heights = flight.height((1.0 - part) * a + part * b)
    highest = flight.highest(a, b)
    assert highest == max(heights[0], heights[-1])
    # Where a line ends at an edge, rounding may put the place before it beyond.
    assert np.count_nonzero(heights > highest + 1e-9) <= 1
