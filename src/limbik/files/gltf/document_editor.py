"""Edits a document: moves its data to where the new file can hold it, and adds limbik's animation data.

Accessors cannot be removed from a document, since anything may refer to them by number. All that limbik adds is
therefore in the last buffer view, marked by its name, at the end of its buffer, with the last accessors. It is
rewritten each time with what is still in use: a file does not grow however often it is saved.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.accessors import COMPONENTS, WIDTHS, accessor, view_range
from limbik.files.gltf.container import content_of, data_uri, glb_bytes, media_type, names_file
from limbik.files.gltf.document import COMPRESSION, Document, JsonObject

VERTICES, TRIANGLES = 34962, 34963  # targets of buffer views
OWN_VIEW_NAME = "limbik"  # the name of the buffer view that holds limbik's animation data


class Editor:
    """A document that is being changed, for a file in a folder, a .glb or a .gltf."""

    def __init__(self, document: Document, binary: bool, folder: Path) -> None:
        self.content = dict(document.content)  # shares its lists and objects: they are replaced, never written to
        self._document = document
        self._binary = binary
        self._data = bytearray()  # of the binary chunk, or of an added buffer
        self._cut: dict[int, memoryview] = {}  # buffers that are shorter than they were
        self._own: dict[int, tuple[JsonObject, bytes]] = {}  # limbik's accessors: descriptions and bytes
        self._take_back()
        self._first = len(self.array("accessors"))
        stays = document.fits(binary, folder)
        if binary:
            self._pack(stays)
        elif not stays:
            self.store("buffers", [self._embed_buffer(k, buffer) for k, buffer in enumerate(self.array("buffers"))])
        self._buffer = 0 if binary else len(self.array("buffers"))
        if not stays:
            self.store("images", [self._embed_image(k, image) for k, image in enumerate(self.array("images"))])

    def array(self, key: str) -> list[JsonObject]:
        return self.content.get(key, [])

    def store(self, key: str, array: list[JsonObject]) -> None:
        """Replaces a top-level array; an empty one is left out, as the standard demands."""
        if array:
            self.content[key] = array
        else:
            self.content.pop(key, None)

    def accessor(self, array: Array, bounds: bool = False) -> int:
        """Adds animation data, (frames, components) of floats; returns a number for samplers to name it by."""
        data = np.ascontiguousarray(array, "<f4")
        number = self._first + len(self._own)
        self._own[number] = accessor_of(data, bounds), data.tobytes()
        return number

    def add(self, array: Array, target: int | None = None, bounds: bool = False) -> int:
        """Adds an array that stays, such as the vertices of a mesh, as an accessor with a buffer view of its own."""
        view = self._view(array.tobytes(), **({} if target is None else {"target": target}))
        self.store("accessors", [*self.array("accessors"), {"bufferView": view, **accessor_of(array, bounds)}])
        return len(self.array("accessors")) - 1

    def file_bytes(self, name: str) -> bytes:
        """The new file, with the animation data that samplers name. name: of the file, for errors."""
        self._write_own()
        if self._data:
            buffers = list(self.array("buffers")) or [{}]
            if self._buffer == len(buffers):
                buffers.append({})
            uri = {} if self._binary else {"uri": data_uri(self._data)}
            buffers[self._buffer] = {**buffers[self._buffer], **uri, "byteLength": len(self._data)}
            self.store("buffers", buffers)
        try:
            style: JsonObject = {"separators": (",", ":")} if self._binary else {"indent": 2}
            text = json.dumps(self.content, allow_nan=False, **style).encode()
        except (ValueError, RecursionError):
            raise self._document.fault("JSON", "holds a number or a nesting too large to be written") from None
        return glb_bytes(text, self._data, self._document.chunks, name) if self._binary else text + b"\n"

    def _take_back(self) -> None:
        """Removes the data that limbik added when the file was last written."""
        views, accessors = self.array("bufferViews"), self.array("accessors")
        last = len(views) - 1
        first = next((k for k, each in enumerate(accessors) if each.get("bufferView") == last), len(accessors))
        if (
            not views
            or views[last].get("name") != OWN_VIEW_NAME
            or not all(_is_own(each, last) for each in accessors[first:])
        ):
            return
        buffer, start, length = view_range(self._document, last)
        if start + length < self._document.length(buffer) or names_file(self.array("buffers")[buffer].get("uri")):
            return
        for number, each in enumerate(accessors[first:], start=first):
            description = {key: value for key, value in each.items() if key not in ("bufferView", "byteOffset")}
            self._own[number] = description, accessor(self._document, number, each["type"]).stored.tobytes()
        self.store("accessors", accessors[:first])
        self.store("bufferViews", views[:last])
        self._cut[buffer] = self._document.buffer(buffer)[:start]
        self.store("buffers", self._shorten_buffers(buffer))

    def _shorten_buffers(self, number: int) -> list[JsonObject]:
        """The buffers with one that ends where limbik's data began; an empty last one is removed."""
        buffers, data = list(self.array("buffers")), self._cut[number]
        if not data and number == len(buffers) - 1:
            return buffers[:-1]
        uri = {"uri": data_uri(data)} if "uri" in buffers[number] else {}
        buffers[number] = {**buffers[number], **uri, "byteLength": len(data)}
        return buffers

    def _is_chunk(self, number: int) -> bool:
        return number == 0 and self._document.binary is not None and "uri" not in self.array("buffers")[0]

    def _bytes(self, number: int) -> memoryview:
        return self._cut[number] if number in self._cut else self._document.buffer(number)

    def _pack(self, stays: bool) -> None:
        """Moves the buffers into the binary chunk; those of a .glb that stays in its folder need not move."""
        buffers = self.array("buffers")
        chunk = bool(buffers) and self._is_chunk(0)
        if chunk:
            self._data += self._cut.get(0, self._document.binary or b"")
        if not buffers or (chunk and stays):
            return
        places: dict[int, tuple[int, int]] = {}
        moves = chunk or "uri" in buffers[0]
        kept = [{key: value for key, value in buffers[0].items() if key != "uri"} if moves else {}]
        for number, buffer in enumerate(buffers):
            if "uri" in buffer:
                places[number] = 0, self._append(self._bytes(number))
            elif self._is_chunk(number):
                places[number] = 0, 0
            else:  # a placeholder for compressed data, without data itself
                places[number] = len(kept), 0
                kept.append(buffer)
        self.store("buffers", kept)
        self.store(
            "bufferViews", [self._move_view(k, view, places) for k, view in enumerate(self.array("bufferViews"))]
        )

    def _move_view(self, number: int, view: JsonObject, places: dict[int, tuple[int, int]]) -> JsonObject:
        """A buffer view whose buffer has moved, and the same for its compressed data."""
        place = f"bufferViews[{number}]"
        extensions = self._document.object(view, "extensions", place)
        owners = {name: self._document.object(extensions, name, place) for name in COMPRESSION if name in extensions}

        def rebase(owner: JsonObject) -> JsonObject:
            buffer, offset = places[self._document.whole(owner, "buffer", place, below=len(places))]
            start = self._document.whole(owner, "byteOffset", place, default=0)
            return {**owner, "buffer": buffer, "byteOffset": start + offset}

        compressed = {name: rebase(owner) for name, owner in owners.items()}
        return {**rebase(view), **({"extensions": {**extensions, **compressed}} if compressed else {})}

    def _embed_buffer(self, number: int, buffer: JsonObject) -> JsonObject:
        if not (self._is_chunk(number) or names_file(buffer.get("uri"))):
            return buffer
        return {**buffer, "uri": data_uri(self._bytes(number))}

    def _embed_image(self, number: int, image: JsonObject) -> JsonObject:
        if not names_file(image.get("uri")):
            return image
        document = self._document
        data = content_of(image["uri"], document.folder, None, document.name, f"images[{number}].uri")
        rest = {key: value for key, value in image.items() if key != "uri"}
        return {"mimeType": media_type(data) or "image/png", **rest, "bufferView": self._view(data)}

    def _append(self, data: bytes | memoryview) -> int:
        self._data += bytes(-len(self._data) % 4)
        self._data += data
        return len(self._data) - len(data)

    def _view(self, data: bytes, **more: Any) -> int:
        view = {"buffer": self._buffer, "byteOffset": self._append(data), "byteLength": len(data), **more}
        self.store("bufferViews", [*self.array("bufferViews"), view])
        return len(self.array("bufferViews")) - 1

    def _write_own(self) -> None:
        """Renumbers the accessors that samplers use, and writes them as the last view."""
        animations = list(self.array("animations"))
        samplers = [sampler for each in animations for sampler in each.get("samplers", ())]
        used = sorted({number for sampler in samplers for number in _named(sampler).values() if number in self._own})
        if not used:
            return
        first = len(self.array("accessors"))
        new = {old: first + k for k, old in enumerate(used)}
        for k, each in enumerate(animations):
            if "samplers" in each:
                numbers = [{end: new.get(old, old) for end, old in _named(one).items()} for one in each["samplers"]]
                samplers = [{**one, **ends} for one, ends in zip(each["samplers"], numbers, strict=True)]
                animations[k] = {**each, "samplers": samplers}
        self.store("animations", animations)
        view = self._view(b"".join(self._own[old][1] for old in used), name=OWN_VIEW_NAME)
        accessors, offset = list(self.array("accessors")), 0
        for description, data in (self._own[old] for old in used):
            accessors.append({"bufferView": view, "byteOffset": offset, **description})
            offset += len(data)
        self.store("accessors", accessors)


def _is_own(accessor: JsonObject, view: int) -> bool:
    known = {"bufferView", "byteOffset", "componentType", "count", "type", "min", "max"}
    return accessor.get("bufferView") == view and set(accessor) <= known and accessor.get("type") in tuple(WIDTHS)


def _named(sampler: JsonObject) -> dict[str, int]:
    return {end: sampler[end] for end in ("input", "output") if type(sampler.get(end)) is int}


class Buffer:
    """The only buffer of a new document: its bytes, its views and their accessors."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._accessors: list[JsonObject] = []
        self._views: list[JsonObject] = []

    def add(self, array: Array, target: int | None = None, bounds: bool = False, normalized: bool = False) -> int:
        """An array as an accessor with a buffer view of its own, aligned to four bytes as the standard demands."""
        self.data += bytes(-len(self.data) % 4)
        data = array.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self._views.append(view if target is None else {**view, "target": target})
        self.data += data
        description = accessor_of(array, bounds) | ({"normalized": True} if normalized else {})
        self._accessors.append({"bufferView": len(self._views) - 1, **description})
        return len(self._accessors) - 1

    def add_bytes(self, data: bytes) -> int:
        """Bytes, such as an image, as a buffer view of their own."""
        self.data += bytes(-len(self.data) % 4)
        self._views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        return len(self._views) - 1

    def content(self) -> JsonObject:
        """Its part of the document, and what every new document begins with."""
        return {
            "asset": {"version": "2.0", "generator": "limbik"},
            "scene": 0,
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self.data)}],
        }


def accessor_of(array: Array, bounds: bool = False) -> JsonObject:
    """The accessor of an array (count, components), without the location of its bytes."""
    kind = next(kind for kind, width in WIDTHS.items() if width == array.shape[1])
    component = next(number for number, dtype in COMPONENTS.items() if dtype == array.dtype)
    limits = {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()} if bounds else {}
    return {"componentType": component, "count": len(array), "type": kind, **limits}
