"""Rows as lines of text: numbers, words, and what stands between them, put together for thousands of rows at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from limbik.files.decimals import WIDTH, decimals
from limbik.files.table_rows import Array

NUMBERS = 1 << 15  # that are put together at a time: more would leave the processor's cache


class Line:
    """How a row is written.

    before: what stands before each column. end: what ends the line. missing: what stands for NaN.
    words: the columns whose numbers stand for words, and the words.
    """

    def __init__(
        self,
        columns: Sequence[str],
        words: Mapping[str, Sequence[str]],
        before: Sequence[bytes],
        end: bytes,
        missing: bytes,
    ) -> None:
        self._before = [np.frombuffer(text, np.uint8) for text in before]
        self._end = np.frombuffer(end, np.uint8)
        self._missing = missing
        self._words = {k: _slots(words[name]) for k, name in enumerate(columns) if name in words}

    def texts(self, values: Array) -> Iterator[bytes]:
        """The lines of rows of values (rows, columns), some at a time."""
        step = max(1, NUMBERS // max(1, values.shape[1]))
        for start in range(0, len(values), step):
            yield self._text(values[start : start + step])

    def _text(self, values: Array) -> bytes:
        rows, columns = values.shape
        flat = np.ascontiguousarray(values, np.float64).ravel()
        numbers = decimals(flat, self._missing).reshape(rows, columns, WIDTH)
        parts = []
        for k, before in enumerate(self._before):
            parts.append(np.broadcast_to(before, (rows, len(before))))
            words = self._words.get(k)
            parts.append(numbers[:, k] if words is None else words[values[:, k].astype(np.intp)])
        parts.append(np.broadcast_to(self._end, (rows, len(self._end))))
        return np.concatenate(parts, axis=1).tobytes().translate(None, b"\0")


def _slots(words: Sequence[str]) -> Array:
    """Words as ASCII, (words, longest), with 0 after the shorter ones."""
    encoded = [word.encode() for word in words]
    longest = max(map(len, encoded))
    return np.array([list(word.ljust(longest, b"\0")) for word in encoded], np.uint8)
