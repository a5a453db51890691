"""Runs a limb's method on each engine: plain floats row by row, NumPy and Numba on the whole batch."""

import numpy as np

from limbik.engines import dispatch

ENGINES = ("floats", "numpy", "numba")
DTYPES = ("float64", "float32")
SHAPES = ((), (1,), (3, 1, 2), (0,))


class Rows:
    """ScalarSolution solutions looked at as a batch."""

    def __init__(self, solutions, shape):
        self._solutions = solutions
        self._shape = shape

    def __getattr__(self, name):
        values = [getattr(one, name) for one in self._solutions]
        stacked = np.array(values)
        return stacked.reshape((*self._shape, *stacked.shape[1:]))


def run(engine, method, dtype, arrays, **options):
    """`method(**arrays, **options)` on an engine; arrays (..., k) of one batch shape are passed in the dtype."""
    typed = {name: np.asarray(value).astype(dtype) for name, value in arrays.items()}
    if engine == "floats":
        shape = next(iter(typed.values())).shape[:-1]
        flat = {name: value.reshape(-1, value.shape[-1]) for name, value in typed.items()}
        rows = len(next(iter(flat.values())))
        if rows == 0:
            return method(**typed, **options)
        return Rows([method(**{k: v[i] for k, v in flat.items()}, **options) for i in range(rows)], shape)
    with dispatch.use(engine):
        solution = method(**typed, **options)
        for name in ("joints", "angles", "rotations", "status"):
            getattr(solution, name, None)  # worked out here, on this engine, and kept
    return solution
