"""Files to try limbik with."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from limbik.arguments import file_path
from limbik.arrays import Array
from limbik.bodies.mannequin import mannequin
from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write
from limbik.files.clip_files import save
from limbik.samples.human_walk import walk
from limbik.skeleton.clip import Clip
from limbik.terrains.specs import terrain
from limbik.terrains.terrain_export import save_mesh

COPIED = ("ant.toml", "arm.urdf", "humanoid.xml")  # from this folder
HUMANML3D_JOINTS = (  # of the walk's skeleton
    *("Hips", "LeftUpLeg", "RightUpLeg", "LowerBack", "LeftLeg", "RightLeg", "Spine", "LeftFoot", "RightFoot"),
    *("Spine1", "LeftToeBase", "RightToeBase", "Neck", "LeftShoulder", "RightShoulder", "Neck1", "LeftArm", "RightArm"),
    *("LeftForeArm", "RightForeArm", "LeftHand", "RightHand"),
)
GROUND = "hills:height=0.3,seed=3"
REACH, SPACING = 6.0, 0.1  # metres: half the side of the sample grounds, and between their heights


def character(frames: int = 300) -> Clip:
    """A character with a skin, walking: `walk` with the body of a mannequin, which files and pages keep.

    Args:
        frames: Number of frames, at 60 frames a second.

    Returns:
        The clip.

    Raises:
        ArgumentError: `frames` is not a positive whole number.
    """
    clip = walk(frames)
    return clip.with_(body=mannequin(clip.skeleton), name="character")


def write(folder: str | os.PathLike[str]) -> list[Path]:
    """Writes a sample of every kind of file that limbik reads into a folder, created if needed.

    walk.bvh, a human walk; character.glb, the same with a skin; ant.toml, a creature; arm.urdf, a robot arm with six
    joints; humanoid.xml, a robot with two legs and two arms; joints.npy, the walk as positions of joints (the 22 of
    HumanML3D at 20 frames per second); targets.csv, targets for an arm of 0.9 m; heights.npy, a heightmap (the spec
    "heights.npy:spacing=0.1"); hills.obj and hills.glb, the same ground as a mesh. Existing files are replaced.

    Args:
        folder: Where to write them.

    Returns:
        Their paths.

    Raises:
        FileError: A file cannot be written.
    """
    folder = file_path("folder", folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, "", f"cannot be made ({error.strerror})") from None
    save(walk(), folder / "walk.bvh")
    save(character(), folder / "character.glb")
    for name in COPIED:
        with atomic_write(folder / name) as file:
            file.write(Path(__file__).with_name(name).read_bytes())
    with atomic_write(folder / "targets.csv") as file:
        np.savetxt(file, _circle(), "%.4f", ",", header="x,y,z", comments="")
    with atomic_write(folder / "joints.npy") as file:
        np.save(file, _joint_positions())
    ground, along = terrain(GROUND), np.arange(-REACH, REACH + 0.5 * SPACING, SPACING)
    x, z = np.meshgrid(along, along)
    with atomic_write(folder / "heights.npy") as file:
        np.save(file, ground.height(x, z))
    for name in ("hills.obj", "hills.glb"):
        save_mesh(ground, folder / name, (-REACH, -REACH), (REACH, REACH), 2.0 * SPACING)
    names = ("walk.bvh", "character.glb", *COPIED, "joints.npy", "targets.csv", "heights.npy", "hills.obj", "hills.glb")
    return [folder / name for name in names]


def _joint_positions() -> Array:
    """The walk as positions (frames, 22, 3), metres."""
    clip = walk().resampled(20.0)
    return clip.positions()[:, [clip.skeleton.index(name) for name in HUMANML3D_JOINTS]]


def _circle() -> Array:
    """Targets (100, 3), metres: a circle beside the origin, as drawn by a hand."""
    angles = np.linspace(0.0, 2.0 * np.pi, 100)
    return np.stack([0.4 + 0.2 * np.cos(angles), 0.2 * np.sin(angles), np.full(100, 0.4)], axis=-1)
