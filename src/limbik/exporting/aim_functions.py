"""The function of an exported joint that looks at a target."""

from __future__ import annotations

from typing import Any

from limbik.exporting.functions import Function, recorded
from limbik.exporting.items import number, quaternion, record, vector
from limbik.formulas.aiming import aimed_rotation

NONE = {"offset": (0.0,) * 3, "pole": (0.0,) * 3, "max_angle": (0.0,)}
OPTIONAL = {
    "offset": vector("offset", "where the line of sight begins, in the joint's frame"),
    "pole": vector("pole", "direction towards which up_axis is rolled about the line of sight"),
    "max_angle": number("max_angle", "largest turn, radians"),
}


def aim_functions(options: frozenset[str]) -> list[Function]:
    """The rotation of a joint that looks at a target, with some of "offset", "pole" and "max_angle"."""
    chosen = [name for name in OPTIONAL if name in options]
    inputs = (
        quaternion("rotation", "of the joint in the world before it looks, xyzw"),
        vector("position", "of the joint"),
        vector("target", "what it looks at"),
        vector("axis", "direction in which the joint looks, in its own frame"),
        vector("up_axis", "direction that stays up, in its own frame; decides where the target is straight behind"),
        *(OPTIONAL[name] for name in chosen),
    )
    flags: dict[str, Any] = {
        "offset_sight": "offset" in options,
        "rolled": "pole" in options,
        "limited": "max_angle" in options,
    }

    def formula(**values: Any) -> Any:
        return aimed_rotation(**{**NONE, **values}, **flags)

    output = record("aimed", "", "aimed", (quaternion("rotation", "of the joint in the world, xyzw"),))
    summary = "The rotation of a joint that looks at a target, turned as little as possible."
    return [recorded("look", summary, inputs, output, formula)]
