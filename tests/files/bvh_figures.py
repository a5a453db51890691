"""Figures drawn at random, their BVH text, and where SciPy's rotations put their joints: nothing here is limbik's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

POSITIONS = ("Xposition", "Yposition", "Zposition")
ROTATIONS = ("Xrotation", "Yrotation", "Zrotation")


@dataclass
class Joint:
    """parent: a number, −1 for a root. channels: None for an End Site."""

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[str, ...] | None


@dataclass
class Figure:
    """Joints, each followed by what hangs from it, and their numbers (frames, channels)."""

    joints: list[Joint]
    values: np.ndarray
    frame_time: str = "0.0333333"

    @property
    def columns(self) -> list[tuple[int, str]]:
        return [(k, channel) for k, joint in enumerate(self.joints) for channel in joint.channels or ()]

    def children(self, joint: int) -> list[int]:
        return [k for k, one in enumerate(self.joints) if one.parent == joint]

    def text(self) -> str:
        lines = ["HIERARCHY"]

        def write(number: int, depth: int) -> None:
            joint, tabs = self.joints[number], "\t" * depth
            kind = "ROOT" if joint.parent < 0 else "JOINT"
            lines.append(tabs + ("End Site" if joint.channels is None else f"{kind} {joint.name}"))
            lines.append(tabs + "{")
            lines.append(tabs + "\tOFFSET " + " ".join(map(repr, joint.offset)))
            if joint.channels is not None:
                lines.append(tabs + "\t" + " ".join(["CHANNELS", str(len(joint.channels)), *joint.channels]))
            for child in self.children(number):
                write(child, depth + 1)
            lines.append(tabs + "}")

        for root in self.children(-1):
            write(root, 0)
        lines += ["MOTION", f"Frames: {len(self.values)}", f"Frame Time: {self.frame_time}"]
        lines += [" ".join(map(repr, row)) for row in self.values.tolist()]
        return "\n".join(lines) + "\n"

    def positions(self) -> np.ndarray:
        """(frames, joints, 3), in the file's unit and axes."""
        positions = np.zeros((len(self.values), len(self.joints), 3))
        for frame, row in enumerate(self.values):
            turns: list[Rotation] = []
            for number, joint in enumerate(self.joints):
                own = {channel: value for (k, channel), value in zip(self.columns, row, strict=True) if k == number}
                place = [own.get(name, rest) for name, rest in zip(POSITIONS, joint.offset, strict=True)]
                turn = Rotation.identity()
                for channel in joint.channels or ():
                    if channel in ROTATIONS:  # capital letters: about the joint's own axes
                        turn = turn * Rotation.from_euler(channel[0], own[channel], degrees=True)
                if joint.parent >= 0:
                    place = turns[joint.parent].apply(place) + positions[frame, joint.parent]
                    turn = turns[joint.parent] * turn
                turns.append(turn)
                positions[frame, number] = place
        return positions


LENGTHS = st.integers(-2000, 2000).map(lambda k: k / 100)
# Right angles, where Euler angles lock, and several turns among them.
ANGLES = st.one_of(
    st.sampled_from([0.0, 90.0, -90.0, 180.0, -180.0, 270.0, 360.0, 719.5, -1000.25]),
    st.integers(-40_000, 40_000).map(lambda k: k / 100),
)


@st.composite
def channel_lists(draw: st.DrawFn) -> tuple[str, ...]:
    """Any channels in any order."""
    chosen = draw(st.sets(st.sampled_from([*POSITIONS, *ROTATIONS])))
    return tuple(draw(st.permutations(sorted(chosen))))


@st.composite
def figures(draw: st.DrawFn, frames: int = 3) -> Figure:
    """A figure of one or more roots, every joint with any channels; about half the leaves have an End Site."""
    joints: list[Joint] = []

    def grow(parent: int, depth: int) -> None:
        offset = draw(st.tuples(LENGTHS, LENGTHS, LENGTHS))
        number = len(joints)
        joints.append(Joint(f"joint {number}", parent, offset, draw(channel_lists())))
        children = draw(st.integers(0, 2 if depth < 3 else 0))
        for _ in range(children):
            grow(number, depth + 1)
        if not children and draw(st.booleans()):
            end = draw(st.tuples(LENGTHS, LENGTHS, LENGTHS).filter(any))
            joints.append(Joint(f"joint {number}_end", number, end, None))

    for _ in range(draw(st.integers(1, 2))):
        grow(-1, 0)
    figure = Figure(joints, np.zeros((0, 0)))
    rows = [[draw(LENGTHS if name in POSITIONS else ANGLES) for _, name in figure.columns] for _ in range(frames)]
    figure.values = np.array(rows, float).reshape(frames, -1)
    return figure


def walker(up: str = "y", metres: float = 1.0, frames: int = 40, travel: float = 1.5) -> Figure:
    """A plain biped, 1.7 m tall, that walks along x with its arms stretched out: in a unit, and with an axis up."""
    limb = ("Xrotation", "Yrotation", "Zrotation")
    drawn = [
        ("Hips", -1, (0, 0.95, 0), (*POSITIONS, *limb)),
        ("Spine", 0, (0, 0.25, 0), limb),
        ("Neck", 1, (0, 0.25, 0), limb),
        ("Neck_end", 2, (0, 0.25, 0), None),
        ("LeftArm", 1, (0, 0.2, 0.18), limb),
        ("LeftHand", 4, (0, 0, 0.55), limb),
        ("LeftHand_end", 5, (0, 0, 0.15), None),
        ("RightArm", 1, (0, 0.2, -0.18), limb),
        ("RightHand", 7, (0, 0, -0.55), limb),
        ("RightHand_end", 8, (0, 0, -0.15), None),
        ("LeftLeg", 0, (0, 0, 0.1), limb),
        ("LeftFoot", 10, (0, -0.9, 0), limb),
        ("LeftFoot_end", 11, (0.2, -0.05, 0), None),
        ("RightLeg", 0, (0, 0, -0.1), limb),
        ("RightFoot", 13, (0, -0.9, 0), limb),
        ("RightFoot_end", 14, (0.2, -0.05, 0), None),
    ]
    turn = {"y": np.eye(3), "z": [[1, 0, 0], [0, 0, -1], [0, 1, 0]], "x": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]}[up]
    joints = []
    for name, parent, offset, channels in drawn:
        x, y, z = (np.array(turn) @ offset / metres).tolist()
        joints.append(Joint(name, parent, (x, y, z), channels))
    figure = Figure(joints, np.zeros((frames, 0)))
    phase = np.linspace(0, 6 * np.pi, frames)
    path = np.stack([travel * phase / (6 * np.pi), 0.95 + 0.02 * np.cos(2 * phase), 0 * phase], axis=-1)
    path = path @ np.array(turn).T / metres
    swing = {10: 25 * np.sin(phase), 13: -25 * np.sin(phase), 4: -20 * np.sin(phase), 7: 20 * np.sin(phase)}
    across, sign = {"y": ("Zrotation", 1), "z": ("Yrotation", -1), "x": ("Zrotation", 1)}[up]
    figure.values = np.zeros((frames, len(figure.columns)))
    for k, (number, channel) in enumerate(figure.columns):
        if channel in POSITIONS:
            figure.values[:, k] = path[:, POSITIONS.index(channel)]
        elif channel == across:
            figure.values[:, k] = sign * swing.get(number, 0.0)
    figure.values = np.round(figure.values, 6)
    return figure
