"""The Rig tab: a character whose hands, feet, head and pelvis are dragged."""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.samples.sample_files import character
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII, grid, ground_of
from limbik.scenes.scene_clip import SceneClip
from limbik.studio.dragged_rig import DraggedRig
from limbik.studio.page.cameras import CameraView
from limbik.studio.page.clip_tab import ClipTab, OpenedClip, Playback
from limbik.studio.page.panel_html import dot, status_dot, status_text
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.handle import UP, Handle
from limbik.studio.scene.solids import add_screen_lines
from limbik.studio.scene.terrain_patch import TerrainPatch

if TYPE_CHECKING:
    from viser import ClientHandle

# In multiples of the figure's size:
RADII = {"hand": 0.04, "foot": 0.045, "head": 0.075, "chest": 0.12, "pelvis": 0.115}  # of the rings around the ends
ARROW_LENGTH = 0.052  # beyond the ring
VIEW_MARGIN = 1.06  # what is visible around a figure, over its radius: room for labels
COLOURS = {"left": palette.LINK, "right": palette.TARGET, "": palette.POLE}  # of rings on each side, and in the middle
FIRST_END = "right_hand"  # the end that has arrows at first, where there is one

FREE_COLOUR = "#999999"  # of ends that have no target


class RigTab(ClipTab):
    """A frame of a clip, with a handle at each end of the figure, and the pose in which the ends are at the handles.

    The end that was clicked or dragged last also has a gizmo, for straight moves.
    """

    rig: DraggedRig
    title = "Rig"
    description = (
        "Drag a ring: the whole figure follows, and feet stay in place. Left is blue, right is orange. The arrows, for "
        "straight moves, go to the ring that you click."
    )

    def build(self) -> None:
        gui, stage = self.gui, self.stage
        self.add_opener()
        self.playback = Playback(stage, self._take_frame)
        hint = "The ring that has arrows; clicking a ring chooses it, too."
        self._arrows_at = gui.add_dropdown("Arrows at", (_label(FIRST_END),), hint=hint)
        self._table = gui.add_html("")
        reset = gui.add_button("Reset", hint="Returns to the pose that the clip has in this frame.")
        save = gui.add_button("Save the pose", hint="As a clip of one frame, in the format of the file.")
        self._figure_frame = self._ends_frame = None
        self._arrows = self.scene.add_transform_controls(
            f"{self.root}/arrows", line_width=3.0, disable_rotations=True, depth_test=False
        )
        stage.on_change(self._drag_arrows, self._arrows)
        stage.on_change(self._fit_arrows, self._arrows_at)
        self._misses = add_screen_lines(self.scene, f"{self.root}/misses")
        stage.on_press(reset, self._reset)
        stage.on_press(save, self._save)
        self.show_clip(OpenedClip(character(), "Sample character"))

    # --- events

    def recolour(self) -> None:
        self._ground.draw()

    def _take_frame(self) -> None:
        """Starts with the pose of another frame: targets belong to the one in which they were set."""
        frame = self.playback.frame
        self.rig = DraggedRig(self.opened.clip[frame])
        centre = self._motion.centres[frame]
        self._frame.position = -centre
        self._ground.move_to(centre[0], centre[2])
        self._draw()

    @property
    def chosen(self) -> str:
        """The end that has arrows."""
        return self._arrows_at.value.replace(" ", "_")

    def _choose(self, end: str) -> None:
        """Moves the arrows to an end."""
        if end in self._handles:  # another character may have been opened since
            self._arrows_at.value = _label(end)
            self._fit_arrows()

    def _fit_arrows(self) -> None:
        handle = self._handles[self.chosen]
        self._arrows.scale = handle.radius + ARROW_LENGTH * self._motion.size
        self._arrows.position = handle.position

    def _drag(self, end: str) -> None:
        """Takes the place to which an end's ring was dragged."""
        if end in self._handles:
            self._send(end, self._handles[end].position)
            self._fit_arrows()

    def _drag_arrows(self) -> None:
        self._send(self.chosen, np.array(self._arrows.position))

    def _send(self, end: str, place: Array) -> None:
        self.playback.play(False)
        self.rig.drag(end, place)
        self._draw()

    def _reset(self, _: ClientHandle) -> None:
        self.rig.reset()
        self._draw()

    def _save(self, client: ClientHandle) -> None:
        pose, frame = self.rig.pose, self.playback.frame
        still = self.opened.clip[frame : frame + 1].with_(
            rotations=pose.rotations[None], translations=pose.translations[None], contacts=None
        )
        self.stage.download_clip(client, self.opened.output_name("posed"), still)

    # --- drawing

    def show_clip(self, opened: OpenedClip) -> None:
        scene, clip = self.scene, opened.clip
        motion, rig = SceneClip.of("clip", clip), DraggedRig(clip[0])
        figure = FigureMeshes(scene, f"{self.root}/figure", clip)
        for frame in (self._figure_frame, self._ends_frame):
            if frame is not None:
                frame.remove()  # with everything below it in the scene tree
        self._figure_frame, self._ends_frame = (
            scene.add_frame(f"{self.root}/{name}", show_axes=False) for name in ("figure", "ends")
        )
        square = grid(motion.size)
        ground = ground_of(clip, None, motion.positions.reshape(-1, 3), motion.size)
        self._ground = TerrainPatch(
            self.stage, f"{self.root}/ground", ground, GROUND_MARGIN_RADII * motion.radius, square
        )
        self.opened, self._motion, self._figure = opened, motion, figure
        self._handles = {end: self._handle(end) for end in rig.joints}
        self.describe_clip()
        self.playback.start(len(clip), clip.fps)
        self._arrows_at.options = tuple(_label(end) for end in self._handles)
        self._take_frame()
        self._choose(FIRST_END if FIRST_END in self._handles else next(iter(self._handles)))
        self.place_camera()

    def _handle(self, end: str) -> Handle:
        size = self._motion.size
        side = next((side for side in COLOURS if side in end), "")
        return Handle(
            self.stage,
            f"{self.root}/ends/{end}",
            _label(end),
            colour=COLOURS[side],
            radius=RADII[_kind(end)] * size,
            size=size,
            dragged=partial(self._drag, end),
            chosen=partial(self._choose, end),
        )

    def _draw(self) -> None:
        """Draws the pose; handles that were not dragged follow it."""
        rig, places, axes = self.rig, self.rig.places(), self.rig.axes()
        with self.stage.server.atomic():
            self._figure.pose(rig.pose)
            for end, handle in self._handles.items():
                handle.place(rig.targets.get(end, places[end]), axes.get(end, UP))
            if self.chosen not in rig.targets:
                self._arrows.position = places[self.chosen]
            misses = [(places[end], target) for end, target in rig.targets.items()]
            self._misses.visible = bool(misses)
            if misses:
                self._misses.points = np.array(misses, np.float32)
        self._table.content = ends_table(rig)

    def place_camera(self) -> None:
        self.stage.cameras.show(CameraView(VIEW_MARGIN * self._motion.radius, azimuth=self._motion.azimuth))


def _label(end: str) -> str:
    return end.replace("_", " ")


def _kind(end: str) -> str:
    """What an end is: a hand, a foot, the head, the chest or the pelvis."""
    return next(kind for kind in RADII if kind in end)


def ends_table(rig: DraggedRig) -> str:
    """HTML table with a row for each end: its name, its status, and its distance from the target."""
    rows = "".join(_end_row(rig, end) for end in rig.joints)
    return f"<table class='limbik-table ends'><tr><th></th><th>status</th><th>off by</th></tr>{rows}</table>"


def _end_row(rig: DraggedRig, end: str) -> str:
    mark, status, residual = dot(FREE_COLOUR), "held" if rig.holds(end) else "free", "–"
    if rig.reached is not None and end in rig.reached.status:
        found = Status(int(rig.reached.status[end]))
        mark = status_dot(found)
        if end in rig.targets or found != Status.REACHED:
            status = status_text(found)
        residual = words.millimetres(float(rig.reached.residual[end]))
    return f"<tr><td>{escape(_label(end))}</td><td>{mark} {status}</td><td>{residual}</td></tr>"
