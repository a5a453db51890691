"""Calls of the JAX engine, for tests of its kernels."""

import numpy as np

from limbik.engines import jax_kernels
from limbik.engines.gradients import OUTPUT_GRADIENT
from tests.engines.test_gradients import rows


def calls_of(limb, options, dtype, count):
    """Joints, their gradient and angles, as (call, arrays): singular and invalid rows first."""
    solution = limb.solve(*(point.astype(dtype) for point in rows(limb, 3, count)), **options)
    program, flags, groups = solution._program, solution._flags, solution._groups
    rng = np.random.default_rng(4)
    for answer in ("joints", "angles"):
        names = program.groups_of(answer)
        constants = tuple((name, groups[name]) for name in names if type(groups[name]) is tuple)
        varying = tuple(name for name in names if type(groups[name]) is not tuple)
        shapes = {name: (count, program.all_groups[name]) for name in varying}
        arrays = [np.broadcast_to(groups[name], shapes[name]).astype(dtype) for name in varying]
        call = jax_kernels.Call(program, answer, flags, constants, varying)
        yield call, arrays
        if answer == "joints":
            backward = call.backward(("target",))
            yield backward, [*arrays, rng.normal(size=(count, backward.program.groups[OUTPUT_GRADIENT])).astype(dtype)]
