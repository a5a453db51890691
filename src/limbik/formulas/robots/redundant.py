"""Seven hinges: many solutions for each pose, from which a swivel, or the angle of the last joint, selects some."""

from collections.abc import Sequence

from limbik.formulas.operations import SMALL_SQUARE, Vector, sqrt, where
from limbik.formulas.robots.arms import Signs, TurnsAndLacks, spherical_turns, wrist_turns
from limbik.formulas.robots.motions import Motion, Screw, apply_matrix, turn_point_about, undo_turns
from limbik.formulas.robots.subproblems import (
    Turn,
    part_across,
    subproblem_1,
    subproblem_3,
    subtract,
    turn_vector,
)
from limbik.formulas.vectors import combine, cross, dot, scale


def swivel_turns(screws: Sequence[Screw], motion: Motion, signs: Signs, swivel: Turn) -> TurnsAndLacks:
    """A spherical shoulder, an elbow and a spherical wrist.

    The swivel turns the arm about the line from shoulder to wrist. At 0, that line × the elbow's axis × the line points
    along the first joint's axis, as far as it can.
    """
    shoulder, wrist = screws[0][1], screws[6][1]
    elbow_axis, elbow = screws[3]
    reached = subtract(motion.move(wrist), shoulder)
    offset, forearm = subtract(elbow, shoulder), subtract(wrist, elbow)
    elbow_turn, lack = subproblem_3(elbow_axis, forearm, offset, dot(reached, reached), signs[1])
    line = _unit(combine(1.0, offset, 1.0, turn_vector(elbow_axis, elbow_turn, forearm)), (0.0, 0.0, 1.0))
    bend = _unit(cross(line, elbow_axis), (1.0, 0.0, 0.0))
    aim, side = swivel_frame(screws[0][0], screws[1][0], reached)
    c, s = swivel
    side = combine(c, side, s, cross(aim, side))
    turned_arm = (line, bend, cross(line, bend)), (aim, side, cross(aim, side))

    def pose_vector(v: Vector) -> Vector:
        """A vector of the arm at zero after the shoulder's three turns."""
        x, y, z = apply_matrix(turned_arm[0], v)
        first, second, third = turned_arm[1]
        return combine(1.0, combine(x, first, y, second), z, third)

    (_, _), (second, _), (third, _) = screws[:3]
    first_turn, second_turn, askew = wrist_turns(screws[:3], pose_vector(third), signs[0])
    arm = [first_turn, second_turn]
    arm.append(subproblem_1(third, second, undo_turns(screws[:2], arm, pose_vector(second))))
    arm.append(elbow_turn)
    sixth, seventh = screws[5][0], screws[6][0]
    fifth_turn, sixth_turn, tilt = wrist_turns(screws[4:], undo_turns(screws[:4], arm, motion.turn(seventh)), signs[2])
    turns = [*arm, fifth_turn, sixth_turn]
    turns.append(subproblem_1(seventh, sixth, undo_turns(screws[:6], turns, motion.turn(sixth))))
    return turns, [lack, askew, tilt]


def swivel_frame(first: Vector, second: Vector, reached: Vector) -> tuple[Vector, Vector]:
    """The direction from shoulder to wrist, and the perpendicular one from which the swivel is measured."""
    aim = _unit(reached, (0.0, 0.0, 1.0))
    side = part_across(aim, first)
    aligned = dot(side, side) < 1e-12
    spare = part_across(aim, cross(first, second))
    x, y, z = (where(aligned, a, b) for a, b in zip(spare, side, strict=True))
    return aim, _unit((x, y, z), (1.0, 0.0, 0.0))


def locked_turns(
    screws: Sequence[Screw], motion: Motion, signs: Signs, swivel: Turn, reverse: bool, parallel: bool, inner: bool
) -> TurnsAndLacks:
    """A last joint of a given angle, before which six joints have a spherical wrist or shoulder."""
    last = screws[6]
    x, y, z = (turn_vector(last[0], swivel, row) for row in motion.matrix)  # matrix · the turn back
    before = Motion((x, y, z), turn_point_about(last, swivel, motion.start), motion.target)
    turns, lacks = spherical_turns(screws[:6], before, signs, reverse, parallel, inner)
    return [*turns, swivel], lacks


def _unit(v: Vector, otherwise: Vector) -> Vector:
    """The direction of a vector; another one where it is 0."""
    square = dot(v, v)
    somewhere = square > SMALL_SQUARE
    x, y, z = scale(1.0 / sqrt(where(somewhere, square, 1.0)), v)
    a, b, c = otherwise
    return where(somewhere, x, a), where(somewhere, y, b), where(somewhere, z, c)
