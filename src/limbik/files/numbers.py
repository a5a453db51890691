"""Numbers in text files. All formats share one rule: what is a number in one file is a number in every other."""

from __future__ import annotations

import io
from array import array

import numpy as np

from limbik.arrays import Array


def number(word: bytes) -> float:
    """The number that an ASCII word spells; blanks around it are ignored. Raises ValueError where it is not a number.

    Python alone would also take 1_000, which no other program writes.
    """
    if b"_" in word:
        raise ValueError(f"{word!r} is not a number")
    return float(word)


def read_lines(text: bytes, columns: int, separator: bytes | None = None) -> Array | None:
    """The numbers of lines of text, (lines, columns); None where a line does not hold exactly that many numbers.

    Blank lines are skipped. separator: what stands between numbers (default: blanks).
    """
    if b"_" in text or not columns:
        return None
    values = array("d")
    try:
        for line in io.BytesIO(text):
            words = line.split(separator)
            if len(words) == columns:
                values.extend(map(float, words))
            elif words and line.strip():
                return None
    except ValueError:
        return None
    return np.array(values).reshape(-1, columns)
