"""`limbik.training_data`: shapes, and features that agree with SciPy's rotations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.errors import LimbikError
from tests.cli.command import run


@pytest.fixture(scope="module")
def clip():
    return limbik.samples.walk(60)


@pytest.fixture(scope="module")
def data(clip):
    return limbik.training_data(clip)


def test_rotations_are_columns_of_matrices(clip, data):
    matrices = Rotation.from_quat(clip.rotations.reshape(-1, 4)).as_matrix()
    six = np.concatenate([matrices[:, :, 0], matrices[:, :, 1]], axis=-1).reshape(data["rotations_6d"].shape)
    assert np.abs(data["rotations_6d"] - six).max() < 1e-6
    assert np.array_equal(data["rotations"], clip.rotations) and data["positions"].dtype == np.float32


def test_features_give_the_motion_back(clip, data):
    """Positions follow from the start, the root's velocities, and the positions in the heading frame."""
    heading = data["root_heading"][0] + np.concatenate([[0], np.cumsum(data["root_turn_velocity"][:-1])]) / clip.fps
    assert np.abs(heading - data["root_heading"]).max() < 1e-4
    turns = Rotation.from_rotvec(heading[:, None] * [0, 1, 0])
    pelvis = clip.skeleton.torso.pelvis
    steps = turns.apply(data["root_velocity"]) / clip.fps
    root = data["positions"][0, pelvis] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps[:-1], axis=0)])
    assert np.abs(root - data["positions"][:, pelvis]).max() < 1e-4
    for joint in (0, 5, 12):
        there = turns.apply(data["local_positions"][:, joint]) + root * [1, 0, 1]
        assert np.abs(there - data["positions"][:, joint]).max() < 1e-4
        step = turns.apply(data["local_velocities"][:, joint]) / clip.fps
        assert np.abs(there[:-1] + step[:-1] - there[1:]).max() < 1e-4


def test_turning_the_figure_changes_no_local_feature(clip, data):
    away = Rotation.from_rotvec([0, 1.1, 0])
    roots = list(clip.skeleton.roots)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    for root in roots:
        rotations[:, root] = (away * Rotation.from_quat(rotations[:, root])).as_quat()
        translations[:, root] = away.apply(translations[:, root]) + [3, 0, -2]
    turned = limbik.training_data(clip.with_(rotations=rotations, translations=translations))
    for name in ("local_positions", "local_velocities", "root_velocity", "root_turn_velocity"):
        assert np.abs(turned[name] - data[name]).max() < 1e-4
    assert np.abs(turned["root_heading"] - data["root_heading"] - 1.1).max() < 1e-5
    assert np.array_equal(turned["contacts"], data["contacts"])


def test_windows_are_cut_from_the_whole(clip, data):
    cut = limbik.training_data(clip, window=20, stride=8)
    assert cut["sample_starts"].tolist() == [0, 8, 16, 24, 32, 40] and not cut["sample_mirrored"].any()
    for name in ("positions", "rotations", "rotations_6d", "contacts", "root_heading", "local_velocities"):
        assert all(
            np.array_equal(cut[name][k], data[name][start : start + 20]) for k, start in enumerate(cut["sample_starts"])
        )


def test_mirrored_copies_swap_sides(clip, data):
    both = limbik.training_data(clip, mirrored=True)
    assert both["sample_mirrored"].tolist() == [False, True] and np.array_equal(both["positions"][0], data["positions"])
    left, right = (clip.skeleton.index(name) for name in ("LeftFoot", "RightFoot"))
    assert np.abs(both["positions"][1, :, left] - data["positions"][:, right] * [-1, 1, 1]).max() < 1e-5
    assert np.array_equal(both["contacts"][1], data["contacts"][:, ::-1])
    assert np.abs(both["root_turn_velocity"][1] + data["root_turn_velocity"]).max() < 1e-4


def test_samples_are_read_as_clips(tmp_path, clip):
    np.savez(tmp_path / "windows.npz", **limbik.training_data(clip, window=20, stride=20, mirrored=True))
    second, last = (limbik.load(tmp_path / "windows.npz", animation=k) for k in (1, 5))
    assert second.start == pytest.approx(clip.start + 20 / clip.fps)
    assert np.abs(second.positions() - clip.positions()[20:40]).max() < 1e-6
    assert np.abs(last.positions() - clip.mirrored().positions()[40:]).max() < 1e-6
    with pytest.raises(LimbikError, match="below 6"):
        limbik.load(tmp_path / "windows.npz", animation=6)


def test_the_command_writes_them_for_folders(capsys, tmp_path, clip):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    limbik.save(clip, tmp_path / "in/a.bvh")
    limbik.save(clip, tmp_path / "in/deep/b.glb")
    answer = run(capsys, f"convert {tmp_path}/in --out {tmp_path}/out --to npz --window 30 --mirrored")
    assert answer.status == 0 and "4 samples" in answer.out, answer.err
    with np.load(tmp_path / "out/deep/b.npz") as found:
        assert found["positions"].shape == (4, 30, len(clip.skeleton), 3) and found["contacts"].shape == (4, 30, 2)
    refused = run(capsys, f"convert {tmp_path}/in --out {tmp_path}/out2 --to glb --window 30")
    assert refused.status == 2 and "--window" in refused.err and not (tmp_path / "out2").exists()


def test_the_command_fits_positions(capsys, tmp_path, clip):
    walking = limbik.fit(np.random.default_rng(0).normal(size=(9, 22, 3)), "humanml3d")
    np.save(tmp_path / "joints.npy", walking.positions())
    answer = run(capsys, f"convert {tmp_path}/joints.npy {tmp_path}/walk.glb --names humanml3d --fps 25")
    assert answer.status == 0 and "9 frames at 25 fps, 22 joints" in answer.out, answer.err


@pytest.mark.parametrize(
    "options", [{"window": 0}, {"window": 61}, {"stride": 4}, {"window": 9, "stride": 0}, {"mirrored": 1}]
)
def test_malformed_options_are_refused(clip, options):
    with pytest.raises(LimbikError):
        limbik.training_data(clip, **options)
