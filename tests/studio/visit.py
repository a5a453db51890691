"""A studio that runs, and pages of it in a real browser."""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep

import numpy as np
from PIL import Image

from limbik.studio.application import Studio

SIZE = (1280, 800)
COARSE = 0.25  # pixels of the scene for one of the window: there is no graphics card, and each costs
PATIENCE = 90.0  # seconds; machines of continuous integration are slow


@contextmanager
def running(tab):
    """A studio with a tab open, on any free port, whose thread runs."""
    with Studio("127.0.0.1", 0, tab) as studio:
        # Without a graphics card, a browser compiles the shaders of shadows for several seconds.
        studio.stage.scene.configure_default_lights(cast_shadow=False)
        thread = Thread(target=studio.run, daemon=True)
        thread.start()
        yield studio
        studio.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def until(true, what="what was waited for"):
    """Waits until something is true, and returns it."""
    deadline = monotonic() + PATIENCE
    while not (found := true()):
        assert monotonic() < deadline, f"{what}: it never was"
        sleep(0.02)
    return found


class Visit:
    """A page of a studio: what it told the console, and the addresses that it asked for."""

    def __init__(self, browser, studio, size=SIZE):
        self.studio = studio
        self._context = browser.new_context(viewport=dict(zip(("width", "height"), size, strict=True)))
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])
        self._context.set_default_timeout(1e3 * PATIENCE)
        self.page = self._context.new_page()
        self.faults, self.requests = [], []
        self.page.on("console", lambda one: self.faults.append(one.text) if one.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        before = set(studio.stage.server.get_clients())
        self.page.goto(f"{studio.address}/?fixedDpr={COARSE}")
        until(lambda: set(studio.stage.server.get_clients()) - before, "a page that has connected")
        self.page.get_by_text("limbik studio").first.wait_for()
        self.hush()

    def close(self):
        self._context.close()

    def hush(self):
        """Closes the notice that there is no graphics card."""
        notice = self.page.get_by_text("Software WebGL rendering detected")
        notice.wait_for()
        self.page.locator(".mantine-Notification-closeButton").first.click()
        notice.wait_for(state="detached")

    def settle(self):
        """Waits until the studio has done what it was asked for."""
        done = []
        self.studio.stage.jobs.submit(lambda: done.append(True))
        until(lambda: done, "the studio's thread")

    def picture(self):
        """What is seen, (height, width, 3), from 0 to 255."""
        return np.asarray(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"), int)

    def on_screen(self, point):
        """Where a point of the world, (3,), is in the window, pixels: by the camera that the page has told."""
        (client,) = self.studio.stage.server.get_clients().values()
        camera = client.camera
        forward = camera.look_at - camera.position
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, camera.up_direction)
        right = right / np.linalg.norm(right)
        up = np.cross(right, forward)
        away = np.asarray(point, float) - camera.position
        focal = 0.5 / np.tan(0.5 * camera.fov) / (away @ forward)
        canvas = self.page.locator("canvas").first.bounding_box()
        x = canvas["x"] + 0.5 * canvas["width"] + away @ right * focal * canvas["height"]
        y = canvas["y"] + 0.5 * canvas["height"] - away @ up * focal * canvas["height"]
        return float(x), float(y)

    def control(self, label):
        """The input that has a label."""
        name = self.page.locator("label", has_text=re.compile(f"^{re.escape(label)}$")).first
        return self.page.locator(f'[id="{name.get_attribute("for")}"]')

    def choose(self, label, option):
        """Takes an option of a dropdown."""
        self.control(label).click()
        self.page.get_by_role("option", name=option, exact=True).click()
        self.settle()

    def tick(self, label):
        """Ticks a checkbox, or takes the tick away."""
        self.control(label).click()
        self.settle()

    def slide(self, label, part):
        """Presses a slider's track somewhere from its start, 0, to its end, 1."""
        track = self.control(label).locator("[class*=trackContainer], [class*=track-container]").first
        track.scroll_into_view_if_needed()
        box = track.bounding_box()
        track.click(position={"x": part * box["width"], "y": 0.5 * box["height"]})  # once it has come to rest
        self.settle()

    def narrow(self, label, part):
        """Drags the upper end of a range to somewhere from the start of its track, 0, to the end, 1."""
        row = self.control(label)
        thumb = row.locator(".multi-slider-thumb").last
        thumb.scroll_into_view_if_needed()
        box, track = thumb.bounding_box(), row.locator(".multi-slider-track-container").bounding_box()
        y = box["y"] + 0.5 * box["height"]
        self.drag((box["x"] + 0.5 * box["width"], y), (track["x"] + part * track["width"], y))
        self.settle()

    def write(self, label, text, place=0):
        """Types into the field that has a label, or into one of several that stand in a row."""
        row = self.control(label).locator("xpath=ancestor::div[.//label][1]")
        field = row.locator("input").nth(place)
        field.fill(str(text))
        field.press("Enter")
        self.settle()

    def unfold(self, title):
        """Opens a folder."""
        self.page.get_by_text(title, exact=True).click()
        self.page.wait_for_timeout(400)  # until it has slid open

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.settle()

    def drag(self, start, end, steps=8):
        """Drags with the mouse from one place in the window to another."""
        self.page.mouse.move(*start)
        self.page.wait_for_timeout(100)  # a gizmo wakes up when the mouse is over it
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=steps)
        self.page.mouse.up()
