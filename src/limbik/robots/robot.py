"""A robot from its file: links and joints, where its links are, and its limbs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from limbik.arguments import file_path, instance, shown, vector
from limbik.arrays import Array
from limbik.errors import ArgumentError, FileError, did_you_mean
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.inputs import Group, number_type, read_group, read_numbers, stack
from limbik.robots.description import RobotJoint, RobotSpec
from limbik.robots.limb_ends import LimbEnds, find_limb_ends
from limbik.robots.mjcf import read_mjcf
from limbik.robots.placements import Placement, unit
from limbik.robots.robot_forward import LinkFrames, forward
from limbik.robots.robot_tree import RobotTree
from limbik.robots.screws import ScrewChain, screws_between
from limbik.robots.urdf import XACRO, read_urdf
from limbik.robots.xml_elements import Element, read_xml

if TYPE_CHECKING:
    from limbik.robots.body_ends import BodyEnds
    from limbik.robots.body_requests import BodyStart, BodyTargets
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.whole_body_solution import WholeBodySolution


LinkPose = tuple[ArrayLike[Array], ArrayLike[Array] | None]  # position (..., 3), and rotation (..., 4) or None
NO_TOOL: LinkPose = ((0.0, 0.0, 0.0), None)
OTHER_FORMATS = {
    "sdf": "is SDF, which limbik does not read; load the robot's URDF or MJCF file",
    "mujocoinclude": "is a part that other MJCF files include; load the file that includes it",
    "COLLADA": "is a COLLADA mesh; load the URDF or MJCF file that refers to it",
}


class Robot:
    """A robot: links, which joints move relative to one another, from a URDF or MJCF file.

    Frames are the file's own: metres, radians, and z up where the file has it so, as URDF and MJCF do by convention;
    `limbik.robots.to_y_up` and `to_z_up` convert to limbik's y-up world and back. `Robot.load` makes one.
    """

    name: str
    """The robot's name; "" if the file has none."""
    links: tuple[str, ...]
    """The links' names; parents come before children. In MJCF links are bodies, and the first is "world"."""
    parents: tuple[int, ...]
    """The number of each link's parent; -1 for the root, which comes first."""
    joints: tuple[RobotJoint, ...]
    """The joints that move by themselves, in the order in which `forward` takes their angles."""
    mimics: tuple[RobotJoint, ...]
    """The joints that follow others."""
    held: tuple[str, ...]
    """The names of ball joints, which stay as the file has them: limbik does not turn them."""
    sites: tuple[str, ...]
    """The names of places on links in which a limb can end: MJCF's sites and spheres."""
    poses: dict[str, dict[str, float]]
    """Poses that the file names, MJCF's keyframes: values by the names of joints, as `forward` takes them."""
    base: str
    """The link that `forward` places: the first that floats, or the root. Others that float stay in place."""
    floating: bool
    """Whether the base floats: a free joint in MJCF, a floating one in URDF."""

    def __init__(self, spec: RobotSpec) -> None:
        instance("spec", spec, RobotSpec, 'a description; Robot.load("robot.urdf") reads a file')
        self._tree = tree = RobotTree(spec)
        self.name = spec.name
        self.links = tuple(link.name for link in spec.links)
        self.parents = tuple(link.parent for link in spec.links)
        self.joints, self.mimics = tuple(tree.joints), tuple(tree.mimics)
        self.sites = tuple(site.name for site in spec.sites)
        self.poses = spec.poses
        self.base, self.floating = self.links[tree.base], bool(tree.floating)
        self.held = tuple(name for link in spec.links for name in link.held)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Robot:
        """Reads a robot from a URDF or MJCF file.

        Of both formats the kinematics is read: what changes it and is not supported is refused by name, with its line,
        never skipped. docs/robots.md lists what is read.

        Args:
            path: the file; its contents tell the format. MJCF may include files of the same folder.

        Returns:
            The robot.

        Raises:
            FileError: The file cannot be read, is too large, or is not a robot that limbik reads.
            ArgumentError: `path` is not a path.
        """
        return cls(read_robot(file_path("path", path)))

    def __repr__(self) -> str:
        follow = f", {len(self.mimics)} that follow others" if self.mimics else ""
        return f"Robot({self.name!r}: {len(self.links)} links, {len(self.joints)} joints{follow})"

    def forward(
        self,
        angles: ArrayLike[ArrayType] | Mapping[str, ArrayLike[ArrayType]],
        *,
        position: ArrayLike[ArrayType] | None = None,
        rotation: ArrayLike[ArrayType] | None = None,
    ) -> LinkFrames[ArrayType]:
        """Forward kinematics of the whole robot.

        Limits are not applied. NumPy, torch and JAX arrays give results of their own kind, with gradients.

        Args:
            angles: (..., joints), in the order of `joints`: radians for hinges, metres for slides. Or values (...) by
                the names of joints; those that are not named are at zero.
            position: (..., 3), where the base is in the world, metres; default: where the file has it.
            rotation: (..., 4), the base's rotation in the world, a unit quaternion, xyzw; default: the file's.

        Returns:
            Positions and rotations of all links in the world, in the order of `links`.

        Raises:
            ArgumentError: A name that is not a joint's, or values that are not numbers.
            ShapeError: Shapes do not fit or do not broadcast.
        """
        place = self._tree.spec.links[self._tree.base].place
        if isinstance(angles, Mapping):
            values, group = list(angles.values()), self._by_name(angles)
        else:
            values, group = [angles], read_group("angles", angles, len(self.joints))
        groups = {
            "angles": group,
            "position": read_group("position", place.position if position is None else position, 3),
            "rotation": read_group("rotation", place.rotation if rotation is None else rotation, 4),
        }
        dtype = number_type(*values, position, rotation)
        return LinkFrames(*forward(self._tree, groups, dtype))

    def _by_name(self, angles: Mapping[str, ArrayLike[ArrayType]]) -> Group:
        names = [joint.name for joint in self.joints]
        for name in angles:
            if name not in names:
                follows = next((one for one in self.mimics if one.name == name and one.mimic), None)
                why = f" ({name!r} follows {follows.mimic.joint!r})" if follows and follows.mimic else ""
                raise ArgumentError("angles", shown(name), f"names of joints{why or did_you_mean(name, names)}")
        parts = [read_numbers(f"angles[{name!r}]", angles[name]) if name in angles else (0.0,) for name in names]
        return stack(*parts) if parts else ()

    def limb(
        self, tip: str, base: str | None = None, *, tool: LinkPose | None = None, base_pose: LinkPose | None = None
    ) -> RobotLimb:
        """The limb between a base and a tip, ready to be solved.

        Args:
            tip: the name of a link or site.
            base: the name of a link above the tip. Default: where the limb begins, which is the nearest link above its
                last joint from which other joints branch off; without one, the link that floats, or the root; where
                that is "world", as in MJCF, the robot's first link, if no joint moves it.
            tool: position (3,), metres, and rotation (4,), a quaternion xyzw or None, of a tool in the tip's frame: the
                limb then ends in the tool's frame.
            base_pose: position and rotation, likewise, of the base in a world of the caller's: the limb's poses are
                then given in that world. Default: they are given in the base's frame.

        Returns:
            The limb. Its poses are those of the tip, or the tool, in the base's frame, or the caller's world.

        Raises:
            ArgumentError: An unknown name; a base that is not above the tip; no joint between the two, or one that
                cannot be solved for, because it is a ball joint or follows another; a pose that is none.
        """
        from limbik.robots.robot_limb import RobotLimb

        return RobotLimb(self.screws(tip, base, tool=tool, base_pose=base_pose))

    def limbs(self) -> dict[str, RobotLimb]:
        """The robot's arms and legs.

        A chain of joints that leaves the body is a limb. It ends before a gripper, a hand's fingers, or a joint that
        follows another; heads and wheels are none. Names such as "left_arm", "front_right_leg" or "arm" come from the
        names of links and joints; where these do not say enough, a limb has the name of its tip.

        Returns:
            The limbs by name, in the order of the links; empty if there are none.
        """
        return {name: self.limb(ends.tip, ends.base) for name, ends in self.limb_ends().items()}

    def limb_ends(self) -> dict[str, LimbEnds]:
        """The base and the tip of each limb that `limbs` finds.

        Returns:
            Pairs (base, tip) by the limb's name: the names of a link, and of a link or site.
        """
        return find_limb_ends(self._tree)

    def screws(
        self, tip: str, base: str | None = None, *, tool: LinkPose | None = None, base_pose: LinkPose | None = None
    ) -> ScrewChain:
        """The joints from a base to a tip as screws, where all angles are zero.

        Args:
            tip: the name of a link or site.
            base: the name of a link above the tip; default: where the limb begins, as `limb` has it.
            tool: the pose of a tool in the tip's frame, as `limb` takes it.
            base_pose: the pose of the base in the caller's world, as `limb` takes it.

        Returns:
            The joints' axes, their limits, and the tip's position and rotation, in the base's frame or the world.

        Raises:
            ArgumentError: An unknown name; a base that is not above the tip; no joint between the two, or one that
                cannot be solved for, because it is a ball joint or follows another; a pose that is none.
        """
        placed = None if base_pose is None else read_placement("base_pose", base_pose)
        return screws_between(self._tree, tip, base, read_placement("tool", tool or NO_TOOL), placed)

    def reach(
        self,
        targets: BodyTargets,
        near: BodyStart | None = None,
        *,
        position: ArrayLike[Array] | None = None,
        rotation: ArrayLike[Array] | None = None,
        free_base: bool | None = None,
    ) -> WholeBodySolution:
        """Sends several ends of the whole robot to targets at once: feet, hands, chest, pelvis, and any other link.

        The pelvis goes to its target, or stays where the limbs reach from there; otherwise base, waist and limbs move
        together, within the joints' limits. Where not all targets can be met, feet come first, then hands, other
        links, and the pelvis; `status` and `residual` say which are missed, and by how much. Joints on which no end
        depends stay as they are near. Balance, contacts and collisions do not count.

        Args:
            targets: By the name of each end a position (..., 3), metres, or a tuple of a position and a rotation
                (..., 4), xyzw, in the world, either of them None where it is free. Ends are those of the limbs that
                `limbs` finds ("left_foot", "right_hand", or the limb's own name), "chest", from which the arms grow,
                "pelvis", the base, and all links and sites by their names.
            near: (..., joints), angles to be near, or values (...) by the names of joints, or another answer, with its
                base. Default, also for joints that are not named: the pose in which the robot stands.
            position: (..., 3), where the base is before, metres; default: as in `near`, or where the file has it.
            rotation: (..., 4), the base's rotation before, xyzw; default: likewise.
            free_base: whether the base may move; default: whether it floats in the file. Files in URDF do not say.

        Returns:
            Joint values, the base, and what became of each target, with the leading axes over which all broadcast.

        Raises:
            ArgumentError: Unknown names; the base as an end where it may not move; values that are no numbers.
            ShapeError: Shapes do not fit or do not broadcast.
        """
        from limbik.robots.body_requests import reach_body

        free = self.floating if free_base is None else bool(free_base)
        return reach_body(self, targets, near, (position, rotation), free)

    def track(
        self,
        targets: BodyTargets,
        *,
        previous: BodyStart | None = None,
        position: ArrayLike[Array] | None = None,
        rotation: ArrayLike[Array] | None = None,
        free_base: bool | None = None,
        max_step: ArrayLike[Array] | None = None,
        fps: float | None = None,
    ) -> WholeBodySolution:
        """Several ends of the whole robot along time: each frame continues from the one before, by little motion.

        Targets that stay where they are move no joint. Where a frame's targets cannot all be met from the frame
        before, the robot comes near to them, as `reach` does, and goes on from there.

        Args:
            targets: As `reach` takes them, with time as the first axis: positions (frames, ..., 3) and rotations
                (frames, ..., 4); those of one frame hold for all.
            previous: What was before the first frame, as `reach` takes `near`; of a track, its last frame. Default:
                the answer of `reach` for the first frame.
            position: (..., 3), where the base was before, metres; default: as in `previous`.
            rotation: (..., 4), the base's rotation before, xyzw; default: likewise.
            free_base: whether the base may move; default: whether it floats in the file.
            max_step: radians, or metres of a slide, by which a joint may move in a frame: a number, or (joints,).
            fps: frames a second; the velocity limits of the file then bound what a joint may move in a frame, too.

        Returns:
            Joint values, the base, and what became of each target, (frames, ...).

        Raises:
            ArgumentError: As `reach`; a step or rate that is not positive.
            ShapeError: Shapes do not fit or do not broadcast, or have no frames.
        """
        from limbik.robots.body_requests import track_body

        free = self.floating if free_base is None else bool(free_base)
        return track_body(self, targets, previous, (position, rotation), free, max_step, fps)

    @cached_property
    def _body_ends(self) -> BodyEnds:
        from limbik.robots.body_ends import BodyEnds

        return BodyEnds(self)


def read_robot(path: Path) -> RobotSpec:
    """The robot in a URDF or MJCF file."""
    if path.suffix.lower() == ".xacro":
        raise FileError(path, "", XACRO)
    return describe(read_xml(path))


def describe(root: Element) -> RobotSpec:
    """The robot that a root element describes."""
    if root.tag == "robot":
        return read_urdf(root)
    if root.tag == "mujoco":
        return read_mjcf(root)
    root.fail(
        OTHER_FORMATS.get(root.tag, f"is the root; expected <robot> (URDF) or <mujoco> (MJCF), not {shown(root.tag)}")
    )


def read_placement(name: str, value: object) -> Placement:
    """A pose that a caller gives: position (3,), and rotation (4,), a quaternion xyzw of any length but 0, or None."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ArgumentError(name, shown(value), "a pair: position (3,), and rotation (4,), xyzw, or None")
    position, rotation = value
    if rotation is None:
        return Placement(tuple(vector(f"{name}[0]", position, 3).tolist()))
    turn = unit(tuple(vector(f"{name}[1]", rotation, 4).tolist()))
    if turn is None:
        raise ArgumentError(f"{name}[1]", shown(rotation), "a quaternion that is not zero")
    return Placement(tuple(vector(f"{name}[0]", position, 3).tolist()), turn)
