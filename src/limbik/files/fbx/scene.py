"""The objects of an FBX file, how they are connected, and their properties."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.fbx.records import FbxFile, Record

MAX_NUMBER = 1e15  # of a property; far beyond any scene
NAME_END = "\x00\x01"  # between an object's name and its class


class FbxObject(NamedTuple):
    """An object of a file."""

    number: int
    name: str
    kind: str  # the name of its record: "Model", "Geometry"
    subkind: str  # "LimbNode", "Mesh", "Skin", "Cluster"
    record: Record


class Connection(NamedTuple):
    """An object that belongs to another, or to a property of it."""

    child: int
    parent: int
    key: str  # the property, "" for the object itself


class Scene:
    """The objects of a file by number, in its order, and their connections."""

    def __init__(self, file: FbxFile) -> None:
        self.file = file
        self.objects: dict[int, FbxObject] = {}
        for record in self._top("Objects"):
            found = record.properties()
            if len(found) >= 3 and isinstance(found[0], int) and all(isinstance(one, str) for one in found[1:3]):
                name = found[1].split(NAME_END)[0]
                self.objects.setdefault(found[0], FbxObject(found[0], name, record.name, found[2], record))
        self._children: dict[int, list[Connection]] = defaultdict(list)
        self._parents: dict[int, list[Connection]] = defaultdict(list)
        for record in self._top("Connections"):
            found = record.properties()
            if len(found) < 3 or not (isinstance(found[1], int) and isinstance(found[2], int)):
                continue
            key = found[3] if found[0] == "OP" and len(found) > 3 and isinstance(found[3], str) else ""
            if found[0] in ("OO", "OP"):
                one = Connection(found[1], found[2], key)
                self._children[one.parent].append(one)
                self._parents[one.child].append(one)

    def _top(self, name: str) -> list[Record]:
        record = self.file.top.get(name)
        return [] if record is None else list(record.children())

    def of_kind(self, kind: str, subkind: str | None = None) -> list[FbxObject]:
        """The objects of a kind."""
        return [one for one in self.objects.values() if one.kind == kind and subkind in (None, one.subkind)]

    def below(self, number: int, kind: str) -> list[FbxObject]:
        """The objects of a kind that belong to an object."""
        found = (self.objects.get(one.child) for one in self._children.get(number, ()) if not one.key)
        return [one for one in found if one is not None and one.kind == kind]

    def above(self, number: int, kind: str) -> list[FbxObject]:
        """The objects of a kind that an object belongs to."""
        found = (self.objects.get(one.parent) for one in self._parents.get(number, ()) if not one.key)
        return [one for one in found if one is not None and one.kind == kind]

    def keyed_below(self, number: int, kind: str) -> list[tuple[str, FbxObject]]:
        """The objects of a kind that belong to properties of an object, with the names of these."""
        found = ((one.key, self.objects.get(one.child)) for one in self._children.get(number, ()) if one.key)
        return [(key, one) for key, one in found if one is not None and one.kind == kind]

    def keyed_above(self, number: int, kind: str) -> list[tuple[str, FbxObject]]:
        """The objects of a kind to a property of which an object belongs, with the names of these."""
        found = ((one.key, self.objects.get(one.parent)) for one in self._parents.get(number, ()) if one.key)
        return [(key, one) for key, one in found if one is not None and one.kind == kind]

    @cached_property
    def settings(self) -> Properties:
        """The settings of the whole file."""
        return Properties(self.file.top.get("GlobalSettings"))

    @cached_property
    def _templates(self) -> dict[str, Properties]:
        """What objects of a kind have where they do not say otherwise."""
        found: dict[str, Properties] = {}
        for record in self._top("Definitions"):
            kind = next(iter(record.properties()), None) if record.name == "ObjectType" else None
            template = record.child("PropertyTemplate") if isinstance(kind, str) else None
            if template is not None and isinstance(kind, str):
                found.setdefault(kind, Properties(template))
        return found

    def properties(self, one: FbxObject) -> Properties:
        """The properties of an object."""
        return Properties(one.record, self._templates.get(one.kind))


class Properties:
    """The properties of an object, or else of its template."""

    def __init__(self, record: Record | None, template: Properties | None = None) -> None:
        self._template = template
        self._values: dict[str, list[Any]] = {}
        holder = record.child("Properties70") if record is not None else None
        for line in holder.children() if holder is not None else ():
            found = line.properties() if line.name == "P" else []
            if len(found) >= 4 and isinstance(found[0], str):
                self._values.setdefault(found[0], found[4:])

    def vector(self, name: str, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """Three numbers, (3,)."""
        found = self._find(name)
        usable = len(found) >= 3 and all(_is_number(one) for one in found[:3])
        return np.array(found[:3] if usable else default, float)

    def number(self, name: str, default: float) -> float:
        """A number."""
        found = self._find(name)
        return float(found[0]) if found and _is_number(found[0]) else default

    def whole(self, name: str, default: int) -> int:
        """A whole number."""
        return int(self.number(name, default))

    def _find(self, name: str) -> list[Any]:
        if name in self._values:
            return self._values[name]
        return self._template._find(name) if self._template is not None else []


def _is_number(found: Any) -> bool:
    return type(found) in (int, float) and -MAX_NUMBER <= found <= MAX_NUMBER
