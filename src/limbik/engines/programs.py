"""The limbs' formulas as programs: which groups of components and flags go in, and which answers come out.

Every engine runs a program from this description alone, so engines know no limbs and limbs know no engines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import signature
from math import prod
from typing import Any, NamedTuple

from limbik.engines.robot_flags import RobotFlags
from limbik.engines.thresholds import KERNEL_MAX_LINKS, ROWS_PER_THREAD
from limbik.errors import ChoiceError
from limbik.formulas import limits, n_link, planar, three_link, tracking, two_link


class PlanarFlags(NamedTuple):
    """The planar limb has no options that change its formula."""


class TwoLinkFlags(NamedTuple):
    """Which parts of the two-link formula a call needs."""

    softened: bool = False  # soft reach or stretch: read the group `extension`
    twisted: bool = False  # read the group `twist`
    fixed_frame: bool = False  # `aim` and `pole` are the unit aim and side themselves, chosen by a track


class ThreeLinkFlags(NamedTuple):
    """Which parts of the three-link formula a call needs."""

    natural: bool = True  # the bending plane contains `up`; otherwise that of the easy style
    hinted: bool = False  # read the group `hint`
    position_first: bool = False  # priority "position"
    fixed_frame: bool = False  # `aim` and `hint` are the unit aim and side themselves, chosen by a track or a limit


class NLinkFlags(NamedTuple):
    """Which parts of the formula of a chain a call needs."""

    softened: bool = False  # soft reach: read the group `onset`
    shared: bool = False  # bends by shares or within limits: read `weights`, `lows`, `highs` and `span`
    directed: bool = False  # read the group `direction`
    fixed_frame: bool = False  # `aim` and `pole` are the unit aim and side themselves, chosen by a track


Flags = PlanarFlags | TwoLinkFlags | ThreeLinkFlags | NLinkFlags | RobotFlags


@dataclass(frozen=True)
class Answer:
    """One answer of a program: its shape, and a formula of the pose and the groups or flags named by its parameters."""

    formula: Callable[..., Any]
    shape: tuple[int, ...]
    built_on: bool = False  # whether other answers start from its numbers: then every engine rounds them alike

    @cached_property
    def extras(self) -> tuple[str, ...]:
        """The formula's parameters after the pose."""
        return tuple(signature(self.formula).parameters)[1:]

    @cached_property
    def size(self) -> int:
        """How many numbers it consists of."""
        return prod(self.shape)


@dataclass(frozen=True, eq=False)
class Program:
    """A pose formula over groups of components and flags, and the answers that are computed from the pose.

    There is one object of each program: copying and unpickling return that one, so that caches keyed by it stay valid.
    """

    name: str
    pose: Callable[..., Any]
    groups: dict[str, int]  # every group's number of components, in the order of the pose formula's parameters
    flags: type[Flags]
    answers: dict[str, Answer]
    report: tuple[str, ...]  # the names of the report's numbers
    extra_groups: dict[str, int] = field(default_factory=dict)  # groups that only some answers read
    joint_names: tuple[str, ...] = ()  # root to tip
    angle_names: tuple[str, ...] = ()
    kernels: bool = True  # whether compiling its traces pays; otherwise NumPy and operations of torch run them
    gradient_kernels: bool = True  # the same of its gradients
    rows_per_thread: int = ROWS_PER_THREAD  # fewer do not pay for waking a thread
    remark: str = ""  # why it lacks the answers that other limbs have
    _groups_of: dict[str, tuple[str, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for name, answer in self.answers.items():
            extras = tuple(extra for extra in answer.extras if extra in self.extra_groups)
            self._groups_of[name] = (*self.groups, *extras)

    def __reduce__(self) -> Any:
        return program_named, (self.name,)

    @property
    def all_groups(self) -> dict[str, int]:
        """The pose's groups, followed by those that only some answers read."""
        return {**self.groups, **self.extra_groups}

    def state_size(self, step: str) -> int:
        """How many numbers the state has from which a step of a track starts."""
        return self.all_groups[TRACK_STEPS[step].previous]

    def groups_of(self, answer: str) -> tuple[str, ...]:
        """The groups that an answer depends on, in the order in which kernels take them."""
        return self._groups_of[answer]

    def evaluate(self, answer: str, values: Mapping[str, Any]) -> Any:
        """The formula of an answer applied to the groups and flags, by name."""
        spec = self.answers[answer]
        pose = self.pose(*(values[name] for name in (*self.groups, *self.flags._fields)))
        return spec.formula(pose, *(values[name] for name in spec.extras))


@dataclass(frozen=True, eq=False)
class TrackStep:
    """How a track takes a step: an answer that begins with the numbers of a frame and ends with the state after it."""

    start: str  # the answer that gives the state of a solved pose
    frame: dict[str, int]  # what a frame holds
    previous: str  # the group that holds the state before: see `limbik.formulas.tracking`

    @property
    def frame_size(self) -> int:
        """How many numbers a frame has."""
        return sum(self.frame.values())


_FRAME = {"aim": 3, "side": 3, "hinge_sign": 1}
_STATES = {"previous": 12, "previous_position": 18, "previous_limits": 16}  # numbers of each
TRACK_STEPS = {
    "follow": TrackStep("state", _FRAME, "previous"),
    "follow_position": TrackStep("position_state", {**_FRAME, "up": 3}, "previous_position"),
    # Its state is not that of the pose, so each frame keeps it.
    "follow_limits": TrackStep(
        "limits_state", {**_FRAME, "chord_range": 2, "limited": 1, "track_state": 16}, "previous_limits"
    ),
    # Robot limbs: what is left after many steps is the state itself.
    "descend": TrackStep("", {}, "descent"),
}

PLANAR = Program(
    name="planar",
    pose=planar.planar_pose,
    groups={"lengths": 2, "chord_range": 2, "target": 2, "origin": 2, "signs": 1},
    flags=PlanarFlags,
    answers={
        "joints": Answer(planar.planar_joints, (3, 2)),
        "angles": Answer(planar.planar_angles, (2,)),
        "report": Answer(planar.planar_report, (3,)),
    },
    report=("status", "residual", "singular"),
    joint_names=("origin", "elbow", "tip"),
    angle_names=("first", "second"),
    remark="its angles describe the pose completely",
)

TWO_LINK = Program(
    name="two_link",
    pose=two_link.two_link_pose,
    groups={"lengths": 2, "chord_range": 2, "target": 3, "pole": 3, "origin": 3}
    | {"twist": 2, "extension": 2, "signs": 2, "aim": 3},
    flags=TwoLinkFlags,
    answers={
        "joints": Answer(two_link.two_link_joints, (3, 3)),
        "rotations": Answer(two_link.two_link_rotations, (2, 4)),
        "angles": Answer(two_link.two_link_angles, (4,)),
        "report": Answer(two_link.two_link_report, (4,)),
        "state": Answer(tracking.two_link_state, (12,)),
        "follow": Answer(tracking.two_link_follow, (19,), built_on=True),
    },
    report=("status", "residual", "singular", "stretch"),
    extra_groups={"requested_pole": 3, "turn_rate": 1, **_STATES},
    joint_names=("origin", "middle", "tip"),
    angle_names=("yaw", "roll", "first", "second"),
    remark="it has no last link with a direction of its own",
)

THREE_LINK = Program(
    name="three_link",
    pose=three_link.three_link_pose,
    groups={"lengths": 3, "chord_range": 2, "target": 3, "up": 3, "origin": 3, "hint": 3, "signs": 3, "aim": 3},
    flags=ThreeLinkFlags,
    answers={
        "joints": Answer(three_link.three_link_joints, (4, 3)),
        "rotations": Answer(three_link.three_link_rotations, (3, 4)),
        "angles": Answer(three_link.three_link_angles, (5,)),
        "report": Answer(three_link.three_link_report, (5,)),
        "limit": Answer(limits.three_link_limit, (15,), built_on=True),
        "state": Answer(tracking.three_link_state, (12,)),
        "position_state": Answer(tracking.three_link_position_state, (18,)),
        "limits_state": Answer(tracking.three_link_limits_state, (16,), built_on=True),
        "follow": Answer(tracking.three_link_follow, (19,), built_on=True),
        "follow_position": Answer(tracking.three_link_position_follow, (28,), built_on=True),
        "follow_limits": Answer(tracking.three_link_limits_follow, (26,), built_on=True),
    },
    report=("status", "residual", "up_error", "singular", "out_of_plane"),
    extra_groups={"requested_target": 3, "requested_up": 3, "limited": 1, "joint_limits": 4, "turn_rate": 1, **_STATES},
    joint_names=("origin", "knee", "ankle", "tip"),
    angle_names=("yaw", "roll", "first", "second", "last"),
    remark="its links keep their lengths",
)

FEWEST_LINKS, MOST_LINKS = 2, 64


@cache
def n_link_program(links: int) -> Program:
    """The program of chains with so many links."""
    sizes = {"lengths": links, "weights": links - 1, "lows": links - 1, "highs": links - 1, "span": 4}
    vectors = {"target": 3, "pole": 3, "origin": 3, "direction": 3}
    return Program(
        name=f"n_link_{links}",
        pose=n_link.n_link_pose,
        groups={**sizes, **vectors, "onset": 1, "signs": 2, "aim": 3},
        flags=NLinkFlags,
        answers={
            "joints": Answer(n_link.n_link_joints, (links + 1, 3)),
            "rotations": Answer(n_link.n_link_rotations, (links, 4)),
            "angles": Answer(n_link.n_link_angles, (links + 2,)),
            "report": Answer(n_link.n_link_report, (4,)),
            "state": Answer(tracking.n_link_state, (12,)),
            "follow": Answer(tracking.n_link_follow, (19,), built_on=True),
        },
        report=("status", "residual", "singular", "out_of_plane"),
        extra_groups={"requested_pole": 3, "turn_rate": 1, **_STATES},
        joint_names=("origin", *(f"joint_{k}" for k in range(1, links)), "tip"),
        angle_names=("yaw", "roll", *(f"hinge_{k}" for k in range(1, links + 1))),
        kernels=links <= KERNEL_MAX_LINKS,
        gradient_kernels=links <= 2,
        remark="its links keep their lengths",
    )


PROGRAMS = {program.name: program for program in (PLANAR, TWO_LINK, THREE_LINK)}


def program_named(name: str) -> Program:
    """The program of this name, such as "two_link" or "n_link_8"; "-" and "_" are the same.

    Raises:
        ChoiceError: where there is none.
    """
    word = name.replace("-", "_")
    if word in PROGRAMS:
        return PROGRAMS[word]
    links = word.removeprefix("n_link_")
    if links != word and links.isdecimal() and FEWEST_LINKS <= int(links) <= MOST_LINKS:
        return n_link_program(int(links))
    if name.startswith("robot_"):
        from limbik.engines.robot_programs import robot_program

        if robot := robot_program(name):
            return robot
    raise ChoiceError("program", name, (*PROGRAMS, f"n_link_{FEWEST_LINKS} to n_link_{MOST_LINKS}"))
