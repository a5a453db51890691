"""The limbs' formulas as programs: which groups of components go in, which flags, which answers come out.

Every engine runs a program from this one description, so an engine knows no limb and a limb knows no engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

from limbik.formulas import limits, planar, three_link, tracking, two_link


@dataclass(frozen=True)
class Answer:
    """One answer of a program: a formula applied to the pose (and to `extras`, groups or flags), and its shape."""

    formula: Callable[..., Any]
    shape: tuple[int, ...]
    extras: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


@dataclass(frozen=True, eq=False)
class Program:
    """A pose formula over groups of components and boolean flags, and the answers that are read from the pose."""

    name: str
    pose: Callable[..., Any]
    groups: dict[str, int]  # every group's number of components, in the order of the pose formula's parameters
    flags: tuple[str, ...]
    answers: dict[str, Answer]
    report: tuple[str, ...]  # the names of the report's numbers
    extra_groups: dict[str, int] = field(default_factory=dict)  # groups that only some answers look at
    _groups_of: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for name, answer in self.answers.items():
            extras = tuple(extra for extra in answer.extras if extra in self.extra_groups)
            self._groups_of[name] = (*self.groups, *extras)

    @property
    def all_groups(self) -> dict[str, int]:
        """The pose's groups, then those of some answers only."""
        return {**self.groups, **self.extra_groups}

    def groups_of(self, answer: str) -> tuple[str, ...]:
        """The groups that an answer depends on, in the order in which kernels take them."""
        return self._groups_of[answer]


# Where a tracked limb was in the frame before: see `limbik.formulas.tracking`.
STATE = {"before_aim": 3, "before_side": 3, "before_wish": 3, "before_hinge": 3}

PLANAR = Program(
    name="planar",
    pose=planar.planar_pose,
    groups={"lengths": 2, "span": 2, "target": 2, "origin": 2, "sides": 1},
    flags=(),
    answers={
        "joints": Answer(planar.planar_joints, (3, 2)),
        "angles": Answer(planar.planar_angles, (2,)),
        "report": Answer(planar.planar_report, (3,), ("lengths", "span", "target")),
    },
    report=("status", "residual", "singular"),
)

TWO_LINK = Program(
    name="two_link",
    pose=two_link.two_link_pose,
    groups={
        "lengths": 2,
        "span": 2,
        "target": 3,
        "pole": 3,
        "origin": 3,
        "twist": 2,
        "ease": 2,
        "sides": 2,
        "aim": 3,
    },
    flags=("eased", "twisted", "given"),
    answers={
        "joints": Answer(two_link.two_link_joints, (3, 3)),
        "rotations": Answer(two_link.two_link_rotations, (2, 4)),
        "angles": Answer(two_link.two_link_angles, (4,)),
        "report": Answer(two_link.two_link_report, (4,), ("lengths", "span", "target")),
        "state": Answer(tracking.two_link_state, (4, 3), ("wish",)),
        "follow": Answer(tracking.two_link_follow, (19,), ("lengths", "span", "target", "pole", "rate", *STATE)),
    },
    report=("status", "residual", "singular", "stretch"),
    extra_groups={"wish": 3, "rate": 1, **STATE},
)

THREE_LINK = Program(
    name="three_link",
    pose=three_link.three_link_pose,
    groups={
        "lengths": 3,
        "span": 2,
        "target": 3,
        "up": 3,
        "origin": 3,
        "hint": 3,
        "sides": 3,
        "aim": 3,
    },
    flags=("natural", "hinted", "position", "given"),
    answers={
        "joints": Answer(three_link.three_link_joints, (4, 3)),
        "rotations": Answer(three_link.three_link_rotations, (3, 4), ("given",)),
        "angles": Answer(three_link.three_link_angles, (5,), ("given",)),
        "report": Answer(
            three_link.three_link_report,
            (5,),
            ("lengths", "span", "goal", "goal_up", "limited", "position", "given"),
        ),
        "limit": Answer(limits.three_link_limit, (16,), ("lengths", "target", "up", "ranges", "position", "given")),
        "state": Answer(tracking.three_link_state, (4, 3), ("goal_up", "given")),
        "follow": Answer(tracking.three_link_follow, (19,), ("lengths", "span", "target", "up", "rate", *STATE)),
    },
    report=("status", "residual", "up_error", "singular", "out_of_plane"),
    extra_groups={"goal": 3, "goal_up": 3, "limited": 1, "ranges": 4, "rate": 1, **STATE},
)

PROGRAMS = {program.name: program for program in (PLANAR, TWO_LINK, THREE_LINK)}
