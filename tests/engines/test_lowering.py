"""What `straight_line` writes for each operation gives the same bits as NumPy, also for NaN, infinities and zeros."""

import itertools

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from limbik.engines.numba_lowering import straight_line  # noqa: E402

HALF = np.float64(0.5)
REAL = [
    ("a + b", lambda a, b: a + b),
    ("a - b", lambda a, b: a - b),
    ("a * b", lambda a, b: a * b),
    ("a / b", lambda a, b: a / b),
    ("-a", lambda a, b: -a),
    ("abs(a)", lambda a, b: np.abs(a)),
    ("sqrt(a)", lambda a, b: np.sqrt(a)),
    ("floor(a)", lambda a, b: np.floor(a)),
    ("select(signbit(a), HALF, b)", lambda a, b: np.where(np.signbit(a), a.dtype.type(0.5), b)),
    ("select(~((a < b) | (a == b)), real(3.0), b)", lambda a, b: np.where(~((a < b) | (a == b)), a.dtype.type(3), b)),
]
CONDITIONS = [
    ("a < b", np.less),
    ("a <= b", np.less_equal),
    ("a > b", np.greater),
    ("a >= b", np.greater_equal),
    ("a == b", np.equal),
    ("a != b", np.not_equal),
    ("(a < b) & (a != b)", lambda a, b: (a < b) & (a != b)),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_operation_gives_the_bits_of_numpy(dtype):
    tiny = np.finfo(dtype).smallest_subnormal
    numbers = np.array([0.0, -0.0, 1.0, -1.5, 1 / 3, 1e30, tiny, -tiny, np.inf, -np.inf, np.nan], dtype)
    a, b = (np.ascontiguousarray(side) for side in np.array(list(itertools.product(numbers, numbers)), dtype).T)
    scope = {"straight_line": straight_line, "HALF": HALF}
    results = ", ".join(text for text, _ in [*REAL, *CONDITIONS])
    line = f"@straight_line(outputs={len(REAL)}, conditions={len(CONDITIONS)})\ndef row(a, b):\n    return ({results})"
    exec(line, scope)
    row = scope["row"]
    rows = numba.njit(lambda a, b: [row(a[i], b[i]) for i in range(len(a))])
    columns = list(zip(*rows(a, b), strict=True))
    with np.errstate(all="ignore"):
        for (text, expected), column in zip([*REAL, *CONDITIONS], columns, strict=True):
            right = np.asarray(expected(a, b))
            got = np.asarray(column, right.dtype)  # Python's floats, which hold a float32 exactly
            np.testing.assert_array_equal(got, right, err_msg=text)
            if right.dtype == dtype:
                known = ~np.isnan(right)
                np.testing.assert_array_equal(np.signbit(got)[known], np.signbit(right)[known], err_msg=text)


def test_multiply_add_rounds_once():
    scope = {"straight_line": straight_line}
    exec("@straight_line(outputs=1, conditions=0)\ndef row(a, b, c):\n    return (multiply_add(a, b, c),)", scope)
    row = scope["row"]
    a, b = 1 + 2.0**-30, 1 - 2.0**-30
    assert numba.njit(lambda a, b, c: row(a, b, c)[0])(a, b, -1.0) == -(2.0**-60)
    assert a * b - 1.0 == 0.0  # with two roundings
