"""The limbs of a skeleton: its legs and arms, found by the names of joints, or by their shape, or named by hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, LimbikError
from limbik.skeleton.limbs_by_name import limbs_by_name
from limbik.skeleton.limbs_by_shape import limbs_by_shape
from limbik.skeleton.rest_figure import LEAST, SAME, RestFigure
from limbik.skeleton.rig_limb import RigLimb
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.symmetry import FACING, UP, Symmetry, symmetry
from limbik.skeleton.tree import tree

KINDS = ("leg", "arm")
SIDES = ("left", "right")


class NoLimbsError(LimbikError):
    """A skeleton in which no limbs were found."""

    def __init__(self, skeleton: Skeleton) -> None:
        super().__init__(
            "no limbs found: no names of legs or arms, and no two lines of three joints or more that mirror each other "
            "and stand on the ground. Name them by hand, from root to tip, by names or numbers: "
            'limbik.find_limbs(skeleton, left_arm=("Shoulder", "Elbow", "Hand")). The joints are:\n'
            + "\n".join(tree(skeleton, most=60))
        )


def find_limbs(skeleton: Skeleton, **by_hand: Sequence[str | int]) -> dict[str, RigLimb]:
    """The legs and arms of a skeleton: "left_leg", "right_leg", "left_arm", "right_arm".

    An animal's front legs are its arms, and say that they stand. Where a creature has several of a kind they are
    numbered from front to back: "left_leg_1", "left_leg_2".
    By hand, limbs are given by their names (of this form) and their joints from root to tip, names or numbers; they
    come in addition to those found, or in their place.
    """
    if not len(skeleton):
        raise NoLimbsError(skeleton)
    figure = RestFigure(skeleton)
    given = {name: _by_hand(figure, name, joints) for name, joints in by_hand.items()}
    found = _by_name(figure, SIDES) or _by_shape(figure) or _by_name(figure, [""])
    limbs = _labelled(figure, found) | given
    if not limbs:
        raise NoLimbsError(skeleton)
    return {name: _with_toes(figure, limb) for name, limb in limbs.items()}


def _by_name(figure: RestFigure, sides: Sequence[str]) -> list[RigLimb]:
    """The limbs that names tell of, as yet without their own."""
    return [
        RigLimb("", kind, side, tuple(joints))
        for kind in KINDS
        for side in sides
        for joints in limbs_by_name(figure, kind, side)
    ]


def _by_shape(figure: RestFigure) -> list[RigLimb]:
    """The limbs that the shape tells of, as yet without names."""
    plane = symmetry(figure.skeleton)
    lines = limbs_by_shape(figure, plane)
    left = np.cross(UP, _facing(figure, plane, lines))
    middle = np.median(figure.positions @ left)
    sides = ["left" if np.mean(figure.positions[line] @ left) > middle else "right" for _, line in lines]
    return [RigLimb("", kind, side, tuple(line)) for (kind, line), side in zip(lines, sides, strict=True)]


def _facing(figure: RestFigure, plane: Symmetry, lines: list[tuple[str, list[int]]]) -> Array:
    """The direction in which the figure looks: where its toes point, unless names told its left from its right."""
    toes = [figure.positions[figure.line(line[-1])[-1]] - figure.positions[line[-1]] for _, line in lines]
    backward = not plane.named and sum(toe @ plane.forward for toe in toes) < -SAME * figure.size
    return -plane.forward if backward else plane.forward


def _labelled(figure: RestFigure, limbs: list[RigLimb]) -> dict[str, RigLimb]:
    """The limbs by their names; several of a kind on a side are numbered from front to back."""
    roots = {side: [figure.positions[limb.joints[0]] for limb in limbs if limb.side == side] for side in SIDES}
    forward = FACING
    if all(roots.values()):
        forward = np.cross(np.mean(roots["left"], axis=0) - np.mean(roots["right"], axis=0), UP)
    limbs = sorted(limbs, key=lambda limb: -float(figure.positions[limb.joints[0]] @ forward))
    legs = {side: [limb for limb in limbs if (limb.kind, limb.side) == ("leg", side)] for side in SIDES}
    if len(limbs) == 4 and all(len(pair) == 2 for pair in legs.values()):  # an animal on four feet
        fronts = [pair[0] for pair in legs.values()]
        limbs = [replace(limb, kind="arm") if limb in fronts else limb for limb in limbs]
    labelled: dict[str, RigLimb] = {}
    for kind in KINDS:
        several = any(sum((limb.kind, limb.side) == (kind, side) for limb in limbs) > 1 for side in (*SIDES, ""))
        for side in (*SIDES, ""):
            alike = [limb for limb in limbs if (limb.kind, limb.side) == (kind, side)]
            for number, limb in enumerate(alike, start=1):
                name = "_".join(filter(None, (side, kind, str(number) if several else "")))
                labelled[name] = replace(limb, name=name)
    return labelled


def _with_toes(figure: RestFigure, limb: RigLimb) -> RigLimb:
    toes = figure.toes(limb.joints[-1])
    stands = figure.is_low([limb.joints[-1], *toes])
    return replace(limb, toes=toes if stands or limb.kind == "leg" else (), stands=stands)


def _by_hand(figure: RestFigure, name: str, joints: Sequence[str | int]) -> RigLimb:
    """A limb as somebody named it, checked."""
    form = re.fullmatch(r"(?:(left|right)_)?(leg|arm)(?:_\d+)?", name)
    if not form:
        raise ArgumentError("find_limbs", repr(name), "names such as left_leg, right_arm, left_leg_2 or arm")
    if isinstance(joints, str) or len(joints) < LEAST:
        raise ArgumentError(name, repr(joints), f"at least {LEAST} joints, names or numbers, from root to tip")
    numbers = tuple(figure.skeleton.index(joint) for joint in joints)
    for upper, lower in pairwise(numbers):
        figure.skeleton.path(upper, lower)  # raises where one does not hang from the other
        if not figure.apart(upper, lower):
            names = f"{figure.skeleton.names[upper]!r} and {figure.skeleton.names[lower]!r}"
            raise ArgumentError(name, f"{names} in one place", "joints with some length between them")
    return RigLimb(name, form[2], form[1] or "", numbers)
