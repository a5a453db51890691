"""Numbers written as text read back as the very same numbers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from limbik.files.decimals import decimals

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def texts(values, missing=b""):
    return [bytes(row[row != 0]).decode() for row in decimals(np.array(values, float), missing)]


def same(values):
    back = np.array([float(text) for text in texts(values)])
    assert back.tobytes() == np.array(values, float).tobytes()  # the sign of zero, too


@given(arrays(np.float64, st.integers(1, 30), elements=FINITE))
def test_every_finite_number_reads_back(values):
    same(values)


@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(-10, 10)))
def test_numbers_of_everyday_size_read_back(values):
    same(values)


def test_random_bits_of_every_exponent_read_back():
    bits = np.random.default_rng(0).integers(0, 1 << 63, 20_000).view(np.float64)
    same(bits[np.isfinite(bits)])


@pytest.mark.parametrize("shift", [0, -1, 1])
def test_powers_of_ten_and_their_neighbours_read_back(shift):
    powers = np.array([float(f"1e{k}") for k in range(-40, 41)])
    same(powers if shift == 0 else np.nextafter(powers, np.inf * shift))


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 8))
@example(1, 0)
@example(-45, 2)
@example(123456, 0)
def test_a_short_decimal_is_written_as_short(digits, places):
    """What has at most 15 digits, and is not tiny, is written with no more than Python's own shortest form has."""
    value = digits / 10**places
    (text,) = texts([value])
    assert float(text) == value
    mantissa, _, _ = text.partition("e")
    shortest, _, _ = repr(value).partition("e")
    assert len(mantissa.strip("-0").replace(".", "").strip("0")) <= len(
        shortest.strip("-0").replace(".", "").strip("0")
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (-0.45, "-0.45"),
        (180.0, "180.0"),
        (123456.7, "123456.7"),
        (1234567.0, "1.234567e+06"),
        (0.00001, "0.00001"),
        (0.000001, "1e-06"),
        (1 / 3, "0.33333333333333331"),
        (1e300, "1e+300"),
        (5e-324, "5e-324"),
    ],
)
def test_how_numbers_look(value, text):
    assert texts([value]) == [text]


@pytest.mark.parametrize("missing", [b"", b"null"])
def test_nan_and_infinity_are_missing(missing):
    assert texts([np.nan, 1.5, np.inf, -np.inf], missing) == [
        missing.decode(),
        "1.5",
        missing.decode(),
        missing.decode(),
    ]


def test_of_no_numbers_there_is_no_text():
    assert texts([]) == []
