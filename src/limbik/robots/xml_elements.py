"""Reads XML into elements that know their line; refuses what can make a small file large or reach other files."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from limbik.errors import FileError, shown
from limbik.files.file_limits import read_file

MAX_BYTES = 64 << 20  # of one file
MAX_ELEMENTS = 500_000  # of one file
MAX_DEPTH = 500  # elements within elements
MAX_NUMBER = 1e6  # the largest length, metres, or angle that a robot may have: beyond it digits are lost


class Element:
    """An XML element: its tag, attributes and children, and where it stands."""

    __slots__ = ("attributes", "children", "line", "path", "tag")

    def __init__(self, path: Path, line: int, tag: str, attributes: dict[str, str]) -> None:
        self.path, self.line, self.tag, self.attributes = path, line, tag, attributes
        self.children: list[Element] = []

    def fail(self, why: str) -> NoReturn:
        """Raises a FileError that names the file, the line and the element."""
        raise FileError(self.path, f"line {self.line}", f"<{self.tag}{self._name()}> {why}")

    def alone(self) -> Element:
        """The element without its children: enough to say where it stands."""
        return Element(self.path, self.line, self.tag, self.attributes)

    def _name(self) -> str:
        return f" name={shown(self.attributes['name'])}" if "name" in self.attributes else ""

    def all(self, tag: str) -> list[Element]:
        """The children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> Element | None:
        """The child with this tag, if there is one; more than one are refused."""
        found = self.all(tag)
        if len(found) > 1:
            found[1].fail(f"is the second one of <{self.tag}{self._name()}>; expected one")
        return found[0] if found else None

    def descendants(self) -> Iterator[Element]:
        """The element and all below it, in the file's order."""
        waiting: list[Element] = [self]
        while waiting:
            found = waiting.pop()
            yield found
            waiting.extend(reversed(found.children))

    def word(self, name: str) -> str:
        """An attribute that must be there, and not be empty."""
        value = self.attributes.get(name, "").strip()
        if not value:
            self.fail(f"has no {name}")
        return value

    def numbers(self, name: str, least: int, most: int, largest: float = MAX_NUMBER) -> list[float] | None:
        """The numbers of an attribute, from `least` to `most` of them; None where it is absent."""
        if name not in self.attributes:
            return None
        text = self.attributes[name]
        words = text[:2000].split()  # of a longer text, more than any attribute holds
        wanted = "a number" if most == 1 else f"{least} numbers" if least == most else f"{least} to {most} numbers"
        try:
            values = [float(word) for word in words if "_" not in word or self._reject(name, text, wanted)]
        except ValueError:
            self._reject(name, text, wanted)
        if not least <= len(values) <= most or any(map(isnan, values)):
            self._reject(name, text, wanted)
        if any(abs(value) > largest for value in values):
            self._reject(name, text, f"{wanted} of at most {largest:g}")
        return values

    def _reject(self, name: str, text: str, wanted: str) -> NoReturn:
        self.fail(f"has {name}={shown(text)}; expected {wanted}")

    def number(self, name: str, default: float, largest: float = MAX_NUMBER) -> float:
        """A number; `default` where the attribute is absent."""
        found = self.numbers(name, 1, 1, largest)
        return default if found is None else found[0]

    def vector(self, name: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """As many numbers as the default has; the default where the attribute is absent."""
        found = self.numbers(name, len(default), len(default))
        return default if found is None else tuple(found)

    def flag(self, name: str, choices: tuple[str, ...], default: str) -> str:
        """One of several words; `default` where the attribute is absent."""
        value = self.attributes.get(name, default).strip()
        if value not in choices:
            self.fail(f"has {name}={shown(value)}; expected one of {', '.join(map(repr, choices))}")
        return value


def read_xml(path: Path) -> Element:
    """The root element of a file.

    Raises:
        FileError: There is no such file, it is too large or not XML, or it has a document type, in which entities
            could be defined.
    """
    data = read_file(path)
    if len(data) > MAX_BYTES:
        raise FileError(path, "", f"has {len(data):,} bytes; the limit is {MAX_BYTES:,}")
    return parse_xml(data, path)


def parse_xml(data: bytes, path: Path) -> Element:
    """The root element of a file with these bytes."""
    parser = expat.ParserCreate()
    top = Element(path, 0, "", {})
    open_elements = [top]
    count = 0

    def fail(why: str) -> NoReturn:
        raise FileError(path, f"line {parser.CurrentLineNumber}", why)

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS:
            fail(f"has more than {MAX_ELEMENTS:,} elements")
        if len(open_elements) > MAX_DEPTH:
            fail(f"has elements nested more than {MAX_DEPTH} deep")
        element = Element(path, parser.CurrentLineNumber, tag, attributes)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def doctype(*_: object) -> None:
        fail("has a document type (<!DOCTYPE ...>), which could define entities; limbik reads files without one")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FileError(
            path, f"line {error.lineno}", f"is not XML, as URDF and MJCF are: {expat.ErrorString(error.code)}"
        ) from None
    except (LookupError, ValueError) as error:  # an unknown or unusable encoding
        raise FileError(path, "line 1", f"is not XML: {error}") from None
    return top.children[0]
