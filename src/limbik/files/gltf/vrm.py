"""VRM in a glTF document: what its nodes are on a human body, and whose figure it is.

A .vrm (0.x or 1.0) and a .vrma, an animation for any VRM figure, are .glb files with such an extension. What is broken
in it is ignored, as viewers do that do not know the extension.
"""

from __future__ import annotations

from typing import Any

from limbik.files.gltf.document import Document, JsonObject

FIGURES, ANIMATION = ("VRM", "VRMC_vrm"), "VRMC_vrm_animation"
MAX_TEXT_CHARACTERS = 200  # of a title, an author or a licence
# What VRM 0.x and 1.0 call them.
META = {
    "title": ("title", "name"),
    "author": ("author", "authors"),
    "licence": ("licenseName", "licenseUrl"),
}


def fits(suffix: str, document: Document | None) -> bool:
    """Whether a document, if there is one, has what files of a suffix must have."""
    wanted = {".vrm": FIGURES, ".vrma": (ANIMATION,)}.get(suffix, ())
    return not wanted or (document is not None and any(_extension(document, name) for name in wanted))


def roles(document: Document) -> dict[int, str]:
    """What the nodes are that the extension maps to a human body: "leftUpperLeg"; empty where it maps none."""
    found: dict[int, str] = {}
    nodes = len(document.arrays["nodes"])
    for name in (*FIGURES, ANIMATION):
        bones = _object(_extension(document, name).get("humanoid")).get("humanBones")
        if isinstance(bones, list):  # VRM 0.x
            pairs = [(_object(bone).get("bone"), _object(bone).get("node")) for bone in bones]
        else:
            pairs = [(bone, _object(owner).get("node")) for bone, owner in _object(bones).items()]
        for bone, node in pairs:
            if isinstance(bone, str) and type(node) is int and 0 <= node < nodes:
                found.setdefault(node, bone)
        if found:
            break
    return found


def about(document: Document) -> dict[str, str] | None:
    """The version of VRM that a document has, and title, author and licence where it names them; None without VRM."""
    for name in (*FIGURES, ANIMATION):
        extension = _extension(document, name)
        if extension:
            break
    else:
        return None
    meta = _object(extension.get("meta"))
    version = extension.get("specVersion", "0" if name == "VRM" else "1.0")
    told = {"version": version} | {
        what: next((meta[key] for key in keys if key in meta), "") for what, keys in META.items()
    }
    kind = "VRM animation" if name == ANIMATION else "VRM"
    return {"kind": kind} | {what: text for what, found in told.items() if (text := _text(found))}


def _extension(document: Document, name: str) -> JsonObject:
    return _object(_object(document.content.get("extensions")).get(name))


def _object(found: Any) -> JsonObject:
    return found if isinstance(found, dict) else {}


def _text(found: Any) -> str:
    """Text that a terminal can show, of one line and bounded length; of a list its texts."""
    if isinstance(found, list):
        return ", ".join(filter(None, map(_text, found[:4])))[:MAX_TEXT_CHARACTERS]
    if not isinstance(found, str):
        return ""
    return " ".join("".join(one if one.isprintable() else " " for one in found).split())[:MAX_TEXT_CHARACTERS]
