"""What steers a creature: keys that pages hold, its driver, and clicks on the ground."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker
from limbik.studio.page.stage import Job, Stage
from limbik.terrains.base import Terrain

if TYPE_CHECKING:
    from viser import ClientHandle, CommandEvent

Key = Literal["W", "A", "S", "D"]
Mode = Literal["heading", "keys", "place", "rest"]
SCRIPT = Path(__file__).with_name("held_keys.js")
KEY_LABELS: dict[Key, str] = {"W": "ahead", "S": "back", "A": "left", "D": "right"}
HEADING_TOLERANCE_DEGREES = 1.0  # a standing creature that is off by less does not turn
TURN_RATE_DEGREES = 75.0  # a second, by keys, where the creature can turn as fast
BACKWARD_SPEED_RATIO = 0.5  # over that ahead
ARRIVAL_DISTANCE = 0.04  # within which a place is reached, over the creature's size
BRAKING_RATE = 1.2  # 1/s: speed toward a place over the distance that is left
RAY_SAMPLES, RAY_HALVINGS = 2000, 40  # along a ray, and of the step in which it first crosses the ground


class HeldKeys:
    """Which keys are held on any page while the folder that is open now is shown.

    The script reaches the pages inside an HTML control, in the handler of an image that cannot be loaded: viser has no
    other way to run one.
    """

    def __init__(self, stage: Stage, changed: Job) -> None:
        self._held: set[tuple[int, Key]] = set()
        self._stage, self._changed = stage, changed
        script = escape(SCRIPT.read_text("utf-8"))
        stage.gui.add_html(f"<img data-limbik-held-keys src='data:,' onerror='{script}' style='display:none'>")
        for key, label in KEY_LABELS.items():
            begin = stage.gui.add_command(f"Steer {label}", hotkey=key, modifier="cmd/ctrl+alt")
            end = stage.gui.add_command(f"Stop steering {label}", hotkey=key, modifier="cmd/ctrl+alt+shift")
            begin.on_trigger(partial(self._report, key, True))
            end.on_trigger(partial(self._report, key, False))
        stage.server.on_client_disconnect(self._release_page)

    @property
    def direction(self) -> tuple[float, float]:
        """1 for ahead, -1 for back, 0 for neither or both; and the same for left and right."""
        keys = {key for _, key in self._held}
        return float("W" in keys) - float("S" in keys), float("A" in keys) - float("D" in keys)

    def __bool__(self) -> bool:
        """Whether any key is held."""
        return bool(self._held)

    def _report(self, key: Key, down: bool, event: CommandEvent) -> None:
        if event.client_id is not None:
            self._stage.jobs.submit(partial(self._set, event.client_id, key, down))

    def _set(self, client: int, key: Key, down: bool) -> None:
        (self._held.add if down else self._held.discard)((client, key))
        self._changed()

    def _release_page(self, client: ClientHandle) -> None:
        """A page that is gone holds nothing."""

        def release() -> None:
            self._held = {(other, key) for other, key in self._held if other != client.client_id}

        self._stage.jobs.submit(release)


class Driver:
    """Turns what a user asks for into the velocity and turning rate of each step of a walker.

    mode: "heading": keep to a heading. "keys": go as keys are held, else stand. "place": go to `goal`. "rest": stand,
    as it does once it is there.
    goal: (2,) x and z of the place, metres; None in the other modes.
    """

    def __init__(self) -> None:
        self.mode: Mode = "heading"
        self.goal: Array | None = None

    def obey(self, mode: Mode, goal: Array | None = None) -> None:
        """Lets something else steer the creature; goal: the place, (2,) x and z, for "place"."""
        self.mode, self.goal = mode, goal

    def describe(self, walker: Walker) -> str:
        """What steers the creature now, for users."""
        return {
            "heading": "keeps to the heading set above",
            "keys": "follows the arrow keys, or W A S D",
            "place": f"walks to where you clicked: {self.distance(walker):.2f} m to go",
            "rest": "stands until you click or press an arrow key",
        }[self.mode]

    def distance(self, walker: Walker) -> float:
        """How far the goal is, metres; 0 where there is none."""
        return 0.0 if self.goal is None else float(np.hypot(*(self.goal - walker.places[0, ::2])))

    def steer(
        self, walker: Walker, size: float, speed: float, heading_degrees: float, keys: tuple[float, float]
    ) -> tuple[Array, float | None]:
        """The velocity (2,), m/s, and the turning rate, degrees/s, or None to face the velocity.

        size: of the creature, metres. speed: to walk at, m/s. heading_degrees: to keep. keys: ahead and left, as held.
        """
        if self.mode == "heading":
            return self._velocity_toward(walker, speed, heading_degrees), None
        if self.mode == "rest":
            return np.zeros(2), 0.0
        yaw = np.radians(walker.heading_degrees[0])
        if self.mode == "keys":
            ahead, left = keys
            pace = speed * (ahead if ahead > 0.0 else BACKWARD_SPEED_RATIO * ahead)
            return pace * np.array([np.sin(yaw), np.cos(yaw)]), TURN_RATE_DEGREES * left
        away = self.goal - walker.places[0, ::2]
        if self.distance(walker) < ARRIVAL_DISTANCE * size:
            self.obey("rest")
            return np.zeros(2), 0.0
        pace = min(speed, BRAKING_RATE * self.distance(walker))
        return self._velocity_toward(walker, pace, float(np.degrees(np.arctan2(*away)))), None

    def _velocity_toward(self, walker: Walker, speed: float, heading_degrees: float) -> Array:
        """A velocity: slow while the creature faces elsewhere, and enough to turn in place."""
        off = (heading_degrees - walker.heading_degrees[0] + 180.0) % 360.0 - 180.0
        pace = speed * max(np.cos(np.radians(off)), 0.0) ** 2
        if abs(off) > HEADING_TOLERANCE_DEGREES:
            pace = max(pace, 1e-3 * walker.fastest)
        heading = np.radians(heading_degrees)
        return pace * np.array([np.sin(heading), np.cos(heading)])


def ground_pick(terrain: Terrain, origin: Array, direction: Array, farthest: float) -> Array | None:
    """The first point of the ground, (3,), on a ray, within a distance; None where it meets none.

    origin: (3,), metres. direction: (3,), of unit length.
    """
    along = np.linspace(0.0, farthest, RAY_SAMPLES + 1)
    crossed = np.flatnonzero(_height_above(terrain, origin, direction, along) <= 0.0)
    if not len(crossed) or crossed[0] == 0:
        return None
    near, far = along[crossed[0] - 1], along[crossed[0]]
    for _ in range(RAY_HALVINGS):
        middle = 0.5 * (near + far)
        below = _height_above(terrain, origin, direction, np.array([middle]))[0] <= 0.0
        near, far = (near, middle) if below else (middle, far)
    return origin + far * direction


def _height_above(terrain: Terrain, origin: Array, direction: Array, along: Array) -> Array:
    """How high points of the ray are above the ground; infinite where there is none."""
    points = origin + along[:, None] * direction
    height = terrain.height(points[:, ::2])
    return np.where(np.isfinite(height), points[:, 1] - height, np.inf)
