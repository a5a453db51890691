"""What exported robot limbs need beside the formulas that solve them: numbers of branches, and what an answer costs."""

from collections.abc import Sequence

from limbik.formulas.operations import (
    Quaternion,
    Real,
    Vector,
    absolute,
    atan2,
    floor,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)
from limbik.formulas.robots.answers import BEYOND_LIMIT, FARTHEST, FULL_TURN, NOT_REACHED, SLACK
from limbik.formulas.robots.arms import swivel_frame
from limbik.formulas.robots.motions import Screw
from limbik.formulas.robots.screw_chain import ChainPose, chain_errors
from limbik.formulas.robots.subproblems import Turn, subtract, turn_vector
from limbik.formulas.vectors import combine, cross, dot, scale

MOST_EXCESS = 900.0  # radians or metres beyond limits that count: what is out of reach must cost more
MAX_GUESS_STEP = 1.0  # radians
LEAST_CHANGE = 1e-14  # radians: of an error, below which it has no slope
MAX_GUESS_ERROR = 1e-3  # radians within which a guess must turn out for Newton steps to follow
# Around the swivel of `near`, radians.
SWIVELS_AROUND = (0.0, -0.4, 0.4, -1.0, 1.0, 3.141592653589793)


def branch_signs(number: Real, count: int) -> list[Real]:
    """The signs that select a branch, +1 or −1: the digits of its number in base two, the first of most weight."""
    signs: list[Real] = []
    for weight in reversed(range(count)):
        digits = floor(number * 0.5**weight)
        signs.append(1.0 - 2.0 * (digits - 2.0 * floor(0.5 * digits)))
    return signs


def bring_near(position: Vector) -> Vector:
    """The position; one beyond any reach, whose powers would overflow, at FARTHEST in the same direction."""
    x, y, z = position
    size = maximum(maximum(absolute(x), absolute(y)), absolute(z))
    return scale(FARTHEST / where(size > FARTHEST, size, FARTHEST), position)


def judge_angles(
    chain: ChainPose,
    position: Vector,
    rotation: Quaternion | None,
    oriented: bool,
    per_radian: float,
    length: float,
    tolerance: Real,
) -> Real:
    """What angles cost for missing a target by more than the tolerance; `per_radian` as in descents, metres.

    `rotation` is None where it does not matter; `oriented` says whether it must be reached.
    """
    if rotation is None:
        gap = subtract(position, chain.position)
        miss = nearness = sqrt(dot(gap, gap))
    else:
        apart, angle = chain_errors(chain, position, rotation)
        miss = maximum(apart, angle) if oriented else apart
        turned = 4.0 * per_radian * sin(0.25 * angle)
        nearness = sqrt(apart * apart + turned * turned)
    return where(miss <= tolerance, 0.0, NOT_REACHED * (1.0 + nearness * (1.0 / length)))


def cost_of_place(
    angles: Sequence[Real], near: Sequence[Real], lower: Sequence[Real], upper: Sequence[Real]
) -> tuple[Real, Real]:
    """The squared distance from `near`, and what it costs to be beyond limits; and the largest distance of a joint."""
    cost: Real = 0.0
    excess: Real = 0.0
    for angle, goal, low, high in zip(angles, near, lower, upper, strict=True):
        cost = (angle - goal) * (angle - goal) + cost
        excess = maximum(maximum(low - angle, angle - high), 0.0) + excess
    beyond = where(excess <= SLACK, 0.0, BEYOND_LIMIT * (1.0 + minimum(excess, MOST_EXCESS)))
    return beyond + cost, largest_distance(angles, near)


def largest_distance(angles: Sequence[Real], near: Sequence[Real]) -> Real:
    """By how much the joint that differs most differs from `near`."""
    distance: Real = 0.0
    for angle, goal in zip(angles, near, strict=True):
        distance = maximum(absolute(angle - goal), distance)
    return distance


def spread_start(number: Real, lows: Sequence[float], widths: Sequence[float]) -> list[Real]:
    """Angles that fill ranges evenly as numbers count up: the sequence of the generalised golden ratio (Roberts)."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1.0 + ratio) ** (1.0 / (len(lows) + 1))
    found: list[Real] = []
    for k, (low, width) in enumerate(zip(lows, widths, strict=True), 1):
        place = 0.5 + ratio**-k * number
        found.append(low + width * (place - floor(place)))
    return found


def guess_error(found: Real, guess: Real) -> Real:
    """By how much a joint turned out otherwise than guessed, whole turns aside."""
    gap = found - guess
    return gap - FULL_TURN * floor(gap * (1.0 / FULL_TURN) + 0.5)


def secant_step(guess: Real, error: Real, trial: Real, miss: Real) -> Real:
    """The next guess, after a guess and its error, and a trial and its error."""
    change = miss - error
    inverse_slope = where(absolute(change) > LEAST_CHANGE, (trial - guess) / where(change == 0.0, 1.0, change), -1.0)
    return trial - minimum(maximum(miss * inverse_slope, -MAX_GUESS_STEP), MAX_GUESS_STEP)


def cost_of_guess(cost: Real, error: Real) -> Real:
    """The cost of a branch whose guess turned out with an error."""
    return where(absolute(error) > MAX_GUESS_ERROR, maximum(cost, NOT_REACHED), cost)


def arm_swivel(screws: Sequence[Screw], turns: Sequence[Turn]) -> Real:
    """The swivel of an arm of seven joints, the first four of which are turned so, radians."""
    shoulder, wrist = screws[0][1], screws[6][1]
    elbow_axis, elbow = screws[3]
    forearm = combine(1.0, turn_vector(elbow_axis, turns[3], subtract(wrist, elbow)), 1.0, subtract(elbow, shoulder))
    for (axis, _), turn in reversed(list(zip(screws[:3], turns[:3], strict=True))):
        forearm, elbow_axis = turn_vector(axis, turn, forearm), turn_vector(axis, turn, elbow_axis)
    aim, zero = swivel_frame(screws[0][0], screws[1][0], forearm)
    side = cross(aim, elbow_axis)
    return atan2(dot(cross(aim, zero), side), dot(zero, side))


def swivel_around(middle: Real, place: Real) -> Real:
    """One of the swivels around that of `near`, by its place among them."""
    swivel = middle + SWIVELS_AROUND[-1]
    for k in reversed(range(len(SWIVELS_AROUND) - 1)):
        swivel = where(place == float(k), middle + SWIVELS_AROUND[k], swivel)
    return swivel
