"""Sends several ends of a figure to targets at once: hands, feet, head, chest and pelvis.

First the torso: the pelvis moves, and the spine bends, as little as the limbs need to reach (`torso_kernel.py`). Then
each limb on its own, by `reach`: its joints turn relative to their parents, so its target is brought back to where the
figure was before the torso moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arguments import instance
from limbik.arrays import Array
from limbik.formulas import quaternions
from limbik.formulas.rig_joints import conjugate
from limbik.limbs.status import Status
from limbik.rotations import IDENTITY, exponential, inverse, logarithm, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.detached_ends import is_detached, reach_detached
from limbik.skeleton.ends import End, EndName, Goal, are_named, as_ends, span, span_of_points
from limbik.skeleton.kinematics import forward, is_uneven, turning_frames
from limbik.skeleton.pose import Pose
from limbik.skeleton.reach import Request, blend_rotations, frame_by_frame, reach_alone, reach_rotations, refine_passes
from limbik.skeleton.skeleton import freeze
from limbik.skeleton.torso import Torso
from limbik.skeleton.torso_kernel import TorsoInput, TorsoMotion, solve_torso

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_MISS_LENGTHS = 1e-9  # of a limb's length, or a metre: a miss that does not count as one


@dataclass(frozen=True, eq=False)
class Reached:
    """A figure whose ends were sent to targets.

    Args:
        pose: The new pose or clip.
        ends: The ends with what they were to do, in the order in which they were kept; private.
    """

    pose: Pose
    ends: Sequence[End]

    @cached_property
    def targets(self) -> dict[str, Array]:
        """The position (..., 3) that each end was to reach, by the end's name; of held ends, where they were."""
        return {end.name: end.position for end in self.ends if end.position is not None}

    @cached_property
    def _positions(self) -> Array:
        return self.pose.positions()

    @cached_property
    def residual(self) -> dict[str, Array]:
        """The distance (...,) of each end from its target, metres, by the end's name."""
        return {
            end.name: np.linalg.norm(self._positions[..., end.joint, :] - end.position, axis=-1)
            for end in self.ends
            if end.position is not None
        }

    @cached_property
    def status(self) -> dict[str, Array]:
        """The status of each end's target (...,), numbers of `limbik.Status`, by the end's name.

        TOO_FAR and TOO_NEAR are for hands and feet from where the torso ended. Head, chest and pelvis are LIMITED where
        ends of lower or the same rank hold them back.
        """
        return {end.name: self._status(end) for end in self.ends if end.position is not None}

    def _status(self, end: End) -> Array:
        residual, (far, near) = self.residual[end.name], span(end.limb, self._positions)
        why = np.full(residual.shape, Status.LIMITED)
        if end.limb is not None:
            root = self._positions[..., end.limb.joints[0], :]
            distance = np.linalg.norm(self.targets[end.name] - root, axis=-1)
            why = np.where(distance > far, Status.TOO_FAR, np.where(distance < near, Status.TOO_NEAR, why))
        found = np.where(residual <= MAX_MISS_LENGTHS * np.where(far > 0.0, far, 1.0), Status.REACHED, why)
        return np.where(np.isnan(residual), Status.INVALID, found)

    @property
    def reached(self) -> Array:
        """(...,) bool: where every end is at its target."""
        return np.all([status == Status.REACHED for status in self.status.values()], axis=0)


def reach_ends(
    pose: Pose,
    targets: Mapping[EndName, ArrayLike | Goal],
    *,
    hold: Sequence[EndName] | None = None,
    order: Sequence[EndName] = (),
    chest_share: float = 0.5,
    weight: ArrayLike = 1.0,
) -> Reached:
    """Sends several ends of a figure to targets at once, exactly where all of them can be met.

    The pelvis moves and the spine bends as little as the limbs need to reach; the spine's joints share its bend evenly,
    and the pelvis keeps its rotation unless it is given one. Feet that are not named stay where the pose has them, and
    hands that are not named follow the body.

    Where not all ends can be met, feet come first, then hands, head and chest, then the pelvis; `order` changes that.
    Ends of one rank share the miss: the pelvis stops between the places at which each of them would be met first, by
    their weights. Legs and arms never stretch. Everything is continuous in the targets.

    Args:
        pose: A pose or clip.
        targets: The ends and their targets. An end is "left_hand", "right_hand", "left_foot", "right_foot", "head",
            "chest" or "pelvis"; the name of a limb, a limb of `find_limbs`, or a tuple of joints from root to tip
            stands for the limb's end. A target is a position (..., 3) in the world, metres, or a `limbik.Goal`; one for
            each frame, or one for all.
        hold: Ends that stay where the pose has them unless they have a target (default: the feet of all limbs that
            stand).
        order: Ends to meet before all others, the most important first.
        chest_share: The chest's share in the movement, from 0 (the spine does not bend) to 1 (it bends before the
            pelvis moves).
        weight: (...,), from 0 (no change) to 1 (default).

    Returns:
        The new pose or clip, with status and residual of each end.

    Raises:
        ArgumentError: There is no such end, or an argument is out of range.
        ShapeError: An argument does not broadcast with the poses.
    """
    instance("pose", pose, Pose, "a limbik.Pose or limbik.Clip")
    share = arguments.number("chest_share", chest_share, 0.0, 1.0)
    weights = frame_by_frame(pose, "weight", weight)
    torso = pose.skeleton.torso
    alone = are_named(targets, hold, order) and pose.rotations.ndim == 2 and pose.scales is None
    skipped = torso.uninvolved if alone else ()
    positions, world = forward(pose.skeleton.parents, pose.rotations, pose.translations, pose.scales, skipped)
    ends = as_ends(pose, torso, targets, hold, order, positions, world)
    rotations, translations = _pose_ends(pose, torso, ends, share, positions, world)
    if is_uneven(pose.scales):
        posed = pose.with_(rotations=freeze(rotations), translations=freeze(translations))
        posed = refine_passes(
            posed, lambda now: _repeat_with_shift(now, torso, ends), lambda now: _largest_miss(now, ends)
        )
        rotations, translations = posed.rotations.copy(), posed.translations.copy()
    _invalidate(torso, ends, rotations, translations)
    return Reached(_blend(pose, rotations, translations, weights), ends)


def _repeat_with_shift(pose: Pose, torso: Torso, ends: list[End]) -> Pose:
    """The pose with its ends at their targets; the pelvis moves as little as needed, the spine keeps its bend."""
    rotations, translations = _pose_ends(pose, torso, ends, 0.0, *pose.world())
    return pose.with_(rotations=freeze(rotations), translations=freeze(translations))


def _largest_miss(pose: Pose, ends: list[End]) -> Array:
    """How far (...,) the end is from its target that is farthest from it."""
    return np.max([np.zeros(pose.rotations.shape[:-2]), *Reached(pose, ends).residual.values()], axis=0)


def _pose_ends(
    pose: Pose, torso: Torso, ends: list[End], share: float, positions: Array, world: Array
) -> tuple[Array, Array]:
    """Local rotations (..., joints, 4) and translations (..., joints, 3) with the ends at their targets.

    positions and world: of all joints in the world, places and rotations.
    """
    turned, fixed = _apply_given_rotations(pose, torso, ends, world)
    if turned is not pose:
        positions, world = turned.world()
    lists = (positions.tolist(), world.tolist()) if pose.rotations.ndim == 2 and pose.scales is None else None
    if lists is not None and all(_is_near(end, lists[0]) for end in ends):
        motion, goals = TorsoMotion(np.zeros(3), np.zeros(3), np.empty(0), np.empty(0)), {}
    else:
        motion, goals = _torso_motion(torso, ends, positions, 0.0 if fixed else share)
    rotations, translations = turned.rotations.copy(), turned.translations.copy()
    bends = bool(motion.lean.any())
    if bends:
        local = turned.rotations, turned.translations, turned.scales
        frames = turning_frames(pose.skeleton.parents, *local) if is_uneven(pose.scales) else world
        share_turn(rotations, turned, frames, torso.spine, motion.turns)
    for end in ends:
        turn = motion.turns[..., end.carrier - 1, :] if bends and end.carrier else None
        _pose_end(rotations, turned, torso, end, world, lists, goals.get(end.name, end.position), turn)
    translations[..., torso.pelvis, :] += _local_shift(turned, torso.pelvis, world, motion.shift)
    for end in ends:
        if end.limb is not None and end.position is not None and is_detached(pose.skeleton, end.limb.joints):
            request = Request(end.position, end.pole, None, end.rotation, end.direction, 1.0, None)
            placed = turned.with_(rotations=rotations, translations=translations)
            rotations, translations = reach_detached(placed, end.limb, request, 1.0)
    return rotations, translations


def _apply_given_rotations(pose: Pose, torso: Torso, ends: list[End], world: Array) -> tuple[Pose, bool]:
    """The pose with the rotations that pelvis and chest are given, and whether the spine is fixed by the chest's."""
    fixed = False
    for end in sorted(ends, key=lambda end: end.name != "pelvis"):
        if end.name not in ("pelvis", "chest") or end.rotation is None:
            continue
        turn = multiply(normalized(end.rotation), inverse(world[..., end.joint, :]))
        rotations = pose.rotations.copy()
        joints = (torso.pelvis,) if end.joint == torso.pelvis else torso.spine
        share_turn(rotations, pose, world, joints, shares_of(turn, len(joints)))
        pose = pose.with_(rotations=freeze(rotations))
        world = pose.world()[1]
        fixed = fixed or end.joint != torso.pelvis
    return pose, fixed


def _is_near(end: End, positions: Sequence[Sequence[float]]) -> bool:
    """Whether a limb's end reaches its target in one pose without the torso, or has none. positions: of all joints."""
    if end.position is None:
        return True
    if end.limb is None:
        return False
    points = [positions[joint] for joint in end.limb.joints]
    far, near = span_of_points(points)
    return near <= dist(points[0], end.position.tolist()) <= far


def _torso_motion(
    torso: Torso, ends: list[End], positions: Array, share: float
) -> tuple[TorsoMotion, dict[str, Array]]:
    """How the torso moves, and the targets of the ends that it carries, by name, as if it had not moved."""
    batch = positions.shape[:-2]
    shells = [(end, end.position) for end in ends if end.position is not None and end.carrier is not None]
    wanted = np.zeros((*batch, 3))
    if shells and shells[-1][0].joint == torso.pelvis:  # what it would like comes last
        wanted = shells.pop()[1] - positions[..., torso.pelvis, :]
    if not shells:
        return TorsoMotion(wanted, np.zeros((*batch, 3)), np.empty(0), np.empty(0)), {}
    far, near = zip(*(span(end.limb, positions) for end, _ in shells), strict=True)
    roots, spine = [end.limb.joints[0] if end.limb else end.joint for end, _ in shells], len(torso.spine)
    given = TorsoInput(
        _rows(wanted, 3),
        _rows(positions[..., list(torso.spine), :], spine, 3),
        _rows(positions[..., roots, :], len(roots), 3),
        _by_end([position for _, position in shells], 3),
        _by_end(far),
        _by_end(near),
        np.array([end.carrier for end, _ in shells]),
        np.array([end.rank for end, _ in shells]),
        np.array([end.weight for end, _ in shells]),
        share,
    )
    motion = TorsoMotion(*(array.reshape(*batch, *array.shape[1:]) for array in solve_torso(given)))
    return motion, {end.name: motion.goals[..., k, :] for k, (end, _) in enumerate(shells)}


def _rows(array: Array, *shape: int) -> Array:
    """(..., *shape) as a contiguous array (poses, *shape) that can be written to."""
    poses = prod(array.shape[: array.ndim - len(shape)])  # not -1: a torso without a spine has no size to divide by
    return np.array(array, float, order="C").reshape(poses, *shape)


def _by_end(arrays: Sequence[Array], *width: int) -> Array:
    """Arrays (..., *width), one for each end, as one of (poses, ends, *width), contiguous."""
    every = np.array(arrays).reshape(len(arrays), -1, *width)
    return np.ascontiguousarray(np.swapaxes(every, 0, 1))


def shares_of(turn: Array, count: int) -> Array:
    """Turns (..., count, 4) about the axis of a turn (..., 4), from a share of it to the whole."""
    shares = np.arange(1, count + 1)[:, None] / count
    return exponential(shares * logarithm(turn)[..., None, :])


def share_turn(rotations: Array, pose: Pose, world: Array, joints: Sequence[int], turns: Array) -> None:
    """Changes local rotations so that consecutive joints turn in the world by turns (..., joints, 4)."""
    one = rotations.ndim == 2  # floats are faster
    times: Any = quaternions.multiply if one else multiply
    back: Any = conjugate if one else inverse
    for k, joint in enumerate(joints):
        parent, own = _parent(pose, world, joint), world[..., joint, :]
        if pose.scales is not None:  # its own scale has no part in how it turns
            own = multiply(parent, pose.rotations[..., joint, :])
        above, before, turn, own = (
            array.tolist() if one else array for array in (parent, turns[..., k - 1, :], turns[..., k, :], own)
        )
        above = times(before, above) if k else above
        rotations[..., joint, :] = times(back(above), times(turn, own))


def _parent(pose: Pose, world: Array, joint: int) -> Array:
    """The world rotation (..., 4) of a joint's parent."""
    parent = int(pose.skeleton.parents[joint])
    return world[..., parent, :] if parent >= 0 else IDENTITY


def _pose_end(
    rotations: Array,
    pose: Pose,
    torso: Torso,
    end: End,
    world: Array,
    lists: tuple[Any, Any] | None,
    target: Array | None,
    carried: Array | None,
) -> None:
    """Changes the local rotations of a limb, or of the neck, so that its end reaches.

    lists: of one pose, positions and rotations of all joints in the world. target: (..., 3), as if the torso had not
    moved. carried: (..., 4), how far it has turned, None for not at all.
    """

    def bring_back(value: Array | None, apply: Any) -> Array | None:
        return value if value is None or carried is None else apply(inverse(carried), value)

    rotation, direction = bring_back(end.rotation, multiply), bring_back(end.direction, rotate)
    if end.limb is not None and is_detached(pose.skeleton, end.limb.joints):
        return  # it follows, once the torso is in place
    if end.limb is not None and target is not None:
        request = Request(target, bring_back(end.pole, rotate), None, rotation, direction, 1.0, None)
        if lists is None or not reach_alone(rotations, pose, end.limb, request, *lists):
            changed = list(end.limb.joints)
            rotations[..., changed, :] = reach_rotations(pose, end.limb, request, 1.0)[..., changed, :]
    elif end.name == "head":
        own = world[..., end.joint, :]
        turn = None if rotation is None else multiply(normalized(rotation), inverse(own))
        if direction is not None:
            ahead, above = (rotate(own, axis) for axis in torso.head_axes)
            turn = shortest_arc(ahead, direction, above)
        if turn is not None:  # a head that has a place must not be moved by its neck
            joints = torso.neck if end.position is None else torso.neck[-1:]
            share_turn(rotations, pose, world, joints, shares_of(turn, len(joints)))


def _local_shift(pose: Pose, joint: int, world: Array, shift: Array) -> Array:
    """A shift (..., 3) in the world, in the frame of a joint's parent."""
    parent = int(pose.skeleton.parents[joint])
    if parent < 0:
        return shift
    if pose.scales is None:
        return rotate(inverse(world[..., parent, :]), shift)
    return np.linalg.solve(pose.world_matrices()[..., parent, :, :3], shift[..., None])[..., 0]


def _invalidate(torso: Torso, ends: list[End], rotations: Array, translations: Array) -> None:
    """Fills the joints that move with NaN in frames in which any of them, or an argument, is not finite."""
    given = [array for end in ends for array in end[-4:] if array is not None]
    if not np.isfinite(np.concatenate([array.ravel() for array in (rotations, translations, *given)])).all():
        joints = {torso.pelvis, *torso.spine}
        for end in ends:
            joints.update(end.limb.joints if end.limb else torso.neck if end.name == "head" else ())
        moved = sorted(joints)
        parts = [rotations[..., moved, :], translations[..., moved, :]]
        invalid = ~np.all([np.isfinite(part).all(axis=(-2, -1)) for part in parts], axis=0)
        for array in given:
            invalid |= ~np.isfinite(array).all(axis=-1)
        rotations[invalid] = _with_nan(rotations[invalid], moved)
        translations[invalid] = _with_nan(translations[invalid], [torso.pelvis])


def _with_nan(rows: Array, joints: list[int]) -> Array:
    rows[:, joints] = np.nan
    return rows


def _blend(pose: Pose, rotations: Array, translations: Array, weights: Array) -> Pose:
    """The pose with new rotations and translations, by weights (...,)."""
    if not np.all(weights == 1.0):
        rotations = blend_rotations(pose.rotations, rotations, weights)
        part = weights[..., None, None]
        between = (1.0 - part) * pose.translations + part * translations
        translations = np.where(part == 0.0, pose.translations, np.where(part == 1.0, translations, between))
    return pose.with_(rotations=freeze(rotations), translations=freeze(translations))
