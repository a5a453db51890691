"""Rows of values as lines of text. Every number is written so that it reads back as the very same number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from limbik.files.table_rows import Array

NUMBERS = 1 << 16  # formatted at a time


class Line:
    """How a row is written.

    before: the text before each column. end: the text after the last one. missing: what stands for NaN and infinity.
    words: the columns whose numbers stand for words, and the words.
    """

    def __init__(
        self,
        columns: Sequence[str],
        words: Mapping[str, Sequence[str]],
        before: Sequence[str],
        end: str,
        missing: str,
    ) -> None:
        self._template = "".join(text.replace("%", "%%") + "%s" for text in before) + end
        self._missing = missing
        self._words = {k: words[name] for k, name in enumerate(columns) if name in words}

    def texts(self, values: Array) -> Iterator[bytes]:
        """The lines of rows of values (rows, columns), some at a time."""
        step = max(1, NUMBERS // max(1, values.shape[1]))
        for start in range(0, len(values), step):
            yield self._text(np.asarray(values[start : start + step], float))

    def _text(self, values: Array) -> bytes:
        rows, columns = values.shape
        texts = list(map(repr, values.ravel().tolist()))
        for place in np.flatnonzero(~np.isfinite(values.ravel())):
            texts[place] = self._missing
        for column, words in self._words.items():
            texts[column::columns] = [words[int(value)] for value in values[:, column]]
        return (self._template * rows % tuple(texts)).encode()
