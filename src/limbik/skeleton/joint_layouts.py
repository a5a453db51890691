"""The joints of arrays that hold positions without names: HumanML3D, KIT, Kimodo, MediaPipe, COCO, SMPL.

Each layout says which rows of an array (..., joints, 3) make up the joints of a figure, and how these hang together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array

# (name, parent's name); parents come before their children.
Tree = tuple[tuple[str, str], ...]


def _sided(*pairs: tuple[str, str]) -> Tree:
    """Joints of both sides in turn; `{}` stands for the side."""
    return tuple((name.format(side), above.format(side)) for name, above in pairs for side in ("left", "right"))


SMPL_BODY: Tree = (
    ("pelvis", ""),
    *_sided(("{}_hip", "pelvis")),
    ("spine1", "pelvis"),
    *_sided(("{}_knee", "{}_hip")),
    ("spine2", "spine1"),
    *_sided(("{}_ankle", "{}_knee")),
    ("spine3", "spine2"),
    *_sided(("{}_foot", "{}_ankle")),
    ("neck", "spine3"),
    *_sided(("{}_collar", "spine3")),
    ("head", "neck"),
    *_sided(("{}_shoulder", "{}_collar"), ("{}_elbow", "{}_shoulder"), ("{}_wrist", "{}_elbow")),
)
SMPL_FINGERS: Tree = tuple(
    (f"{side}_{finger}{k}", f"{side}_{finger}{k - 1}" if k > 1 else f"{side}_wrist")
    for side in ("left", "right")
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for k in (1, 2, 3)
)
SMPL_HANDS: Tree = _sided(("{}_hand", "{}_wrist"))
SMPL_FACE: Tree = (("jaw", "head"), *_sided(("{}_eye", "head")))


def _kit() -> Tree:
    tree = [("root", ""), ("spine", "root"), ("chest", "spine"), ("neck", "chest"), ("head", "neck")]
    for side in ("right", "left"):
        tree += [
            (f"{side}_shoulder", "neck"),
            (f"{side}_elbow", f"{side}_shoulder"),
            (f"{side}_wrist", f"{side}_elbow"),
        ]
    for side in ("right", "left"):
        line = ["root", *(f"{side}_{part}" for part in ("hip", "knee", "ankle", "toe", "toe_end"))]
        tree += list(zip(line[1:], line[:-1], strict=True))
    return tuple(tree)


def _soma(fingers: bool) -> Tree:
    """The SOMA skeleton, in which Leg is the upper and Shin the lower leg: with all fingers, or two ends of a hand."""
    tree = [("Hips", ""), ("Spine1", "Hips"), ("Spine2", "Spine1"), ("Chest", "Spine2"), ("Neck1", "Chest")]
    tree += [("Neck2", "Neck1"), ("Head", "Neck2"), *([("HeadEnd", "Head")] if fingers else [])]
    tree += [("Jaw", "Head"), ("LeftEye", "Head"), ("RightEye", "Head")]
    for side in ("Left", "Right"):
        hand = f"{side}Hand"
        tree += [(f"{side}Shoulder", "Chest"), (f"{side}Arm", f"{side}Shoulder"), (f"{side}ForeArm", f"{side}Arm")]
        tree += [(hand, f"{side}ForeArm")]
        if not fingers:
            tree += [(f"{hand}ThumbEnd", hand), (f"{hand}MiddleEnd", hand)]
            continue
        for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky"):
            line = [hand, *(f"{hand}{finger}{k}" for k in range(1, 4 if finger == "Thumb" else 5))]
            line.append(f"{hand}{finger}End")
            tree += list(zip(line[1:], line[:-1], strict=True))
    for side in ("Left", "Right"):
        line = ["Hips", *(f"{side}{part}" for part in ("Leg", "Shin", "Foot", "ToeBase"))]
        line += [f"{side}ToeEnd"] if fingers else []
        tree += list(zip(line[1:], line[:-1], strict=True))
    return tuple(tree)


def _g1() -> Tree:
    tree = [("pelvis", "")]
    for side in ("left", "right"):
        links = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll", "toe")
        line = ["pelvis", *(f"{side}_{link}" for link in links)]
        tree += list(zip(line[1:], line[:-1], strict=True))
    tree += [("waist_yaw", "pelvis"), ("waist_roll", "waist_yaw"), ("waist_pitch", "waist_roll")]
    for side in ("left", "right"):
        links = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow")
        links += ("wrist_roll", "wrist_pitch", "wrist_yaw", "hand")
        line = ["waist_pitch", *(f"{side}_{link}" for link in links)]
        tree += list(zip(line[1:], line[:-1], strict=True))
    return tuple(tree)


@dataclass(frozen=True)
class JointLayout:
    """What the rows of an array of positions are.

    Args:
        name: Such as "humanml3d".
        rows: How many joints the array has.
        tree: The joints of the figure and their parents' names, "" for the root.
        sources: The rows whose mean each joint is; empty where joint k is row k.
        fps: Frames a second of such data, where nobody says otherwise.
    """

    name: str
    rows: int
    tree: Tree
    sources: tuple[tuple[int, ...], ...] = ()
    fps: float = 30.0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figure's joints."""
        return tuple(name for name, _ in self.tree)

    @property
    def parents(self) -> Array:
        """(joints,) the number of each joint's parent, -1 for the root."""
        number = {name: k for k, (name, _) in enumerate(self.tree)} | {"": -1}
        return np.array([number[above] for _, above in self.tree])

    def joints_of(self, positions: Array) -> Array:
        """The positions (..., joints, 3) of the figure's joints, from those of the rows (..., rows, 3)."""
        if not self.sources:
            return positions
        return np.stack([positions[..., list(rows), :].mean(axis=-2) for rows in self.sources], axis=-2)


def _landmarks(name: str, rows: int, joints: Sequence[tuple[str, str, tuple[int, ...]]]) -> JointLayout:
    tree = tuple((joint, above) for joint, above, _ in joints)
    return JointLayout(name, rows, tree, tuple(rows for _, _, rows in joints))


def _landmark_body(shoulder: int, hip: int, ear: int) -> list[tuple[str, str, tuple[int, ...]]]:
    """Pelvis, chest, head and limbs from landmarks that alternate between left and right from these on."""
    hips, shoulders = (hip, hip + 1), (shoulder, shoulder + 1)
    joints: list[tuple[str, str, tuple[int, ...]]] = [
        ("pelvis", "", hips),
        ("spine", "pelvis", hips),
        ("chest", "spine", shoulders),
    ]
    joints += [("neck", "chest", shoulders), ("head", "neck", (ear, ear + 1)), ("nose", "head", (0,))]
    for k, side in enumerate(("left", "right")):
        joints.append((f"{side}_ear", "head", (ear + k,)))
        for first, above, line in (
            (shoulder, "chest", ("shoulder", "elbow", "wrist")),
            (hip, "pelvis", ("hip", "knee", "ankle")),
        ):
            names = [above, *(f"{side}_{part}" for part in line)]
            joints += [(names[n + 1], names[n], (first + 2 * n + k,)) for n in range(3)]
    return joints


def _mediapipe() -> JointLayout:
    joints = _landmark_body(shoulder=11, hip=23, ear=7)
    for k, side in enumerate(("left", "right")):
        joints += [(f"{side}_{part}", f"{side}_wrist", (17 + 2 * n + k,)) for n, part in enumerate(FINGERS)]
        joints += [(f"{side}_toe", f"{side}_ankle", (31 + k,)), (f"{side}_heel", f"{side}_ankle", (29 + k,))]
    return _landmarks("mediapipe", 33, joints)


FINGERS = ("pinky", "index", "thumb")
HUMANML3D = JointLayout("humanml3d", 22, SMPL_BODY, fps=20.0)
LAYOUTS = (
    HUMANML3D,
    JointLayout("kit", 21, _kit(), fps=12.5),
    JointLayout("kimodo", 30, _soma(fingers=False)),
    JointLayout("kimodo", 77, _soma(fingers=True)),
    JointLayout("kimodo", 34, _g1()),
    _mediapipe(),
    _landmarks("coco", 17, _landmark_body(shoulder=5, hip=11, ear=3)),
    JointLayout("smpl", 24, (*SMPL_BODY, *SMPL_HANDS)),
    JointLayout("smplh", 52, (*SMPL_BODY, *SMPL_FINGERS)),
    JointLayout("smplx", 55, (*SMPL_BODY, *SMPL_FACE, *SMPL_FINGERS)),
)
LAYOUT_NAMES = tuple(dict.fromkeys(layout.name for layout in LAYOUTS))


def layout_of(rows: int, name: str | None = None) -> JointLayout | None:
    """The layout of an array with so many joints, of this name if one is given; None where there is none."""
    return next((one for one in LAYOUTS if one.rows == rows and name in (None, one.name)), None)
