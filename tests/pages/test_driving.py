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


def steering(walking, opened, **options):
    page = opened(walking, **options)
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


def heading(page):
    return float(page.page.locator("#stage").get_attribute("data-yaw"))


@pytest.mark.parametrize("by", ["Shift", "the button"])
def test_it_walks_backwards_and_sideways_where_it_keeps_its_heading(walking, opened, by):
    page = steering(walking, opened)
    keys = page.page.keyboard
    keys.down("Shift") if by == "Shift" else page.page.get_by_role("button", name="Keep heading").click()
    yaw = heading(page)
    for key in ("s", "d") if by == "Shift" else ("w", "a"):
        before = place(page)
        keys.down(key)
        page.page.wait_for_timeout(1500)
        keys.up(key)
        assert np.hypot(*(place(page) - before)[[0, 2]]) > 0.1
        assert abs(heading(page) - yaw) < 0.05
    if by == "Shift":
        keys.up("Shift")
        keys.down("s")
        page.page.wait_for_timeout(1500)
        assert abs(heading(page) - yaw) > 0.2  # now it turns
    assert not page.faults


def test_a_gait_is_kept_that_is_chosen(walking, opened):
    page = steering(walking, opened)
    choice = page.page.get_by_role("combobox", name="Gait")
    assert choice.locator("option").all_inner_texts() == ["Any gait", "wave", "ripple", "tripod"]
    choice.select_option("wave")
    start = place(page)
    page.page.keyboard.down("w")
    page.page.wait_for_timeout(2000)
    assert 0.0 < np.hypot(*(place(page) - start)[[0, 2]]) < 2.0 * limbik.creature("spider").gaits[0].speed * 2.0
    assert not page.faults


@pytest.mark.parametrize("finger", [False, True])
def test_a_click_on_the_ground_sends_it_there(walking, opened, finger):
    page = steering(walking, opened, has_touch=finger)
    width, height = page.page.viewport_size.values()
    start = place(page)
    (page.page.touchscreen.tap if finger else page.page.mouse.click)(0.65 * width, 0.55 * height)
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
