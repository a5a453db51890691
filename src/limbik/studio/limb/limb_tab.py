"""The Limb tab: a limb, and a target to drag."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures import palette
from limbik.pictures.region import radii
from limbik.rotations import about, multiply, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.studio.limb import limb_text
from limbik.studio.limb.drag_recording import Drag
from limbik.studio.limb.limb_call import AnyLimb, Call
from limbik.studio.limb.limb_controls import Controls
from limbik.studio.limb.reach_region import Region
from limbik.studio.page.downloads import clip_bytes, page_bytes
from limbik.studio.page.tab import Tab
from limbik.studio.scene.solids import Links, rgb

if TYPE_CHECKING:
    from viser import ClientHandle

THICK = 0.045  # the radius of the first link, over the limb's length
UP = np.array([0.0, 1.0, 0.0])
STARTS: dict[type[AnyLimb], tuple[float, float, float]] = {
    ThreeLink: (0.1, -0.78, 0.25),
    TwoLink: (0.3, 0.15, 0.45),
    PlanarTwoLink: (0.55, 0.25, 0.0),
}
VIEWS: dict[type[AnyLimb], tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    ThreeLink: ((1.15, 0.25, 1.35), (0.0, -0.42, 0.1)),
    TwoLink: ((1.75, 0.7, 0.9), (0.0, 0.0, 0.1)),
    PlanarTwoLink: ((0.0, 0.0, 2.3), (0.0, 0.0, 0.0)),
}
DOWN = about([1.0, 0.0, 0.0], np.pi)  # turns up's axis, +y, down: a foot's direction
MOST_GHOSTS = 3
LONGEST = 120.0  # seconds of a recording that are kept


class LimbTab(Tab):
    """A limb that follows a gizmo, and all that limbik can tell about its pose.

    call: what is asked for now. solution: what came of it.
    """

    title = "Limb"
    description = "Drag the arrows at the tip; turn the arcs to point the last link. Drag elsewhere to look around."
    call: Call
    solution: Solution

    def build(self) -> None:
        """Adds the controls and the scene."""
        gui, stage = self.stage.gui, self.stage
        self._words = gui.add_html("", order=1000.0)
        self._controls = Controls(gui)
        self._words.order = self._controls.bend.order - 0.5
        with gui.add_folder("Show", expand_by_default=False):
            self._ghosted = gui.add_checkbox("Other branches", True, hint="Every other pose for the same target.")
            self._bounded = gui.add_checkbox("What can be reached", True, hint="Where the tip can be, with this up.")
        self._python = gui.add_html("")
        self._build_recorder()
        self._build_scene()
        stage.on_change(self._dragged, self._gizmo)
        stage.on_change(self._typed, self._controls.target_field, self._controls.up_field)
        stage.on_change(self._solve, *self._controls.all, self._ghosted, self._bounded)
        stage.on_change(self._chosen, self._controls.kind_field)
        self._chosen()

    def _build_recorder(self) -> None:
        gui, stage = self.stage.gui, self.stage
        self._drag: Drag | None = None
        self._clip: Clip | None = None
        self._time = 0.0
        self._playing = False
        with gui.add_folder("Record a drag", expand_by_default=False):
            self._record = gui.add_button("Record", hint="Everything that is dragged until Stop becomes a clip.")
            self._play = gui.add_button("Play", disabled=True)
            self._saves = {
                name: gui.add_button(words, disabled=True, hint=hint)
                for name, words, hint in (
                    ("drag.glb", "Save as .glb", "For Blender, engines and viewers."),
                    ("drag.html", "Save as a page", "Plays in any browser, offline."),
                )
            }
        stage.on_press(self._record, self._toggle_recording)
        stage.on_press(self._play, self._toggle_playing)
        for name, button in self._saves.items():
            stage.on_press(button, lambda client, name=name: self._save(client, name))

    def _build_scene(self) -> None:
        scene = self.stage.scene
        self._links = Links(scene, f"{self.root}/limb", palette.LINK)
        self._ghosts = [Links(scene, f"{self.root}/ghost{k}", palette.GHOST, 0.35) for k in range(MOST_GHOSTS)]
        self._region = Region(scene, f"{self.root}/region")
        self._grid = scene.add_grid(
            f"{self.root}/grid",
            4.0,
            4.0,
            plane="xz",
            cell_size=0.1,
            section_size=0.5,
            cell_color=rgb("#EEF0F2"),
            section_color=rgb("#D5DADF"),
            infinite_grid=False,
            position=(0.0, -1.1, 0.0),
        )
        self._missed = scene.add_line_segments(
            f"{self.root}/missed",
            np.zeros((1, 2, 3)),
            colors=rgb(palette.TARGET),
            thickness=2.5,
            thickness_units="screen",
        )
        self._pole = scene.add_arrows(
            f"{self.root}/pole",
            np.zeros((1, 2, 3)),
            rgb(palette.POLE),
            shaft_radius=0.006,
            head_radius=0.018,
            head_length=0.05,
        )
        self._gizmo = scene.add_transform_controls(f"{self.root}/target", scale=0.25, line_width=3.0, depth_test=False)

    # --- what pages do

    def _chosen(self) -> None:
        """Another kind of limb: its target is put where it can be reached."""
        self._stop()
        self._drag, self._record.label = None, "Record"  # a clip is of one limb
        kind = self._controls.kind
        spatial = kind is not PlanarTwoLink
        self._gizmo.active_axes = (True, True, spatial)
        self._gizmo.disable_rotations = kind is not ThreeLink
        self._gizmo.position = STARTS[kind]
        self._gizmo.wxyz = np.roll(DOWN if kind is ThreeLink else [0.0, 0.0, 0.0, 1.0], 1)
        self._grid.visible = spatial
        self.place_camera()
        self._dragged()

    def place_camera(self) -> None:
        """Places the cameras."""
        self.stage.set_camera(*VIEWS[self._controls.kind])

    def _dragged(self) -> None:
        """The gizmo has moved."""
        turn = np.roll(self._gizmo.wxyz, -1)
        self._controls.place(self._gizmo.position, rotate(turn, UP))
        self._solve()

    def _typed(self) -> None:
        """A number was typed: the gizmo goes there, by the shortest turn."""
        self._controls.read()
        self._gizmo.position = self._controls.target
        turn, wanted = np.roll(self._gizmo.wxyz, -1), np.array(self._controls.up)
        if wanted.any():
            arc = shortest_arc(rotate(turn, UP), wanted, rotate(turn, np.array([1.0, 0.0, 0.0])))
            self._gizmo.wxyz = np.roll(multiply(arc, turn), 1)
        self._solve()

    def _solve(self) -> None:
        """Solves, and shows what came of it."""
        self._controls.show()
        self.call = self._controls.call()
        self.solution = self.call.solution()
        if self._drag is not None and monotonic() - self._drag.times[0] < LONGEST:
            self._drag.add(monotonic(), self.call.arguments)
        self._draw()
        self._words.content = limb_text.outcome(self.call.limb, self.solution)
        self._python.content = limb_text.python(self.call)

    # --- what is seen

    def _draw(self) -> None:
        joints = _in_space(self.solution.joints)
        size = float(sum(self.call.lengths))
        self._links.chain(joints, THICK * size)
        self._draw_ghosts(THICK * size)
        self._draw_region()
        target = _in_space(np.array(self.call.arguments["target"]))
        self._missed.points = np.stack([joints[-1], target])[None].astype(np.float32)
        pole = np.asarray(self.call.arguments.get("pole", self.call.arguments.get("hint", (0.0, 0.0, 0.0))))
        self._pole.visible = bool(pole.any())
        if pole.any():
            end = 0.35 * size * pole / np.linalg.norm(pole)
            self._pole.points = np.array([[[0.0, 0.0, 0.0], end]], np.float32)

    def _draw_ghosts(self, radius: float) -> None:
        others = self.call.branches().others(self.solution) if self._ghosted.value else []
        for k, ghost in enumerate(self._ghosts):
            if k < len(others):
                ghost.chain(_in_space(others[k]), 0.8 * radius)
            else:
                ghost.hide()

    def _draw_region(self) -> None:
        if not self._bounded.value:
            self._region.hide()
            return
        near, far = radii(self.solution)
        if self.call.kind is PlanarTwoLink:
            self._region.flat(near, far)
        else:
            self._region.round(near, far, self._ankle_to_tip())

    def _ankle_to_tip(self) -> Array:
        """How far the tip is from the end of the second link as it is asked for, (3,)."""
        up = np.asarray(self.call.arguments.get("up", (0.0, 0.0, 0.0)))
        length = np.linalg.norm(up)
        return self.call.lengths[-1] * up / length if length > 0.0 else np.zeros(3)

    # --- recording

    def _toggle_recording(self, _: ClientHandle) -> None:
        if self._drag is None:
            self._stop()
            self._drag = Drag()
            self._drag.add(monotonic(), self.call.arguments)
            self._record.label = "Stop"
            return
        drag, self._drag = self._drag, None
        self._record.label = "Record"
        drag.add(monotonic(), self.call.arguments)
        self._clip = drag.clip(self.call)
        for button in (self._play, *self._saves.values()):
            button.disabled = False
        self.stage.notify("Recorded", f"{self._clip.duration:.1f} s, {len(self._clip)} frames")

    def _toggle_playing(self, _: ClientHandle) -> None:
        if self._playing:
            self._stop()
        else:
            self._playing, self._time = True, 0.0
            self._play.label = "Stop playing"

    def _stop(self) -> None:
        """Ends playing: the limb is where the gizmo is."""
        if self._playing:
            self._playing = False
            self._play.label = "Play"
            self._draw()

    @property
    def moving(self) -> bool:
        """Whether a recorded drag plays."""
        return self._playing

    def advance(self, seconds: float) -> None:
        """Plays on."""
        assert self._clip is not None
        self._time = (self._time + seconds) % max(self._clip.duration, 1e-9)
        frame = self._clip[min(round(self._time * self._clip.fps), len(self._clip) - 1)]
        self._links.chain(frame.positions(), THICK * float(sum(self.call.lengths)))

    def _save(self, client: ClientHandle, name: str) -> None:
        assert self._clip is not None
        content = page_bytes(self._clip) if name.endswith(".html") else clip_bytes(self.stage, self._clip, name)
        self.stage.download(client, name, content)


def _in_space(points: Array) -> Array:
    """(..., 2) or (..., 3) as (..., 3): the plane is x and y."""
    missing = np.zeros((*points.shape[:-1], 3 - points.shape[-1]))
    return np.concatenate([points, missing], axis=-1)
