"""Solutions as pytrees: so `jax.jit`, `jax.vmap` and torch's function transforms can take and return them."""

from __future__ import annotations

import sys
from typing import Any

from limbik.arrays import common_library, library_of
from limbik.limbs.inputs import batch_shape, with_batch

_registered: set[str] = set()


def register_pytrees(*libraries: str | None) -> bool:
    """Registers Solution and its subclasses with JAX or torch; by default with those that have been imported."""
    for library in libraries or ("jax", "torch"):
        if library in sys.modules and library not in _registered:
            from limbik.limbs.branches import Branches
            from limbik.limbs.solution import Solution
            from limbik.limbs.track import Track

            _registered.add(library)
            for kind in (Solution, Branches, Track):
                _register(library, kind)
    return True


# torch.compile calls it while tracing instead of tracing it; this is what torch.compiler.assume_constant_result sets.
register_pytrees._dynamo_marked_constant = True  # type: ignore[attr-defined]


def _register(library: str, kind: Any) -> None:
    if library == "jax":
        from jax.tree_util import register_pytree_node

        register_pytree_node(kind, flatten, unflatten)
    else:
        from torch.utils import _pytree

        flat: Any = flatten
        _pytree.register_pytree_node(kind, flat, lambda leaves, context: unflatten(context, leaves))


def flatten(solution: Any) -> tuple[tuple[Any, ...], Any]:
    """The arrays of a solution, each input once and with the batch's shape, and everything else, which is hashable."""
    if "_tree" in vars(solution):
        return solution._tree
    solution._check()
    leaves: list[Any] = []
    places: dict[int, int] = {}

    def place(value: Any) -> Any:
        if type(value) is tuple:
            return value
        if id(value) not in places:
            places[id(value)] = len(leaves)
            leaves.append(with_batch(value, solution.shape))
        return places[id(value)]

    values = solution._values
    plans = solution._plans
    placed = tuple(place(value) for value in values)
    attributes = {name: getattr(solution, name, None) for name in ("_after", "_angles_before", "_states", "_step")}
    kept = {**attributes, **(solution._answers if solution._library else {})}
    arrays = tuple(name for name, value in kept.items() if value is not None and not isinstance(value, str))
    leaves += [kept[name] for name in arrays]
    program, flags, names, aliases, fixed, limb = plans.inputs.made_of
    if limb is not None and library_of(limb._lengths):
        limb = None  # it may hold tracers
    described = program, flags, names, aliases, tuple(fixed.items()), limb
    return tuple(leaves), ((type(solution), described, solution.dtype, attributes["_step"]), placed, arrays)


def unflatten(context: Any, leaves: Any) -> Any:
    """A solution from its arrays, or from what a transform has put in their place."""
    from limbik.limbs.calls import Call, Inputs, TensorPlans
    from limbik.limbs.solution import solution_of_call

    (kind, (program, flags, names, aliases, fixed, limb), dtype, step), placed, arrays = context
    leaves = list(leaves)
    values = [value if type(value) is tuple else leaves[value] for value in placed]
    inputs = limb._inputs[flags] if limb is not None else Inputs(program, flags, names, aliases, dict(fixed), None)
    if not all(type(value) is tuple or hasattr(value, "shape") for value in values):
        # Placeholders of a transform: no more than their structure is of use.
        solution = kind(inputs.one, (), ())
        solution._tree = tuple(leaves), context
        return solution
    shape = batch_shape(dict(zip(names, values, strict=True)))
    library = common_library(values)
    if library:
        solution = kind(TensorPlans(inputs, library, dtype), shape, values)
    else:
        solution = solution_of_call(inputs, Call(values, shape, dtype, None), kind=kind)
    if step is not None:
        solution._step = step
    for name, value in zip(arrays, leaves[len(leaves) - len(arrays) :], strict=True):
        if name.startswith("_"):
            setattr(solution, name, value)
        else:
            solution._answers[name] = value
    return solution
