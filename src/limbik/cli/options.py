"""The options that verbs share: what limb, what target, how to show the answer; which animation of a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from cyclopts import Parameter

from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.limbs.planar import PlanarTwoLink
    from limbik.limbs.three_link import ThreeLink
    from limbik.limbs.two_link import TwoLink

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Flag = Annotated[bool, Parameter(show_default=False)]
Animation = Annotated[
    str | None, Parameter(help="The name of an animation, or its number, of a glTF file that has several.")
]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlanarOptions:
    """Two links in the plane, and their target."""

    kind: ClassVar[str] = "planar"

    lengths: Pair
    """The links' lengths."""
    target: Pair | None = None
    """Where the tip goes."""
    origin: Pair = (0.0, 0.0)
    """Where the limb is attached."""
    bend: float = 1
    """1 puts the elbow left of the ray from origin to target, -1 right of it."""
    middle_limits: Pair | None = None
    """The range of the elbow's bend: 0 is straight, half a turn is folded."""

    def limb(self, degrees: bool) -> PlanarTwoLink:
        """The limb that is asked for."""
        from limbik.limbs.planar import PlanarTwoLink

        return PlanarTwoLink(*_lengths(self.lengths), middle_limits=_middle(self.middle_limits, degrees))

    def arguments(self, degrees: bool) -> dict[str, Any]:
        """What `solve` is to be given, the target aside."""
        return {"origin": _finite("--origin", self.origin), "bend": _side(self.bend)}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TwoLinkOptions:
    """Two links in space, and their target."""

    kind: ClassVar[str] = "two_link"

    lengths: Pair
    """The links' lengths."""
    target: Triple | None = None
    """Where the tip goes."""
    pole: Triple = (0.0, 0.0, 1.0)
    """The direction in which the middle joint lies."""
    origin: Triple = (0.0, 0.0, 0.0)
    """Where the limb is attached."""
    twist: float = 0.0
    """Turns the middle joint about the line from origin to target."""
    soften: float = 1.0
    """The fraction of the limb's length at which reaching begins to ease; 1 for not at all."""
    stretch: float = 1.0
    """The greatest factor by which the links may lengthen to reach; 1 for not at all."""
    middle_limits: Pair | None = None
    """The range of the middle joint's bend: 0 is straight, half a turn is folded."""

    def limb(self, degrees: bool) -> TwoLink:
        """The limb that is asked for."""
        from limbik.limbs.two_link import TwoLink

        return TwoLink(*_lengths(self.lengths), middle_limits=_middle(self.middle_limits, degrees))

    def arguments(self, degrees: bool) -> dict[str, Any]:
        """What `solve` is to be given, the target aside."""
        (twist,) = _finite("--twist", (self.twist,))
        return {
            "pole": _finite("--pole", self.pole),
            "origin": _finite("--origin", self.origin),
            "twist": math.radians(twist) if degrees else twist,
            "soften": self.soften,
            "stretch": self.stretch,
        }


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ThreeLinkOptions:
    """Three links in space, their target, and the direction of the last link."""

    kind: ClassVar[str] = "three_link"

    lengths: Triple
    """The links' lengths: hip to knee, knee to ankle, ankle to tip."""
    target: Triple | None = None
    """Where the tip goes."""
    up: Triple | None = None
    """The direction of the last link, from ankle to tip; 0 0 0 asks for none."""
    origin: Triple = (0.0, 0.0, 0.0)
    """Where the limb is attached."""
    bend: float = 1
    """1 puts the knee on up's side of the line from origin to ankle, -1 on the other."""
    style: Literal["natural", "easy"] = "natural"
    """Natural bends all links in one plane; easy bends in the hint's plane, and the last joint turns out of it."""
    hint: Triple | None = None
    """A direction towards which the knee may lie."""
    priority: Literal["up", "position"] = "up"
    """Which to keep where both cannot be had: the last link's direction, or the tip's position."""
    middle_limits: Pair | None = None
    """The range of the knee's bend: 0 is straight, half a turn is folded."""
    last_limits: Pair | None = None
    """The range of the last joint's bend: 0 is straight, positive the way the knee bends."""

    def limb(self, degrees: bool) -> ThreeLink:
        """The limb that is asked for."""
        from limbik.limbs.three_link import ThreeLink

        return ThreeLink(
            *_lengths(self.lengths),
            middle_limits=_middle(self.middle_limits, degrees),
            last_limits=_range("--last-limits", self.last_limits, -180, 180, degrees),
        )

    def arguments(self, degrees: bool) -> dict[str, Any]:
        """What `solve` is to be given, the target aside; `up` only where it was."""
        given = {
            "origin": _finite("--origin", self.origin),
            "bend": _side(self.bend),
            "style": self.style,
            "hint": None if self.hint is None else _finite("--hint", self.hint),
            "priority": self.priority,
        }
        return given if self.up is None else {"up": _finite("--up", self.up), **given}


LimbOptions = PlanarOptions | TwoLinkOptions | ThreeLinkOptions


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """How angles are read and answers are shown."""

    degrees: Flag = False
    """Read and print angles in degrees (default: radians)."""
    as_json: Annotated[Flag, Parameter(name="--json")] = False
    """Print one JSON object."""
    every: Annotated[Flag, Parameter(name="--all")] = False
    """Print every solution, not only the one for the given bend."""


@Parameter(name="*", group="Files of targets")
@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """A file of targets in place of one, and where the answers go."""

    targets: Path | None = None
    """A .csv with a header, .jsonl or .npy, in place of --target: columns x, y (and z), and those options that differ
    from row to row, as origin_x, origin_y, ..., bend."""
    out: Path | None = None
    """The file to write: .csv, .jsonl or .npy."""
    columns: str | None = None
    """What to write besides the status: angles, joints, rotations, separated by commas (default: angles,joints)."""
    overwrite: Flag = False
    """Replace the output file if it already exists."""


def animation_of(word: str | None) -> str | int | None:
    """An animation's name, or its number where the word is one."""
    return int(word) if word is not None and word.isdecimal() and len(word) < 10 else word


def target_of(options: LimbOptions) -> tuple[float, ...]:
    """The one target that is asked for."""
    if options.target is None:
        raise ArgumentError("--target", "nothing", "the numbers of one target")
    return _finite("--target", options.target)


def solve_arguments(options: LimbOptions, degrees: bool) -> dict[str, Any]:
    """Everything that `solve` is to be given for one target."""
    given = options.arguments(degrees)
    if isinstance(options, ThreeLinkOptions) and "up" not in given:
        raise ArgumentError("--up", "nothing", "the direction of the last link, such as 0 -1 0; 0 0 0 asks for none")
    return {"target": target_of(options), **given}


def branch_arguments(options: LimbOptions, degrees: bool) -> dict[str, Any]:
    """Everything that `branches` is to be given: as for `solve`, less the bend, for it gives both."""
    given = solve_arguments(options, degrees)
    given.pop("bend", None)
    return given


def _finite(name: str, numbers: tuple[float, ...]) -> tuple[float, ...]:
    if not all(map(math.isfinite, numbers)):
        raise ArgumentError(name, " ".join(f"{number:g}" for number in numbers), "finite numbers")
    return numbers


def _lengths(lengths: tuple[float, ...]) -> tuple[float, ...]:
    if not all(math.isfinite(length) and length > 0 for length in lengths):
        raise ArgumentError("--lengths", " ".join(f"{one:g}" for one in lengths), "positive, finite lengths")
    return lengths


def _side(bend: float) -> int:
    if bend not in (1, -1):
        raise ArgumentError("--bend", f"{bend:g}", "1 or -1")
    return int(bend)


def _middle(limits: Pair | None, degrees: bool) -> Pair | None:
    return _range("--middle-limits", limits, 0, 180, degrees)


def _range(name: str, limits: Pair | None, lowest: float, highest: float, degrees: bool) -> Pair | None:
    """A range in radians; it is told in the unit that was typed when it is wrong."""
    if limits is None:
        return None
    low, high = limits if degrees else map(math.degrees, limits)
    slack = 1e-3  # half a turn is typed as 3.1416, too
    if not lowest - slack <= low <= high <= highest + slack:
        bounds = (lowest, highest) if degrees else (math.radians(lowest), math.radians(highest))
        unit = "degrees" if degrees else "radians (or give --degrees)"
        wanted = f"from and to, {bounds[0]:.5g} <= from <= to <= {bounds[1]:.5g} {unit}"
        raise ArgumentError(name, f"{limits[0]:g} {limits[1]:g}", wanted)
    return math.radians(max(low, lowest)), math.radians(min(high, highest))
