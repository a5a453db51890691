"""Terrain presets of the Walk tab, in sizes that suit a creature."""

from __future__ import annotations

from limbik.gait.creature import Creature

RISE, RUN = (0.17, 0.36), (0.3, 2.2)  # of stairs: at most, metres; and in multiples of the body's height
ROUGH, LUMP = 0.25, 7.0  # of rough ground: height and size of bumps, in multiples of that height


def terrain_presets(creature: Creature) -> dict[str, str]:
    """Specs by name; the first is the default."""
    height = creature.height
    rise, run = min(RISE[0], RISE[1] * height), min(RUN[0], RUN[1] * height)
    return {
        "hills": "hills",
        "rough ground": f"hills:height={ROUGH * height:.3g},size={LUMP * height:.3g},seed=1",
        "stairs": f"stairs:rise={rise:.2g},run={run:.2g}",
        "slope of 10°": "slope:10",
        "level ground": "plane",
    }
