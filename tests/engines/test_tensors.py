"""torch and JAX: the same answers as NumPy, of the kind, number type and device that came in; gradients everywhere."""

import numpy as np
import pytest

import limbik
from tests import reference
from tests.optional import double_precision, optional

torch = optional("torch")
jax = optional("jax")
jnp = jax.numpy

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)
FLAT = limbik.PlanarTwoLink(0.5, 0.4)
TAIL = limbik.NLink([0.3, 0.25, 0.2, 0.1])
RNG = np.random.default_rng(0)
TARGETS = RNG.normal(size=(60, 3)) * 0.35
UPS = RNG.normal(size=(60, 3))


def to_torch(values, dtype="float64"):
    return torch.tensor(np.asarray(values, float), dtype=getattr(torch, dtype))


def to_jax(values, dtype="float64"):
    return jnp.asarray(np.asarray(values, float), dtype)


def to_numpy(values):
    return values.detach().double().numpy() if isinstance(values, torch.Tensor) else np.asarray(values, float)


LIBRARIES = {"torch": to_torch, "jax": to_jax}


@pytest.fixture(autouse=True)
def _float64_in_jax():
    with double_precision(jax):
        yield


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(("dtype", "near"), [("float64", 2e-15), ("float32", 2e-6), ("bfloat16", 0.04)])
@pytest.mark.parametrize(
    "options", [{}, {"style": "easy"}, {"priority": "position"}, {"hint": (0.1, 0.2, 0.9)}, {"bend": -1}]
)
def test_legs_agree_with_numpy(library, dtype, near, options):
    make = LIBRARIES[library]
    s = LEG.solve(make(TARGETS, dtype), make(UPS, dtype), **options)
    expected = LEG.solve(TARGETS, UPS, **options)
    assert type(s.joints) is type(make([1.0]))
    assert s.joints.dtype == s.angles.dtype == s.rotations.dtype == make([1.0], dtype).dtype
    assert tuple(s.joints.shape) == (60, 4, 3)
    knees = 1 if dtype == "float64" else 300  # a nearly straight leg's knee stands off by the root of the rounding
    assert np.abs(to_numpy(s.joints) - expected.joints)[:, [0, 2, 3]].max() < near
    assert np.abs(to_numpy(s.joints) - expected.joints).max() < knees * near
    gap = np.abs(to_numpy(s.angles) - expected.angles)
    assert np.minimum(gap, 2 * np.pi - gap).max() < 30 * knees * near  # a nearly vertical hinge's yaw magnifies
    if dtype == "float64":
        assert np.array_equal(to_numpy(s.status), expected.status)
        assert np.abs(to_numpy(s.residual) - expected.residual).max() < near
        assert np.abs(to_numpy(s.up_error) - expected.up_error).max() < 4e-8


@pytest.mark.parametrize("library", LIBRARIES)
def test_arms_chains_and_branches_agree_with_numpy(library):
    make = LIBRARIES[library]
    for options in ({}, {"soften": 0.9}, {"stretch": 1.3}, {"twist": 0.4}, {"twist": make(np.full(60, 0.4))}):
        plain = {k: (np.full(60, 0.4) if not isinstance(v, float) else v) for k, v in options.items()}
        s, expected = ARM.solve(make(TARGETS), make(UPS), **options), ARM.solve(TARGETS, UPS, **plain)
        assert np.abs(to_numpy(s.joints) - expected.joints).max() < 2e-15
        assert np.abs(to_numpy(s.rotations) - expected.rotations).max() < 1e-14
        assert np.abs(to_numpy(s.stretch) - expected.stretch).max() < 1e-14
        assert (
            np.abs(to_numpy(ARM.forward(s.angles)) * to_numpy(s.stretch)[:, None, None] - expected.joints).max() < 1e-13
        )
    s = FLAT.solve(make(TARGETS[:, :2]))
    assert np.abs(to_numpy(s.joints) - FLAT.solve(TARGETS[:, :2]).joints).max() < 2e-15
    assert np.abs(to_numpy(FLAT.forward(s.angles)) - to_numpy(s.joints)).max() < 2e-15
    branches = LEG.branches(make(TARGETS), make(UPS))
    assert np.abs(to_numpy(branches.joints) - LEG.branches(TARGETS, UPS).joints).max() < 2e-15
    assert np.array_equal(branches.same_joints_as, LEG.branches(TARGETS, UPS).same_joints_as)
    part = LEG.solve(make(TARGETS), make(UPS))[7]
    assert np.abs(to_numpy(part.joints) - LEG.solve(TARGETS[7], UPS[7]).joints).max() < 2e-15
    assert library in repr(part)


@pytest.mark.parametrize("library", LIBRARIES)
def test_bad_rows_are_invalid_alone(library):
    make = LIBRARIES[library]
    spoiled = TARGETS.copy()
    spoiled[[3, 17]] = [[np.nan, 0, 0], [0, np.inf, 0]]
    s = LEG.solve(make(spoiled), make(UPS))
    joints = to_numpy(s.joints)
    assert np.isnan(joints).any((1, 2)).nonzero()[0].tolist() == [3, 17]
    assert to_numpy(s.status)[[3, 17]].tolist() == [4, 4]


@pytest.mark.parametrize("library", LIBRARIES)
def test_limits_and_tracks_agree_with_numpy(library):
    make = LIBRARIES[library]
    leg = limbik.ThreeLink(0.45, 0.42, 0.12, middle_limits=(0.1, 2.4), last_limits=(-1.5, 0.5))
    for priority in ("up", "position"):
        ours = leg.solve(TARGETS, UPS, priority=priority)
        s = leg.solve(make(TARGETS), make(UPS), priority=priority)
        assert np.abs(to_numpy(s.joints) - ours.joints).max() < 1e-12
    path = TARGETS[0] + np.cumsum(RNG.normal(size=(12, 4, 3)) * 0.02, 0)
    s, ours = LEG.track(make(path), make(UPS[0])), LEG.track(path, UPS[0])
    assert np.abs(to_numpy(s.joints) - ours.joints).max() < 1e-12
    first = LEG.track(make(path[:5]), make(UPS[0]))
    rest = LEG.track(make(path[5:]), make(UPS[0]), previous=first)
    assert np.abs(to_numpy(rest.joints) - ours.joints[5:]).max() < 1e-12


SINGULAR_LEGS = {
    "full stretch": ([0, 0, 0.99], [0, 0, 1]),
    "full fold": ([0, 0, 0.15], [0, 0, 1]),
    "target on the origin": ([0, 0, 0], [0, 1, 0]),
    "ankle on the origin": ([0, 0.12, 0], [0, 1, 0]),
    "up along the aim": ([0, -0.6, 0], [0, -1, 0]),
    "too far": ([0, 0, 5], [0, 1, 0]),
    "zero up": ([0.3, 0.2, 0.1], [0, 0, 0]),
}
SINGULAR_ARMS = {
    "full stretch": ([0, 0, 0.87], [0, 1, 0]),
    "full fold": ([0, 0, 0.03], [0, 1, 0]),
    "target on the origin": ([0, 0, 0], [0, 1, 0]),
    "pole along the aim": ([0, 0, 0.5], [0, 0, 1]),
    "zero pole": ([0, 0, 0.5], [0, 0, 0]),
}


def gradients(library, function, *points):
    if library == "torch":
        inputs = [to_torch(point).requires_grad_() for point in points]
        return [to_numpy(g) for g in torch.autograd.grad(function(*inputs), inputs, allow_unused=True)]
    inputs = [to_jax(point) for point in points]
    return [to_numpy(g) for g in jax.grad(function, tuple(range(len(points))))(*inputs)]


def everything(s):
    total = s.joints.sum() + s.angles.sum() + s.residual.sum()
    for name in ("rotations", "up_error"):
        value = getattr(s, name, None)
        total = total if value is None else total + value.sum()
    return total


def check_finite(library, cases, solve):
    """Gradients of every answer, at every case (rows of one batch), are finite."""
    points = [np.array(column, float) for column in zip(*cases.values(), strict=True)]
    for gradient in gradients(library, lambda *inputs: everything(solve(*inputs)), *points):
        bad = ~np.isfinite(gradient).all(-1)
        assert not bad.any(), [name for name, wrong in zip(cases, bad, strict=True) if wrong]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("options", [{}, {"style": "easy"}, {"priority": "position"}, {"hint": (0.0, 0.0, 1.0)}])
def test_gradients_of_legs_are_finite_at_every_singularity(library, options):
    check_finite(library, SINGULAR_LEGS, lambda t, u: LEG.solve(t, u, **options))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("options", [{}, {"soften": 0.9, "stretch": 1.2, "twist": 0.3}])
def test_gradients_of_arms_are_finite_at_every_singularity(library, options):
    check_finite(library, SINGULAR_ARMS, lambda t, p: ARM.solve(t, p, **options))


@pytest.mark.parametrize("library", LIBRARIES)
def test_gradients_of_planar_arms_are_finite(library):
    cases = {str(target): (target,) for target in ([0.9, 0], [0.1, 0], [0, 0], [3, 0], [0.3, 0.4])}
    check_finite(library, cases, FLAT.solve)


@pytest.mark.parametrize("library", LIBRARIES)
def test_gradients_of_tracks_are_finite_around_an_invalid_frame(library):
    path = np.array([0.3, -0.4, 0.2]) + np.linspace(0, 0.1, 5)[:, None]
    path[2] = np.nan
    limited = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.5, 0.5))
    for track in (ARM.track, lambda t: LEG.track(t, (0.2, -1, 0.1)), lambda t: limited.track(t, (0.2, -1, 0.1))):
        (found,) = gradients(library, lambda t, track=track: track(t).joints[np.array([0, 1, 3, 4])].sum(), path)
        assert np.isfinite(found).all()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("answer", ["joints", "angles", "rotations", "residual"])
def test_gradients_equal_finite_differences(library, answer):
    """Away from singularities, on random reachable and unreachable legs."""
    weights = RNG.normal(size=getattr(LEG.solve(TARGETS, UPS), answer).shape)

    def weighed(t, u):
        return (getattr(LEG.solve(t, u), answer) * LIBRARIES[library](weights)).sum()

    found = gradients(library, weighed, TARGETS, UPS)

    def value(t, u):
        return np.sum(getattr(LEG.solve(t, u), answer) * weights, axis=tuple(range(1, weights.ndim)))

    aim = TARGETS - 0.12 * UPS / np.linalg.norm(UPS, axis=-1, keepdims=True)
    d = np.linalg.norm(aim, axis=-1)
    clear = (np.abs(d - 0.87) > 0.02) & (d > 0.06) & (np.sin(reference.angle_between(aim, UPS)) > 0.1)
    h = 1e-6
    for k in range(3):
        step = np.zeros(3)
        step[k] = h
        for which, gradient in enumerate(found):
            move = (step, 0) if which == 0 else (0, step)
            ahead = value(TARGETS + move[0], UPS + move[1])
            behind = value(TARGETS - move[0], UPS - move[1])
            slope = (ahead - behind) / (2 * h)
            smooth = clear & (np.abs(slope) < 1e4)  # no wrap of an angle between the two
            assert smooth.sum() > 20
            assert np.allclose(gradient[smooth, k], slope[smooth], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("library", LIBRARIES)
def test_gradients_with_respect_to_lengths(library):
    make = LIBRARIES[library]

    def reach(first):
        return (limbik.ThreeLink(first, 0.42, 0.12).solve(make(TARGETS), make(UPS)).joints ** 2).sum()

    (found,) = gradients(library, reach, 0.45)
    plain = [
        (limbik.ThreeLink(x, 0.42, 0.12).solve(TARGETS, UPS).joints ** 2).sum() for x in (0.45 - 1e-6, 0.45 + 1e-6)
    ]
    assert found == pytest.approx((plain[1] - plain[0]) / 2e-6, rel=1e-5)


COMPILED = {
    "planar": (lambda t, u: FLAT.solve(t[:, :2]), "aot_eager"),
    "arm": (lambda t, u: ARM.solve(t, u, soften=0.9), "aot_eager"),
    "leg": (LEG.solve, "inductor"),
    "chain": (TAIL.solve, "aot_eager"),
    "lengths": (lambda t, u: limbik.TwoLink(u[:, 0].abs() + 0.2, u[:, 1].abs() + 0.2).solve(t), "aot_eager"),
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch, by its own compiler
@pytest.mark.parametrize("case", COMPILED)
def test_torch_compile_agrees_with_eager_calls(case):
    """Without a break in the graph; the same for another number of rows, and for a single limb."""
    solve, backend = COMPILED[case]

    def answers(t, u):
        s = solve(t, u)
        return s.joints, s.angles, s.residual

    torch._dynamo.reset()
    compiled = torch.compile(answers, fullgraph=True, backend=backend)
    for rows in (60, 7):
        found = []
        for function in (compiled, answers):
            target, up = to_torch(TARGETS[:rows]).requires_grad_(), to_torch(UPS[:rows])
            numbers = function(target, up)
            sum(number.sum() for number in numbers).backward()
            found.append((*numbers, target.grad))
        for ours, theirs in zip(*found, strict=True):
            assert torch.allclose(ours, theirs, rtol=1e-12, atol=1e-14)
    if case == "leg":
        one = to_torch(TARGETS[0]), to_torch(UPS[0])
        assert torch.equal(compiled(*one)[0], answers(*one)[0])


def test_torch_compile_of_vmap():
    target, up = to_torch(TARGETS), to_torch(UPS)
    torch._dynamo.reset()
    mapped = torch.compile(torch.vmap(lambda t, u: ARM.solve(t, u).joints), fullgraph=True, backend="aot_eager")
    assert torch.allclose(mapped(target, up), ARM.solve(target, up).joints, rtol=0, atol=1e-14)


def test_torch_vmap_and_jax_transformations():
    joints = LEG.solve(TARGETS, UPS).joints
    mapped = torch.vmap(lambda t, u: LEG.solve(t, u).joints)(to_torch(TARGETS), to_torch(UPS))
    assert np.abs(to_numpy(mapped) - joints).max() < 2e-15
    both = jax.jit(jax.vmap(lambda t, u: LEG.solve(t, u).joints))(to_jax(TARGETS), to_jax(UPS))
    assert np.abs(to_numpy(both) - joints).max() < 2e-15
    jacobian = jax.jit(jax.jacfwd(lambda t: LEG.solve(t, UPS[0]).joints[3]))(to_jax(TARGETS[0]))
    assert np.abs(to_numpy(jacobian) - np.eye(3)).max() < 1e-12  # a reached tip goes where the target goes


def test_tensors_of_both_libraries_do_not_mix():
    with pytest.raises(limbik.LimbikError, match="one library"):
        LEG.solve(to_torch(TARGETS), to_jax(UPS))


def test_tensors_and_lists_and_arrays_mix():
    s = LEG.solve(to_torch(TARGETS, "float32"), [0, -1, 0], origin=np.zeros(3), bend=np.ones(60))
    assert s.joints.dtype == torch.float32
    assert np.abs(to_numpy(s.joints) - LEG.solve(TARGETS, [0, -1, 0]).joints).max() < 2e-6


def test_a_tensor_solution_gives_no_memory_but_is_spent():
    earlier = LEG.solve(to_torch(TARGETS), to_torch(UPS))
    assert tuple(earlier.joints.shape) == (60, 4, 3)
    s = LEG.solve(TARGETS, UPS, out=earlier)
    assert np.array_equal(s.joints, LEG.solve(TARGETS, UPS).joints)
