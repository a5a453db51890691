"""The Robot tab: a robot from its file, one of whose limbs follows a draggable pose of its tip."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, as_unicode
from limbik.limbs.status import Status
from limbik.pictures import palette, words
from limbik.robots.robot import Robot
from limbik.robots.robot_forward import TO_Y_UP
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII, grid
from limbik.studio.page.tab import Tab
from limbik.studio.page.uploads import on_upload
from limbik.studio.robot.dragged_limb import DraggedLimb
from limbik.studio.robot.joint_bars import joint_bars
from limbik.studio.robot.robot_body import RobotBody
from limbik.studio.scene.camera_places import CameraView
from limbik.studio.scene.solids import Solid, rgb
from limbik.studio.scene.terrain_patch import TerrainPatch
from limbik.terrains.planes import Plane

if TYPE_CHECKING:
    from viser import FrameHandle

SAMPLE = Path(__file__).with_name("sample_arm.urdf")
SUFFIXES = (".urdf", ".xml", ".mjcf")
MOST_GHOSTS = 15
GIZMO = 0.18  # size of the gizmo, over the limb's length
LIFT = 0.3  # height of the label above the middle of the gizmo, over the gizmo's size
DIMMED = "color:var(--mantine-color-dimmed)"
TEXT = "margin:.2em 1em .6em;font-size:13px;line-height:1.55;overflow-wrap:anywhere"


class RobotTab(Tab):
    """A limb of a robot that follows a gizmo, with its other answers as ghosts and its limits as bars."""

    title = "Robot"
    description = "Open a URDF or MJCF file, then drag the arrows at the tip and rotate the arcs."
    dragged: DraggedLimb

    def build(self) -> None:
        gui, stage = self.stage.gui, self.stage
        upload = gui.add_upload_button("Open a robot …", hint="URDF, or MJCF without includes; meshes are not needed.")
        on_upload(stage, upload, SUFFIXES, self.open_file)
        self._about = gui.add_html("")
        names = tuple(Robot.load(SAMPLE).limb_ends())
        self._limb_field = gui.add_dropdown("Limb", names, hint="The limbs that were found in the file.")
        self._show_ghosts = gui.add_checkbox("Other answers", True, hint="Every other pose of the limb with this tip.")
        self._outcome = gui.add_html("")
        self._bars = gui.add_html("")
        self._build_scene()
        stage.on_change(self._choose_limb, self._limb_field)
        stage.on_change(self._follow, self._gizmo, self._show_ghosts)
        self.open_file(SAMPLE)

    def _build_scene(self) -> None:
        scene, (x, y, z, w) = self.stage.scene, TO_Y_UP
        world = f"{self.root}/world"  # below it z is up, as in the file
        scene.add_frame(world, show_axes=False, wxyz=(w, x, y, z))
        self._robot_frame: FrameHandle | None = None
        self._ghosts = [Solid(scene, f"{world}/ghost{k}", palette.GHOST, 0.35) for k in range(MOST_GHOSTS)]
        self._floor = scene.add_frame(f"{self.root}/floor", show_axes=False)
        self._error_line = scene.add_line_segments(
            f"{world}/error", np.zeros((1, 2, 3)), rgb(palette.TARGET), thickness=2.5, thickness_units="screen"
        )
        self._gizmo = scene.add_transform_controls(f"{world}/target", line_width=3.0, depth_test=False)
        self._label = scene.add_label(f"{world}/label", "", anchor="bottom-right")

    # --- events

    def recolour(self) -> None:
        self._patch.draw()

    def open_file(self, path: Path) -> None:
        """Opens a robot, with the first of its limbs that can be solved."""
        robot = Robot.load(path)
        limbs = [DraggedLimb(robot, name) for name in robot.limb_ends()]
        if not limbs:
            raise ArgumentError("robot", path.name, "a robot with a limb: a chain of two or more joints")
        self._show_robot(robot, limbs)
        self._limbs = {limb.name: limb for limb in limbs}
        name = escape(as_unicode(robot.name or path.stem))
        self._about.content = f"<div style='{TEXT}'>{name}: {len(robot.joints)} joints</div>"
        self._limb_field.options = tuple(self._limbs)
        self._limb_field.value = min(limbs, key=lambda limb: bool(limb.reason)).name
        self._choose_limb()
        self.place_camera()

    def _show_robot(self, robot: Robot, limbs: list[DraggedLimb]) -> None:
        """Replaces the robot in the scene, and the ground by one on which it stands."""
        scene, name = self.stage.scene, f"{self.root}/world/robot"
        if self._robot_frame is not None:
            self._robot_frame.remove()  # with everything below it in the scene tree
        self._robot_frame = scene.add_frame(name, show_axes=False)
        self._body = body = RobotBody(scene, name, robot, limbs)
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
            chosen.angles = self.dragged.angles
        self.dragged = chosen
        position, rotation = self.dragged.tip_pose()
        self._gizmo.position, self._gizmo.wxyz = position, np.roll(rotation, 1)
        self._gizmo.scale = GIZMO * self.dragged.length
        self._gizmo.visible = not self.dragged.reason
        self._label.text = chosen.name.replace("_", " ") + (": not solved" if chosen.reason else "")
        self._follow()

    def place_camera(self) -> None:
        low, high = self._places.min(axis=0), self._places.max(axis=0)
        x, y, z = 0.5 * (low + high)
        radius = max(0.5 * float(np.linalg.norm(high - low)), 0.42 * self._body.size)
        self.stage.set_camera(CameraView(radius, (y, z, x)))  # z is up in the robot's world

    def _follow(self) -> None:
        """Solves for the gizmo's pose, and shows the result."""
        dragged = self.dragged
        position, rotation = np.array(self._gizmo.position), np.roll(self._gizmo.wxyz, -1)
        dragged.follow(position, rotation)
        others = dragged.others(position, rotation) if self._show_ghosts.value else dragged.limb_angles[None][:0]
        self._draw(position, others)
        limb = dragged.limb
        self._bars.content = joint_bars(limb.joints, limb.lower, limb.upper, dragged.limb_angles, others)
        self._outcome.content = _outcome_html(dragged, len(others))

    # --- drawing

    def _draw(self, target: Array, others: Array) -> None:
        dragged = self.dragged
        self._body.draw(dragged)
        for k, ghost in enumerate(self._ghosts):
            self._body.draw_limb(ghost, dragged, others[k]) if k < len(others) else ghost.hide()
        tip = dragged.tip_pose()[0]
        end = tip if dragged.reason else target
        self._error_line.points = np.stack([tip, end])[None].astype(np.float32)
        self._label.position = end + (0.0, 0.0, LIFT * self._gizmo.scale)


def _outcome_html(dragged: DraggedLimb, others: int) -> str:
    """HTML: the family, what became of the target, and how many other answers there are; or why it is not solved."""
    if dragged.reason:
        return f"<div style='{TEXT}'><b>Not solved.</b> {escape(dragged.reason)}</div>"
    solution = dragged.solution
    assert solution is not None
    dot = palette.UP if solution.status == Status.REACHED else palette.TARGET
    status = Status(int(solution.status)).name.replace("_", " ").lower()
    return (
        f"<div style='{TEXT}'><div><span style='color:{dot}'>●</span> <b>{status}</b>; {others} other answers</div>"
        f"<div style='{DIMMED}'>the tip is {words.millimetres(float(solution.residual))} from the target</div>"
        f"<div style='{DIMMED}'>how it is solved: {escape(dragged.family)}</div></div>"
    )
