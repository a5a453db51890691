"""What creatures meet that they cannot simply walk over, and commands that ask much of them; with what is measured."""

from functools import cache

import numpy as np

from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from limbik.terrains.function_terrain import Function

from .walks import ahead, stepped

# Lengths are in units of the longest leg: a wall that stops an ant would not be seen by a human.


def leg(name):
    """The length of the longest leg, metres."""
    return max(sum(one.lengths) for one in creature(name).legs)


def _block(height, low, high, base=0.0):
    """Ground at a height between two distances along z, and at another elsewhere."""
    return lambda x, z: np.where((z > low) & (z < high), height, base)


GROUNDS = {
    "wall": _block(2.0, 3.0, 9e9),
    "thin_wall": _block(2.0, 3.0, 3.1),
    "oblique_wall": lambda x, z: np.where(z + 2.0 * x > 3.0, 2.0, 0.0),
    "narrow_gap": _block(-3.0, 3.0, 3.25),
    "gap": _block(-3.0, 3.0, 4.5),
    "slits": lambda x, z: np.where((z > 2.0) & (z % 0.6 < 0.15), -1.0, 0.0),
    "ledge_up": _block(1.0, 3.0, 9e9),
    "ledge_down": _block(-1.0, 3.0, 9e9),
    "step_up": _block(0.2, 3.0, 9e9),
    "step_down": _block(-0.2, 3.0, 9e9),
    "hole": lambda x, z: np.where(np.hypot(x, z - 4.0) < 1.2, -3.0, 0.0),
    "pillar": lambda x, z: np.where(np.hypot(x - 0.1, z - 4.0) < 0.3, 3.0, 0.0),
    "island": lambda x, z: np.where(np.hypot(x, z) < 1.6, 0.0, -3.0),
    "pole": lambda x, z: np.where(np.hypot(x, z) < 0.15, 0.0, -3.0),
    "stairs_twice_its_height": lambda x, z: np.maximum(np.floor(z / 2.0), 0.0) * 2.0,
    "steps_of_half_a_leg": lambda x, z: np.maximum(np.floor((z - 1.0) / 0.8) + 1.0, 0.0) * 0.5,
    "rubble": lambda x, z: 0.12 * (np.sin(9.0 * x) * np.sin(7.0 * z) > 0.3) * (z > 1.0),
    "ridge": lambda x, z: np.where(np.abs(x) < 0.05, 0.6, 0.0) * (z > 3.0),
}


def stress_ground(kind, name):
    unit, shape = leg(name), GROUNDS[kind]
    if kind == "island":  # on which it can stand
        unit = max(unit, 0.7 * creature(name).body.segments * creature(name).body.length)
    return Function(lambda x, z: unit * shape(x / unit, z / unit))


def _restart(t, walker):
    on = t < 1.2 or (2.6 < t < 12.0) or t > 15.0
    return ahead(walker, walker.creature.cruise if on else 0.0), 0.0


def _reversal(t, walker):
    return (0.0, walker.fastest * (1.0 if t % 6.0 < 3.0 else -1.0)), 0.0


def _about_turn(t, walker):
    return (0.0, walker.fastest * (1.0 if t % 8.0 < 4.0 else -1.0)), None


def _nervous(t, walker):
    angle = np.floor(t / 0.7) * 2.4
    return (walker.creature.cruise * np.sin(angle), walker.creature.cruise * np.cos(angle)), None


COMMANDS = {"restart": _restart, "reversal": _reversal, "about_turn": _about_turn, "nervous": _nervous}


def onward(t, walker):
    """Straight ahead at the default speed, whatever is in the way."""
    return (0.0, walker.creature.cruise), 0.0


@cache
def plain(name, speed):
    """The largest movement of any joint from frame to frame in a plain walk, metres."""
    walk = stepped(Walker(name), 6.0, lambda t, w: ((0.0, speed), 0.0))
    return jump(walk)


def jump(walk):
    """The largest movement of any joint from frame to frame, metres."""
    return np.linalg.norm(np.diff(walk.joints, axis=0), axis=-1).max()


def depth(walk):
    """The greatest depth of a foot, heels and toes included, below the ground, metres."""
    return -walk.above_ground.min()


def over_ground(name, kind, seconds=30.0):
    return stepped(Walker(name, stress_ground(kind, name)), seconds, onward)


def commanded(name, kind, ground="plane", seconds=30.0):
    return stepped(Walker(name, ground), seconds, COMMANDS[kind])
