"""The controls of a limb, and what they ask for. Each kind of limb shows those that it has."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.three_link import ThreeLink
from limbik.limbs.two_link import TwoLink
from limbik.studio.limb.limb_call import AnyLimb, Call

if TYPE_CHECKING:
    from viser import GuiApi

KINDS: dict[str, type[AnyLimb]] = {
    "leg, three links": ThreeLink,
    "arm, two links": TwoLink,
    "arm in the plane": PlanarTwoLink,
}
SIDES = {"−1": -1, "+1": 1}
BENDS: dict[type[AnyLimb], str] = {
    ThreeLink: "+1 puts the knee on up's side of the line from origin to ankle, −1 on the other.",
    PlanarTwoLink: "+1 puts the elbow left of the line from origin to target, −1 right of it.",
}
LENGTHS = ("First link", 0.45), ("Second link", 0.42), ("Last link", 0.15)
HINT = (0.0, 0.0, 1.0)
POLE = (0.0, -1.0, 0.0)  # elbows point down
SOFTEST, LONGEST = 0.8, 1.5
DIGITS = 7  # of metres that are kept of a drag
SEEN = 3  # and that are shown in number fields


class Controls:
    """All controls.

    target, up: (3,) where the tip goes and along which direction, as the gizmo or a hand at the keyboard has them.
    """

    def __init__(self, gui: GuiApi) -> None:
        self.target = self.up = (0.0, 0.0, 0.0)
        self.kind_field = gui.add_dropdown(
            "Kind", tuple(KINDS), hint="How many links, and whether they move in a plane."
        )
        self.target_field = gui.add_vector3(
            "Target", (0.0, 0.0, 0.0), step=0.001, hint="Where the tip goes, metres: x, y, z."
        )
        self.up_field = gui.add_vector3(
            "Up", (0.0, 0.0, 0.0), step=0.001, hint="The direction of the last link: turn the gizmo."
        )
        self.bend = gui.add_dropdown("Bend", tuple(SIDES), hint=BENDS[ThreeLink])
        self.style = gui.add_dropdown(
            "Style", ("natural", "easy"), hint="Natural: all links in one plane. Easy: the plane is the hint's."
        )
        self.priority = gui.add_dropdown(
            "Priority", ("up", "position"), hint="What is kept where both cannot be had: the direction, or the place."
        )
        self.pole = gui.add_vector3("Pole", POLE, step=0.05, hint="The direction in which the elbow lies.")
        self.hinted = gui.add_checkbox("Give a hint", False, hint="A direction towards which the knee may lie.")
        self.hint = gui.add_vector3("Hint", HINT, step=0.05, hint="A direction towards which the knee may lie.")
        self.twist = gui.add_slider("Twist", -180.0, 180.0, 1.0, 0.0, hint="Turns the elbow about the aim, degrees.")
        self.soften = gui.add_slider(
            "Soften", SOFTEST, 1.0, 0.005, 1.0, hint="The part of the limb's length at which reaching begins to ease."
        )
        self.stretch = gui.add_slider(
            "Stretch", 1.0, LONGEST, 0.01, 1.0, hint="How many times as long the links may become to reach."
        )
        with gui.add_folder("Lengths", expand_by_default=False):
            self.lengths = [gui.add_slider(name, 0.05, 1.0, 0.01, length) for name, length in LENGTHS]
        with gui.add_folder("Limits", expand_by_default=False):
            self.middle_limited = gui.add_checkbox("Limit the middle joint", False)
            self.middle_limits = gui.add_multi_slider("Bend, degrees", 0.0, 180.0, 1.0, (10.0, 140.0), min_range=1.0)
            self.last_limited = gui.add_checkbox("Limit the last joint", False)
            self.last_limits = gui.add_multi_slider("Last bend", -180.0, 180.0, 1.0, (-40.0, 40.0), min_range=1.0)
        self.show()

    @property
    def kind(self) -> type[AnyLimb]:
        """The kind of limb that is chosen."""
        return KINDS[self.kind_field.value]

    @property
    def all(self) -> list[Any]:
        """Those that change the pose, less the target and the direction, which the gizmo has too."""
        found = [self.bend, self.style, self.priority, self.pole, self.hinted, self.hint, self.twist, self.soften]
        limits = [self.middle_limited, self.middle_limits, self.last_limited, self.last_limits]
        return [*found, self.stretch, *self.lengths, *limits]

    def show(self) -> None:
        """Shows the controls that the kind of limb has."""
        three, two = self.kind is ThreeLink, self.kind is TwoLink
        for control in (self.up_field, self.style, self.priority, self.hinted, self.last_limited, self.lengths[2]):
            control.visible = three
        for control in (self.pole, self.twist, self.soften, self.stretch):
            control.visible = two
        self.bend.visible = not two
        self.bend.hint = BENDS.get(self.kind)
        self.hint.visible = three and self.hinted.value
        self.middle_limits.visible = self.middle_limited.value
        self.last_limits.visible = three and self.last_limited.value

    def place(self, target: Any, up: Any) -> None:
        """Takes what the gizmo has, (3,) each, and shows it in the number fields."""
        self.target, self.up = _rounded(target, DIGITS), _rounded(up, DIGITS)
        self.target_field.value, self.up_field.value = _rounded(target, SEEN), _rounded(up, SEEN)

    def read(self) -> None:
        """Takes what was typed into the number fields. What was not stays as exact as it is."""
        self.target = _typed(self.target_field.value, self.target)
        self.up = _typed(self.up_field.value, self.up)

    def call(self) -> Call:
        """What is asked for."""
        kind = self.kind
        count = 3 if kind is ThreeLink else 2
        lengths = tuple(round(slider.value, DIGITS) for slider in self.lengths[:count])
        target = self.target[:2] if kind is PlanarTwoLink else self.target
        return Call(kind, lengths, {"target": target, **self._options(kind)}, self._limits(kind))

    def _options(self, kind: type[AnyLimb]) -> dict[str, Any]:
        if kind is TwoLink:
            return {
                "pole": self.pole.value,
                "twist": round(radians(self.twist.value), 2 * DIGITS),
                "soften": round(self.soften.value, DIGITS),
                "stretch": round(self.stretch.value, DIGITS),
            }
        bend = {"bend": SIDES[self.bend.value]}
        if kind is PlanarTwoLink:
            return bend
        told = {"up": self.up, **bend, "style": self.style.value, "priority": self.priority.value}
        return {**told, "hint": self.hint.value} if self.hinted.value else told

    def _limits(self, kind: type[AnyLimb]) -> dict[str, tuple[float, float]]:
        found = {}
        if self.middle_limited.value:
            found["middle_limits"] = _in_radians(self.middle_limits.value)
        if self.last_limited.value and kind is ThreeLink:
            found["last_limits"] = _in_radians(self.last_limits.value)
        return found


def _rounded(vector: Any, digits: int) -> tuple[float, float, float]:
    x, y, z = (np.round(vector, digits) + 0.0).tolist()  # + 0.0: no −0.0
    return x, y, z


def _typed(seen: Any, kept: Any) -> tuple[float, float, float]:
    """What is kept, (3,), less those numbers that look otherwise now."""
    x, y, z = (new if new != round(old, SEEN) + 0.0 else old for new, old in zip(seen, kept, strict=True))
    return x, y, z


def _in_radians(limits: Any) -> tuple[float, float]:
    low, high = limits
    return radians(low), radians(high)
