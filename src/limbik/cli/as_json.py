"""A solution for programs: one object, with names and units in it."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from limbik.cli.answers import link_names, short_unit

if TYPE_CHECKING:
    from limbik.limbs.branches import Branches
    from limbik.limbs.limb import Limb
    from limbik.limbs.solution import Solution


def show_solution(kind: str, limb: Limb, solution: Solution, degrees: bool) -> None:
    """Prints one solution."""
    print(json.dumps({**_limb(kind, limb, degrees), **_solution(kind, solution, degrees)}))


def show_branches(kind: str, limb: Limb, branches: Branches, degrees: bool) -> None:
    """Prints every solution."""
    sharing = zip(branches.same_joints_as.tolist(), branches.distinct.tolist(), strict=True)
    content = [
        {"branch": k, "same_joints_as": same, "distinct": distinct, **_solution(kind, branches[k], degrees)}
        for k, (same, distinct) in enumerate(sharing)
    ]
    print(json.dumps({**_limb(kind, limb, degrees), "branches": content}))


def _limb(kind: str, limb: Limb, degrees: bool) -> dict[str, Any]:
    return {"limb": kind.replace("_", "-"), "lengths": limb.lengths.tolist(), "angle_unit": short_unit(degrees)}


def _solution(kind: str, solution: Solution, degrees: bool) -> dict[str, Any]:
    def angle(radians: float) -> float:
        return math.degrees(radians) if degrees else float(radians)

    content: dict[str, Any] = {
        "status": solution.status.name,
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
