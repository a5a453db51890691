"""A page's numbers: whole numbers that change little from row to row, so that they compress well."""

from __future__ import annotations

import base64
import json
import zlib
from math import prod
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError

LARGEST = 2.0**29  # steps, whose second differences are whole numbers of 32 bits


class Packer:
    """Collects arrays and files; each method returns a description that tells the page where to find them."""

    def __init__(self) -> None:
        self._data = bytearray()

    def array(self, name: str, array: Array, step: float | None = None, order: int = 1) -> dict[str, Any]:
        """Numbers (rows, ...), rounded to multiples of `step`, or whole ones.

        order: what is kept, 0 for the numbers, 1 for their differences from row to row, 2 for those of the differences,
        which are least where numbers change evenly. name: what they are, for the error.
        """
        rows = array.reshape(len(array), prod(array.shape[1:]))
        steps = np.asarray(rows, float) / (step or 1.0)
        if not np.all(np.abs(steps) < LARGEST):
            raise ArgumentError(name, "numbers that are not finite, or very large", "metres of a world to look at")
        codes = _codes(np.rint(steps).astype(np.int32), order).T
        planes = max(1, (int(codes.max(initial=0)).bit_length() + 7) // 8)
        at = len(self._data)
        for plane in range(planes):
            self._data += (codes >> (8 * plane)).astype(np.uint8).tobytes()
        place = {"at": at, "rows": len(rows), "columns": rows.shape[1], "planes": planes, "order": order}
        return place if step is None else {**place, "step": step}

    def file(self, data: bytes, kind: str) -> dict[str, Any]:
        """A file, such as an image. kind: its media type."""
        self._data += data
        return {"at": len(self._data) - len(data), "length": len(data), "type": kind}

    def finished(self, content: dict[str, Any]) -> str:
        """All of it and what it means, as text that can stand anywhere in a page."""
        text = json.dumps(content, separators=(",", ":"), allow_nan=False).encode()
        whole = len(text).to_bytes(4, "little") + text + self._data
        return base64.b64encode(zlib.compress(whole, 9)).decode()


def _codes(numbers: Array, order: int) -> Array:
    """Differences as numbers without a sign: even ones for 0 and above, odd ones below."""
    for _ in range(order):
        numbers = np.diff(numbers, axis=0, prepend=np.zeros_like(numbers[:1]))
    return ((numbers << 1) ^ (numbers >> 31)).view(np.uint32)
