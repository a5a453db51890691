"""The answers that a file of targets gets: which columns, and their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.cli import names
from limbik.errors import ArgumentError, ChoiceError
from limbik.files.table_rows import Array
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.limbs.solution import Solution

CHOICES = ("angles", "joints", "rotations")
DEFAULT = "angles,joints"
WORDS = {"status": [status.name for status in sorted(Status)]}


class Answers:
    """The columns for a kind of limb: how good each answer is, then those chosen of angles, joints and rotations."""

    def __init__(self, kind: str, chosen: str, degrees: bool) -> None:
        self._kind = kind
        self._chosen = _read(kind, chosen)
        self._degrees = degrees
        self.columns = self._names()

    def _names(self) -> list[str]:
        kind, unit = self._kind, names.unit(self._degrees)
        spatial = names.has_rotations(kind)
        axes = names.AXES if spatial else names.AXES[:2]
        quality = {"planar": [], "two_link": ["stretch"], "three_link": [f"up_error_{unit}"]}[kind]
        turns = [*names.angle_names(kind), *(["out_of_plane"] if kind == "three_link" else [])]
        columns = {
            "angles": [f"{turn}_{unit}" for turn in turns],
            "joints": [f"{joint}_{axis}" for joint in names.joint_names(kind) for axis in axes],
            "rotations": [f"rotation_{link}_{part}" for link in names.link_names(kind) for part in "xyzw"],
        }
        return ["status", "residual", *quality, *(name for choice in self._chosen for name in columns[choice])]

    def of(self, solution: Solution) -> Array:
        """The numbers (rows, columns) of a batch (rows,); NaN where a row is INVALID."""
        rows = len(solution)
        parts = [solution.status, solution.residual]
        if self._kind == "two_link":
            parts.append(solution.stretch)
        if self._kind == "three_link":
            parts.append(self._turned(solution.up_error))
        for choice in self._chosen:
            if choice == "angles":
                parts.append(self._turned(solution.angles))
                if self._kind == "three_link":
                    parts.append(self._turned(solution.out_of_plane))
            else:
                parts.append(solution.joints if choice == "joints" else solution.rotations)
        return np.concatenate([part.reshape(rows, -1).astype(np.float64, copy=False) for part in parts], axis=1)

    def _turned(self, radians: Array) -> Array:
        return np.degrees(radians) if self._degrees else radians


def _read(kind: str, chosen: str) -> list[str]:
    choices = list(dict.fromkeys(word.strip() for word in chosen.split(",") if word.strip()))
    for choice in choices:
        if choice not in CHOICES:
            raise ChoiceError("--columns", choice, CHOICES)
    if "rotations" in choices and not names.has_rotations(kind):
        raise ArgumentError("--columns", "'rotations'", "angles, joints: a planar limb's angles are the whole answer")
    return choices
