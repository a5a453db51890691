"""Whether the parts of a creature fit together: its legs reach the ground, and its gaits are within their reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from limbik.arguments import choice
from limbik.errors import ArgumentError
from limbik.gait.creature import Creature, Gait, Leg
from limbik.gait.joint_layout import JointLayout
from limbik.gait.leg_geometry import MIN_LEAN, hip_to_ankle, reach_of, side_of_knee
from limbik.gait.legs import COMFORTABLE

REST_FOLD = 1.02  # distance from hip to ankle at rest, over the least that the links allow
# The same at the ends of a stride, over the greatest; beyond 1 the body gives way.
STRIDE_REACH = 1.02


def check(creature: Creature) -> None:
    """Raises an ArgumentError that names the field which does not fit, and says what would."""
    for kind, items in (("legs", creature.legs), ("gaits", creature.gaits), ("parts", creature.parts)):
        _distinct(kind, (item.name for item in items))
    for leg in creature.legs:
        _leg(creature, leg)
    if creature.cruise > creature.speed:
        raise ArgumentError("cruise", creature.cruise, f"at most {creature.speed:g}, the speed of the fastest gait")
    for before, gait in zip((None, *creature.gaits), creature.gaits, strict=False):
        _gait(creature, gait, before)
    _strides(creature)
    _parts(creature)
    _distinct("joints", JointLayout(creature).names)


def _distinct(kind: str, names: Iterable[str]) -> None:
    name, times = Counter(names).most_common(1)[0] if (names := list(names)) else ("", 1)
    if times > 1:
        raise ArgumentError(f"{kind}: name", f"{name!r} twice", "a different name for each")


def _leg(creature: Creature, leg: Leg) -> None:
    place = f"leg {leg.name!r}: "
    if len(leg.lengths) not in (2, 3):
        raise ArgumentError(place + "lengths", f"{len(leg.lengths)} of them", "two or three lengths")
    if leg.segment >= creature.body.segments:
        wanted = f"less than {creature.body.segments}, the number of segments"
        raise ArgumentError(place + "segment", leg.segment, wanted)
    if leg.heel and (len(leg.lengths) != 3 or leg.toe != "forward" or leg.knee != "forward"):
        wanted = "0, or a leg of three links, of which the last is the foot, with toe and knee forward"
        raise ArgumentError(place + "heel", leg.heel, wanted)
    near, far = reach_of(leg)
    distance = float(np.linalg.norm(hip_to_ankle(leg, creature.height)))
    least, most = REST_FOLD * near, COMFORTABLE[leg.heel > 0.0] * far
    if not least <= distance <= most:
        wanted = f"a foothold that the links reach: the ankle would be {distance:.3g} m from the hip, and can be"
        wanted += f" {least:.3g} to {most:.3g} m"
        raise ArgumentError(place + "foothold", list(leg.foothold), wanted)
    if len(leg.lengths) == 3 and not leg.heel and (lean := side_of_knee(leg, creature.height)[1]) < MIN_LEAN:
        wanted = f"a last link at least {MIN_LEAN:g}° off the line from hip to tip, which decides the side of the knee;"
        raise ArgumentError(place + "lean", leg.lean, f"{wanted} this is {lean:.2g}°")


def _gait(creature: Creature, gait: Gait, before: Gait | None) -> None:
    place = f"gait {gait.name!r}: "
    if len(gait.phases) != len(creature.legs) or max(gait.phases) >= 1.0:
        names = ", ".join(leg.name for leg in creature.legs[:8]) + (", …" if len(creature.legs) > 8 else "")
        got = list(gait.phases) if len(gait.phases) <= 8 else f"{len(gait.phases)} numbers"
        raise ArgumentError(place + "phases", got, f"one for each leg ({names}), from 0 to below 1")
    slow, fast = gait.cycle
    if not 0.5 * slow <= fast <= slow:
        wanted = "seconds when slow, then seconds when fast, not longer and at least half as long"
        raise ArgumentError(place + "cycle", list(gait.cycle), wanted)
    if before and gait.speed <= before.speed:
        raise ArgumentError(place + "speed", gait.speed, f"more than {before.speed:g}, the speed of the gait before it")


def _strides(creature: Creature) -> None:
    """The legs reach both ends of a stride at the top speed of every gait."""
    gaits = creature.gaits
    half = np.array([0.5 * gait.speed * gait.cycle[1] * gait.duty for gait in gaits])
    height = np.array([creature.height - gait.crouch - max(gait.bob, 0.0) for gait in gaits])
    roll = np.array([(gait.strike, -gait.push) for gait in gaits])
    for leg in creature.legs:
        ends = hip_to_ankle(leg, height[:, None], np.stack([half, -half], axis=-1), roll)
        distance = np.linalg.norm(ends, axis=-1).max(axis=-1)
        far = reach_of(leg)[1]
        for k in np.flatnonzero(distance > STRIDE_REACH * far):
            wanted = f"a speed, a cycle and a duty whose stride the legs reach: {leg.name!r} would have to reach"
            wanted += f" {distance[k]:.3g} m from hip to ankle, and its links are {far:.3g} m long"
            raise ArgumentError(f"gait {gaits[k].name!r}: speed", gaits[k].speed, wanted)


def _parts(creature: Creature) -> None:
    known = ["body", *(f"body_{k + 1}" for k in range(1, creature.body.segments))]
    legs = [leg.name for leg in creature.legs]
    for part in creature.parts:
        choice(f"part {part.name!r}: parent", part.parent, known)
        if part.swing or part.leg:
            choice(f"part {part.name!r}: leg", part.leg, legs)
        known.append(part.name)
