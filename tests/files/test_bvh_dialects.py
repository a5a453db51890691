"""BVH as programs write it: LAFAN1, Xsens, Mixamo, Rokoko, Bandai Namco: units, axes, limbs and joints are found.

The files are made here, with each program's names, channels, order of rotations, unit, up axis and rest pose.
"""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik

from .bvh_figures import POSITIONS, Figure, Joint

FRAMES = 40
# The joints of a person and where they are in a T-pose, in metres: +x to the left, +y up, facing +z.
TRUNK = {"hips": (0, 0.95, 0), "spine": (0, 1.07, 0), "chest": (0, 1.25, 0), "neck": (0, 1.48, 0), "head": (0, 1.58, 0)}
SIDE = {
    **{"shoulder": (0.05, 1.43, 0), "arm": (0.17, 1.43, 0), "forearm": (0.45, 1.43, 0), "hand": (0.7, 1.43, 0)},
    **{"thigh": (0.09, 0.92, 0), "shin": (0.09, 0.5, 0), "foot": (0.09, 0.08, 0), "toe": (0.09, 0.02, 0.13)},
}
PARENTS = {"spine": "hips", "chest": "spine", "neck": "chest", "head": "neck", "shoulder": "chest", "arm": "shoulder"}
PARENTS |= {"forearm": "arm", "hand": "forearm", "thigh": "hips", "shin": "thigh", "foot": "shin", "toe": "foot"}


@dataclass(frozen=True)
class Dialect:
    """How a program writes a person."""

    trunk: tuple[str, ...]  # names of hips, spine, chest, neck and head
    side: tuple[str, ...]  # names of a side's joints, from shoulder to toe
    sides: tuple[str, str]
    order: str  # of rotations, as the letters of the channels
    metres: float
    up: str = "y"
    moving: bool = False  # whether all joints have positions
    along_x: bool = False  # whether all bones lie along x at rest, which is no pose
    fps: float = 30.0
    frame_time: str = "0.0333333"


MIXAMO = Dialect(
    tuple(f"mixamorig:{name}" for name in ("Hips", "Spine", "Spine1", "Neck", "Head")),
    tuple(
        f"mixamorig:{{}}{name}" for name in ("Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase")
    ),
    ("Left", "Right"),
    order="ZXY",
    metres=0.01,
)
DIALECTS = {
    "Mixamo": MIXAMO,
    "LAFAN1": Dialect(
        ("Hips", "Spine", "Spine1", "Neck", "Head"),
        ("{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}UpLeg", "{}Leg", "{}Foot", "{}Toe"),
        ("Left", "Right"),
        order="ZYX",
        metres=0.01,
        along_x=True,
    ),
    "Xsens": Dialect(
        ("Hips", "Chest", "Chest4", "Neck", "Head"),
        ("{}Collar", "{}Shoulder", "{}Elbow", "{}Wrist", "{}Hip", "{}Knee", "{}Ankle", "{}Toe"),
        ("Left", "Right"),
        order="YXZ",
        metres=0.01,
        fps=240.0,
        frame_time="0.004167",
    ),
    "Rokoko": Dialect(
        ("Hips", "Spine", "Spine4", "Neck", "Head"),
        ("{}Shoulder", "{}Arm", "{}ForeArm", "{}Hand", "{}Thigh", "{}Shin", "{}Foot", "{}Toe"),
        ("Left", "Right"),
        order="YXZ",
        metres=0.01,
        fps=100.0,
        frame_time="0.01",
    ),
    "Bandai Namco": Dialect(
        ("Hips", "Spine", "Chest", "Neck", "Head"),
        ("Shoulder_{}", "UpperArm_{}", "LowerArm_{}", "Hand_{}", "UpperLeg_{}", "LowerLeg_{}", "Foot_{}", "Toes_{}"),
        ("L", "R"),
        order="ZXY",
        metres=0.01,
        moving=True,
        along_x=True,
    ),
    "with z up": replace(MIXAMO, up="z", order="XYZ"),
    "in metres": replace(MIXAMO, metres=1.0),
    "in millimetres": replace(MIXAMO, metres=0.001),
}
TO_FILE = {"y": Rotation.identity(), "z": Rotation.from_euler("x", 90, degrees=True)}


def person():
    """The joints (name, parent, side) in the order of a tree, and their places at rest."""
    rows = [(name, PARENTS.get(name), "") for name in TRUNK]
    arm, leg = list(SIDE)[:4], list(SIDE)[4:]
    rows += [(name, PARENTS[name], side) for limb in (arm, leg) for side in ("left", "right") for name in limb]
    place = {(name, side): k for k, (name, _, side) in enumerate(rows)}
    parents = [-1 if above is None else place.get((above, side), place.get((above, ""))) for _, above, side in rows]
    places = [
        np.array(TRUNK.get(name) or SIDE[name], float) * ([-1, 1, 1] if side == "right" else [1, 1, 1])
        for name, _, side in rows
    ]
    return rows, parents, np.array(places)


def motion(rows):
    """World rotations (frames, joints) of a person who walks, as SciPy's rotations, and the path of the hips."""
    phase = np.linspace(0.0, 4.0 * np.pi, FRAMES)
    turns = []
    for name, _, side in rows:
        swing = np.sin(phase + (np.pi if side == "right" else 0.0))
        out = {"left": -1.0, "right": 1.0}.get(side, 0.0)
        angles = np.zeros((FRAMES, 3))
        if name in ("arm", "forearm", "hand"):
            angles[:, 2] = 75.0 * out
            angles[:, 0] = 20.0 * swing - (25.0 if name != "arm" else 0.0)
        elif name == "thigh":
            angles[:, 0] = -25.0 * swing
        elif name in ("shin", "foot", "toe"):
            angles[:, 0] = -25.0 * swing + (20.0 + 15.0 * np.cos(phase)) * (name == "shin")
        else:
            angles[:, 1] = 4.0 * np.sin(phase)
        turns.append(Rotation.from_euler("zxy", angles[:, [2, 0, 1]], degrees=True))
    path = np.stack([0.02 * np.sin(phase), 0.93 + 0.02 * np.cos(2 * phase), np.linspace(0.0, 1.6, FRAMES)], axis=-1)
    return turns, path


def dialect_file(dialect):
    """A file of a person walking, and where the joints are, (frames, joints, 3) in metres with +y up."""
    rows, parents, places = person()
    turns, path = motion(rows)
    bones = places - np.where(np.array(parents)[:, None] >= 0, places[parents], places)
    rests = [Rotation.identity() for _ in rows]  # where the joint's own axes are at rest in the T-pose
    if dialect.along_x:  # each joint's x axis lies along the first bone below it
        for joint in range(len(rows)):
            below = [child for child, parent in enumerate(parents) if parent == joint]
            ahead = bones[below[0]] if below else bones[joint]
            rests[joint] = Rotation.align_vectors([ahead / np.linalg.norm(ahead)], [[1.0, 0.0, 0.0]])[0]
    world = [turn * rest for turn, rest in zip(turns, rests, strict=True)]
    offsets = [
        rests[parent].inv().apply(bone) if parent >= 0 else np.zeros(3)
        for parent, bone in zip(parents, bones, strict=True)
    ]
    into = TO_FILE[dialect.up]
    joints, columns = [], []
    channels = tuple(f"{letter}rotation" for letter in dialect.order)
    for joint, (name, _, side) in enumerate(rows):
        local = into * world[joint] if parents[joint] < 0 else world[parents[joint]].inv() * world[joint]
        called = dict(zip((*TRUNK, *SIDE), (*dialect.trunk, *dialect.side), strict=True))[name]
        label = called.format(dialect.sides[side == "right"])
        moves = dialect.moving or parents[joint] < 0
        joints.append(
            Joint(
                label,
                parents[joint],
                tuple((offsets[joint] / dialect.metres).tolist()),
                (*POSITIONS * moves, *channels),
            )
        )
        place = into.apply(path) if parents[joint] < 0 else np.tile(offsets[joint], (FRAMES, 1))
        columns += [place / dialect.metres] if moves else []
        columns.append(local.as_euler(dialect.order, degrees=True))
    figure = Figure(joints, np.concatenate(columns, axis=1), dialect.frame_time)
    return figure, figure.positions() * dialect.metres


@pytest.fixture(params=DIALECTS)
def made(request, tmp_path):
    dialect = DIALECTS[request.param]
    figure, places = dialect_file(dialect)
    path = tmp_path / "person.bvh"
    path.write_text(figure.text())
    return dialect, figure, TO_FILE[dialect.up].inv().apply(places.reshape(-1, 3)).reshape(places.shape), path


def test_joints_are_where_the_file_puts_them(made):
    dialect, figure, places, path = made
    clip = limbik.load(path)
    assert clip.fps == pytest.approx(dialect.fps) and clip.unit.metres == pytest.approx(dialect.metres)
    assert clip.source.up == dialect.up
    number = [clip.skeleton.index(joint.name) for joint in figure.joints]
    assert np.abs(clip.positions()[:, number] - places).max() < 1e-5


def test_limbs_are_found(made):
    dialect, _, _, path = made
    skeleton = limbik.load(path).skeleton
    found = {name: [skeleton.names[joint] for joint in limb.joints] for name, limb in skeleton.limbs.items()}
    for side, word in zip(("left", "right"), dialect.sides, strict=True):
        assert found[f"{side}_arm"] == [name.format(word) for name in dialect.side[1:4]]
        assert found[f"{side}_leg"] == [name.format(word) for name in dialect.side[4:7]]
    assert all(limb.stands == (limb.kind == "leg") for limb in skeleton.limbs.values())
    assert skeleton.names[skeleton.torso.pelvis] == dialect.trunk[0]


def test_what_is_saved_is_the_same_file(made, tmp_path):
    _, _, _, path = made
    limbik.save(limbik.load(path), tmp_path / "again.bvh")
    first, second = (one.read_text().split("MOTION") for one in (path, tmp_path / "again.bvh"))
    assert [line.split() for line in first[0].splitlines() if "CHANNELS" in line] == [
        line.split() for line in second[0].splitlines() if "CHANNELS" in line
    ]
    numbers = [np.array(one[1].split()[5:], float) for one in (first, second)]
    assert np.abs(numbers[0] - numbers[1]).max() < 1e-5


def test_feet_are_planted_on_a_slope(made):
    _, _, _, path = made
    grounded = limbik.ground(limbik.load(path), "slope:8")
    assert len(grounded.clip.feet) == 2 and np.isfinite(grounded.clip.rotations).all()
