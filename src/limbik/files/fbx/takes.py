"""Takes of FBX files: their stacks and layers of animation, and the values of nodes over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.fbx.curves import TICKS_PER_SECOND, Curve, curve_of
from limbik.files.fbx.scene import FbxObject, Properties, Scene
from limbik.files.fbx.transforms import Node, euler, euler_angles
from limbik.rotations import IDENTITY, multiply, slerp

MOVES = TRANSLATION, ROTATION, SCALING = "Lcl Translation", "Lcl Rotation", "Lcl Scaling"
CHANNELS = {"d|X": 0, "d|Y": 1, "d|Z": 2}
# How a layer is put on those before it: added, in their place whatever its weight, or in their place by its weight.
ADDITIVE, OVERRIDE = 0, 1
FULL_WEIGHT = 100.0  # per cent
# Frames a second by the number that files use; 0 and 14 are defined elsewhere.
RATES = (0, 120, 100, 60, 50, 48, 30, 30, 30 / 1.001, 30 / 1.001, 25, 24, 1000, 24 / 1.001, 0, 96, 72, 60 / 1.001)
DEFAULT_FPS = 30.0


class Track(NamedTuple):
    """What one layer does to one property of a node: where it is without curves, and the curves by axis."""

    default: Array
    curves: dict[int, Curve]
    layer: Layer


class Layer(NamedTuple):
    """How a layer is put on those before it."""

    weight: float = 1.0
    mode: int = OVERRIDE
    by_channel: bool = False  # whether rotations are blended angle by angle, not as rotations
    adds_scales: bool = False  # not multiplies


class Take(NamedTuple):
    """A take: the tracks of nodes' properties, base layer first."""

    name: str
    tracks: dict[tuple[int, str], list[Track]]
    span: tuple[float, float] | None  # seconds, where the file says

    @property
    def curves(self) -> list[Curve]:
        """All curves."""
        return [curve for tracks in self.tracks.values() for track in tracks for curve in track.curves.values()]

    def values(self, model: int, node: Node, seconds: Array) -> dict[str, Array]:
        """What may be animated of a node, the model of this number, (frames, 3) each."""
        found = {}
        for key in MOVES:
            value = np.broadcast_to(node.values[key], (len(seconds), 3))
            for track in self.tracks.get((model, key), ()):
                value = _blended(value, track, key, node.order, seconds)
            found[key] = value
        return found


def _blended(value: Array, track: Track, key: str, order: str, seconds: Array) -> Array:
    """The value (frames, 3) of a property once a layer has been put on those before it."""
    layer = track.layer
    moved = np.tile(track.default, (len(seconds), 1))
    for axis, curve in track.curves.items():
        moved[:, axis] = curve.at(seconds)
    if layer.mode == OVERRIDE:
        return moved
    if key == ROTATION and not layer.by_channel:
        before, after = euler(order, value), euler(order, moved)
        if layer.mode == ADDITIVE:
            return euler_angles(order, multiply(before, slerp(IDENTITY, after, layer.weight)))
        return euler_angles(order, slerp(before, after, layer.weight))
    if layer.mode != ADDITIVE:
        return value + layer.weight * (moved - value)
    if key == SCALING and not layer.adds_scales:
        return value * np.sign(moved) * np.abs(moved) ** layer.weight
    return value + layer.weight * moved


def takes_of(scene: Scene) -> list[tuple[FbxObject, int]]:
    """The takes of a file, in its order, and how many curves that move nodes each one has."""
    return [(stack, sum(len(curves) for _, _, curves in _curve_nodes(scene, stack))) for stack in stacks_of(scene)]


def stacks_of(scene: Scene) -> list[FbxObject]:
    """The objects that are takes."""
    return scene.of_kind("AnimationStack")


def _curve_nodes(scene: Scene, stack: FbxObject) -> list[tuple[FbxObject, FbxObject, list[tuple[str, FbxObject]]]]:
    """The layers of a take, what they move, and by which curves."""
    return [
        (layer, node, curves)
        for layer in scene.below(stack.number, "AnimationLayer")
        for node in scene.below(layer.number, "AnimationCurveNode")
        if any(key in MOVES for key, _ in scene.keyed_above(node.number, "Model"))
        and (curves := scene.keyed_below(node.number, "AnimationCurve"))
    ]


def choose_take(scene: Scene, wanted: str | int | None) -> FbxObject | None:
    """The take of a name or number; by default the one with most curves, as the first of a file may be empty."""
    takes = takes_of(scene)
    if wanted is None:
        return max(takes, key=lambda take: take[1])[0] if takes else None
    names = [stack.name for stack, _ in takes]
    if isinstance(wanted, str) and wanted in names:
        return takes[names.index(wanted)][0]
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 0 <= wanted < len(takes):
        return takes[wanted][0]
    known = ", ".join(f"{number} {name!r}" for number, name in enumerate(names))
    raise ArgumentError("animation", repr(wanted), f"the name or number of one that the file has: {known or 'none'}")


def take_of(scene: Scene, stack: FbxObject) -> Take:
    """A take with its curves."""
    tracks: dict[tuple[int, str], list[Track]] = {}
    base = next(iter(scene.below(stack.number, "AnimationLayer")), None)
    for layer, node, curves in _curve_nodes(scene, stack):
        own = scene.properties(node)
        default = np.array([own.number(name, 0.0) for name in CHANNELS])
        read = {CHANNELS[key]: curve for key, one in curves if key in CHANNELS and (curve := curve_of(one.record))}
        track = Track(default, read, Layer() if layer is base else layer_of(scene.properties(layer)))
        for key, moved in scene.keyed_above(node.number, "Model"):
            if key in MOVES and not scene.properties(layer).whole("Mute", 0):
                tracks.setdefault((moved.number, key), []).append(track)
    own = scene.properties(stack)
    start, stop = (own.number(name, 0.0) / TICKS_PER_SECOND for name in ("LocalStart", "LocalStop"))
    return Take(stack.name, tracks, (start, stop) if stop > start else None)


def layer_of(settings: Properties) -> Layer:
    """How a layer with these properties is put on those before it."""
    return Layer(
        settings.number("Weight", FULL_WEIGHT) / FULL_WEIGHT,
        settings.whole("BlendMode", ADDITIVE),
        settings.whole("RotationAccumulationMode", 0) != 0,
        settings.whole("ScaleAccumulationMode", 0) != 0,
    )


def frame_rate(scene: Scene) -> float:
    """Frames a second of a file, as it says."""
    mode = scene.settings.whole("TimeMode", 0)
    fps = RATES[mode] if 0 <= mode < len(RATES) else 0.0
    fps = fps or scene.settings.number("CustomFrameRate", -1.0)
    return float(fps) if 0.1 <= fps <= 1e4 else DEFAULT_FPS
