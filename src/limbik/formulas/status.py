"""Status codes, and the rule by which every limb assigns them."""

from limbik.formulas.operations import EPSILON, Boolean, Real, Vector, absolute, where

REACHED = 0.0
TOO_FAR = 1.0
TOO_NEAR = 2.0
LIMITED = 3.0
INVALID = 4.0


def rounding_slack(total: Real, target: Vector, origin: Vector) -> Real:
    """The largest residual that rounding of the coordinates alone can cause, in length units."""
    slack = 8.0 * EPSILON * total
    for coordinate in (*target, *origin):
        slack = slack + 8.0 * EPSILON * absolute(coordinate)  # scaled first, because the sum may overflow
    return slack


def status_code(missed: Boolean, too_far: Boolean, limited: Boolean, invalid: Boolean) -> Real:
    """The status of a row: the first that applies of invalid, reached, limited, too far and too near."""
    failure = where(limited, LIMITED, where(too_far, TOO_FAR, TOO_NEAR))
    return where(invalid, INVALID, where(missed, failure, REACHED))


def limit_active(requested: Real, chord: Real, asymmetry: Real, near: Real, far: Real) -> Boolean:
    """Whether the limits of the middle joint, not the links' lengths, keep the chord from the requested one."""
    slack = 8.0 * EPSILON
    too_straight = (chord >= far) & (far < 1.0 - slack) & (requested > far) & (requested <= 1.0 + slack)
    fold = absolute(asymmetry)
    too_folded = (chord <= near) & (near > fold + slack) & (requested < near) & (requested >= fold - slack)
    return too_straight | too_folded
