"""Creatures of one's own, and what is said of those that cannot walk."""

from dataclasses import replace

import numpy as np
import pytest

from limbik.errors import FileError, LimbikError
from limbik.gait.creature import PRESETS, Appendage, Creature, Gait, Leg, Trunk, creature, preset_names
from limbik.gait.gait_patterns import phases
from limbik.gait.walker import Walker

from .walks import ahead, stepped

SPIDER = creature("spider")
WALK = Gait("walk", (0.0, 0.5, 0.5, 0.0), duty=0.6, speed=0.5, cycle=(0.6, 0.45), lift=0.05)
# A robot: two links a leg, knees back, and one gait.
ROBOT = Creature(
    name="robot",
    body=Trunk(0.4, 0.2, 0.1),
    height=0.3,
    legs=(
        *Leg("front", (0.1, 0.0, 0.18), (0.2, 0.2), (0.12, 0.18), knee="back").pair(),
        *Leg("hind", (0.1, 0.0, -0.18), (0.2, 0.2), (0.12, -0.18), knee="back").pair(),
    ),
    gaits=(WALK,),
    foot=0.02,
    cruise=0.4,
)


def _leg(**changes):
    return replace(SPIDER, legs=(replace(SPIDER.legs[0], **changes), *SPIDER.legs[1:]))


def _gait(**changes):
    return replace(SPIDER, gaits=(replace(SPIDER.gaits[0], **changes), *SPIDER.gaits[1:]))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: replace(SPIDER, legs=()), "legs: got 0 of them; expected 1 to 256"),
        (lambda: replace(SPIDER, gaits=()), "gaits: got 0 of them"),
        (
            lambda: _leg(lengths=(0.0, 0.2, 0.1)),
            r"leg 'left_first': lengths\[0\]: got 0.0; expected a number of metres from 0.0001",
        ),
        (lambda: _leg(lengths=(0.2,)), "'left_first': lengths: .*two or three"),
        (lambda: _leg(lengths=(0.2, float("nan"), 0.1)), "'left_first': lengths"),
        (lambda: _leg(foothold=(3.0, 3.0)), "'left_first': foothold: .*a foothold that the links reach: .*can be"),
        (lambda: _leg(lean=62.0), "'left_first': lean: .*the side of the knee"),
        (
            lambda: _leg(knee="sideways"),
            "'left_first': knee: got 'sideways'; expected one of 'up', 'out', 'forward', 'b",
        ),
        (lambda: _leg(toe="up"), "'left_first': toe"),
        (lambda: _leg(segment=1), "'left_first': segment: got 1; expected less than 1, the number of segments"),
        (lambda: _leg(name="right_first"), "legs: name: got 'right_first' twice"),
        (lambda: _leg(attachment=(0.0, 0.0)), "'left_first': attachment: .*3 numbers"),
        (
            lambda: replace(SPIDER, legs=(*SPIDER.legs[:7], replace(SPIDER.legs[7], lengths=(0.2, 0.2), heel=0.1))),
            "heel",
        ),
        (lambda: _gait(phases=(0.0, 0.5)), r"gait 'wave': phases: .*one for each leg \(left_first, right_first"),
        (lambda: _gait(phases=(1.0,) * 8), "gait 'wave': phases"),
        (lambda: _gait(duty=1.2), "gait 'wave': duty: got 1.2; expected a number from 0.05 to 0.95"),
        (lambda: _gait(cycle=(1.0, 0.2)), "gait 'wave': cycle"),
        (
            lambda: replace(SPIDER, gaits=(SPIDER.gaits[1], SPIDER.gaits[0], SPIDER.gaits[2])),
            "gait 'wave': speed: got 0.08; expected more than 0.28",
        ),
        (
            lambda: _gait(cycle=(8.0, 8.0)),
            "gait 'wave': speed: .*a speed, .* whose stride the legs reach: .* would have to reach",
        ),
        (lambda: replace(SPIDER, height=True), "height: got True"),
        (lambda: replace(SPIDER, foot="big"), "foot: got 'big'"),
        (lambda: replace(SPIDER, cruise=2.0), "cruise: got 2.0; expected at most 0.8"),
        (lambda: replace(SPIDER, body=Trunk(0.1, 0.1, 0.1, segments=0)), "body.segments"),
        (lambda: replace(SPIDER, parts=(Appendage("head", "neck", (0, 0, 0.1)),)), "part 'head': parent: got 'neck'"),
        (
            lambda: replace(SPIDER, parts=(Appendage("head", "body", (0, 0, 0.1), swing=3.0),)),
            "part 'head': leg: got ''",
        ),
    ],
)
def test_what_is_wrong_is_told_by_the_name_of_the_field(make, words):
    with pytest.raises(LimbikError, match=words):
        make()


def test_a_robot_of_two_links_walks():
    walk = stepped(Walker(ROBOT, "slope:8"), 4.0, lambda t, w: (ahead(w, 0.4), 20.0))
    assert walk.slide < 1e-6 and np.abs(walk.above_ground[walk.contacts]).max() < 1e-3
    assert walk.above_ground.min() > -1e-9 and walk.extension.max() < 0.9999 and walk.turning.max() < 40.0
    assert "left_front_knee" in walk.clip.skeleton.names and "left_front_ankle" not in walk.clip.skeleton.names


def test_a_creature_may_have_legs_of_two_and_of_three_links_and_no_pairs():
    tail = Leg("tail", (0.0, 0.0, -0.2), (0.2, 0.15, 0.1), (0.0, -0.42), knee="up", toe="out", lean=20.0)
    gait = replace(WALK, phases=(*WALK.phases, 0.25))
    beast = replace(ROBOT, name="beast", legs=(*ROBOT.legs, tail), gaits=(gait,))
    walk = stepped(Walker(beast), 3.0, lambda t, w: (ahead(w, 0.3), 0.0))
    assert walk.slide < 1e-6 and walk.extension.max() < 0.9999 and walk.turning.max() < 40.0
    assert not walk.standing[:, 0, 4].all()


@pytest.mark.parametrize("name", preset_names())
def test_presets_come_by_name_and_by_file(name):
    assert creature(name) == Creature.from_toml(PRESETS / f"{name}.toml") == creature(str(PRESETS / f"{name}.toml"))
    assert creature(creature(name)) is creature(name)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("height = 0.16", "heigth = 0.16", "creature: got the unknown key 'heigth'; .*did you mean 'height'"),
        ("height = 0.16", "", "height: got nothing"),
        (
            "[body]\nlength = 0.18",
            "[body]\nlenght = 0.18",
            r"body: got the unknown key 'lenght'; .*did you mean 'length'",
        ),
        (
            "lengths = [0.21, 0.23, 0.08]\nfoothold = [0.22",
            "lengths = [0.21, 'a']\nfoothold = [0.22",
            r"leg 'first': lengths\[1\]: got 'a'",
        ),
        (
            "attachment = [0.045, 0.0, 0.075]",
            "atachment = [0.045, 0.0, 0.075]",
            r"legs\[0\]: got the unknown key 'atachment'; .*did you mean 'attachment'",
        ),
        (
            'phases = "ripple"',
            'phases = "riple"',
            "gaits.ripple.phases: got 'riple'; expected one of 'tripod', 'ripple'",
        ),
        ('phases = "ripple"', 'phases = "trot"', "gaits.ripple.phases: got 'trot'"),
        ("[gaits.wave]", "[gaits.wave", "is not valid TOML: .*line"),
        ('name = "first"', 'name = "first"\nmirror = 3', r"legs\[0\].mirror: got 3; expected True or False"),
        ('name = "first"', 'name = "first"\nmirror = false', "phases: .*legs in pairs"),
        ("[[legs]]", "[[legz]]", "creature: got the unknown key 'legz'; .*did you mean 'legs'"),
        ("duty = 0.875", "duty = 'long'", "gait 'wave': duty: got 'long'"),
    ],
)
def test_a_typo_in_a_file_is_told(tmp_path, old, new, words):
    text = (PRESETS / "spider.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new))
    with pytest.raises(FileError, match=words) as told:
        creature(path)
    assert str(told.value).startswith(str(path))


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        creature(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="cannot be read as text"):
        creature(tmp_path / "bad.toml")


def test_a_file_without_a_name_gives_its_own(tmp_path):
    (tmp_path / "mine.toml").write_text((PRESETS / "hexapod.toml").read_text())
    assert creature(tmp_path / "mine.toml").name == "mine"


def test_patterns_have_the_orders_of_the_field():
    pairs = [0, 1]
    # Legs are front to back, left before right; a hind leg is followed by the one before it.
    left_fore, right_fore, left_hind, right_hind = phases("walk", pairs * 2, "")
    assert [left_hind, left_fore, right_hind, right_fore] == [0.0, 0.25, 0.5, 0.75]
    assert phases("trot", pairs * 2, "") == (0.5, 0.0, 0.0, 0.5)
    assert phases("tripod", pairs * 3, "") == (0.0, 0.5, 0.5, 0.0, 0.0, 0.5)
    wave = phases("wave", pairs * 3, "")
    assert np.allclose(wave, (2 / 6, 5 / 6, 1 / 6, 4 / 6, 0.0, 3 / 6))
    ripple = phases("ripple", pairs * 3, "")
    assert np.allclose(ripple[::2], (2 / 3, 1 / 3, 0.0)) and np.allclose(
        (np.array(ripple[1::2]) - ripple[::2]) % 1.0, 0.5
    )
