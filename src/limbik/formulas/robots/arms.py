"""Two to seven hinges in closed form: which joints a subproblem gives, in order, from the geometry of the axes.

A formula takes screws that have the family's geometry exactly, in the family's frame (`limbik.robots.families` makes
them): axes that meet share the point at which they do; the second axis is the frame's z axis, and those parallel to it
are z or −z, with points in one plane perpendicular to it. It returns the turns of the joints, base first, and what each
subproblem lacks, 0 where the target is within reach. `signs` are ±1 and select the branch.
"""

from collections.abc import Sequence

from limbik.formulas.operations import SMALL_SQUARE, Real, Vector, atan2, cos, sin, sqrt, where
from limbik.formulas.robots.motions import Motion, Screw, apply_matrix, reverse_screws, turn_point_about, undo_turns
from limbik.formulas.robots.subproblems import (
    Turn,
    compose_turns,
    inverse_turn,
    part_across,
    subproblem_1,
    subproblem_1_z,
    subproblem_3,
    subproblem_3_z,
    subproblem_4,
    subproblem_4_of_vector,
    subproblem_4_z,
    subtract,
    turn_vector,
    turn_vector_z,
)
from limbik.formulas.vectors import combine, cross, dot, scale

Z = (0.0, 0.0, 1.0)
Signs = Sequence[Real]
TurnsAndLacks = tuple[list[Turn], list[Real]]


def position_turns(
    screws: Sequence[Screw], start: Vector, end: Vector, signs: Signs, parallel: bool, inner: bool
) -> TurnsAndLacks:
    """Three turns that bring a point to another; two of the axes are parallel or meet, the last two or the first two.

    Where it is the first two, the frame's z axis is opposite to the second axis.
    """
    if not inner:  # the same problem for the chain from tip to base
        turns, lacks = position_turns(reverse_screws(screws), end, start, signs, parallel, True)
        return turns[::-1], lacks
    return _inner_parallel(screws, start, end, signs) if parallel else _inner_meeting(screws, start, end, signs)


def _inner_parallel(screws: Sequence[Screw], start: Vector, end: Vector, signs: Signs) -> TurnsAndLacks:
    """The second and third axes are parallel: they keep the height along their direction."""
    (axis, pivot), (second_axis, second), (third_axis, third) = screws
    height = subtract(start, pivot)[2]
    first_turn, lack = subproblem_4_z(_negative(axis), subtract(end, pivot), height, signs[0])
    target = subtract(turn_point_about((axis, pivot), inverse_turn(first_turn), end), second)
    second_turn, third_turn, short = _planar(subtract(third, second), subtract(start, third), target, signs[1])
    return [first_turn, _about(second_axis, second_turn), _about(third_axis, third_turn)], [lack, short]


def _about(axis: Vector, turn: Turn) -> Turn:
    """A turn about z as one about an axis along z or opposite to it."""
    c, s = turn
    return c, s * axis[2]


def _planar(first: Vector, second: Vector, target: Vector, sign: Real) -> tuple[Turn, Turn, Real]:
    """Two links that turn about z and bring the end of the second above or below a target; and what they lack."""
    x, y, _ = target
    turn, short = subproblem_3_z(second, first, x * x + y * y, sign)
    return subproblem_1_z(combine(1.0, first, 1.0, turn_vector_z(turn, second)), target), turn, short


def _inner_meeting(screws: Sequence[Screw], start: Vector, end: Vector, signs: Signs) -> TurnsAndLacks:
    """The second and third axes meet: they keep the distance from that point."""
    (axis, pivot), (_, centre), (third, _) = screws
    arm = subtract(start, centre)
    first_turn, lack = subproblem_3(
        _negative(axis), subtract(end, pivot), subtract(pivot, centre), dot(arm, arm), signs[0]
    )
    target = subtract(turn_point_about((axis, pivot), inverse_turn(first_turn), end), centre)
    third_turn, short = subproblem_4_of_vector(third, arm, Z, target, signs[1])
    return [first_turn, subproblem_1_z(turn_vector(third, third_turn, arm), target), third_turn], [lack, short]


def wrist_turns(screws: Sequence[Screw], forward: Vector, sign: Real) -> tuple[Turn, Turn, Real]:
    """The first two of three turns that bring the last axis to a direction; and what they lack."""
    (first, _), (second, _), (third, _) = screws
    second_turn, lack = subproblem_4_of_vector(second, third, first, forward, sign)
    return subproblem_1(first, turn_vector(second, second_turn, third), forward), second_turn, lack


def spherical_turns(
    screws: Sequence[Screw], motion: Motion, signs: Signs, reverse: bool, parallel: bool, inner: bool
) -> TurnsAndLacks:
    """Six joints, the last three axes of which meet; with `reverse`, the screws are given from tip to base."""
    if reverse:
        turns, lacks = spherical_turns(screws, motion.inverse(), signs, False, parallel, inner)
        return turns[::-1], lacks
    centre = screws[4][1]
    return _with_wrist(screws, motion, motion.move(centre), signs, parallel, inner)


def guessed_turns(
    screws: Sequence[Screw], motion: Motion, signs: Signs, swivel: Turn, reverse: bool, parallel: bool, inner: bool
) -> TurnsAndLacks:
    """Six joints, of which the fourth and fifth axes meet and the last one passes by: `swivel` is a guess of its turn.

    The guess says where the fourth and fifth axes meet; all joints follow from that, the last one too. The solution is
    where it turns out as it was guessed.
    """
    if reverse:
        turns, lacks = guessed_turns(screws, motion.inverse(), signs, swivel, False, parallel, inner)
        return turns[::-1], lacks
    centre = turn_point_about(screws[5], inverse_turn(swivel), screws[4][1])
    return _with_wrist(screws, motion, motion.move(centre), signs, parallel, inner)


def _with_wrist(
    screws: Sequence[Screw], motion: Motion, reached: Vector, signs: Signs, parallel: bool, inner: bool
) -> TurnsAndLacks:
    """Three joints that bring the fourth and fifth axes' meeting point to a place; three that turn the tip."""
    arm, lacks = position_turns(screws[:3], screws[4][1], reached, signs, parallel, inner)
    fifth, sixth = screws[4][0], screws[5][0]
    forward = undo_turns(screws[:3], arm, motion.turn(sixth))
    fourth_turn, fifth_turn, lack = wrist_turns(screws[3:], forward, signs[2])
    turns = [*arm, fourth_turn, fifth_turn]
    # From the turns before it, so that the rotation is exact where the wrist is singular too.
    sixth_turn = subproblem_1(sixth, fifth, undo_turns(screws[:5], turns, motion.turn(fifth)))
    return [*turns, sixth_turn], [*lacks, lack]


def three_parallel_turns(screws: Sequence[Screw], motion: Motion, signs: Signs, reverse: bool) -> TurnsAndLacks:
    """Six joints: the second to fourth axes are parallel and the last two meet; `reverse` as in `spherical_turns`."""
    if reverse:
        turns, lacks = three_parallel_turns(screws, motion.inverse(), signs, False)
        return turns[::-1], lacks
    (axis, pivot), (_, second), (_, third), (_, fourth), (fifth, centre), (sixth, _) = screws
    reached = subtract(motion.move(centre), pivot)
    first_turn, lack = subproblem_4_z(_negative(axis), reached, subtract(centre, pivot)[2], signs[0])
    home = inverse_turn(first_turn)
    forward = turn_vector(axis, home, motion.turn(sixth))
    fifth_turn, askew = subproblem_4_of_vector(fifth, sixth, Z, forward, signs[1])
    sideways = motion.turn_back(turn_vector(axis, first_turn, Z))
    sixth_turn = subproblem_1(sixth, sideways, turn_vector(fifth, inverse_turn(fifth_turn), Z))
    # The three parallel joints together: their turn, and where they take the fourth joint.
    last = turn_vector(sixth, inverse_turn(sixth_turn), fifth)
    together = subproblem_1_z(fifth, turn_vector(axis, home, motion.turn(last)))
    wrist = subtract(turn_vector(axis, home, reached), turn_vector_z(together, subtract(centre, fourth)))
    target = subtract(wrist, subtract(second, pivot))
    second_turn, third_turn, short = _planar(subtract(third, second), subtract(fourth, third), target, signs[2])
    fourth_turn = compose_turns(together, inverse_turn(compose_turns(second_turn, third_turn)))
    parallel = [_about(screws[k][0], turn) for k, turn in enumerate((second_turn, third_turn, fourth_turn), 1)]
    return [first_turn, *parallel, fifth_turn, sixth_turn], [lack, short, askew]


def _negative(v: Vector) -> Vector:
    x, y, z = v
    return -x, -y, -z


def three_turns(screws: Sequence[Screw], motion: Motion, signs: Signs, parallel: bool, inner: bool) -> TurnsAndLacks:
    """Three joints that bring the tip to a position; its rotation follows."""
    return position_turns(screws, motion.start, motion.target, signs, parallel, inner)


def two_turns(screws: Sequence[Screw], motion: Motion, signs: Signs, parallel: bool) -> TurnsAndLacks:
    """Two joints that bring the tip to a position, where it can get there."""
    (first, base), (second, pivot) = screws
    start, target = motion.start, motion.target
    if parallel:
        height = subtract(target, start)[2]
        turns = _planar(subtract(pivot, base), subtract(start, pivot), subtract(target, base), signs[0])
        return [_about(first, turns[0]), _about(second, turns[1])], [turns[2], height]
    second_turn, lack = subproblem_4(
        second, subtract(start, pivot), first, dot(first, subtract(target, pivot)), signs[0]
    )
    found, wanted = subtract(turn_point_about((second, pivot), second_turn, start), base), subtract(target, base)
    gap = dot(found, found) - dot(wanted, wanted)
    return [subproblem_1(first, found, wanted), second_turn], [lack, gap]


def planar_turns(screws: Sequence[Screw], motion: Motion, signs: Signs) -> TurnsAndLacks:
    """Three joints with parallel axes that bring the tip to a pose in their plane."""
    (first, base), (second, pivot), (third, last) = screws
    ahead = motion.turn((1.0, 0.0, 0.0))
    together = subproblem_1_z((1.0, 0.0, 0.0), ahead)
    reached = motion.move(last)
    turns = _planar(subtract(pivot, base), subtract(last, pivot), subtract(reached, base), signs[0])
    last_turn = compose_turns(together, inverse_turn(compose_turns(turns[0], turns[1])))
    found = [_about(first, turns[0]), _about(second, turns[1]), _about(third, last_turn)]
    return found, [turns[2], subtract(reached, last)[2], ahead[2], motion.turn((0.0, 1.0, 0.0))[2]]


# --- seven hinges: many solutions for each pose; a swivel, or the angle of the last joint, selects some


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


def swivel_angle(screws: Sequence[Screw], angles: Sequence[Real]) -> Real:
    """The swivel that `swivel_turns` takes, radians, of the arm at these angles."""
    turns = [(cos(angle), sin(angle)) for angle in angles]
    elbow_axis, elbow = screws[3]

    def pose_vector(v: Vector) -> Vector:
        """A vector of the arm at zero after the shoulder's three turns."""
        for (axis, _), turn in zip(screws[2::-1], turns[2::-1], strict=True):
            v = turn_vector(axis, turn, v)
        return v

    forearm = turn_vector(elbow_axis, turns[3], subtract(screws[6][1], elbow))
    reached = pose_vector(combine(1.0, forearm, 1.0, subtract(elbow, screws[0][1])))
    aim, zero = swivel_frame(screws[0][0], screws[1][0], reached)
    side = _unit(cross(aim, pose_vector(elbow_axis)), (1.0, 0.0, 0.0))
    return atan2(dot(cross(aim, zero), side), dot(zero, side))


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
