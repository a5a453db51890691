"""glTF 2.0, .glb and .gltf: read a figure and its animations, write a clip back into the file that it came from.

container.py         chunks of a .glb                     uris.py                files and data that URIs name
document.py          checked access to the JSON           accessors.py           typed arrays in the binary data
nodes.py             the joint tree at rest               animation_channels.py  what an animation moves
timeline.py          frames of an animation, and values   gltf_reader.py         document to Clip
body_reader.py       meshes of a document, and materials  body_document.py       a document for a clip from elsewhere
document_editor.py   a document being changed             gltf_writer.py         Clip to document
terrain_node.py      the ground under a motion            triangles.py          all triangles, as a terrain has them
animation_extras.py  feet, contacts, footsteps and notes of a motion
vrm.py               what joints are, and whose file it is, in .vrm and .vrma, which are .glb files
vrm_animation.py     a .vrma for a clip from elsewhere
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from limbik.errors import ArgumentError
from limbik.files.atomic_write import atomic_write
from limbik.files.file_limits import known_suffix, read_file
from limbik.files.gltf import vrm
from limbik.files.gltf.document import parse
from limbik.files.gltf.gltf_reader import clip_of, own_source
from limbik.files.gltf.gltf_writer import file_of
from limbik.skeleton.clip import Clip
from limbik.skeleton.units import Unit

SUFFIXES = (".glb", ".gltf", ".vrm", ".vrma")


def load(
    path: str | PathLike[str],
    animation: str | int | None = None,
    unit: str | float | Unit = "auto",
    fps: float | None = None,
    limit: int | None = None,
) -> Clip:
    """The figure of a .glb, .gltf, .vrm or .vrma and one of its animations: see `limbik.load`.

    Frames are the file's key frames where those lie on an even grid, otherwise 60 a second. A file without animations
    gives one frame, the rest pose.
    """
    path = Path(path)
    return clip_of(parse(read_file(path), str(path), path.parent.resolve(), limit), animation, unit, fps)


def lost_in_clip(clip: Clip) -> list[str]:
    """What the glTF file of a clip holds beside its skeleton and this animation, in words."""
    source = own_source(clip)
    if source is None:
        return []
    content, others = source.document.content, len(source.document.arrays["animations"]) - 1
    lost = [
        what for what, key in (("body", "meshes"), ("textures", "images"), ("cameras", "cameras")) if content.get(key)
    ]
    lost += ["terrain"] if clip.terrain is not None else []
    return [*lost, f"{others} other animation{'s' * (others > 1)}"] if others > 0 else lost


def save(clip: Clip, path: str | PathLike[str], with_terrain: bool = False) -> None:
    """Writes a clip as .glb, .gltf, .vrm or .vrma.

    A clip that was loaded from glTF goes into a copy of that document: its animation is replaced and everything else is
    kept. Files that the document refers to are embedded where the copy has the other suffix or goes to another folder.
    A clip from elsewhere is written with its body, and with the terrain under it if that is wanted; as .vrma, with the
    map of its joints and without a body.
    """
    path = Path(path)
    suffix = known_suffix(path, SUFFIXES)
    source = own_source(clip)
    animates = suffix == ".vrma"
    if not animates and not vrm.fits(suffix, source.document if source else None):
        wanted = "a clip loaded from a .vrm file, whose VRM data it keeps; others are saved as .glb, or .vrma"
        raise ArgumentError("clip", "a clip without VRM data", wanted)
    data = file_of(clip, path, binary=suffix != ".gltf", with_terrain=with_terrain, as_animation=animates)
    with atomic_write(path) as file:
        file.write(data)
