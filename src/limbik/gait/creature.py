"""A creature: its body, its legs, and how it uses them. Lengths are metres, angles degrees, times seconds.

At rest a creature stands on level ground, faces +z, and has its left at +x.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from limbik.errors import ChoiceError

Pair = tuple[float, float]
Triple = tuple[float, float, float]

PRESETS = Path(__file__).parent / "presets"


@dataclass(frozen=True)
class Trunk:
    """The trunk: a box, or a row of boxes that follow the first one.

    length, width, thickness: of each segment, metres. segments: how many follow one another, hinged at their ends.
    """

    length: float
    width: float
    thickness: float
    segments: int = 1


@dataclass(frozen=True)
class Leg:
    """A leg of two or three links.

    attachment: (x, y, z) of the hip, from the middle of its segment. lengths: of the links, hip to tip.
    foothold: (x, z) where the tip stands at rest, from the middle of its segment.
    knee: where the knee goes, "up", "out", "forward" or "back".
    toe: where the foot points, "out" or "forward". lean: degrees by which the last of three links is tilted toward
    there from standing upright on the ground. heel: metres from the tip back to a heel; 0 for none.
    segment: the one that the leg belongs to; 0 is the foremost.
    """

    name: str
    attachment: Triple
    lengths: tuple[float, ...]
    foothold: Pair
    knee: str = "up"
    toe: str = "out"
    lean: float = 0.0
    heel: float = 0.0
    segment: int = 0

    def pair(self) -> tuple[Leg, Leg]:
        """The leg as the left one of two, and its mirror image."""
        (x, y, z), (fx, fz) = self.attachment, self.foothold
        right = replace(self, name=f"right_{self.name}", attachment=(-x, y, z), foothold=(-fx, fz))
        return replace(self, name=f"left_{self.name}"), right


@dataclass(frozen=True)
class Gait:
    """How the legs take turns, up to some speed.

    phases: for each leg, when it touches down, as a fraction of the cycle. duty: the fraction of the cycle during which
    a foot is on the ground. speed: the fastest, m/s. cycle: seconds that one takes when slow, and at the fastest.
    lift: metres by which a foot is lifted on level ground.
    bob: metres that the body rises while its legs are upright, and sinks between; negative for a bouncing run.
    sway: metres to the side of the legs that stand. rock: degrees nose up while the hind legs stand. twist: degrees
    that the body turns with the legs that reach ahead. crouch: metres by which the body is lower than at rest.
    strike, push: degrees by which a foot is turned up when it touches down, and down when it leaves the ground.
    """

    name: str
    phases: tuple[float, ...]
    duty: float
    speed: float
    cycle: Pair
    lift: float
    bob: float = 0.0
    sway: float = 0.0
    rock: float = 0.0
    twist: float = 0.0
    crouch: float = 0.0
    strike: float = 0.0
    push: float = 0.0


@dataclass(frozen=True)
class Appendage:
    """A joint that no leg needs, such as a head, a tail or an arm.

    parent: a part, or "body", or "body_2" and so on for the segments behind. at: (x, y, z) in its parent's frame.
    leg: the one it swings with, about `axis` ("x", "y" or "z") by `swing` degrees, `lead` of a cycle ahead of it.
    """

    name: str
    parent: str
    at: Triple
    leg: str = ""
    axis: str = "x"
    swing: float = 0.0
    lead: float = 0.0


@dataclass(frozen=True)
class Creature:
    """What walks.

    height: from the ground to the middle of the body at rest. foot: radius of the ground that a foot needs. cruise: m/s
    that it walks unless told.
    tilt: how far the body leans with the ground, 0 for upright, 1 for all the way. steepest: degrees of the ground that
    it steps on. turn: degrees a second that it turns at most. gaits: slow ones first.
    """

    name: str
    body: Trunk
    height: float
    legs: tuple[Leg, ...]
    gaits: tuple[Gait, ...]
    foot: float
    cruise: float
    tilt: float = 1.0
    steepest: float = 45.0
    turn: float = 90.0
    parts: tuple[Appendage, ...] = field(default=())

    def __post_init__(self) -> None:
        from limbik.gait.creature_checks import check

        check(self)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Creature:
        """A creature from a file; the presets are files of the same kind."""
        from limbik.gait.creature_file import read

        return read(Path(path))

    @property
    def speed(self) -> float:
        """The fastest that it walks, m/s."""
        return self.gaits[-1].speed

    def gait(self, name: str) -> int:
        """The number of a gait, by its name."""
        names = [gait.name for gait in self.gaits]
        if name not in names:
            raise ChoiceError(f"gait of a {self.name}", name, names)
        return names.index(name)


def names() -> Sequence[str]:
    """The creatures that come with limbik."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


@cache
def _preset(name: str) -> Creature:
    return Creature.from_toml(PRESETS / f"{name}.toml")


def creature(which: str | os.PathLike[str] | Creature) -> Creature:
    """A creature by its name, or from a .toml file; a Creature is given back as it is."""
    if isinstance(which, Creature):
        return which
    text = os.fspath(which)
    if text.lower().endswith(".toml"):
        return Creature.from_toml(text)
    if text not in names():
        raise ChoiceError("creature", text, [*names(), "a .toml file"])
    return _preset(text)
