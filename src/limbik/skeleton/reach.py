"""Bringing the end of a limb to targets, on a posed skeleton of any rig: any bone axes, any rest pose.

The limb is taken as a whole from where it pointed to where it shall point by the shortest turn, so that its bones gain
no twist; then it bends in its own plane, by the closed forms. Each joint keeps how it sat on its bone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.rotations import IDENTITY, inverse, multiply, normalized, rotate, shortest_arc, slerp
from limbik.skeleton.bending import hinges, link_frames, perpendicular, reject
from limbik.skeleton.kinematics import forward
from limbik.skeleton.rig_limb import RigLimb
from limbik.skeleton.swinging import swing

if TYPE_CHECKING:
    from limbik.skeleton.pose import Pose

LIMB = "a limb, as find_limbs gives it, or three joints or more from root to tip"


@dataclass(frozen=True)
class Posture:
    """A limb as it stands: world positions and rotations of the joints that bend, and rotations of their parents.

    The last link runs to the limb's end: of more than three joints the third and all beyond it move as one.
    """

    joints: tuple[int, ...]  # two or three that turn
    end: int
    positions: Array  # (..., turning + 1, 3), the end's last
    rotations: Array  # (..., turning + 1, 4)
    parents: Array  # (..., turning + 1, 4)

    @classmethod
    def of(cls, pose: Pose, joints: tuple[int, ...]) -> Posture:
        """The limb's posture in each of the poses."""
        *_, end = joints
        path, at, turned = chain_to(pose, end)
        turning = joints[:3] if len(joints) > 3 else joints[:2]
        places = [path.index(joint) for joint in (*turning, end)]
        above = turned[..., places, :]
        return cls(turning, end, at[..., places, :], turned[..., [k + 1 for k in places], :], above)

    @property
    def links(self) -> Array:
        """The links as vectors, (..., links, 3)."""
        return np.diff(self.positions, axis=-2)


@dataclass(frozen=True)
class Wish:
    """What is asked of a limb: see `Pose.reach`."""

    goal: Array  # (..., 3)
    pole: Array | None  # (..., 3)
    direction: Array | None  # (..., 3)
    soften: Any
    limits: tuple[Any, Any] | None


def chain_to(pose: Pose, joint: int) -> tuple[list[int], Array, Array]:
    """The joints from the root down to one; where they are; and how they are turned, the world itself first.

    (..., joints, 3) and (..., 1 + joints, 4): the k-th rotation is that of the k-th joint's parent.
    """
    path = [joint]
    while (parent := int(pose.skeleton.parents[path[-1]])) >= 0:
        path.append(parent)
    path.reverse()
    scales = None if pose.scales is None else pose.scales[..., path, :]
    chain = np.arange(len(path)) - 1
    at, turned = forward(chain, pose.rotations[..., path, :], pose.translations[..., path, :], scales)
    return path, at, np.concatenate([np.broadcast_to(IDENTITY, turned[..., :1, :].shape), turned], axis=-2)


def reach(
    pose: Pose,
    limb: RigLimb | Sequence[str | int],
    targets: Any,
    *,
    pole: Any,
    axis: Any,
    end_rotation: Any,
    end_direction: Any,
    weight: Any,
    soften: Any,
    limits: tuple[Any, Any] | None,
) -> Array:
    """Local rotations (..., joints, 4) with the limb's end at the targets: see `Pose.reach`."""
    batch = pose.rotations.shape[:-2]
    joints = joints_of(pose, limb)
    goal = given("targets", targets, (*batch, 3))
    now = Posture.of(pose, joints)
    bent = _hinge(pose, joints, now, axis, batch)
    poles = None if pole is None else given("pole", pole, (*batch, 3))
    direction = None if end_direction is None else normalized(given("end_direction", end_direction, (*batch, 3)))
    wish = Wish(goal, poles, direction, soften, limits)
    solved = (_three_links if len(now.joints) == 3 else _two_links)(now, bent, wish)
    turns = multiply(solved, inverse(_frames(now, bent)))  # of each link, in the world
    rotations = _locally(pose, now, turns)
    if end_rotation is not None:
        wanted = given("end_rotation", end_rotation, (*batch, 4))
        above = multiply(turns[..., -1, :], now.parents[..., -1, :])
        rotations[..., now.end, :] = multiply(inverse(above), normalized(wanted))
    elif direction is not None and len(now.joints) == 2:
        rotations[..., now.end, :] = _pointed(pose, limb, now, turns, direction)
    return weighted(pose.rotations, rotations, given("weight", weight, batch))


def joints_of(pose: Pose, limb: RigLimb | Sequence[str | int]) -> tuple[int, ...]:
    """The limb's joints, checked to hang from one another."""
    given = limb.joints if isinstance(limb, RigLimb) else limb
    if isinstance(given, str) or len(given) < 3:
        raise ArgumentError("limb", repr(limb), LIMB)
    joints = tuple(pose.skeleton.index(joint) for joint in given)
    for above, below in pairwise(joints):
        pose.skeleton.path(above, below)
    return joints


def given(name: str, value: Any, shape: tuple[int, ...]) -> Array:
    """An argument as an array of this shape."""
    try:
        return np.broadcast_to(np.asarray(value, dtype=float), shape)
    except (TypeError, ValueError):
        raise ShapeError(name, np.shape(value), f"{shape}, or what broadcasts to it") from None


def _hinge(pose: Pose, joints: tuple[int, ...], now: Posture, axis: Any, batch: tuple[int, ...]) -> Array:
    """The hinge (..., 3) in the world: the middle joint's own `axis` where that is given, else as the limb bends."""
    if axis is not None:
        return rotate(now.rotations[..., 1, :], normalized(given("axis", axis, (*batch, 3))))
    rest = Posture.of(_rest(pose), joints)
    first, second = rest.links[..., 0, :], rest.links[..., 1, :]
    own = np.cross(normalized(first), normalized(second))
    if np.linalg.norm(own) < 1e-3:  # straight at rest as well: any axis square to the limb
        own = perpendicular(normalized(first))
    at_rest = normalized(rotate(inverse(rest.rotations[..., 0, :]), own))
    return hinges(now.links[..., 0, :], now.links[..., 1, :], now.rotations[..., 0, :], at_rest)


def _rest(pose: Pose) -> Pose:
    from limbik.skeleton.pose import Pose

    return Pose.rest(pose.skeleton)


def _frames(now: Posture, hinge: Array) -> Array:
    """(..., links, 4): how each link lies now."""
    return link_frames(now.links, hinge[..., None, :])


def _side(chord: Array, first: Array, hinge: Array) -> Array:
    """Where the middle joint lies beside the chord; of a folded limb, beside its first link."""
    length = np.linalg.norm(chord, axis=-1, keepdims=True)
    folded = length < 1e-9 * np.linalg.norm(first, axis=-1, keepdims=True)
    aim = normalized(np.where(folded, first, chord))
    return np.cross(aim, normalized(reject(hinge, aim)))


def _two_links(now: Posture, hinge: Array, wish: Wish) -> Array:
    """World rotations (..., 2, 4) of the links that bring the end to the goal."""
    links, root = now.links, now.positions[..., 0, :]
    chord = now.positions[..., 2, :] - root
    side = wish.pole
    if side is None:
        side = rotate(swing(chord, wish.goal - root, hinge), _side(chord, links[..., 0, :], hinge))
    arm = TwoLink(*_lengths(links), middle_limits=wish.limits)
    return arm.solve(wish.goal, side, root, soften=wish.soften).rotations


def _three_links(now: Posture, hinge: Array, wish: Wish) -> Array:
    """World rotations (..., 3, 4) of the links that bring the end to the goal, the last along the direction asked for.

    Without one, the last link keeps its angle to the line from the limb's root to its end.
    """
    if np.any(np.asarray(wish.soften) != 1.0):
        raise ArgumentError("soften", wish.soften, "1 for a limb of four joints; those of three joints reach softly")
    links, root = now.links, now.positions[..., 0, :]
    last = wish.direction
    if last is None:
        last = rotate(swing(now.positions[..., 3, :] - root, wish.goal - root, hinge), links[..., 2, :])
    ankle = wish.goal - np.linalg.norm(links[..., 2, :], axis=-1, keepdims=True) * normalized(last)
    chord = now.positions[..., 2, :] - root
    side = wish.pole
    if side is None:
        side = rotate(swing(chord, ankle - root, hinge), _side(chord, links[..., 0, :], hinge))
    leg = ThreeLink(*_lengths(links), middle_limits=wish.limits)
    joints = leg.solve(wish.goal, last, root, style="easy", hint=side, priority="position").joints
    found = np.diff(joints, axis=-2)
    own = np.cross(normalized(found[..., 0, :]), normalized(found[..., 1, :]))
    # A straight limb does not show its hinge; the side that it was given does.
    straight = np.linalg.norm(own, axis=-1, keepdims=True) < 1e-6
    own = np.where(straight, np.cross(side, normalized(joints[..., 2, :] - root)), own)
    return link_frames(found, own[..., None, :])


def _lengths(links: Array) -> list[Any]:
    return [_length(one) for one in np.moveaxis(np.linalg.norm(links, axis=-1), -1, 0)]


def _length(lengths: Array) -> Any:
    """One number where a bone keeps its length, as bones do; else one for each pose."""
    if lengths.size and np.ptp(lengths) <= 1e-9 * np.max(lengths):
        return float(lengths.reshape(-1)[0])
    return lengths


def _locally(pose: Pose, now: Posture, turns: Array) -> Array:
    """The local rotations of all joints after turns (..., links, 4), in the world, of the limb's links.

    What hangs from a link turns with it: the parent of the next joint has been turned already.
    """
    rotations = pose.rotations.copy()
    for k, joint in enumerate(now.joints):
        above = now.parents[..., k, :]
        if k:
            above = multiply(turns[..., k - 1, :], above)
        rotations[..., joint, :] = multiply(inverse(above), multiply(turns[..., k, :], now.rotations[..., k, :]))
    return rotations


def _pointed(pose: Pose, limb: RigLimb | Sequence[str | int], now: Posture, turns: Array, direction: Array) -> Array:
    """The local rotation (..., 4) of the end that points its own bone, to toe or child, along `direction`."""
    beyond = limb.toes if isinstance(limb, RigLimb) and limb.toes else pose.skeleton.children[now.end]
    bone = pose.translations[..., beyond[0], :] if beyond else np.zeros(3)
    if not np.all(np.any(bone != 0.0, axis=-1)):
        name = pose.skeleton.names[now.end]
        raise ArgumentError("end_direction", f"a limb that ends in {name!r}", "an end with a bone of its own to point")
    after = multiply(turns[..., -1, :], now.rotations[..., -1, :])
    points = rotate(after, bone)
    turned = multiply(shortest_arc(points, direction, perpendicular(normalized(points))), after)
    return multiply(inverse(multiply(turns[..., -1, :], now.parents[..., -1, :])), turned)


def weighted(before: Array, after: Array, weight: Array) -> Array:
    """Part of the way from one to the other; 0 and 1 are exact."""
    if not np.all((weight >= 0.0) & (weight <= 1.0)):
        raise ArgumentError("weight", weight, "numbers from 0 to 1")
    share = weight[..., None]
    if np.all(share == 1.0):
        return after
    between = slerp(before, after, np.broadcast_to(share, before.shape[:-1]))
    share = share[..., None]
    return np.where(share == 0.0, before, np.where(share == 1.0, after, between))
