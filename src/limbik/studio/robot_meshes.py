"""The meshes that a robot's file names for its links, where their files are there and are STL or OBJ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.file_limits import read_file
from limbik.robots.placements import ZERO, Placement, from_sequence, unit
from limbik.robots.xml_elements import Element, read_xml
from limbik.rotations import rotate

MAX_TRIANGLES = 400_000  # of a robot: pages are slow to show more
STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
STL_HEADER = 84  # bytes, of which the last four count the triangles


class Shape(NamedTuple):
    """A mesh on a link: its file as the robot's names it, where it is in the link's frame, and its scale."""

    link: str
    file: str
    place: Placement
    scale: tuple[float, ...]


def robot_meshes(path: Path, links: set[str]) -> dict[str, Array]:
    """The triangles (n, 3, 3) of each link that has a mesh, in the link's frame, metres, by the link's name.

    Empty where one of them cannot be read, most of the given links have none, or there are too many triangles.
    """
    try:
        root = read_xml(path)
        ways = [_urdf_shapes(root, kind) for kind in ("visual", "collision")]
        for shapes in ways if root.tag == "robot" else [_mjcf_shapes(root)]:
            found = _read_all(path, list(shapes))
            if len(links & set(found)) > 0.5 * len(links):
                return found
    except FileError:  # a mesh that is too large, say; `Robot.load` tells what is wrong with the robot's own file
        pass
    return {}


def _read_all(path: Path, shapes: list[Shape]) -> dict[str, Array]:
    parts: dict[str, list[Array]] = {}
    files = {shape.file: _find(path, shape.file) for shape in shapes}
    if None in files.values():
        return {}
    triangles = {name: read_triangles(file) for name, file in files.items() if file}
    if any(found is None for found in triangles.values()):
        return {}
    for shape in shapes:
        corners = triangles[shape.file] * np.array(shape.scale)
        parts.setdefault(shape.link, []).append(rotate(shape.place.rotation, corners) + shape.place.position)
    found = {link: np.concatenate(some) for link, some in parts.items()}
    return found if sum(map(len, found.values())) <= MAX_TRIANGLES else {}


def _find(path: Path, name: str) -> Path | None:
    """The file of a mesh: beside the robot's, or for a package, below one of the folders above it; None if absent."""
    if name.startswith("package://"):
        package, _, rest = name.removeprefix("package://").partition("/")
        places = [folder / part for folder in path.resolve().parents for part in (Path(package, rest), Path(rest))]
    else:
        places = [path.parent / name] if not Path(name).is_absolute() and "://" not in name else []
    return next((place for place in places if place.suffix.lower() in (".stl", ".obj") and place.is_file()), None)


def _urdf_shapes(root: Element, kind: str) -> Iterator[Shape]:
    """The meshes of a URDF file; kind: "visual" or "collision"."""
    for link in root.all("link"):
        for part in link.all(kind):
            geometry, origin = part.one("geometry"), part.one("origin")
            mesh = geometry.one("mesh") if geometry else None
            if mesh is not None:
                place = Placement()
                if origin is not None:
                    place = Placement(origin.vector("xyz", ZERO), from_sequence("XYZ", origin.vector("rpy", ZERO)))
                yield Shape(link.word("name"), mesh.word("filename"), place, mesh.vector("scale", (1.0, 1.0, 1.0)))


def _mjcf_shapes(root: Element) -> Iterator[Shape]:
    """The meshes of an MJCF file that are assets and belong to bodies with names."""
    folder = next((one.attributes["meshdir"] for one in root.all("compiler") if "meshdir" in one.attributes), "")
    assets: dict[str, tuple[str, tuple[float, ...]]] = {}
    for mesh in (mesh for asset in root.all("asset") for mesh in asset.all("mesh") if "file" in mesh.attributes):
        file = mesh.word("file")
        assets[mesh.attributes.get("name", Path(file).stem)] = str(Path(folder, file)), mesh.vector("scale", (1.0,) * 3)
    for body in (body for world in root.all("worldbody") for body in world.descendants() if body.tag == "body"):
        for geom in body.all("geom"):
            name = geom.attributes.get("mesh")
            if name in assets and "name" in body.attributes:
                w, x, y, z = geom.vector("quat", (1.0, 0.0, 0.0, 0.0))
                place = Placement(geom.vector("pos", ZERO), unit((x, y, z, w)) or Placement().rotation)
                file, scale = assets[name]
                yield Shape(body.attributes["name"], file, place, scale)


def read_triangles(path: Path) -> Array | None:
    """The triangles (n, 3, 3) of an STL or OBJ file; None where it is neither."""
    data = read_file(path)
    try:
        found = _read_obj(data) if path.suffix.lower() == ".obj" else _read_stl(data)
    except (ValueError, IndexError):
        return None
    return found if len(found) and np.isfinite(found).all() else None


def _read_stl(data: bytes) -> Array:
    count = int.from_bytes(data[STL_HEADER - 4 : STL_HEADER], "little")
    if len(data) == STL_HEADER + count * STL_TRIANGLE.itemsize:
        return np.frombuffer(data, STL_TRIANGLE, count, STL_HEADER)["corners"].astype(float)
    lines = (line.split() for line in data.decode("ascii").splitlines())
    return np.array([line[1:4] for line in lines if line[:1] == ["vertex"]], float).reshape(-1, 3, 3)


def _read_obj(data: bytes) -> Array:
    """Faces with more than three corners become fans."""
    points: list[list[str]] = []
    faces: list[tuple[int, ...]] = []
    for words in map(str.split, data.decode("utf-8", "replace").splitlines()):
        if words[:1] == ["v"]:
            points.append(words[1:4])
        elif words[:1] == ["f"]:
            numbers = [int(word.split("/")[0]) for word in words[1:]]
            corners = [number - 1 if number > 0 else len(points) + number for number in numbers]
            faces += [(corners[0], *pair) for pair in pairwise(corners[1:])]
    return np.array(points, float).reshape(-1, 3)[np.array(faces, int).reshape(-1, 3)]
