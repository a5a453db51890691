"""Writes a clip into a document: its animation is replaced, everything else is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.gltf import vrm
from limbik.files.gltf.animation_extras import known_of, with_known_of
from limbik.files.gltf.animations import target
from limbik.files.gltf.body_document import body_document
from limbik.files.gltf.document import JsonObject
from limbik.files.gltf.document_editor import Editor
from limbik.files.gltf.gltf_reader import GltfSource, own_source
from limbik.files.gltf.nodes import MAX_NUMBER, REST_VALUES, unit_quaternions
from limbik.files.gltf.terrain_node import replace_terrain
from limbik.files.gltf.vrm_animation import animation_document
from limbik.rotations import continuous
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose

MAX_REST_ROUNDING = 1e-7  # below the resolution of single precision
MAX_LENGTH = MAX_NUMBER / 1e4  # leaves room for units smaller than metres


def file_of(clip: Clip, path: Path, binary: bool, with_terrain: bool = False, as_animation: bool = False) -> bytes:
    """The bytes of a .glb or .gltf file at a path that holds a clip, and the terrain under it.

    as_animation: whether it is to be a .vrma, an animation for any VRM figure.
    """
    _check(clip)
    own = own_source(clip)
    if with_terrain and own is not None:
        raise ArgumentError("with_terrain", True, "False for a clip from a glTF file, which is kept as it is")
    if as_animation and (own is None or not vrm.fits(".vrma", own.document)):
        source = animation_document(clip)
        clip = clip.with_(skeleton=source.rest)
    else:
        source = own or body_document(clip, with_terrain)
    before, ground = _local_transforms(source.loaded), source.loaded.terrain
    unchanged = (
        (ground is None or clip.terrain == ground)
        and clip.name == source.loaded.name
        and known_of(clip) == known_of(source.loaded)
        and _has_times_of(clip, source.loaded)
        and all(np.array_equal(values, before[kind]) for kind, values in _local_transforms(clip).items())
    )
    if unchanged and source.document.original and source.document.fits(binary, path.parent):
        return source.document.original
    editor = Editor(source.document, binary, path.parent)
    if ground is not None and clip.terrain != ground:
        replace_terrain(editor, clip)
    if not unchanged:
        _animate(editor, clip, source)
    return editor.file_bytes(str(path))


def _check(clip: Clip) -> None:
    if not len(clip):
        raise ArgumentError("clip", "no frames", "one frame at least")
    for name in ("rotations", "translations", "scales"):
        values = getattr(clip, name)
        if values is not None and not np.all(np.abs(values) < MAX_LENGTH):
            frame, joint, _ = np.argwhere(~(np.abs(values) < MAX_LENGTH))[0]
            where = f"{name} of {clip.skeleton.names[joint]!r} at frame {frame}"
            wanted = "finite numbers of single precision, as in glTF"
            raise ArgumentError("clip", f"{where} that are not finite", wanted)


def _has_times_of(clip: Clip, loaded: Clip) -> bool:
    return (len(clip), clip.fps, clip.start) == (len(loaded), loaded.fps, loaded.start)


def _local_transforms(clip: Clip) -> dict[str, Array]:
    scales = np.ones_like(clip.translations) if clip.scales is None else clip.scales
    return {"translation": clip.translations, "rotation": clip.rotations, "scale": scales}


def _animate(editor: Editor, clip: Clip, source: GltfSource) -> None:
    animations = list(editor.array("animations"))
    if source.animation is None:
        animations.append({"channels": [], "samplers": []})
    number = len(animations) - 1 if source.animation is None else source.animation
    old = animations[number]
    played = {moved for moved in map(target, old.get("channels", ())) if moved is not None}
    new = _samplers(editor, clip, source, played)
    channels, samplers = _channels(old, new)
    if not channels:
        return
    name = {} if clip.name == source.loaded.name else {"name": clip.name}
    animations[number] = with_known_of(clip, {**old, **name, "channels": channels, "samplers": samplers})
    editor.store("animations", animations)
    _free_matrices(editor, source, {node for node, _ in new})


def _samplers(
    editor: Editor, clip: Clip, source: GltfSource, played: set[tuple[int, str]]
) -> dict[tuple[int, str], JsonObject]:
    """The samplers to write, by node and path: those that changed, or all where the times changed."""
    chosen = [
        (joint, path)
        for path, values in _local_transforms(clip).items()
        for joint in _changed(clip, source, path, values, played)
    ]
    if not chosen and not played and len(clip) > 1:
        chosen = [(0, "rotation")]  # so that a figure that stands still has a duration
    if not chosen:
        return {}
    local = _local_transforms(clip)
    local["translation"] = local["translation"] / source.loaded.unit.metres
    local["rotation"] = continuous(unit_quaternions(local["rotation"]))
    times = clip.times
    if not _has_times_of(clip, source.loaded):
        times = times - min(clip.start, 0.0)  # the standard allows no negative times
    at = editor.accessor(times[:, None], bounds=True)
    return {
        (source.nodes[joint], path): {
            "input": at,
            "interpolation": "LINEAR",
            "output": editor.accessor(local[path][:, joint]),
        }
        for joint, path in chosen
    }


def _changed(clip: Clip, source: GltfSource, path: str, values: Array, played: set[tuple[int, str]]) -> list[int]:
    if _has_times_of(clip, source.loaded) and source.animation is not None:
        return np.flatnonzero(np.any(values != _local_transforms(source.loaded)[path], axis=(0, 2))).tolist()
    rest = getattr(Pose.rest(source.rest), path + "s")
    rest = np.ones(values.shape[1:]) if rest is None else rest
    away = np.any(np.abs(values - rest) > MAX_REST_ROUNDING * np.maximum(1.0, np.abs(rest)), axis=(0, 2))
    return [joint for joint, node in enumerate(source.nodes) if away[joint] or (node, path) in played]


def _channels(old: JsonObject, new: dict[tuple[int, str], JsonObject]) -> tuple[list[JsonObject], list[JsonObject]]:
    """The channels and samplers of an animation, new ones in place of the old."""
    channels: list[JsonObject] = []
    samplers: list[JsonObject] = []
    kept: dict[int, int] = {}
    waiting = dict(new)
    for channel in old.get("channels", ()):
        moved, sampler = target(channel), channel.get("sampler")
        if moved in new:
            samplers.append({**old["samplers"][sampler], **new[moved]})
            waiting.pop(moved, None)
            sampler = len(samplers) - 1
        elif type(sampler) is int and 0 <= sampler < len(old["samplers"]):
            if sampler not in kept:
                samplers.append(old["samplers"][sampler])
                kept[sampler] = len(samplers) - 1
            sampler = kept[sampler]
        channels.append({**channel, "sampler": sampler})
    for (node, path), sampler in waiting.items():
        samplers.append(sampler)
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
    return channels, samplers


def _free_matrices(editor: Editor, source: GltfSource, animated: set[int]) -> None:
    """Gives animated nodes a translation, rotation and scale instead of a matrix, as the standard demands."""
    nodes = list(editor.array("nodes"))
    rest = source.rest
    for joint, node in enumerate(source.nodes):
        if node in animated and "matrix" in nodes[node]:
            parts = rest.translations[joint] / source.loaded.unit.metres, rest.rotations[joint], rest.scales[joint]
            plain = {key: value for key, value in nodes[node].items() if key != "matrix"}
            nodes[node] = {**plain, **{path: part.tolist() for path, part in zip(REST_VALUES, parts, strict=True)}}
    editor.store("nodes", nodes)
