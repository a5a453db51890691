"""The sections of a BVH file: HIERARCHY, the tree of joints, and MOTION, a line of numbers for each frame."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import BinaryIO

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.number_lines import LineWriter, number, number_rows
from limbik.skeleton.skeleton import freeze

POSITIONS: tuple[str, ...] = ("Xposition", "Yposition", "Zposition")
ROTATIONS: tuple[str, ...] = ("Xrotation", "Yrotation", "Zrotation")
CHANNELS = {name.lower(): name for name in (*POSITIONS, *ROTATIONS)}
MAX_NUMBER = 1e30  # beyond any length or angle, so that sums and squares of a file's numbers stay finite
MAX_INDENT_DEPTH = 40  # the depth beyond which lines are not indented further: a long chain would be mostly tabs
TEXT_DECIMALS = 6  # a millionth of a degree, or of the file's unit
COMMON_RATES = (24, 25, 30, 50, 60, 100, 120, 240)  # frames a second
FRAME_TIME_SECONDS = 1e-9, 1e9  # the range of frame times
# Blanks and colons are one class: two adjacent repetitions would backtrack over a long run of blanks.
_FRAMES = re.compile(rb"\s*frames[:\s]*([^:\s]\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*frame\s*time[:\s]*([^:\s]\S*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A file's joints in its own order: each followed by its descendants. Lengths and axes are the file's."""

    names: tuple[str, ...]
    parents: Array  # (joints,), −1 for a root
    offsets: Array  # (joints, 3)
    channels: tuple[tuple[str, ...], ...]  # each joint's, such as "Zrotation", in the order of a frame's numbers
    end_sites: Array  # (joints,) bool

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
        return abs(number(text.encode())) <= MAX_NUMBER
    except ValueError:
        return False


def abbreviate(word: str) -> str:
    """A word of the file, shortened for messages."""
    return repr(word if len(word) <= 30 else word[:27] + "...") if word else "the end of the file"


@dataclass
class _Joint:
    name: str
    parent: int
    end_site: bool
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None


class _Parser:
    """Reads joints from a text word by word; braces are words of their own."""

    _WORD = re.compile(r"[{}]|[^\s{}]+", re.ASCII)
    _NAME = re.compile(r"[^{}]*")

    def __init__(self, text: str, path: object) -> None:
        self._path = path
        self._lines = text.split("\n")
        self._line = self._column = 0
        self.joints: list[_Joint] = []
        self.open: list[int] = []  # the joints whose closing brace is still to come

    def fault(self, why: str) -> FileError:
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

    def expect(self, word: str) -> None:
        if (found := self.next()).upper() != word:
            raise self.fault(f"{abbreviate(found)} where {word} was expected")

    def number(self, what: str) -> float:
        if not is_number(word := self.next()):
            raise self.fault(f"{what}: {abbreviate(word)} is not a number")
        return float(word)

    def begin(self, kind: str) -> None:
        """Reads ROOT, JOINT or End Site, up to its opening brace."""
        parent = self.open[-1] if self.open else -1
        if (kind == "ROOT") != (parent < 0):
            raise self.fault(f"{kind} {'inside a joint' if self.open else 'outside of any ROOT'}")
        if self.open and self.joints[parent].end_site:
            raise self.fault(f"{kind} inside an End Site")
        found = self._NAME.match(self._lines[self._line], self._column)
        assert found is not None  # an empty match is one
        self._column, name = found.end(), found[0].strip()
        if kind == "END":
            name = f"{self.joints[parent].name}_end"  # a name after "End Site" is rare, and ignored by others too
        self.joints.append(_Joint(name or f"joint_{len(self.joints)}", parent, kind == "END"))
        self.open.append(len(self.joints) - 1)
        self.expect("{")

    def innermost(self, word: str) -> _Joint:
        if not self.open:
            raise self.fault(f"{word} outside of any joint")
        return self.joints[self.open[-1]]

    def end(self) -> None:
        joint = self.innermost("}")
        if joint.offset is None:
            raise self.fault(f"{abbreviate(joint.name)} has no OFFSET")
        self.open.pop()
        if joint.end_site and not any(joint.offset):
            self.joints.pop()

    def offset(self) -> None:
        joint = self.innermost("OFFSET")
        if joint.offset is not None:
            raise self.fault(f"a second OFFSET of {abbreviate(joint.name)}")
        joint.offset = tuple(self.number("OFFSET") for _ in "xyz")

    def channels(self) -> None:
        joint = self.innermost("CHANNELS")
        if joint.channels is not None:
            raise self.fault(f"a second CHANNELS of {abbreviate(joint.name)}")
        count = self.number("CHANNELS")
        if count not in range(len(CHANNELS) + 1):
            raise self.fault(f"{count:g} channels; expected a whole number up to {len(CHANNELS)}")
        if joint.end_site and count:
            raise self.fault("an End Site has no channels")
        found: list[str] = []
        for _ in range(int(count)):
            word = self.next()
            if word.lower() not in CHANNELS:
                names = ", ".join(CHANNELS.values())
                raise self.fault(f"{abbreviate(word)} where one of {int(count)} channels was expected: {names}")
            found.append(CHANNELS[word.lower()])
        if len(set(found)) < len(found):
            raise self.fault("a channel appears twice: " + " ".join(found))
        joint.channels = tuple(found)


def read_hierarchy(text: str, path: object) -> Hierarchy:
    """The joints of a file's text before MOTION.

    End Sites become joints named after their parent, "Toe_end". An End Site without length is left out: it only
    states that its parent has no children, as the format demands.
    """
    parser = _Parser(text, path)
    parser.expect("HIERARCHY")
    actions = {"OFFSET": parser.offset, "CHANNELS": parser.channels, "}": parser.end}
    while word := parser.next():
        if word.upper() in ("ROOT", "JOINT", "END"):
            parser.begin(word.upper())
        elif word.upper() in actions:
            actions[word.upper()]()
        else:
            raise parser.fault(f"{abbreviate(word)} where ROOT, JOINT, End Site, OFFSET, CHANNELS or }} was expected")
    joints = parser.joints
    if parser.open:
        raise parser.fault(f"the joints end before the closing brace of {abbreviate(joints[parser.open[-1]].name)}")
    if not joints:
        raise parser.fault("no ROOT")
    return Hierarchy(
        names=tuple(joint.name for joint in joints),
        parents=np.array([joint.parent for joint in joints]),
        offsets=np.array([joint.offset for joint in joints], float),
        channels=tuple(joint.channels or () for joint in joints),
        end_sites=np.array([joint.end_site for joint in joints]),
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
            lines.append("\t" * min(depth + 1, MAX_INDENT_DEPTH) + "}")
        while open_joints and open_joints[-1] != follower:
            lines.append("\t" * min(depths[open_joints.pop()], MAX_INDENT_DEPTH) + "}")
    return "\n".join(lines) + "\n"


def _joint_lines(hierarchy: Hierarchy, joint: int, depth: int) -> list[str]:
    """The lines of a joint before its children."""
    offset = "OFFSET " + " ".join(number_text(x) for x in hierarchy.offsets[joint])
    if hierarchy.end_sites[joint]:
        return _block("End Site", [offset], depth)
    channels = hierarchy.channels[joint]
    kind = "JOINT" if hierarchy.parents[joint] >= 0 else "ROOT"
    name = re.sub(r"[{}\r\n]", "_", hierarchy.names[joint]).strip()  # as it can be read back
    return _block(f"{kind} {name}".rstrip(), [offset, " ".join(["CHANNELS", str(len(channels)), *channels])], depth)


def _block(title: str, lines: Sequence[str], depth: int) -> list[str]:
    outer, inner = "\t" * min(depth, MAX_INDENT_DEPTH), "\t" * min(depth + 1, MAX_INDENT_DEPTH)
    return [outer + title, outer + "{", *(inner + line for line in lines)]


def number_text(number: float) -> str:
    """A number with six decimals, without trailing zeros."""
    text = f"{number:.6f}".rstrip("0")
    text = text + "0" if text.endswith(".") else text
    return "0.0" if text == "-0.0" else text


@dataclass(frozen=True, eq=False)
class Motion:
    """The MOTION section."""

    values: Array  # (frames, channels), as in the file
    frame_time: str
    fps: float
    claimed: int  # the number of frames that the file states


def read_motion(data: bytes, start: int, columns: int, path: object) -> Motion:
    """The motion in data[start:]. Every line is a frame: recordings that were cut or joined may state an old count."""
    claimed, at = _read_statement(_FRAMES, "Frames:", "a whole number", str.isdecimal, data, start, path)
    frame_time, at = _read_statement(_FRAME_TIME, "Frame Time:", "seconds above 0", _is_duration, data, at, path)
    return Motion(freeze(read_rows(data, at, columns, path)), frame_time, rate(frame_time), int(claimed))


def _read_statement(
    pattern: re.Pattern[bytes], what: str, wanted: str, fits: Callable[[str], bool], data: bytes, at: int, path: object
) -> tuple[str, int]:
    """The value of a line such as "Frames: 300", and where the text continues."""
    found = pattern.match(data, at)
    if found is None:
        here = len(data) - len(data[at:].lstrip())
        raise FileError(path, _place(data, here), f"{what} was expected here")
    text = found[1].decode("latin-1")
    if len(text) > 100 or not text.isascii() or not fits(text):
        raise FileError(path, _place(data, found.start(1)), f"{what} {abbreviate(text)}; expected {wanted}")
    return text, found.end()


def _is_duration(text: str) -> bool:
    return is_number(text) and FRAME_TIME_SECONDS[0] <= float(text) <= FRAME_TIME_SECONDS[1]


def _place(data: bytes, at: int) -> str:
    return f"line {data.count(10, 0, at) + 1}"


def rate(frame_time: str) -> float:
    """Frames a second from a frame time as written: a common, integer or television rate where one fits it."""
    seconds = float(frame_time)
    digit = 10.0 ** int(Decimal(frame_time).as_tuple().exponent)  # some programs round the last digit, some truncate
    common = min(COMMON_RATES, key=lambda fps: abs(1.0 / fps - seconds))
    whole, television = round(1.0 / seconds), round(1.001 / seconds) / 1.001
    if abs(whole * seconds - 1.0) < 1e-12:
        return float(whole)
    for fps in (common, whole, television):
        if fps and abs(1.0 / fps - seconds) < digit:
            return float(fps)
    return 1.0 / seconds


def read_rows(data: bytes, start: int, columns: int, path: object) -> Array:
    """The rows of numbers in data[start:], (frames, columns); each is a line, and blank lines are skipped."""
    values = number_rows(data[start:], columns)
    if values is not None and np.all(np.abs(values) <= MAX_NUMBER):
        return values
    for place, line in enumerate(io.BytesIO(data[start:]), data.count(10, 0, start) + 1):
        words = [word.decode("latin-1") for word in line.split()]
        bad = next((word for word in words if not is_number(word)), None)
        if bad is not None:
            raise FileError(path, f"line {place}", f"{abbreviate(bad)} is not a usable number")
        if words and len(words) != columns:
            raise FileError(path, f"line {place}", f"{len(words)} numbers; the joints have {columns} channels")
    return np.empty((0, columns))


def write_motion(file: BinaryIO, values: Array, frame_time: str) -> None:
    """Writes the text from MOTION on."""
    frames, columns = values.shape
    file.write(f"MOTION\nFrames: {frames}\nFrame Time: {frame_time}\n".encode())
    if columns:
        writer = LineWriter(file, [""] * columns, {}, before=["", *[" "] * (columns - 1)], end="\n", missing="")
        writer.write(np.round(values, TEXT_DECIMALS) + 0.0)  # no −0.0
