"""Strides on steps: the figure slows down on its way, evenly, to the end; one that wanders about has no strides."""

import re

import numpy as np
import pytest

from limbik import samples
from limbik.grounding import strides
from limbik.grounding.ground import ground

STAIRS = "stairs:rise=0.17,run=0.3"


@pytest.mark.parametrize("frames", range(95, 155, 6))
def test_the_figure_does_not_hurry_after_its_last_step(frames):
    """A clip that ends in a swing: its last frames go on as slowly as those before."""
    result = ground(samples.walk(frames), STAIRS)
    root = result.clip.positions()[:, 0][:, [0, 2]]
    speed = np.linalg.norm(np.diff(root, axis=0), axis=-1) * result.clip.fps
    assert speed[-20:].max() < 1.15 * speed[30:-20].max()


@pytest.mark.parametrize("frames", [61, 240])
def test_the_note_is_about_the_clip_and_not_about_its_repetitions(frames):
    """A cycle is grounded between repetitions of itself, in which it falls behind further."""
    result = ground(samples.walk(frames), "stairs:rise=0.25,run=0.25")
    told = float(re.search(r"ends ([0-9.]+) m behind", " ".join(result.notes))[1])
    moved = (result.clip.positions() - result.before.positions())[-1, 0, ::2]
    assert told == pytest.approx(np.linalg.norm(moved), abs=0.2) and told > 0.2


def pacing(to, frames=650):
    """A walk that goes to and fro, and hardly leaves its place."""
    clip = samples.walk(frames)
    moved = np.zeros((frames, 3))
    root = clip.positions()[:, 0]
    moved[:, 2] = to * np.sin(np.arange(frames) * 2 * np.pi / 200) - (root[:, 2] - root[0, 2])
    return clip.moved(translation=moved)


def test_a_figure_that_wanders_about_stays_where_it_is():
    clip = pacing(0.6)
    result = ground(clip, STAIRS)
    moved = (result.clip.positions() - result.before.positions())[:, 0][:, [0, 2]]
    assert np.linalg.norm(moved, axis=-1).max() < 0.2


def test_a_foot_that_hardly_moves_between_two_stances_stays_in_one_place():
    clip = samples.walk(240)
    free = ground(clip, STAIRS)
    frames = free.contact_intervals()["left_leg"]["ball"]
    first, stop = frames[2]
    contacts = np.asarray(free.clip.contacts).copy()
    middle = (first + stop) // 2
    contacts[middle : middle + 2, 0] = False  # a gap of two frames, in which it rests all the same
    split = ground(clip, STAIRS, contacts=contacts)
    ball = split.clip.positions()[:, split.clip.feet[0]]
    places = [ball[first:middle].mean(axis=0), ball[middle + 2 : stop].mean(axis=0)]
    assert np.linalg.norm(places[1] - places[0]) < 0.02
    assert strides.MAX_STAY_SECONDS * clip.fps > 2
