"""Systems of five diagonals, against dense ones."""

import numpy as np
import pytest

from limbik.grounding.banded import applied, bending, scaled, solved


def dense(system):
    count = system.shape[1]
    matrix = np.diag(system[0])
    for k in (1, 2):
        matrix += np.diag(system[k, : count - k], k) + np.diag(system[k, : count - k], -k)
    return matrix


@pytest.mark.parametrize("count", [3, 4, 47, 48, 49, 50, 97, 300])
def test_systems_agree_with_dense_ones(count):
    rng = np.random.default_rng(count)
    weights, factors, values = rng.uniform(0.0, 9.0, count - 2), rng.normal(size=count), rng.normal(size=count)
    differences = np.diff(np.eye(count), 2, axis=0)
    expected = differences.T @ np.diag(weights) @ differences
    system = bending(weights)
    assert np.allclose(dense(system), expected)
    expected = np.diag(factors) @ expected @ np.diag(factors)
    system = scaled(system, factors)
    assert np.allclose(dense(system), expected)
    assert np.allclose(applied(system, values), expected @ values)
    system[0] += 0.1
    assert np.allclose(solved(system, values), np.linalg.solve(expected + 0.1 * np.eye(count), values))
