"""Limbs whose last joint hangs from another part of the rig than the joint before it, as feet with IK controls do.

In files of rigs that are animated by IK a foot is often a child of the rig's root, beside the shin that follows it.
Such a limb is solved as a chain of its own, in which the foot is a child of the shin; then each joint gets the
transform in its own parent's frame that brings it to where it is in that chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from limbik.arrays import Array
from limbik.rotations import IDENTITY, inverse, multiply, rotate
from limbik.skeleton.skeleton import RigLimb, Skeleton, freeze

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.pose import Pose
    from limbik.skeleton.reach import Request

_skeletons_of_chains: WeakKeyDictionary[Skeleton, dict[tuple[int, ...], Skeleton]] = WeakKeyDictionary()


def is_detached(skeleton: Skeleton, joints: tuple[int, ...]) -> bool:
    """Whether the last of the joints is no descendant of the one before it."""
    above, end = joints[-2:]
    return bool(skeleton.parents[end] != above) and above not in skeleton.ancestors(end)


def reach_detached(pose: Pose, limb: RigLimb, request: Request, weight: ArrayLike) -> tuple[Array, Array]:
    """Local rotations (..., joints, 4) and translations (..., joints, 3) with the limb's end at the targets."""
    from limbik.skeleton.reach import reach_rotations

    beyond = limb.toes[:1] or pose.skeleton.children[limb.joints[-1]][:1]
    line = (*limb.joints, *beyond)
    positions, world = pose.world()
    chain = _as_chain(_chain_skeleton(pose.skeleton, line), positions[..., line, :], world[..., line, :])
    own = RigLimb("", "", "", tuple(range(len(limb.joints))), tuple(range(len(limb.joints), len(line))))
    solved = chain.with_(rotations=freeze(reach_rotations(chain, own, request, weight)))
    rotations, translations = _local_transforms(pose, limb.joints, world, *solved.world())
    none = (np.broadcast_to(weight, pose.rotations.shape[:-2]) == 0.0)[..., None, None]  # exactly
    return np.where(none, pose.rotations, rotations), np.where(none, pose.translations, translations)


def _chain_skeleton(skeleton: Skeleton, line: tuple[int, ...]) -> Skeleton:
    """The joints of a line at rest, each the child of the one before; the same object for the same limb."""
    known = _skeletons_of_chains.setdefault(skeleton, {})
    if line not in known:
        from limbik.skeleton.pose import Pose

        positions, world = Pose.rest(skeleton).world()
        rotations, translations = _chain_transforms(positions[list(line)], world[list(line)])
        names = tuple(skeleton.names[joint] for joint in line)
        known[line] = Skeleton(names, np.arange(len(line)) - 1, translations, rotations)
    return known[line]


def _as_chain(skeleton: Skeleton, positions: Array, world: Array) -> Pose:
    """A chain posed in the world: positions (..., joints, 3) and rotations (..., joints, 4) of its joints."""
    from limbik.skeleton.pose import Pose

    rotations, translations = _chain_transforms(positions, world)
    return Pose.rest(skeleton).with_(rotations=freeze(rotations), translations=freeze(translations))


def _chain_transforms(positions: Array, world: Array) -> tuple[Array, Array]:
    """Local rotations and translations of joints each of which is the child of the one before."""
    rotations, translations = world.copy(), positions.copy()
    back = inverse(world[..., :-1, :])
    rotations[..., 1:, :] = multiply(back, world[..., 1:, :])
    translations[..., 1:, :] = rotate(back, np.diff(positions, axis=-2))
    return rotations, translations


def _local_transforms(
    pose: Pose, joints: tuple[int, ...], old: Array, positions: Array, world: Array
) -> tuple[Array, Array]:
    """The pose's local transforms with the limb's joints at these positions and rotations of the world.

    old: rotations of all joints in the world, as they were.
    """
    rotations, translations = pose.rotations.copy(), pose.translations.copy()
    turn = np.broadcast_to(IDENTITY, world[..., 0, :].shape)  # of what carries the next joint
    for k, joint in enumerate(joints[:-1]):
        above = int(pose.skeleton.parents[joint])
        carrier = multiply(turn, old[..., above, :]) if above >= 0 else IDENTITY
        rotations[..., joint, :] = multiply(inverse(carrier), world[..., k, :])
        turn = multiply(world[..., k, :], inverse(old[..., joint, :]))
    end, at = joints[-1], len(joints) - 1
    above = int(pose.skeleton.parents[end])
    if above < 0:
        rotations[..., end, :], translations[..., end, :] = world[..., at, :], positions[..., at, :]
        return rotations, translations
    turned = pose.with_(rotations=rotations)
    frame = turned.world_matrices()[..., above, :, :]
    rotations[..., end, :] = multiply(inverse(turned.world()[1][..., above, :]), world[..., at, :])
    shift = positions[..., at, :] - frame[..., 3]
    valid = np.isfinite(frame).all(axis=(-2, -1)) & np.isfinite(shift).all(axis=-1)
    found = np.full_like(shift, np.nan)
    found[valid] = np.linalg.solve(frame[valid][..., :3], shift[valid][..., None])[..., 0]
    translations[..., end, :] = found
    return rotations, translations
