"""What the meshes of a glTF document are painted with: a colour, and a picture where that is simple."""

from __future__ import annotations

import reprlib
from typing import Any, NamedTuple

from limbik.errors import FileError
from limbik.files.gltf.accessors import view_bytes
from limbik.files.gltf.document import Document
from limbik.files.gltf.uris import content_of

PLAIN = (0.8, 0.8, 0.8, 1.0)  # the colour of what has no material
KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}  # by how their files begin


class Paint(NamedTuple):
    """A colour, linear rgba, and the opacity below which there is a hole.

    Where there is a picture, its number, and the name of the attribute that tells where the picture goes.
    """

    colour: tuple[float, ...] = PLAIN
    cutoff: float = 0.0
    picture: int | None = None
    coordinates: str = ""


class Materials:
    """A document's materials; the pictures that they need, the bytes of their files, are added to those given."""

    def __init__(self, document: Document, pictures: list[bytes]) -> None:
        self._document, self._pictures = document, pictures
        self._known: dict[int, int | None] = {}

    def of(self, primitive: dict[str, Any]) -> Paint:
        """What a primitive is painted with."""
        if "material" not in primitive:
            return Paint()
        materials = self._document.objects(self._document.content, "materials", "")
        number = self._document.whole(primitive, "material", "primitive", below=len(materials))
        material, place = materials[number], f"materials[{number}]"
        paint = self._document.object(material, "pbrMetallicRoughness", place)
        place = f"{place}.pbrMetallicRoughness"
        colour = _numbers(self._document, paint.get("baseColorFactor", [1.0] * 4), 4, f"{place}.baseColorFactor")
        cutoff = 0.0
        if material.get("alphaMode") == "MASK":
            [cutoff] = _numbers(self._document, [material.get("alphaCutoff", 0.5)], 1, f"{place}.alphaCutoff")
        found = Paint(tuple(colour), cutoff)
        texture = self._document.object(paint, "baseColorTexture", place)
        picture = self._picture(texture, f"{place}.baseColorTexture") if texture else None
        if picture is None:
            return found
        return found._replace(picture=picture, coordinates=f"TEXCOORD_{texture.get('texCoord', 0)}")

    def _picture(self, texture: dict[str, Any], place: str) -> int | None:
        """A texture's picture; None where it is of a kind that not every browser shows, or not there."""
        textures = self._document.objects(self._document.content, "textures", "")
        number = self._document.whole(texture, "index", place, below=len(textures))
        if "source" not in textures[number] or "extensions" in texture:
            return None
        images = self._document.arrays["images"]
        image = self._document.whole(textures[number], "source", f"textures[{number}]", below=len(images))
        if image not in self._known:
            data = self._file(images[image], f"images[{image}]")
            self._known[image] = None
            if kind_of(data) is not None:
                self._pictures.append(data)
                self._known[image] = len(self._pictures) - 1
        return self._known[image]

    def _file(self, image: dict[str, Any], place: str) -> bytes:
        """The bytes of an image; none where a file beside the document cannot be read: the figure does without."""
        if "bufferView" in image:
            views = self._document.arrays["bufferViews"]
            number = self._document.whole(image, "bufferView", place, below=len(views))
            data, start, length = view_bytes(self._document, number)
            return bytes(data[start : start + length])
        try:
            return content_of(image.get("uri"), self._document.folder, None, self._document.name, f"{place}.uri")
        except FileError:
            return b""


def kind_of(picture: bytes) -> str | None:
    """The media type of a picture's file; None where it is of another kind."""
    return next((kind for start, kind in KINDS.items() if picture.startswith(start)), None)


def _numbers(document: Document, found: Any, width: int, place: str) -> list[float]:
    """Numbers from 0 to 1."""
    if not (
        type(found) is list
        and len(found) == width
        and all(type(part) in (int, float) and 0.0 <= part <= 1.0 for part in found)
    ):
        raise document.fault(place, f"is {reprlib.repr(found)}; expected {width} numbers from 0 to 1")
    return [float(part) for part in found]
