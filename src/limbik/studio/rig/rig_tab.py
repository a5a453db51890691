"""The Rig tab: a character whose hands, feet, head and pelvis are dragged."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.pictures import palette
from limbik.samples.sample_files import character
from limbik.scenes.ground_patch import grid
from limbik.scenes.scene_clip import SceneClip
from limbik.studio.page.clip_opener import ClipOpener
from limbik.studio.page.opened_clip import OpenedClip
from limbik.studio.page.playback import Playback
from limbik.studio.page.tab import Tab
from limbik.studio.rig.dragged_rig import DraggedRig
from limbik.studio.rig.ends_table import ends_table
from limbik.studio.scene.camera_places import front_left
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.solids import rgb
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.terrains.specs import terrain

if TYPE_CHECKING:
    from viser import ClientHandle, TransformControlsHandle

# In multiples of the figure's size:
GIZMO = 0.11
GROUND = 1.6  # half the side of the ground that is shown


class RigTab(Tab):
    """A frame of a clip, with a gizmo at each end of the figure, and the pose in which the ends are at the gizmos."""

    opened: OpenedClip
    rig: DraggedRig
    title = "Rig"
    description = "Drag a hand, a foot, the head or the pelvis: the whole figure follows, and feet stay in place."

    def build(self) -> None:
        gui, stage = self.stage.gui, self.stage
        self._opener = ClipOpener(stage, self.open_file, self._open_animation)
        self.playback = Playback(stage, self._take_frame)
        self._table = gui.add_html("")
        reset = gui.add_button("Reset", hint="Returns to the pose that the clip has in this frame.")
        save = gui.add_button("Save the pose", hint="As a clip of one frame, in the format of the file.")
        self._figure_frame = self._ends_frame = None
        self._misses = stage.scene.add_line_segments(
            f"{self.root}/misses", np.zeros((1, 2, 3)), rgb(palette.TARGET), thickness=2.5, thickness_units="screen"
        )
        stage.on_press(reset, self._reset)
        stage.on_press(save, self._save)
        self._show_clip(OpenedClip(character(), "Sample character"))

    # --- events

    def open_file(self, path: Path) -> None:
        """Opens the first clip of a file."""
        self._show_clip(OpenedClip.load(path))

    def recolour(self) -> None:
        self._ground.draw()

    def _open_animation(self, animation: str) -> None:
        self._show_clip(self.opened.with_animation(animation))

    def _take_frame(self) -> None:
        """Starts with the pose of another frame: targets belong to the one in which they were set."""
        frame = self.playback.frame
        self.rig = DraggedRig(self.opened.clip[frame])
        centre = self._motion.centres[frame]
        self._frame.position = -centre
        self._ground.move_to(centre[0], centre[2])
        self._draw()

    def _drag(self, end: str) -> None:
        self.playback.play(False)
        if end in self._gizmos:  # another character may have been opened since
            self.rig.drag(end, np.array(self._gizmos[end].position))
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

    def _show_clip(self, opened: OpenedClip) -> None:
        """Shows a clip, at its first frame. If that fails, nothing changes."""
        scene, clip = self.stage.scene, opened.clip
        motion, rig = SceneClip.of("clip", clip), DraggedRig(clip[0])
        figure = FigureMeshes(scene, f"{self.root}/figure", clip)
        for frame in (self._figure_frame, self._ends_frame):
            if frame is not None:
                frame.remove()  # with everything below it in the scene tree
        self._figure_frame, self._ends_frame = (
            scene.add_frame(f"{self.root}/{name}", show_axes=False) for name in ("figure", "ends")
        )
        square = grid(motion.size)
        ground = clip.terrain or terrain("plane")
        self._ground = TerrainPatch(self.stage, f"{self.root}/ground", ground, GROUND * motion.size, square)
        self.opened, self._motion, self._figure = opened, motion, figure
        self._gizmos = {end: self._gizmo(end) for end in rig.joints}
        self._opener.show(opened)
        self.playback.start(len(clip), clip.fps)
        self._take_frame()
        self.place_camera()

    def _gizmo(self, end: str) -> TransformControlsHandle:
        gizmo = self.stage.scene.add_transform_controls(
            f"{self.root}/ends/{end}",
            scale=GIZMO * self._motion.size,
            line_width=3.0,
            disable_rotations=True,
            depth_test=False,
        )
        self.stage.on_change(partial(self._drag, end), gizmo)
        return gizmo

    def _draw(self) -> None:
        """Draws the pose; gizmos that were not dragged follow it."""
        rig, places = self.rig, self.rig.places()
        with self.stage.server.atomic():
            self._figure.pose(rig.pose)
            for end, gizmo in self._gizmos.items():
                if end not in rig.targets:
                    gizmo.position = places[end]
            misses = [(places[end], target) for end, target in rig.targets.items()]
            self._misses.visible = bool(misses)
            if misses:
                self._misses.points = np.array(misses, np.float32)
        self._table.content = ends_table(rig)

    def place_camera(self) -> None:
        self.stage.set_camera(front_left(self._motion.heading, self._motion.size), (0.0, 0.0, 0.0))

    @property
    def moving(self) -> bool:
        return self.playback.playing

    def advance(self, seconds: float) -> None:
        self.playback.advance(seconds)
