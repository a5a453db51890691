"""An answer for programs: the names of its parts, the columns that a file of targets gets, and JSON."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.engines.programs import program_named
from limbik.errors import ArgumentError
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.limbs.branches import Branches
    from limbik.limbs.limb import Limb
    from limbik.limbs.solution import Solution

AXES = "xyz"
CHOICES = ("angles", "joints", "rotations")
OF_ANGLES = ("angles", "out_of_plane", "up_error")  # answers in radians or degrees
WORDS = {"status": [status.name for status in sorted(Status)]}


def link_names(kind: str) -> tuple[str, ...]:
    """The links that have rotations, in the order of `Solution.rotations`; none in the plane."""
    return () if kind == "planar" else ("first", "second", "last")[: len(program_named(kind).joint_names) - 1]


def short_unit(degrees: bool) -> str:
    """The unit of angles, short."""
    return "deg" if degrees else "rad"


class Answers:
    """The columns for a kind of limb: how good each answer is, then those chosen of angles, joints and rotations."""

    def __init__(self, kind: str, chosen: str, degrees: bool) -> None:
        self._degrees = degrees
        unit, axes = short_unit(degrees), AXES[:2] if kind == "planar" else AXES
        names = {
            "status": ["status"],
            "residual": ["residual"],
            "stretch": ["stretch"],
            "up_error": [f"up_error_{unit}"],
            "angles": [f"{angle}_{unit}" for angle in program_named(kind).angle_names],
            "out_of_plane": [f"out_of_plane_{unit}"],
            "joints": [f"{joint}_{axis}" for joint in program_named(kind).joint_names for axis in axes],
            "rotations": [f"rotation_{link}_{part}" for link in link_names(kind) for part in "xyzw"],
        }
        self._read = ["status", "residual", *{"two_link": ["stretch"], "three_link": ["up_error"]}.get(kind, [])]
        for one in _choices(kind, chosen):
            self._read += ["angles", "out_of_plane"] if (kind, one) == ("three_link", "angles") else [one]
        self.columns = [name for answer in self._read for name in names[answer]]

    def of(self, solution: Solution) -> Array:
        """The numbers (rows, columns) of a batch (rows,); NaN where a row is INVALID."""
        parts = []
        for answer in self._read:
            part = getattr(solution, answer).reshape(len(solution), -1).astype(np.float64, copy=False)
            parts.append(np.degrees(part) if self._degrees and answer in OF_ANGLES else part)
        return np.concatenate(parts, axis=1)


def _choices(kind: str, chosen: str) -> list[str]:
    words = dict.fromkeys(word.strip() for word in chosen.split(",") if word.strip())
    choices = [choice("--columns", word, CHOICES) for word in words]
    if "rotations" in choices and kind == "planar":
        raise ArgumentError("--columns", "'rotations'", "angles, joints: a planar limb's angles are the whole answer")
    return choices


def print_solution(kind: str, limb: Limb, solution: Solution, degrees: bool) -> None:
    """Prints one solution."""
    print(json.dumps({**_limb_content(kind, limb, degrees), **_solution_content(kind, solution, degrees)}))


def print_branches(kind: str, limb: Limb, branches: Branches, degrees: bool) -> None:
    """Prints every solution."""
    sharing = zip(branches.same_joints_as.tolist(), branches.distinct.tolist(), strict=True)
    content = [
        {"branch": k, "same_joints_as": same, "distinct": distinct, **_solution_content(kind, branches[k], degrees)}
        for k, (same, distinct) in enumerate(sharing)
    ]
    print(json.dumps({**_limb_content(kind, limb, degrees), "branches": content}))


def _limb_content(kind: str, limb: Limb, degrees: bool) -> dict[str, Any]:
    return {"limb": kind.replace("_", "-"), "lengths": limb.lengths.tolist(), "angle_unit": short_unit(degrees)}


def _solution_content(kind: str, solution: Solution, degrees: bool) -> dict[str, Any]:
    def angle(radians: float | Array) -> float:
        return math.degrees(float(radians)) if degrees else float(radians)

    content: dict[str, Any] = {
        "status": solution.status_names,
        "reached": bool(solution.reached),
        "residual": solution.residual if math.isfinite(solution.residual) else None,  # JSON has no infinity
        "singular": solution.singular,
        "angles": dict(zip(solution.angle_names, map(angle, solution.angles), strict=True)),
    }
    if kind == "three_link":
        content |= {"out_of_plane": angle(solution.out_of_plane), "up_error": angle(solution.up_error)}
    if kind == "two_link":
        content["stretch"] = solution.stretch
    content["joints"] = dict(zip(solution.joint_names, solution.joints.tolist(), strict=True))
    if kind != "planar":
        content["rotations_xyzw"] = dict(zip(link_names(kind), solution.rotations.tolist(), strict=True))
    return content
