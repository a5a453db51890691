"""Systems of five diagonals, against dense ones."""

import numpy as np
import pytest

from limbik.engines import loading
from limbik.engines.numba_banded import KERNEL, solve_banded
from limbik.grounding.smoothing import multiply_system, scale_system, second_difference_system


def dense(system):
    count = system.shape[1]
    matrix = np.diag(system[0])
    for k in (1, 2):
        matrix += np.diag(system[k, : count - k], k) + np.diag(system[k, : count - k], -k)
    return matrix


@pytest.mark.parametrize("count", [2, 3, 4, 50, 300])
def test_systems_agree_with_dense_ones(count):
    rng = np.random.default_rng(count)
    weights, factors, values = rng.uniform(0.0, 9.0, count - 2), rng.normal(size=count), rng.normal(size=count)
    differences = np.diff(np.eye(count), 2, axis=0)
    expected = differences.T @ np.diag(weights) @ differences
    system = second_difference_system(weights)
    assert np.allclose(dense(system), expected)
    expected = np.diag(factors) @ expected @ np.diag(factors)
    system = scale_system(system, factors)
    assert np.allclose(dense(system), expected)
    assert np.allclose(multiply_system(system, values), expected @ values)
    system[0] += 0.1
    assert np.allclose(solve_banded(system, values), np.linalg.solve(expected + 0.1 * np.eye(count), values))


def test_the_kernel_gives_the_bits_of_floats(monkeypatch):
    """What eliminates is one function, on lists and compiled."""
    rng = np.random.default_rng(0)
    cases = []
    for count in (1, 2, 3, 200):
        system = scale_system(
            second_difference_system(10 ** rng.uniform(-4, 4, max(count - 2, 0)))[:, :count], rng.normal(size=count)
        )
        system[0] += 10 ** rng.uniform(-6, 1, count)
        cases.append((system, rng.normal(size=count)))
    with monkeypatch.context() as patch:
        patch.setattr(loading, "kernels", {})
        patch.setattr(loading, "note", lambda *_: None)
        on_floats = [solve_banded(*case) for case in cases]
    work = loading.loaded(KERNEL)
    assert loading.kernels[KERNEL] is work
    for (system, values), expected in zip(cases, on_floats, strict=True):
        assert np.array_equal(solve_banded(system, values), expected)
        assert np.isfinite(expected).all()
