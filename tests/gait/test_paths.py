"""Walks along waypoints, and what `walk` takes."""

import numpy as np
import pytest

from limbik.errors import LimbikError
from limbik.gait.creature import creature
from limbik.gait.walking import walk

from .walks import PRESETS

CORNERS = np.array([[0.0, 0.0], [0.0, 2.0], [2.0, 2.0]])


@pytest.mark.parametrize("name", PRESETS)
def test_a_creature_walks_along_a_path_and_stops_at_its_end(name):
    size = {"biped": 2.0, "quadruped": 1.5}.get(name, 0.4)
    corners = size * CORNERS + (1.0, -2.0)
    clip = walk(name, "hills", path=corners, fps=30.0)
    place = clip.translations[:, 0, ::2]
    near = np.linalg.norm(place[:, None] - corners, axis=-1).min(axis=0)
    assert near[0] == 0.0 and near[1] < 0.25 * size + 0.1
    assert np.linalg.norm(place[-1] - corners[-1]) < 0.03
    assert clip.contacts[-1].all()


def test_a_crowd_keeps_beside_one_another_on_a_path():
    clip = walk("spider", path=CORNERS, count=3, fps=30.0)
    place = clip.translations[:, list(clip.skeleton.roots)][..., ::2]
    went = place[-1] - place[0]
    assert np.allclose(went, CORNERS[-1], atol=0.05)


def test_a_clip_has_so_many_frames_and_starts_where_it_is_told():
    clip = walk("hexapod", seconds=1.5, fps=24.0, at=(3.0, -1.0), heading=90.0)
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
        ({"speed": 40.0}, "speed: got 40.0; .*at most 0.8, for a spider"),
        ({"speed": -1.0}, "speed"),
        ({"gait": "trot"}, "gait of a spider: got 'trot'; expected one of 'wave', 'ripple', 'tripod'"),
        ({"gait": "wave", "speed": 0.5}, "the wave of a spider"),
        ({"seconds": 0.0}, "seconds"),
        ({"fps": float("nan")}, "fps"),
        ({"count": 0}, "count: got 0"),
        ({"path": [(0, 0)]}, "path"),
        ({"path": [(0, 0), (0, 0)]}, "path: .*differ"),
        ({"path": [(0, 0), (1, 1)], "turn": 3.0}, "none of them with a path"),
        ({"heading": np.inf}, "heading"),
        ({"at": (1, 2, 3)}, "at: got"),
        ({"turn": np.nan}, "turn"),
    ],
)
def test_what_cannot_be_walked_is_told(options, words):
    with pytest.raises(LimbikError, match=words):
        walk("spider", **options)


def test_unknown_creatures_are_told_which_there_are():
    with pytest.raises(
        LimbikError, match="got 'cat'; expected one of 'biped', 'centipede', 'hexapod', 'quadruped', 'sp"
    ):
        creature("cat")
