"""Reads and writes the HIERARCHY section of a BVH file: its joints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.text_rows import number

POSITIONS: tuple[str, ...] = ("Xposition", "Yposition", "Zposition")
ROTATIONS: tuple[str, ...] = ("Xrotation", "Yrotation", "Zrotation")
CHANNELS = {name.lower(): name for name in (*POSITIONS, *ROTATIONS)}
LARGEST = 1e30  # beyond any length or angle, so that sums and squares of a file's numbers stay finite
INDENTED = 40  # the depth beyond which lines are not indented further: a long chain would be mostly tabs


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A file's joints in its own order: each followed by its descendants. Lengths and axes are the file's.

    parents: −1 for a root. offsets: (joints, 3). channels: each joint's, in order, such as "Zrotation"; the numbers of
    a frame are those of all joints, one after the other. end_sites: (joints,) bool.
    """

    names: tuple[str, ...]
    parents: Array
    offsets: Array
    channels: tuple[tuple[str, ...], ...]
    end_sites: Array

    @property
    def columns(self) -> Iterator[tuple[int, str]]:
        """The joint and the channel of each of a frame's numbers."""
        return ((joint, channel) for joint, channels in enumerate(self.channels) for channel in channels)

    @property
    def width(self) -> int:
        """How many numbers a frame has."""
        return sum(map(len, self.channels))


def is_number(text: str) -> bool:
    """Whether a word is a finite number of a usable size."""
    try:
        return abs(number(text.encode())) <= LARGEST
    except ValueError:
        return False


def shown(word: str) -> str:
    """A word of the file, shortened for messages."""
    return repr(word if len(word) <= 30 else word[:27] + "...") if word else "the end of the file"


class _Words:
    """The words of a text one after the other; braces are words of their own."""

    _WORD = re.compile(r"[{}]|[^\s{}]+", re.ASCII)
    _NAME = re.compile(r"[^{}]*")

    def __init__(self, text: str, path: object) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._line = self._column = 0

    def fault(self, why: str) -> FileError:
        """An error at the last word."""
        return FileError(self._path, f"line {self._line + 1}", why)

    def next(self) -> str:
        """The next word; empty at the end."""
        while True:
            if found := self._WORD.search(self._lines[self._line], self._column):
                self._column = found.end()
                return found[0]
            if self._line + 1 == len(self._lines):
                self._column = len(self._lines[self._line])
                return ""
            self._line, self._column = self._line + 1, 0

    def rest(self) -> str:
        """The rest of the line, up to a brace."""
        found = self._NAME.match(self._lines[self._line], self._column)
        assert found is not None  # an empty match is one
        self._column = found.end()
        return found[0].strip()

    def expect(self, word: str) -> None:
        """Reads this word, in upper or lower case."""
        if (found := self.next()).upper() != word:
            raise self.fault(f"{shown(found)} where {word} was expected")

    def number(self, what: str) -> float:
        """Reads a number."""
        if not is_number(word := self.next()):
            raise self.fault(f"{what}: {shown(word)} is not a number")
        return float(word)


@dataclass
class _Joint:
    """A joint that is being read."""

    name: str
    parent: int
    end_site: bool
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None


@dataclass
class _Tree:
    """The joints read so far; `open` are those whose closing brace is still to come."""

    words: _Words
    joints: list[_Joint] = field(default_factory=list)
    open: list[int] = field(default_factory=list)

    def begin(self, kind: str) -> None:
        """ROOT, JOINT or End Site, up to its opening brace."""
        parent = self.open[-1] if self.open else -1
        if (kind == "ROOT") != (parent < 0):
            raise self.words.fault(f"{kind} {'inside a joint' if self.open else 'outside of any ROOT'}")
        if self.open and self.joints[parent].end_site:
            raise self.words.fault(f"{kind} inside an End Site")
        name = self.words.rest()
        if kind == "END":
            name = f"{self.joints[parent].name}_end"  # a name after "End Site" is rare, and ignored by others too
        self.joints.append(_Joint(name or f"joint_{len(self.joints)}", parent, kind == "END"))
        self.open.append(len(self.joints) - 1)
        self.words.expect("{")

    def innermost(self, word: str) -> _Joint:
        """The innermost open joint."""
        if not self.open:
            raise self.words.fault(f"{word} outside of any joint")
        return self.joints[self.open[-1]]

    def end(self) -> None:
        """The closing brace of a joint."""
        joint = self.innermost("}")
        if joint.offset is None:
            raise self.words.fault(f"{shown(joint.name)} has no OFFSET")
        self.open.pop()
        if joint.end_site and not any(joint.offset):
            self.joints.pop()

    def offset(self) -> None:
        """OFFSET and three numbers."""
        joint = self.innermost("OFFSET")
        if joint.offset is not None:
            raise self.words.fault(f"a second OFFSET of {shown(joint.name)}")
        joint.offset = tuple(self.words.number("OFFSET") for _ in "xyz")

    def channels(self) -> None:
        """CHANNELS, how many, and their names."""
        joint = self.innermost("CHANNELS")
        if joint.channels is not None:
            raise self.words.fault(f"a second CHANNELS of {shown(joint.name)}")
        count = self.words.number("CHANNELS")
        if count not in range(len(CHANNELS) + 1):
            raise self.words.fault(f"{count:g} channels; expected a whole number up to {len(CHANNELS)}")
        if joint.end_site and count:
            raise self.words.fault("an End Site has no channels")
        found: list[str] = []
        for _ in range(int(count)):
            word = self.words.next()
            if word.lower() not in CHANNELS:
                names = ", ".join(CHANNELS.values())
                raise self.words.fault(f"{shown(word)} where one of {int(count)} channels was expected: {names}")
            found.append(CHANNELS[word.lower()])
        if len(set(found)) < len(found):
            raise self.words.fault("a channel appears twice: " + " ".join(found))
        joint.channels = tuple(found)


def read_hierarchy(text: str, path: object) -> Hierarchy:
    """The joints of a file's text before MOTION.

    End Sites become joints named after their parent, "Toe_end". An End Site without length is left out: it only
    states that its parent has no children, as the format demands.
    """
    words = _Words(text, path)
    words.expect("HIERARCHY")
    tree = _Tree(words)
    while word := words.next():
        match word.upper():
            case "ROOT" | "JOINT" | "END" as kind:
                tree.begin(kind)
            case "OFFSET":
                tree.offset()
            case "CHANNELS":
                tree.channels()
            case "}":
                tree.end()
            case _:
                raise words.fault(f"{shown(word)} where ROOT, JOINT, End Site, OFFSET, CHANNELS or }} was expected")
    if tree.open:
        raise words.fault(f"the joints end before the closing brace of {shown(tree.joints[tree.open[-1]].name)}")
    if not tree.joints:
        raise words.fault("no ROOT")
    return Hierarchy(
        names=tuple(joint.name for joint in tree.joints),
        parents=np.array([joint.parent for joint in tree.joints]),
        offsets=np.array([joint.offset for joint in tree.joints], float),
        channels=tuple(joint.channels or () for joint in tree.joints),
        end_sites=np.array([joint.end_site for joint in tree.joints]),
    )


def hierarchy_text(hierarchy: Hierarchy) -> str:
    """The text before MOTION. Every joint without children gets an End Site."""
    lines, depths = ["HIERARCHY"], [0] * len(hierarchy.names)
    followers = [*hierarchy.parents.tolist()[1:], -1]
    open_joints: list[int] = []
    for joint, (parent, follower) in enumerate(zip(hierarchy.parents.tolist(), followers, strict=True)):
        depths[joint] = depth = depths[parent] + 1 if parent >= 0 else 0
        lines += _joint_lines(hierarchy, joint, depth)
        open_joints.append(joint)
        if follower != joint and not hierarchy.end_sites[joint]:
            lines += _block("End Site", ["OFFSET 0.0 0.0 0.0"], depth + 1)
            lines.append("\t" * min(depth + 1, INDENTED) + "}")
        while open_joints and open_joints[-1] != follower:
            lines.append("\t" * min(depths[open_joints.pop()], INDENTED) + "}")
    return "\n".join(lines) + "\n"


def _joint_lines(hierarchy: Hierarchy, joint: int, depth: int) -> list[str]:
    """The lines of a joint before its children."""
    offset = "OFFSET " + " ".join(number_text(x) for x in hierarchy.offsets[joint])
    if hierarchy.end_sites[joint]:
        return _block("End Site", [offset], depth)
    channels = hierarchy.channels[joint]
    kind = "JOINT" if hierarchy.parents[joint] >= 0 else "ROOT"
    title = f"{kind} {_written(hierarchy.names[joint])}".rstrip()
    return _block(title, [offset, " ".join(["CHANNELS", str(len(channels)), *channels])], depth)


def _block(title: str, lines: Sequence[str], depth: int) -> list[str]:
    outer, inner = "\t" * min(depth, INDENTED), "\t" * min(depth + 1, INDENTED)
    return [outer + title, outer + "{", *(inner + line for line in lines)]


def _written(name: str) -> str:
    """A name that can be read back: on one line, without braces or surrounding blanks."""
    return re.sub(r"[{}\r\n]", "_", name).strip()


def number_text(number: float) -> str:
    """A number with six decimals, without trailing zeros."""
    text = f"{number:.6f}".rstrip("0")
    text = text + "0" if text.endswith(".") else text
    return "0.0" if text == "-0.0" else text
