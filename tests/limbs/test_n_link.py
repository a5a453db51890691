"""Chains of any number of links: exact tips, links that keep their lengths, bends of one sign, on every engine."""

import numpy as np
import pytest

import limbik
from limbik import Status
from limbik.engines import dispatch
from tests import reference
from tests.limbs.chain_cases import arcs, hostile_lengths, reachable, turning
from tests.limbs.engines_under_test import ENGINES, run
from tests.limbs.iterative_peers import ccd, fabrik
from tests.optional import optional
from tests.thoroughness import THOROUGH

LINKS = range(2, 65) if THOROUGH else (2, 3, 4, 5, 8, 13, 64)
COMPILED = (3, 8) if THOROUGH else (3,)
LENGTHS = (0.3, 0.25, 0.2, 0.15, 0.1)
RULES = {
    "circle": {},
    "shares": {"shares": (1, 1, 2, 4)},
    "stiff joint": {"shares": (1, 0, 1, 1)},
    "limits": {"limits": (0.0, 1.2)},
    "both": {"shares": (3, 1, 0, 1), "limits": [(0.1, 2.2), (0.0, 3.0), (0.2, 0.2), (0.0, 0.5)]},
}


def check(solution, lengths, target, near):
    """Everything that is true of every solution, by coordinates alone."""
    joints = np.asarray(solution.joints, float)
    assert np.isfinite(joints).all()
    assert np.abs(reference.link_lengths(joints) - lengths).max() < near
    miss = np.linalg.norm(joints[..., -1, :] - target, axis=-1)
    assert np.abs(miss - solution.residual).max() < near
    assert np.all((miss < near) == (np.asarray(solution.status) == Status.REACHED))
    return joints


@pytest.mark.parametrize("links", LINKS)
def test_every_reachable_target_is_reached(links):
    rng = np.random.default_rng(links)
    lengths = hostile_lengths(rng, links, 600 if links < 20 else 100)
    target = reachable(rng, lengths)
    with dispatch.use("numpy"):
        s = limbik.NLink(lengths).solve(target, reference.random_directions(rng, len(lengths)))
        joints = check(s, lengths, target, 1e-12)
        assert np.all(np.asarray(s.status) == Status.REACHED)
        turns = turning(joints)
        noise = 1e-14 / np.minimum(lengths[:, 1:], lengths[:, :-1])  # of a bend, by the shorter link beside it
        clear = (np.abs(turns) > 8 * noise + 1e-5) & (np.abs(turns) < np.pi - 8 * noise - 1e-5)
        assert np.all(turns[clear] > 0), "bends of one sign"


@pytest.mark.parametrize("links", [2, 3, 5, 9, 40])
def test_bends_are_those_of_a_polygon_in_a_circle(links):
    rng = np.random.default_rng(links)
    lengths, chord, joints = arcs(rng, links, 200)
    with dispatch.use("numpy"):
        s = limbik.NLink(lengths).solve(chord[:, None] * [0.0, 1.0, 0.0], (0, 0, 1))
    assert np.abs(s.joints[..., [1, 2]] - joints).max() < 1e-9
    assert np.abs(s.joints[..., 0]).max() < 1e-15


def test_two_links_agree_with_two_link():
    rng = np.random.default_rng(2)
    lengths = rng.uniform(0.1, 1, (2, 3000))
    target, pole = reference.random_directions(rng, 2, 3000) * rng.uniform(0, 2.2, (2, 3000, 1))
    two = limbik.TwoLink(*lengths).solve(target, pole)
    chain = limbik.NLink(lengths.T).solve(target, pole)
    clear = np.linalg.norm(target, axis=-1) - np.abs(lengths[0] - lengths[1]) > 1e-3  # not at full fold
    assert np.abs(chain.joints - two.joints)[clear].max() < 1e-12
    assert np.abs(chain.angles - two.angles)[clear].max() < 1e-10
    assert np.abs(np.sum(chain.rotations * two.rotations, -1))[clear].min() > 1 - 1e-12
    assert np.array_equal(chain.status, two.status)
    assert np.abs(chain.residual - two.residual).max() < 1e-12


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_engines_agree(rule, directed, dtype):
    rng = np.random.default_rng(5)
    arrays = {"target": reference.random_directions(rng, 40) * rng.uniform(0, 1.1, (40, 1))}
    arrays |= {"pole": reference.random_directions(rng, 40), "origin": rng.uniform(-1, 1, (40, 3))}
    arrays["target"] += arrays["origin"]
    if directed:
        arrays["direction"] = reference.random_directions(rng, 40)
    engines = ENGINES if rule == "circle" and THOROUGH else ("floats", "numpy")
    chain = limbik.NLink(LENGTHS, **RULES[rule])
    found = {engine: run(engine, chain.solve, dtype, arrays) for engine in engines}
    near = reference.TOLERANCE[dtype] * 4
    joints = np.asarray(found["numpy"].joints, float)
    for engine in engines:
        s = found[engine]
        assert s.joints.dtype == dtype
        assert np.abs(reference.link_lengths(s.joints) - LENGTHS).max() < near
        assert np.abs(np.asarray(s.joints, float) - joints).max() < (1e-15 if dtype == "float64" else 5e-3)
        ahead = reference.turn(s.rotations, [0, 0, 1.0])
        assert np.abs(ahead * np.array(LENGTHS)[:, None] - np.diff(joints, axis=-2)).max() < (
            1e-12 if dtype == "float64" else 5e-3
        )
    if dtype == "float64":
        s = found["numpy"]
        rebuilt = reference.chain_joints(LENGTHS, s.angles, arrays["origin"], lean=s.out_of_plane)
        assert np.abs(rebuilt - joints).max() < 1e-12
        assert np.abs(chain.forward(s.angles, arrays["origin"], out_of_plane=s.out_of_plane) - joints).max() < 1e-12
        if directed:
            assert np.abs((joints[:, -1] - joints[:, -2]) / LENGTHS[-1] - arrays["direction"]).max() < 1e-12


@pytest.mark.parametrize("links", COMPILED)
def test_compiled_chains_give_the_same_bits(links):
    rng = np.random.default_rng(links)
    lengths = rng.uniform(0.1, 1, links)
    target = reference.random_directions(rng, 1500) * rng.uniform(0, 1.1 * lengths.sum(), (1500, 1))
    target[::500] = np.nan, 0.0, 0.0
    target[3] = 0.0
    answers = []
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            answers.append(limbik.NLink(lengths).solve(target).joints)
    assert np.array_equal(*answers, equal_nan=True)


@pytest.mark.parametrize("rule", list(RULES)[1:])
def test_shares_and_limits(rule):
    rng = np.random.default_rng(7)
    chain = limbik.NLink(LENGTHS, **RULES[rule])
    target = reference.random_directions(rng, 3000) * rng.uniform(0, 1.1, (3000, 1))
    s = chain.solve(target)
    joints = check(s, LENGTHS, target, 1e-12)
    bends = np.abs(turning(joints))
    distance = np.linalg.norm(target, axis=-1)
    straight = chain.forward([0, 0, 0, *chain.limits[:, 0]]) if chain.limits is not None else [(0, 0, 1.0)]
    far = np.linalg.norm(straight[-1])
    assert np.array_equal(s.reached, (distance >= chain.nearest - 1e-14) & (distance <= far + 1e-14))
    limited = ~s.reached & (distance <= 1)
    assert np.all(s.status[limited] == Status.LIMITED)
    assert np.all(s.status[distance > 1 + 1e-12] == Status.TOO_FAR)
    if chain.limits is not None:
        low, high = chain.limits.T
        assert np.all((bends > low - 1e-7) & (bends < high + 1e-7))
    if chain.shares is not None and chain.limits is None:
        tangents = np.tan(bends / 4)
        expected = chain.shares / chain.shares.max() * tangents.max(-1, keepdims=True)
        assert np.abs(tangents - expected)[bends.max(-1) < 3].max() < 1e-6


@pytest.mark.parametrize("rule", [{}, {"shares": (2, 3, 3, 2)}, RULES["limits"]], ids=["circle", "shares", "limits"])
def test_small_steps_of_the_target_are_small_steps_of_the_joints(rule):
    """Through full stretch, full fold and past the root, with soft reach: at most ten times the target's own step."""
    chain = limbik.NLink(LENGTHS, **rule)
    x = np.linspace(-1.3, 1.3, 40_001 if THOROUGH else 2001)
    for height in (0.02, 0.2):  # past the root, and past the hole that shares and limits leave
        target = np.stack([x, np.full_like(x, max(height, 1.2 * float(chain.nearest))), 0 * x], -1)
        s = chain.track(target, (0, 0, 1), soften=0.95)
        step = np.diff(x)[0]
        seen = reference.angle_between(target[1:], target[:-1])  # the target's own angle from the root
        turned = reference.angle_between(*(np.diff(s.joints, axis=1)[k] for k in (slice(1, None), slice(-1))))
        assert turned.max() < 0.2
        assert np.all(turned <= 10 * np.maximum(seen, step)[:, None])


def test_a_track_through_the_root_keeps_its_bends():
    x = np.linspace(0.9, -0.9, 181)
    track = limbik.NLink([0.2] * 6).track(np.stack([x, 0 * x, 0 * x], -1))
    bends = np.abs(turning(track.joints))
    assert np.abs(np.diff(bends, axis=0)).max() < 0.02
    assert np.abs(track.joints[:, -1, 0] - x).max() < 1e-14


def test_tracks_follow_poles_and_directions():
    rng = np.random.default_rng(9)
    path = np.cumsum(rng.normal(size=(300, 4, 3)), axis=0) * 0.004 + [0.3, 0.3, 0.2]
    direction = np.cumsum(rng.normal(size=(300, 4, 3)), axis=0) * 0.05 + [0.0, 1.0, 0.0]
    chain = limbik.NLink(LENGTHS)
    whole = chain.track(path, (0, 0, 1), direction=direction)
    first = chain.track(path[:150], (0, 0, 1), direction=direction[:150])
    rest = chain.track(path[150:], (0, 0, 1), direction=direction[150:], previous=first)
    assert np.array_equal(np.concatenate([first.joints, rest.joints]), whole.joints)
    assert np.all(whole.reached)
    assert np.abs(np.diff(whole.joints, axis=0)).max() < 0.1


@pytest.mark.parametrize("rule", ["circle", "both"])
def test_rows_that_are_not_finite_are_invalid_alone(rule):
    target = np.array([[0.3, 0.2, 0.1], [np.nan, 0, 0], [np.inf, 0, 0], [0, 0, 0], [1e-320, 0, 0], [1e308, 0, 0]])
    s = limbik.NLink(LENGTHS, **RULES[rule]).solve(target)
    assert np.array_equal(s.status == Status.INVALID, [False, True, True, False, False, False])
    assert np.isfinite(s.joints[s.status != Status.INVALID]).all()
    assert np.isnan(s.joints[1:3]).all()
    assert np.isfinite(s.angles[s.status != Status.INVALID]).all()
    assert np.abs(np.linalg.norm(s.rotations[[0, 3, 4, 5]], axis=-1) - 1).max() < 1e-14


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e300])
def test_size_does_not_matter(scale):
    lengths = np.array(LENGTHS) * scale
    s = limbik.NLink(lengths).solve(np.array([0.3, 0.2, 0.1]) * scale)
    assert np.abs(s.joints / scale - limbik.NLink(LENGTHS).solve([0.3, 0.2, 0.1]).joints).max() < 1e-15
    assert s.reached


def test_gradients_of_torch_are_right_and_finite():
    torch = optional("torch")
    rng = np.random.default_rng(3)
    lengths = torch.tensor(rng.uniform(0.2, 1, 3), requires_grad=True)
    target = torch.tensor(rng.normal(size=(1, 3)) * 0.4, requires_grad=True)
    pole = torch.tensor(rng.normal(size=(1, 3)), requires_grad=True)
    direction = torch.tensor(rng.normal(size=(1, 3)), requires_grad=True)

    def inner(target, pole, lengths, direction):
        chain = limbik.NLink(lengths)
        return chain.solve(target, pole).joints[:, 1:-1], chain.solve(target, pole, direction=direction).joints[:, 1]

    assert torch.autograd.gradcheck(inner, (target, pole, lengths, direction), atol=1e-6)
    total = lengths.sum().item()
    extreme = torch.tensor([[0, 0, 0], [0, total, 0], [9, 0, 0], [0, 0, 1.0]], dtype=torch.float64)
    extreme.requires_grad_()
    limbik.NLink(lengths).solve(extreme, pole[:1]).joints.sum().backward()
    assert torch.isfinite(extreme.grad).all()


def test_jax_agrees():
    jax = optional("jax")
    target = np.array([[0.3, 0.2, 0.1], [0.1, 0.0, 0.1]], np.float32)
    lengths = jax.numpy.array(LENGTHS[:3], "float32")
    found = limbik.NLink(lengths).solve(jax.numpy.array(target)).joints
    assert np.abs(np.asarray(found) - limbik.NLink(LENGTHS[:3]).solve(target).joints).max() < 1e-5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"lengths": 1.0}, "lengths"),
        ({"lengths": [1.0]}, "2 to 64 links"),
        ({"lengths": [1.0] * 65}, "2 to 64 links"),
        ({"lengths": [1.0, -1.0]}, "positive"),
        ({"lengths": [1.0, np.nan]}, "positive"),
        ({"lengths": ["a", "b"]}, "lengths"),
        ({"lengths": [1e308, 1e308]}, "overflow"),
        ({"lengths": LENGTHS, "shares": [1, 1]}, "shares"),
        ({"lengths": LENGTHS, "shares": [0, 0, 0, 0]}, "not all are 0"),
        ({"lengths": LENGTHS, "shares": [1, 1, 1, -1]}, "negative"),
        ({"lengths": LENGTHS, "limits": (1.0, 0.5)}, "low <= high"),
        ({"lengths": LENGTHS, "limits": (0.0, 4.0)}, "limits"),
        ({"lengths": LENGTHS, "limits": [(0, 1)] * 3}, "limits"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(limbik.LimbikError, match=message):
        limbik.NLink(**arguments)


def test_bad_calls():
    chain = limbik.NLink(LENGTHS)
    for call in (
        lambda: chain.solve([1, 2]),
        lambda: chain.solve([1, 2, 3], soften=0.0),
        lambda: chain.solve([1, 2, 3], direction=[1, 0]),
        lambda: limbik.NLink([1, 1]).solve([1, 0, 0], direction=[1, 0, 0]),
        lambda: chain.track([1, 2, 3]),
        lambda: chain.solve([1, 2, 3]).stretch,
        lambda: chain.forward([0.0] * 6),
        lambda: limbik.export("n-link", "c"),
    ):
        with pytest.raises(limbik.LimbikError):
            call()


def test_many_chains_in_one_call():
    rng = np.random.default_rng(11)
    lengths = rng.uniform(0.1, 1, (6, 1, 4))
    target = rng.normal(size=(5, 3)) * 0.4
    s = limbik.NLink(lengths, limits=(0, 2)).solve(target)
    assert s.joints.shape == (6, 5, 5, 3)
    alone = limbik.NLink(lengths[2, 0], limits=(0, 2)).solve(target[3])
    assert np.abs(s.joints[2, 3] - alone.joints).max() < 1e-13
    assert s.joint_names == ("origin", "joint_1", "joint_2", "joint_3", "tip")
    assert len(s.angle_names) == s.angles.shape[-1]
    assert "n-link-4" in repr(alone)
    assert alone._repr_html_().startswith("<")


def test_beside_fabrik_and_ccd():
    """On the same targets: exact where they stop short, and steady where they depend on where they start."""
    rng = np.random.default_rng(12)
    rows, lengths = 300, np.array([0.2, 0.18, 0.16, 0.14, 0.12, 0.1, 0.06, 0.04])
    target = reference.random_directions(rng, rows) * rng.uniform(0.1, 0.98, (rows, 1))
    near = target + 1e-4 * reference.random_directions(rng, rows)
    start = np.tile(np.concatenate([[[0, 0, 0]], np.cumsum(lengths)[:, None] * [0.0, 0.01, 1.0]]), (rows, 1, 1))
    start = start / np.hypot(0.01, 1.0)
    chain = limbik.NLink(lengths)
    pole = reference.random_directions(rng, rows)
    found = {"limbik": [chain.solve(one, pole).joints for one in (target, near)]}
    found["FABRIK"] = [fabrik(start, one)[0] for one in (target, near)]
    found["CCD"] = [ccd(start, one)[0] for one in (target, near)]
    miss = {name: np.linalg.norm(one[0][:, -1] - target, axis=-1).max() for name, one in found.items()}
    for joints, _ in found.values():
        assert np.abs(reference.link_lengths(joints) - lengths).max() < 1e-9
    assert miss["limbik"] < 1e-13
    assert 1e-6 < miss["FABRIK"] < 1.1e-3
    assert miss["CCD"] > 1e-6
    bends = {name: turning(one[0]) for name, one in found.items()}
    assert np.all(bends["limbik"] > -1e-6)
    changed = {name: np.abs(one[0] - one[1]).max(axis=(1, 2)) for name, one in found.items()}
    assert np.median(changed["limbik"]) < 5e-4
