"""A running studio, and a page of it in a real browser.

No test relies on how fast anything is: after each action it waits, for minutes if need be, for the state it is about.
"""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import numpy as np
from PIL import Image
from scipy.spatial.transform import Rotation

from limbik.studio.application import Studio
from limbik.studio.scene.sky import SUN
from tests.patience import PATIENCE

SIZE = (1280, 800)
SCENE_SCALE = 0.15  # scene pixels per window pixel: without a graphics card, every one of them is expensive


@contextmanager
def running(tab):
    """A studio with a tab open, on any free port, whose thread runs."""
    with Studio("127.0.0.1", 0, tab) as studio:
        # Without a graphics card, a browser compiles the shaders of shadows for several seconds.
        studio.stage.scene._handle_from_node_name[SUN].cast_shadow = False
        thread = Thread(target=studio.run, daemon=True)
        thread.start()
        yield studio
        studio.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def until(condition, what="the state waited for"):
    """Waits until a condition holds, and returns its value."""
    deadline = monotonic() + PATIENCE
    while not (value := condition()):
        assert monotonic() < deadline, f"{what}: it did not come"
        sleep(0.02)
    return value


class Visit:
    """A page of a studio.

    Attributes:
        page: playwright's page.
        faults: errors on its console.
        requests: addresses that it requested.
    """

    def __init__(self, browser, studio, size=SIZE):
        self.studio = studio
        self._context = browser.new_context(viewport=dict(zip(("width", "height"), size, strict=True)))
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])
        self._context.set_default_timeout(1e3 * PATIENCE)
        self.page = self._context.new_page()
        self.faults, self.requests = [], []
        self.page.on("console", self._listen)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self._marker, self._marks = studio.stage.gui.add_html("", order=1e9), count()
        clients = set(studio.stage.server.get_clients())
        self.page.goto(f"{studio.address}/?fixedDpr={SCENE_SCALE}")
        (self._client,) = until(lambda: set(studio.stage.server.get_clients()) - clients, "a connected page")
        self.page.get_by_text("limbik studio").first.wait_for()
        self.page.get_by_text("Software WebGL rendering detected").wait_for()
        self.close_notifications()

    def _listen(self, message):
        """Takes a line of the console: an error, but for the one that viser's page prints when a drag begins."""
        if message.type == "error" and "preventDefault inside passive event listener" not in message.text:
            self.faults.append(message.text)

    @property
    def tab(self):
        """The open tab."""
        return self.studio.tab

    @property
    def camera(self):
        """The camera of the page."""
        return self.studio.stage.server.get_clients()[self._client].camera

    def check(self):
        """Nothing went wrong on the page, it asked nobody else for anything, and no file is left."""
        assert self.faults == []
        ours = (self.studio.address, self.studio.address.replace("http", "ws"), "blob:", "data:")
        assert [address for address in self.requests if not address.startswith(ours)] == []
        assert not list(self.studio.stage.folder.iterdir())

    def close(self):
        self._marker.remove()
        self._context.close()

    def renew(self, title, size=SIZE, prepare=lambda tab: None):
        """Opens a tab as if for the first time, in a window of the given size.

        Args:
            title: of the tab.
            size: of the window, pixels.
            prepare: called with the tab, in the studio's thread, before anything else happens to it.
        """

        def job():
            old = self.studio._tabs.pop(title, None)
            if old is not None:
                old._folder.remove()
                old._frame.remove()
            prepare(self.studio.open_tab(title))

        self.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        self.do(job)
        self.close_notifications()
        self.faults.clear()
        self.requests.clear()
        return self

    def close_notifications(self):
        """Closes all notifications, and waits until they are gone."""
        self.page.wait_for_function(
            """() => {
                for (const one of document.querySelectorAll('.mantine-Notification-closeButton')) one.click();
                return !document.querySelector('.mantine-Notification-root');
            }"""
        )

    def do(self, job):
        """Runs a job in the studio's thread, waits until it is done, and until the page shows what it did."""
        errors = []

        def checked():
            try:
                job()
            except Exception as error:
                errors.append(error)

        self.studio.stage.jobs.submit(checked)
        self.settle()
        assert errors == []

    def idle(self):
        """Waits until the studio's thread has run all jobs submitted so far."""
        done = []
        self.studio.stage.jobs.submit(lambda: done.append(True))
        until(lambda: done, "the studio's thread")

    def settle(self):
        """Waits until the studio's thread has run all jobs, and the page has handled all messages sent so far."""
        self.idle()
        mark = f"mark-{next(self._marks)}"
        self._marker.content = f"<i id='{mark}' style='display:none'></i>"
        self.page.locator(f"#{mark}").wait_for(state="attached")
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self):
        """A screenshot, (height, width, 3), from 0 to 255."""
        return np.asarray(Image.open(io.BytesIO(self.page.screenshot())).convert("RGB"), int)

    def on_screen(self, point):
        """Where a point of the world, (3,), is in the window, pixels, according to the camera of the page."""
        camera = self.camera
        right, up, forward = axes_of(camera.position, camera.look_at)
        away = np.asarray(point, float) - camera.position
        focal = 0.5 / np.tan(0.5 * camera.fov) / (away @ forward)
        canvas = self.page.locator("canvas").first.bounding_box()
        x = canvas["x"] + 0.5 * canvas["width"] + away @ right * focal * canvas["height"]
        y = canvas["y"] + 0.5 * canvas["height"] - away @ up * focal * canvas["height"]
        return float(x), float(y)

    def control(self, label):
        """The input with a label."""
        name = self.page.locator("label", has_text=re.compile(f"^{re.escape(label)}$")).first
        return self.page.locator(f'[id="{name.get_attribute("for")}"]')

    def field(self, label):
        """The text or number field in the row of a label."""
        row = self.page.locator("label", has_text=re.compile(f"^{re.escape(label)}$")).first
        return row.locator("xpath=ancestor::div[.//input][1]").locator("input:visible").last

    def choose(self, label, option):
        """Chooses an option of a dropdown."""
        self.control(label).click()
        self.page.get_by_role("option", name=option, exact=True).click()

    def tick(self, label):
        """Toggles a checkbox."""
        self.control(label).click()

    def slide(self, label, fraction):
        """Clicks the track of a slider, somewhere from its start, 0, to its end, 1."""
        track = self.control(label).locator("[class*=trackContainer], [class*=track-container]").first
        track.scroll_into_view_if_needed()
        box = track.bounding_box()
        track.click(position={"x": fraction * box["width"], "y": 0.5 * box["height"]})

    def narrow(self, label, fraction):
        """Drags the upper end of a range slider to a fraction of its track."""
        row = self.control(label)
        thumb = row.locator(".multi-slider-thumb").last
        thumb.scroll_into_view_if_needed()
        box, track = thumb.bounding_box(), row.locator(".multi-slider-track-container").bounding_box()
        y = box["y"] + 0.5 * box["height"]
        self.drag((box["x"] + 0.5 * box["width"], y), (track["x"] + fraction * track["width"], y))

    def write(self, label, text, place=None, handle=None):
        """Types into the field with a label, or into one of several in its row, and presses Enter.

        handle: the control, where that has to have the text before Enter is pressed.
        """
        row = self.control(label).locator("xpath=ancestor::div[.//label][1]") if place is not None else None
        field = self.field(label) if row is None else row.locator("input").nth(place)
        field.fill(str(text))
        if handle is not None:
            until(lambda: handle.value == text, "the text")
        field.press("Enter")

    def unfold(self, title):
        """Opens a folder, and waits until it has stopped moving."""
        self.page.get_by_text(title, exact=True).click()
        before, now = None, self._positions()
        while now != before:
            before, now = now, self._positions()

    def _positions(self):
        """Where labels and buttons are after all animations have ended, some frames later."""
        return self.page.evaluate(
            """async () => {
                const frame = () => new Promise(done => setTimeout(() => requestAnimationFrame(done), 50));
                const ends = one => Number.isFinite(one.effect.getComputedTiming().endTime);
                do { await frame(); await frame(); } while (document.getAnimations().some(ends));
                return [...document.querySelectorAll('label, button')].map(one => one.getBoundingClientRect().y);
            }"""
        )

    def press(self, name):
        """Presses a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def download(self, name):
        """Presses a button, and returns the path of the file that the page gives, with the name that it has there."""
        with self.page.expect_download() as waiting:
            self.press(name)
        path = Path(waiting.value.path())
        return path.rename(path.with_name(waiting.value.suggested_filename))

    def upload(self, path):
        """Uploads a file, and waits until the page knows that it arrived.

        viser's page forgets an upload when the next one begins, and then shows it as going on for ever.
        """
        self.page.locator("input[type=file]").last.set_input_files(path)
        self.settle()
        self.page.locator(".mantine-Notification-loader").wait_for(state="detached")

    def drag(self, start, end, steps=8):
        """Drags with the mouse from one point of the window to another."""
        self.page.mouse.move(*start)
        # A gizmo reacts once a frame was drawn with the mouse over it.
        self.page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(done), 100))")
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=steps)
        self.page.mouse.up()

    def pull(self, gizmo, axis, pixels, in_world=lambda place: place):
        """Drags one of a gizmo's arrows by a number of pixels along it, until it has moved.

        in_world: gives the place in the world of a place in the gizmo's frame, (3,).
        """
        before = np.array(gizmo.position)
        along = gizmo.scale * Rotation.from_quat(np.roll(gizmo.wxyz, -1)).as_matrix()[:, axis]
        start, far = (np.array(self.on_screen(in_world(before + part * along))) for part in (0.85, 1.2))
        self.drag(tuple(start), tuple(start + pixels * (far - start) / np.linalg.norm(far - start)))
        until(lambda: np.linalg.norm(gizmo.position - before) > 0.01, "a gizmo that has moved")
        self.wait_for_drag()

    def wait_for_drag(self):
        """Waits for the last move of a drag, which the page sends a little later, by a timer."""
        self.page.evaluate("() => new Promise(done => setTimeout(done, 300))")
        self.settle()


def axes_of(position, look_at):
    """The directions right, up and ahead, (3,) each, of a camera."""
    forward = (look_at - position) / np.linalg.norm(look_at - position)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    return right, np.cross(right, forward), forward
