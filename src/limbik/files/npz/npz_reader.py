"""Reads .npz and .npy files of motion as clips: limbik's own, AMASS, Kimodo, and positions of joints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, FileError, as_unicode
from limbik.files.file_limits import check_joint_frames
from limbik.files.npz.npz_archive import NpzArchive
from limbik.files.npz.smpl_arrays import clip_of_amass
from limbik.rotations import from_matrices, inverse, multiply, normalized, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.joint_layouts import layout_of
from limbik.skeleton.kinematics import generations
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.units import METRE, UNITS, Unit, as_unit

POSITION_NAMES = ("positions", "joints", "joint_positions", "posed_joints", "keypoints", "motion", "arr_0")


def load(path: Path, sample: str | int | None, fps: float | None, limit: int | None, names: str | None) -> Clip | None:
    """The clip in a .npz file; None where it holds positions without rotations, which `positions_in` reads.

    sample: which of several samples (default: the first).
    """
    archive = NpzArchive(path, limit)
    readers: tuple[tuple[tuple[str, ...], Callable[[NpzArchive, float | None], Clip]], ...] = (
        (("posed_joints", "global_rot_mats"), _kimodo),
        (("poses", "trans"), clip_of_amass),
    )
    if "rotations" in archive and "parents" in archive:
        return _own(archive, sample, fps).with_(name=_name(archive, path))
    if sample not in (None, 0) or isinstance(sample, bool):
        raise ArgumentError("animation", repr(sample), f"0: {path} has one motion")
    for needed, read in readers:
        if names is None and all(name in archive for name in needed):
            return read(archive, fps).with_(name=as_unicode(path.stem))
    return None


def positions_in(path: Path, limit: int | None) -> tuple[Array, float | None]:
    """The numbers of the array of positions in a .npz file, and frames a second where it says."""
    archive = NpzArchive(path, limit)
    name = next((one for one in POSITION_NAMES if one in archive), archive.names[0] if len(archive.names) == 1 else "")
    if not name:
        wanted = "limbik's arrays, AMASS (poses, trans), Kimodo (posed_joints, global_rot_mats), or positions"
        raise FileError(path, "", f"holds {', '.join(map(repr, archive.names[:12])) or 'nothing'}; expected {wanted}")
    return archive.array(name, *[None] * len(archive.shape(name))), rate_in(archive)


def rate_in(archive: NpzArchive) -> float | None:
    """Frames a second as a file states them; None where it does not."""
    name = next((one for one in ("fps", "mocap_framerate", "mocap_frame_rate", "frame_rate") if one in archive), None)
    if name is None:
        return None
    fps = archive.number(name)
    if not 0.0 < fps < 1e6:
        raise FileError(archive.path, name, f"is {fps:g}; expected frames a second")
    return fps


def _name(archive: NpzArchive, path: Path) -> str:
    return archive.text("name") if "name" in archive else as_unicode(path.stem)


def _own(archive: NpzArchive, sample: str | int | None, fps: float | None) -> Clip:
    """A clip that limbik saved, or one of its samples."""
    number, lead = _sample(archive, sample)

    def frames_of(name: str, *axes: int | None, kinds: str = "iuf") -> Array:
        found = archive.array(name, *[None] * lead, *axes, kinds=kinds)
        return found[number] if lead else found

    joints = archive.shape("parents")[0] if len(archive.shape("parents")) == 1 else 0
    parents = archive.array("parents", joints)
    if not (np.all(parents == np.rint(parents)) and np.all((parents >= -1) & (parents < np.arange(joints)))):
        raise FileError(
            archive.path, "parents", "expected the number of each joint's parent, below its own, -1 for a root"
        )
    rotations = normalized(frames_of("rotations", None, joints, 4))
    check_joint_frames(archive.path, "", joints, len(rotations), archive.room)
    if not np.allclose(np.linalg.norm(rotations, axis=-1), 1.0):
        raise FileError(archive.path, "rotations", "holds zeros; expected quaternions xyzw")
    rest = {
        name: archive.array(f"rest_{name}", joints, width) if f"rest_{name}" in archive else None
        for name, width in (("translations", 3), ("rotations", 4), ("scales", 3))
    }
    local = {
        name: frames_of(name, len(rotations), joints, 3) if name in archive else None
        for name in ("translations", "scales")
    }
    if rest["translations"] is None:
        rest["translations"] = (
            np.zeros((joints, 3)) if local["translations"] is None else local["translations"][:1].mean(0)
        )
    skeleton = Skeleton(
        archive.texts("names", joints) if "names" in archive else tuple(f"joint_{k}" for k in range(joints)),
        parents.astype(np.int64),
        **rest,  # pyright: ignore[reportArgumentType]
        end_sites=archive.array("end_sites", joints, kinds="b") if "end_sites" in archive else None,  # pyright: ignore[reportArgumentType]
        roles=archive.texts("roles", joints) if "roles" in archive else (),
    )
    feet, contacts = _contacts(archive, frames_of, joints, len(rotations))
    stated = archive.number("start") if "start" in archive else 0.0
    rate = fps or rate_in(archive) or 30.0
    if lead:
        stated += float(archive.array("sample_starts", None)[number]) / rate if "sample_starts" in archive else 0.0
    return Clip(
        skeleton,
        rotations,
        local["translations"],  # pyright: ignore[reportArgumentType]
        local["scales"],
        fps=rate,
        start=stated,
        unit=_unit(archive),
        feet=feet,
        contacts=contacts,
    )


def _sample(archive: NpzArchive, sample: str | int | None) -> tuple[int, int]:
    """The number of the sample that is wanted, and 1 where the file has samples on axis 0 of its arrays, or 0."""
    axes = archive.shape("rotations")
    samples = axes[0] if len(axes) == 4 else 1
    number = 0 if sample is None else sample
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < max(samples, 1):
        raise ArgumentError("animation", repr(sample), f"the number of a sample of {archive.path}, below {samples}")
    if len(axes) == 4 and not samples:
        raise FileError(archive.path, "rotations", "holds no samples")
    return number, int(len(axes) == 4)


def _contacts(
    archive: NpzArchive, frames_of: Callable[..., Array], joints: int, frames: int
) -> tuple[tuple[int, ...], Array | None]:
    if not ("feet" in archive and "contacts" in archive):
        return (), None
    feet = archive.array("feet", None)
    if not (np.all(feet == np.rint(feet)) and np.all((feet >= 0) & (feet < joints))):
        raise FileError(archive.path, "feet", f"expected joint numbers below {joints}")
    return tuple(feet.astype(int).tolist()), frames_of("contacts", frames, len(feet), kinds="b")


def _unit(archive: NpzArchive) -> Unit:
    if "unit" not in archive:
        return METRE
    metres = archive.number("unit")
    if not 0.0 < metres < 1e6:
        raise FileError(archive.path, "unit", f"is {metres:g}; expected metres")
    return next((one for one in UNITS.values() if one.metres == metres), as_unit(metres))


def _kimodo(archive: NpzArchive, fps: float | None) -> Clip:
    """A clip of Kimodo's: positions (frames, joints, 3) and rotation matrices of all joints in the world, y up."""
    shape = archive.shape("posed_joints")
    layout = layout_of(shape[-2], "kimodo") if len(shape) == 3 else None
    if layout is None:
        raise FileError(archive.path, "posed_joints", f"has shape {shape}; expected (frames, 30, 77 or 34 joints, 3)")
    check_joint_frames(archive.path, "", layout.rows, shape[0], archive.room)
    positions = archive.array("posed_joints", None, layout.rows, 3)
    matrices = archive.array("global_rot_mats", len(positions), layout.rows, 3, 3)
    if not len(positions):
        raise FileError(archive.path, "posed_joints", "holds no frames")
    parents = layout.parents
    world = from_matrices(matrices)
    if not np.allclose(np.linalg.norm(world, axis=-1), 1.0):
        raise FileError(archive.path, "global_rot_mats", "holds matrices that are no rotations")
    hung = np.flatnonzero(parents >= 0)
    back = inverse(world[:, parents[hung]])
    rotations, translations = world.copy(), positions.copy()
    rotations[:, hung] = multiply(back, world[:, hung])
    translations[:, hung] = rotate(back, positions[:, hung] - positions[:, parents[hung]])
    offsets = np.median(translations, axis=0)
    offsets[0] = [0.0, _root_height(parents, offsets), 0.0]
    translations[:, hung] = offsets[hung]
    feet, contacts = _kimodo_contacts(archive, layout.names, len(positions))
    skeleton = Skeleton(layout.names, parents, offsets)
    return Clip(skeleton, rotations, translations, fps=fps or layout.fps, feet=feet, contacts=contacts)


def _root_height(parents: Array, offsets: Array) -> float:
    """The height of the root that puts the lowest joint at rest on y = 0."""
    heights = offsets[:, 1].copy()
    heights[0] = 0.0
    for level in generations(parents):
        heights[level] += heights[parents[level]]
    return float(-heights.min())


def _kimodo_contacts(archive: NpzArchive, names: tuple[str, ...], frames: int) -> tuple[tuple[int, ...], Array | None]:
    """The feet, and where heel or toe of each stands: Kimodo's contacts are left heel and toe, right heel and toe."""
    feet = [k for word in ("LeftFoot", "RightFoot") for k, name in enumerate(names) if name == word]
    if "foot_contacts" not in archive or len(feet) != 2:
        return (), None
    heel_left, toe_left, heel_right, toe_right = archive.array("foot_contacts", frames, 4, kinds="biuf").T > 0.5
    return tuple(feet), np.stack([heel_left | toe_left, heel_right | toe_right], axis=-1)
