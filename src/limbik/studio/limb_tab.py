"""The Limb tab: a limb that follows a draggable target."""

from __future__ import annotations

from html import escape
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures import words
from limbik.rotations import about, multiply, rotate, shortest_arc
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII
from limbik.skeleton.clip import Clip
from limbik.studio.limb_call import AnyLimb, DragRecording, LimbCall
from limbik.studio.limb_controls import LimbControls
from limbik.studio.limb_figure import LimbFigure
from limbik.studio.page.cameras import CameraView
from limbik.studio.page.panel_html import status_dot
from limbik.studio.page.tab import Tab
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.terrains.planes import Plane

if TYPE_CHECKING:
    from viser import ClientHandle

UP = np.array([0.0, 1.0, 0.0])


class Start(NamedTuple):
    """What a kind of limb begins with."""

    target: tuple[float, float, float]  # metres
    tip: str  # what the tip is called
    view: CameraView


STARTS: dict[type[AnyLimb], Start] = {
    ThreeLink: Start((0.1, -0.78, 0.25), "foot", CameraView(0.78, (0.0, -0.38, 0.05))),
    TwoLink: Start((0.3, 0.15, 0.45), "hand", CameraView(0.8, azimuth=1.1)),
    PlanarTwoLink: Start((0.55, 0.25, 0.0), "hand", CameraView(0.9, azimuth=0.0, elevation=0.0)),
}
GIZMO_SIZE = 0.25  # metres
FLOOR_HEIGHT, FLOOR_SQUARE = -1.1, 0.5  # of the ground, and the side of its squares, metres
DOWN = about([1.0, 0.0, 0.0], np.pi)  # gizmo rotation that points the last link down, as a foot
# Pages from another machine have no navigator.clipboard (it needs a secure context): there the text is selected.
COPY = (
    "const text=this.parentNode.querySelector('textarea');text.select();"
    "if(navigator.clipboard)navigator.clipboard.writeText(text.value);else document.execCommand('copy');"
    "this.textContent='Copied';setTimeout(()=>this.textContent='Copy the Python call',1200)"
)


class LimbTab(Tab):
    """A limb that follows a gizmo, with its other branches, reachable region, angles and Python code."""

    title = "Limb"
    description = "Drag the arrows at the tip; rotate the arcs to turn the last link. Drag elsewhere to orbit."
    call: LimbCall
    solution: Solution  # of that call

    def build(self) -> None:
        gui, stage = self.gui, self.stage
        self._outcome = gui.add_html("", order=1000.0)
        self._controls = LimbControls(gui)
        self._outcome.order = self._controls.bend.order - 0.5
        with gui.add_folder("Show", expand_by_default=False):
            self._show_branches = gui.add_checkbox(
                "Other branches", True, hint="Every other pose that reaches the target."
            )
            self._show_region = gui.add_checkbox("Reachable region", True, hint="Where the tip can be with this Up.")
        self._python = gui.add_html("")
        self._build_recorder()
        self._build_scene()
        stage.on_change(self._follow_gizmo, self._gizmo)
        stage.on_change(self._follow_fields, self._controls.target_field, self._controls.up_field)
        stage.on_change(self._solve, *self._controls.options, self._show_branches, self._show_region)
        stage.on_change(self._choose_kind, self._controls.kind_field)
        self._choose_kind()

    def _build_recorder(self) -> None:
        gui, stage = self.gui, self.stage
        self._recording: DragRecording | None = None
        self._clip: Clip | None = None
        self._time, self._playing = 0.0, False
        with gui.add_folder("Record a drag", expand_by_default=False):
            self._record = gui.add_button("Record", hint="Until Stop, every drag is recorded as a clip.")
            self._play = gui.add_button("Play", disabled=True)
            hint = "For Blender, game engines and viewers."
            self._save_clip = gui.add_button("Save as .glb", disabled=True, hint=hint)
            self._save_page = gui.add_button("Save as a page", disabled=True, hint="Plays in any browser, offline.")
        stage.on_press(self._record, self._toggle_recording)
        stage.on_press(self._play, self._toggle_playing)
        stage.on_press(self._save_clip, lambda client: self._save(client, "drag.glb"))
        stage.on_press(self._save_page, lambda client: self._save(client, "drag.html"))

    def _build_scene(self) -> None:
        scene, root = self.scene, self.root
        self.figure = LimbFigure(scene, root)
        self._floor = scene.add_frame(f"{root}/floor", show_axes=False, position=(0.0, FLOOR_HEIGHT, 0.0))
        self._patch = TerrainPatch(self.stage, f"{root}/floor/ground", Plane(), GROUND_MARGIN_RADII, FLOOR_SQUARE)
        self._patch.move_to(0.0, 0.0)
        self._gizmo = scene.add_transform_controls(f"{root}/target", scale=GIZMO_SIZE, line_width=3.0, depth_test=False)

    # --- events

    def recolour(self) -> None:
        self._patch.draw()

    def _choose_kind(self) -> None:
        """Switches to another kind of limb, with a target within its reach."""
        self._stop_playing()
        self._recording, self._record.label = None, "Record"  # a recording has one limb
        kind = self._controls.kind
        spatial = kind is not PlanarTwoLink
        self._gizmo.active_axes = (True, True, spatial)
        self._gizmo.disable_rotations = kind is not ThreeLink
        self._gizmo.position, self.figure.label.text = STARTS[kind].target, STARTS[kind].tip
        self._gizmo.wxyz = np.roll(DOWN if kind is ThreeLink else [0.0, 0.0, 0.0, 1.0], 1)
        self._floor.visible = spatial
        self.place_camera()
        self._follow_gizmo()

    def place_camera(self) -> None:
        self.stage.cameras.show(STARTS[self._controls.kind].view)

    def _follow_gizmo(self) -> None:
        turn = np.roll(self._gizmo.wxyz, -1)
        self._controls.set_from_gizmo(self._gizmo.position, rotate(turn, UP))
        self._solve()

    def _follow_fields(self) -> None:
        """A number was typed: moves the gizmo there, rotated by the shortest arc."""
        self._controls.read_fields()
        self._gizmo.position = self._controls.target
        turn, wanted = np.roll(self._gizmo.wxyz, -1), np.array(self._controls.up)
        if wanted.any():
            arc = shortest_arc(rotate(turn, UP), wanted, rotate(turn, np.array([1.0, 0.0, 0.0])))
            self._gizmo.wxyz = np.roll(multiply(arc, turn), 1)
        self._solve()

    def _solve(self) -> None:
        """Solves for the current controls, and shows the result."""
        self._controls.update_visibility()
        self.call = self._controls.call()
        self.solution = self.call.solve()
        if self._recording is not None:
            self._recording.add(monotonic(), self.call.arguments)
        self._draw()
        self._outcome.content = _outcome_html(self.solution)
        self._python.content = _python_html(self.call)

    def _draw(self) -> None:
        self.figure.draw(self.call, self.solution, self._show_branches.value, self._show_region.value)

    # --- recording

    def _toggle_recording(self, _: ClientHandle) -> None:
        if self._recording is None:
            self._stop_playing()
            self._recording = DragRecording()
            self._recording.add(monotonic(), self.call.arguments)
            self._record.label = "Stop"
            return
        recording, self._recording = self._recording, None
        self._record.label = "Record"
        recording.add(monotonic(), self.call.arguments)
        self._clip = recording.clip(self.call)
        self._play.disabled = self._save_clip.disabled = self._save_page.disabled = False
        self.stage.notify("Recorded", f"{self._clip.duration:.1f} s, {len(self._clip)} frames")

    def _toggle_playing(self, _: ClientHandle) -> None:
        if self._playing:
            self._stop_playing()
        else:
            self._playing, self._time = True, 0.0
            self._play.label = "Stop playing"

    def _stop_playing(self) -> None:
        """Stops playback: the limb returns to the gizmo."""
        if self._playing:
            self._playing = False
            self._play.label = "Play"
            self._draw()

    @property
    def moving(self) -> bool:
        """Whether a recorded drag is playing."""
        return self._playing

    def advance(self, seconds: float) -> None:
        assert self._clip is not None
        self._time = (self._time + seconds) % max(self._clip.duration, 1e-9)
        frame = self._clip[min(round(self._time * self._clip.fps), len(self._clip) - 1)]
        self.figure.draw_links(self.call, frame.positions())

    def _save(self, client: ClientHandle, name: str) -> None:
        assert self._clip is not None
        self.stage.download_clip(client, name, self._clip)


def _outcome_html(solution: Solution) -> str:
    """HTML: the status, the residual, and the angles in degrees."""
    residual = f"the tip is {words.millimetres(float(solution.residual))} from the target"
    cells = "".join(
        f"<td>{escape(name)}</td><td>{escape(words.degrees(angle))}</td>{'</tr><tr>' if k % 2 else ''}"
        for k, (name, angle) in enumerate(words.named_angles(solution))
    )
    dot = status_dot(Status(solution.status))
    return (
        f"<div class='limbik-text'><div>{dot} <b>{escape(words.outcome(solution))}</b></div>"
        f"<div class='limbik-dim'>{escape(residual)}</div><table class='limbik-angles'><tr>{cells}</tr></table></div>"
    )


def _python_html(call: LimbCall) -> str:
    """HTML: the Python code of a call, and a button that copies it."""
    return (
        f"<div class='limbik-code'><button onclick=\"{COPY}\">Copy the Python call</button>"
        f"<textarea readonly spellcheck='false' aria-label='Python'>{escape(call.python())}</textarea></div>"
    )
