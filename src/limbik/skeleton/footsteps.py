"""Footsteps: when, where and how each foot of a motion stands, as a table that people edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import hypot
from typing import Any, Self, overload

from limbik import arguments
from limbik.errors import ArgumentError, LimbikError, shown

Position = tuple[float, float | None, float]
Vector = tuple[float, float, float]
MAX_NORM_ERROR = 1e-6  # of a normal: one of another length is scaled to 1


@dataclass(frozen=True)
class Footstep:
    """One stance of a foot: from when to when, and how its sole lies.

    Attributes:
        foot: Name of the limb that the foot ends, such as "left_leg".
        start: The first frame in which any of the foot stands.
        stop: One past the last such frame.
        position: The point of the ground under the ball of the foot: x, y and z, metres. With None as y it is on the
            ground there.
        heading_degrees: Where the toes point, seen from above: 0 is +z and 90 is +x. Where the foot turns while it
            stands, its heading when it is flat.
        normal: Unit vector up from the sole, x, y and z; None for that of the ground.

    Raises:
        ArgumentError: A value is not of its kind, `stop` is not after `start`, or `normal` does not point up.
    """

    foot: str
    start: int
    stop: int
    position: Position
    heading_degrees: float
    normal: Vector | None = None

    def __post_init__(self) -> None:
        start = arguments.whole("start", self.start, -(1 << 31), 1 << 31)
        checked = {
            "foot": arguments.text("foot", self.foot),
            "start": start,
            "stop": arguments.whole("stop", self.stop, start + 1, 1 << 31),
            "position": _as_position(self.position),
            "heading_degrees": arguments.number("heading_degrees", self.heading_degrees, unit="degrees"),
            "normal": None if self.normal is None else _as_normal(self.normal),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def with_(self, **changes: object) -> Footstep:
        """A copy with some fields replaced.

        Args:
            **changes: New values by the names of the fields.

        Returns:
            The changed copy.

        Raises:
            ArgumentError: There is no such field, or a value does not fit.
        """
        known = [field.name for field in fields(self)]
        unknown = changes.keys() - set(known)
        if unknown:
            raise ArgumentError("with_", min(unknown), "fields: " + ", ".join(known))
        values: dict[str, Any] = changes
        return replace(self, **values)

    def moved(self, x: float = 0.0, z: float = 0.0) -> Footstep:
        """The footstep elsewhere on the ground: its height and normal are those of the ground there.

        Args:
            x: How far it is moved along +x, metres.
            z: How far along +z, metres.

        Returns:
            The moved footstep.

        Raises:
            ArgumentError: A distance is not a finite number.
        """
        there = self.position[0] + arguments.number("x", x), None, self.position[2] + arguments.number("z", z)
        return replace(self, position=there, normal=None)


@dataclass(frozen=True, repr=False)
class Footsteps(Sequence[Footstep]):
    """The footsteps of a motion: an immutable sequence that prints as a table.

    `list(footsteps)` can be changed like any list, and given back to `limbik.ground`.

    Attributes:
        steps: The footsteps; by default none.
        fps: Frames a second that their `start` and `stop` count.

    Raises:
        ArgumentError: One of `steps` is not a footstep, or `fps` is not positive.
    """

    steps: tuple[Footstep, ...] = ()
    fps: float = 60.0

    def __post_init__(self) -> None:
        steps = tuple(_as_footstep(k, step) for k, step in enumerate(self.steps))
        object.__setattr__(self, "steps", steps)
        object.__setattr__(self, "fps", arguments.positive("fps", self.fps, "frames a second"))

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Footstep]:
        return iter(self.steps)

    @overload
    def __getitem__(self, index: int) -> Footstep: ...
    @overload
    def __getitem__(self, index: slice) -> Footsteps: ...
    def __getitem__(self, index: int | slice) -> Footstep | Footsteps:
        return Footsteps(self.steps[index], self.fps) if isinstance(index, slice) else self.steps[index]

    def __repr__(self) -> str:
        """The table: a line for each footstep, with times in seconds."""
        lines = [f"{'':4}{'foot':16}{'frames':>12}{'seconds':>15}{'x':>9}{'y':>8}{'z':>8}{'heading':>9}"]
        for k, step in enumerate(self.steps):
            x, y, z = step.position
            frames, high = f"{step.start}–{step.stop - 1}", "ground" if y is None else f"{y:.3f}"
            seconds = f"{step.start / self.fps:.2f}–{step.stop / self.fps:.2f}"
            place = f"{x:>9.3f}{high:>8}{z:>8.3f}{step.heading_degrees:>8.1f}°"
            lines.append(f"{k:<4}{step.foot:16}{frames:>12}{seconds:>15}{place}")
        return "\n".join(lines)

    def at_rate(self, fps: float) -> Footsteps:
        """The footsteps at the same times, counted in other frames.

        Args:
            fps: Frames a second.

        Returns:
            The footsteps with `start` and `stop` of the nearest frames; each lasts a frame or longer.

        Raises:
            ArgumentError: `fps` is not positive.
        """
        if fps == self.fps:
            return self
        ratio = arguments.positive("fps", fps, "frames a second") / self.fps
        starts = [round(step.start * ratio) for step in self.steps]
        stops = [max(round(step.stop * ratio), start + 1) for step, start in zip(self.steps, starts, strict=True)]
        every = zip(self.steps, starts, stops, strict=True)
        return Footsteps(tuple(replace(step, start=start, stop=stop) for step, start, stop in every), fps)

    def shifted(self, frames: int) -> Footsteps:
        """The footsteps of a motion in front of which there are more frames, or fewer.

        Args:
            frames: How many more.

        Returns:
            The later footsteps.

        Raises:
            ArgumentError: `frames` is not a whole number.
        """
        later = arguments.whole("frames", frames, -(1 << 30), 1 << 30)
        steps = (replace(step, start=step.start + later, stop=step.stop + later) for step in self.steps)
        return self if not later else Footsteps(tuple(steps), self.fps)

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON.

        Returns:
            {"fps": …, "footsteps": [{"foot": …, "start": …, "stop": …, "position": …, …}, …]}.
        """
        return {"fps": self.fps, "footsteps": [_plain(step) for step in self.steps]}

    @classmethod
    def from_dict(cls, content: Mapping[str, object]) -> Self:
        """The footsteps that `as_dict` has written.

        Args:
            content: As `as_dict` returns it; `normal` may be missing, and y may be null.

        Returns:
            The footsteps.

        Raises:
            ArgumentError: The content is not of that form; the message says which footstep.
        """
        wanted = '{"fps": 60, "footsteps": [{"foot": "left_leg", "start": 0, "stop": 30, "position": [0, 0, 0], …}]}'
        if not isinstance(content, Mapping) or not {"fps", "footsteps"} <= content.keys():
            raise ArgumentError("footsteps", shown(content), wanted)
        rows = content["footsteps"]
        if not isinstance(rows, Sequence) or isinstance(rows, str):
            raise ArgumentError("footsteps", shown(rows), "a list of footsteps")
        return cls(tuple(_as_footstep(k, row) for k, row in enumerate(rows)), arguments.positive("fps", content["fps"]))


def as_footsteps(found: Footsteps | Iterable[Footstep | Mapping[str, object]], fps: float) -> Footsteps:
    """Footsteps from what `ground` accepts, in frames of a clip at `fps`, which is that of a mere list."""
    if isinstance(found, Footsteps):
        return found.at_rate(fps)
    if not isinstance(found, Iterable) or isinstance(found, str | Mapping):
        raise ArgumentError("footsteps", shown(found), "Footsteps, a list of Footstep, or the path of their .json file")
    return Footsteps(tuple(_as_footstep(k, row) for k, row in enumerate(found)), fps)


def _as_footstep(row: int, found: object) -> Footstep:
    """A footstep or the dictionary of one; errors say in which row it is."""
    if isinstance(found, Footstep):
        return found
    known = [field.name for field in fields(Footstep)]
    name = f"footsteps[{row}]"
    if not isinstance(found, Mapping):
        raise ArgumentError(name, shown(found), f"a Footstep, or a dictionary of {', '.join(known)}")
    missing, unknown = set(known[:-1]) - found.keys(), found.keys() - set(known)
    if missing or unknown:
        what = f"no {min(missing)}" if missing else shown(min(unknown, key=str))
        raise ArgumentError(name, what, f"{', '.join(known[:-1])} and, if it is not the ground's, {known[-1]}")
    values: dict[str, Any] = {str(key): value for key, value in found.items()}
    try:
        return Footstep(**values)
    except LimbikError as error:
        raise LimbikError(f"{name}.{error}") from None


def _as_position(found: object) -> Position:
    wanted = "x, y and z in metres; y may be None, for a place on the ground"
    if isinstance(found, str) or not hasattr(found, "__len__"):
        raise ArgumentError("position", shown(found), wanted)
    parts: Any = found
    if len(parts) != 3:
        raise ArgumentError("position", shown(found), wanted)
    x, z = (arguments.number(f"position {name}", parts[k], unit="metres") for name, k in (("x", 0), ("z", 2)))
    return x, None if parts[1] is None else arguments.number("position y", parts[1], unit="metres"), z


def _as_normal(found: object) -> Vector:
    x, y, z = arguments.vector("normal", found, 3).tolist()
    if y <= 0.0:
        raise ArgumentError("normal", shown(found), "a vector that points up, with y greater than 0")
    length = hypot(x, y, z)
    scale = 1.0 if abs(length - 1.0) <= MAX_NORM_ERROR else 1.0 / length
    return x * scale, y * scale, z * scale


def _plain(step: Footstep) -> dict[str, object]:
    """A footstep as JSON has it."""
    found: dict[str, object] = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(step).items()
    }
    return {name: value for name, value in found.items() if not (name == "normal" and value is None)}
