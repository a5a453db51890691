"""Robot limbs on tensors of torch and JAX, with gradients.

Which branch is the best is decided on numbers without gradients; the angles of that branch are then computed again as
part of the graph. Where Newton steps follow, the last one carries the gradient: that of the implicit function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from limbik.arrays import library_of
from limbik.engines import tensor_dispatch
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64, with_batch
from limbik.robots.array_solving import SolveArguments, branches_of_arrays, solve_arrays
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Tensor = Any  # torch.Tensor | jax.Array, neither of which need be installed


def solve_tensors(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """The best branch of each row."""
    if limb.closed_form.layout.free_parameter:
        return _solve_on_numpy(limb, arguments, solve_arrays)
    every = _every_branch(limb, arguments)
    branch = arguments.handler.module().argmin(every[..., -1], 0)
    signs = _convert(limb.closed_form.signs, arguments)[branch]
    return _as_solution(limb, arguments, _pick_branch(every, branch), branch, signs)


def branches_of_tensors(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """Every branch of each row."""
    family, handler, shape = limb.closed_form, arguments.handler, arguments.shape
    if family.layout.free_parameter:
        return _solve_on_numpy(limb, arguments, branches_of_arrays)
    ones = (1,) * len(shape)
    signs = _convert(family.signs, arguments).reshape(family.branches, *ones, -1)
    numbers = _convert(range(family.branches), arguments).reshape(-1, *ones)
    branch = handler.small_integers(handler.broadcast(numbers, (family.branches, *shape)))
    return _as_solution(limb, arguments, _every_branch(limb, arguments), branch, signs)


def _solve_on_numpy(
    limb: RobotLimb, arguments: SolveArguments, solve: Callable[[RobotLimb, SolveArguments], RobotSolution]
) -> RobotSolution:
    """Families with a free parameter, on NumPy; a Newton step carries the gradient where targets are reached."""
    handler = arguments.handler
    inputs = {name: handler.numpy(one) if library_of(one) else one for name, one in arguments.inputs.items()}
    found = solve(limb, SolveArguments(inputs, arguments.shape, None, FLOAT64, arguments.near_given))
    angles, cost, branch = (
        handler.convert(one.copy(), arguments.like, arguments.working)
        for one in (found.angles, found.cost, found.branch)
    )
    position, rotation = _targets(arguments)
    if _wants_gradient(arguments):
        moved = limb._evaluate_chain("step", angles, position, rotation)
        angles = handler.module().where((cost < BEYOND_LIMIT)[..., None], moved, angles)
    return RobotSolution(limb, position, rotation, angles, handler.small_integers(branch), cost, arguments.library)


def _as_solution(
    limb: RobotLimb, arguments: SolveArguments, numbers: Tensor, branch: Tensor, signs: Tensor
) -> RobotSolution:
    """The solution from angles and cost, (..., n + 1), without gradients, and the signs of their branches."""
    family = limb.closed_form
    position, rotation = _targets(arguments)
    angles = numbers[..., :-1]
    for _ in range(family.newton_steps - 1):
        angles = _detach(limb._evaluate_chain("step", angles, _detach(position), _detach(rotation)))
    if family.newton_steps:
        angles = limb._evaluate_chain("step", angles, position, rotation)
    elif _wants_gradient(arguments):
        inputs = {**family.inputs, "position": position, "rotation": rotation, "signs": signs}
        found = _run(limb, "branch", inputs, tuple(numbers.shape[:-1]), arguments)[..., :-1]
        angles = found + _detach(angles - found)  # whole turns
    return RobotSolution(limb, position, rotation, angles, branch, numbers[..., -1], arguments.library)


def _every_branch(limb: RobotLimb, arguments: SolveArguments) -> Tensor:
    """Angles and cost of every branch, (branches, ..., n + 1), without gradients."""
    family = limb.closed_form
    inputs = {name: one if type(one) is tuple else _detach(one) for name, one in arguments.inputs.items()}
    found = [
        _run(limb, "placed", {**family.inputs, **inputs, "signs": signs}, arguments.shape, arguments)
        for signs in family.signs
    ]
    return arguments.handler.pile([_detach(one) for one in found])


def _run(
    limb: RobotLimb, answer: str, inputs: dict[str, Any], shape: tuple[int, ...], arguments: SolveArguments
) -> Tensor:
    layout = limb.closed_form.layout
    library = arguments.library or ""
    return tensor_dispatch.run(library, layout.program, answer, layout.flags, inputs, shape, arguments.dtype)


def _targets(arguments: SolveArguments) -> tuple[Tensor, Tensor]:
    """Positions and rotations as tensors with the batch's shape."""
    position, rotation = (
        arguments.handler.convert(arguments.inputs[name], arguments.like, arguments.working)
        for name in ("position", "rotation")
    )
    return with_batch(position, arguments.shape), with_batch(rotation, arguments.shape)


def _pick_branch(every: Tensor, branch: Tensor) -> Tensor:
    """Of (branches, ..., numbers) the numbers of one branch in each row."""
    index = branch[None, ..., None]
    if library_of(every) == "jax":
        import jax.numpy

        return jax.numpy.take_along_axis(every, index, 0)[0]
    return every.take_along_dim(index, 0)[0]


def _convert(numbers: Iterable[Any], arguments: SolveArguments) -> Tensor:
    return arguments.handler.convert(list(numbers), arguments.like, arguments.working)


def _detach(value: Any) -> Any:
    """A tensor without gradients; anything else as it is."""
    if library_of(value) == "jax":
        import jax

        return jax.lax.stop_gradient(value)
    return value.detach() if library_of(value) else value


def _wants_gradient(arguments: SolveArguments) -> bool:
    if arguments.library == "jax":
        return True
    import torch

    tensors = (one for one in arguments.inputs.values() if isinstance(one, torch.Tensor))
    return torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
