"""The controls of the Limb tab. Each kind of limb shows those that apply to it."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.studio.limb_call import AnyLimb, LimbCall, Value
from limbik.studio.page.stage import Control

if TYPE_CHECKING:
    from viser import GuiApi, GuiMultiSliderHandle

Vector = tuple[float, float, float]

KINDS: dict[str, type[AnyLimb]] = {
    "leg (three links)": ThreeLink,
    "arm (two links)": TwoLink,
    "planar arm (two links)": PlanarTwoLink,
}
BEND_SIGNS = {"−1": -1, "+1": 1}
BEND_HINTS: dict[type[AnyLimb], str] = {
    ThreeLink: "+1 puts the knee on the side of Up from the line origin to ankle, −1 on the other side.",
    PlanarTwoLink: "+1 puts the elbow to the left of the line from origin to target, −1 to the right.",
}
FIRST_LENGTHS = ("First link", 0.45), ("Second link", 0.42), ("Last link", 0.15)  # metres
FIRST_HINT = (0.0, 0.0, 1.0)
FIRST_POLE = (0.0, -1.0, 0.0)  # elbow down
MIN_SOFTEN, MAX_STRETCH = 0.8, 1.5
DIGITS = 7  # decimals of metres kept of a dragged position
FIELD_DIGITS = 3  # decimals shown in number fields


class LimbControls:
    """The controls, added to the folder that is open."""

    def __init__(self, gui: GuiApi) -> None:
        self.target: Vector = (0.0, 0.0, 0.0)  # both are set by the gizmo, or typed
        self.up: Vector = (0.0, 0.0, 0.0)
        self.kind_field = gui.add_dropdown("Kind", tuple(KINDS), hint="The kind of limb.")
        self.target_field = gui.add_vector3(
            "Target", self.target, step=0.001, hint="Position of the tip in metres: x, y, z."
        )
        self.up_field = gui.add_vector3(
            "Up", self.up, step=0.001, hint="Direction of the last link; rotating the gizmo changes it."
        )
        self.bend = gui.add_dropdown("Bend", tuple(BEND_SIGNS), hint=BEND_HINTS[ThreeLink])
        self.style = gui.add_dropdown(
            "Style", ("natural", "easy"), hint="natural: all links in one plane. easy: the hint sets the knee's plane."
        )
        self.priority = gui.add_dropdown(
            "Priority", ("up", "position"), hint="What to keep when the limb cannot have both: direction or position."
        )
        self.pole = gui.add_vector3("Pole", FIRST_POLE, step=0.05, hint="Direction in which the elbow points.")
        self.hinted = gui.add_checkbox("Use a hint", False, hint="Prefer a direction for the knee.")
        self.hint = gui.add_vector3("Hint", FIRST_HINT, step=0.05, hint="Preferred direction of the knee.")
        self.twist = gui.add_slider(
            "Twist", -180.0, 180.0, 1.0, 0.0, hint="Rotation of the elbow about the line to the target, in degrees."
        )
        self.soften = gui.add_slider(
            "Soften", MIN_SOFTEN, 1.0, 0.005, 1.0, hint="Fraction of the limb's length beyond which it slows down."
        )
        self.stretch = gui.add_slider(
            "Stretch", 1.0, MAX_STRETCH, 0.01, 1.0, hint="How far the links may stretch, as a multiple of their length."
        )
        with gui.add_folder("Lengths", expand_by_default=False):
            self.lengths = [
                gui.add_slider(name, 0.05, 1.0, 0.01, length, hint="In metres.") for name, length in FIRST_LENGTHS
            ]
        with gui.add_folder("Limits", expand_by_default=False):
            hint = "Keeps the bend of the knee or elbow between two angles."
            self.middle_limited = gui.add_checkbox("Limit the middle joint", False, hint=hint)
            self.middle_limits = gui.add_multi_slider("Bend, degrees", 0.0, 180.0, 1.0, (10.0, 140.0), min_range=1.0)
            hint = "Keeps the bend of the ankle between two angles, in degrees."
            self.last_limited = gui.add_checkbox("Limit the last joint", False, hint=hint)
            self.last_limits = gui.add_multi_slider("Last bend", -180.0, 180.0, 1.0, (-40.0, 40.0), min_range=1.0)

    @property
    def kind(self) -> type[AnyLimb]:
        return KINDS[self.kind_field.value]

    @property
    def options(self) -> list[Control]:
        """All controls that change the pose, except target and up, which the gizmo sets too."""
        limits = [self.middle_limited, self.middle_limits, self.last_limited, self.last_limits]
        poles = [self.pole, self.hinted, self.hint, self.twist]
        return [self.bend, self.style, self.priority, *poles, self.soften, self.stretch, *self.lengths, *limits]

    def update_visibility(self) -> None:
        """Shows the controls that apply to the chosen kind of limb."""
        three, two = self.kind is ThreeLink, self.kind is TwoLink
        for control in (self.up_field, self.style, self.priority, self.hinted, self.last_limited, self.lengths[2]):
            control.visible = three
        for control in (self.pole, self.twist, self.soften, self.stretch):
            control.visible = two
        self.bend.visible = not two
        self.bend.hint = BEND_HINTS.get(self.kind)
        self.hint.visible = three and self.hinted.value
        self.middle_limits.visible = self.middle_limited.value
        self.last_limits.visible = three and self.last_limited.value

    def set_from_gizmo(self, target: Array, up: Array) -> None:
        """Takes target and up, (3,) each, from the gizmo, and shows them in the number fields."""
        self.target, self.up = _round(target, DIGITS), _round(up, DIGITS)
        self.target_field.value, self.up_field.value = _round(target, FIELD_DIGITS), _round(up, FIELD_DIGITS)

    def read_fields(self) -> None:
        """Takes the numbers that were typed. Numbers that were not edited keep their full precision."""
        self.target = _merge_edits(self.target_field.value, self.target)
        self.up = _merge_edits(self.up_field.value, self.up)

    def call(self) -> LimbCall:
        """The limb and the call that the controls describe."""
        kind = self.kind
        count = 3 if kind is ThreeLink else 2
        lengths = tuple(round(slider.value, DIGITS) for slider in self.lengths[:count])
        target = self.target[:2] if kind is PlanarTwoLink else self.target
        return LimbCall(kind, lengths, {"target": target, **self._options(kind)}, self._limits(kind))

    def _options(self, kind: type[AnyLimb]) -> dict[str, Value]:
        if kind is TwoLink:
            return {
                "pole": self.pole.value,
                "twist": round(radians(self.twist.value), 2 * DIGITS),
                "soften": round(self.soften.value, DIGITS),
                "stretch": round(self.stretch.value, DIGITS),
            }
        bend: dict[str, Value] = {"bend": BEND_SIGNS[self.bend.value]}
        if kind is PlanarTwoLink:
            return bend
        options: dict[str, Value] = {"up": self.up, **bend, "style": self.style.value, "priority": self.priority.value}
        return {**options, "hint": self.hint.value} if self.hinted.value else options

    def _limits(self, kind: type[AnyLimb]) -> dict[str, tuple[float, float]]:
        limits = {}
        if self.middle_limited.value:
            limits["middle_limits"] = _range_in_radians(self.middle_limits)
        if self.last_limited.value and kind is ThreeLink:
            limits["last_limits"] = _range_in_radians(self.last_limits)
        return limits


def _round(vector: Array, digits: int) -> Vector:
    x, y, z = (np.round(vector, digits) + 0.0).tolist()  # + 0.0: no −0.0
    return x, y, z


def _merge_edits(shown: Vector, exact: Vector) -> Vector:
    """The shown numbers where they were edited, and the exact ones elsewhere."""
    x, y, z = (new if new != round(old, FIELD_DIGITS) + 0.0 else old for new, old in zip(shown, exact, strict=True))
    return x, y, z


def _range_in_radians(slider: GuiMultiSliderHandle[float]) -> tuple[float, float]:
    low, high = slider.value
    return radians(low), radians(high)
