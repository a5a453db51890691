"""Makes the pictures of pages, of the studio and of rendered clips in docs/pictures: `python docs/screens.py [NAME …]`.

Pages and the studio are looked at by headless Chromium (needs playwright); rendered clips need no browser.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
from picture_files import keep
from PIL import Image
from playwright.sync_api import sync_playwright

import limbik
from limbik.studio.application import Studio

OPTIONS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking")
PAGE = {"width": 1000, "height": 560}
STUDIO = {"width": 1280, "height": 800}
SLOW = 180_000  # milliseconds that a machine without a graphics card may take
WHITE, STILL = 248.0, 0.02  # mean of a corner, below which it is not white; mean difference of pictures alike; of 255
HILLS = "hills:height=0.3,seed=3"
RIG_DRAGS = {"pelvis": (0.0, -0.07, 0.0), "left_hand": (0.2, 0.55, 0.1), "right_hand": (-0.1, 0.1, 0.3)}  # metres


def poses(_: Any) -> Image.Image:
    """A spider on its way over hills, at five times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "poses.png"
        limbik.render(limbik.walk("spider", HILLS, seconds=7), path, poses=5, view="side", size=(1000, 340))
        return Image.open(path).convert("RGB")


def stairs(_: Any) -> Image.Image:
    """A walk up and down stairs: raised to the ground, above, and grounded."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stairs.png"
        for rise in (0.17, -0.17):
            result = limbik.ground(limbik.samples.walk(240), f"stairs:rise={rise},run=0.3,start=0.6")
            pair = []
            for clip in (result.before_on_terrain.with_(terrain=result.terrain), result.clip):
                limbik.render(clip, path, poses=6, view="side", size=(640, 420))
                pair.append(Image.open(path).convert("RGB"))
            rows.append(pair)
    sheet = Image.new("RGB", (1280, 840))
    for column, pair in enumerate(rows):
        for row, picture in enumerate(pair):
            sheet.paste(picture, (640 * column, 420 * row))
    return sheet


def walk(browser: Any) -> Image.Image:
    """The page of a spider on hills, at 70 % of its motion."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.html"
        limbik.write_page(limbik.walk("spider", HILLS, seconds=6), path, title="limbik walk")
        window = browser.new_page(viewport=PAGE, reduced_motion="reduce")
        window.goto(path.as_uri())
        slider = window.locator("input[type=range]")
        slider.evaluate("e => { e.value = 0.7 * e.max; e.dispatchEvent(new Event('input', {bubbles: true})); }")
        window.wait_for_timeout(1500)
        return _page_shot(window)


def studio_limb(browser: Any) -> Image.Image:
    """The Limb tab as it opens."""
    with _studio("Limb") as studio:
        return _shot(_visited(browser, studio))


def studio_robot(browser: Any) -> Image.Image:
    """The Robot tab as it opens."""
    with _studio("Robot") as studio:
        return _shot(_visited(browser, studio))


def studio_rig(browser: Any) -> Image.Image:
    """The Rig tab: a character that crouches and reaches out with both hands."""
    with _studio("Rig") as studio:
        window = _visited(browser, studio)
        for end, shift in RIG_DRAGS.items():
            handle = studio.tab._handles[end]
            handle.position = handle.position + np.array(shift)
            _done(studio, lambda end=end: studio.tab._drag(end))
        window.wait_for_timeout(SLOW / 12)
        return _shot(window)


def studio_walk(browser: Any) -> Image.Image:
    """The Walk tab after some seconds."""
    with _studio("Walk") as studio:
        studio.tab._toggle(None)  # it stands while the page is opened, so that steps can be counted
        window = _visited(browser, studio)
        _done(studio, lambda: [studio.tab.advance(1 / 60) for _ in range(400)])
        window.wait_for_timeout(SLOW / 12)
        return _shot(window)


def studio_ground(browser: Any) -> Image.Image:
    """The Ground tab with a biped that walks down a slope, before and after."""
    with tempfile.TemporaryDirectory() as folder, _studio("Ground") as studio:
        path = Path(folder) / "walk.glb"
        limbik.save(limbik.walk("biped", "plane", seconds=6), path)
        window = _visited(browser, studio)
        _done(studio, lambda: studio.tab.open_file(path))
        field = window.get_by_text("Description", exact=True).locator("xpath=ancestor::div[.//input][1]//input")
        field.fill("slope:-14")
        window.wait_for_timeout(500)
        field.press("Enter")
        window.wait_for_timeout(SLOW / 30)
        _done(studio, lambda: studio.tab.playback.play(False))
        _done(studio, lambda: studio.tab.playback.seek(3.98))
        window.wait_for_timeout(SLOW / 12)
        return _shot(window)


def studio_footsteps(browser: Any) -> Image.Image:
    """The Ground tab with footsteps on stairs, of which one was moved to the side."""
    with tempfile.TemporaryDirectory() as folder, _studio("Ground") as studio:
        path, tab = Path(folder) / "walk.bvh", studio.tab
        limbik.save(limbik.samples.walk(), path)
        window = _visited(browser, studio)
        _done(studio, lambda: tab.open_file(path))

        def edit() -> None:
            tab._spec.value, editor = "stairs:rise=0.12,run=0.35", tab._footsteps
            tab._apply_terrain()
            editor._shown.value, editor._number.value = True, 5
            editor._choose()
            editor._gizmo.position = np.add(editor._gizmo.position, [0.15, 0.0, 0.0])
            editor._drag()
            tab._view.value = "After only"
            tab._choose_view()

        _done(studio, edit)
        window.get_by_text("Footsteps", exact=True).click()
        window.get_by_text("Save footsteps").scroll_into_view_if_needed()
        window.wait_for_timeout(SLOW / 12)
        return _shot(window)


@contextmanager
def _studio(tab: str) -> Any:
    with Studio("127.0.0.1", 0, tab) as studio:
        thread = Thread(target=studio.run, daemon=True)
        thread.start()
        yield studio
        studio.stop()
        thread.join()


def _visited(browser: Any, studio: Studio) -> Any:
    """A page of the studio, without the notice that there is no graphics card."""
    window = browser.new_page(viewport=STUDIO)
    window.set_default_timeout(SLOW)
    window.goto(studio.address)
    window.get_by_text("Software WebGL rendering detected").wait_for()
    window.evaluate("document.querySelectorAll('.mantine-Notification-closeButton').forEach((one) => one.click())")
    window.wait_for_timeout(SLOW / 30)
    return window


def _done(studio: Studio, job: Callable[[], object]) -> None:
    """Does a job in the studio's thread, and waits until it is done."""
    done = Event()

    def work() -> None:
        job()
        done.set()

    studio.stage.jobs.submit(work)
    done.wait()


def _shot(window: Any) -> Image.Image:
    """A screenshot, once the scene is there: viser blends it in slowly, over a white page."""
    last = np.full((STUDIO["height"], STUDIO["width"], 3), 255)
    while True:
        picture = _page_shot(window)
        found = np.asarray(picture, int)
        if found[4:12, 4:12].mean() < WHITE and np.abs(found - last).mean() < STILL:
            return picture
        last = found
        window.wait_for_timeout(500)


def _page_shot(window: Any) -> Image.Image:
    return Image.open(BytesIO(window.screenshot())).convert("RGB")


SCREENS = {
    one.__name__: one
    for one in (
        poses,
        stairs,
        walk,
        studio_limb,
        studio_walk,
        studio_ground,
        studio_footsteps,
        studio_robot,
        studio_rig,
    )
}


def main(names: list[str]) -> None:
    """Writes the pictures of these names, or all of them."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=list(OPTIONS))
        for name in names or SCREENS:
            print(keep(SCREENS[name](browser), name))
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
