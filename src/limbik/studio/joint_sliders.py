"""A slider for each joint of the limb that is chosen in the Robot tab."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import degrees, isfinite, pi, radians
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.robots.robot_limb import RobotLimb
from limbik.studio.page.stage import Stage

if TYPE_CHECKING:
    from viser import GuiSliderHandle

DEGREE_STEP, SLIDE_STEP = 0.1, 1e-3  # of hinges, degrees; of slides, over their range


class JointSliders:
    """Sliders from limit to limit, degrees or metres, in a folder that is closed at first.

    moved: called, in the studio's thread, with a joint's number and its new value, radians or metres.
    """

    def __init__(self, stage: Stage, moved: Callable[[int, float], None]) -> None:
        self._stage, self._moved = stage, moved
        self._folder = stage.gui.add_folder("Joints", expand_by_default=False)
        self._limb: RobotLimb | None = None
        self._sliders: list[GuiSliderHandle[float]] = []

    def show(self, limb: RobotLimb, angles: Array) -> None:
        """Shows the angles (n,) of a limb."""
        if limb is not self._limb:
            self._replace(limb)
        for slider, angle, kind in zip(self._sliders, angles.tolist(), limb.chain.kinds, strict=True):
            value = degrees(angle) if kind == "hinge" else angle
            slider.value = min(max(round(value, 1 if kind == "hinge" else 4), slider.min), slider.max)

    def _replace(self, limb: RobotLimb) -> None:
        for slider in self._sliders:
            slider.remove()
        self._limb, self._sliders = limb, []
        with self._folder:
            for k, name in enumerate(limb.joints):
                low, high, step = _range(limb, k)
                slider = self._stage.gui.add_slider(name, low, high, step, low)
                self._stage.on_change(partial(self._take, k, slider), slider)
                self._sliders.append(slider)

    def _take(self, number: int, slider: GuiSliderHandle[float]) -> None:
        if slider not in self._sliders or self._limb is None:
            return  # a change of a limb that is no longer shown
        hinge = self._limb.chain.kinds[number] == "hinge"
        value = radians(slider.value) if hinge else slider.value
        self._moved(number, float(np.clip(value, self._limb.lower[number], self._limb.upper[number])))


def _range(limb: RobotLimb, number: int) -> tuple[float, float, float]:
    """The least and the greatest value of a joint's slider, and its step: degrees, or metres."""
    low, high = float(limb.lower[number]), float(limb.upper[number])
    if limb.chain.kinds[number] == "hinge":
        ends = ((low, -pi), (high, pi))
        low, high = (round(degrees(one if isfinite(one) else other), 1) for one, other in ends)
        return low, max(high, low + DEGREE_STEP), DEGREE_STEP
    low = low if isfinite(low) else -limb.length
    high = max(high if isfinite(high) else limb.length, low + 1e-6)
    return low, high, SLIDE_STEP * (high - low)
