"""Rows of numbers as lines of text. Every number is written so that it reads back as the very same number.

All formats share one rule: what is a number in one file is a number in every other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

import numpy as np

from limbik.arrays import Array

BLOCK_NUMBERS = 1 << 16  # formatted at a time


def number(word: bytes) -> float:
    """The number that an ASCII word spells; blanks around it are ignored. Raises ValueError where it is none."""
    if b"_" in word:  # Python alone would also take 1_000, which no other program writes
        raise ValueError(f"{word!r} is not a number")
    return float(word)


def number_rows(text: bytes, columns: int, separator: str | None = None) -> Array | None:
    """The numbers of lines, (lines, columns), without blank ones; None where a line holds anything else.

    separator: between numbers, which may then stand in double quotes; None for blanks.
    """
    if not text.strip() or not columns:
        return None if text.strip() else np.empty((0, columns))
    quotes = None if separator is None else '"'
    try:
        lines = text.decode("ascii").split("\n")
        rows = np.loadtxt(lines, delimiter=separator, comments=None, quotechar=quotes, ndmin=2)
    except ValueError:
        return None
    return rows if rows.shape[1] == columns else None


class LineWriter:
    """Writes rows of numbers as lines of text.

    before: the text before each column. end: the text after the last one. missing: what stands for NaN and infinity.
    words: the columns whose numbers stand for words, and the words.
    """

    def __init__(
        self,
        file: BinaryIO,
        columns: Sequence[str],
        words: Mapping[str, Sequence[str]],
        before: Sequence[str],
        end: str,
        missing: str,
    ) -> None:
        self._file = file
        self._template = "".join(text.replace("%", "%%") + "%s" for text in before) + end
        self._missing = missing
        self._words = {k: words[name] for k, name in enumerate(columns) if name in words}

    def write(self, values: Array) -> None:
        """Writes rows of values (rows, columns); a column of words holds their numbers."""
        step = max(1, BLOCK_NUMBERS // max(1, values.shape[1]))
        for start in range(0, len(values), step):
            self._file.write(self._text(np.asarray(values[start : start + step], float)))

    def _text(self, values: Array) -> bytes:
        rows, columns = values.shape
        texts = list(map(repr, values.ravel().tolist()))
        for place in np.flatnonzero(~np.isfinite(values.ravel())):
            texts[place] = self._missing
        for column, words in self._words.items():
            texts[column::columns] = [words[int(value)] for value in values[:, column]]
        return (self._template * rows % tuple(texts)).encode()
