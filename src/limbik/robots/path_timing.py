"""When a robot is where along a path, as soon as limits on velocity and acceleration allow: time parameterisation.

The path is given by points, and its parameter s is the length of the line through them. With x = s̈ and u = ṡ², each
joint's velocity is q' √u and its acceleration q' x + q'' u; between two points x is constant, so that u is linear in s.
Limits are therefore linear in u and x: backwards from rest, the largest u at each point from which the next can be
passed; then forwards from rest, the largest x that leads there (Pham & Pham, 2018, "TOPP-RA"). What is measured in the
end are finite differences of the points in time: where they exceed a limit, which takes a path with corners, that
point's limit is tightened, and all is done again.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.robots.trajectory_files import NANOSECONDS

MIN_STEP_SECONDS = 1e-4  # between two points: faster than any controller
TIGHTENING_ROUNDS = 12
MAX_EXCESS = 1e-9  # of a limit, for rounding
LEAST_SHARE = 1e-4  # of the largest squared speed at a point: in a corner the robot would stop, and stay
STILL = 1e-12  # of a joint's share in the path: it does not move there


def shortest_times(path: Array, max_velocity: Array, max_acceleration: Array) -> Array:
    """The times (points,) at which points (points, n) are passed, from rest to rest.

    Args:
        path: the points, each away from the one before.
        max_velocity: (n,), positive; inf for none.
        max_acceleration: (n,), likewise. Where all are inf, the path is gone through as fast as velocities allow.
    """
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    if not np.isfinite(max_acceleration).any():
        durations = (np.abs(np.diff(path, axis=0)) / max_velocity).max(axis=1)
        return np.concatenate([[0.0], np.cumsum(np.maximum(durations, MIN_STEP_SECONDS))])
    if len(steps) < 2:
        return np.concatenate([[0.0], _single_step(path, max_velocity, max_acceleration)])
    allowed = np.tile(max_acceleration, (len(path), 1))
    times = np.zeros(len(path))
    for _ in range(TIGHTENING_ROUNDS):
        speeds = np.sqrt(_squared_speeds(path, steps, max_velocity, allowed))
        durations = 2.0 * steps / (speeds[:-1] + speeds[1:])
        times = np.concatenate([[0.0], np.cumsum(durations)])
        excess = (np.abs(accelerations_between_rests(times, path)) / max_acceleration).max(axis=1)
        if excess.max() <= 1.0 + MAX_EXCESS:
            break
        allowed /= np.maximum(excess, 1.0)[:, None]
    return times


def stretch_to_limits(times: Array, path: Array, max_velocity: Array, max_acceleration: Array, at_rest: bool) -> Array:
    """Times, whole nanoseconds, that are slower by one factor, as little as all limits ask; see `shortest_times`."""
    found = round_to_nanoseconds(times)
    factor = 1.0
    while (excess := _excess(found, path, max_velocity, max_acceleration, at_rest)) > 1.0:
        factor *= excess * (1.0 + MAX_EXCESS)
        found = round_to_nanoseconds(factor * times)
    return found


def _excess(times: Array, path: Array, max_velocity: Array, max_acceleration: Array, at_rest: bool) -> float:
    """By what factor times must be stretched; 1 or less where limits hold."""
    if len(path) < 2:
        return 0.0
    velocity = np.abs(np.diff(path, axis=0)) / np.diff(times)[:, None]
    measure = accelerations_between_rests if at_rest else accelerations_on_the_way
    acceleration = np.abs(measure(times, path))
    return float(max((velocity / max_velocity).max(), np.sqrt((acceleration / max_acceleration).max())))


def round_to_nanoseconds(times: Array) -> Array:
    """Times that seconds and whole nanoseconds, as ROS has them, say exactly."""
    return np.round(times * NANOSECONDS) / NANOSECONDS


# --- velocities and accelerations of points in time


def velocities_on_the_way(times: Array, path: Array) -> Array:
    """The velocities (points, n) of the parabolas through each point and its neighbours; at the ends, of the chords."""
    if len(path) < 2:
        return np.zeros_like(path)
    durations = np.diff(times)[:, None]
    chords = np.diff(path, axis=0) / durations
    before, after = durations[:-1], durations[1:]
    return np.concatenate([chords[:1], (after * chords[:-1] + before * chords[1:]) / (before + after), chords[-1:]])


def accelerations_on_the_way(times: Array, path: Array) -> Array:
    """The accelerations (points, n) of the same parabolas; at the ends, those of the neighbours."""
    if len(path) < 3:
        return np.zeros_like(path)
    durations = np.diff(times)[:, None]
    inner = 2.0 * np.diff(np.diff(path, axis=0) / durations, axis=0) / (durations[:-1] + durations[1:])
    return np.concatenate([inner[:1], inner, inner[-1:]])


def velocities_between_rests(times: Array, path: Array) -> Array:
    """The velocities, zero at the ends."""
    found = velocities_on_the_way(times, path)
    found[[0, -1]] = 0.0
    return found


def accelerations_between_rests(times: Array, path: Array) -> Array:
    """The accelerations; at the ends, the constant ones that lead from rest to the next point, and to rest."""
    found = accelerations_on_the_way(times, path)
    if len(path) > 1:
        found[0] = 2.0 * (path[1] - path[0]) / (times[1] - times[0]) ** 2
        found[-1] = 2.0 * (path[-2] - path[-1]) / (times[-1] - times[-2]) ** 2
    return found


# --- the speed along the path


def _single_step(path: Array, max_velocity: Array, max_acceleration: Array) -> Array:
    """The duration of a step from rest to rest, (1,), or (0,) for a single point."""
    way = np.abs(np.diff(path, axis=0))
    fast = way * max_acceleration > max_velocity**2  # a joint reaches its velocity on the way
    with np.errstate(invalid="ignore"):
        slow = np.where(
            fast, way / max_velocity + max_velocity / max_acceleration, 2.0 * np.sqrt(way / max_acceleration)
        )
    return np.maximum(slow.max(axis=1), MIN_STEP_SECONDS)


def _squared_speeds(path: Array, steps: Array, max_velocity: Array, allowed: Array) -> Array:
    """The squared speed u (points,) along the path. allowed: (points, n), accelerations at each point."""
    chords = np.diff(path, axis=0) / steps[:, None]
    highest = _velocity_bounds(chords, steps, max_velocity)
    ratios, bounds = _acceleration_lines(chords, steps, allowed)
    flat = _bounds_where_still(chords, steps, allowed)
    highest = np.minimum(highest, flat)
    highest[0] = highest[-1] = 0.0
    for k in range(len(steps) - 1, -1, -1):
        highest[k] = min(highest[k], _highest_before(ratios[k], bounds[k], steps[k], highest[k + 1]))
    found = np.zeros(len(path))
    for k in range(len(steps)):
        speeding = (bounds[k] - ratios[k] * found[k]).min()
        found[k + 1] = min(max(found[k] + 2.0 * steps[k] * speeding, LEAST_SHARE * highest[k + 1]), highest[k + 1])
    return found


def _velocity_bounds(chords: Array, steps: Array, max_velocity: Array) -> Array:
    """The largest u (points,) at which no joint is too fast on the way from or to a point, nor a step too short."""
    with np.errstate(divide="ignore"):
        fastest = (max_velocity / np.abs(chords)).min(axis=1)
    fastest = np.minimum(fastest, steps / MIN_STEP_SECONDS)
    return np.minimum(np.append(fastest, np.inf), np.append(np.inf, fastest)) ** 2


def _path_derivatives(chords: Array, steps: Array) -> tuple[Array, Array]:
    """The derivatives q' and q'' (points, n) of the parabolas through each point and its neighbours."""
    before, after = steps[:-1, None], steps[1:, None]
    first = np.concatenate([chords[:1], (after * chords[:-1] + before * chords[1:]) / (before + after), chords[-1:]])
    second = 2.0 * np.diff(chords, axis=0) / (before + after)
    still = np.zeros_like(chords[:1])
    return first, np.concatenate([still, second, still])


def _acceleration_lines(chords: Array, steps: Array, allowed: Array) -> tuple[Array, Array]:
    """Per step and joint, at its beginning and at its end: |x + ratio u| ≤ bound, (steps, 2 n) each."""
    first, second = _path_derivatives(chords, steps)
    slopes = np.concatenate([first[:-1], first[1:] + 2.0 * steps[:, None] * second[1:]], axis=1)
    curves = np.concatenate([second[:-1], second[1:]], axis=1)
    limits = np.concatenate([allowed[:-1], allowed[1:]], axis=1)
    moving = np.abs(slopes) > STILL
    slopes = np.where(moving, slopes, 1.0)
    return np.where(moving, curves / slopes, 0.0), np.where(moving, limits / np.abs(slopes), np.inf)


def _bounds_where_still(chords: Array, steps: Array, allowed: Array) -> Array:
    """The largest u (points,) where a joint turns back, so that x does not matter to it."""
    first, second = _path_derivatives(chords, steps)
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.where((np.abs(first) <= STILL) & (second != 0.0), allowed / np.abs(second), np.inf)
    return np.asarray(bounds.min(axis=1))


def _highest_before(ratio: Array, bound: Array, step: float, highest: float) -> float:
    """The largest u for which some x meets all limits and leads to a u of 0 to `highest` at the next point.

    Each limit is an interval of x whose ends are linear in u; all have x = 0 in common at u = 0. The largest u is the
    first at which the lower end of one meets the upper end of another.
    """
    ratios = np.append(ratio, 0.5 / step)
    lower, upper = np.append(bound, 0.0), np.append(bound, 0.5 * highest / step)
    closing = ratios[None, :] - ratios[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = np.where(closing > 0.0, (lower[:, None] + upper[None, :]) / closing, np.inf)
    return float(meets.min())
