"""Loads clips from files and saves them, by the suffix of the file."""

from __future__ import annotations

import os
from pathlib import Path

from limbik import arguments
from limbik.errors import ArgumentError, shown
from limbik.files.file_limits import known_suffix
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.units import Unit, as_unit

ARRAY_SUFFIXES = (".npz", ".npy")
SUFFIXES = (".bvh", ".glb", ".gltf", ".vrm", ".vrma", ".npz")  # that are read and written
FOLDER_SUFFIXES = (*SUFFIXES, ".fbx")  # of clips in folders; a .npy there may be anything
READ_SUFFIXES = (*FOLDER_SUFFIXES, ".npy")
BLENDER_SUFFIXES = (".abc", ".blend", ".dae", ".usd", ".usda", ".usdc", ".usdz")  # formats that Blender opens
SUFFIX_ADVICE = {
    **dict.fromkeys(BLENDER_SUFFIXES, "; Blender opens such files and exports .glb and .bvh"),
    ".urdf": "; `limbik robot` and limbik.Robot.load read robots",
    ".fbx": "; FBX is read, not written: Blender and engines open .glb",
}


def load(
    path: str | os.PathLike[str],
    *,
    animation: str | int | None = None,
    unit: str | float | Unit = "auto",
    up_axis: str = "auto",
    fps: float | None = None,
    limit: int | None = None,
    names: str | None = None,
) -> Clip:
    """Loads a clip from a .bvh, .glb, .gltf, .vrm, .vrma, .fbx, .npz or .npy file, in metres, +y up.

    A .npz is limbik's own, AMASS's or Kimodo's; positions of joints in a .npz or .npy are fitted as by `limbik.fit`.

    `clip.terrain` is the ground with which limbik saved a .glb or .gltf: of its triangles, where no spec describes it.

    Args:
        path: The file.
        animation: Name or number of the animation, where a file has several (default: the first); of arrays with
            several samples, the number of one.
        unit: Unit of the file's lengths: "m", "cm", "mm", "inch", "cmu", or its size in metres (default: guessed from
            the size of the figure; `clip.unit` is the result).
        up_axis: The file's axis that points up, "x", "y" or "z" (default: guessed for BVH and positions; always y for
            glTF).
        fps: Frames a second of the clip (default: the file's own, which for glTF are its key frames: a file with a key
            a second gives a clip of 1 fps).
        limit: The largest number of joints × frames; each takes about 60 bytes of memory (default: 2 million, or the
            size of the file in bytes if that is larger).
        names: The joints of positions in a .npz or .npy, as for `limbik.fit`: "humanml3d", "kit", "kimodo",
            "mediapipe", "coco" (default: by their number).

    Returns:
        The clip.

    Raises:
        FileError: The file cannot be read, is broken, or is larger than the limit.
        ArgumentError: An argument is out of range, or the file has no such animation.
    """
    path = arguments.file_path("path", path)
    up_axis = arguments.choice("up_axis", up_axis, ("auto", "x", "y", "z"))
    if unit != "auto":
        unit = as_unit(unit)
    if fps is not None:
        fps = arguments.positive("fps", fps, "frames a second")
    if limit is not None:
        limit = arguments.whole("limit", limit, 1)
    suffix = _suffix(path, READ_SUFFIXES, "clips are read from")
    if suffix in ARRAY_SUFFIXES:
        from limbik.files import npz

        return npz.load(path, animation, unit, up_axis, fps, limit, names)
    if names is not None:
        raise ArgumentError("names", shown(names), f"None for a {suffix} file, whose joints have names")
    if suffix == ".bvh":
        from limbik.files import bvh

        clip = bvh.load(path, unit, up_axis, limit)
        if animation not in (None, 0, clip.name) or isinstance(animation, bool):
            raise ArgumentError("animation", repr(animation), f"0 or {clip.name!r}: a BVH file has one")
        return clip if fps is None else bvh.resample(clip, fps, path, limit)
    if suffix == ".fbx":
        from limbik.files import fbx

        return fbx.load(path, animation, unit, up_axis, fps, limit)
    from limbik.files import gltf

    arguments.choice("up_axis", up_axis, ("auto", "y"))
    return gltf.load(path, animation, unit, fps, limit)


def save(clip: Clip, path: str | os.PathLike[str], *, with_terrain: bool = False) -> None:
    """Saves a clip as a .bvh, .glb, .gltf, .vrm, .vrma or .npz file, in the unit of the file that it came from.

    A .npz holds the arrays of `limbik.training_data`, in metres.

    A clip that came from a file of the same format keeps everything else in that file; only such a clip can be saved as
    .vrm, and one from a .vrm or .vrma also as .glb. Any human clip can be saved as .vrma, an animation for
    all VRM figures. An existing file is replaced, atomically: an interrupted save leaves the old one.

    Args:
        clip: The clip.
        path: The file to write; its suffix is the format.
        with_terrain: Whether a .glb or .gltf also holds the ground around the motion (`clip.terrain`), for viewers to
            show, and for `load`; not for clips loaded from glTF. Where their file has a terrain, `clip.terrain` takes
            its place.

    Raises:
        ArgumentError: What is saved is not a clip, or holds values that are not finite; there is no terrain to save, no
            VRM data for a .vrm, or no human figure for a .vrma.
        FileError: The file cannot be written.
    """
    if isinstance(clip, Pose) and not isinstance(clip, Clip):
        single = "limbik.Clip(pose.skeleton, pose.rotations[None], pose.translations[None])"
        raise ArgumentError("clip", "a Pose", f"a Clip; a single pose becomes one by {single}")
    arguments.instance("clip", clip, Clip, "a Clip, such as limbik.load returns")
    path = arguments.file_path("path", path)
    with_terrain = arguments.flag("with_terrain", with_terrain)
    suffix = _suffix(path, SUFFIXES, "clips are written as")
    if suffix == ".npz":
        from limbik.files import npz

        if with_terrain:
            raise ArgumentError("with_terrain", True, "False for a .npz file, which holds no meshes")
        npz.save(clip, path)
    elif suffix == ".bvh":
        from limbik.files import bvh

        if with_terrain:
            raise ArgumentError("with_terrain", True, "False for a .bvh file, which holds no meshes")
        bvh.save(clip, path)
    else:
        from limbik.files import gltf

        gltf.save(clip, path, with_terrain)


def as_clip(clip: Clip | str | os.PathLike[str], name: str = "clip") -> Clip:
    """A clip from what functions on clips accept: a Clip, returned as it is, or the path of a file to load."""
    if isinstance(clip, str | os.PathLike):
        return load(clip)
    wanted = f"a Clip, such as limbik.load returns, or the path of a file ({', '.join(READ_SUFFIXES)})"
    return arguments.instance(name, clip, Clip, wanted)


def _suffix(path: Path, known: tuple[str, ...], wanted: str) -> str:
    return known_suffix(path, known, wanted, SUFFIX_ADVICE.get(path.suffix.lower(), ""))
