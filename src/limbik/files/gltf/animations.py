"""Animations of glTF: channels that move nodes, their keys, and the frames at which a clip samples them."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.accessors import Accessor, accessor
from limbik.files.gltf.document import Document, JsonObject
from limbik.files.gltf.nodes import REST_VALUES, unit_quaternions
from limbik.rotations import slerp

INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")
DEFAULT_FPS = 60.0  # frames a second where keys lie on no grid
MAX_GRID_FPS = 120.0  # frames a second: a grid may be this fine, however few of its frames are keys
MIN_CURVE_FPS = 24.0  # smallest frame rate of an animation that is not linear between its keys
MAX_SAME_SECONDS = 2e-6  # seconds: keys this close to each other, or to a frame, coincide
MAX_FRAMES = 2.0**53  # far beyond any limit
DENOMINATORS = (1, 2, 3, 4, 5, 1001)  # of common frame rates: 24, 12.5, 30000/1001


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


def target(channel: JsonObject) -> tuple[Any, str] | None:
    """The node and path of a channel that moves a node; None for morph weights, pointers and the like."""
    found = channel.get("target")
    if (
        isinstance(found, dict)
        and "node" in found
        and isinstance(found.get("path"), str)
        and found["path"] in REST_VALUES
    ):
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
        if (count := self._key_count(number)) != wanted:
            raise document.fault(place, f"has {count} values; its {len(times)} keys need {wanted}")
        output = accessor(document, number, "VEC4" if channel.path == "rotation" else "VEC3")
        return Sampler(times, interpolation, output)

    def _times_of(self, number: int) -> Array:
        if number not in self._times:
            self._key_count(number)
            source = accessor(self._document, number, "SCALAR")
            stored = source.stored.tobytes(), source.stored.dtype.char, None if source.sparse is None else number
            if stored not in self._equal:
                self._equal[stored] = self._check_times(source)
            self._times[number] = self._equal[stored]
        return self._times[number]

    def _key_count(self, number: int) -> int:
        """The keys in an accessor, counted before they are read: a file can name the same bytes again and again."""
        document, place = self._document, f"accessors[{number}]"
        count = document.whole(document.arrays["accessors"][number], "count", place)
        self._total += count
        if self._total > document.room:
            text = f"is {count}: with it {self._place} has more than {document.room:,} keys, the limit"
            raise document.fault(f"{place}.count", f"{text}; load(path, limit=...) allows more")
        return count

    def _check_times(self, source: Accessor) -> Array:
        if source.stored.dtype.kind != "f":
            raise self._document.fault(f"{source.place}.componentType", "is an integer's; times are floats (5126)")
        times = source.values()[:, 0]
        if not len(times):
            raise self._document.fault(f"{source.place}.count", "is 0; an animation needs a key at least")
        if not (np.isfinite(times).all() and np.all(times[1:] >= times[:-1])):
            raise self._document.fault(source.place, "holds times that go back, or are not finite")
        return times


@dataclass(frozen=True)
class Timeline:
    """Frames at `fps` a second from second `start` on."""

    start: float
    fps: float
    frames: int

    def in_frames(self, times: Array) -> Array:
        """Key times, in seconds, as numbers of frames; keys within rounding of a frame lie on it exactly."""
        keys = (times - self.start) * self.fps
        on = np.rint(keys)
        return np.where(np.abs(keys - on) <= _nearness(times, self.fps), on, keys)


def timeline(times: Array, fps: float | None, straight: bool) -> Timeline:
    """The frames for keys at times (n,), seconds: by default the coarsest even grid that contains all keys.

    straight: whether the animation is linear between keys; otherwise the grid is fine enough for its curves.
    """
    if not len(times):
        return Timeline(0.0, fps or DEFAULT_FPS, 1)
    times = np.sort(times)
    times = times[np.concatenate([[True], np.diff(times) > _blur(times[1:])])]
    start, span = float(times[0]), float(times[-1] - times[0])
    if fps is None:
        fps = common_rate(times) or DEFAULT_FPS
        if not straight:
            fps *= max(1, ceil(MIN_CURVE_FPS / fps - 0.01))
    return Timeline(start, fps, floor(min(span * fps, MAX_FRAMES) + _nearness(times, fps)[-1]) + 1)


def common_rate(times: Array) -> float | None:
    """Frames a second of the coarsest even grid with every key at times (n,), increasing; None if none is sensible."""
    if len(times) < 2:
        return None
    offsets = times - times[0]
    shortest = float(np.min(np.diff(times)))
    for parts in range(1, 1 + max(4, min(ceil(MAX_GRID_FPS * shortest), int(MAX_GRID_FPS)))):
        rate = _refine_rate(offsets, parts / shortest)
        if (
            rate is not None
            and _fits(times, rate)
            and (rate <= 1.01 * MAX_GRID_FPS or offsets[-1] * rate <= 4 * len(times))
        ):
            rounded = (round(rate * q) / q for q in DENOMINATORS)
            return next((nice for nice in rounded if nice and _fits(times, nice)), rate)
    return None


def _refine_rate(offsets: Array, rate: float) -> float | None:
    """A rate refined over longer and longer intervals, so that no frame is miscounted at the end of a long one."""
    count = 2
    while True:
        near = offsets[:count]
        frames = np.rint(near * rate)
        if np.max(np.abs(near * rate - frames)) > 0.1:
            return None
        rate = float(frames @ frames / (frames @ near))
        if count >= len(offsets):
            return rate
        count *= 2


def _fits(times: Array, rate: float) -> bool:
    frames = (times - times[0]) * rate
    return bool(np.all(np.abs(frames - np.rint(frames)) <= _nearness(times, rate)))


def _nearness(times: Array, fps: float) -> Array:
    """The distance, in frames, of each key from its frame due to rounding."""
    return np.minimum(0.1, fps * _blur(times))


def _blur(times: Array) -> Array:
    """The rounding error of key times in seconds: files store them in single precision."""
    return np.maximum(MAX_SAME_SECONDS, np.abs(times) * 2.0**-22)


def sample_keys(interpolation: str, keys: Array, values: Array, frames: int, fps: float) -> Array:
    """The values of some channels, (frames, channels, components), at frames 0, 1, 2 …; quaternions of any length.

    keys: (n,), where the keys lie, in frames. values: (n, channels, components) at the keys, quaternions if there are
    four components; for a cubic spline (3n, channels, components): at each key the tangent towards it, the value and
    the tangent away from it, per second. The first value holds before the first key and the last after the last.
    """
    at = np.clip(np.arange(frames), keys[0], keys[-1])
    before = np.searchsorted(keys, at, side="right") - 1
    after = np.minimum(before + 1, len(keys) - 1)
    span = keys[after] - keys[before]
    fraction = (at - keys[before]) / np.where(span > 0.0, span, 1.0)
    if interpolation == "CUBICSPLINE":
        return _hermite(values.reshape(-1, 3, *values.shape[1:]), before, after, fraction, span / fps)
    start = values[before]
    if interpolation == "STEP" or not fraction.any():
        return start
    if values.shape[-1] == 4:
        return slerp(unit_quaternions(start), unit_quaternions(values[after]), fraction[:, None])
    return start + (values[after] - start) * fraction[:, None, None]


def _hermite(keys: Array, before: Array, after: Array, fraction: Array, seconds: Array) -> Array:
    """A cubic spline through keys (n, 3, channels, components) between those before and after each frame."""
    t, seconds = fraction[:, None, None], seconds[:, None, None]
    towards, value, away = 0, 1, 2
    return (
        (2 * t**3 - 3 * t**2 + 1) * keys[before, value]
        + (t**3 - 2 * t**2 + t) * seconds * keys[before, away]
        + (3 * t**2 - 2 * t**3) * keys[after, value]
        + (t**3 - t**2) * seconds * keys[after, towards]
    )
