"""Whoever opens the page of a walk steers the creature: by keys, or by a click, on the ground of the clip."""

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError
from limbik.pages.clip_page import page_text, write_page

SMALL = 400_000  # bytes


@pytest.fixture(scope="module")
def walking(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "walk.html"
    clip = limbik.walk("spider", "hills:height=0.3,seed=3", seconds=10.0)
    write_page(clip, path, creature="spider")
    return path


def place(page):
    return np.array([float(word) for word in page.page.locator("#stage").get_attribute("data-place").split()])


def steering(walking, opened):
    page = opened(walking)
    page.page.get_by_role("button", name="Steer").click()
    page.page.locator("#stage[data-place]").wait_for()
    return page


def test_a_page_with_its_walker_is_small(walking):
    assert walking.stat().st_size < SMALL


def test_keys_lead_the_creature_where_they_point(walking, opened):
    page = steering(walking, opened)
    start = place(page)
    page.page.wait_for_timeout(400)
    assert np.hypot(*(place(page) - start)[[0, 2]]) < 0.02  # it stands until it is told to go
    ways = []
    for key in ("ArrowUp", "s"):
        before = place(page)
        page.page.keyboard.down(key)
        page.page.wait_for_timeout(2500)
        page.page.keyboard.up(key)
        ways.append((place(page) - before)[[0, 2]])
    assert np.hypot(*ways[0]) > 0.3
    assert ways[0] @ ways[1] < 0.0  # and back
    assert not page.faults and len(page.requests) == 1


def test_a_click_on_the_ground_sends_it_there(walking, opened):
    page = steering(walking, opened)
    width, height = page.page.viewport_size.values()
    start = place(page)
    page.page.mouse.click(0.65 * width, 0.55 * height)
    last, still = start, 0
    for _ in range(120):
        page.page.wait_for_timeout(250)
        now = place(page)
        still = still + 1 if np.hypot(*(now - last)[[0, 2]]) < 2e-3 else 0
        last = now
        if still > 4 and np.hypot(*(now - start)[[0, 2]]) > 0.1:
            break
    assert np.hypot(*(last - start)[[0, 2]]) > 0.1 and still > 4
    assert not page.faults


def test_escape_ends_steering_and_the_clip_plays_on(walking, opened):
    page = steering(walking, opened)
    assert not page.page.locator("#scrub").is_visible()
    page.page.keyboard.press("Escape")
    page.page.locator("#scrub").wait_for()
    start = page.time()
    page.until(lambda time: time != start)
    assert not page.faults


def test_a_creature_that_is_not_in_the_clip_is_refused():
    clip = limbik.walk("hexapod", seconds=0.2)
    with pytest.raises(ArgumentError, match="creature: got spider"):
        page_text(clip, creature="spider")
