"""The geometry and limits of an exported robot limb: named numbers of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from limbik.exporting.language import Constant
from limbik.formulas.operations import Real, Symbol, Zero
from limbik.robots.families import NO_LIMIT

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

XYZW = "xyzw"
ROUNDING = 1e-15  # what frames of a file, one after the other, leave of 0 and 1


class RobotGeometry:
    """A limb's numbers as formulas take them: symbols of named constants, but for 0, 1 and -1, which are left out.

    Attributes:
        constants: all of them, with notes.
        axes, points, tip: of the file's own geometry, in the base link's frame while all angles are 0.
        lower, upper: the joints' limits; so large where there are none that they do not matter.
        family: the inputs of the family's program by name, in the family's frame.
    """

    def __init__(self, limb: RobotLimb) -> None:
        chain = limb.chain
        self.constants: list[Constant] = []
        words = [f"joint {k}, at zero" for k in range(1, len(chain) + 1)]
        self.lower = self._limits("lower", limb.lower.tolist())
        self.upper = self._limits("upper", limb.upper.tolist())
        self.axes = self._vectors("axis", chain.axes.tolist(), [f"of {word}" for word in words])
        self.points = self._vectors(
            "point", chain.points.tolist(), [f"on the axis of {word}, metres" for word in words]
        )
        self.tip = [
            *self._numbers("tip_", chain.position.tolist(), "of the tip at zero, metres"),
            *self._numbers("tip_q", chain.rotation.tolist(), "of the tip's quaternion at zero"),
        ]
        geometry = limb.closed_form.geometry
        self.family: dict[str, tuple[Real, ...]] = {}
        for name, value in geometry.items():
            numbers = value.tolist()
            if name in ("axes", "points"):
                rows = value.reshape(-1, 3).tolist()
                word = {"axes": "form_axis", "points": "form_point"}[name]
                found = self._vectors(
                    word, rows, [f"of axis {k} of the closed form, in its frame" for k in range(1, 9)]
                )
            else:
                found = [
                    *self._numbers(f"form_{name}_", numbers[:3], f"of the {name} of the closed form, metres"),
                    *self._numbers(f"form_{name}_q", numbers[3:], f"of the {name}'s quaternion, in the closed form"),
                ]
            self.family[name] = tuple(found)

    def _limits(self, word: str, values: Sequence[float]) -> list[Real]:
        found: list[Real] = []
        for k, value in enumerate(values, 1):
            note = f"limit of joint {k}" if abs(value) < NO_LIMIT else f"joint {k} has no {word} limit"
            self.constants.append(Constant(f"{word}_{k}", min(max(value, -NO_LIMIT), NO_LIMIT), note))
            found.append(Symbol("name", f"{word}_{k}"))
        return found

    def _vectors(self, word: str, rows: Sequence[Sequence[float]], notes: Sequence[str]) -> list[Real]:
        found: list[Real] = []
        for k, (row, note) in enumerate(zip(rows, notes, strict=False), 1):
            found += self._numbers(f"{word}_{k}_", row, note)
        return found

    def _numbers(self, word: str, values: Sequence[float], note: str) -> list[Real]:
        found: list[Real] = []
        for axis, value in zip(XYZW, values, strict=False):
            if abs(value) < ROUNDING:
                found.append(Zero())
            elif abs(abs(value) - 1.0) < ROUNDING:
                found.append(round(value) + 0.0)
            else:
                self.constants.append(Constant(f"{word}{axis}", value, note))
                found.append(Symbol("name", f"{word}{axis}"))
        return found
