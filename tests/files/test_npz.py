"""Clips as .npz: what is saved is read again; AMASS, Kimodo, HumanML3D; hostile archives are refused."""

import io
import zipfile

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.errors import FileError, LimbikError
from tests.assets import asset
from tests.learning.recorded import humanml3d_positions, recording
from tests.peak_memory import peak_of

SMPL_PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]


@pytest.fixture
def walk():
    return limbik.samples.walk(40)


def test_a_clip_comes_back(tmp_path, walk):
    clip = walk.with_(
        start=0.5, name="a walk", feet=("LeftFoot", "RightFoot"), contacts=np.arange(80).reshape(40, 2) % 3 == 0
    )
    limbik.save(clip, tmp_path / "walk.npz")
    again = limbik.load(tmp_path / "walk.npz")
    assert (again.fps, again.start, again.name, again.unit, again.feet) == (
        clip.fps,
        0.5,
        "a walk",
        clip.unit,
        clip.feet,
    )
    assert again.skeleton.names == clip.skeleton.names and np.array_equal(again.contacts, clip.contacts)
    assert np.abs(again.positions() - clip.positions()).max() < 1e-12
    assert np.array_equal(again.skeleton.translations, clip.skeleton.translations)


def test_a_rig_with_scales_and_roles_comes_back(tmp_path):
    clip = limbik.load(asset("vrm/Example.vrm"))
    scaled = clip.with_(scales=np.full((len(clip), len(clip.skeleton), 3), 1.5))
    limbik.save(scaled, tmp_path / "rig.npz")
    again = limbik.load(tmp_path / "rig.npz")
    assert again.skeleton.roles == clip.skeleton.roles and np.abs(again.scales - 1.5).max() == 0.0
    assert np.abs(again.positions() - scaled.positions()).max() < 1e-9


def test_the_same_clip_gives_the_same_bytes(tmp_path, walk):
    for name in ("a.npz", "b.npz"):
        limbik.save(walk, tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def amass(frames, joints, rng):
    """Arrays as AMASS has them, and the world rotations of the joints with +z up."""
    turns = rng.normal(scale=0.3, size=(frames, joints, 3))
    return {
        "poses": turns.reshape(frames, -1),
        "trans": rng.normal(size=(frames, 3)),
        "betas": np.zeros(16),
        "gender": np.array("neutral"),
        "mocap_framerate": np.array(120.0),
    }


@pytest.mark.parametrize("joints", [22, 24, 52, 55])
def test_rotations_of_amass_are_those_of_the_body(tmp_path, joints):
    rng = np.random.default_rng(joints)
    arrays = amass(5, joints, rng)
    np.savez(tmp_path / "amass.npz", **arrays)
    clip = limbik.load(tmp_path / "amass.npz")
    assert (len(clip.skeleton), clip.fps, len(clip)) == (joints, 120.0, 5)
    local = Rotation.from_rotvec(arrays["poses"].reshape(-1, 3)).as_matrix().reshape(5, joints, 3, 3)
    upright = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # z up to y up
    wrist, line = upright, []
    joint = 20
    while joint >= 0:
        line.append(joint)
        joint = SMPL_PARENTS[joint]
    wrist = upright @ np.eye(3)
    for joint in reversed(line):
        wrist = wrist @ local[:, joint]
    found = Rotation.from_quat(clip.world()[1][:, 20]).as_matrix()
    assert np.abs(found - wrist).max() < 1e-9
    assert np.abs(clip.positions()[:, 0] - arrays["trans"] @ upright.T).max() < 1e-9
    rest = limbik.Pose.rest(clip.skeleton).positions()
    assert 1.5 < np.ptp(rest[:, 1]) < 1.75 and set(clip.skeleton.limbs) == {
        "left_leg",
        "right_leg",
        "left_arm",
        "right_arm",
    }
    assert np.abs(rest[1] - rest[2] * [-1, 1, 1]).max() < 1e-12


def test_bones_of_amass_can_be_given(tmp_path):
    rng = np.random.default_rng(1)
    joints = rng.normal(size=(22, 3))
    np.savez(tmp_path / "amass.npz", **amass(2, 22, rng), rest_joints=joints)
    rest = limbik.load(tmp_path / "amass.npz").skeleton.translations
    assert np.abs(rest[1:] - (joints[1:] - joints[SMPL_PARENTS[1:]])).max() < 1e-12


@pytest.mark.parametrize("name", ["kimodo_soma_root_path", "kimodo_g1_root_path"])
def test_kimodos_joints_are_where_its_arrays_say(name):
    path = asset(f"npz/{name}.npz")
    clip, arrays = limbik.load(path), np.load(path)
    assert np.abs(clip.positions() - arrays["posed_joints"]).max() < 1e-5
    matrices = Rotation.from_quat(clip.world()[1].reshape(-1, 4)).as_matrix()
    assert np.abs(matrices.reshape(arrays["global_rot_mats"].shape) - arrays["global_rot_mats"]).max() < 1e-5
    assert set(clip.skeleton.limbs) == {"left_leg", "right_leg", "left_arm", "right_arm"} and clip.fps == 30.0


def humanml3d_features(positions):
    """Feature vectors of positions, with zeros where limbik reads nothing; by complex numbers for turns about y."""
    across = positions[:, 2] - positions[:, 1] + positions[:, 17] - positions[:, 16]
    facing = np.cross([0.0, 1.0, 0.0], across)
    heading = np.unwrap(np.arctan2(facing[:, 0], facing[:, 2]))
    heading -= heading[0]
    features = np.zeros((len(positions) - 1, 263))
    root = positions[:, 0]

    def unturned(vectors, angles):
        plane = (vectors[..., 2] + 1j * vectors[..., 0]) * np.exp(-1j * angles)
        return np.stack([plane.imag, vectors[..., 1], plane.real], axis=-1)

    features[:, 0] = -0.5 * np.diff(heading)
    features[:, 1:3] = unturned(np.diff(root, axis=0), heading[1:])[:, [0, 2]]
    features[:, 3] = root[:-1, 1]
    local = unturned(positions[:-1, 1:] - (root * [1, 0, 1])[:-1, None], heading[:-1, None])
    features[:, 4:67] = local.reshape(len(features), -1)
    return features


def test_positions_and_features_of_humanml3d(tmp_path):
    positions = humanml3d_positions(recording("07_01"))[10::6]
    positions = positions - positions[0, 0] * [1, 0, 1]
    np.save(tmp_path / "joints.npy", positions)
    np.savez(tmp_path / "joints.npz", joints=positions, fps=25.0)
    np.save(tmp_path / "features.npy", humanml3d_features(positions).astype(np.float32))
    joints = limbik.load(tmp_path / "joints.npy")
    assert joints.fps == 20.0 and np.abs(joints.positions() - positions).max() < 1e-9
    assert limbik.load(tmp_path / "joints.npz", names="humanml3d").fps == 25.0
    features = limbik.load(tmp_path / "features.npy")
    assert np.abs(features.positions() - positions[:-1]).max() < 1e-3


def test_normalised_features_are_refused(tmp_path):
    np.save(tmp_path / "features.npy", np.random.default_rng(0).normal(size=(20, 263)))
    with pytest.raises(FileError, match="multiply by their deviation"):
        limbik.load(tmp_path / "features.npy")


def stored(arrays, method=zipfile.ZIP_STORED):
    """The bytes of an archive; an array is bytes, or what np.save writes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, array in arrays.items():
            part = io.BytesIO()
            if isinstance(array, bytes):
                part.write(array)
            else:
                np.save(part, array, allow_pickle=True)
            archive.writestr(f"{name}.npy", part.getvalue())
    return file.getvalue()


def header(shape, dtype="<f8"):
    """The start of a .npy file that states a shape, without its numbers."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


HOSTILE = {
    "a pickle": (stored({"poses": np.array([{}], object), "trans": np.zeros((1, 3))}), "pickle"),
    "a huge shape": (stored({"poses": header((10**9, 156)), "trans": np.zeros((1, 3))}), "limit"),
    "a shape that overflows": (stored({"poses": header((2**62, 156)), "trans": np.zeros((1, 3))}), "limit"),
    "few bytes": (stored({"poses": header((1000, 156)), "trans": np.zeros((1000, 3))}), "ends after"),
    "texts": (stored({"poses": np.array([["x"] * 66]), "trans": np.zeros((1, 3))}), "holds <U1"),
    "long texts": (stored({"poses": header((1,), "<U99999999"), "trans": np.zeros((1, 3))}), "poses"),
    "NaN": (stored({"poses": np.full((1, 66), np.nan), "trans": np.zeros((1, 3))}), "finite"),
    "another width": (stored({"poses": np.zeros((1, 67)), "trans": np.zeros((1, 3))}), "axis-angle"),
    "nothing": (stored({}), "expected"),
    "no archive": (b"PK\x03\x04 and so on", "npz"),
    "another compression": (stored({"poses": np.zeros((1, 66)), "trans": b""}, zipfile.ZIP_LZMA), "compressed"),
    "parents after children": (
        stored({"rotations": np.tile([0, 0, 0, 1.0], (1, 2, 1)), "parents": np.array([1, -1])}),
        "parents",
    ),
    "rotations of zero": (stored({"rotations": np.zeros((1, 2, 4)), "parents": np.array([-1, 0])}), "quaternions"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused(tmp_path, name):
    data, said = HOSTILE[name]
    path = tmp_path / "hostile.npz"
    path.write_bytes(data)
    with pytest.raises(LimbikError, match=said):
        limbik.load(path)


def test_a_small_archive_does_not_fill_the_memory(tmp_path):
    path = tmp_path / "bomb.npz"
    zeros = header((10_000_000, 156)) + bytes(200 << 20)
    path.write_bytes(stored({"poses": zeros, "trans": zeros}, zipfile.ZIP_DEFLATED))
    del zeros

    def load():
        with pytest.raises(FileError, match="limit"):
            limbik.load(path)

    assert path.stat().st_size < 2 << 20
    load()
    assert peak_of(load) < 20 << 20


@pytest.mark.parametrize(
    ("options", "said"), [({"animation": 3}, "below 1"), ({"names": "coco"}, "coco"), ({"fps": -1}, "fps")]
)
def test_options_that_do_not_fit_are_refused(tmp_path, options, said):
    np.save(tmp_path / "joints.npy", np.zeros((4, 22, 3)))
    with pytest.raises(LimbikError, match=said):
        limbik.load(tmp_path / "joints.npy", **options)


def test_names_are_for_arrays(tmp_path, walk):
    limbik.save(walk, tmp_path / "walk.bvh")
    with pytest.raises(LimbikError, match="names"):
        limbik.load(tmp_path / "walk.bvh", names="coco")
    with pytest.raises(LimbikError, match=r"\.npy"):
        limbik.save(walk, tmp_path / "walk.npy")
