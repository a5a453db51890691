"""The Limb tab: a limb that follows a draggable target."""

from __future__ import annotations

from html import escape
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np

from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.pictures import palette, words
from limbik.pictures.limb_scene import radii
from limbik.rotations import about, multiply, normalized, rotate, shortest_arc
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII
from limbik.skeleton.clip import Clip
from limbik.studio.limb.drag_recording import DragRecording
from limbik.studio.limb.limb_call import AnyLimb, LimbCall, in_space
from limbik.studio.limb.limb_controls import LimbControls
from limbik.studio.limb.reach_region import ReachRegion
from limbik.studio.page.tab import Tab
from limbik.studio.scene.camera_places import CameraView
from limbik.studio.scene.solids import Links, rgb
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.terrains.planes import Plane

if TYPE_CHECKING:
    from viser import ClientHandle

RADIUS = 0.045  # of the first link, as a fraction of the limb's length
UP = np.array([0.0, 1.0, 0.0])
FIRST_TARGETS: dict[type[AnyLimb], tuple[float, float, float]] = {
    ThreeLink: (0.1, -0.78, 0.25),
    TwoLink: (0.3, 0.15, 0.45),
    PlanarTwoLink: (0.55, 0.25, 0.0),
}
TIPS: dict[type[AnyLimb], str] = {ThreeLink: "foot", TwoLink: "hand", PlanarTwoLink: "hand"}
VIEWS: dict[type[AnyLimb], CameraView] = {
    ThreeLink: CameraView(0.78, (0.0, -0.38, 0.05)),
    TwoLink: CameraView(0.8, azimuth=1.1),
    PlanarTwoLink: CameraView(0.9, azimuth=0.0, elevation=0.0),
}
GIZMO, LIFT = 0.25, 0.06  # size of the gizmo; height of its label above its middle, metres
FLOOR, SQUARE = -1.1, 0.5  # height of the ground, and the side of its squares, metres
DOWN = about([1.0, 0.0, 0.0], np.pi)  # gizmo rotation that points the last link down, as a foot
MOST_GHOSTS = 3
# Pages from another machine have no navigator.clipboard (it needs a secure context): there the text is selected.
COPY = (
    "const text=this.parentNode.querySelector('textarea');text.select();"
    "if(navigator.clipboard)navigator.clipboard.writeText(text.value);else document.execCommand('copy');"
    "this.textContent='Copied';setTimeout(()=>this.textContent='Copy the Python call',1200)"
)
BUTTON = (
    "display:block;width:100%;height:2em;border:0;border-radius:4px;background:var(--mantine-primary-color-filled);color:#fff;cursor:pointer;"
    "font:inherit;font-weight:600"
)
CODE = (
    "display:block;width:100%;box-sizing:border-box;margin-top:.5em;height:8.2em;resize:vertical;white-space:pre;"
    "font:11px/1.5 ui-monospace,monospace;color:var(--mantine-color-text);"
    "background:var(--mantine-color-default-hover);border-radius:4px;"
    "border:1px solid var(--mantine-color-default-border)"
)


class LimbTab(Tab):
    """A limb that follows a gizmo, with its other branches, reachable region, angles and Python code."""

    title = "Limb"
    description = "Drag the arrows at the tip; rotate the arcs to turn the last link. Drag elsewhere to orbit."
    call: LimbCall
    solution: Solution  # of that call

    def build(self) -> None:
        gui, stage = self.stage.gui, self.stage
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
        gui, stage = self.stage.gui, self.stage
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
        scene = self.stage.scene
        self._links = Links(scene, f"{self.root}/limb", palette.LINK)
        self._ghosts = [Links(scene, f"{self.root}/ghost{k}", palette.GHOST, 0.35) for k in range(MOST_GHOSTS)]
        self._region = ReachRegion(scene, f"{self.root}/region")
        self._floor = scene.add_frame(f"{self.root}/floor", show_axes=False, position=(0.0, FLOOR, 0.0))
        self._patch = TerrainPatch(self.stage, f"{self.root}/floor/ground", Plane(), GROUND_MARGIN_RADII, SQUARE)
        self._patch.move_to(0.0, 0.0)
        self._error_line = scene.add_line_segments(
            f"{self.root}/error", np.zeros((1, 2, 3)), rgb(palette.TARGET), thickness=2.5, thickness_units="screen"
        )
        self._pole = scene.add_arrows(f"{self.root}/pole", np.zeros((1, 2, 3)), rgb(palette.POLE), head_length=0.05)
        self._pole.shaft_radius, self._pole.head_radius = 0.006, 0.018
        self._gizmo = scene.add_transform_controls(f"{self.root}/target", scale=GIZMO, line_width=3.0, depth_test=False)
        self._label = scene.add_label(f"{self.root}/target-label", "", anchor="bottom-right")
        self._pole_label = scene.add_label(f"{self.root}/pole-label", "", anchor="bottom-center")

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
        self._gizmo.position = FIRST_TARGETS[kind]
        self._label.text = TIPS[kind]
        self._gizmo.wxyz = np.roll(DOWN if kind is ThreeLink else [0.0, 0.0, 0.0, 1.0], 1)
        self._floor.visible = spatial
        self.place_camera()
        self._follow_gizmo()

    def place_camera(self) -> None:
        self.stage.set_camera(VIEWS[self._controls.kind])

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

    # --- drawing

    def _draw(self) -> None:
        joints = in_space(self.solution.joints)
        size = float(sum(self.call.lengths))
        self._links.chain(joints, RADIUS * size)
        self._draw_ghosts(RADIUS * size)
        self._draw_region()
        target = in_space(np.array(self.call.arguments["target"]))
        self._label.position = target + LIFT * UP
        self._error_line.points = np.stack([joints[-1], target])[None].astype(np.float32)
        name = "pole" if "pole" in self.call.arguments else "hint"
        pole = np.asarray(self.call.arguments.get(name, (0.0, 0.0, 0.0)))
        self._pole.visible = self._pole_label.visible = bool(pole.any())
        if pole.any():
            tip = 0.35 * size * normalized(pole)
            self._pole.points = np.array([[[0.0, 0.0, 0.0], tip]], np.float32)
            self._pole_label.text, self._pole_label.position = name, tip

    def _draw_ghosts(self, radius: float) -> None:
        others = self.call.branches().others(self.solution) if self._show_branches.value else []
        for k, ghost in enumerate(self._ghosts):
            ghost.chain(in_space(others[k]), 0.8 * radius) if k < len(others) else ghost.hide()

    def _draw_region(self) -> None:
        if not self._show_region.value:
            self._region.hide()
            return
        near, far = radii(self.solution)
        if self.call.kind is PlanarTwoLink:
            self._region.show_annulus(near, far)
        else:
            up = np.asarray(self.call.arguments.get("up", (0.0, 0.0, 0.0)))  # none for limbs of two links
            self._region.show_shell(near, far, self.call.lengths[-1] * normalized(up))

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
        self._links.chain(frame.positions(), RADIUS * float(sum(self.call.lengths)))

    def _save(self, client: ClientHandle, name: str) -> None:
        assert self._clip is not None
        self.stage.download_clip(client, name, self._clip)


def _outcome_html(solution: Solution) -> str:
    """HTML: the status, the residual, and the angles in degrees."""
    dot = palette.UP if solution.status == Status.REACHED else palette.TARGET
    residual = f"the tip is {words.millimetres(float(solution.residual))} from the target"
    cells = "".join(
        f"<td style='padding:0 .4em .1em 0;color:var(--mantine-color-dimmed)'>{escape(name)}</td>"
        f"<td style='text-align:right;padding-right:1.2em'>{escape(words.degrees(angle))}</td>"
        + ("</tr><tr>" if k % 2 else "")
        for k, (name, angle) in enumerate(words.named_angles(solution))
    )
    return (
        "<div style='margin:.2em 1em .6em;font-size:13px;line-height:1.55'>"
        f"<div><span style='color:{dot}'>●</span> <b>{escape(words.outcome(solution))}</b></div>"
        f"<div style='color:var(--mantine-color-dimmed)'>{escape(residual)}</div>"
        f"<table style='border-spacing:0;font-variant-numeric:tabular-nums'><tr>{cells}</tr></table></div>"
    )


def _python_html(call: LimbCall) -> str:
    """HTML: the Python code of a call, and a button that copies it."""
    return (
        f"<div style='margin:.2em 1em .8em;font-size:13px'><button style='{BUTTON}' onclick=\"{COPY}\">"
        f"Copy the Python call</button><textarea readonly spellcheck='false' aria-label='Python' style='{CODE}'>"
        f"{escape(call.python())}</textarea></div>"
    )
