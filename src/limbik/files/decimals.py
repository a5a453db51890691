"""Numbers as decimal text, many at once: every one reads back as the very same number.

Python formats a float in about half a microsecond, which for a table of millions is most of the time it takes to write.
Here a whole array is turned into digits by array arithmetic. Each number is laid into a row of fixed slots,

    - 0 . 0 0 0 0  d . d . d . d . d . d .  d d d d d d d d d d d  e ± n n

and a table says which of them are seen, for each decimal exponent and each count of digits. A number is written with 15
digits where they read back as it (and it is not below 1e-8), and with 17 otherwise, less trailing zeros.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from limbik.arrays import Array

DIGITS = 17  # enough to tell any two doubles apart
SHORT = 15  # as many as any decimal keeps on its way through a double
ZEROS = 4  # leading zeros that are written out: 0.00001234, and 1.234e-06 beyond
WHOLE = 6  # digits that may stand before the point: 123456.7, and 1.2345678e+06 beyond
SMALLEST, LARGEST = -28, 28  # the decimal exponents that the arithmetic covers; repr writes the rare others

_LEAD = 1  # slots: the sign, then these
_BODY = _LEAD + 2 + ZEROS
_TAIL = _BODY + 2 * WHOLE
_EXPONENT = _TAIL + DIGITS - WHOLE
WIDTH = _EXPONENT + 4

_SCIENTIFIC = ZEROS + 1 + WHOLE  # the table of seen slots has a row for each exponent from −ZEROS − 1, then this one


def decimals(values: Array, missing: bytes = b"") -> Array:
    """The numbers (n,) as ASCII in slots, (n, WIDTH) of uint8: 0 where one is empty, `missing` for NaN and infinity."""
    size = np.abs(values)
    with np.errstate(invalid="ignore"):
        usual = (size >= 10.0**SMALLEST) & (size < 10.0**LARGEST)
    digits, exponent = _digits(np.where(usual, size, 1.0))
    shown = _shown(digits, exponent, size)
    zero = size == 0
    digits[zero], shown[zero] = 0, 1
    row = np.where((exponent >= -ZEROS - 1) & (exponent < WHOLE), exponent + ZEROS + 1, _SCIENTIFIC)
    slots = _laid_out(digits, exponent, np.signbit(values))
    slots &= _SEEN.take(row * (DIGITS + 1) + shown, axis=0)
    for k in np.flatnonzero(~usual & ~zero):
        text = repr(float(values[k])).encode() if np.isfinite(values[k]) else missing
        slots[k] = np.frombuffer(text.ljust(WIDTH, b"\0"), np.uint8)
    return slots


def _digits(size: Array) -> tuple[Array, Array]:
    """The decimal exponents e and the 17 digits, as integers, of positive numbers: size ≈ digits · 10^(e − 16)."""
    exponent = np.floor(np.log10(size)).astype(np.int64)
    digits = _scaled(size, exponent)
    # The logarithm may err by one beside a power of ten.
    for wrong, step in ((digits >= 10**DIGITS, 1), (digits < 10 ** (DIGITS - 1), -1)):
        if wrong.any():
            exponent[wrong] += step
            digits[wrong] = _scaled(size[wrong], exponent[wrong])
    return digits, exponent


def _scaled(size: Array, exponent: Array) -> Array:
    """The integer nearest to size · 10^(16 − exponent): the product is worked out to twice a double's precision."""
    power = DIGITS - 1 - _FIRST_POWER - exponent
    high, low = _POWERS[0].take(power), _POWERS[1].take(power)
    product = size * high
    a, b = _halves(size)
    c, d = _halves(high)
    lost = ((a * c - product) + a * d + b * c) + b * d  # what rounding the product lost, exactly (Dekker)
    return product.astype(np.int64) + np.rint(lost + size * low).astype(np.int64)


def _halves(number: Array) -> tuple[Array, Array]:
    """Two numbers of half a double's digits each that sum to the number."""
    shifted = number * (2.0**27 + 1)
    upper = shifted - (shifted - number)
    return upper, number - upper


def _shown(digits: Array, exponent: Array, size: Array) -> Array:
    """How many digits to write; rounds `digits` in place where 15 of them are enough."""
    cut = 10 ** (DIGITS - SHORT)
    rounded = (digits + cut // 2) // cut
    # A quotient of two integers that doubles hold exactly is rounded once, as reading the text would round it.
    short = rounded / _EXACT_POWERS.take(exponent - SMALLEST) == size
    np.copyto(digits, rounded * cut, where=short)
    shown = np.full(len(digits), DIGITS)
    shorter = np.flatnonzero(digits % 10 == 0)
    shown[shorter] -= _trailing_zeros(digits[shorter])
    return shown


def _trailing_zeros(digits: Array) -> Array:
    count = np.zeros(len(digits), np.int64)
    for step in (8, 4, 2, 1, 1):
        divides = digits % 10**step == 0
        digits = np.where(divides, digits // 10**step, digits)
        count += step * divides
    return count


def _laid_out(digits: Array, exponent: Array, negative: Array) -> Array:
    """Every slot filled, (n, WIDTH), as if all were seen."""
    slots = _TEMPLATES.take(exponent - SMALLEST, axis=0)
    slots[:, 0] *= negative
    first = digits // 10 ** (DIGITS - 1)  # stands alone, and the others come four at a time
    rest = digits - first * 10 ** (DIGITS - 1)
    fours = np.empty((len(digits), 4), np.uint32)
    for k in (3, 2, 1, 0):
        above = rest // 10**4
        fours[:, k] = _FOURS.take(rest - above * 10**4)
        rest = above
    others = fours.view(np.uint8)
    slots[:, _BODY] = first + ord("0")
    slots[:, _BODY + 2 : _TAIL : 2] = others[:, : WHOLE - 1]
    slots[:, _TAIL:_EXPONENT] = others[:, WHOLE - 1 :]
    return slots


def _seen(row: int, shown: int) -> list[int]:
    """The slots that are seen, for a row of the table and a count of digits."""
    if row == _SCIENTIFIC:
        exponent, slots = 0, list(range(_EXPONENT, WIDTH))
    else:
        exponent, slots = row - ZEROS - 1, []
        shown = max(shown, exponent + 2)  # 12.0, not 12: a column of decimals stays one
    if exponent < 0:
        slots += range(_LEAD, _LEAD + 1 - exponent)
    elif shown > exponent + 1:
        slots.append(_BODY + 2 * exponent + 1)
    slots += (_BODY + 2 * k if k < WHOLE else _TAIL + k - WHOLE for k in range(min(shown, DIGITS)))
    return [0, *slots]


def _seen_table() -> Array:
    table = np.zeros((_SCIENTIFIC + 1, DIGITS + 1, WIDTH), np.uint8)
    for row in range(_SCIENTIFIC + 1):
        for shown in range(1, DIGITS + 1):
            table[row, shown, _seen(row, shown)] = 0xFF
    return table.reshape(-1, WIDTH)


def _power(exponent: int) -> tuple[float, float]:
    """A power of ten as two doubles that sum to it."""
    exact = Fraction(10) ** exponent
    return float(exact), float(exact - Fraction(float(exact)))


_FIRST_POWER = DIGITS - 1 - LARGEST - 1
_POWERS = np.array([_power(k) for k in range(_FIRST_POWER, DIGITS + 1 - SMALLEST)]).T
# 10^(14 − e) where a double holds it exactly, to divide 15 digits by
_EXACT_POWERS = np.array(
    [10.0 ** (SHORT - 1 - e) if 0 <= SHORT - 1 - e <= 22 else np.nan for e in range(SMALLEST, LARGEST + 1)]
)
_FOURS = np.frombuffer("".join(f"{k:04d}" for k in range(10**4)).encode(), np.uint32)
_TEMPLATES = np.array(
    [
        list(b"-0." + b"0" * ZEROS + b"0." * WHOLE + b"0" * (DIGITS - WHOLE) + f"e{e:+03d}".encode())
        for e in range(SMALLEST, LARGEST + 1)
    ],
    np.uint8,
)
_SEEN = _seen_table()
