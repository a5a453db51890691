"""A creature: its trunk, its legs and its gaits, with the units of the TOML files: metres, degrees, seconds.

At rest a creature stands on level ground and faces +z, with its left side at +x.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated

from limbik.arguments import file_path, shown
from limbik.bodies.look import Look
from limbik.errors import ArgumentError, ChoiceError
from limbik.gait.creature_fields import Bounds, Metres, Name, Offset, Speed, check_fields

Pair = tuple[float, float]
Triple = tuple[float, float, float]

PRESETS = Path(__file__).parent / "presets"
DEFAULT_LOOK = Look()


@dataclass(frozen=True)
class Trunk:
    """The body of a creature: one box, or a row of boxes hinged at their ends that follow the first one.

    Attributes:
        length: length of one segment, metres.
        width: width of a segment, metres.
        thickness: height of a segment, metres.
        segments: number of segments.
        spine: "following" for segments that follow the first one, as those of a centipede; "flexible" for segments in
            line that bend with the gait, as the spine of a mammal.
    """

    length: Metres
    width: Metres
    thickness: Metres
    segments: Annotated[int, Bounds(1, 100)] = 1
    spine: Annotated[str, ("following", "flexible")] = "following"

    def __post_init__(self) -> None:
        check_fields(self, "body.")


@dataclass(frozen=True)
class Leg:
    """A leg of two or three links.

    Attributes:
        name: unique among the legs; joints are called after it.
        attachment: (x, y, z) of the hip, from the centre of its segment, metres.
        lengths: lengths of the two or three links from hip to tip, metres.
        foothold: (x, z) of the tip at rest, from the centre of its segment, metres.
        knee: direction in which the knee points: "up", "out", "forward" or "back".
        toe: direction in which the foot points: "out" or "forward".
        lean: tilt of the last of three links toward `toe`, degrees; 0 is upright on the ground.
        heel: distance from the tip back to the heel, metres; 0 for a foot without a heel.
        segment: index of the segment to which the leg belongs; 0 is the foremost.
    """

    name: Name
    attachment: Annotated[Triple, Bounds(-1e3, 1e3, "metres")]
    lengths: Annotated[tuple[float, ...], Bounds(1e-4, 1e3, "metres")]
    foothold: Annotated[Pair, Bounds(-1e3, 1e3, "metres")]
    knee: Annotated[str, ("up", "out", "forward", "back")] = "up"
    toe: Annotated[str, ("out", "forward")] = "out"
    lean: Annotated[float, Bounds(-90, 90, "degrees")] = 0.0
    heel: Annotated[float, Bounds(0, 1e3, "metres")] = 0.0
    segment: Annotated[int, Bounds(0, 99)] = 0

    def __post_init__(self) -> None:
        check_fields(self, f"leg {shown(self.name)}: ")

    def pair(self) -> tuple[Leg, Leg]:
        """The leg as the left one of a pair, and its mirror image."""
        (x, y, z), (fx, fz) = self.attachment, self.foothold
        right = replace(self, name=f"right_{self.name}", attachment=(-x, y, z), foothold=(-fx, fz))
        return replace(self, name=f"left_{self.name}"), right


@dataclass(frozen=True)
class Gait:
    """A gait, used up to its top speed.

    Attributes:
        name: unique among the gaits.
        phases: touch-down time of each leg as a fraction of the cycle, from 0 to below 1.
        duty: duty factor: fraction of the cycle during which a foot is on the ground.
        speed: top speed, m/s.
        cycle: duration of a cycle when slow and at the top speed, seconds.
        lift: height to which a foot is lifted on level ground, metres.
        bob: rise of the body when its legs are upright, metres; negative for a bouncing run.
        sway: sideways motion of the body toward the legs in stance, metres.
        rock: pitch of the body, nose up while the hind legs are in stance, degrees.
        twist: yaw of the body with the legs that reach forward, degrees.
        crouch: how much lower the body is than at rest, metres.
        strike: angle by which the toes point up at touch-down, degrees.
        push: angle by which the heel is raised at lift-off, degrees.
        drop: angle by which the side of a leg in swing is lower than the other, degrees.
        arch: bend of a flexible spine, front to middle and middle to back, while hind and front legs gather, degrees.
        lean: lean of the parts with a share in it, forward at the top speed, degrees.
    """

    name: Name
    phases: Annotated[tuple[float, ...], Bounds(0, 1)]
    duty: Annotated[float, Bounds(0.05, 0.95)]
    speed: Speed
    cycle: Annotated[Pair, Bounds(0.01, 1e3, "seconds")]
    lift: Metres
    bob: Offset = 0.0
    sway: Offset = 0.0
    rock: Annotated[float, Bounds(-45, 45, "degrees")] = 0.0
    twist: Annotated[float, Bounds(-45, 45, "degrees")] = 0.0
    crouch: Offset = 0.0
    strike: Annotated[float, Bounds(0, 60, "degrees")] = 0.0
    push: Annotated[float, Bounds(0, 80, "degrees")] = 0.0
    drop: Annotated[float, Bounds(-30, 30, "degrees")] = 0.0
    arch: Annotated[float, Bounds(-45, 45, "degrees")] = 0.0
    lean: Annotated[float, Bounds(-45, 45, "degrees")] = 0.0

    def __post_init__(self) -> None:
        check_fields(self, f"gait {shown(self.name)}: ")


@dataclass(frozen=True)
class Appendage:
    """A joint that belongs to no leg, such as a head, a tail or an arm.

    Attributes:
        name: unique among the joints.
        parent: another appendage above it in the file, "body", or "body_2" and so on for the segments behind.
        at: (x, y, z) in the frame of its parent, metres.
        leg: name of the leg with which it swings; "" for an appendage that does not swing.
        axis: axis of the swing: "x", "y" or "z".
        swing: amplitude of the swing, degrees.
        lead: how far the swing is ahead of the leg, as a fraction of a cycle.
        bend: bend about the axis of the swing, degrees: up to a walk, and at the top speed.
        lean: share in the lean of the gait, 0 to 1.
        steady: how far it stays level and ahead while its parents turn, 0 to 1.
        look: greatest angle by which it looks into a turn, degrees.
        wander: amplitude of irregular motions, degrees; a head looks about only while standing.
        breath: amplitude of breathing about x, degrees.
        spring: natural frequency with which it trails behind the motions of the body, Hz; 0 for a stiff joint.
    """

    name: Name
    parent: Name
    at: Annotated[Triple, Bounds(-1e3, 1e3, "metres")]
    leg: Annotated[str, Bounds(0, 100)] = ""
    axis: Annotated[str, ("x", "y", "z")] = "x"
    swing: Annotated[float, Bounds(-180, 180, "degrees")] = 0.0
    lead: Annotated[float, Bounds(-1, 1)] = 0.0
    bend: Annotated[Pair, Bounds(-180, 180, "degrees")] = (0.0, 0.0)
    lean: Annotated[float, Bounds(0, 1)] = 0.0
    steady: Annotated[float, Bounds(0, 1)] = 0.0
    look: Annotated[float, Bounds(0, 90, "degrees")] = 0.0
    wander: Annotated[float, Bounds(0, 90, "degrees")] = 0.0
    breath: Annotated[float, Bounds(-30, 30, "degrees")] = 0.0
    spring: Annotated[float, Bounds(0, 50, "Hz")] = 0.0

    def __post_init__(self) -> None:
        check_fields(self, f"part {shown(self.name)}: ")


@dataclass(frozen=True)
class Creature:
    """A creature that can walk.

    Attributes:
        name: name of its clips.
        body: the trunk.
        height: height of the centre of the body above the ground at rest, metres.
        legs: front to back, left before right.
        gaits: from slow to fast.
        foot: radius of the flat ground that a foot needs, metres.
        cruise: default walking speed, m/s.
        tilt: how far the body leans with the ground: 0 stays upright, 1 follows the slope.
        steepest: steepest ground on which it steps, degrees.
        turn: greatest turning rate, degrees per second.
        bank: how far it banks in a turn: 0 not at all, 1 as far as its weight demands.
        parts: head, tail, arms and other joints that belong to no leg.
        look: its colours.
    """

    name: Name
    body: Trunk
    height: Metres
    legs: Annotated[tuple[Leg, ...], Bounds(1, 256)]
    gaits: Annotated[tuple[Gait, ...], Bounds(1, 16)]
    foot: Metres
    cruise: Annotated[float, Bounds(1e-4, 1e3, "m/s")]
    tilt: Annotated[float, Bounds(0, 1)] = 1.0
    steepest: Annotated[float, Bounds(1, 80, "degrees")] = 45.0
    turn: Annotated[float, Bounds(1, 720, "degrees per second")] = 90.0
    bank: Annotated[float, Bounds(0, 1)] = 0.0
    parts: Annotated[tuple[Appendage, ...], Bounds(0, 256)] = ()
    look: Look = DEFAULT_LOOK

    def __post_init__(self) -> None:
        from limbik.gait.creature_checks import check

        check_fields(self, "")
        check(self)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Creature:
        """Reads a creature from a TOML file; docs/walking.md lists the fields.

        Args:
            path: the file.

        Returns:
            The creature.

        Raises:
            FileError: The file cannot be read, or describes no creature that can walk; the message names the field.
        """
        from limbik.gait.creature_file import read

        return read(file_path("path", path))

    @property
    def speed(self) -> float:
        """Top speed, that of the fastest gait, m/s."""
        return self.gaits[-1].speed

    @property
    def highest_step(self) -> float:
        """The greatest rise of stairs that it climbs, metres, about."""
        from limbik.gait.climbing import highest_step

        return highest_step(self)

    def gait(self, name: str) -> Gait:
        """Finds a gait by its name.

        Args:
            name: the name, such as "trot".

        Returns:
            The gait.

        Raises:
            ChoiceError: The creature has no gait of that name.
        """
        found = {gait.name: gait for gait in self.gaits}
        if not isinstance(name, str) or name not in found:
            raise ChoiceError(f"gait of the {self.name}", name, found)
        return found[name]


def preset_names() -> Sequence[str]:
    """The names of the creatures that come with limbik."""
    return sorted(path.stem for path in PRESETS.glob("*.toml"))


@cache
def _preset(name: str) -> Creature:
    return Creature.from_toml(PRESETS / f"{name}.toml")


def creature(which: str | os.PathLike[str] | Creature) -> Creature:
    """Returns a creature.

    Args:
        which: the name of a preset ("biped", "quadruped", "hexapod", "spider", "centipede"), the path of a .toml file,
            or a Creature, which is returned unchanged.

    Returns:
        The creature.

    Raises:
        ArgumentError: `which` is no preset and no .toml file.
        FileError: The file cannot be read, or describes no creature that can walk.
    """
    if isinstance(which, Creature):
        return which
    if not isinstance(which, str | os.PathLike):
        raise ArgumentError("creature", shown(which), "the name of a preset, a .toml file, or a Creature")
    text = str(which)
    if text.lower().endswith(".toml"):
        return Creature.from_toml(text)
    if text not in preset_names():
        raise ChoiceError("creature", text, [*preset_names(), "a .toml file"])
    return _preset(text)
