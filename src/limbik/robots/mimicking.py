"""Joints that follow others: what each joint's value is in terms of the angles that a caller gives."""

from __future__ import annotations

from typing import NamedTuple

from limbik.errors import did_you_mean, shown
from limbik.robots.description import RobotJoint, RobotSpec


class Motion(NamedTuple):
    """A joint's value: factor × the angle in a column + addend."""

    column: int
    factor: float
    addend: float


def resolve_mimics(spec: RobotSpec, joints: list[RobotJoint]) -> dict[str, Motion]:
    """What moves each joint, by its name; `joints` are those that move by themselves, in the order of the columns."""
    motions = {joint.name: Motion(column, 1.0, 0.0) for column, joint in enumerate(joints)}
    motions |= {name: Motion(0, 0.0, 0.0) for name in spec.fixed}  # a fixed joint's value is zero
    links = {joint.name: link for link in spec.links for joint in link.joints}
    waiting = {joint.name: joint.mimic for link in spec.links for joint in link.joints if joint.mimic}
    while waiting:
        ready = [name for name, mimic in waiting.items() if mimic.joint in motions]
        if not ready:
            name, mimic = next(iter(waiting.items()))
            if mimic.joint in waiting:
                links[name].element.fail(f"mimics {shown(mimic.joint)}, which, in a circle, mimics it")
            known = did_you_mean(mimic.joint, motions)
            links[name].element.fail(f"mimics a joint that does not exist, or floats: {shown(mimic.joint)}{known}")
        for name in ready:
            mimic = waiting.pop(name)
            other = motions[mimic.joint]
            addend = mimic.multiplier * other.addend + mimic.offset
            motions[name] = Motion(other.column, mimic.multiplier * other.factor, addend)
    return motions
