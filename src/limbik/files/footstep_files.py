"""Footsteps in files: JSON, or what a glTF file knows of the motion in it."""

from __future__ import annotations

import json
import os

from limbik import arguments
from limbik.errors import FileError, LimbikError
from limbik.files.atomic_write import atomic_write
from limbik.files.clip_files import load
from limbik.files.file_limits import known_suffix, read_file
from limbik.skeleton.footsteps import Footsteps

SUFFIX = ".json"
CLIP_SUFFIXES = (".glb", ".gltf")


def load_footsteps(path: str | os.PathLike[str]) -> Footsteps:
    """Loads footsteps from the .json file of `save_footsteps`, or those of a grounded clip in a .glb or .gltf file.

    Args:
        path: The file.

    Returns:
        The footsteps.

    Raises:
        FileError: The file cannot be read, or holds no footsteps; the message says which is malformed.
        ArgumentError: `path` is not a path.
    """
    path = arguments.file_path("path", path)
    if known_suffix(path, (SUFFIX, *CLIP_SUFFIXES)) != SUFFIX:
        footsteps = load(path).footsteps
        if footsteps is None:
            raise FileError(path, "", "holds no footsteps; limbik.save writes those of a clip that was grounded")
        return footsteps
    data = read_file(path)
    try:
        return Footsteps.from_dict(json.loads(data))
    except LimbikError as error:
        raise FileError(path, "", str(error)) from None
    except (ValueError, RecursionError) as error:
        raise FileError(path, "", f"is not JSON ({error})") from None


def save_footsteps(footsteps: Footsteps, path: str | os.PathLike[str]) -> None:
    """Saves footsteps as JSON, one a line, with every digit; an existing file is replaced, atomically.

    Args:
        footsteps: The footsteps, such as `limbik.ground(...).footsteps`.
        path: The file to write, .json.

    Raises:
        ArgumentError: What is saved is not Footsteps.
        FileError: The file cannot be written, or has another suffix.
    """
    arguments.instance("footsteps", footsteps, Footsteps, "Footsteps, such as limbik.ground(...).footsteps")
    path = arguments.file_path("path", path)
    known_suffix(path, (SUFFIX,))
    content = footsteps.as_dict()
    rows = content["footsteps"]
    assert isinstance(rows, list)
    lines = ",\n    ".join(map(json.dumps, rows))
    body = f"[\n    {lines}\n  ]" if rows else "[]"
    with atomic_write(path) as file:
        file.write(f'{{\n  "fps": {json.dumps(content["fps"])},\n  "footsteps": {body}\n}}\n'.encode())
