"""Walks along waypoints, and what `walk` takes."""

from itertools import pairwise

import numpy as np
import pytest

from limbik.errors import LimbikError
from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from limbik.gait.walking import walk

from .walks import PRESETS, centres

CORNERS = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 2.0]])


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_walks_along_a_path_and_stops_at_its_end(name):
    size = {"biped": 2.0, "quadruped": 1.5}.get(name, 0.4)
    corners = size * CORNERS + (1.0, -2.0)
    clip = walk(name, "hills", path=corners, fps=30.0)
    place = centres(clip, name)
    near = np.linalg.norm(place[:, None] - corners, axis=-1).min(axis=0)
    assert near[0] < 1e-3 and near[1] < 1.2 * creature(name).body.width
    assert np.linalg.norm(place[-1] - corners[-1]) < 0.03
    assert clip.contacts[-1].all()


@pytest.mark.parametrize(
    ("name", "speed", "size"), [("hexapod", 0.5, 1.5), ("biped", 1.3, 4.0), ("centipede", 0.14, 0.7)]
)
def test_a_creature_keeps_its_speed_along_a_square_and_stays_within_its_width(name, speed, size):
    corners = size * np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    place = centres(walk(name, path=corners, speed=speed, fps=60.0), name)
    sides = pairwise(corners)
    along = [np.clip((place - a) @ (b - a) / size**2, 0.0, 1.0)[:, None] * (b - a) + a for a, b in sides]
    off = np.min([np.linalg.norm(place - there, axis=-1) for there in along], axis=0)
    assert off.max() < creature(name).body.width
    halfway = len(place) // 2
    start = np.flatnonzero(np.linalg.norm(place - corners[0], axis=-1) > 0.2 * size)[0]
    end = halfway + np.flatnonzero(np.linalg.norm(place[halfway:] - corners[-1], axis=-1) < 0.2 * size)[0]
    assert 3.6 * size / ((end - start) / 60.0) == pytest.approx(speed, rel=0.1)
    side = np.flatnonzero((place[:, 1] > 0.5 * size) & (place[:, 1] < 0.7 * size) & (place[:, 0] < 0.1 * size))
    assert np.ptp(place[side, 1]) / ((len(side) - 1) / 60.0) == pytest.approx(speed, rel=0.03)


def test_a_route_that_ends_where_it_starts_is_walked_at_once():
    square = [(0.0, 0.0), (0.0, 0.7), (0.7, 0.7), (0.7, 0.0), (0.0, 0.0)]
    clip = walk("hexapod", path=square, fps=30.0)
    assert clip.duration < 2.8 / 0.35 + 3.0


def test_a_crowd_keeps_beside_one_another_on_a_path():
    clip = walk("spider", path=CORNERS, count=3, fps=30.0)
    place = clip.translations[:, list(clip.skeleton.roots)][..., ::2]
    went = place[-1] - place[0]
    assert np.allclose(went, CORNERS[-1], atol=0.05)


def test_a_clip_has_so_many_frames_and_starts_where_it_is_told():
    clip = walk("hexapod", seconds=1.5, fps=24.0, at=(3.0, -1.0), heading_degrees=90.0)
    assert len(clip) == 37 and clip.fps == 24.0 and clip.name == "hexapod"
    assert np.allclose(clip.translations[0, 0, ::2], (3.0, -1.0), atol=1e-6)
    went = clip.translations[-1, 0] - clip.translations[0, 0]
    assert went[0] > 0.3 and abs(went[2]) < 0.02


def test_progress_is_told_from_little_to_all():
    told = []
    walk("hexapod", seconds=0.5, progress=told.append)
    assert told == sorted(told) and told[0] < 0.1 and told[-1] == 1.0


def test_a_gait_alone_is_walked_at_a_speed_that_suits_it():
    slow, fast = (walk("quadruped", seconds=3.0, gait=gait, fps=30.0) for gait in ("walk", "gallop"))
    assert fast.translations[-1, 0, 2] > 3.0 * slow.translations[-1, 0, 2]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"speed": 40.0}, "speed of the spider: got 40.0; .*at most 0.8"),
        ({"speed": -1.0}, "speed"),
        ({"gait": "trot"}, "gait of the spider: got 'trot'; expected one of 'wave', 'ripple', 'tripod'"),
        ({"gait": "wave", "speed": 0.5}, "speed of the spider at a wave: got 0.5; .*at most 0.08"),
        ({"seconds": 0.0}, "seconds"),
        ({"fps": float("nan")}, "fps"),
        ({"count": 0}, "count: got 0"),
        ({"path": [(0, 0)]}, "path"),
        ({"path": [(0, 0), (0, 0)]}, "path: .*differ"),
        ({"path": [(0, 0), (1, 1)], "turn_degrees": 3.0}, "none of these together with a path"),
        ({"heading_degrees": np.inf}, "heading"),
        ({"at": (1, 2, 3)}, "at: got"),
        ({"seconds": "x"}, "seconds: got 'x'; expected a number greater than 0"),
        ({"seconds": 1e9}, "seconds: got 1e.09 s at 60 fps; expected at most 1,000,000 frames"),
        ({"speed": "fast"}, "speed of the spider: got 'fast'"),
        ({"fps": True}, "fps: got True"),
        ({"at": "here"}, "at: got 'here'"),
        ({"path": "round"}, "path: got 'round'"),
        ({"path": [(0, 0), (1, None)]}, "path"),
        ({"seed": -1}, "seed: got -1"),
        ({"seed": "x"}, "seed: got 'x'"),
        ({"count": 1.5}, "count: got 1.5"),
        ({"gait": 3}, "gait of the spider: got 3"),
        ({"progress": 3}, "progress: got 3"),
        ({"terrain": None}, "terrain: got None"),
        ({"terrain": 10**400}, "terrain: got an int"),
        ({"turn_degrees": np.nan}, "turn_degrees"),
    ],
)
def test_what_cannot_be_walked_is_told(options, words):
    with pytest.raises(LimbikError, match=words):
        walk("spider", **options)


@pytest.mark.parametrize(
    "kind", [None, 3, b"spider", ["spider"], 10**5000], ids=["None", "number", "bytes", "list", "huge"]
)
def test_what_is_no_creature_is_told(kind):
    for call in (creature, walk, Walker):
        with pytest.raises(LimbikError, match=r"creature: got .*; expected the name of a preset"):
            call(kind)


@pytest.mark.parametrize("count", [np.int64(2), np.uint8(2), 2.0])
def test_numbers_of_numpy_are_numbers(count):
    assert Walker("hexapod", count=count, seed=np.int32(1)).count == 2


def test_unknown_creatures_are_told_which_there_are():
    with pytest.raises(
        LimbikError, match="got 'cat'; expected one of 'biped', 'centipede', 'hexapod', 'quadruped', 'sp"
    ):
        creature("cat")
