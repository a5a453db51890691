"""What a creature climbs: the highest step of stairs, and stairs in a size that suits it."""

from __future__ import annotations

from limbik.gait.creature import Creature
from limbik.gait.footholds import STEP
from limbik.gait.ground_ahead import BELLY
from limbik.terrains.base import Terrain
from limbik.terrains.planes import Slope
from limbik.terrains.specs import TerrainLike, as_terrain
from limbik.terrains.stairs import Stairs

# Over the length of the shortest leg:
STEP_ON_TWO_LEGS = 0.22  # of a flight: a single step may be higher
RISE = 0.165  # people's legs are 1.03 m long and their stairs 0.17 m by 0.3 m
RUN, RUN_ON_TWO_LEGS = 0.5, 0.29  # more legs stand on several treads at once
MOST_OF_STEP = 0.75  # of the highest that it climbs
TREAD = 2.4  # least run over the radius of a foot
STEPS = 8


def highest_step(creature: Creature) -> float:
    """The greatest rise of stairs that a creature climbs, metres, about."""
    leg, front, feet = _measures(creature)
    step = leg * (STEP if len(creature.legs) > 2 else STEP_ON_TWO_LEGS)
    # A body that is ahead of its front feet must clear the edge before they stand on the tread.
    clearance = BELLY * (creature.height - 0.5 * creature.body.thickness)
    return min(step, clearance) if front > feet else step


def ground_for(creature: Creature, terrain: TerrainLike) -> Terrain:
    """What `as_terrain` returns; but "stairs" without options is a flight in a size that suits the creature."""
    if not (isinstance(terrain, str) and terrain.strip() == Stairs.kind):
        return as_terrain(terrain)
    leg, front, feet = _measures(creature)
    rise = min(RISE * leg, MOST_OF_STEP * highest_step(creature))
    run = max(leg * (RUN if len(creature.legs) > 2 else RUN_ON_TWO_LEGS), TREAD * creature.foot)
    return Stairs(_round(rise), _round(run), start=_round(max(front, feet) + leg), steps=STEPS)


def what_blocks(creature: Creature, terrain: Terrain) -> str:
    """A sentence about ground that a creature cannot cross, and what it climbs."""
    what, step = "the ground ahead", creature.highest_step
    if isinstance(terrain, Stairs):
        what, step = f"stairs of {abs(terrain.rise):g} m", min(step, 0.9 * abs(terrain.rise))
    elif isinstance(terrain, Slope):
        what = f"a slope of {abs(terrain.degrees):g}°"
    climbs = f"steps of up to about {step:.2g} m and slopes of up to {creature.steepest:g}°"
    return f"Blocked by {what}; the {creature.name} climbs {climbs}."


def _measures(creature: Creature) -> tuple[float, float, float]:
    """The length of the shortest leg, and how far ahead of the body's centre it and the front feet reach, metres."""
    body, legs = creature.body, creature.legs
    if body.spine == "following":  # the centre is the first segment's, whose legs lead
        foremost = min(leg.segment for leg in legs)
        legs, middle = [leg for leg in legs if leg.segment == foremost], 0.0
    else:
        middle = 0.5 * (body.segments - 1)
    feet = max(leg.foothold[1] + (middle - leg.segment) * body.length for leg in legs)
    return min(sum(leg.lengths) for leg in legs), (middle + 0.5) * body.length, feet


def _round(metres: float) -> float:
    """Two significant digits, which are easy to read in a spec."""
    return float(f"{metres:.2g}")
