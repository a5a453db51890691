"""The Walk tab: a creature that walks on any terrain, steered by keys, clicks on the ground, or a heading."""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature, creature, preset_names
from limbik.gait.walker import Walker
from limbik.gait.walker_state import WalkerState
from limbik.scenes.looks import LOOKS
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.springs import close_gap
from limbik.studio.page.cameras import CameraView
from limbik.studio.page.tab import Tab
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.studio.steering import Driver, HeldKeys, ground_pick
from limbik.studio.walk_marks import FootfallMarks, GoalMark
from limbik.studio.walk_panel import AUTOMATIC, PUSHES, WalkControls, chart_html, numbers_html

if TYPE_CHECKING:
    from viser import ClientHandle, SceneClickEvent

FPS = 60.0
FIRST_CREATURE = "spider"
VIEW_RADIUS, CAMERA_ELEVATION = 0.7, 0.42  # of what is visible, over the creature's size; radians
TERRAIN_SQUARES = 10  # from the creature to the edge of the visible terrain
SQUARE_SIZES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # metres
CHART_SECONDS, RECORDED_SECONDS = 6.0, 60.0  # in the gait diagram, and in clips
MARKS_FRAMES, NUMBERS_FRAMES = 2, 8  # between updates of marks, and of numbers and gait diagram
MAX_CLICK_DISTANCE = 60.0  # how far from the camera the ground can be clicked, over the creature's size
FOLLOW_STIFFNESS = 2.5  # 1/s; soft enough that a push is visible, and single steps are not
BUMP_HEIGHT, BUMP_SIZE = 0.25, 7.0  # of rough ground, in multiples of the body's height


class WalkTab(Tab):
    """A creature that walks, with its footholds, support polygon and gait diagram."""

    title = "Walk"
    description = "Steer by arrow keys, **W A S D** or a click on the ground. Drag to orbit, scroll to zoom."
    walker: Walker
    recording: WalkRecording

    def build(self) -> None:
        stage = self.stage
        self._creatures: dict[str, Creature] = {name: creature(name) for name in preset_names()}
        self._terrains: dict[str, str] = {}
        self._walking = True
        self.driver = Driver()
        self._keys = HeldKeys(stage, self._obey_keys)
        controls = self._controls = WalkControls(self.gui, self._creatures, FIRST_CREATURE)
        stage.on_change(self._choose_creature, controls.creature)
        stage.on_change(self._restart, controls.terrain)
        stage.on_change(self._change_gait, controls.gait)
        stage.on_change(self._show_numbers, controls.speed)
        stage.on_change(self._keep_heading, controls.heading)
        stage.on_change(self._follow, controls.follow)
        stage.on_press(controls.walk, self._toggle)
        stage.on_press(controls.restart, lambda _: self._restart())
        stage.on_press(controls.push, self._push)
        stage.on_press(controls.use, lambda _: self._use_description())
        controls.form.on_submit(lambda _: stage.jobs.submit(self._use_description))
        stage.on_press(controls.save_clip, lambda client: self._save(client, ".glb"))
        stage.on_press(controls.save_page, lambda client: self._save(client, ".html"))
        stage.on_upload(controls.upload, (".toml",), self.open_file)
        self._choose_creature()

    def show(self) -> None:
        super().show()
        self.scene.on_click()(self._on_click)

    def hide(self) -> None:
        super().hide()
        self.scene.remove_click_callback(self._on_click)

    def recolour(self) -> None:
        self._patch.draw()

    def begin(self, chosen: Creature, spec: str) -> None:
        """Starts with a creature on a terrain, given as its spec."""
        self._offer_terrain(spec)
        self._offer(chosen)

    # --- events

    def open_file(self, path: Path) -> None:
        """Switches to the creature of a .toml file."""
        self._offer(creature(path))

    def _offer(self, found: Creature) -> None:
        """Adds a creature to the list, and switches to it."""
        self._creatures[found.name] = found
        self._controls.creature.options = tuple(self._creatures)
        self._controls.creature.value = found.name
        self._choose_creature()

    def _choose_creature(self) -> None:
        """Switches to another creature, on the same kind of terrain in a size that suits it, at the same place."""
        chosen, controls = self._creatures[self._controls.creature.value], self._controls
        own = {name: spec for name, spec in self._terrains.items() if name == spec}
        self._terrains = {**terrain_presets(chosen), **own}
        controls.terrain.options = tuple(self._terrains)
        at = self.walker.places[0, ::2] if hasattr(self, "walker") else np.zeros(2)
        self._walk_on(self._terrains[controls.terrain.value], chosen, at)
        controls.offer(self.walker)
        self._show_numbers()
        self.place_camera()

    def _use_description(self) -> None:
        """Restarts on the terrain that was typed."""
        spec = self._controls.description.value.strip()
        self._walk_on(spec, self.walker.creature)
        self._offer_terrain(spec)

    def _offer_terrain(self, spec: str) -> None:
        """Adds a terrain to the list, and chooses it."""
        self._terrains[spec] = spec
        self._controls.terrain.options = tuple(self._terrains)
        self._controls.terrain.value = spec

    def _restart(self) -> None:
        """Restarts the walk, on the chosen terrain."""
        self._walk_on(self._terrains[self._controls.terrain.value], self.walker.creature)

    def _change_gait(self) -> None:
        name = self._controls.gait.value
        self.walker.keep_to(None if name == AUTOMATIC else name)
        self._controls.offer_speeds(self.walker)

    def _keep_heading(self) -> None:
        self.driver.obey("heading")
        self._show_numbers()

    def _obey_keys(self) -> None:
        self.driver.obey("keys")
        self._set_walking(True)
        self._show_numbers()

    def _on_click(self, event: SceneClickEvent) -> None:
        origin, direction = np.array(event.ray_origin), np.array(event.ray_direction)
        self.stage.jobs.submit(partial(self._go_along, origin, direction))

    def _go_along(self, origin: Array, direction: Array) -> None:
        """Sends the creature to where a ray from a camera meets the ground."""
        start = origin - np.asarray(self._frame.position)
        place = ground_pick(self.walker.terrain, start, direction, MAX_CLICK_DISTANCE * self._size)
        if place is None:
            return
        self.driver.obey("place", place[::2])
        self._goal.show(place, self.walker.terrain.normal(place[::2]))
        self._set_walking(True)
        self._show_numbers()

    def _toggle(self, _: ClientHandle) -> None:
        self._set_walking(not self._walking)
        self._show(everything=True)

    def _push(self, _: ClientHandle) -> None:
        left, ahead = self._controls.strength.value * np.array(PUSHES[self._controls.push.value])
        yaw = np.radians(self.walker.heading_degrees[0])
        self.walker.push((left * np.cos(yaw) + ahead * np.sin(yaw), ahead * np.cos(yaw) - left * np.sin(yaw)))

    def _save(self, client: ClientHandle, suffix: str) -> None:
        self.stage.download_clip(client, self.walker.creature.name + suffix, self.recording.clip())

    # --- walking

    def _walk_on(self, spec: str, chosen: Creature, at: Array | tuple[float, float] = (0.0, 0.0)) -> None:
        """Starts a new walk of a creature on a terrain, at x and z. If an argument is invalid, nothing changes."""
        heading, gait = float(self._controls.heading.value), self._controls.gait.value
        kept = gait if gait in {one.name for one in chosen.gaits} else None
        walker = Walker(chosen, spec, gait=kept, at=at, heading_degrees=heading)
        self._size = float(np.ptp(Pose.rest(walker.skeleton).positions(), axis=0).max())
        square = min(SQUARE_SIZES, key=lambda size: abs(np.log(2.0 * size / self._size)))
        scene, root = self.scene, self.root
        self._patch = TerrainPatch(self.stage, f"{root}/ground", walker.terrain, TERRAIN_SQUARES * square, square)
        self._figure = FigureMeshes(scene, f"{root}/creature", walker.clip([walker.state], FPS))
        self._marks = FootfallMarks(scene, f"{root}/marks", walker, self._size)
        self._goal = GoalMark(scene, f"{root}/goal", self._size)
        if self.driver.mode == "place":  # of the ground before
            self.driver.obey("rest")
        self.walker, self.recording = walker, WalkRecording(walker)
        self._follower = CameraFollower(walker.places[0])
        self._unused_time, self._frames_shown = 0.0, 0
        self._controls.description.value = spec
        self._show(everything=True)

    def _set_walking(self, walking: bool) -> None:
        self._walking = walking
        self._controls.walk.label = "Pause" if walking else "Walk"

    @property
    def moving(self) -> bool:
        return self._walking

    def advance(self, seconds: float) -> None:
        """Advances the walk in steps of 1 / FPS seconds, so that the recording has a constant frame rate."""
        self._unused_time += seconds
        steps = round(self._unused_time * FPS)
        self._unused_time -= steps / FPS
        try:
            for _ in range(steps):
                self._step()
                self.recording.add()
                self._follower.advance(self.walker.places[0], 1.0 / FPS)
        except Exception:
            self._set_walking(False)  # or the same error would occur in every frame
            raise
        if steps:
            self._show()

    def _step(self) -> None:
        """One step of the walker, as the creature is steered."""
        controls, keys = self._controls, self._keys.direction
        heading = float(controls.heading.value)
        velocity, turn = self.driver.steer(self.walker, self._size, controls.speed.value, heading, keys)
        self.walker.step(1.0 / FPS, velocity, turn_degrees=turn)

    # --- drawing

    def place_camera(self) -> None:
        """From behind, as it is steered by keys."""
        self.stage.cameras.show(CameraView(VIEW_RADIUS * self._size, azimuth=LOOKS.behind, elevation=CAMERA_ELEVATION))

    def _follow(self) -> None:
        """Moves the scene instead of the cameras, which users orbit meanwhile: so no page lags behind."""
        if self._controls.follow.value:
            self._frame.position = -self._follower.position

    def _show(self, everything: bool = False) -> None:
        """Draws a frame; marks and numbers are updated less often, unless everything has to be."""
        self._frames_shown += 1
        pose = self.walker.pose
        with self.stage.server.atomic():
            self._follow()
            self._figure.pose(pose)
            self._patch.move_to(*self.walker.places[0, ::2])
            if everything or self._frames_shown % MARKS_FRAMES == 0:
                self._marks.draw(pose.positions()[list(self.walker.feet)])
        if everything or self._frames_shown % NUMBERS_FRAMES == 0:
            self._show_numbers()

    def _show_numbers(self) -> None:
        walker, standing, driver = self.walker, self.recording.standing(CHART_SECONDS), self.driver
        if driver.mode != "heading":  # the slider shows where the creature faces
            self._controls.heading.value = round((walker.heading_degrees[0] + 180.0) % 360.0 - 180.0)
        if driver.goal is None:
            self._goal.hide()
        values = {
            "Gait": walker.gaits[0],
            "Feet down": f"{standing[-1].sum()} of {standing.shape[1]}",
            "Speed": "blocked" if walker.blocked[0] else f"{np.hypot(*walker.velocities[0]):.2f} m/s",
            "Target speed": f"{self._controls.speed.value:.2f} m/s",
            "Distance": f"{self.recording.distance:.2f} m",
            "Duty factor": f"{standing.mean():.2f}",
        }
        self._controls.numbers.content = numbers_html(driver.describe(walker), values)
        frames = round(CHART_SECONDS * FPS)
        self._controls.chart.content = chart_html(walker.creature.legs, standing, frames, CHART_SECONDS)


class WalkRecording:
    """The recent walk of a walker with one creature, frame by frame; `distance`: of the whole walk, metres."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._states: deque[WalkerState] = deque([walker.state], maxlen=round(RECORDED_SECONDS * FPS) + 1)
        self._place = walker.places[0]
        self.distance = 0.0

    def add(self) -> None:
        self._states.append(self._walker.state)
        place = self._walker.places[0]
        self.distance += float(np.hypot(*(place - self._place)[::2]))
        self._place = place

    def clip(self) -> Clip:
        return self._walker.clip(tuple(self._states), FPS)

    def standing(self, seconds: float) -> Array:
        """Which legs stood in the last seconds, (frames, legs) bool; fewer frames if fewer were recorded."""
        start = max(len(self._states) - round(seconds * FPS), 0)
        return np.concatenate([state.planted for state in islice(self._states, start, None)], axis=1).T


class CameraFollower:
    """A `position`, (3,), that follows a creature: it lags while the speed changes, but not at constant speed."""

    def __init__(self, place: Array) -> None:
        self.position, self._place, self._speed = place, place, np.zeros(3)

    def advance(self, place: Array, seconds: float) -> None:
        """Advances by so many seconds; place: the position of the creature now, (3,)."""
        velocity = (place - self._place) / seconds
        gap, change = close_gap(self.position - self._place, self._speed - velocity, FOLLOW_STIFFNESS, seconds)
        self.position, self._place, self._speed = place + gap, place, change + velocity


def terrain_presets(chosen: Creature) -> dict[str, str]:
    """Specs of terrains in sizes that suit a creature, by name; the first is the default."""
    height = chosen.height
    return {
        "hills": "hills",
        "rough ground": f"hills:height={BUMP_HEIGHT * height:.3g},size={BUMP_SIZE * height:.3g},seed=1",
        "stairs": "stairs",  # sized by the walker
        "slope of 10°": "slope:10",
        "level ground": "plane",
    }
