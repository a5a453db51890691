"""Pages in a real browser, as a reader has them."""

from __future__ import annotations

import io
from time import monotonic

import numpy as np
from PIL import Image

from limbik.pages.clip_page import VIEWER
from tests.patience import PATIENCE


class Opened:
    """A page that is open, the errors that it told the console, and the addresses that it asked for."""

    def __init__(self, page):
        self.page = page
        page.set_default_timeout(1e3 * PATIENCE)
        self.faults, self.requests = [], []
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def go(self, path):
        """Opens a file, and waits until its controls are there."""
        self.page.goto(path.as_uri())
        self.page.locator("footer").wait_for()
        return self

    def time(self):
        return float(self.page.locator("#scrub").input_value())

    def until(self, true_of_time):
        """Waits until something holds of the time that is shown."""
        deadline = monotonic() + PATIENCE
        while not true_of_time(self.time()):
            assert monotonic() < deadline, f"the page stays at {self.time()} s"
            self.page.wait_for_timeout(20)

    def scrub(self, time):
        """Moves the slider as a hand would do, to a time."""
        slider = self.page.locator("#scrub")
        box = slider.bounding_box()
        part = time / float(slider.get_attribute("max"))
        self.page.mouse.click(box["x"] + 7 + part * (box["width"] - 14), box["y"] + box["height"] / 2)
        self.page.mouse.move(0, 0)

    def picture(self):
        """What is seen above the controls, (height, width, 3), from 0 to 255."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        bar = self.page.locator("footer").bounding_box()
        width, height = self.page.viewport_size.values()
        clip = {"x": 0, "y": 80, "width": width, "height": (bar["y"] if bar else height) - 90}
        return np.asarray(Image.open(io.BytesIO(self.page.screenshot(clip=clip))).convert("RGB"), int)

    def drag(self, x, y, button="left"):
        width, height = self.page.viewport_size.values()
        self.page.mouse.move(width / 2, height / 3)
        self.page.mouse.down(button=button)
        self.page.mouse.move(width / 2 + x, height / 3 + y, steps=3)
        self.page.mouse.up(button=button)

    def run(self, body, given, *scripts):
        """Runs JavaScript, the body of a function of `given`, after some of the viewer's scripts."""
        text = "\n".join((VIEWER / f"{name}.js").read_text("utf-8") for name in scripts)
        return self.page.evaluate(f"async (given) => {{ {text}\n{body} }}", given)


def changed(before, after):
    """The part of a picture's pixels that are clearly not the same."""
    return float(np.mean(np.abs(before - after).max(axis=-1) > 12))
