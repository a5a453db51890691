"""How the angles of an answer move with what was asked for: the derivative of the solution, whatever found it.

An answer solves equations, and its derivative follows from them by the implicit function theorem. When the target moves
a little, the joints that rest on no limit

- keep the measure of nearness at its least value, by its full second derivative, so that this holds out of reach too;
- stay as near as they can to `near`, or keep the swivel, where joints are left over; otherwise they move as little as
  they can, for nothing says which of the answers descents return.

Directions in which the limb is singular have derivative 0. Slides count in limb lengths here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from limbik.arrays import HANDLERS, library_of
from limbik.engines import tensor_dispatch
from limbik.engines.gradients import GRADIENT, OUTPUT_GRADIENT, gradient_program
from limbik.engines.robot_flags import NoFlags
from limbik.engines.robot_programs import SWIVEL_ANGLE
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED
from limbik.robots.descent import METRES_PER_FREE_RADIAN, METRES_PER_RADIAN
from limbik.robots.families import virtual_axis
from limbik.rotations import inverse, rotate

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Tensor = Any  # torch.Tensor | jax.Array, neither of which need be installed
LEAST_EIGENVALUE = {"float64": 1e-12, "float32": 1e-5}  # of the largest: those below are taken for 0
LIMIT_SLACK = {"float64": 1e-12, "float32": 1e-6}  # radians or limb lengths from a limit on which a joint rests


class Wanted(NamedTuple):
    """What an answer moves with, tensors with the batch's shape; None where it was not given."""

    position: Tensor  # (..., 3), metres
    rotation: Tensor  # (..., 4)
    near: Tensor | None  # (..., n), radians, or metres for slides
    swivel: Tensor | None  # (...,), radians


class Found(NamedTuple):
    """What is known of an answer besides its angles."""

    cost: Tensor  # (...,)
    closed: Tensor  # (...,), 1 where the closed form gave it, otherwise 0
    rests: bool  # whether joints may rest on their limits


def with_slopes(limb: RobotLimb, angles: Tensor, found: Found, wanted: Wanted) -> Tensor:
    """The angles (..., n) as a differentiable function of what was wanted; their values stay the same."""
    if library_of(angles) == "jax":
        return _jax_answer()(limb, found.rests, angles, found.cost, found.closed, *wanted)
    return _torch_answer().apply(limb, found, angles, *wanted)


@cache
def _jax_answer() -> Any:
    import jax

    def angles_alone(limb: RobotLimb, rests: bool, angles: Any, cost: Any, closed: Any, *wanted: Any) -> Any:
        return angles

    def differentiate(limb: RobotLimb, rests: bool, inputs: Any, motions: Any) -> tuple[Any, Any]:
        # The angles are those of the answer, not of what went in: so their own derivative can be taken, too.
        angles = answer(limb, rests, *inputs)
        _, cost, closed, *wanted = inputs
        slopes = _slopes(limb, angles, Found(cost, closed, rests), Wanted(*wanted))
        parts = zip(slopes, motions[3:], strict=True)
        moved: Any = sum(_apply(slope, motion, angles) for slope, motion in parts if slope is not None)
        return angles, moved.astype(angles.dtype)

    answer: Any = jax.custom_jvp(angles_alone, nondiff_argnums=(0, 1))
    answer.defjvp(differentiate)
    return answer


@cache
def _torch_answer() -> Any:
    import torch

    class Answer(torch.autograd.Function):
        """Angles, and their slopes once they are asked for."""

        generate_vmap_rule = True

        @staticmethod
        def forward(limb: Any, found: Any, angles: Any, position: Any, rotation: Any, near: Any, swivel: Any) -> Any:
            return angles.clone()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.limb, found, _, *wanted = inputs
            ctx.rests = found.rests
            ctx.save_for_backward(output, found.cost, found.closed, *wanted)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            angles, cost, closed, *wanted = ctx.saved_tensors
            slopes = _slopes(ctx.limb, angles, Found(cost, closed, ctx.rests), Wanted(*wanted))
            (gradient,) = gradients
            found = []
            for slope, needed, one in zip(slopes, ctx.needs_input_grad[3:], wanted, strict=True):
                moved = torch.zeros_like(one) if slope is None and needed else None
                found.append(_apply_back(slope, gradient).to(one.dtype) if slope is not None and needed else moved)
            return None, None, None, *found

    return Answer


def _apply(slope: Tensor, motion: Tensor, angles: Tensor) -> Tensor:
    """(..., n, k) times (..., k), or (..., n) times (...,)."""
    return (slope * motion[..., None]) if slope.ndim == angles.ndim else (slope @ motion[..., None])[..., 0]


def _apply_back(slope: Tensor, gradient: Tensor) -> Tensor:
    """What `_apply` does, transposed, of the gradient (..., n) of the angles."""
    gradient = gradient.to(slope.dtype)
    if slope.ndim == gradient.ndim:
        return (slope * gradient).sum(-1)
    return (gradient[..., None, :] @ slope)[..., 0, :]


# --- the derivative


class Tip(NamedTuple):
    """How the tip of an answer moves; joints that rest on a limit move nothing. Columns are in units of the limb."""

    shifts: Tensor  # (..., n, 3): its velocity for each joint
    turns: Tensor  # (..., n, 3): its angular velocity
    bends: Tensor  # (..., n, n, 3): how its velocity changes with two joints
    twists: Tensor  # (..., n, n, 3): the axis of an outer joint turned by an inner one, at [inner, outer]
    gap: Tensor  # (..., 3): from the tip to its target
    turn: Tensor  # (..., 4): the quaternion from its rotation to the target's, w not negative


def _slopes(limb: RobotLimb, angles: Tensor, found: Found, wanted: Wanted) -> Wanted:
    """The derivatives of the angles: (..., n, 3), (..., n, 4), (..., n, n) and (..., n); None where they are 0."""
    library = library_of(angles) or ""
    handler, xp = HANDLERS[library], HANDLERS[library].module()
    working = "float64" if library == "torch" else handler.working(angles.dtype)

    def precise(one: Any) -> Any:
        return None if one is None else handler.cast(one, getattr(xp, working))

    slack = LIMIT_SLACK[handler.working(angles.dtype)]
    angles, wanted = precise(angles), Wanted(*map(precise, wanted))
    units = handler.convert([limb.length if kind == "slide" else 1.0 for kind in limb.chain.kinds], angles, working)
    free = _free_joints(limb, angles, working, slack) if found.rests else xp.ones_like(angles)
    tip, turned = _tip_of(limb, angles, wanted, units * free)
    reached = precise(found.cost) < BEYOND_LIMIT
    # A branch that does not reach the target is no answer, and does not move with it.
    answered = (found.rests | (found.cost < NOT_REACHED))[..., None, None]
    by_pose, by_near, by_swivel = _choose(limb, angles, wanted, tip, turned, free, units, reached, found.closed)
    column = (units * free)[..., None]
    by_pose = xp.where(answered, column * by_pose, 0.0 * by_pose)
    slopes = (
        by_pose[..., :3],
        by_pose[..., 3:] @ _turn_rate(xp, wanted.rotation),
        None if by_near is None else column * by_near / units,
        None if by_swivel is None else column[..., 0] * by_swivel,
    )
    return Wanted(*(one if one is None else xp.where(xp.isfinite(one), one, xp.zeros_like(one)) for one in slopes))


def _choose(
    limb: RobotLimb,
    angles: Tensor,
    wanted: Wanted,
    tip: Tip,
    turned: Tensor,
    free: Tensor,
    units: Tensor,
    reached: Tensor,
    closed: Tensor,
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """The derivatives with respect to the pose (..., n, 6), to `near` (..., n, n) and to the swivel (..., n)."""
    library = library_of(angles) or ""
    xp: Any = HANDLERS[library].module()
    working = HANDLERS[library].working(angles.dtype)
    layout, metre = limb.closed_form.layout, 1.0 / limb.length
    if not limb.uses_rotation:
        return _least(xp, working, *_measure(xp, tip, metre, 0.0))[0], None, None
    if not limb.oriented:
        by_pose = _least_of_free_rotation(limb, xp, working, tip)
        if layout.free_parameter != "virtual joint":
            return by_pose, None, None
        exact = _least(xp, working, *_measure(xp, _without_virtual_joint(limb, tip, turned), metre, 1.0))[0]
        closed_form = reached & (closed > 0) & (limb.closed_form.newton_steps == 0)
        return xp.where(closed_form[..., None, None], exact, by_pose), None, None
    hessian, mixed = _measure(xp, tip, metre, METRES_PER_RADIAN)
    by_pose, inverse = _least(xp, working, hessian, mixed)
    if limb.redundancy == 0:
        return by_pose, None, None
    one = xp.eye(len(limb.chain), dtype=angles.dtype)
    one = one.to(angles.device) if library == "torch" else one
    left = one * free[..., None, :] - inverse @ hessian
    there = reached[..., None, None]
    if wanted.near is not None and wanted.swivel is None:
        pull = free * (angles - wanted.near) / units
        bent = one - _bend_of_rows(tip, (inverse @ pull[..., None])[..., 0], metre)
        inner = left @ bent @ left
        inner = 0.5 * (inner + xp.swapaxes(inner, -1, -2)) + one - left
        by_near = _inverse(xp, working, inner) @ left
        moved = by_pose - by_near @ bent @ by_pose
        return xp.where(there, moved, by_pose), xp.where(there, by_near, 0.0 * by_near), None
    if not layout.has_swivel:
        return by_pose, None, None
    kept = there & (closed > 0)[..., None, None]
    rate = _swivel_rate(limb, angles) * free
    across = (left @ rate[..., None])[..., 0]
    size = (across * rate).sum(-1)[..., None]
    somewhere = size > LEAST_EIGENVALUE[working]
    by_swivel = xp.where(somewhere, across / xp.where(somewhere, size, xp.ones_like(size)), 0.0 * across)
    moved = by_pose - by_swivel[..., None] * (rate[..., None, :] @ by_pose)
    kept_swivel = None if wanted.swivel is None else xp.where(kept[..., 0], by_swivel, 0.0 * by_swivel)
    return xp.where(kept, moved, by_pose), None, kept_swivel


def _tip_of(limb: RobotLimb, angles: Tensor, wanted: Wanted, units: Tensor) -> tuple[Tip, Tensor]:
    xp: Any = HANDLERS[library_of(angles) or ""].module()
    numbers = limb._evaluate_chain("motion", angles)
    numbers = xp.where(xp.isfinite(numbers), numbers, xp.zeros_like(numbers))
    rows = numbers[..., 7:].reshape(*angles.shape[:-1], 6, angles.shape[-1]) * units[..., None, :]
    shifts, turns = (xp.swapaxes(part, -1, -2) for part in (rows[..., :3, :], rows[..., 3:, :]))
    outer = xp.triu(xp.ones_like(shifts @ xp.swapaxes(turns, -1, -2)))[..., None]
    beyond = outer * (1.0 - xp.swapaxes(outer, -3, -2))
    moved = xp.linalg.cross(turns[..., :, None, :], shifts[..., None, :, :])
    bends = moved * outer + xp.swapaxes(moved * beyond, -3, -2)
    twists = xp.linalg.cross(turns[..., :, None, :], turns[..., None, :, :]) * beyond
    turned = numbers[..., 3:7]
    gap = wanted.position - numbers[..., :3]
    return Tip(shifts, turns, bends, twists, gap, _turn_between(xp, turned, wanted.rotation)), turned


def _measure(xp: Any, tip: Tip, metre: float, radian: float) -> tuple[Tensor, Tensor]:
    """Second derivatives of the measure of nearness: by two joints (..., n, n), and, negative, by the pose too."""
    back = xp.swapaxes
    hessian = metre**2 * (tip.shifts @ back(tip.shifts, -1, -2) - _along(tip.bends, tip.gap))
    vector, scalar = tip.turn[..., :3], tip.turn[..., 3:]
    skew = tip.twists + back(tip.twists, -3, -2)
    by_turns = scalar[..., None] * (tip.turns @ back(tip.turns, -1, -2)) - _along(skew, vector)
    by_rotation = scalar[..., None] * tip.turns + xp.linalg.cross(vector[..., None, :], tip.turns)
    mixed = xp.concatenate([metre**2 * tip.shifts, radian**2 * by_rotation], -1)
    return hessian + radian**2 * by_turns, mixed


def _least(xp: Any, working: str, hessian: Tensor, mixed: Tensor) -> tuple[Tensor, Tensor]:
    """How the least value of a measure moves, and the inverse of the second derivative; 0 where that is singular."""
    inverse = _inverse(xp, working, hessian)
    return inverse @ mixed, inverse


def _least_of_free_rotation(limb: RobotLimb, xp: Any, working: str, tip: Tip) -> Tensor:
    """The derivative of limbs that come as near to a rotation as they can, and then go to the position exactly."""
    metre = 1.0 / limb.length
    near, _ = _least(xp, working, *_measure(xp, tip, metre, METRES_PER_FREE_RADIAN))
    hessian, mixed = _measure(xp, tip, metre, 0.0)
    exact, inverse = _least(xp, working, hessian, mixed)
    return near + exact - inverse @ hessian @ near


def _without_virtual_joint(limb: RobotLimb, tip: Tip, found: Tensor) -> Tip:
    """The tip without what it turns about the virtual joint's axis; `found` is its rotation, (..., 4)."""
    handler = HANDLERS[library_of(found) or ""]
    xp: Any = handler.module()
    axis = rotate(inverse(limb.chain.rotation), virtual_axis(limb.closed_form.layout, limb.chain))
    axis = handler.convert(axis, found, handler.working(found.dtype))
    vector, scalar = found[..., :3], found[..., 3:]
    axis = axis + 2.0 * xp.linalg.cross(vector, xp.linalg.cross(vector, axis + 0.0 * vector) + scalar * axis)
    across = (tip.turns @ axis[..., None]) * axis[..., None, :]
    none = handler.convert((0.0, 0.0, 0.0, 1.0), found, handler.working(found.dtype))
    return tip._replace(turns=tip.turns - across, turn=none + 0.0 * tip.turn)


def _bend_of_rows(tip: Tip, weights: Tensor, metre: float) -> Tensor:
    """The derivatives by the joints, in columns, of the Jacobian's rows weighted as they add up to the pull."""
    by_shift = metre**2 * (weights[..., None, :] @ tip.shifts)[..., 0, :]
    by_turn = METRES_PER_RADIAN**2 * (weights[..., None, :] @ tip.turns)[..., 0, :]
    return _along(tip.bends, by_shift) + _along(tip.twists, by_turn).swapaxes(-1, -2)


def _along(pairs: Tensor, vector: Tensor) -> Tensor:
    return (pairs * vector[..., None, None, :]).sum(-1)


def _inverse(xp: Any, working: str, matrix: Tensor) -> Tensor:
    """The inverse of symmetric matrices (..., n, n); in directions in which they are singular 0."""
    matrix = xp.where(xp.isfinite(matrix), matrix, xp.zeros_like(matrix))
    return xp.linalg.pinv(matrix, rtol=LEAST_EIGENVALUE[working], hermitian=True)


def _turn_between(xp: Any, found: Tensor, wanted: Tensor) -> Tensor:
    """The unit quaternions (..., 4) from one rotation to another, by at most half a turn."""
    vector, scalar = -found[..., :3], found[..., 3:]
    other, weight = wanted[..., :3], wanted[..., 3:]
    imaginary = weight * vector + scalar * other + xp.linalg.cross(other, vector)
    real = weight * scalar - (other * vector).sum(-1)[..., None]
    turn = xp.concatenate([imaginary, real], -1)
    turn = xp.where(real < 0.0, -turn, turn)
    size = (turn * turn).sum(-1)[..., None]
    return turn / xp.sqrt(xp.where(size > 0.0, size, xp.ones_like(size)))


def _turn_rate(xp: Any, quaternion: Tensor) -> Tensor:
    """The angular velocity for each rate of a quaternion's numbers, (..., 3, 4)."""
    vector, scalar = quaternion[..., :3], quaternion[..., 3:]
    three = 0.0 * vector[..., None, :] + HANDLERS[library_of(vector) or ""].convert(
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], vector, str(vector.dtype).removeprefix("torch.")
    )
    skew = xp.swapaxes(xp.linalg.cross(vector[..., None, :] + 0.0 * three, three), -1, -2)
    size = (quaternion * quaternion).sum(-1)[..., None, None]
    return 2.0 / size * xp.concatenate([scalar[..., None] * three + skew, -vector[..., None]], -1)


def _free_joints(limb: RobotLimb, angles: Tensor, working: str, slack: float) -> Tensor:
    """1 for joints that rest on no limit, otherwise 0, (..., n)."""
    handler = HANDLERS[library_of(angles) or ""]
    lower, upper = (handler.convert(limit, angles, working) for limit in (limb.lower, limb.upper))
    within = (angles > lower + slack) & (angles < upper - slack)
    return handler.cast(within, angles.dtype)


def _swivel_rate(limb: RobotLimb, angles: Tensor) -> Tensor:
    """How fast the swivel turns with each joint, (..., 7)."""
    family, handler = limb.closed_form, HANDLERS[library_of(angles) or ""]
    if family.layout.free_parameter == "last joint":
        return 0.0 * angles + handler.convert([0.0] * 6 + [1.0], angles, handler.working(angles.dtype))
    program = gradient_program(SWIVEL_ANGLE, "angle", ("angles",))
    inputs = {name: family.inputs[name] for name in ("axes", "points")}
    given = {**inputs, "angles": angles, OUTPUT_GRADIENT: (1.0,)}
    shape = tuple(angles.shape[:-1])
    return tensor_dispatch.run(library_of(angles) or "", program, GRADIENT, NoFlags(), given, shape, angles.dtype)
