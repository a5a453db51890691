"""Sends several ends of a figure to targets at once: hands, feet, head, chest and pelvis.

First the torso: the pelvis moves, and the spine bends, as little as the limbs need to reach (`torso_kernel.py`). Then
each limb on its own, by `reach`: its joints turn relative to their parents, so its target is brought back to where the
figure was before the torso moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arguments import instance
from limbik.arrays import Array
from limbik.limbs.status import Status
from limbik.rotations import IDENTITY, exponential, inverse, logarithm, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.ends import End, EndName, Goal, as_ends, span
from limbik.skeleton.pose import Pose
from limbik.skeleton.reach import Request, frame_by_frame, reach, weighted
from limbik.skeleton.skeleton import owned
from limbik.skeleton.torso import Torso
from limbik.skeleton.torso_kernel import TorsoInput, TorsoMotion, solve_torso

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MISSED = 1e-9  # of a limb's length, or a metre: a miss that does not count as one


@dataclass(frozen=True, eq=False)
class Reached:
    """A figure whose ends were sent to targets.

    Args:
        pose: The new pose or clip.
        targets: The position (..., 3) that each end was to reach, by the end's name, those of held ends included; in
            the order in which they were kept.
        spans: How far (...,) each end may be, and must be, from its limb's root, metres.
        joints: The joint that is to reach, and the root of its limb, by number.
    """

    pose: Pose
    targets: Mapping[str, Array]
    spans: Mapping[str, tuple[Array, Array]]
    joints: Mapping[str, tuple[int, int]]

    @cached_property
    def _positions(self) -> Array:
        return self.pose.positions()

    @cached_property
    def residual(self) -> dict[str, Array]:
        """The distance (...,) of each end from its target, metres, by the end's name."""
        return {
            name: np.linalg.norm(self._positions[..., self.joints[name][0], :] - target, axis=-1)
            for name, target in self.targets.items()
        }

    @cached_property
    def status(self) -> dict[str, Array]:
        """What became of each end's target (...,), numbers of `limbik.Status`, by the end's name.

        TOO_FAR and TOO_NEAR are for hands and feet from where the torso ended. Head, chest and pelvis are LIMITED where
        ends of lower or the same rank hold them back.
        """
        return {name: self._status(name) for name in self.targets}

    def _status(self, name: str) -> Array:
        (far, near), residual = self.spans[name], self.residual[name]
        root = self._positions[..., self.joints[name][1], :]
        distance = np.linalg.norm(self.targets[name] - root, axis=-1)
        size = np.where(far > 0.0, far, 1.0)
        why = np.where(distance > far, Status.TOO_FAR, np.where(distance < near, Status.TOO_NEAR, Status.LIMITED))
        why = np.where(far > 0.0, why, Status.LIMITED)
        found = np.where(residual <= MISSED * size, Status.REACHED, why)
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
    Ends
    of one rank share the miss: the pelvis stops between the places at which each of them would be met first, by their
    weights. Legs and arms never stretch. Everything is continuous in the targets.

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
    positions, world = pose.world()
    ends = as_ends(pose, torso, targets, hold, order, positions, world)
    turned, fixed = _with_given_rotations(pose, torso, ends, world)
    if turned is not pose:
        positions, world = turned.world()
    motion, moved = _torso_motion(torso, ends, positions, 0.0 if fixed else share)
    rotations = turned.rotations.copy()
    share_turn(rotations, turned, world, torso.spine, motion.lean)
    for end in ends:
        _pose_end(rotations, turned, torso, end, positions, world, motion, moved)
    translations = turned.translations.copy()
    translations[..., torso.pelvis, :] += _local_shift(turned, torso.pelvis, world, motion.shift)
    _lose_invalid(pose, torso, ends, rotations, translations)
    after = _blended(pose, rotations, translations, weights)
    placed = {end.name: end for end in ends if end.position is not None}
    return Reached(
        after,
        {name: end.position for name, end in placed.items() if end.position is not None},
        {name: span(end.limb, positions) for name, end in placed.items()},
        {name: (end.joint, end.limb.joints[0] if end.limb else end.joint) for name, end in placed.items()},
    )


def _with_given_rotations(pose: Pose, torso: Torso, ends: list[End], world: Array) -> tuple[Pose, bool]:
    """The pose with the rotations that pelvis and chest are given, and whether the spine is fixed by the chest's."""
    fixed = False
    for end in sorted(ends, key=lambda end: end.name != "pelvis"):
        if end.name not in ("pelvis", "chest") or end.rotation is None:
            continue
        turn = logarithm(multiply(normalized(end.rotation), inverse(world[..., end.joint, :])))
        rotations = pose.rotations.copy()
        joints = (torso.pelvis,) if end.joint == torso.pelvis else torso.spine
        share_turn(rotations, pose, world, joints, turn)
        pose = pose.with_(rotations=owned(rotations))
        world = pose.world()[1]
        fixed = fixed or end.joint != torso.pelvis
    return pose, fixed


def _torso_motion(
    torso: Torso, ends: list[End], positions: Array, share: float
) -> tuple[TorsoMotion, dict[str, Array]]:
    """How the torso moves, (..., 3), and where the roots of the ends that it carries are then, by name."""
    batch = positions.shape[:-2]
    still = positions[..., torso.pelvis, :]
    shells = [(end, end.position) for end in ends if end.position is not None and end.carrier is not None]
    wanted = np.zeros((*batch, 3))
    if shells and shells[-1][0].joint == torso.pelvis:  # what it would like comes last
        wanted = shells.pop()[1] - still
    if not shells:
        return TorsoMotion(wanted, np.zeros((*batch, 3)), np.empty(0)), {}
    spans = [span(end.limb, positions) for end, _ in shells]
    roots = [end.limb.joints[0] if end.limb else end.joint for end, _ in shells]
    given = TorsoInput(
        _rows(wanted, 3),
        _rows(positions[..., list(torso.spine), :], len(torso.spine), 3),
        _rows(positions[..., roots, :], len(roots), 3),
        _rows(np.stack([position for _, position in shells], axis=-2), len(roots), 3),
        _rows(np.stack([far for far, _ in spans], axis=-1), len(roots)),
        _rows(np.stack([near for _, near in spans], axis=-1), len(roots)),
        np.array([end.carrier for end, _ in shells]),
        np.array([end.rank for end, _ in shells]),
        np.array([end.weight for end, _ in shells]),
        share,
    )
    motion = solve_torso(given)
    shift, lean = (array.reshape(*batch, 3) for array in motion[:2])
    after = motion.roots.reshape(*batch, len(roots), 3)
    return TorsoMotion(shift, lean, after), {end.name: after[..., k, :] for k, (end, _) in enumerate(shells)}


def _rows(array: Array, *shape: int) -> Array:
    """(..., *shape) as a contiguous array (poses, *shape) that can be written to."""
    return np.array(array, float, order="C").reshape(-1, *shape)


def share_turn(rotations: Array, pose: Pose, world: Array, joints: Sequence[int], vector: Array) -> None:
    """Turns the last of consecutive joints by a rotation vector (..., 3) in the world, those before it by a share."""
    above = None
    for k, joint in enumerate(joints, start=1):
        turn = exponential(k / len(joints) * vector)
        base = _parent(pose, world, joint)
        base = base if above is None else multiply(above, base)
        rotations[..., joint, :] = multiply(inverse(base), multiply(turn, world[..., joint, :]))
        above = turn


def _parent(pose: Pose, world: Array, joint: int) -> Array:
    """The world rotation (..., 4) of a joint's parent."""
    parent = int(pose.skeleton.parents[joint])
    return world[..., parent, :] if parent >= 0 else IDENTITY


def _pose_end(
    rotations: Array,
    pose: Pose,
    torso: Torso,
    end: End,
    positions: Array,
    world: Array,
    motion: TorsoMotion,
    moved: Mapping[str, Array],
) -> None:
    """Changes the local rotations of a limb, or of the neck, so that its end reaches."""
    bends = bool(end.carrier) and bool(torso.spine)
    back = exponential(-(end.carrier or 0) / len(torso.spine) * motion.lean) if bends else None

    def returned(value: Array | None, turn: Any) -> Array | None:
        return value if value is None or back is None else turn(back, value)

    rotation, direction = returned(end.rotation, multiply), returned(end.direction, rotate)
    if end.limb is not None and end.position is not None:
        root = positions[..., end.limb.joints[0], :]
        target = end.position - moved.get(end.name, root)
        target = root + (target if back is None else rotate(back, target))
        request = Request(target, returned(end.pole, rotate), None, rotation, direction, 1.0, None)
        changed = list(end.limb.joints)
        rotations[..., changed, :] = reach(pose, end.limb, request, 1.0)[..., changed, :]
    elif end.name == "head":
        own = world[..., end.joint, :]
        turn = None if rotation is None else multiply(normalized(rotation), inverse(own))
        if direction is not None:
            ahead, above = (rotate(own, axis) for axis in torso.head_axes)
            turn = shortest_arc(ahead, direction, above)
        if turn is not None:  # a head that has a place must not be moved by its neck
            joints = torso.neck if end.position is None else torso.neck[-1:]
            share_turn(rotations, pose, world, joints, logarithm(turn))


def _local_shift(pose: Pose, joint: int, world: Array, shift: Array) -> Array:
    """A shift (..., 3) in the world, in the frame of a joint's parent."""
    parent = int(pose.skeleton.parents[joint])
    if parent < 0:
        return shift
    if pose.scales is None:
        return rotate(inverse(world[..., parent, :]), shift)
    return np.linalg.solve(pose.world_matrices()[..., parent, :, :3], shift[..., None])[..., 0]


def _lose_invalid(pose: Pose, torso: Torso, ends: list[End], rotations: Array, translations: Array) -> None:
    """Fills the joints that move with NaN in frames in which any of them, or an argument, is not finite."""
    joints = {torso.pelvis, *torso.spine}
    for end in ends:
        joints.update(end.limb.joints if end.limb else torso.neck if end.name == "head" else ())
    moved = sorted(joints)
    invalid = ~np.isfinite(rotations[..., moved, :]).all(axis=(-2, -1))
    invalid |= ~np.isfinite(translations[..., moved, :]).all(axis=(-2, -1))
    for end in ends:
        for array in (end.position, end.rotation, end.direction, end.pole):
            if array is not None:
                invalid |= ~np.isfinite(array).all(axis=-1)
    if invalid.any():
        rotations[invalid] = _lost(rotations[invalid], moved)
        translations[invalid] = _lost(translations[invalid], [torso.pelvis])


def _lost(rows: Array, joints: list[int]) -> Array:
    rows[:, joints] = np.nan
    return rows


def _blended(pose: Pose, rotations: Array, translations: Array, weights: Array) -> Pose:
    """The pose with new rotations and translations, by weights (...,)."""
    rotations = weighted(pose.rotations, rotations, weights)
    if not np.all(weights == 1.0):
        part = weights[..., None, None]
        between = (1.0 - part) * pose.translations + part * translations
        translations = np.where(part == 0.0, pose.translations, np.where(part == 1.0, translations, between))
    return pose.with_(rotations=owned(rotations), translations=owned(translations))
