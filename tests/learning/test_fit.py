"""`limbik.fit`: joints arrive at the positions where bones are constant, directions survive noise, feet stand."""

import numpy as np
import pytest

import limbik
from limbik.errors import LimbikError
from tests.assets import asset, present

from .recorded import humanml3d_positions, mediapipe_landmarks, recording

CLIPS = present("07_01", "05_02", "16_35", "13_35")
if not CLIPS:
    pytest.skip("recorded clips are missing", allow_module_level=True)


@pytest.fixture(scope="module", params=CLIPS)
def recorded(request):
    clip = recording(request.param)
    positions = humanml3d_positions(clip)
    return clip, positions, limbik.fit(positions, "humanml3d", fps=clip.fps)


@pytest.fixture(scope="module")
def walk():
    clip = recording("07_01")
    return clip, humanml3d_positions(clip)


def turn_steps(clip, joints):
    """The angles in degrees by which joints turn in the world from frame to frame."""
    world = clip.world()[1][1:, joints]  # the recordings begin with a stray pose
    return np.degrees(2.0 * np.arccos(np.clip(np.abs(np.sum(world[1:] * world[:-1], axis=-1)), 0.0, 1.0)))


def test_joints_are_at_the_positions(recorded):
    _, positions, fitted = recorded
    assert np.abs(fitted.positions() - positions).max() < 1e-9
    assert len(fitted.skeleton) == 22 and np.ptp(fitted.translations[:, 1:], axis=0).max() == 0.0


def test_the_figure_stands_in_a_t_pose(recorded):
    _, _, fitted = recorded
    rest = limbik.Pose.rest(fitted.skeleton).positions()
    side = [fitted.skeleton.index(name) for name in ("left_wrist", "left_ankle", "left_foot", "head")]
    wrist, ankle, foot, head = rest[side]
    assert abs(rest[:, 1].min()) < 1e-9 and wrist[0] > 0.5 and head[1] > 1.2 and foot[2] > ankle[2] + 0.05
    assert set(fitted.skeleton.limbs) == {"left_leg", "right_leg", "left_arm", "right_arm"}


def test_elbows_and_knees_turn_about_one_axis(recorded):
    """The lower link of a limb turns about the hinge of the upper one: their rotations differ by a turn about it."""
    _, _, fitted = recorded
    for name in ("left_knee", "right_knee", "left_elbow", "right_elbow"):
        joint = fitted.skeleton.index(name)
        local = fitted.rotations[:, joint]
        bent = np.linalg.norm(local[:, :3], axis=-1) > 0.2  # more than 23 degrees
        axes = local[bent, :3] / np.linalg.norm(local[bent, :3], axis=-1, keepdims=True)
        axes *= np.sign(local[bent, 3:])
        assert not bent.any() or np.all(np.abs(axes @ np.median(axes, axis=0)) > 0.99)


def test_rotations_turn_no_faster_than_the_recording(recorded):
    clip, _, fitted = recorded
    limbs = [fitted.skeleton.index(f"{side}_{part}") for side in ("left", "right") for part in ("hip", "shoulder")]
    known = [clip.skeleton.index(f"{side}{part}") for side in ("Left", "Right") for part in ("UpLeg", "Arm")]
    assert turn_steps(fitted, limbs).max() < 1.5 * turn_steps(clip, known).max() + 10.0


def test_directions_stay_within_the_noise(walk):
    clip, positions = walk
    noise = np.random.default_rng(1).normal(scale=0.01, size=positions.shape)
    fitted = limbik.fit(positions + noise, "humanml3d", fps=clip.fps)
    limb = [(1, 4), (4, 7), (2, 5), (5, 8), (16, 18), (18, 20), (17, 19), (19, 21)]
    for upper, lower in limb:
        found, wanted = (one[:, lower] - one[:, upper] for one in (fitted.positions(), positions))
        length = np.linalg.norm(wanted[0])
        sine = np.linalg.norm(np.cross(found, wanted), axis=-1) / np.linalg.norm(found, axis=-1) / length
        # Both ends stray by 1 cm along each axis: the bone by 1.4 cm along each of the two axes across it.
        assert np.sqrt(np.mean(sine**2)) < 1.15 * 0.01 * 2.0 / length


def test_averaging_brings_noisy_joints_nearer(walk):
    clip, positions = walk
    noisy = positions[10:] + np.random.default_rng(2).normal(scale=0.01, size=positions[10:].shape)
    rough, calm = (limbik.fit(noisy, "humanml3d", fps=clip.fps, smooth=seconds) for seconds in (0.0, 0.05))
    errors = [np.linalg.norm(one.positions() - positions[10:], axis=-1).mean() for one in (rough, calm)]
    assert errors[1] < 0.6 * errors[0]


def test_feet_of_noisy_positions_can_be_planted(walk):
    clip, positions = walk
    noisy = positions[10:] + np.random.default_rng(3).normal(scale=0.01, size=positions[10:].shape)
    fitted = limbik.fit(noisy, "humanml3d", fps=clip.fps, smooth=0.05)
    assert 0.25 < fitted.contacts.mean() < 0.75
    planted = limbik.ground(fitted, "plane")
    ankles = planted.clip.positions()[:, list(planted.clip.feet)]
    moved = np.linalg.norm(np.diff(ankles[..., [0, 2]], axis=0), axis=-1)
    still = planted.clip.contacts[1:] & planted.clip.contacts[:-1]
    raw = np.linalg.norm(np.diff(noisy[:, [7, 8]][..., [0, 2]], axis=0), axis=-1)
    assert np.median(moved[still]) < 0.2 * np.median(raw[still])


def test_contacts_agree_with_those_of_the_recording(recorded):
    clip, _, fitted = recorded
    assert fitted.feet == (fitted.skeleton.index("left_ankle"), fitted.skeleton.index("right_ankle"))
    known = limbik.training_data(clip)["contacts"]
    assert np.mean(known == fitted.contacts) > 0.9


@pytest.mark.parametrize("axis", ["x", "y", "z", "-x", "-y", "-z"])
@pytest.mark.parametrize("unit", [1.0, 0.01, 0.001])
def test_units_and_axes_are_guessed(walk, axis, unit):
    clip, positions = walk
    up = np.zeros(3)
    up["xyz".index(axis[-1])] = -1.0 if axis[0] == "-" else 1.0
    across = np.roll(up, 1)
    turned = np.stack([across, up, np.cross(across, up)], axis=-1)  # columns: where x, y and z go
    fitted = limbik.fit(positions @ turned.T / unit, "humanml3d", fps=clip.fps)
    there, here = fitted.positions(), positions
    assert np.abs(there[..., 1] - here[..., 1]).max() < 1e-9
    gaps = [np.linalg.norm(one[:, 4] - one[:, 21], axis=-1) for one in (there, here)]
    assert np.abs(gaps[0] - gaps[1]).max() < 1e-9
    assert np.linalg.det(turned) > 0.99


def test_landmarks_without_a_root_get_its_path(walk):
    clip, positions = walk
    positions = positions[10:]
    fitted = limbik.fit(mediapipe_landmarks(positions), "mediapipe", fps=clip.fps)
    pelvis = fitted.positions()[:, 0]
    known = 0.5 * (positions[:, 1] + positions[:, 2])
    travelled = [np.linalg.norm(path[-1, [0, 2]] - path[0, [0, 2]]) for path in (pelvis, known)]
    assert travelled[0] == pytest.approx(travelled[1], rel=0.1)
    assert np.abs((pelvis - known)[:, 1] - np.median((pelvis - known)[:, 1])).max() < 0.05
    moved = np.linalg.norm(np.diff(fitted.positions()[:, list(fitted.feet)], axis=0), axis=-1) * clip.fps
    both = fitted.contacts[1:] & fitted.contacts[:-1]
    assert np.median(moved[both]) < 0.1


def test_several_clips_share_a_figure(walk):
    clip, positions = walk
    parts = [positions[:100], positions[100:]]
    first, second = limbik.fit(parts, "humanml3d", fps=clip.fps)
    assert first.skeleton is second.skeleton and (len(first), len(second)) == (100, len(positions) - 100)
    assert np.abs(np.concatenate([first.positions(), second.positions()]) - positions).max() < 1e-9


@pytest.mark.parametrize("name", ["gltf/RiggedFigure.glb", "gltf/KayKit_Rogue.glb", "vrm/Godette_vrm0.vrm"])
def test_figures_of_others_get_the_directions(walk, tmp_path, name):
    _, positions = walk
    posed = limbik.fit(positions[10::4], "humanml3d", asset(name), fps=30.0)
    places = posed.positions()
    for limb, line in {"left_leg": (1, 4, 7), "right_arm": (17, 19, 21)}.items():
        joints = list(posed.skeleton.limbs[limb].joints)
        found, wanted = (np.diff(at, axis=1) for at in (places[:, joints], positions[10::4][:, list(line)]))
        cosine = np.sum(found * wanted, axis=-1) / np.linalg.norm(found, axis=-1) / np.linalg.norm(wanted, axis=-1)
        assert np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).max() < 1e-4
    limbik.save(posed, tmp_path / "posed.glb")
    again = limbik.load(tmp_path / "posed.glb")
    assert np.abs(again.positions() - places).max() < 1e-3


def test_other_joints_come_with_names_and_parents(walk):
    clip, positions = walk
    names = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "Spine", "Head"]
    rows = [0, 1, 4, 7, 2, 5, 8, 6, 15]
    fitted = limbik.fit(positions[:, rows], names, fps=clip.fps, parents=[-1, 0, 1, 2, 0, 4, 5, 0, 7])
    legs = [1, 2, 3, 4, 5, 6]
    found = fitted.positions()[:, legs]
    assert (
        np.abs(
            np.diff(found, axis=1)[:, [0, 1, 3, 4]] - np.diff(positions[:, rows][:, legs], axis=1)[:, [0, 1, 3, 4]]
        ).max()
        < 1e-6
    )


@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize(("layout", "joints"), [("humanml3d", 22), ("kit", 21), ("kimodo", 30), ("kimodo", 77),
    ("kimodo", 34), ("mediapipe", 33), ("coco", 17), ("smpl", 24), ("smplh", 52), ("smplx", 55)])  # fmt: skip
def test_whatever_the_positions_the_clip_is_finite(layout, joints, frames):
    rng = np.random.default_rng(joints)
    for positions in (rng.normal(size=(frames, joints, 3)), np.zeros((frames, joints, 3))):
        fitted = limbik.fit(positions, layout)
        assert np.isfinite(fitted.positions()).all()
        assert np.allclose(np.linalg.norm(fitted.rotations, axis=-1), 1.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"positions": np.zeros((3, 5))}, "(frames, joints, 3)"),
        ({"positions": np.full((3, 22, 3), np.nan)}, "finite"),
        ({"positions": np.zeros((3, 19, 3))}, "names of the joints"),
        ({"positions": np.zeros((3, 22, 3)), "names": "humanml"}, "did you mean 'humanml3d'"),
        ({"positions": np.zeros((3, 22, 3)), "names": "coco"}, "'coco'"),
        ({"positions": np.zeros((3, 2, 3)), "names": ["a", "a"], "parents": [-1, 0]}, "differ"),
        ({"positions": np.zeros((3, 2, 3)), "names": ["a", "b"]}, "parents"),
        ({"positions": np.zeros((3, 22, 3)), "fps": 0}, "fps"),
        ({"positions": np.zeros((3, 22, 3)), "smooth": -1}, "smooth"),
        ({"positions": np.zeros((3, 22, 3)), "up_axis": "up"}, "up_axis"),
        ({"positions": np.zeros((3, 22, 3)), "figure": 3}, "figure"),
        ({"positions": np.full((3, 22, 3), 1e30)}, "within 1e"),
        ({"positions": []}, "at least one"),
    ],
)
def test_malformed_arguments_are_refused(arguments, said):
    with pytest.raises(LimbikError, match=said.replace("(", r"\(").replace(")", r"\)")):
        limbik.fit(**arguments)
