"""The torso of a figure: pelvis, spine, chest, neck and head, from which its limbs grow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, rotate
from limbik.skeleton.limb_finding import NoLimbsError
from limbik.skeleton.naming import tokens
from limbik.skeleton.pose import Pose
from limbik.skeleton.rest_figure import RestFigure
from limbik.skeleton.skeleton import RigLimb, Skeleton
from limbik.skeleton.symmetry import UP, symmetry

PELVIS = frozenset({"hips", "pelvis"})
HEAD = "head"
END_OF = {"arm": "hand", "leg": "foot"}


class NamedEnd(NamedTuple):
    """An end of a figure: its name, its joint, and the limb of hands and feet."""

    name: str
    joint: int
    limb: RigLimb | None


@dataclass(frozen=True, eq=False)
class Torso:
    """The joints of a torso, by number. Where legs and arms grow from one joint, it has no spine."""

    skeleton: Skeleton
    pelvis: int
    spine: tuple[int, ...]  # the joints that bend, from the one above the pelvis to the chest
    neck: tuple[int, ...]  # from the one above the chest to the head; empty where no head was found

    @property
    def chest(self) -> int:
        """The joint that carries the arms."""
        return self.spine[-1] if self.spine else self.pelvis

    @property
    def head(self) -> int | None:
        """The head's joint, where there is one."""
        return self.neck[-1] if self.neck else None

    @cached_property
    def head_axes(self) -> tuple[Array, Array]:
        """Where the head looks and where its top points, (3,) each, in its own frame; at rest, as the figure does."""
        assert self.head is not None
        back = inverse(Pose.rest(self.skeleton).world()[1][self.head])
        return rotate(back, symmetry(self.skeleton).forward), rotate(back, UP)

    @cached_property
    def ends(self) -> dict[str, RigLimb]:
        """The limbs of the skeleton by their ends: "left_hand", "right_foot", "left_foot_2"."""
        return {end_name(name): limb for name, limb in self.skeleton.limbs.items()}

    @cached_property
    def standing(self) -> list[NamedEnd]:
        """The ends of the limbs that the figure stands on."""
        return [NamedEnd(name, limb.joints[-1], limb) for name, limb in self.ends.items() if limb.stands]

    @cached_property
    def uninvolved(self) -> frozenset[int]:
        """The joints on which neither torso nor head nor limbs depend, such as fingers and toes."""
        tips = [
            *(joint for limb in self.ends.values() for joint in limb.joints[-2:]),
            *self.spine,
            *self.neck,
            self.pelvis,
        ]
        involved = {joint for tip in tips for joint in _line_above(self.skeleton, tip)}
        return frozenset(range(len(self.skeleton))) - involved

    @cached_property
    def _places(self) -> dict[int, int]:
        return {self.pelvis: 0} | {bending: k for k, bending in enumerate(self.spine, start=1)}

    def carrier(self, joint: int) -> int | None:
        """The joint of the torso that carries another: 0 for the pelvis, 1 for the spine's first, None for none."""
        while joint >= 0:
            if joint in self._places:
                return self._places[joint]
            joint = int(self.skeleton.parents[joint])
        return None


def end_name(limb_name: str) -> str:
    """The name of a limb's end: "left_hand" of "left_arm"."""
    return re.sub("arm|leg", lambda kind: END_OF[kind[0]], limb_name)


def find_torso(skeleton: Skeleton, between: Mapping[str, RigLimb] | None = None) -> Torso:
    """The torso between a skeleton's legs and arms, or between given ones."""
    try:
        limbs = list((skeleton.limbs if between is None else between).values())
    except NoLimbsError:
        limbs = []
    legs = [limb.joints[0] for limb in limbs if limb.kind == "leg"]
    arms = [limb.joints[0] for limb in limbs if limb.kind == "arm"]
    read = list(enumerate(zip(skeleton.labels, skeleton.readings, strict=True)))
    named = [joint for joint, (label, reading) in read if PELVIS & set(tokens(label)) and not reading.side]
    pelvis = _lowest_common_ancestor(skeleton, legs) if legs else named[0] if named else 0
    chest = _lowest_common_ancestor(skeleton, arms) if arms else pelvis
    if legs and arms and pelvis not in _line_above(skeleton, chest):  # spine and pelvis grow from one joint
        pelvis = _lowest_common_ancestor(skeleton, [*legs, *arms])
    spine = skeleton.path(pelvis, chest)[1:] if pelvis in _line_above(skeleton, chest) else ()
    top = spine[-1] if spine else pelvis
    head = _head(skeleton, top, [*legs, *arms])
    return Torso(skeleton, pelvis, spine, () if head is None else skeleton.path(top, head)[1:])


def _line_above(skeleton: Skeleton, joint: int) -> tuple[int, ...]:
    """A joint and all above it, the root last."""
    return (joint, *skeleton.ancestors(joint))


def _depths_below(skeleton: Skeleton, joint: int) -> list[int]:
    """The number of bones between a joint and each one below it; -1 for other joints."""
    depths: list[int] = []
    for one, parent in enumerate(skeleton.parents.tolist()):
        above = depths[parent] if parent >= 0 else -1
        depths.append(0 if one == joint else above + 1 if above >= 0 else -1)
    return depths


def pelvis_of(skeleton: Skeleton, legs: Iterable[RigLimb]) -> int:
    """The joint from which all legs hang. The root of many rigs is another one, on the floor, which may never move."""
    return _lowest_common_ancestor(skeleton, [leg.joints[0] for leg in legs])


def _lowest_common_ancestor(skeleton: Skeleton, joints: Iterable[int]) -> int:
    """The lowest joint above all of these."""
    lines = [skeleton.ancestors(joint) or (joint,) for joint in joints]
    return next((joint for joint in lines[0] if all(joint in line for line in lines)), skeleton.roots[0])


def _head(skeleton: Skeleton, chest: int, limb_roots: list[int]) -> int | None:
    """The head above a chest: by its name, or the end of the highest chain without limbs."""
    depths = _depths_below(skeleton, chest)
    below = [joint for joint, depth in enumerate(depths) if depth > 0]
    named = [joint for joint in below if HEAD in tokens(skeleton.labels[joint]) and not skeleton.readings[joint].helper]
    if named:
        return min(named, key=lambda joint: depths[joint])
    figure = RestFigure(skeleton)
    carrying = {above for root in limb_roots for above in _line_above(skeleton, root)}
    lines = [figure.line(child) for child in skeleton.children[chest] if child not in carrying]
    upward = [line for line in lines if np.argmax(figure.positions[[chest, *line], 1]) == len(line)]
    if not upward:
        return None
    line = max(upward, key=lambda line: figure.positions[line[-1], 1])
    return next((joint for joint in reversed(line) if not skeleton.end_sites[joint]), None)
