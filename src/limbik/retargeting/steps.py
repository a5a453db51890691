"""When the feet of a figure stand: as the source's do, as far as they are long enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.motion import Motion, Stepping, read_motion
from limbik.grounding.plants import Plant
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smooth
from limbik.retargeting.body_path import heights_of_soles
from limbik.retargeting.transfer import Transfer
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose

MIN_SHARE_ON_FLOOR = 0.67  # of the time that feet stand: a floor
MAX_PLANT_HEIGHT_LEG_LENGTHS = 0.08  # above a floor: a foot that rests higher does not stand
TIP_FADE_SECONDS = 0.1  # half the width of the window over which a foot tips as it will stand, or has stood
MAX_HELD_RISE_LEG_LENGTHS = 0.015  # that a ball would rise if it were not held: one that would rise higher lets go


def read_steps(transfer: Transfer, source: Clip) -> Stepping:
    """When the source's feet stand, and the shapes of the target's."""
    skipped = int(begins_with_stray_pose(source))
    limbs = [transfer.source.parts.limbs[name] for name in transfer.feet]
    motion = read_motion(source[skipped:].with_(feet=(), contacts=None), limbs, Settings(), 0.0)
    shapes = tuple(transfer.target.feet[name] for name in transfer.feet)
    return Stepping(shapes, _plants_on_floor(motion), motion.support, skipped)


def _plants_on_floor(motion: Motion) -> list[list[Plant]]:
    """The plants of a motion, without those in the air, as of a dancer's free foot, where most are on a level floor."""
    heights = heights_of_soles(
        motion.world, motion.clip.rotations, {str(k): foot for k, foot in enumerate(motion.feet)}
    )
    found = [
        [(one, float(np.median(heights[one.first : one.stop, k])) / motion.leg) for one in plants]
        for k, plants in enumerate(motion.plants)
    ]
    lasting = sum(one.stop - one.first for plants in found for one, _ in plants)
    level = sum(
        one.stop - one.first for plants in found for one, height in plants if abs(height) < MAX_PLANT_HEIGHT_LEG_LENGTHS
    )
    if level < MIN_SHARE_ON_FLOOR * lasting:
        return motion.plants
    return [[one for one, height in plants if height < MAX_PLANT_HEIGHT_LEG_LENGTHS] for plants in found]


def release_early(stepping: Stepping, moved: Clip) -> Stepping:
    """The plants of feet that are too short to stay as long: they end when the ball would rise, as legs point."""
    world = moved[stepping.skipped :].world()
    heights = [shape.ball_positions(*world)[:, 1] - shape.sole for shape in stepping.shapes]
    plants = [
        [_release(plant, height, MAX_HELD_RISE_LEG_LENGTHS * shape.leg) for plant in some]
        for some, height, shape in zip(stepping.plants, heights, stepping.shapes, strict=True)
    ]
    return replace(stepping, plants=plants)


def _release(plant: Plant, heights: Array, most: float) -> Plant:
    """A plant that ends when its ball, at heights (frames,), is by `most` higher than while its heel stood."""
    if plant.rise <= plant.ball:
        return plant
    level = float(np.median(heights[plant.ball : max(plant.lift, plant.ball + 1)]))
    low = np.flatnonzero(heights[plant.lift : plant.rise] < level + most)
    rise = max(plant.lift + (int(low[-1]) + 1 if len(low) else 0), plant.ball + 1)
    return replace(plant, rise=rise, stop=min(plant.stop, rise + plant.stop - plant.rise))


def standing_feet(transfer: Transfer, stepping: Stepping, source: Clip) -> dict[str, Array]:
    """How far each foot stands on any part of it, (frames,) from 0 to 1, by the name of its limb."""
    found = {}
    for name, plants in zip(transfer.feet, stepping.plants, strict=True):
        stands = np.zeros(len(source))
        for plant in plants:
            stands[plant.first + stepping.skipped : plant.stop + stepping.skipped] = 1.0
        found[name] = smooth(stands, round(TIP_FADE_SECONDS * source.fps))
    return found


def standing_balls(stepping: Stepping, frames: int) -> Array:
    """When balls of feet stand, (frames, feet) bool; of feet that are points, when the source's heels stand as well."""
    stands = np.zeros((frames, len(stepping.plants)), bool)
    for k, (shape, plants) in enumerate(zip(stepping.shapes, stepping.plants, strict=True)):
        for plant in plants:
            first, stop = (plant.down, plant.lift) if shape.pointlike else (plant.ball, plant.rise)
            stands[first + stepping.skipped : stop + stepping.skipped, k] = True
    return stands
