"""JAX arrays on a machine that has a GPU and jax-triton: answers and gradients are those of the CPU."""

import numpy as np
import pytest

from limbik.engines import jax_kernels
from tests.engines.jax_calls import calls_of
from tests.engines.test_gradients import CASES
from tests.optional import double_precision, optional

jax = optional("jax")
if jax.default_backend() != "gpu":
    pytest.skip("no CUDA device", allow_module_level=True)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("dtype", "near"), [("float64", 1e-13), ("float32", 1e-5)])
def test_answers_and_gradients_are_those_of_the_cpu(case, dtype, near):
    limb, options = CASES[case]
    with double_precision(jax, dtype == "float64"):
        for call, arrays in calls_of(limb, options, dtype, count=3000):
            expected = jax_kernels.on_host(call, *arrays)
            compiled = jax.jit(lambda *given, call=call: jax_kernels.on_gpu(call, *given)).lower(*arrays).compile()
            assert "triton_kernel_call" in compiled.as_text()
            found = compiled(*arrays)
            assert np.array_equal(np.isnan(found), np.isnan(expected)), call.answer
            gap = np.nan_to_num(np.abs(np.asarray(found) - expected) / np.maximum(1, np.abs(expected)))
            assert np.quantile(gap, 0.9) < near, call.answer
            if dtype == "float64":  # in float32 rounding alone decides which limit stops a joint, and so the slopes
                assert gap.max() < near**0.5, call.answer
