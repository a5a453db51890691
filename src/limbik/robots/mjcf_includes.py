"""Puts the contents of included MJCF files in the place of <include>; never those of a file in another folder."""

from __future__ import annotations

from pathlib import Path

from limbik.errors import FileError, shown
from limbik.robots.xml_elements import DEEPEST, MOST_ELEMENTS, Element, read_xml


def expand_includes(root: Element) -> Element:
    """The root with every <include> replaced; paths are relative to the main file's folder, and each is read once."""
    folder = root.path.parent
    seen = {_resolved(root, root.path)}
    count = 0
    waiting = [(root, 1)]
    while waiting:
        element, depth = waiting.pop()
        count += len(element.children)
        if depth > DEEPEST:
            element.fail(f"is nested more than {DEEPEST} deep")
        if count > MOST_ELEMENTS:
            element.fail(f"exceeds the limit of {MOST_ELEMENTS:,} elements, included files together")
        while any(child.tag == "include" for child in element.children):
            element.children = [
                one
                for child in element.children
                for one in (_included(child, folder, seen) if child.tag == "include" else [child])
            ]
        waiting.extend((child, depth + 1) for child in element.children)
    return root


def _included(include: Element, folder: Path, seen: set[Path]) -> list[Element]:
    name = include.word("file")
    path = _resolved(include, folder / name)
    if not path.is_relative_to(_resolved(include, folder)):
        include.fail(f"names {shown(name)}, outside the file's folder; copy it there to have it read")
    if path in seen:
        include.fail(f"names {shown(name)} again; a file is included once")
    seen.add(path)
    try:
        return read_xml(path).children
    except FileError as error:
        include.fail(f"names a file that cannot be read: {error}")


def _resolved(element: Element, path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a name too long, a circle of links, an odd character
        element.fail(f"names {shown(str(path))}, which is not a path")
