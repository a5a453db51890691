"""The channels of an animation: the joints they move, the times of their keys, and their values."""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.accessors import Accessor, accessor
from limbik.files.gltf.document import Document
from limbik.files.gltf.nodes import RESTS
from limbik.files.gltf.timeline import INTERPOLATIONS


class Channel(NamedTuple):
    """A channel that moves a node."""

    node: int
    path: str  # "translation", "rotation" or "scale"
    sampler: int


class Sampler(NamedTuple):
    """The keys of a channel."""

    times: Array  # (n,) seconds, never decreasing
    interpolation: str
    output: Accessor  # n values, 3n for a cubic spline


def target(channel: dict[str, Any]) -> tuple[Any, str] | None:
    """The node and path of a channel that moves a node; None for morph weights, pointers and the like."""
    found = channel.get("target")
    if isinstance(found, dict) and "node" in found and isinstance(found.get("path"), str) and found["path"] in RESTS:
        return found["node"], found["path"]
    return None


def channels_of(document: Document, number: int) -> list[Channel]:
    """The channels of an animation that move nodes; where two move the same, the last."""
    animation, place = document.arrays["animations"][number], f"animations[{number}]"
    samplers = len(document.objects(animation, "samplers", f"{place}."))
    nodes = len(document.arrays["nodes"])
    found: dict[tuple[int, str], Channel] = {}
    for k, channel in enumerate(document.objects(animation, "channels", f"{place}.")):
        moved = target(channel)
        if moved is not None:
            here = f"{place}.channels[{k}]"
            node = document.whole(channel["target"], "node", f"{here}.target", below=nodes)
            sampler = document.whole(channel, "sampler", here, below=samplers)
            found[node, moved[1]] = Channel(node, moved[1], sampler)
    return list(found.values())


class Samplers:
    """Reads the samplers of one animation. Equal times of several channels become one array."""

    def __init__(self, document: Document, number: int) -> None:
        self._document = document
        self._place = f"animations[{number}]"
        self._samplers = document.objects(document.arrays["animations"][number], "samplers", f"{self._place}.")
        self._times: dict[int, Array] = {}
        self._equal: dict[tuple[bytes, str, int | None], Array] = {}
        self._total = 0

    def of(self, channel: Channel) -> Sampler:
        document, owner = self._document, self._samplers[channel.sampler]
        place = f"{self._place}.samplers[{channel.sampler}]"
        interpolation = owner.get("interpolation", "LINEAR")
        if interpolation not in INTERPOLATIONS:
            wanted = ", ".join(INTERPOLATIONS)
            raise document.fault(f"{place}.interpolation", f"is {reprlib.repr(interpolation)}; expected {wanted}")
        accessors = len(document.arrays["accessors"])
        times = self._times_of(document.whole(owner, "input", place, below=accessors))
        number = document.whole(owner, "output", place, below=accessors)
        wanted = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
        if (count := self._counted(number)) != wanted:
            raise document.fault(place, f"has {count} values; its {len(times)} keys need {wanted}")
        output = accessor(document, number, "VEC4" if channel.path == "rotation" else "VEC3")
        return Sampler(times, interpolation, output)

    def _times_of(self, number: int) -> Array:
        if number not in self._times:
            self._counted(number)
            source = accessor(self._document, number, "SCALAR")
            stored = source.stored.tobytes(), source.stored.dtype.char, None if source.sparse is None else number
            if stored not in self._equal:
                self._equal[stored] = self._checked(source)
            self._times[number] = self._equal[stored]
        return self._times[number]

    def _counted(self, number: int) -> int:
        """The keys in an accessor, counted before they are read: a file can name the same bytes again and again."""
        document, place = self._document, f"accessors[{number}]"
        count = document.whole(document.arrays["accessors"][number], "count", place)
        self._total += count
        if self._total > document.room:
            text = f"is {count}: with it {self._place} has more than {document.room:,} keys, the limit"
            raise document.fault(f"{place}.count", f"{text}; load(path, limit=...) allows more")
        return count

    def _checked(self, source: Accessor) -> Array:
        if source.stored.dtype.kind != "f":
            raise self._document.fault(f"{source.place}.componentType", "is an integer's; times are floats (5126)")
        times = source.values()[:, 0]
        if not len(times):
            raise self._document.fault(f"{source.place}.count", "is 0; an animation needs a key at least")
        if not (np.isfinite(times).all() and np.all(times[1:] >= times[:-1])):
            raise self._document.fault(source.place, "holds times that go back, or are not finite")
        return times
