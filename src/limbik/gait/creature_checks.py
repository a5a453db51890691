"""Whether a creature can stand and walk: what is wrong with it is told by the name of the field."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

import numpy as np

from limbik.errors import ArgumentError, ChoiceError
from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk
from limbik.gait.leg_geometry import LEAST, hip_to_ankle, reach_of, side_of_knee
from limbik.gait.leg_reach import EASY

KNEES, TOES, AXES = ("up", "out", "forward", "back"), ("out", "forward"), ("x", "y", "z")
POSITIVE, ANY = (1e-4, 1e3), (-1e3, 1e3)
RANGES: dict[type, dict[str, tuple[float, float]]] = {
    Creature: {
        "height": POSITIVE,
        "foot": POSITIVE,
        "cruise": POSITIVE,
        "tilt": (0.0, 1.0),
        "steepest": (1.0, 80.0),
        "turn": (1.0, 720.0),
    },
    Trunk: {"length": POSITIVE, "width": POSITIVE, "thickness": POSITIVE, "segments": (1, 100)},
    Leg: {"lean": (-90.0, 90.0), "heel": (0.0, 1e3), "segment": (0, 99)},
    Gait: {
        "duty": (0.05, 0.95),
        "speed": (1e-3, 1e3),
        "lift": POSITIVE,
        "bob": ANY,
        "sway": ANY,
        "rock": (-45.0, 45.0),
        "twist": (-45.0, 45.0),
        "crouch": ANY,
        "strike": (0.0, 60.0),
        "push": (0.0, 80.0),
    },
    Appendage: {"swing": (-180.0, 180.0), "lead": (-1.0, 1.0)},
}
VECTORS: dict[type, dict[str, int]] = {Leg: {"attachment": 3, "foothold": 2}, Gait: {"cycle": 2}, Appendage: {"at": 3}}
# How far a leg may be folded and stretched at rest; and how far beyond its length a stride may ask it to reach, which
# the body gives way for.
STANDING, STRIDING = (1.02, EASY), 1.02


def check(creature: Creature) -> None:
    """Raises an ArgumentError that names the field and says what would be right."""
    _numbers(creature, "")
    _numbers(creature.body, "body.")
    for kind, items in (("legs", creature.legs), ("gaits", creature.gaits), ("parts", creature.parts)):
        for item in items:
            _numbers(item, f"{kind} {item.name!r}: ")
        _different(kind, [item.name for item in items])
    for kind, items in (("legs", creature.legs), ("gaits", creature.gaits)):
        if not items:
            raise ArgumentError(kind, "none", "at least one")
    for leg in creature.legs:
        _leg(creature, leg)
    if creature.cruise > creature.speed:
        raise ArgumentError("cruise", creature.cruise, f"at most {creature.speed:g}, the speed of the fastest gait")
    for before, gait in zip((None, *creature.gaits), creature.gaits, strict=False):
        _gait(creature, gait, before)
    _parts(creature)


def _numbers(item: Any, place: str) -> None:
    for name, (low, high) in RANGES[type(item)].items():
        _number(place + name, getattr(item, name), low, high)
    for name, size in VECTORS.get(type(item), {}).items():
        _vector(place + name, getattr(item, name), size)


def _number(place: str, value: Any, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not (isfinite(value) and low <= value <= high):
        raise ArgumentError(place, repr(value), f"a number from {low:g} to {high:g}")


def _vector(place: str, value: Any, size: int | None = None) -> None:
    if not isinstance(value, tuple) or (size is not None and len(value) != size):
        raise ArgumentError(place, repr(value), f"{size or 'some'} numbers")
    for part in value:
        _number(place, part, *ANY)


def _different(kind: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ArgumentError(f"{kind}: name", repr(name) + " twice", "a name of its own for each")


def _choice(place: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise ChoiceError(place, value, choices)


def _leg(creature: Creature, leg: Leg) -> None:
    place = f"legs {leg.name!r}: "
    _vector(place + "lengths", leg.lengths)
    if len(leg.lengths) not in (2, 3) or min(leg.lengths) < POSITIVE[0]:
        raise ArgumentError(place + "lengths", list(leg.lengths), "two or three lengths, each more than 0")
    _choice(place + "knee", leg.knee, KNEES)
    _choice(place + "toe", leg.toe, TOES)
    if leg.segment >= creature.body.segments:
        raise ArgumentError(place + "segment", leg.segment, f"below {creature.body.segments}, as the body has")
    if leg.heel and (len(leg.lengths) != 3 or leg.toe != "forward" or leg.knee != "forward"):
        wanted = "0, or a leg of three links, of which the last is a foot, with toe and knee forward"
        raise ArgumentError(place + "heel", leg.heel, wanted)
    near, far = reach_of(leg)
    distance = float(np.linalg.norm(hip_to_ankle(leg, creature.height)))
    if not STANDING[0] * near <= distance <= STANDING[1] * far:
        wanted = f"one that its links reach: the ankle would be {distance:.3g} from the hip, and may be"
        wanted += f" {STANDING[0] * near:.3g} to {STANDING[1] * far:.3g}"
        raise ArgumentError(place + "foothold", list(leg.foothold), wanted)
    if len(leg.lengths) == 3 and not leg.heel and (lean := side_of_knee(leg, creature.height)[1]) < LEAST:
        wanted = f"a last link at least {LEAST:g}° off the line from hip to tip, so that the knee has a side; this is"
        raise ArgumentError(place + "lean", leg.lean, f"{wanted} {lean:.2g}°")


def _gait(creature: Creature, gait: Gait, before: Gait | None) -> None:
    place = f"gaits {gait.name!r}: "
    _vector(place + "phases", gait.phases)
    if len(gait.phases) != len(creature.legs) or not all(0.0 <= phase < 1.0 for phase in gait.phases):
        names = ", ".join(leg.name for leg in creature.legs)
        raise ArgumentError(place + "phases", list(gait.phases), f"one for each leg, from 0 to below 1: {names}")
    slow, fast = gait.cycle
    if not 0.01 <= 0.5 * slow <= fast <= slow:
        raise ArgumentError(place + "cycle", list(gait.cycle), "seconds when slow, and when fast: half of that or more")
    if before and gait.speed <= before.speed:
        raise ArgumentError(place + "speed", gait.speed, f"more than {before.speed:g}, that of the gait before it")
    _stride(creature, gait, place)


def _stride(creature: Creature, gait: Gait, place: str) -> None:
    half = 0.5 * gait.speed * gait.cycle[1] * gait.duty
    height = creature.height - gait.crouch - max(gait.bob, 0.0)
    for leg in creature.legs:
        ends = ((half, gait.strike), (-half, -gait.push))
        asked = max(float(np.linalg.norm(hip_to_ankle(leg, height, ahead, roll))) for ahead, roll in ends)
        if asked > STRIDING * reach_of(leg)[1]:
            wanted = f"a speed, a cycle and a duty with a stride that its legs reach: {leg.name!r} would have to reach"
            wanted += f" {asked:.3g} from hip to ankle, and its links are {reach_of(leg)[1]:.3g}"
            raise ArgumentError(place + "speed", gait.speed, wanted)


def _parts(creature: Creature) -> None:
    known = ["body", *(f"body_{k + 1}" for k in range(1, creature.body.segments))]
    legs = [leg.name for leg in creature.legs]
    for part in creature.parts:
        place = f"parts {part.name!r}: "
        _choice(place + "parent", part.parent, known)
        _choice(place + "axis", part.axis, AXES)
        if part.swing or part.leg:
            _choice(place + "leg", part.leg, legs)
        known.append(part.name)
