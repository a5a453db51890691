"""What is asked of a robot limb: the angles of one branch, as subproblems give them or placed within joint limits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from limbik.formulas.operations import (
    EPSILON,
    Quaternion,
    Real,
    Vector,
    absolute,
    floor,
    maximum,
    minimum,
    unit_angle,
    where,
)
from limbik.formulas.robots.arms import Signs, TurnsAndLacks
from limbik.formulas.robots.motions import motion_to, screws_of
from limbik.formulas.vectors import scale

FULL_TURN = 6.283185307179586
SLACK = 4096.0 * EPSILON  # of what a subproblem lacks, or of a limit, for rounding
# A target farther away is out of reach, whatever the unit of length, and brought nearer: its powers would overflow, in
# one engine earlier than in another.
FARTHEST = 1e6
# What a branch costs: the squared distance from `near`, and these where it is beyond a limit or does not reach.
BEYOND_LIMIT = 1e6
NOT_REACHED = 1e9


@dataclass(frozen=True)
class RobotPose:
    """A target for a limb: its family's solution as a function of the branch's signs.

    `flaw` is 0, or NaN where the target is not finite. Added to the answers it makes them NaN without a choice.
    """

    flaw: Real
    family: Callable[[Signs], TurnsAndLacks]


def robot_pose(
    family: Callable[..., TurnsAndLacks],
    geometry: tuple[Sequence[Real], Sequence[Real], Sequence[Real], Sequence[Real]],
    position: Vector,
    rotation: Quaternion,
    options: Mapping[str, object],
) -> RobotPose:
    """A target for a limb of the family, whose geometry is (axes, points, frame, tip); `options` are the family's."""
    axes, points, frame, tip = geometry
    x, y, z = position
    size = absolute(x) + absolute(y) + absolute(z)
    near = scale(FARTHEST / where(size > FARTHEST, size, FARTHEST), (x, y, z))
    motion = motion_to(near, rotation, frame, tip)
    row, _, _ = motion.matrix
    flaw = 0.0 * (row[0] + row[1] + row[2] + position[0] + position[1] + position[2])
    screws = screws_of(axes, points)
    return RobotPose(flaw, lambda signs: family(screws, motion, signs, **options))


def robot_branch(pose: RobotPose, signs: Signs) -> tuple[Real, ...]:
    """The joint angles of one branch, in [−π, π], and what they lack: 0 where the target is reached."""
    turns, lacks = pose.family(signs)
    return tuple(number + pose.flaw for number in (*_angles(turns), _total(lacks)))


def robot_branch_within_limits(
    pose: RobotPose, signs: Signs, near: Sequence[Real], lower: Sequence[Real], upper: Sequence[Real]
) -> tuple[Real, ...]:
    """The joint angles of one branch, moved by whole turns into their limits and then as near as possible to `near`.

    They are followed by what the branch costs: the one that costs the least is the best.
    """
    turns, lacks = pose.family(signs)
    placed = place_within_limits(_angles(turns), _total(lacks), near, lower, upper)
    return tuple(number + pose.flaw for number in placed)


def place_within_limits(
    raw: Sequence[Real], lack: Real, near: Sequence[Real], lower: Sequence[Real], upper: Sequence[Real]
) -> tuple[Real, ...]:
    """The angles of a branch moved by whole turns into their limits and as near as possible to `near`; the cost."""
    cost = where(lack <= SLACK, 0.0, NOT_REACHED * (1.0 + lack))
    excess: Real = 0.0
    angles = []
    for angle, *joint in zip(raw, near, lower, upper, strict=True):
        placed, beyond = _move_into_limits(angle, *joint)
        angles.append(placed)
        excess = beyond + excess
        cost = (placed - joint[0]) * (placed - joint[0]) + cost
    cost = where(excess <= SLACK, 0.0, BEYOND_LIMIT * (1.0 + excess)) + cost
    return *angles, cost


def robot_pair_within_limits(
    pose: RobotPose, signs: Signs, near: Sequence[Real], lower: Sequence[Real], upper: Sequence[Real]
) -> tuple[Real, ...]:
    """`robot_branch_within_limits` of the two branches that differ in the last sign, +1 and −1: they share work."""
    first, second = (robot_branch_within_limits(pose, (*signs[:-1], last), near, lower, upper) for last in (1.0, -1.0))
    return *first, *second


def _angles(turns: list[tuple[Real, Real]]) -> list[Real]:
    return [unit_angle(s, c) for c, s in turns]


def _move_into_limits(angle: Real, near: Real, lower: Real, upper: Real) -> tuple[Real, Real]:
    """The angle moved by whole turns within the limits, nearest to `near`; and by how much it is beyond a limit."""
    most = floor((upper - angle + SLACK) * (1.0 / FULL_TURN))
    least = -floor((angle - lower + SLACK) * (1.0 / FULL_TURN))
    wanted = floor((near - angle) * (1.0 / FULL_TURN) + 0.5)
    below, above = angle + FULL_TURN * most, angle + FULL_TURN * least
    outer = where(lower - below <= above - upper, most, least)
    turns = where(least <= most, minimum(maximum(wanted, least), most), outer)
    placed = angle + FULL_TURN * turns
    return placed, maximum(maximum(lower - placed, placed - upper), 0.0)


def _total(lacks: Sequence[Real]) -> Real:
    total: Real = 0.0
    for lack in lacks:
        total = absolute(lack) + total
    return total
