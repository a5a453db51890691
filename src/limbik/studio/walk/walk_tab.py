"""The Walk tab: a creature that is told how fast to go and where to, on any ground."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature, creature, preset_names
from limbik.gait.walker import Walker
from limbik.pictures import palette
from limbik.skeleton.pose import Pose
from limbik.studio.page.downloads import clip_bytes, page_bytes
from limbik.studio.page.tab import Tab
from limbik.studio.page.uploads import on_upload
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.terrain_patch import Ground
from limbik.studio.walk.camera_follower import Follower
from limbik.studio.walk.footfall_marks import Marks
from limbik.studio.walk.walk_controls import AUTOMATIC, PUSHES, Controls
from limbik.studio.walk.walk_recording import FPS, Record
from limbik.studio.walk.walk_terrains import grounds
from limbik.terrains.specs import terrain

if TYPE_CHECKING:
    from viser import ClientHandle

FIRST = "spider"
EYE, AT = np.array([1.0, 0.74, -0.78]), np.array([0.0, -0.08, 0.0])  # camera and what it looks at, over its size
SQUARES = 10  # from the creature to where the ground ends
SIZES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # metres: of squares
CHARTED = 6.0  # seconds in the gait diagram
MARKED, TOLD = 2, 8  # frames after which marks, and words and diagram, are drawn anew
FACING = 1.0  # degrees: a creature that stands and is off by less does not turn


class WalkTab(Tab):
    """A creature that walks, and what its feet do.

    walker: the creature. record: what it did.
    """

    title = "Walk"
    description = "It finds its own footholds. Drag in the picture to look around, scroll to come nearer."
    walker: Walker
    record: Record

    def build(self) -> None:
        """Adds the controls and the scene."""
        stage = self.stage
        self._creatures: dict[str, Creature] = {name: creature(name) for name in preset_names()}
        self._grounds: dict[str, str] = {}
        self._walking = True
        controls = self._controls = Controls(stage.gui, self._creatures, FIRST)
        stage.on_change(self._choose, controls.creature)
        stage.on_change(self._begin, controls.terrain)
        stage.on_change(self._change_gait, controls.gait)
        stage.on_change(self._show_place, controls.follow)
        stage.on_press(controls.walk, self._toggle)
        stage.on_press(controls.again, lambda _: self._begin())
        stage.on_press(controls.push, self._push)
        stage.on_press(controls.use, lambda _: self._type())
        controls.typing.on_submit(lambda _: stage.jobs.submit(self._type))
        stage.on_press(controls.save_clip, self._save_clip)
        stage.on_press(controls.save_page, self._save_page)
        on_upload(stage, controls.upload, (".toml",), self.open_file)
        self._choose()

    # --- what pages ask for

    def open_file(self, path: Path) -> None:
        """Lets a creature from a .toml file walk."""
        found = creature(path)
        self._creatures[found.name] = found
        self._controls.creature.options = tuple(self._creatures)
        self._controls.creature.value = found.name
        self._choose()

    def _choose(self) -> None:
        """Another creature: on ground of the same kind, of a size that suits it."""
        being, controls = self._creatures[self._controls.creature.value], self._controls
        own = {name: spec for name, spec in self._grounds.items() if name == spec}
        self._grounds = {**grounds(being), **own}
        controls.terrain.options = tuple(self._grounds)
        self._walk_on(self._grounds[controls.terrain.value], being)
        controls.suit(self.walker)
        self.place_camera()

    def _type(self) -> None:
        """Ground as it was typed."""
        spec = self._controls.spec.value.strip()
        self._walk_on(spec, self.walker.creature)
        self._grounds[spec] = spec
        self._controls.terrain.options = tuple(self._grounds)
        self._controls.terrain.value = spec

    def _begin(self) -> None:
        """The same from the start, or on other ground."""
        self._walk_on(self._grounds[self._controls.terrain.value], self.walker.creature)

    def _change_gait(self) -> None:
        name = self._controls.gait.value
        self.walker.keep_to(None if name == AUTOMATIC else name)
        self._controls.suit_speed(self.walker)

    def _toggle(self, _: ClientHandle) -> None:
        self._go_on(not self._walking)
        self._show_all()

    def _push(self, _: ClientHandle) -> None:
        left, ahead = self._controls.strength.value * np.array(PUSHES[self._controls.push.value])
        yaw = np.radians(self.walker.heading_degrees[0])
        self.walker.push((left * np.cos(yaw) + ahead * np.sin(yaw), ahead * np.cos(yaw) - left * np.sin(yaw)))

    def _save_clip(self, client: ClientHandle) -> None:
        name = f"{self.walker.creature.name}.glb"
        self.stage.download(client, name, clip_bytes(self.stage, self.record.clip(), name))

    def _save_page(self, client: ClientHandle) -> None:
        name = f"{self.walker.creature.name}.html"
        self.stage.download(client, name, page_bytes(self.record.clip()))

    # --- walking

    def _walk_on(self, spec: str, being: Creature) -> None:
        """A new walk. Nothing changes if it cannot be."""
        heading, gait = float(self._controls.heading.value), self._controls.gait.value
        kept = gait if gait in {one.name for one in being.gaits} else None
        walker = Walker(being, terrain(spec), gait=kept, heading_degrees=heading)
        rest = Pose.rest(walker.skeleton).positions()
        self._size = float(np.ptp(rest, axis=0).max())
        square = min(SIZES, key=lambda one: abs(np.log(2.0 * one / self._size)))
        scene, root = self.stage.scene, self.root
        self._ground = Ground(scene, f"{root}/ground", walker.terrain, SQUARES * square, square)
        still = walker.clip([walker.state], FPS)
        self._figure = FigureMeshes(scene, f"{root}/creature", still, colour=palette.LINK)
        self._marks = Marks(scene, f"{root}/marks", walker, self._size)
        self.walker, self.record = walker, Record(walker)
        self._follower = Follower(walker.places[0])
        self._left, self._shown, self._feet = 0.0, 0, list(walker.feet)
        self._controls.spec.value = spec
        self._show_all()

    def _go_on(self, walking: bool) -> None:
        self._walking = walking
        self._controls.walk.label = "Pause" if walking else "Walk"

    @property
    def moving(self) -> bool:
        """Whether it walks."""
        return self._walking

    def advance(self, seconds: float) -> None:
        """Walks on, in steps of the same length, so that what was recorded can be saved as it is."""
        self._left += seconds
        steps = round(self._left * FPS)
        self._left -= steps / FPS
        try:
            for _ in range(steps):
                self._step()
        except Exception:
            self._go_on(False)  # or the same would go wrong again in every frame
            raise
        if steps:
            self._show()

    def _step(self) -> None:
        self.walker.step(1.0 / FPS, self._velocity())
        self.record.add()
        self._follower.advance(self.walker.places[0], 1.0 / FPS)

    def _velocity(self) -> Array:
        """Where to go, (2,): slowly as long as it faces elsewhere, and where it stands just enough to turn."""
        speed, heading = self._controls.speed.value, self._controls.heading.value
        off = np.radians((heading - self.walker.heading_degrees[0] + 180.0) % 360.0 - 180.0)
        pace = speed * max(np.cos(off), 0.0) ** 2
        if abs(off) > np.radians(FACING):
            pace = max(pace, 1e-3 * self.walker.fastest)
        return pace * np.array([np.sin(np.radians(heading)), np.cos(np.radians(heading))])

    # --- what is seen

    def place_camera(self) -> None:
        """Places the cameras."""
        self.stage.set_camera(EYE * self._size, AT * self._size)

    def _show_place(self) -> None:
        """Moves the world, and not the cameras: pages may turn those meanwhile, and none is ever behind."""
        if self._controls.follow.value:
            self._frame.position = -self._follower.middle

    def _show(self) -> None:
        """Shows the next frame; what need not be smooth only now and then."""
        self._shown += 1
        with self.stage.server.atomic():
            self._show_place()
            self._show_creature()
            if self._shown % MARKED == 0:
                self._marks.draw(self._joints[self._feet])
        if self._shown % TOLD == 0:
            self._tell()

    def _show_all(self) -> None:
        with self.stage.server.atomic():
            self._show_place()
            self._show_creature()
            self._marks.draw(self._joints[self._feet])
        self._tell()

    def _show_creature(self) -> None:
        pose = self.walker.pose
        self._joints = pose.positions()
        self._figure.pose(pose)
        self._ground.around(*self.walker.places[0, ::2])

    def _tell(self) -> None:
        walker, standing = self.walker, self.record.standing(CHARTED)
        speed = float(np.hypot(*walker.velocities[0]))
        self._controls.tell(
            [
                ("Gait", walker.gaits[0]),
                ("Feet down", f"{standing[-1].sum()} of {standing.shape[1]}"),
                ("Speed", f"{speed:.2f} m/s"),
                ("Asked for", f"{self._controls.speed.value:.2f} m/s"),
                ("Distance", f"{self.record.distance:.2f} m"),
                ("Duty factor", f"{standing.mean():.2f}"),
            ]
        )
        self._controls.draw(walker, standing, round(CHARTED * FPS), CHARTED)
