"""Materials of a glTF document: base colours and base colour textures."""

from __future__ import annotations

import reprlib
from typing import Any

from limbik.bodies.body import Material
from limbik.errors import FileError
from limbik.files.gltf.accessors import view_bytes
from limbik.files.gltf.document import Document
from limbik.files.gltf.uris import content_of, media_type

SHOWN = ("image/png", "image/jpeg")  # the textures that can be shown


class MaterialReader:
    """Reads the materials of a document; the image files of their textures are collected in `textures`."""

    def __init__(self, document: Document) -> None:
        self.textures: list[bytes] = []
        self._document = document
        self._known: dict[int, int | None] = {}

    def of(self, primitive: dict[str, Any]) -> Material:
        """The material of a primitive."""
        if "material" not in primitive:
            return Material()
        materials = self._document.objects(self._document.content, "materials", "")
        number = self._document.whole(primitive, "material", "primitive", below=len(materials))
        material, place = materials[number], f"materials[{number}]"
        surface = self._document.object(material, "pbrMetallicRoughness", place)
        place = f"{place}.pbrMetallicRoughness"
        colour = _numbers(self._document, surface.get("baseColorFactor", [1.0] * 4), 4, f"{place}.baseColorFactor")
        cutoff = 0.0
        if material.get("alphaMode") == "MASK":
            [cutoff] = _numbers(self._document, [material.get("alphaCutoff", 0.5)], 1, f"{place}.alphaCutoff")
        found = Material(tuple(colour), cutoff)
        texture = self._document.object(surface, "baseColorTexture", place)
        number = self._texture(texture, f"{place}.baseColorTexture") if texture else None
        if number is None:
            return found
        return found._replace(texture=number, uv_set=f"TEXCOORD_{texture.get('texCoord', 0)}")

    def _texture(self, texture: dict[str, Any], place: str) -> int | None:
        """The index of a texture's image; None where it is missing or neither PNG nor JPEG."""
        textures = self._document.objects(self._document.content, "textures", "")
        number = self._document.whole(texture, "index", place, below=len(textures))
        if "source" not in textures[number] or "extensions" in texture:
            return None
        images = self._document.arrays["images"]
        image = self._document.whole(textures[number], "source", f"textures[{number}]", below=len(images))
        if image not in self._known:
            data = self._file(images[image], f"images[{image}]")
            self._known[image] = None
            if media_type(data) in SHOWN:
                self.textures.append(data)
                self._known[image] = len(self.textures) - 1
        return self._known[image]

    def _file(self, image: dict[str, Any], place: str) -> bytes:
        """The bytes of an image; empty where a file beside the document cannot be read."""
        if "bufferView" in image:
            views = self._document.arrays["bufferViews"]
            number = self._document.whole(image, "bufferView", place, below=len(views))
            return bytes(view_bytes(self._document, number))
        try:
            return content_of(image.get("uri"), self._document.folder, None, self._document.name, f"{place}.uri")
        except FileError:
            return b""


def _numbers(document: Document, found: Any, width: int, place: str) -> list[float]:
    if not (
        type(found) is list
        and len(found) == width
        and all(type(part) in (int, float) and 0.0 <= part <= 1.0 for part in found)
    ):
        raise document.fault(place, f"is {reprlib.repr(found)}; expected {width} numbers from 0 to 1")
    return [float(part) for part in found]
