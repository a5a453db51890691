"""Solutions as pytrees: so `jax.jit`, `jax.vmap` and torch's function transforms can take and return them."""

from __future__ import annotations

import sys
from typing import Any

from limbik.arrays import library_of
from limbik.limbs.inputs import with_batch

_registered: set[str] = set()


def register_pytrees(*libraries: str | None) -> bool:
    """Registers Solution and its subclasses with JAX or torch; by default with those that have been imported."""
    for library in libraries or ("jax", "torch"):
        if library in sys.modules and library not in _registered:
            from limbik.limbs.branches import Branches
            from limbik.limbs.fast_path import ScalarSolution, TensorBatchSolution
            from limbik.limbs.one_frame import FrameTrack
            from limbik.limbs.solution import Solution
            from limbik.limbs.track import Track

            _registered.add(library)
            for kind in (Solution, ScalarSolution, TensorBatchSolution, Branches, Track, FrameTrack):
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
    from limbik.limbs.solution import Solution
    from limbik.limbs.track import Track

    if "_tree" in vars(solution):
        return solution._tree
    solution._check()
    leaves: list[Any] = []
    places: dict[int, int] = {}

    def place(group: Any) -> Any:
        if type(group) is tuple:
            return group
        if id(group) not in places:
            places[id(group)] = len(leaves)
            leaves.append(with_batch(group, solution.shape))
        return places[id(group)]

    inputs = tuple((name, place(group)) for name, group in solution._groups.items())
    attributes = {name: getattr(solution, name, None) for name in ("_after", "_angles_before", "_step")}
    kept = {**attributes, **(solution._answers if solution._library else {})}
    arrays = tuple(name for name, value in kept.items() if value is not None and not isinstance(value, str))
    leaves += [kept[name] for name in arrays]
    limb = solution._limb
    if limb is not None and library_of(limb._lengths):
        limb = None  # it may hold tracers
    general = Track if isinstance(solution, Track) else Solution
    kind = type(solution) if vars(solution).get("_inputs") is not None else general
    fixed = (kind, solution._program, solution._flags, solution._dtype, limb, attributes["_step"])
    return tuple(leaves), (fixed, inputs, arrays)


def unflatten(context: Any, leaves: Any) -> Any:
    """A solution from its arrays, or from what a transform has put in their place."""
    (kind, program, flags, dtype, limb, step), inputs, arrays = context
    leaves = list(leaves)
    groups = {name: group if type(group) is tuple else leaves[group] for name, group in inputs}
    measurable = all(type(group) is tuple or hasattr(group, "shape") for group in groups.values())
    solution = kind(program, groups if measurable else {}, flags, dtype, limb)
    if not measurable:  # placeholders of a transform: no more than their structure is of use
        solution._tree = tuple(leaves), context
        return solution
    if step is not None:
        solution._step = step
    for name, value in zip(arrays, leaves[len(leaves) - len(arrays) :], strict=True):
        if name.startswith("_"):
            setattr(solution, name, value)
        else:
            solution._answers[name] = value
    return solution
