"""1 − e^(−a) without an exponential: exact to a few roundings, and the same bits on every engine."""

import numpy as np
import pytest

from limbik.engines import numpy_engine, scalar_engine
from limbik.engines.trace import record
from limbik.formulas.elementary import approach

TRACE = record(lambda a: approach(a[0]), {"a": 1}, {}, rare=True, name="approach")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_approach(dtype):
    a = np.concatenate([10.0 ** np.linspace(-30, 3, 3000), np.linspace(0, 45, 3000)]).astype(dtype)
    found = numpy_engine.function(TRACE, np.dtype(dtype), None)(a)[0]
    assert found.dtype == dtype
    exact = -np.expm1(-a.astype(float))
    assert np.abs(found - exact).max(initial=0.0, where=a > 0) <= 4 * np.finfo(dtype).eps
    assert np.all(np.abs(found - exact) <= 4 * np.finfo(dtype).eps * exact)
    if dtype == "float64":
        floats = scalar_engine.function(TRACE, None)
        assert [floats(one)[0] for one in a.tolist()] == found.tolist()
