"""Which parts of one figure correspond to which of another; a map that can be saved, completed by hand, and reused."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from limbik.arguments import file_path, shown
from limbik.errors import ArgumentError, FileError, LimbikError
from limbik.files.atomic_write import atomic_write
from limbik.retargeting.figure_parts import FINGERS, FigureParts, find_parts
from limbik.skeleton.skeleton import Skeleton

SIDES = ("source", "target")
MAX_MAP_BYTES = 1_000_000

PartNames = Mapping[str, Sequence[str | int]]  # joints from root to tip, by part


@dataclass(frozen=True, eq=False)
class JointMap:
    """The parts of two figures that correspond, by name: "left_leg", "spine", "left_thumb".

    Attributes:
        source: The parts of the figure that moves.
        target: The parts of the figure that is to move like it.
        notes: What was not found, in words.
    """

    source: FigureParts
    target: FigureParts
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> dict[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        """The joints of source and target by part, numbers from root to tip, of parts that both have."""
        ours, theirs = self.source.parts, self.target.parts
        return {part: (joints, theirs[part]) for part, joints in ours.items() if part in theirs}

    def as_dict(self) -> dict[str, dict[str, list[str]]]:
        """The names of joints by part, ready for JSON and for `mapping=`.

        Returns:
            For "source" and for "target", the names of joints from root to tip by part.
        """
        return {"source": self.source.named(), "target": self.target.named()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the map as JSON, to be edited, and to be passed as `mapping`.

        Args:
            path: The file, .json.

        Raises:
            FileError: The file cannot be written.
        """
        with atomic_write(file_path("path", path)) as file:
            file.write((json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n").encode())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The map as text.

        Returns:
            Headings, and a line of cells for each part that either figure has.
        """
        ours, theirs = self.source.named(), self.target.named()
        parts = list(dict.fromkeys([*ours, *theirs]))
        lines = [
            [part.replace("_", " "), *(" ".join(side.get(part, ["–"])) for side in (ours, theirs))] for part in parts
        ]
        return ["part", "source", "target"], lines

    def __str__(self) -> str:
        heading, lines = self.table()
        widths = [max(len(line[k]) for line in [heading, *lines]) for k in range(2)]
        return "\n".join(f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in [heading, *lines])

    def _repr_html_(self) -> str:
        """HTML for notebooks: the map as a table."""
        from limbik.pictures.notebook import html_table

        return html_table(*self.table())


MappingLike = JointMap | Mapping[str, PartNames] | str | os.PathLike[str]


def map_joints(source: Skeleton, target: Skeleton, mapping: MappingLike | None = None) -> JointMap:
    """The map between two figures: what `mapping` says, and what is found of the rest.

    Raises ArgumentError where `mapping` cannot be used, FileError where it cannot be read, and LimbikError where the
    figures have no legs or arms, or stand on different numbers of limbs.
    """
    given = read_mapping(mapping)
    ours, theirs = (find_parts(one, given[side], side) for one, side in zip((source, target), SIDES, strict=True))
    _require_alike(ours, theirs)
    notes = [
        f"The {other} has no {', '.join(name.replace('_', ' ') for name in missing)}, which the {who} has."
        for who, a, other, b in (("source", ours, "target", theirs), ("target", theirs, "source", ours))
        if (missing := [part for part in a.parts if part not in b.parts and part.split("_")[-1] not in FINGERS])
    ]
    return JointMap(ours, theirs, tuple(notes))


def _require_alike(source: FigureParts, target: FigureParts) -> None:
    """Raises where one figure stands on nothing, on another number of limbs than the other, or on other ones."""
    for who, one in zip(SIDES, (source, target), strict=True):
        if not one.standing:
            found = f"; found only {', '.join(one.limbs)}" if one.limbs else ""
            example = f'mapping={{"{who}": {{"left_leg": ["Hip", "Knee", "Ankle"], …}}}}'
            raise LimbikError(f"no legs were found in the {who}{found}; name them from root to tip: {example}")
    if len(source.standing) != len(target.standing):
        on = [f"{len(one.standing)} limbs ({', '.join(one.standing)})" for one in (source, target)]
        raise LimbikError(
            f"the source stands on {on[0]} and the target on {on[1]}: motion goes from bipeds to bipeds and from"
            ' quadrupeds to quadrupeds. Where limbs were not found, name them: mapping={"target": {"left_leg": […]}}'
        )
    if not set(source.standing) & set(target.standing):
        raise LimbikError(
            f"no leg of the source ({', '.join(source.standing)}) is one of the target's ({', '.join(target.standing)})"
        )


def read_mapping(mapping: object) -> dict[str, dict[str, Sequence[str | int]]]:
    """What callers may pass as a mapping: None, a dictionary, a JointMap, or the path of a JSON file."""
    if isinstance(mapping, JointMap):
        mapping = mapping.as_dict()
    if isinstance(mapping, str | os.PathLike):
        mapping = _read_file(file_path("mapping", mapping))
    found: Any = {} if mapping is None else mapping
    wanted = (
        'a dictionary such as {"target": {"left_leg": ["Hip", "Knee", "Ankle"]}}, or the path of a JSON file of one'
    )
    if not isinstance(found, Mapping) or not all(isinstance(part, Mapping) for part in found.values()):
        raise ArgumentError("mapping", shown(mapping), wanted)
    unknown = [side for side in found if side not in SIDES]
    if unknown:
        raise ArgumentError("mapping", shown(unknown[0]), '"source" and "target"')
    return {side: dict(found.get(side, {})) for side in SIDES}


def _read_file(path: Path) -> object:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_MAP_BYTES + 1)
        if len(data) > MAX_MAP_BYTES:
            raise FileError(path, "", f"is larger than {MAX_MAP_BYTES:,} bytes, too large for a map of joints")
        return json.loads(data)
    except OSError as error:
        raise FileError(path, "", error.strerror or str(error)) from None
    except (ValueError, RecursionError) as error:
        raise FileError(path, "", f"is no JSON: {error}") from None
