"""Robot limbs on tensors of torch and JAX: angles found without gradients, and then their derivative.

Where the numbers lie in this machine's memory, NumPy's solver finds the angles (`array_solving.py`). On other devices,
and where only operations are recorded, as under `jax.jit`, tensors find them (`device_solving.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import library_of
from limbik.engines import dispatch, torch_kernels
from limbik.limbs.inputs import with_batch
from limbik.robots.answer_slopes import Found, Wanted, with_slopes
from limbik.robots.array_solving import SolveArguments, branches_of_arrays, solve_arrays
from limbik.robots.device_solving import solve_on_device
from limbik.robots.robot_solution import RobotSolution

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

Tensor = Any  # torch.Tensor | jax.Array, neither of which need be installed
Solver = Callable[["RobotLimb", SolveArguments], RobotSolution]  # on NumPy


def solve_tensors(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """The best answer for each row."""
    return _solve(limb, arguments, solve_arrays, every=False)


def branches_of_tensors(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """Every branch of each row."""
    return _solve(limb, arguments, branches_of_arrays, every=True)


def _solve(limb: RobotLimb, arguments: SolveArguments, on_arrays: Solver, *, every: bool) -> RobotSolution:
    handler = arguments.handler
    given = {name: _full(arguments, name) for name in arguments.inputs}
    numbers = {name: _detach(one) for name, one in given.items()}
    if _are_arrays(arguments.library, numbers):
        angles, cost, branch = _solve_on_arrays(limb, arguments, numbers, on_arrays)
    else:
        angles, cost, branch = _solve_on_device(limb, arguments, numbers, every=every)
    if _wants_gradient(arguments):
        angles = _move_with(limb, arguments, angles, cost, branch, given, every)
    angles = handler.cast(angles, arguments.dtype)
    position, rotation = given["position"], given["rotation"]
    return RobotSolution(limb, position, rotation, angles, handler.small_integers(branch), cost, arguments.library)


def _solve_on_arrays(
    limb: RobotLimb, arguments: SolveArguments, numbers: dict[str, Tensor], on_arrays: Solver
) -> tuple[Tensor, Tensor, Tensor]:
    """Angles, costs and branches by NumPy."""
    handler, dtype = arguments.handler, np.dtype(arguments.working)
    arrays = {name: handler.numpy(one).astype(dtype, copy=False) for name, one in numbers.items()}
    found = on_arrays(limb, SolveArguments(arrays, arguments.shape, None, dtype, arguments.near_given))
    parts = (np.array(one, order="C") for one in (found.angles, found.cost, found.branch))
    angles, cost, branch = (handler.convert(one, arguments.like, arguments.working) for one in parts)
    return angles, cost, branch


def _solve_on_device(
    limb: RobotLimb, arguments: SolveArguments, numbers: dict[str, Tensor], *, every: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Angles, costs and branches by tensors; those of JAX are compiled."""
    if arguments.library == "torch":
        return solve_on_device(limb, arguments._replace(inputs=numbers), every=every)
    return _compiled(limb, every, arguments.shape, arguments.near_given, dispatch.chosen())(numbers)


@lru_cache(maxsize=64)
def _compiled(limb: RobotLimb, every: bool, shape: tuple[int, ...], near_given: bool, engine: str | None) -> Any:
    """A function from JAX arrays to angles, costs and branches; `engine` is that of an enclosing `dispatch.use`."""
    import jax

    def solve(numbers: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        arguments = SolveArguments(numbers, shape, "jax", numbers["near"].dtype, near_given)
        return solve_on_device(limb, arguments, every=every)

    return jax.jit(solve)


def _are_arrays(library: str | None, numbers: dict[str, Tensor]) -> bool:
    """Whether these tensors without gradients are plain numbers in this machine's memory."""
    if dispatch.chosen() == "operations":
        return False
    if library == "torch":
        return torch_kernels.eager() and all(one.device.type == "cpu" for one in numbers.values())
    from jax.core import Tracer

    return not any(isinstance(one, Tracer) or one.device.platform != "cpu" for one in numbers.values())


def _move_with(
    limb: RobotLimb,
    arguments: SolveArguments,
    angles: Tensor,
    cost: Tensor,
    branch: Tensor,
    given: dict[str, Tensor],
    every: bool,
) -> Tensor:
    """The angles with their derivative."""
    family, shape = limb.closed_form, tuple(angles.shape[:-1])
    near = given["near"] if arguments.near_given else None
    swivel = given["swivel"][..., 0] if "swivel" in given else None
    if every and near is not None and swivel is None and family.layout.has_swivel:
        swivel, near = limb.swivel(near), None  # the swivel of all branches differs from that of `near` by a constant
    wanted = [given["position"], given["rotation"], near, None if swivel is None else swivel[..., None]]
    position, rotation, near, swivel = (None if one is None else with_batch(one, shape) for one in wanted)
    swivel = None if swivel is None else swivel[..., 0]
    closed = arguments.handler.cast(branch >= 0, angles.dtype)
    found = Found(cost, closed, rests=not every or not family.branches)
    return with_slopes(limb, angles, found, Wanted(position, rotation, near, swivel))


def _full(arguments: SolveArguments, name: str) -> Tensor:
    """An argument as a tensor with the batch's shape."""
    one = arguments.handler.convert(arguments.inputs[name], arguments.like, arguments.working)
    return with_batch(one, arguments.shape)


def _detach(value: Tensor) -> Tensor:
    """A tensor without gradients."""
    if library_of(value) == "jax":
        import jax

        return jax.lax.stop_gradient(value)
    return value.detach()


def _wants_gradient(arguments: SolveArguments) -> bool:
    if arguments.library == "jax":
        from jax.core import Tracer

        return any(isinstance(one, Tracer) for one in arguments.inputs.values())
    import torch

    tensors = (one for one in arguments.inputs.values() if isinstance(one, torch.Tensor))
    return torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
