"""Robot limbs on tensors of torch and JAX, with gradients.

Which branch is the best is decided on numbers without gradients; the angles of that branch are then computed again as
part of the graph. Where Newton steps follow, the last one carries the gradient: that of the implicit function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from limbik.arrays import HANDLERS, library_of
from limbik.engines import tensor_dispatch
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64, with_batch
from limbik.robots.array_solving import Call, branches_of_arrays, solve_arrays
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb


def solve_tensors(limb: RobotLimb, call: Call) -> RobotSolution:
    """The best branch of each row."""
    if limb._family.layout.spare:
        return _by_arrays(limb, call, solve_arrays)
    placed = _every_branch(limb, call)
    branch = HANDLERS[call.library or ""].module().argmin(placed[..., -1], 0)
    chosen = _taken(placed, branch)
    signs = _converted(limb._family.signs, call)[branch]
    return _solution(limb, call, chosen, branch, signs)


def branches_of_tensors(limb: RobotLimb, call: Call) -> RobotSolution:
    """Every branch of each row."""
    family = limb._family
    if family.layout.spare:
        return _by_arrays(limb, call, branches_of_arrays)
    signs = _converted(family.signs, call).reshape(family.branches, *(1,) * len(call.shape), -1)
    branch = HANDLERS[call.library or ""].broadcast(
        _converted(range(family.branches), call).reshape(-1, *(1,) * len(call.shape)), (family.branches, *call.shape)
    )
    return _solution(limb, call, _every_branch(limb, call), HANDLERS[call.library or ""].small_integers(branch), signs)


def _by_arrays(limb: RobotLimb, call: Call, solve: Callable[[RobotLimb, Call], RobotSolution]) -> RobotSolution:
    """Families with something to choose, on NumPy; a Newton step carries the gradient where targets are reached."""
    handler, like = HANDLERS[call.library or ""], _like(call)
    groups = {name: handler.numpy(group) if library_of(group) else group for name, group in call.groups.items()}
    found = solve(limb, Call(groups, call.shape, None, FLOAT64, call.near_given))
    working = handler.working(call.dtype)
    angles, cost, branch = (
        handler.convert(one.copy(), like, working) for one in (found.angles, found.cost, found.branch)
    )
    position, rotation = (
        with_batch(handler.convert(call.groups[name], like, working), call.shape) for name in ("position", "rotation")
    )
    if _wants_gradient(call):
        moved = limb._chain_answer("step", angles, position, rotation)
        angles = handler.module().where((cost < BEYOND_LIMIT)[..., None], moved, angles)
    return RobotSolution(limb, position, rotation, angles, handler.small_integers(branch), cost, call.library)


def _solution(limb: RobotLimb, call: Call, placed: Any, branch: Any, signs: Any) -> RobotSolution:
    """The solution from angles and cost, (..., n + 1), without gradients, and the signs of their branches."""
    family = limb._family
    handler = HANDLERS[call.library or ""]
    like = _like(call)
    position, rotation = (
        with_batch(handler.convert(call.groups[name], like, handler.working(call.dtype)), call.shape)
        for name in ("position", "rotation")
    )
    angles = placed[..., :-1]
    for _ in range(family.steps - 1):
        angles = _detached(limb._chain_answer("step", angles, _detached(position), _detached(rotation)))
    if family.steps:
        angles = limb._chain_answer("step", angles, position, rotation)
    elif _wants_gradient(call):
        groups = {**family.groups, "position": position, "rotation": rotation, "signs": signs}
        found = _run(limb, "branch", groups, tuple(placed.shape[:-1]), call)[..., :-1]
        angles = found + _detached(angles - found)  # whole turns
    return RobotSolution(limb, position, rotation, angles, branch, placed[..., -1], call.library)


def _every_branch(limb: RobotLimb, call: Call) -> Any:
    """Angles and cost of every branch, (branches, ..., n + 1), without gradients."""
    family = limb._family
    groups = {name: group if type(group) is tuple else _detached(group) for name, group in call.groups.items()}
    found = []
    for signs in family.signs:
        found.append(_run(limb, "placed", {**family.groups, **groups, "signs": signs}, call.shape, call))
    return HANDLERS[call.library or ""].pile([_detached(one) for one in found])


def _run(limb: RobotLimb, answer: str, groups: dict[str, Any], shape: tuple[int, ...], call: Call) -> Any:
    layout = limb._family.layout
    return tensor_dispatch.run(call.library or "", layout.program, answer, layout.flags, groups, shape, call.dtype)


def _taken(placed: Any, branch: Any) -> Any:
    """Of (branches, ..., numbers) the numbers of one branch in each row."""
    index = branch[None, ..., None]
    if library_of(placed) == "jax":
        import jax.numpy

        return jax.numpy.take_along_axis(placed, index, 0)[0]
    return placed.take_along_dim(index, 0)[0]


def _like(call: Call) -> Any:
    return next(group for group in call.groups.values() if library_of(group))


def _converted(numbers: Any, call: Call) -> Any:
    handler = HANDLERS[call.library or ""]
    return handler.convert(list(numbers), _like(call), handler.working(call.dtype))


def _detached(value: Any) -> Any:
    if library_of(value) == "jax":
        import jax

        return jax.lax.stop_gradient(value)
    return value.detach() if library_of(value) else value


def _wants_gradient(call: Call) -> bool:
    if call.library == "jax":
        return True
    import torch

    tensors = (group for group in call.groups.values() if isinstance(group, torch.Tensor))
    return torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
