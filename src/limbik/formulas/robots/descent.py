"""One step of a descent: of a chain of screws, within the joints' limits, towards a target.

With the errors e of position and rotation and the Jacobian J, both in the units of a measure, a step solves

    (J W Jᵀ + ¾ eᵀe I) y = e − J W p,    change = W (p + Jᵀ y),

where W is diagonal: 0 for a joint that rests on a limit. Damping by the squared error (Sugihara 2011) leads to the
nearest pose where the target is out of reach, and vanishes where it is reached: convergence is quadratic there. Joints
that leave no choice need no pull p; of redundant ones, p draws the part of the motion that does not move the tip
towards angles to which the answer shall be near. Limits are handled as in an active-set method: a joint that a step
takes beyond a limit rests on it in the next one, and leaves it when the step that it would make leads inside.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from limbik.formulas.operations import EPSILON, Quaternion, Real, Vector, absolute, maximum, minimum, sqrt, where
from limbik.formulas.robots.screw_chain import SLIDE, ChainPose, chain_pose, jacobian_rows, rotation_between
from limbik.formulas.robots.subproblems import subtract
from limbik.formulas.vectors import scale

DAMPING = 0.75  # of the squared error: with less, steps to the nearest pose of a target out of reach go to and fro
MAX_JOINT_STEP = 0.6  # radians, or limb lengths of a slide, by which a step moves a joint
LEAST_PIVOT = 256.0  # epsilons of the diagonal: what is left of a row that depends on others is rounding
PULL_ERROR = 1e-4  # the squared error at which half of the pull is left: it must not keep the tip from its target


@dataclass(frozen=True)
class Geometry:
    """The screws of a chain and its tip at zero; `kinds` has a letter for each joint."""

    kinds: str
    axes: Sequence[Real]
    points: Sequence[Real]
    tip: Sequence[Real]


def descent_step(
    geometry: Geometry,
    position: Vector,
    rotation: Quaternion,
    near: Sequence[Real],
    lower: Sequence[Real],
    upper: Sequence[Real],
    measure: Sequence[Real],
    descent: Sequence[Real],
    oriented: bool,
) -> tuple[Real, ...]:
    """The state after a step, from the state `descent`: the joints' angles, and for each joint on which limit it rests.

    That is −1 for the lower limit, 1 for the upper one, and 0 for none. `measure` has what a metre and a radian of the
    tip count, and how much of the pull there is, from 0 to 1.
    """
    kinds = geometry.kinds
    angles, rests = descent[: len(kinds)], descent[len(kinds) :]
    chain = chain_pose(kinds, geometry.axes, geometry.points, geometry.tip, angles)
    per_metre, per_radian, pull = measure
    errors = _errors(chain, position, rotation, per_metre, per_radian, oriented)
    damping = DAMPING * _product(errors, errors)
    # Slides move in limb lengths, so that a joint's unit is of the size of a radian.
    slides = [kind == SLIDE for kind in kinds]
    units = [1.0 / per_metre if slide else 1.0 for slide in slides]
    jacobian = jacobian_rows(chain)[: len(errors)]
    rows = [
        [unit * (part * (per_metre if k < 3 else per_radian)) for unit, part in zip(units, row, strict=True)]
        for k, row in enumerate(jacobian)
    ]
    free = [where(rest == 0.0, 1.0, 0.0) for rest in rests]
    moving = [[part * one for part, one in zip(row, free, strict=True)] for row in rows]
    pulls: list[Real] = [0.0] * len(units)
    if len(units) > len(rows):
        share = pull * PULL_ERROR / (PULL_ERROR + damping)
        pulls = [share * (goal - angle) for goal, angle in zip(near, angles, strict=True)]
        pulls = [per_metre * one if slide else one for one, slide in zip(pulls, slides, strict=True)]
        errors = [error - _product(row, pulls) for error, row in zip(errors, moving, strict=True)]
    weights = _solve_normal_equations(moving, rows, errors, damping)
    steps = [one + _product([row[k] for row in rows], weights) for k, one in enumerate(pulls)]
    longest: Real = MAX_JOINT_STEP
    for step, one in zip(steps, free, strict=True):
        longest = maximum(longest, absolute(one * step))
    share = where(longest - longest == 0.0, MAX_JOINT_STEP / longest, 0.0)
    changes = [share * unit * step for unit, step in zip(units, steps, strict=True)]
    return _move_within_limits(angles, rests, changes, lower, upper)


def _errors(
    chain: ChainPose, position: Vector, rotation: Quaternion, per_metre: Real, per_radian: Real, oriented: bool
) -> list[Real]:
    """What separates the tip from its target, in the units of the measure: of a rotation, twice the sine of half."""
    errors: list[Real] = [*scale(per_metre, subtract(position, chain.position))]
    if oriented:
        x, y, z, w = rotation_between(chain.rotation, rotation)
        side = where(w < 0.0, -2.0, 2.0) / sqrt(x * x + y * y + z * z + w * w)
        errors += scale(side * per_radian, (x, y, z))
    return errors


def _product(row: Sequence[Real], column: Sequence[Real]) -> Real:
    total = row[0] * column[0]
    for a, b in zip(row[1:], column[1:], strict=True):
        total = a * b + total
    return total


def _solve_normal_equations(
    moving: list[list[Real]], rows: list[list[Real]], right: Sequence[Real], damping: Real
) -> list[Real]:
    """The weights of rows that solve (moving · rowsᵀ + damping) weights = right, by Cholesky's factorisation."""
    size = len(rows)
    lower: list[list[Real]] = []
    inverse: list[Real] = []
    forward: list[Real] = []
    for i in range(size):
        line: list[Real] = []
        for j in range(i):
            total = _product(moving[i], rows[j])
            for k in range(j):
                total = total - line[k] * lower[j][k]
            line.append(total * inverse[j])
        total = _product(moving[i], rows[i]) + damping
        least = LEAST_PIVOT * EPSILON * total + EPSILON * EPSILON
        for one in line:
            total = total - one * one
        inverse.append(1.0 / sqrt(where(total > least, total, least)))
        value = right[i]
        for k in range(i):
            value = value - line[k] * forward[k]
        forward.append(value * inverse[i])
        lower.append(line)
    weights: list[Real] = [0.0] * size
    for i in reversed(range(size)):
        value = forward[i]
        for k in range(i + 1, size):
            value = value - lower[k][i] * weights[k]
        weights[i] = value * inverse[i]
    return weights


def _move_within_limits(
    angles: Sequence[Real], rests: Sequence[Real], changes: Sequence[Real], lower: Sequence[Real], upper: Sequence[Real]
) -> tuple[Real, ...]:
    """The state after changes of the angles: joints that would leave their limits rest on them."""
    moved: list[Real] = []
    resting: list[Real] = []
    for angle, rest, change, low, high in zip(angles, rests, changes, lower, upper, strict=True):
        wanted = angle + change
        moved.append(where(rest == 0.0, minimum(maximum(wanted, low), high), angle))
        beyond_high, beyond_low = where(rest < 0.0, 0.0, 1.0), where(rest > 0.0, 0.0, -1.0)  # whose limit is near
        resting.append(where(wanted > high, beyond_high, where(wanted < low, beyond_low, 0.0)))
    return *moved, *resting
