"""A picture of a limb: every kind of limb and outcome, in every format, written whole or not at all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik
from limbik.errors import ArgumentError
from limbik.pictures import limb_scene, words
from limbik.pictures.limb_plot import limb
from limbik.rotations import rotate

PLANAR = limbik.PlanarTwoLink(0.5, 0.4)
ARM = limbik.TwoLink(0.3, 0.28)
LEG = limbik.ThreeLink(0.45, 0.42, 0.2)
TARGET, UP = (0.15, -0.7, 0.25), (0.2, -0.3, 1.0)

CASES = {
    "planar": (PLANAR, PLANAR.solve([0.5, 0.4]), PLANAR.branches([0.5, 0.4])),
    "planar, too far": (PLANAR, PLANAR.solve([2, 1]), PLANAR.branches([2, 1])),
    "planar, on its origin": (PLANAR, PLANAR.solve([0, 0]), PLANAR.branches([0, 0])),
    "planar, invalid": (PLANAR, PLANAR.solve([np.nan, 0]), PLANAR.branches([np.nan, 0])),
    "arm": (ARM, ARM.solve(TARGET, pole=(1, 0, 0)), ARM.branches(TARGET, pole=(1, 0, 0))),
    "arm, stretched": (ARM, ARM.solve((0, 0, 1), stretch=1.3), None),
    "arm, in a level plane": (ARM, ARM.solve((0.3, 0, 0.2), pole=(0, 0, 1)), None),
    "leg": (LEG, LEG.solve(TARGET, UP), LEG.branches(TARGET, UP)),
    "leg, easy": (LEG, LEG.solve(TARGET, UP, style="easy", hint=(1, 0, 1)), None),
    "leg, straight": (LEG, LEG.solve((0, -1.07, 0), (0, -1, 0)), LEG.branches((0, -1.07, 0), (0, -1, 0))),
    "leg, position first": (LEG, LEG.solve((0, -1, 0.4), UP, priority="position"), None),
    "leg, no up": (LEG, LEG.solve(TARGET, (0, 0, 0)), None),
    "leg, invalid": (LEG, LEG.solve(TARGET, (np.inf, 0, 0)), None),
    "leg, of a track": (LEG, LEG.track([TARGET, TARGET], [UP, UP])[1], None),
}


def drawn(name, path, **options):
    """Plots one of the cases."""
    _, solution, branches = CASES[name]
    limb(solution, path, branches=branches, **options)


@pytest.mark.parametrize("name", CASES)
def test_every_outcome_can_be_drawn(name, tmp_path):
    out = tmp_path / "limb.png"
    drawn(name, out)
    assert out.read_bytes().startswith(b"\x89PNG")


def test_sizes_of_limb_from_nanometres_to_light_years(tmp_path):
    for size in (1e-9, 1.0, 1e16):
        leg = limbik.ThreeLink(0.45 * size, 0.42 * size, 0.2 * size)
        limb(leg.solve(np.multiply(TARGET, size), UP), tmp_path / "limb.png")


def test_a_batch_is_refused(tmp_path):
    many = PLANAR.solve([[0.5, 0.4], [0.1, 0.2]])
    with pytest.raises(ArgumentError, match="a batch of shape"):
        limb(many, tmp_path / "limb.png")
    with pytest.raises(ArgumentError, match="branches"):
        limb(many[0], tmp_path / "limb.png", branches=PLANAR.branches([[0.5, 0.4], [0.1, 0.2]]))


def test_a_target_that_is_far_out_leaves_the_limb_large_enough_to_be_seen():
    scene = limb_scene.LimbScene.of(PLANAR.solve([3e300, 4e300]))
    assert scene.target_is_nearer and scene.target == pytest.approx([0.6 * 4.5, 0.8 * 4.5])
    near = limb_scene.LimbScene.of(PLANAR.solve([2, 1]))
    assert not near.target_is_nearer and near.target == pytest.approx([2, 1])


def test_ghosts_are_the_other_poses_each_once():
    _, solution, branches = CASES["leg"]
    (ghost,) = branches.others(solution)
    assert np.allclose(ghost, branches.joints[4])
    other = LEG.solve(TARGET, UP, bend=-1)
    (ghost,) = branches.others(other)
    assert np.allclose(ghost, branches.joints[0])
    _, straight, branches = CASES["leg, straight"]
    assert branches.others(straight) == []


def test_the_ring_honours_the_range_of_the_middle_joint():
    arm = limbik.TwoLink(0.5, 0.4, middle_limits=(np.pi / 2, np.pi))
    near, far = limb_scene.radii(arm.solve(TARGET))
    assert (near, far) == pytest.approx((0.1, np.hypot(0.5, 0.4)))
    assert limb_scene.radii(CASES["leg"][1]) == pytest.approx((0.03, 0.87))


def test_the_ring_of_a_stretched_arm_reaches_as_far_as_it_does():
    solution = CASES["arm, stretched"][1]
    near, far = limb_scene.radii(solution)
    assert (near, far) == pytest.approx((0.02, 1.3 * 0.58))


def test_one_of_many_limbs_is_drawn_with_its_own_lengths(tmp_path):
    legs = limbik.ThreeLink([0.4, 0.6], 0.42, 0.2)
    solution = legs.solve([TARGET, TARGET], UP)[1]
    limb(solution, tmp_path / "limb.png")
    assert limb_scene.radii(solution) == pytest.approx((0.18, 1.02))


def test_what_was_asked_for_survives_limits_and_tracks():
    held = limbik.ThreeLink(0.45, 0.42, 0.2, last_limits=(-0.1, 0.1)).solve(TARGET, UP)
    for solution in (held, CASES["leg, of a track"][1]):
        target, up, pole = limb_scene.solve_inputs(solution)
        assert np.allclose(target, TARGET)
        assert up is not None and np.allclose(up, np.array(UP) / np.linalg.norm(UP))
        assert pole is None
    pole = limb_scene.solve_inputs(ARM.track([TARGET, TARGET], pole=(0, 2, 0))[0])[2]
    assert pole is not None and np.allclose(pole, (0, 1, 0))


def test_the_flat_view_keeps_lengths_and_shows_up_as_up():
    solution = CASES["leg"][1]
    plane = limb_scene.bending_plane(solution.joints[0], rotate(solution.rotations[0], (1.0, 0.0, 0.0)))
    flat = plane.project(solution.joints)
    links = np.linalg.norm(np.diff(flat, axis=0), axis=-1)
    assert links == pytest.approx([0.45, 0.42, 0.2])
    assert flat[1, 1] < 0 < flat[1, 0]  # the knee: below the hip, and forward, which is to the right
    assert np.allclose(plane.to_space(flat), solution.joints)


def test_words():
    assert words.outcome(CASES["planar"][1]) == "reached"
    assert "1.34 from the target" in words.outcome(CASES["planar, too far"][1])
    assert "the aim was free" in words.outcome(CASES["planar, on its origin"][1])
    assert words.outcome(CASES["leg, invalid"][1]).startswith("invalid")
    assert "° from up" in words.outcome(CASES["leg, position first"][1])
    assert words.angles(CASES["leg, easy"][1]).count("°") == 6
    assert words.angles(CASES["leg, invalid"][1]) == ""


@pytest.mark.parametrize(
    ("metres", "text"),
    [(0.0, "0 mm"), (4e-16, "0 mm"), (2e-9, "2e-06 mm"), (3e-5, "0.03 mm"), (0.00012, "0.1 mm"), (1.5, "1500.0 mm")],
)
def test_lengths_have_no_noise_of_rounding(metres, text):
    assert words.millimetres(metres) == text


@given(bend=st.floats(0.0, np.pi), limits=st.tuples(st.floats(0.0, np.pi), st.floats(0.0, np.pi)).map(sorted))
def test_the_ring_is_where_the_tip_can_be(bend, limits):
    arm = limbik.PlanarTwoLink(0.5, 0.4, middle_limits=limits)
    near, far = limb_scene.radii(arm.solve([0.2, 0.1]))
    tip = np.linalg.norm(arm.forward([0.3, bend])[-1])
    assert (limits[0] - 1e-6 <= bend <= limits[1] + 1e-6) or not near + 1e-9 < tip < far - 1e-9
    assert not limits[0] <= bend <= limits[1] or near - 1e-9 <= tip <= far + 1e-9
