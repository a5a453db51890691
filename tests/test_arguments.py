"""The argument checks that every public function shares."""

import numpy as np
import pytest

from limbik import arguments
from limbik.errors import ArgumentError, ChoiceError, ShapeError


@pytest.mark.parametrize("value", [1, 1.0, np.float32(1.0), np.int64(1), np.array(1.0)])
def test_numbers_of_every_kind_are_accepted(value):
    assert arguments.number("speed", value, 0.0, 2.0) == 1.0
    assert arguments.whole("count", value, 1) == 1


@pytest.mark.parametrize("value", ["1", b"1", True, None, [1, 2], float("nan"), float("inf"), 10**400, 3.0, object()])
def test_what_is_no_number_in_the_range_is_refused_by_name(value):
    with pytest.raises(ArgumentError, match=r"^speed: got .*; expected a number of m/s from 0 to 2$"):
        arguments.number("speed", value, 0.0, 2.0, "m/s")


@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True, None, float("nan")])
def test_whole_numbers(value):
    with pytest.raises(ArgumentError, match=r"^count: got .*; expected a whole number, 1 or more$"):
        arguments.whole("count", value, 1)


def test_positive_excludes_zero():
    with pytest.raises(ArgumentError, match=r"fps: got 0; expected a number greater than 0"):
        arguments.positive("fps", 0)


def test_choices_suggest_the_closest_word():
    assert arguments.choice("style", "easy", ["natural", "easy"]) == "easy"
    with pytest.raises(ChoiceError, match=r"did you mean 'natural'"):
        arguments.choice("style", "Natrual", ["natural", "easy"])
    with pytest.raises(ChoiceError, match=r"one of 'natural', 'easy'$"):
        arguments.choice("style", 3, ["natural", "easy"])


def test_vectors():
    np.testing.assert_array_equal(arguments.vector("at", [1, 2], 2), [1.0, 2.0])
    with pytest.raises(ShapeError):
        arguments.vector("at", [1, 2, 3], 2)
    with pytest.raises(ArgumentError, match=r"nan at index \(1,\)"):
        arguments.vector("at", [1, float("nan")], 2)
    with pytest.raises(ArgumentError, match=r"real numbers"):
        arguments.vector("at", [[1], [2, 3]], 2)


def test_paths_and_instances():
    assert arguments.file_path("path", "a/b").name == "b"
    for bad in (None, 3, b"a", "", "a\0b"):
        with pytest.raises(ArgumentError, match=r"^path: "):
            arguments.file_path("path", bad)
    with pytest.raises(ArgumentError, match=r"clip: got 'walk.bvh'; expected a Clip"):
        arguments.instance("clip", "walk.bvh", list, "a Clip")
    with pytest.raises(ArgumentError, match=r"got a list"):
        arguments.flag("loop", list(range(100)))
