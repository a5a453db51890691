"""Accessors: typed arrays in the binary data of a document, checked against its size before they are read."""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.document import Document, JsonObject

FLOAT = 5126
COMPONENTS = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    FLOAT: np.dtype("<f4"),
}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Accessor(NamedTuple):
    """An accessor whose bytes exist."""

    stored: Array  # (count, components), a view of the file in the file's dtype; zeros where it stores none
    place: str  # in the document, for messages
    largest: int | None  # the integer that means 1 where integers are normalised
    sparse: tuple[Array, Array] | None  # the rows (n,) that have other values, and those (n, components)

    def values(self) -> Array:
        """The numbers, (count, components), as float64."""
        with np.errstate(invalid="ignore"):  # callers check for NaN
            numbers = self.stored.astype(np.float64)
            if self.sparse is not None:
                rows, values = self.sparse
                numbers[rows] = values
        if self.largest is not None:
            numbers = np.maximum(numbers / self.largest, -1.0)
        return numbers


def accessor(document: Document, number: int, kind: str) -> Accessor:
    """An accessor by its number; it must be of this kind: "SCALAR", "VEC3", "VEC4"."""
    owner, place = document.arrays["accessors"][number], f"accessors[{number}]"
    if owner.get("type") != kind:
        raise document.fault(f"{place}.type", f"is {reprlib.repr(owner.get('type'))}; expected {kind!r} here")
    component = _component(document, owner, place)
    count = document.whole(owner, "count", place)
    width = WIDTHS[kind]
    if "bufferView" in owner:
        stored = _read_stored(document, owner, place, component, count, width)
    elif count > document.room:
        raise document.fault(f"{place}.count", f"is {count}, and there are no bytes for it")
    else:
        stored = np.broadcast_to(np.zeros((), component), (count, width))
    normalised = owner.get("normalized") is True and component.kind in "iu"
    largest = int(np.iinfo(component).max) if normalised else None
    sparse = _sparse(document, owner["sparse"], place, component, count, width) if "sparse" in owner else None
    return Accessor(stored, place, largest, sparse)


def _component(document: Document, owner: JsonObject, place: str) -> np.dtype[Any]:
    found = owner.get("componentType")
    if type(found) is not int or found not in COMPONENTS:
        known = ", ".join(map(str, COMPONENTS))
        raise document.fault(f"{place}.componentType", f"is {reprlib.repr(found)}; expected one of {known}")
    return COMPONENTS[found]


def _read_stored(
    document: Document, owner: JsonObject, place: str, component: np.dtype[Any], count: int, width: int
) -> Array:
    """A view (count, width) of the bytes that an accessor, or a part of a sparse one, names."""
    views = document.arrays["bufferViews"]
    number = document.whole(owner, "bufferView", place, below=len(views))
    view = views[number]
    buffer, start, length = view_range(document, number)
    size = component.itemsize * width
    stride = document.whole(view, "byteStride", f"bufferViews[{number}]", default=size)
    if stride < size:
        raise document.fault(f"bufferViews[{number}].byteStride", f"is {stride}; {place} has {size} bytes an element")
    offset = document.whole(owner, "byteOffset", place, default=0)
    end = offset + stride * (count - 1) + size
    if count and end > length:
        raise document.fault(place, f"ends at byte {end} of bufferViews[{number}], which has {length}")
    if not count:
        return np.zeros((0, width), component)
    data = document.part(buffer, start + offset, start + end)
    return np.ndarray((count, width), component, data, 0, (stride, component.itemsize))


def view_range(document: Document, number: int) -> tuple[int, int, int]:
    """The buffer of a buffer view, and the view's offset and length there."""
    view, place = document.arrays["bufferViews"][number], f"bufferViews[{number}]"
    buffer = document.whole(view, "buffer", place, below=len(document.arrays["buffers"]))
    start = document.whole(view, "byteOffset", place, default=0)
    length = document.whole(view, "byteLength", place)
    if start + length > document.length(buffer):
        stated = f"buffers[{buffer}], which has {document.length(buffer)}"
        raise document.fault(place, f"ends at byte {start + length} of {stated}")
    return buffer, start, length


def view_bytes(document: Document, number: int) -> memoryview:
    """The bytes of a buffer view."""
    buffer, start, length = view_range(document, number)
    return document.part(buffer, start, start + length)


def _sparse(
    document: Document, sparse: Any, place: str, component: np.dtype[Any], count: int, width: int
) -> tuple[Array, Array]:
    place = f"{place}.sparse"
    if type(sparse) is not dict:
        raise document.fault(place, f"is {reprlib.repr(sparse)}; expected count, indices and values")
    indices, others = document.object(sparse, "indices", place), document.object(sparse, "values", place)
    some = document.whole(sparse, "count", place, below=count + 1)
    index_type = _component(document, indices, f"{place}.indices")
    if index_type.kind != "u":
        raise document.fault(f"{place}.indices.componentType", "is signed or float; expected 5121, 5123 or 5125")
    rows = _read_stored(document, indices, f"{place}.indices", index_type, some, 1)[:, 0].astype(np.int64)
    values = _read_stored(document, others, f"{place}.values", component, some, width)
    if some and (rows[-1] >= count or np.any(np.diff(rows) <= 0)):
        raise document.fault(f"{place}.indices", f"do not increase, or exceed the {count} elements")
    return rows, values
