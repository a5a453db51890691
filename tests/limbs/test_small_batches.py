"""Small batches: whatever runs them, plain floats, NumPy or a kernel that came meanwhile, the answers are the same."""

import tracemalloc

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, loading, thresholds

LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), 2),
    "two-link": (limbik.TwoLink(0.45, 0.42), 3),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12, middle_limits=(0.1, 2.5)), 3),
}
ANSWERS = ("joints", "angles", "rotations", "status", "residual", "singular", "up_error", "out_of_plane", "stretch")


def inputs(rows, size, dtype="float64", seed=0):
    """Ordinary targets, and some that are rare cases, or invalid."""
    rng = np.random.default_rng(seed)
    target, side = rng.normal(size=(2, rows, size)) * 0.4
    target[2::7] = 0.0
    side[3::11] = target[3::11]
    side[5::13] = 0.0
    target[8::17, 0] = np.nan
    target[9::19] *= 1e200 if dtype == "float64" else 1e30
    return target.astype(dtype), side.astype(dtype)


def answers_of(solution, names=ANSWERS):
    return {name: np.asarray(getattr(solution, name)) for name in names if hasattr(solution, name)}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for name, value in found.items():
        assert value.dtype == expected[name].dtype
        assert np.array_equal(value, expected[name], equal_nan=value.dtype.kind == "f"), name


def before_and_after(names, solve, *vectors, **options):
    """Answers without any kernel, and again with those that they need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "kernels", {})
        patch.setattr(thresholds, "KERNEL_MIN_SECONDS", np.inf)
        without = answers_of(solve(*vectors, **options), names)
    with limbik.warm_up():
        answers_of(solve(*vectors, **options), names)
    return without, answers_of(solve(*vectors, **options), names)


NUMBERS = ("joints", "angles", "status", "residual", "singular", "up_error", "out_of_plane")
CASES = [
    ("planar", "float64", ("joints",), {}),
    ("two-link", "float32", ("rotations",), {}),
    ("three-link", "float64", NUMBERS, {}),
    ("three-link", "float64", ("joints",), {"bend": -1}),
    ("three-link", "float64", ("joints",), {"style": "easy"}),
    ("two-link", "float64", ANSWERS, {"soften": 0.8, "stretch": 1.2, "twist": 0.3}),
]


@pytest.mark.parametrize("rows", [1, 3, 40, 700])
@pytest.mark.parametrize(("kind", "dtype", "names", "options"), CASES)
def test_a_kernel_that_comes_meanwhile_does_not_show(kind, dtype, names, options, rows):
    limb, size = LIMBS[kind]
    vectors = inputs(rows, size, dtype)
    without, ready = before_and_after(names, limb.solve, *vectors, **options)
    assert_same(ready, without)
    with dispatch.use("numpy"):
        assert_same(ready, answers_of(limb.solve(*vectors, **options), names))


LAYOUTS = {
    "row-major": np.ascontiguousarray,
    "component-major": np.asfortranarray,
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "backwards": lambda rows: rows[::-1].copy()[::-1],
    "columns of more": lambda rows: np.concatenate([rows, rows], axis=1)[:, : rows.shape[1]],
    "of two axes": lambda rows: rows.reshape(5, -1, rows.shape[1]),
    "of two axes, strided": lambda rows: np.asfortranarray(rows.reshape(5, -1, rows.shape[1])),
}


@pytest.mark.parametrize("rows", [20, 500])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_memory_layouts(layout, rows):
    limb = LIMBS["three-link"][0]
    target, up = inputs(rows, 3)
    vectors = target, up, up[::-1].copy()
    with dispatch.use("numpy"):
        expected = answers_of(limb.solve(*vectors))
    found = answers_of(limb.solve(*map(LAYOUTS[layout], vectors)))
    assert_same({name: value.reshape(expected[name].shape) for name, value in found.items()}, expected)
    with limbik.warm_up():
        limb.solve(*map(LAYOUTS[layout], vectors)).joints
    joints = limb.solve(*map(LAYOUTS[layout], vectors)).joints
    assert np.array_equal(joints.reshape(expected["joints"].shape), expected["joints"], equal_nan=True)


@pytest.mark.parametrize("up", [(0, 1, 0.5), np.array([0.1, 1.0, 0.5]), [0.3, 0.2, np.nan], np.ones((1, 3))])
@pytest.mark.parametrize("origin", [(0.0, 0.0, 0.0), (0.1, 0.0, 0.2), np.array([0.1, 0.2, 0.3])])
def test_vectors_that_are_the_same_for_all_rows(up, origin):
    leg, (target, _) = LIMBS["three-link"][0], inputs(60, 3)
    full = [np.broadcast_to(np.asarray(one, float), (60, 3)).copy() for one in (up, origin)]
    assert_same(answers_of(leg.solve(target, up, origin)), answers_of(leg.solve(target, *full)))


def test_constants_may_change_from_call_to_call():
    leg, (target, ups) = limbik.ThreeLink(0.45, 0.42, 0.12), inputs(50, 3)
    with limbik.warm_up():
        leg.solve(target, ups[0].tolist()).joints
    for up in ups[:6].tolist():
        for origin in ((0.0, 0.0, 0.0), (0.1, 0.2, 0.3)):
            found = leg.solve(target, up, origin).joints
            with dispatch.use("numpy"):
                assert np.array_equal(found, leg.solve(target, up, origin).joints, equal_nan=True)


# --- out=


@pytest.mark.parametrize("answer", ["joints", "angles"])
def test_a_loop_with_out_allocates_nothing_but_small_objects(answer):
    limb, size = LIMBS["three-link"]
    rows = 5000
    paths = [inputs(rows, size, seed=seed) for seed in range(4)]
    expected = [np.array(getattr(limb.solve(*path), answer)) for path in paths]
    with limbik.warm_up():
        s = limb.solve(*paths[0])
        first = getattr(s, answer)
    tracemalloc.start()
    try:
        for path, numbers in zip(paths, expected, strict=True):
            tracemalloc.clear_traces()
            tracemalloc.reset_peak()
            s = limb.solve(*path, out=s)
            found = getattr(s, answer)
            assert tracemalloc.get_traced_memory()[1] < rows  # bytes
            assert np.shares_memory(found, first)
            assert np.array_equal(found, numbers, equal_nan=True)
    finally:
        tracemalloc.stop()


def test_what_was_taken_from_a_solution_keeps_its_inputs():
    """Rows of a solution, or its targets, stay what they were when its memory goes to another one."""
    leg, (target, up) = LIMBS["three-link"][0], inputs(50, 3)
    s = leg.solve(target, up)
    part, kept = s[10:20], np.array(s.joints[10:20])
    again = leg.solve(target[::-1], up[::-1], out=s)
    assert np.array_equal(part.joints, kept, equal_nan=True)
    assert np.array_equal(again.joints[::-1][10:20], kept, equal_nan=True)
    s = leg.solve(target, up)
    targets = s.target
    again = leg.solve(up, targets, out=s)
    assert np.array_equal(again.joints, leg.solve(up, target).joints, equal_nan=True)
    assert np.array_equal(targets, target, equal_nan=True)


@pytest.mark.parametrize("name", ["joints", "angles", "status", "target"])
def test_a_solution_whose_memory_was_given_away_says_so(name):
    leg, (target, up) = LIMBS["three-link"][0], inputs(50, 3)
    s = leg.solve(target, up)
    s.joints
    leg.solve(target, up, out=s)
    with pytest.raises(limbik.LimbikError, match="out="):
        getattr(s, name)


def test_out_of_another_shape_type_or_limb():
    leg, (target, up) = LIMBS["three-link"][0], inputs(50, 3)
    expected = np.array(leg.solve(target, up).joints)
    arm = LIMBS["two-link"][0]
    makers = (
        lambda: leg.solve(target[:7], up[:7]),
        lambda: leg.solve(*inputs(50, 3, "float32")),
        lambda: arm.solve(target, up),
        lambda: leg.solve([0.1, 0.2, 0.3], [0, 1, 0]),
        lambda: leg.solve(target, up, bend=-1),
        lambda: leg.solve(target, up[0].tolist()),
    )
    for make in makers:
        earlier = make()
        earlier.joints
        assert np.array_equal(leg.solve(target, up, out=earlier).joints, expected, equal_nan=True)
    with pytest.raises(limbik.LimbikError, match="out"):
        leg.solve(target, up, out=np.empty(3))


def test_targets_taken_from_the_joints_whose_memory_is_reused():
    leg, (target, up) = LIMBS["three-link"][0], inputs(50, 3)
    s = leg.solve(target, up)
    tips = s.joints[:, -1]
    expected = np.array(leg.solve(tips.copy(), up).joints)
    assert np.array_equal(leg.solve(tips, up, out=s).joints, expected, equal_nan=True)
