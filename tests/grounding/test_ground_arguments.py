"""What `ground` accepts, in all its forms, and what it says of anything else: always a LimbikError."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.errors import ArgumentError, LimbikError

LEGS = [("LeftUpLeg", "LeftLeg", "LeftFoot"), ("RightUpLeg", "RightLeg", "RightFoot")]


@pytest.fixture(scope="module")
def walk():
    return samples.walk(90)


@pytest.fixture(scope="module")
def expected(walk):
    return limbik.ground(walk, "slope:10").clip


def numbers(walk):
    return [[walk.skeleton.index(name) for name in leg] for leg in LEGS]


@pytest.mark.parametrize(
    "legs",
    [
        lambda walk: LEGS,
        numbers,
        lambda walk: np.array(numbers(walk)),
        lambda walk: ["left_leg", "right_leg"],
        lambda walk: [limbik.find_limbs(walk.skeleton)["left_leg"], "right_leg"],
    ],
    ids=["joint names", "joint numbers", "an array", "limb names", "limbs"],
)
def test_legs_are_given_as_for_reach(walk, expected, legs):
    result = limbik.ground(walk, "slope:10", legs=legs(walk))
    assert np.array_equal(result.clip.rotations, expected.rotations)
    assert [foot.limb.name for foot in result.feet] == ["left_leg", "right_leg"]


def test_one_leg_alone_and_legs_of_no_usual_joints(walk):
    assert [foot.limb.name for foot in limbik.ground(walk, "slope:10", legs="left_leg").feet] == ["left_leg"]
    (foot,) = limbik.ground(walk, "slope:10", legs=[("LHipJoint", "LeftLeg", "LeftFoot")]).feet
    assert walk.skeleton.names[foot.ball] == "LeftToeBase"


def test_legs_of_a_figure_without_any_are_named_as_the_error_says():
    """Three joints in a line are no limb that is found; named, they are grounded."""
    skeleton = limbik.Skeleton(
        ("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0, 1, 0], [0, -0.5, 0.05], [0, -0.5, 0]])
    )
    still = _still(skeleton)
    with pytest.raises(LimbikError, match=r"no legs found; name them.*legs=\["):
        limbik.ground(still, "plane")
    result = limbik.ground(still, "slope:10", legs=[("a", "b", "c")])
    assert np.isfinite(result.clip.positions()).all() and result.clip.contacts.all()


def _still(skeleton, frames=10):
    rotations = np.tile([0.0, 0.0, 0.0, 1.0], (frames, len(skeleton), 1))
    return limbik.Clip(skeleton, rotations, np.tile(skeleton.translations, (frames, 1, 1)))


def test_settings_may_be_a_dictionary(walk):
    by_name = limbik.ground(walk, "slope:30", settings={"align_limit_degrees": 12, "clearance": 0.02})
    settings = limbik.Settings(align_limit_degrees=12.0, clearance=0.02)
    assert by_name.settings == settings
    assert np.array_equal(by_name.clip.rotations, limbik.ground(walk, "slope:30", settings=settings).clip.rotations)


def test_a_clip_may_be_a_path(walk, tmp_path):
    limbik.save(walk, tmp_path / "walk.glb")
    expected = limbik.ground(limbik.load(tmp_path / "walk.glb"), "slope:10").clip
    for path in (tmp_path / "walk.glb", str(tmp_path / "walk.glb")):
        assert np.array_equal(limbik.ground(path, "slope:10").clip.rotations, expected.rotations)


def test_a_terrain_may_be_anything_that_has_heights(walk, tmp_path):
    x = np.arange(-40, 41) * 0.1
    np.save(tmp_path / "heights.npy", np.zeros((81, 81)))
    level = limbik.ground(walk, "plane").clip.rotations
    flats = (limbik.terrain("plane"), tmp_path / "heights.npy", lambda x, z: 0.0 * x, np.zeros((len(x), len(x))))
    for flat in flats:
        assert np.allclose(limbik.ground(walk, flat).clip.rotations, level, atol=1e-6)


def with_nan(walk, what):
    values = getattr(walk, what).copy()
    values[7, walk.skeleton.index("Spine1"), 1] = np.nan
    return walk.with_(**{what: values})


@pytest.mark.parametrize("what", ["rotations", "translations"])
def test_a_value_that_is_not_finite_is_named_by_frame_and_joint(walk, what):
    with pytest.raises(ArgumentError, match=f"clip: got {what} that are not finite in frame 7, joint 'Spine1'"):
        limbik.ground(with_nan(walk, what), "plane")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clip": 3}, "clip: got 3; expected a Clip"),
        ({"clip": None}, "clip: got None; expected a Clip"),
        ({"clip": "none.bvh"}, "none.bvh"),
        ({"clip": "walk.txt"}, "walk.txt"),
        ({"terrain": None}, "terrain: got None"),
        ({"terrain": "slop:10"}, "did you mean 'slope'"),
        ({"legs": []}, "legs: got \\[\\]; expected a list of limbs"),
        ({"legs": 3}, "legs: got 3; expected a list of limbs"),
        ({"legs": [3]}, "legs: got 3; expected a limb of find_limbs"),
        ({"legs": ["left_lg"]}, "did you mean 'left_leg'"),
        ({"legs": [("hip", "knee", "ankle")]}, "joint: got 'hip'"),
        ({"legs": [("Hips", "Head")]}, "legs: got .*Hips"),
        ({"legs": [limbik.RigLimb("", "leg", "", (1, 2, 99))]}, "99"),
        ({"contacts": "x"}, "contacts: got 'x'"),
        ({"contacts": [[1], [2, 3]]}, "contacts: got"),
        ({"contacts": [[1]]}, r"contacts: got shape \(1, 1\); expected \(90, 2\)"),
        ({"settings": {"align_limit_degrees": -1}}, "align_limit_degrees: got -1"),
        ({"settings": 3}, "settings: got 3"),
        ({"settings": {"releas": 1}}, "did you mean 'release'"),
        ({"settings": {"release": "x"}}, "release: got 'x'; expected a number"),
        ({"settings": {"extension": 2}}, "extension: got 2; expected a number from 0.5 to 1"),
        ({"settings": {"sole": -1}}, "sole: got -1"),
    ],
)
def test_anything_else_is_a_clear_error(walk, arguments, message):
    with pytest.raises(LimbikError, match=message):
        limbik.ground(**{"clip": walk, "terrain": "plane", **arguments})


def test_a_clip_without_frames_is_refused(walk):
    with pytest.raises(ArgumentError, match="clip: got a clip without frames; expected at least one frame"):
        limbik.ground(walk[5:5], "plane")


def test_results_are_compared_by_identity(walk):
    one, other = limbik.ground(walk, "plane"), limbik.ground(walk, "plane")
    assert one == one and one != other
    assert one.feet[0] != other.feet[0] and one.comparison == one.comparison
