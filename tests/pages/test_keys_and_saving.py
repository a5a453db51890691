"""Keys and fingers move the view and the time; pictures and films are saved by the browser."""

import io
import subprocess

import numpy as np
import pytest
from PIL import Image

from limbik.pages.clip_page import write_page
from tests.optional import optional
from tests.patience import PATIENCE
from tests.thoroughness import THOROUGH

from .browser import changed
from .motions import walk


@pytest.fixture(scope="module")
def walking(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "walk.html"
    write_page(walk(80), path, "slope:8", title="A walk: 1/2")
    return path


def test_keys_move_the_view_and_r_returns(walking, opened):
    page = opened(walking)
    page.scrub(0.3)
    first = page.picture()
    seen = []
    for key in ("a", "d", "w", "s", "+", "-") if THOROUGH else ("a", "w", "+"):
        page.page.keyboard.press(key)  # however short
        seen.append(page.picture())
        assert changed(first, seen[-1]) > 0.01
        page.page.keyboard.press("r")
        assert np.array_equal(first, page.picture())
    page.page.keyboard.down("a")
    page.page.wait_for_timeout(400)
    page.page.keyboard.up("a")
    assert changed(first, page.picture()) > changed(first, seen[0])
    assert all(changed(one, other) > 0.01 for k, one in enumerate(seen) for other in seen[:k])


def test_keys_work_after_a_button_was_pressed_and_change_speed_loop_and_follow(walking, opened):
    page = opened(walking)
    page.page.get_by_role("button", name="Next frame").click()
    page.page.keyboard.press("ArrowRight")
    assert page.time() == pytest.approx(2 / 60, abs=1e-6)
    page.page.get_by_role("button", name="Previous frame").click()
    assert page.time() == pytest.approx(1 / 60, abs=1e-6)
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.page.keyboard.press(key)
    assert page.page.get_by_label("Speed").input_value() == "0.5"
    for key, name in (("l", "Loop"), ("f", "Follow")):
        page.page.keyboard.press(key)
        assert page.page.get_by_role("button", name=name).get_attribute("aria-pressed") == "false"
    assert page.faults == []


def test_one_finger_turns_the_view(walking, opened):
    page = opened(walking, has_touch=True)
    page.scrub(0.3)
    first = page.picture()
    devtools = page.page.context.new_cdp_session(page.page)
    for kind, x in (("touchStart", 200), ("touchMove", 240), ("touchMove", 290), ("touchEnd", None)):
        points = [] if x is None else [{"x": x, "y": 150, "id": 1}]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert changed(first, page.picture()) > 0.05


def test_a_picture_is_what_is_seen(walking, opened):
    page = opened(walking)
    page.scrub(0.3)
    page.picture()
    with page.page.expect_download() as saved:
        page.page.get_by_role("button", name="Save a picture").click()
    assert saved.value.suggested_filename == "A walk_ 1_2.png"
    picture = np.asarray(Image.open(saved.value.path()).convert("RGB"), int)
    seen = np.asarray(Image.open(io.BytesIO(page.page.locator("#stage").screenshot())).convert("RGB"), int)
    assert picture.shape == seen.shape
    clear = np.s_[90:180, :200]  # neither the heading nor the controls
    assert np.abs(picture[clear] - seen[clear]).max() <= 2
    assert page.faults == []


def test_a_film_shows_the_motion_once(walking, opened):
    ffmpeg = optional("imageio_ffmpeg")
    page = opened(walking)
    with page.page.expect_download(timeout=1e3 * PATIENCE) as saved:
        page.page.get_by_role("button", name="Save a film").click()
    assert page.time() == pytest.approx(79 / 60, abs=1e-6)  # it ended, although it loops at other times
    assert saved.value.suggested_filename in ("A walk_ 1_2.mp4", "A walk_ 1_2.webm")
    command = [
        ffmpeg.get_ffmpeg_exe(),
        "-v",
        "error",
        "-i",
        saved.value.path(),
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-",
    ]
    shown = subprocess.run(command, capture_output=True, check=True).stdout
    frames = np.frombuffer(shown, np.uint8).reshape(-1, 330, 440, 3).astype(int)
    assert len(frames) >= 2
    assert changed(frames[0], frames[-1]) > 0.01
    assert page.faults == []
