"""Brings the end of a limb to targets, on a posed skeleton of any rig: any bone axes, any rest pose.

The whole limb first turns from its old direction to the new one by the shortest turn, so that its bones gain no twist;
then it bends in its own plane, by the closed forms. Each joint keeps its rotation relative to its bone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from limbik.arguments import broadcast, shown
from limbik.arrays import Array
from limbik.engines.programs import MOST_LINKS
from limbik.errors import ArgumentError
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.rotations import IDENTITY, inverse, multiply, normalized, reject, rotate, shortest_arc, slerp
from limbik.skeleton.bending import bend_along_arc, hinges, link_frames, perpendicular, swing
from limbik.skeleton.detached_ends import is_detached, reach_detached
from limbik.skeleton.kinematics import forward, is_uneven, turning_frames
from limbik.skeleton.reach_kernel import reach_on_floats
from limbik.skeleton.skeleton import RigLimb, Skeleton, freeze

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.pose import Pose

Rows = Sequence[Sequence[float]]
AnyPose = TypeVar("AnyPose", bound="Pose")
_rest_hinges: WeakKeyDictionary[Skeleton, dict[tuple[int, ...], Array]] = WeakKeyDictionary()
FRAME_RATE_HINT = "limbik.load(path, fps=30) or clip.resampled(30) gives it another frame rate"


MIN_CHAIN_LINKS = 4  # links from which on a limb is a chain
MIN_PASSES, MAX_PASSES = 3, 40  # of what turns joints below uneven scales
MAX_REMAINING_MISS = 0.9  # of a miss: a pass that leaves more is the last one
ROUNDING_METRES = 1e-15  # metres: the miss of a pass that counts as none

WIDTHS = {"targets": 3, "pole": 3, "axis": 3, "end_rotation": 4, "end_direction": 3}


@dataclass(frozen=True, eq=False)
class LimbPose:
    """A limb as it is posed in the world. Of five joints or more, a chain, all but the end turn."""

    joints: tuple[int, ...]  # those that turn
    end: int
    positions: Array  # (..., turning + 1, 3), the end's last
    rotations: Array  # (..., turning + 1, 4); see `turning_frames` for those below uneven scales
    parents: Array  # (..., turning + 1, 4), rotations of the joints' parents

    @classmethod
    def of(cls, pose: Pose, joints: tuple[int, ...]) -> LimbPose:
        """The limb in each of the poses."""
        *_, end = joints
        path, at, turned = posed_line_to(pose, end)
        turning = joints[:-1]
        places = [path.index(joint) for joint in (*turning, end)]
        above, own = turned[..., places, :], turned[..., [k + 1 for k in places], :]
        scales = None if pose.scales is None else pose.scales[..., path[:-1], :]
        if is_uneven(scales):
            local = pose.rotations[..., path[:-1], :], pose.translations[..., path[:-1], :]
            turned[..., 1:-1, :] = turning_frames(np.arange(len(path) - 1) - 1, *local, scales)
            above = turned[..., places, :]
            own = multiply(above, pose.rotations[..., joints, :])
        return cls(turning, end, at[..., places, :], own, above)

    @property
    def links(self) -> Array:
        """The links as vectors, (..., links, 3)."""
        return np.diff(self.positions, axis=-2)

    @property
    def bending_links(self) -> tuple[Array, Array]:
        """The two vectors (..., 3) between which the limb bends: its first two links, or the halves of a chain."""
        middle = 1 if len(self.joints) < MIN_CHAIN_LINKS else (len(self.joints) + 1) // 2
        last = 2 if len(self.joints) < MIN_CHAIN_LINKS else -1
        root, joint, end = (self.positions[..., k, :] for k in (0, middle, last))
        return joint - root, end - joint


class Request(NamedTuple):
    """The arguments of `Pose.reach` that may differ from frame to frame, and the limits."""

    targets: Any  # (..., 3)
    pole: Any  # (..., 3), or None
    axis: Any  # (..., 3), or None
    end_rotation: Any  # (..., 4), or None
    end_direction: Any  # (..., 3), or None
    soften: Any  # (...)
    limits: tuple[float, float] | None

    def of(self, pose: Pose) -> Request:
        """The request with its arrays broadcast to the poses."""
        given = {name: value for name, value in self._asdict().items() if name in WIDTHS and value is not None}
        arrays = {name: frame_by_frame(pose, name, value, WIDTHS[name]) for name, value in given.items()}
        one = np.ndim(self.soften) == 0
        soften = self.soften if one else broadcast("soften", self.soften, pose.rotations.shape[:-2])
        return self._replace(**arrays, soften=soften)

    @property
    def asks(self) -> bool:
        """Whether anything was passed."""
        return not self.reaches_fully or any(value is not None for value in (*self[:5], self.limits))

    @property
    def reaches_fully(self) -> bool:
        """Whether nothing is softened."""
        return isinstance(self.soften, float) and self.soften == 1.0

    @property
    def arrays(self) -> dict[str, Array]:
        """The arguments with a value for each frame."""
        return {name: value for name, value in self._asdict().items() if isinstance(value, np.ndarray) and value.ndim}


class PosedLine(NamedTuple):
    """The joints from the root to one of them, posed in the world."""

    joints: list[int]
    positions: Array  # (..., joints, 3)
    rotations: Array  # (..., 1 + joints, 4), that of the root's parent first


def posed_line_to(pose: Pose, joint: int) -> PosedLine:
    """The joints from the root to one, posed in the world."""
    path = line_to(pose, joint)
    scales = None if pose.scales is None else pose.scales[..., path, :]
    parents = np.arange(len(path)) - 1
    at, turned = forward(parents, pose.rotations[..., path, :], pose.translations[..., path, :], scales)
    above = np.broadcast_to(IDENTITY, turned[..., :1, :].shape)
    return PosedLine(path, at, np.concatenate([above, turned], axis=-2))


def line_to(pose: Pose, joint: int) -> list[int]:
    """The joints from the root to one of them."""
    return [*reversed(pose.skeleton.ancestors(joint)), joint]


def reach_limb(
    pose: AnyPose, limb: RigLimb | str | Sequence[str | int], request: Request, weight: ArrayLike
) -> AnyPose:
    """The pose with the limb's end at the targets: see `Pose.reach`."""
    from limbik.skeleton.limb_finding import as_limb

    found = as_limb(pose.skeleton, limb)
    if not is_detached(pose.skeleton, found.joints):
        return pose.with_(rotations=freeze(reach_rotations(pose, found, request, weight)))
    weights = frame_by_frame(pose, "weight", weight)
    rotations, translations = reach_detached(pose, found, request.of(pose), weights)
    return pose.with_(rotations=freeze(rotations), translations=freeze(translations))


def reach_rotations(
    pose: Pose, limb: RigLimb | str | Sequence[str | int], request: Request, weight: ArrayLike
) -> Array:
    """Local rotations (..., joints, 4) with the limb's end, a descendant of its other joints, at the targets."""
    from limbik.skeleton.limb_finding import as_limb

    found, request = as_limb(pose.skeleton, limb), request.of(pose)
    weights = frame_by_frame(pose, "weight", weight)
    if pose.rotations.ndim == 2 and pose.scales is None:
        rotations = pose.rotations.copy()
        if reach_alone(rotations, pose, found, request, *(array.tolist() for array in pose.world())):
            return blend_rotations(pose.rotations, rotations, weights)
    valid = _valid_frames(pose, found, request)
    if valid.all():
        return blend_rotations(pose.rotations, _solve_finite(pose, found, request), weights)
    rotations = pose.rotations.copy()
    lost = rotations[~valid]
    lost[:, list(found.joints)] = np.nan
    rotations[~valid] = lost
    if valid.any():
        part, chosen = _select_frames(pose, request, valid)
        rotations[valid] = _solve_finite(part, found, chosen).reshape(-1, *rotations.shape[-2:])
    return blend_rotations(pose.rotations, rotations, weights)


def reach_alone(rotations: Array, pose: Pose, limb: RigLimb, request: Request, positions: Rows, world: Rows) -> bool:
    """Changes the local rotations (joints, 4) of one pose so that a limb reaches, on floats; false where they cannot.

    positions and world: of all joints in the world, lists.
    """
    plain = request.axis is None and request.end_direction is None and request.limits is None and request.reaches_fully
    if len(limb.joints) != 3 or not plain:
        return False
    target = request.targets.tolist()
    pole, turn = (None if value is None else value.tolist() for value in (request.pole, request.end_rotation))
    at_rest = rest_hinge(pose.skeleton, limb.joints).tolist()
    solved = reach_on_floats(limb.joints, pose.skeleton.parents, positions, world, at_rest, target, pole, turn)
    if solved is None or not isfinite(sum(solved)):
        return False
    for k in range(len(solved) // 4):
        rotations[limb.joints[k]] = solved[4 * k : 4 * k + 4]
    return True


def _valid_frames(pose: Pose, limb: RigLimb, request: Request) -> Array:
    """(...) bool: the frames in which all that the limb depends on is finite."""
    path = line_to(pose, limb.joints[-1])
    local = [pose.rotations, pose.translations] + ([] if pose.scales is None else [pose.scales])
    valid = np.ones(pose.rotations.shape[:-2], bool)
    for part in local:
        valid &= np.isfinite(part[..., path, :]).all(axis=(-2, -1))
    for value in request.arrays.values():
        valid &= np.isfinite(value).all(axis=-1) if value.ndim > valid.ndim else np.isfinite(value)
    return valid


def _select_frames(pose: Pose, request: Request, chosen: Array) -> tuple[Pose, Request]:
    """Some of the poses, in order. One leading axis is time; where there were several, two remain."""

    def take(array: Array) -> Array:
        return array[chosen] if chosen.ndim < 2 else array[chosen][:, None]

    names = ("rotations", "translations") if pose.scales is None else ("rotations", "translations", "scales")
    part = pose.rest(pose.skeleton).with_(**{name: freeze(take(getattr(pose, name))) for name in names})
    return part, request._replace(**{name: take(value) for name, value in request.arrays.items()})


def _solve_finite(pose: Pose, limb: RigLimb, request: Request) -> Array:
    """Local rotations (..., joints, 4) with the limb's end at the target, every input being finite."""
    rotations, end = _solve_pass(pose, limb, request), limb.joints[-1]
    above = line_to(pose, end)[:-1]
    if pose.scales is None or not is_uneven(pose.scales[..., above, :]):
        return rotations

    def distance_left(now: Pose) -> Array:
        return np.linalg.norm(posed_line_to(now, end).positions[..., -1, :] - request.targets, axis=-1)

    def again(now: Pose) -> Pose:
        return now.with_(rotations=freeze(_solve_pass(now, limb, request)))

    return refine_passes(pose.with_(rotations=freeze(rotations)), again, distance_left).rotations.copy()


def refine_passes(pose: AnyPose, again: Callable[[AnyPose], AnyPose], missed: Callable[[AnyPose], Array]) -> AnyPose:
    """A pose below uneven scales after passes of what posed it, each measuring the links where the last one left them.

    A link below an uneven scale changes its length as it turns, so that each pass misses by a part of what the one
    before missed.

    Args:
        pose: The pose after the first pass.
        again: The next pass, from the pose that the last one made.
        missed: How far (...,) the ends are from their targets.
    """
    least = missed(pose)
    for done in range(MAX_PASSES):
        new = again(pose)
        miss = missed(new)
        if done >= MIN_PASSES and not np.any((miss < MAX_REMAINING_MISS * least) & (least > ROUNDING_METRES)):
            break
        better = miss <= np.maximum(least, ROUNDING_METRES)
        parts = ((getattr(new, name), getattr(pose, name)) for name in ("rotations", "translations"))
        rotations, translations = (freeze(np.where(better[..., None, None], *part)) for part in parts)
        pose, least = pose.with_(rotations=rotations, translations=translations), np.where(better, miss, least)
    return pose


def _solve_pass(pose: Pose, limb: RigLimb, request: Request) -> Array:
    """Local rotations (..., joints, 4) with the limb's end at the target, if its links keep their lengths."""
    joints = _distinct_joints(pose, limb.joints)
    now = LimbPose.of(pose, joints)
    hinge = _hinge(pose, joints, now, request.axis)
    if len(now.joints) >= MIN_CHAIN_LINKS:
        turns = _chain_turns(pose, now, hinge, request)
    else:
        solved = (_three_links if len(now.joints) == 3 else _two_links)(pose, now, hinge, request)
        turns = multiply(solved, inverse(link_frames(now.links, hinge[..., None, :])))  # of each link, in the world
    rotations = _turn_links(pose, now, turns)
    if request.end_rotation is not None:
        above = multiply(turns[..., -1, :], now.parents[..., -1, :])
        if pose.scales is not None:
            above = posed_line_to(pose.with_(rotations=freeze(rotations.copy())), now.end).rotations[..., -2, :]
        rotations[..., now.end, :] = multiply(inverse(above), normalized(request.end_rotation))
    elif request.end_direction is not None and len(now.joints) == 2:
        rotations[..., now.end, :] = _point_end(pose, limb, now, turns, normalized(request.end_direction))
    return rotations


def _distinct_joints(pose: Pose, joints: tuple[int, ...]) -> tuple[int, ...]:
    """The joints of a chain without those that lie where the one before does, which cannot bend it."""
    if len(joints) <= MIN_CHAIN_LINKS:
        return joints
    links = np.linalg.norm(LimbPose.of(pose, joints).links, axis=-1).reshape(-1, len(joints) - 1)
    apart = np.any(links > 1e-9 * links.sum(-1, keepdims=True), axis=0)
    kept = [joints[0], *(joint for joint, far in zip(joints[1:], apart, strict=True) if far)]
    if kept[-1] != joints[-1]:
        kept[-1] = joints[-1]
    return tuple(kept) if len(kept) > 2 else joints


def frame_by_frame(pose: Pose, name: str, value: ArrayLike, width: int | None = None) -> Array:
    """An argument broadcast to the poses: (...,), or (..., width)."""
    batch, fps = pose.rotations.shape[:-2], getattr(pose, "fps", None)
    note = "" if fps is None else f": the clip has {batch[0]} frames at {fps:g} fps; {FRAME_RATE_HINT}"
    return broadcast(name, value, batch if width is None else (*batch, width), note)


def _hinge(pose: Pose, joints: tuple[int, ...], now: LimbPose, axis: Array | None) -> Array:
    """The hinge (..., 3) in the world: by default the axis about which the limb bends."""
    if axis is not None:
        return rotate(now.rotations[..., 1, :], normalized(axis))
    return hinges(*now.bending_links, now.rotations[..., 0, :], rest_hinge(pose.skeleton, joints))


def rest_hinge(skeleton: Skeleton, joints: tuple[int, ...]) -> Array:
    """The hinge (3,) of a limb at rest, in the first joint's frame; worked out once."""
    known = _rest_hinges.setdefault(skeleton, {})
    if joints not in known:
        from limbik.skeleton.pose import Pose

        rest = LimbPose.of(Pose.rest(skeleton), joints)
        first, second = rest.bending_links
        own = np.cross(normalized(first), normalized(second))
        if np.linalg.norm(own) < 1e-3:  # straight at rest as well: any axis square to the limb
            own = perpendicular(normalized(first))
        known[joints] = normalized(rotate(inverse(rest.rotations[..., 0, :]), own))
    return known[joints]


def _side(now: LimbPose, hinge: Array, request: Request, target: Array) -> Array:
    """The direction (..., 3) in which the middle joint points while the second link ends at the target."""
    if request.pole is not None:
        return request.pole
    root, first = now.positions[..., 0, :], now.links[..., 0, :]
    chord = now.positions[..., 2, :] - root
    length = np.linalg.norm(chord, axis=-1, keepdims=True)
    folded = length < 1e-9 * np.linalg.norm(first, axis=-1, keepdims=True)
    aim = normalized(np.where(folded, first, chord))
    return rotate(swing(chord, target - root, hinge), np.cross(aim, normalized(reject(hinge, aim))))


def _two_links(pose: Pose, now: LimbPose, hinge: Array, request: Request) -> Array:
    """World rotations (..., 2, 4) of the links that bring the end to the target."""
    side = _side(now, hinge, request, request.targets)
    arm = TwoLink(*_lengths(pose, now), middle_limits=request.limits)
    return arm.solve(request.targets, side, now.positions[..., 0, :], soften=request.soften).rotations


def _three_links(pose: Pose, now: LimbPose, hinge: Array, request: Request) -> Array:
    """World rotations (..., 3, 4) of the links; by default the last keeps its angle to the line from root to end."""
    if np.any(np.asarray(request.soften) != 1.0):
        raise ArgumentError("soften", shown(request.soften), "1: only limbs of three joints reach softly")
    links, root = now.links, now.positions[..., 0, :]
    if request.end_direction is not None:
        last = normalized(request.end_direction)
    else:
        last = rotate(swing(now.positions[..., 3, :] - root, request.targets - root, hinge), links[..., 2, :])
    ankle = request.targets - np.linalg.norm(links[..., 2, :], axis=-1, keepdims=True) * normalized(last)
    side = _side(now, hinge, request, ankle)
    leg = ThreeLink(*_lengths(pose, now), middle_limits=request.limits)
    joints = leg.solve(request.targets, last, root, style="easy", hint=side, priority="position").joints
    found = np.diff(joints, axis=-2)
    own = np.cross(normalized(found[..., 0, :]), normalized(found[..., 1, :]))
    # A straight limb does not show its hinge; take it from the side.
    straight = np.linalg.norm(own, axis=-1, keepdims=True) < 1e-6
    own = np.where(straight, np.cross(side, normalized(joints[..., 2, :] - root)), own)
    return link_frames(found, own[..., None, :])


def _chain_turns(pose: Pose, now: LimbPose, hinge: Array, request: Request) -> Array:
    """The turns (..., links, 4) of a chain's links, in the world."""
    if len(now.joints) > MOST_LINKS:
        raise ArgumentError("limb", f"{len(now.joints) + 1} joints", f"at most {MOST_LINKS + 1}")
    links, reach, lengths = now.links, request.targets - now.positions[..., 0, :], _lengths(pose, now)
    last = None
    if request.end_direction is not None:  # the last link alone points there; the others bring its root into place
        toward = normalized(request.end_direction)
        last = shortest_arc(normalized(links[..., -1, :]), toward, perpendicular(toward))
        reach = reach - np.linalg.norm(links[..., -1, :], axis=-1, keepdims=True) * toward
        links, lengths = links[..., :-1, :], lengths[:-1]
    if request.pole is None:
        new_hinge = rotate(swing(links.sum(-2), reach, hinge), hinge)
    else:
        new_hinge = np.cross(normalized(request.pole), normalized(reach))
    shape = np.broadcast_shapes(*(np.shape(one) for one in lengths))
    stacked = np.stack([np.broadcast_to(one, shape) for one in lengths], -1)
    found = bend_along_arc(links, stacked, hinge, reach, new_hinge, request.soften, request.limits)
    turns = multiply(found.after, inverse(found.before))
    return turns if last is None else np.concatenate([turns, last[..., None, :]], axis=-2)


def _lengths(pose: Pose, now: LimbPose) -> list[Any]:
    """The lengths of the links: one number for a bone of constant length, otherwise one for each pose."""
    lengths = np.linalg.norm(now.links, axis=-1)
    if not np.all(lengths > 0.0):
        link = int(np.argwhere(~(lengths > 0.0))[0, -1])
        names = [pose.skeleton.names[joint] for joint in (*now.joints, now.end)[link : link + 2]]
        raise ArgumentError("limb", f"joints {names[0]!r} and {names[1]!r} in one place", "bones of some length")
    return [
        float(one.flat[0]) if one.size and np.ptp(one) <= 1e-9 * np.max(one) else one
        for one in np.moveaxis(lengths, -1, 0)
    ]


def _turn_links(pose: Pose, now: LimbPose, turns: Array) -> Array:
    """The local rotations of all joints after turns (..., links, 4), in the world, of the limb's links."""
    rotations = pose.rotations.copy()
    for k, joint in enumerate(now.joints):
        above = now.parents[..., k, :]
        if k:  # the parent turned with the link before
            above = multiply(turns[..., k - 1, :], above)
        rotations[..., joint, :] = multiply(inverse(above), multiply(turns[..., k, :], now.rotations[..., k, :]))
    return rotations


def _point_end(pose: Pose, limb: RigLimb, now: LimbPose, turns: Array, direction: Array) -> Array:
    """The local rotation (..., 4) of the end that points its bone, to its toe or child, along `direction`."""
    beyond = limb.toes or pose.skeleton.children[now.end]
    bone = pose.translations[..., beyond[0], :] if beyond else np.zeros(3)
    if not np.all(np.any(bone != 0.0, axis=-1)):
        name = pose.skeleton.names[now.end]
        raise ArgumentError("end_direction", f"a limb that ends in {name!r}", "an end with a bone beyond it to point")
    after = multiply(turns[..., -1, :], now.rotations[..., -1, :])
    if pose.scales is None:
        points = rotate(after, bone)
    else:
        points = rotate(
            turns[..., -1, :], posed_line_to(pose, beyond[0]).positions[..., -1, :] - now.positions[..., -1, :]
        )
    turned = multiply(shortest_arc(points, direction, perpendicular(normalized(points))), after)
    return multiply(inverse(multiply(turns[..., -1, :], now.parents[..., -1, :])), turned)


def blend_rotations(before: Array, after: Array, weight: Array) -> Array:
    """Rotations part of the way from one to the other; weights of 0 and 1 are exact."""
    if not np.all((weight >= 0.0) & (weight <= 1.0)):
        raise ArgumentError("weight", shown(weight), "numbers from 0 to 1")
    if np.all(weight == 1.0):
        return after
    between = slerp(before, after, np.broadcast_to(weight[..., None], before.shape[:-1]))
    weight = weight[..., None, None]
    return np.where(weight == 0.0, before, np.where(weight == 1.0, after, between))
