"""Decimal text to numbers, for files too large to read otherwise.

One function, since Numba compiles it from its text alone (see `motion`), and bare comparisons, since they are fastest.
"""

import numpy as np

POWERS = np.array([10.0**k for k in range(23)])  # those that a double holds exactly


def kernel(text, start, columns, values):
    """Reads lines of `columns` decimals from text[start:] into rows of values; blank lines are none.

    Stops at the first line that holds anything else, and returns where it stopped and how many rows there are before.
    Numbers are rounded as Python rounds them, but for digits after the eighteenth, which are left out.
    """
    at, row, end = start, 0, len(text)
    while at < end:
        line, column = at, 0
        while True:
            while at < end and (text[at] == 32 or text[at] == 9 or text[at] == 13):
                at += 1
            if at == end or text[at] == 10:
                break
            if column == columns:
                return line, row
            negative = text[at] == 45
            if negative or text[at] == 43:
                at += 1
            mantissa, digits, scale, first = 0, 0, 0, at
            while at < end and 48 <= text[at] <= 57:
                if digits < 18:
                    mantissa = mantissa * 10 + text[at] - 48
                    digits += mantissa > 0
                else:
                    scale += 1
                at += 1
            seen = at - first
            if at < end and text[at] == 46:
                at += 1
                first = at
                while at < end and 48 <= text[at] <= 57:
                    if digits < 18:
                        mantissa = mantissa * 10 + text[at] - 48
                        digits += mantissa > 0
                        scale -= 1
                    at += 1
                seen += at - first
            if seen == 0:
                return line, row
            if at < end and (text[at] == 101 or text[at] == 69):
                at += 1
                sign = 1
                if at < end and (text[at] == 45 or text[at] == 43):
                    sign = -1 if text[at] == 45 else 1
                    at += 1
                first, exponent = at, 0
                while at < end and 48 <= text[at] <= 57 and exponent < 10000:
                    exponent = exponent * 10 + text[at] - 48
                    at += 1
                if at == first:
                    return line, row
                scale += sign * exponent
            if at < end and not (text[at] == 32 or text[at] == 9 or text[at] == 13 or text[at] == 10):
                return line, row
            high = np.float64(mantissa)
            if mantissa == 0:
                number = 0.0
            elif mantissa < 9007199254740992 and -22 <= scale <= 22:
                number = high * POWERS[scale] if scale >= 0 else high / POWERS[-scale]
            elif -22 <= scale < 0:
                # The quotient, corrected by what is left of the division: the product is split as Dekker does.
                power = POWERS[-scale]
                number = high / power
                product = number * power
                a = number * 134217729.0
                a -= a - number
                b = power * 134217729.0
                b -= b - power
                lost = ((a * b - product) + a * (power - b) + (number - a) * b) + (number - a) * (power - b)
                number += ((high - product) - lost + np.float64(mantissa - np.int64(high))) / power
            else:
                return line, row
            values[row, column] = -number if negative else number
            column += 1
        at += 1
        if column == columns:
            row += 1
        elif column > 0:
            return line, row
    return end, row
