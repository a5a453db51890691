"""The Robot tab: a robot from its file, one of whose limbs follows a draggable pose of its tip."""

from __future__ import annotations

from html import escape
from math import degrees, isfinite, pi
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, as_unicode
from limbik.pictures import palette, words
from limbik.robots.robot import Robot
from limbik.robots.robot_forward import TO_Y_UP
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII, grid
from limbik.studio.dragged_limb import DraggedLimb
from limbik.studio.joint_sliders import JointSliders
from limbik.studio.page.cameras import CameraView
from limbik.studio.page.panel_html import status_dot, status_text
from limbik.studio.page.tab import Tab
from limbik.studio.robot_body import RobotBody
from limbik.studio.robot_mesh_body import RobotMeshBody
from limbik.studio.robot_meshes import robot_meshes
from limbik.studio.scene.solids import Solid, add_screen_lines
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.terrains.planes import Plane

if TYPE_CHECKING:
    from viser import FrameHandle

SAMPLE = Path(__file__).with_name("sample_arm.urdf")
SUFFIXES = (".urdf", ".xml", ".mjcf")
MAX_GHOSTS = 15
GIZMO_SIZE = 0.18  # over the limb's length
LABEL_RISE = 0.3  # above the middle of the gizmo, over the gizmo's size


class RobotTab(Tab):
    """A limb of a robot that follows a gizmo, with its other answers as ghosts and its limits as bars."""

    title = "Robot"
    description = "Open a URDF or MJCF file, then drag the arrows at the tip and rotate the arcs, or move the joints."
    dragged: DraggedLimb

    def build(self) -> None:
        gui, stage = self.gui, self.stage
        upload = gui.add_upload_button("Open a robot …", hint="URDF, or MJCF without includes; meshes are not needed.")
        stage.on_upload(upload, SUFFIXES, self.open_file)
        self._about = gui.add_html("")
        names = tuple(Robot.load(SAMPLE).limb_ends())
        self._limb_field = gui.add_dropdown("Limb", names, hint="The limbs that were found in the file.")
        self._show_ghosts = gui.add_checkbox("Other answers", True, hint="Every other pose of the limb with this tip.")
        hint = "Base and waist follow too, and the feet of the other legs stay."
        self._whole_body = gui.add_checkbox("Whole body", False, hint=hint)
        self._outcome = gui.add_html("")
        self._bars = gui.add_html("")
        self._sliders = JointSliders(stage, self._move_joint)
        self._build_scene()
        stage.on_change(self._choose_limb, self._limb_field)
        stage.on_change(self._follow, self._gizmo, self._show_ghosts, self._whole_body)
        self.open_file(SAMPLE)

    def _build_scene(self) -> None:
        scene, (x, y, z, w) = self.scene, TO_Y_UP
        world = f"{self.root}/world"  # below it z is up, as in the file
        scene.add_frame(world, show_axes=False, wxyz=(w, x, y, z))
        self._robot_frame: FrameHandle | None = None
        self._ghosts = [Solid(scene, f"{world}/ghost{k}", palette.GHOST, 0.35) for k in range(MAX_GHOSTS)]
        self._floor = scene.add_frame(f"{self.root}/floor", show_axes=False)
        self._error_line = add_screen_lines(scene, f"{world}/error")
        self._gizmo = scene.add_transform_controls(f"{world}/target", line_width=3.0, depth_test=False)
        self._label = scene.add_label(f"{world}/label", "", anchor="bottom-right")

    # --- events

    def recolour(self) -> None:
        self._patch.draw()

    def open_file(self, path: Path) -> None:
        """Opens a robot, with the first of its limbs."""
        robot = Robot.load(path)
        limbs = [DraggedLimb(robot, name) for name in robot.limb_ends()]
        if not limbs:
            raise ArgumentError("robot", path.name, "a robot with a limb: a chain of two or more joints")
        self._show_robot(robot, limbs, robot_meshes(path, {joint.link for joint in robot.joints}))
        self._limbs = {limb.name: limb for limb in limbs}
        name = escape(as_unicode(robot.name or path.stem))
        self._about.content = f"<div class='limbik-text'>{name}: {len(robot.joints)} joints</div>"
        self._limb_field.options = tuple(self._limbs)
        self._whole_body.visible = len(limbs) > 1
        self._limb_field.value = limbs[0].name
        self._choose_limb()
        self.place_camera()

    def _show_robot(self, robot: Robot, limbs: list[DraggedLimb], meshes: dict[str, Array]) -> None:
        """Replaces the robot in the scene, and the ground by one on which it stands."""
        scene, name = self.scene, f"{self.root}/world/robot"
        if self._robot_frame is not None:
            self._robot_frame.remove()  # with everything below it in the scene tree
        self._robot_frame = scene.add_frame(name, show_axes=False)
        shown = RobotMeshBody(scene, name, robot, limbs, meshes) if meshes else RobotBody(scene, name, robot, limbs)
        self._body = body = shown
        self._places = robot.forward(limbs[0].angles).positions
        body.draw(limbs[0])
        self._floor.position = (0.0, body.lowest, 0.0)
        name = f"{self.root}/floor/ground"
        self._patch = TerrainPatch(self.stage, name, Plane(), GROUND_MARGIN_RADII * body.size, grid(body.size))
        self._patch.move_to(0.0, 0.0)

    def _choose_limb(self) -> None:
        """Switches to another limb of the robot, which stays in its pose, with the target at its tip."""
        chosen = self._limbs[self._limb_field.value]
        if hasattr(self, "dragged") and self.dragged.robot is chosen.robot:
            chosen.copy_pose(self.dragged)
        self.dragged = chosen
        self._bring_gizmo()
        self._gizmo.scale = GIZMO_SIZE * self.dragged.length
        self._label.text = chosen.name.replace("_", " ")
        self._follow()

    def _bring_gizmo(self) -> None:
        """Moves the gizmo to the tip."""
        position, rotation = self.dragged.tip_pose()
        self._gizmo.position, self._gizmo.wxyz = position, np.roll(rotation, 1)

    def _move_joint(self, number: int, angle: float) -> None:
        """Moves one joint of the limb, and the target to where that brings the tip."""
        self.dragged.move_joint(number, angle)
        self._bring_gizmo()
        self._follow()

    def place_camera(self) -> None:
        low, high = self._places.min(axis=0), self._places.max(axis=0)
        x, y, z = 0.5 * (low + high)
        radius = max(0.5 * float(np.linalg.norm(high - low)), 0.42 * self._body.size)
        self.stage.cameras.show(CameraView(radius, (y, z, x)))  # z is up in the robot's world

    def _follow(self) -> None:
        """Solves for the gizmo's pose, and shows the result."""
        dragged = self.dragged
        position, rotation = np.array(self._gizmo.position), np.roll(self._gizmo.wxyz, -1)
        whole = self._whole_body.value and self._whole_body.visible
        (dragged.follow_with_body if whole else dragged.follow)(position, rotation)
        others = dragged.others(position, rotation) if self._show_ghosts.value else dragged.limb_angles[None][:0]
        self._draw(position, others)
        limb = dragged.limb
        self._bars.content = joint_bars(limb.joints, limb.lower, limb.upper, dragged.limb_angles, others)
        self._sliders.show(limb, dragged.limb_angles)
        self._outcome.content = _outcome_html(dragged, len(others))

    # --- drawing

    def _draw(self, target: Array, others: Array) -> None:
        dragged = self.dragged
        self._body.draw(dragged)
        for k, ghost in enumerate(self._ghosts):
            self._body.draw_limb(ghost, dragged, others[k]) if k < len(others) else ghost.hide()
        tip = dragged.tip_pose()[0]
        self._error_line.points = np.stack([tip, target])[None].astype(np.float32)
        self._label.position = target + (0.0, 0.0, LABEL_RISE * self._gizmo.scale)


def _outcome_html(dragged: DraggedLimb, others: int) -> str:
    """HTML: the family, what became of the target, and how many other answers there are."""
    status = dragged.status
    found = f"{status_dot(status)} <b>{status_text(status)}</b>; {others} other answers"
    return (
        f"<div class='limbik-text'><div>{found}</div>"
        f"<div class='limbik-dim'>the tip is {words.millimetres(dragged.residual)} from the target</div>"
        f"<div class='limbik-dim'>how it is solved: {escape(dragged.family)}</div></div>"
    )


def joint_bars(names: tuple[str, ...], lower: Array, upper: Array, angles: Array, others: Array) -> str:
    """A row for each joint: its name, a bar from limit to limit (without limits: a turn), its angle in degrees."""
    rows = []
    for k, name in enumerate(names):
        low = float(lower[k]) if isfinite(lower[k]) else min(-pi, float(angles[k]))
        high = float(upper[k]) if isfinite(upper[k]) else max(pi, float(angles[k]))
        inside = low - 1e-9 <= angles[k] <= high + 1e-9
        marks = [_mark(float(one), low, high, palette.GHOST, 3) for one in others[:, k] if low <= one <= high]
        marks.append(_mark(float(angles[k]), low, high, palette.LINK if inside else palette.TARGET, 5))
        rows.append(
            f"<div><span title='{escape(name)}'>{escape(name)}</span><span>{''.join(marks)}</span>"
            f"<span>{words.degrees(degrees(angles[k]))}</span></div>"
        )
    return f"<div class='limbik-joints'>{''.join(rows)}</div>"


def _mark(angle: float, low: float, high: float, colour: str, width: int) -> str:
    at = 100.0 * min(max((angle - low) / max(high - low, 1e-9), 0.0), 1.0)
    top, height = (-2, 14) if width > 3 else (1, 8)
    place = f"top:{top}px;width:{width}px;height:{height}px;left:calc({at:.1f}% - {width / 2}px)"
    return f"<i style='{place};background:{colour}'></i>"
