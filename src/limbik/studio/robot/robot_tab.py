"""The Robot tab: a robot from its file, one of whose limbs follows a draggable pose of its tip."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import capsules
from limbik.errors import ArgumentError
from limbik.limbs.status import Status
from limbik.pictures import palette
from limbik.robots.robot import Robot
from limbik.robots.world_axes import TO_Y_UP, to_y_up
from limbik.studio.page.tab import Tab
from limbik.studio.page.uploads import on_upload
from limbik.studio.robot.dragged_limb import DraggedLimb
from limbik.studio.robot.joint_bars import joint_bars
from limbik.studio.scene.floor_grid import FloorGrid
from limbik.studio.scene.solids import Solid, rgb

SAMPLE = Path(__file__).with_name("sample_arm.urdf")
SUFFIXES = (".urdf", ".xml", ".mjcf")
MOST_GHOSTS = 15
RADIUS = 0.03  # of the limb, as a fraction of its reach
BALL = 1.35  # radius of the ball at a joint over that of its link
BODY = "#B8BEC5"
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
        self._body = Solid(scene, f"{world}/body", BODY)
        self._links = Solid(scene, f"{world}/limb", palette.LINK)
        self._ghosts = [Solid(scene, f"{world}/ghost{k}", palette.GHOST, 0.35) for k in range(MOST_GHOSTS)]
        self._grid = FloorGrid(self.stage, f"{world}/grid", plane="xy")
        self._error_line = scene.add_line_segments(
            f"{world}/error", np.zeros((1, 2, 3)), rgb(palette.TARGET), thickness=2.5, thickness_units="screen"
        )
        self._gizmo = scene.add_transform_controls(f"{world}/target", scale=0.25, line_width=3.0, depth_test=False)

    # --- events

    def recolour(self) -> None:
        self._grid.recolour()

    def open_file(self, path: Path) -> None:
        """Opens a robot, with the first of its limbs that can be solved."""
        robot = Robot.load(path)
        limbs = [DraggedLimb(robot, name) for name in robot.limb_ends()]
        if not limbs:
            raise ArgumentError("robot", path.name, "a robot with a limb: a chain of two or more joints")
        self._limbs = {limb.name: limb for limb in limbs}
        self._about.content = f"<div style='{TEXT}'>{escape(robot.name or path.stem)}: {len(robot.joints)} joints</div>"
        self._limb_field.options = tuple(self._limbs)
        self._limb_field.value = min(limbs, key=lambda limb: bool(limb.reason)).name
        self._choose_limb()

    def _choose_limb(self) -> None:
        """Switches to another limb, in a bent pose with the target at its tip."""
        self.dragged = self._limbs[self._limb_field.value]
        position, rotation = self.dragged.tip_pose()
        self._gizmo.position, self._gizmo.wxyz = position, np.roll(rotation, 1)
        self._gizmo.scale = 0.3 * self._size()
        self._gizmo.visible = not self.dragged.reason
        self.place_camera()
        self._follow()

    def place_camera(self) -> None:
        places = self._places()
        centre = 0.5 * (places.min(axis=0) + places.max(axis=0))
        size = max(float(np.ptp(places, axis=0).max()), self._size())
        eye = centre + size * np.array([1.1, -1.0, 0.6])
        turns = np.tile([0.0, 0.0, 0.0, 1.0], (2, 1))
        position, look_at = to_y_up(np.stack([eye, centre]), turns).positions
        self.stage.set_camera(position, look_at)

    def _places(self) -> Array:
        return self.dragged.robot.forward(self.dragged.angles).positions

    def _size(self) -> float:
        joints = self.dragged.joints(self.dragged.limb_angles)
        return float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())

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
        joints = self.dragged.joints(self.dragged.limb_angles)
        radius = RADIUS * self._size()
        _draw_rods(self._links, joints[:-1], joints[1:], radius)
        _draw_rods(self._body, *self._body_rods(), 0.6 * radius)
        shown = self.dragged.joints(others[:MOST_GHOSTS]) if len(others) else joints[None][:0]
        for k, ghost in enumerate(self._ghosts):
            _draw_rods(ghost, shown[k, :-1], shown[k, 1:], 0.8 * radius) if k < len(shown) else ghost.hide()
        end = joints[-1] if self.dragged.reason else target
        self._error_line.points = np.stack([joints[-1], end])[None].astype(np.float32)

    def _body_rods(self) -> tuple[Array, Array]:
        """The robot's links besides the limb's, each as a rod from its parent's origin to its own: (n, 3) each."""
        robot = self.dragged.robot
        places = self._places()
        limb = self.dragged.links_moved()
        rods = [
            (parent, link)
            for link, parent in enumerate(robot.parents)
            if parent >= 0 and robot.links[parent] != "world" and link not in limb
        ]
        starts, ends = zip(*rods, strict=True) if rods else ((), ())
        return places[list(starts)], places[list(ends)]


def _draw_rods(solid: Solid, starts: Array, ends: Array, radius: float) -> None:
    """Draws rods with a ball at both ends; hides the solid where there are none."""
    if len(starts) == 0:
        solid.hide()
        return
    thick = np.full((len(starts), 2), radius)
    shapes = capsules(
        np.concatenate([starts, ends]),
        np.concatenate([ends, ends]),
        np.concatenate([thick, BALL * thick]),
        np.zeros(2 * len(starts), int),
        sides=12,
    )
    solid.draw(shapes.positions, shapes.triangles)


def _outcome_html(dragged: DraggedLimb, others: int) -> str:
    """HTML: the family, what became of the target, and how many other answers there are; or why it is not solved."""
    if dragged.reason:
        return f"<div style='{TEXT}'><b>Not solved.</b> {escape(dragged.reason)}</div>"
    solution = dragged.solution
    assert solution is not None
    dot = palette.UP if solution.status == Status.REACHED else palette.TARGET
    status = Status(int(solution.status)).name.replace("_", " ").lower()
    return (
        f"<div style='{TEXT}'><div>{escape(dragged.family)}</div>"
        f"<div><span style='color:{dot}'>●</span> <b>{status}</b>; {others} other answers</div>"
        f"<div style='{DIMMED}'>the tip is {1e3 * float(solution.residual):.2g} mm from the target</div></div>"
    )
