"""The options that verbs share: a limb and its target, an animation of a file, output files that already exist."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeVar

from cyclopts import Parameter

from limbik.errors import ArgumentError, LimbikError

if TYPE_CHECKING:
    from limbik.limbs.branches import Branches
    from limbik.limbs.limb import Limb
    from limbik.limbs.planar import PlanarTwoLink
    from limbik.limbs.solution import Solution
    from limbik.limbs.three_link import ThreeLink
    from limbik.limbs.two_link import TwoLink

    AnyLimb = PlanarTwoLink | TwoLink | ThreeLink

Answer = TypeVar("Answer")
Pair = tuple[float, float]
Triple = tuple[float, float, float]
Flag = Annotated[bool, Parameter(show_default=False)]
Overwrite = Annotated[Flag, Parameter(help="Replace output files that already exist.")]
Animation = Annotated[
    str | None, Parameter(help="Name or number of an animation, in a glTF file that has several (default: the first).")
]
Ground = Annotated[
    str, Parameter(help="Ground: slope:10 (degrees), stairs:rise=0.17,run=0.3, hills:height=0.3 or a file.")
]
Jobs = Annotated[
    int | None, Parameter(help="Number of clips at a time, each in its own process (default: one per core).")
]
Ray = Annotated[
    bool | str,
    Parameter(
        help="Distribute the clips with Ray: on this machine, or on the cluster at an address given here.",
        show_default=False,
    ),
]
ReportPage = Annotated[Path | None, Parameter(help="Output page with all numbers and plots, such as report.html.")]
LIMBS = {"planar": "PlanarTwoLink", "two_link": "TwoLink", "three_link": "ThreeLink"}


@dataclass(frozen=True, kw_only=True)
class LimbShape:
    """The lengths and joint limits of a limb."""

    lengths: tuple[float, ...]
    middle_limits: Pair | None = None
    """Smallest and largest bend of the middle joint: 0 is straight, half a turn is folded."""
    degrees: Flag = False
    """Angles are in degrees, in options and in answers (default: radians)."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TwoLinkShape(LimbShape):
    """The lengths and joint limits of a limb of two links."""

    lengths: Pair
    """Lengths of the links, in the unit of the target."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ThreeLinkShape(LimbShape):
    """The lengths and joint limits of a limb of three links."""

    lengths: Triple
    """Lengths of the links, in the unit of the target: hip to knee, knee to ankle, ankle to tip."""
    last_limits: Pair | None = None
    """Smallest and largest bend of the ankle: 0 is straight, positive bends the way the knee does."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlanarOptions(TwoLinkShape):
    """Two links in the plane, and their target."""

    kind: ClassVar[str] = "planar"

    target: Pair | None = None
    """Position of the tip: x y."""
    origin: Pair = (0.0, 0.0)
    """Position at which the limb is attached."""
    bend: float = 1
    """1 puts the elbow left of the ray from origin to target, -1 right of it."""


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Where a limb in space ends."""

    target: Triple | None = None
    """Position of the tip: x y z."""
    origin: Triple = (0.0, 0.0, 0.0)
    """Position at which the limb is attached."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TwoLinkOptions(Ends, TwoLinkShape):
    """Two links in space, and their target."""

    kind: ClassVar[str] = "two_link"

    pole: Triple = (0.0, 0.0, 1.0)
    """Direction in which the middle joint lies."""
    twist: float = 0.0
    """Angle by which the middle joint is turned about the line from origin to target."""
    soften: float = 1.0
    """Fraction of the limb's length at which reaching begins to ease (1: off)."""
    stretch: float = 1.0
    """Largest factor by which the links may lengthen to reach the target (1: off)."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ThreeLinkOptions(Ends, ThreeLinkShape):
    """Three links in space, their target, and the direction of the last link."""

    kind: ClassVar[str] = "three_link"

    up: Triple | None = None
    """Direction of the last link, from ankle to tip; 0 0 0 leaves it free."""
    bend: float = 1
    """1 puts the knee on up's side of the line from origin to ankle, -1 on the other side."""
    style: Literal["natural", "easy"] = "natural"
    """Natural bends all links in one plane; easy bends in the hint's plane, and the last joint turns out of it."""
    hint: Triple | None = None
    """Direction towards which the knee may lie."""
    priority: Literal["up", "position"] = "up"
    """What to keep when both cannot be met: the direction of the last link, or the position of the tip."""


LimbOptions = PlanarOptions | TwoLinkOptions | ThreeLinkOptions


def limb_of(kind: str, shape: LimbShape) -> AnyLimb:
    """The limb of a kind with these lengths and limits."""
    import limbik

    if not all(math.isfinite(length) and length > 0 for length in shape.lengths):
        raise ArgumentError("--lengths", _numbers_text(shape.lengths), "positive, finite lengths")
    limits = {"middle_limits": _range_in_radians("--middle-limits", shape.middle_limits, 0, shape.degrees)}
    if isinstance(shape, ThreeLinkShape):
        limits["last_limits"] = _range_in_radians("--last-limits", shape.last_limits, -180, shape.degrees)
    return getattr(limbik, LIMBS[kind])(*shape.lengths, **limits)


def solve_arguments(options: LimbOptions) -> dict[str, object]:
    """The arguments of `solve` that were given; target and up may be missing."""
    shape = {field.name for field in fields(ThreeLinkShape)}
    given = {field.name: getattr(options, field.name) for field in fields(options) if field.name not in shape}
    for name, value in given.items():
        numbers = value if isinstance(value, tuple) else (value,) if name == "twist" else ()
        if not all(map(math.isfinite, numbers)):
            raise ArgumentError(f"--{name}", _numbers_text(numbers), "finite numbers")
    if given.get("bend", 1) not in (1, -1):
        raise ArgumentError("--bend", f"{given['bend']:g}", "1 or -1")
    if options.degrees and "twist" in given:
        given["twist"] = math.radians(given["twist"])
    return {name: value for name, value in given.items() if value is not None}


def call(method: Callable[..., Answer], arguments: Mapping[str, object]) -> Answer:
    """What a method of any limb answers, whose arguments a type checker cannot know."""
    return method(**arguments)


def solve_target(options: LimbOptions, instead: str = "") -> tuple[AnyLimb, Solution, Callable[[], Branches]]:
    """The limb that the options describe, its answer for their one target, and a function of all answers."""
    given = solve_arguments(options)
    if "target" not in given:
        raise ArgumentError("--target", "nothing", f"the numbers of one target{instead}")
    if options.kind == "three_link" and "up" not in given:
        raise ArgumentError("--up", "nothing", "the direction of the last link, such as 0 -1 0; 0 0 0 leaves it free")
    limb = limb_of(options.kind, options)
    all_bends = {name: value for name, value in given.items() if name != "bend"}
    return limb, call(limb.solve, given), partial(call, limb.branches, all_bends)


def limb_title(kind: str, limb: Limb) -> str:
    """The kind of a limb and its lengths."""
    return f"{kind.replace('_', '-')} limb, lengths {', '.join(f'{length:g}' for length in limb.lengths)}"


def animation_of(word: str | None) -> str | int | None:
    """An animation's name, or its number where the word is one."""
    return int(word) if word is not None and word.isdecimal() and len(word) < 10 else word


def refuse_existing(path: Path | None, overwrite: bool) -> None:
    """Raises where an output file already exists, unless it may be replaced; None is no file."""
    if path is not None and not overwrite and path.exists():
        raise LimbikError(f"{path} already exists; use --overwrite to replace it")


def _numbers_text(numbers: tuple[float, ...]) -> str:
    return " ".join(f"{number:g}" for number in numbers)


def _range_in_radians(name: str, limits: Pair | None, lowest: float, degrees: bool) -> Pair | None:
    """A range in radians, from `lowest` degrees to half a turn; the error has the unit that was typed."""
    if limits is None:
        return None
    low, high = limits if degrees else map(math.degrees, limits)
    slack = 1e-3  # half a turn is typed as 3.1416, too
    if not lowest - slack <= low <= high <= 180 + slack:
        unit = "degrees" if degrees else "radians (or give --degrees)"
        bounds = (lowest, 180) if degrees else (math.radians(lowest), math.pi)
        wanted = f"from and to, {bounds[0]:.5g} <= from <= to <= {bounds[1]:.5g} {unit}"
        raise ArgumentError(name, _numbers_text(limits), wanted)
    return math.radians(max(low, lowest)), math.radians(min(high, 180))
