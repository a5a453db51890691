"""Stages: tails, antennae and other parts that trail behind the motions of the body, by exact springs.

A part is at rest relative to its segment. Accelerations of the segment deflect it: between frames they are taken as
constant, for which the motion of a damped spring is known exactly.
"""

from __future__ import annotations

from math import sqrt

from limbik.formulas.operations import Real, cos, sin, where
from limbik.gait.arithmetic import fading
from limbik.gait.records import Body, Segment, Spring, SpringShape

DAMPING = 0.35  # of critical
LEVER = 0.7  # length of the lever by which the height of the body acts on parts, over the creature's height


def rest_spring(spring: Spring, shape: SpringShape, segment: Segment) -> None:
    """Writes where a part is without inertia."""
    spring.yaw, spring.pitch = segment.yaw, segment.pitch + shape.lever * segment.middle[1]


def swing_spring(spring: Spring, shape: SpringShape, segment: Segment, body: Body) -> None:
    """Reads the segment's angles and height; writes how far the part is behind them."""
    seconds, rate = body.seconds, shape.rate
    drag, wave = DAMPING * rate, sqrt(1.0 - DAMPING * DAMPING) * rate
    fade = fading(drag, seconds)
    even, slope = fade * cos(wave * seconds), fade * sin(wave * seconds) / wave
    matrix = even + drag * slope, slope, -rate * rate * slope, even - drag * slope
    yaw = _swung(matrix, rate, seconds, segment.yaw, spring.yaw, spring.yaw_rate, spring.yaw_off, spring.yaw_change)
    base = segment.pitch + shape.lever * segment.middle[1]
    pitch = _swung(matrix, rate, seconds, base, spring.pitch, spring.pitch_rate, spring.pitch_off, spring.pitch_change)
    still = body.idle
    spring.yaw, spring.yaw_rate, spring.yaw_off, spring.yaw_change = (where(still, one, 0.0) for one in yaw)
    spring.pitch, spring.pitch_rate, spring.pitch_off, spring.pitch_change = (where(still, one, 0.0) for one in pitch)


def _swung(
    matrix: tuple[Real, Real, Real, Real],
    rate: Real,
    seconds: Real,
    base: Real,
    before: Real,
    before_rate: Real,
    off: Real,
    change: Real,
) -> tuple[Real, Real, Real, Real]:
    """Base, its rate, the deflection and its rate after a step."""
    a, b, c, d = matrix
    speed = (base - before) / seconds
    rest = -((speed - before_rate) / seconds) / (rate * rate)
    gap = off - rest
    return base, speed, rest + a * gap + b * change, c * gap + d * change
