"""The Walk tab: what is chosen, dragged, typed and pressed on a page is what the creature does, and is seen."""

import re

import numpy as np
import pytest

import limbik
from limbik.gait.creature import PRESETS
from limbik.gait.walker import Walker
from limbik.studio.application import Studio
from limbik.studio.walk_tab import FPS

from .visit import Visit, running, until

SMALL = (720, 560)  # the picture is drawn without a graphics card: less of it is faster
NARROW = (420, 800)


@pytest.fixture
def resting(visit):
    """Opens the tab with a creature that stands still: a function of the window's size."""
    return lambda size=SMALL: visit("Walk", size, lambda tab: tab._set_walking(False))


def _walked(page, seconds):
    """Lets the creature walk for a while, at once."""
    tab = page.tab

    def walk():
        for _ in range(round(seconds * FPS)):
            tab.advance(1.0 / FPS)
        tab._show(everything=True)

    page.do(walk)


def _moves_on(tab):
    """Waits until the creature has gone on for some frames."""
    before = tab.walker.state
    until(lambda: tab.walker.state is not before, "a creature that walks")


def _node(page, name):
    return page.studio.stage.scene._handle_from_node_name[f"/walk/{name}"]


def test_what_is_seen_is_what_the_creature_does(resting):
    page = resting()
    tab = page.tab
    _walked(page, 2.0)
    while tab.walker.state.planted.all():
        _walked(page, 0.05)

    walker = tab.walker
    contacts, feet = walker.contacts[0], walker.pose.positions()[list(walker.feet)]
    discs = _node(page, "marks/planted").vertices.reshape(len(feet), 2, -1, 3)
    assert np.array_equal(np.ptp(discs[:, 1], axis=1).max(axis=1) > 0.0, contacts)
    assert np.allclose(discs.mean(axis=(1, 2))[contacts], feet[contacts], atol=0.01)
    rings = _node(page, "marks/landing").vertices.reshape(walker.state.planted.shape[0], 2, -1, 3)
    aloft = ~walker.state.planted[:, 0]
    assert np.array_equal(np.ptp(rings[:, 1], axis=1).max(axis=1) > 0.0, aloft)
    assert np.allclose(rings.mean(axis=(1, 2))[aloft], walker.footholds[0, aloft], atol=0.01)

    words = f"{tab.recording.distance:.2f} m"
    until(lambda: words in page.page.locator(".walk-numbers").inner_text(), "the numbers of now")
    bars = page.page.locator("svg.gait path.bars").get_attribute("d")
    standing = tab.recording.standing(6.0)
    drawn = np.zeros((round(6.0 * FPS), len(walker.creature.legs)), bool)
    for start, row, length in re.findall(r"M(\d+) ([\d.]+)h(\d+)", bars):
        drawn[int(start) : int(start) + int(length), int(float(row))] = True
    rows = [f"{side}_{leg}" for side in ("left", "right") for leg in ("first", "second", "third", "fourth")]
    legs = [[leg.name for leg in walker.creature.legs].index(name) for name in rows]
    assert np.array_equal(drawn[-len(standing) :], standing[:, legs]) and not drawn[: -len(standing)].any()
    words = page.page.locator(".walk-numbers").inner_text()
    assert walker.gaits[0] in words and f"{contacts.sum()} of 8" in words and f"{standing.mean():.2f}" in words

    middle = np.array(page.on_screen(tab._frame.position + walker.places[0]), int)

    def creature_is_there():
        x, y = middle
        red, _, blue = np.moveaxis(page.picture()[y - 60 : y + 60, x - 60 : x + 60].astype(int), -1, 0)
        return np.mean(red - blue > 15) > 0.02  # brown and orange on a grey ground

    until(creature_is_there, "a brown spider in the middle")


def test_controls_do_what_they_say(resting):
    page = resting()
    tab = page.tab
    controls = tab._controls
    page.choose("Creature", "quadruped")
    until(lambda: tab.walker.creature.name == "quadruped", "another creature")
    until(lambda: controls.speed.max == tab.walker.fastest == 4.2, "its speeds")
    page.choose("Gait", "trot")
    until(lambda: tab.walker.gaits == ["trot"], "its gait")
    until(lambda: controls.speed.max == tab.walker.fastest == 2.2, "that gait's speeds")
    page.choose("Terrain", "slope of 10°")
    until(lambda: tab.walker.terrain == limbik.terrain("slope:10"), "other ground")
    assert tab.walker.creature.name == "quadruped" and tab.walker.fastest == 2.2

    track = page.control("Speed").bounding_box()
    thumb = page.control("Speed").locator("[role=slider]").bounding_box()
    height = thumb["y"] + 0.5 * thumb["height"]
    page.drag((thumb["x"] + 0.5 * thumb["width"], height), (track["x"] + 0.5 * track["width"], height))
    until(lambda: abs(controls.speed.value - 1.1) < 0.15, "its speed")
    numbers = page.page.locator(".walk-numbers")
    until(lambda: f"Target speed\n{controls.speed.value:.2f} m/s" in numbers.inner_text(), "the speed of the slider")
    page.write("Heading", 90)
    until(lambda: controls.heading.value == 90, "its heading")

    strength = controls.strength.value
    for side, pushed in (("left", (-1, 0)), ("right", (0, 0)), ("front", (0, -1)), ("back", (0, 0)), ("back", (0, 1))):
        page.press(side)
        until(lambda pushed=pushed: np.allclose(tab.walker.velocities[0], strength * np.array(pushed)), "a push")
    _walked(page, 5.0)
    assert tab.walker.heading_degrees[0] == pytest.approx(90.0, abs=2.0)
    assert np.allclose(tab.walker.velocities[0], (controls.speed.value, 0.0), atol=0.1)

    page.press("Restart")
    until(lambda: tab.recording.distance == 0.0, "a new walk")
    assert np.allclose(tab.walker.places[0, ::2], 0.0) and tab.walker.heading_degrees[0] == pytest.approx(90.0)
    page.unfold("View and push")
    page.tick("Follow")
    until(lambda: not controls.follow.value, "a tick that is gone")
    held = np.array(tab._frame.position)
    _walked(page, 1.0)
    assert np.array_equal(tab._frame.position, held)
    page.tick("Follow")
    until(lambda: not np.array_equal(tab._frame.position, held), "a picture that follows")
    assert np.allclose(tab._frame.position, -tab._follower.position)


def test_own_grounds_and_creatures_walk_and_broken_ones_are_told_of(resting, tmp_path):
    page = resting()
    tab = page.tab
    page.unfold("Custom terrain or creature")
    walker = tab.walker
    page.write("Description", "hils:height=0.4", handle=tab._controls.description)
    page.page.get_by_text("did you mean 'hills'?").wait_for()
    assert tab.walker is walker
    _walked(page, 0.2)
    assert tab.recording.distance > 0.0
    page.write("Description", "hills:height=0.4,seed=7", handle=tab._controls.description)
    until(lambda: tab.walker.terrain == limbik.terrain("hills:height=0.4,seed=7"), "that ground")
    until(lambda: page.control("Terrain").input_value() == "hills:height=0.4,seed=7", "its name")

    preset = (PRESETS / "hexapod.toml").read_text("utf-8")
    right, wrong = tmp_path / "ant.toml", tmp_path / "broken.toml"
    right.write_text(preset, "utf-8")
    wrong.write_text(preset.replace("height = 0.15", "height = -1"), "utf-8")
    walker = tab.walker
    page.upload(wrong)
    page.page.get_by_text("broken.toml").last.wait_for()
    page.page.get_by_text("That does not work").last.wait_for()
    assert tab.walker is walker
    page.upload(right)
    until(lambda: tab.walker.creature.name == "ant", "the creature")
    assert tab.walker.terrain == limbik.terrain("hills:height=0.4,seed=7")
    until(lambda: page.control("Creature").input_value() == "ant", "its name")
    page.choose("Creature", "centipede")
    until(lambda: tab.walker.creature.name == "centipede", "another creature")


def test_a_walk_can_be_kept_as_a_clip_and_as_a_page(resting):
    page = resting()
    tab = page.tab
    _walked(page, 2.0)
    page.unfold("Save the walk")
    path = page.download("As a clip (.glb)")
    clip, walked = limbik.load(path), tab.recording.clip()
    assert path.name == "spider.glb" and clip.skeleton.names == walked.skeleton.names and len(clip) == len(walked)
    assert np.allclose(clip.positions(), walked.positions(), atol=1e-4)
    path = page.download("As a page that plays it (.html)")
    assert path.name == "spider.html" and "<canvas" in path.read_text("utf-8")


def test_all_pages_see_the_same_walk_which_waits_when_nobody_looks(browser):
    with running("Walk") as studio:
        tab = studio.tab
        tab._set_walking(False)
        first, second = Visit(browser, studio, size=SMALL), Visit(browser, studio, size=NARROW)
        first.press("Walk")
        _moves_on(tab)
        first.do(lambda: tab._toggle(None))
        assert not tab.moving
        distance = f"{tab.recording.distance:.2f} m"
        for page in (first, second):
            page.page.get_by_role("button", name="Walk", exact=True).wait_for()
            until(
                lambda page=page: distance in page.page.locator(".walk-numbers").inner_text(), "the walk on each page"
            )
        first.press("Walk")
        _moves_on(tab)
        first.close()
        until(lambda: len(studio.stage.server.get_clients()) == 1, "one page that is gone")
        _moves_on(tab)
        second.check()
        second.close()
        until(lambda: not studio.stage.watched, "pages that are gone")
        first.idle()
        state = tab.walker.state
        for _ in range(3):  # the thread runs jobs, and nothing moves
            first.idle()
        assert tab.moving and tab.walker.state is state


def test_a_gait_that_the_next_creature_has_too_stays_chosen():
    with Studio("127.0.0.1", 0, "Walk") as studio:
        tab, controls = studio.tab, studio.tab._controls
        controls.gait.value = "ripple"
        tab._change_gait()
        for name, gait in (("hexapod", "ripple"), ("biped", "automatic")):
            controls.creature.value = name
            tab._choose_creature()
            assert controls.gait.value == gait
            kept = None if gait == "automatic" else gait
            assert tab.walker.fastest == Walker(name, gait=kept).fastest == pytest.approx(controls.speed.max)
