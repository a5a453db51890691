"""Several ends at once: exact where all can be met, in the stated order where not, and without pops.

What judges shares no code with what is judged: poses are measured by products of matrices, and whether targets can be
met is up to SciPy (`benchmarks/several_ends.py` runs ten thousand such cases).
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from several_ends import MET, Tally, random_case

import limbik
from limbik import Goal, LimbikError, Status, samples
from limbik.engines import dispatch
from limbik.skeleton import shell_projection
from tests.assets import asset, present
from tests.skeleton import figures
from tests.skeleton.figures import random_quaternions, world_by_matrices
from tests.thoroughness import THOROUGH

RIGS = ["sample", *present("bvh/cmu_05_02.bvh", "gltf/KayKit_Rogue.glb", "gltf/RiggedFigure.glb")]
HANDS, FEET = ("left_hand", "right_hand"), ("left_foot", "right_foot")
WALK = samples.walk(12)
NAMES = {"left_hand": "LeftHand", "right_hand": "RightHand", "left_foot": "LeftFoot", "right_foot": "RightFoot"}
NAMES |= {"head": "Head", "chest": "Spine1", "pelvis": "Hips"}
PLACES = {end: WALK.positions()[:, WALK.skeleton.index(joint)] for end, joint in NAMES.items()}


@pytest.fixture(autouse=True, scope="module")
def compiled():
    """All of this on the kernel; one test compares it with plain Python."""
    with dispatch.use("numba") if dispatch.have_numba() else dispatch.use("numpy"):
        yield


@pytest.fixture(scope="module", params=RIGS)
def clip(request):
    clip = samples.walk(60) if request.param == "sample" else limbik.load(asset(request.param), fps=30)
    return clip[:: max(1, len(clip) // 20)]


def measured(posed, end):
    """Where an end is (frames, 3), and its rotation, by products of matrices."""
    places, frames = world_by_matrices(posed.skeleton, posed.rotations, posed.translations, posed.scales)
    joint = posed.skeleton.index(NAMES[end])
    return places[:, joint], Rotation.from_matrix(frames[:, joint, :3, :3])


def away(posed, end, target):
    return np.linalg.norm(measured(posed, end)[0] - target, axis=-1)


def test_meets_what_an_optimiser_finds(clip):
    rng, tally = np.random.default_rng(0), Tally()
    for _ in range(100 if THOROUGH else 5):
        case, wish, _ = random_case(clip, rng)
        tally.add(case, wish, rng, starts=1)
    assert tally.found > tally.cases // 3
    assert tally.failed == 0
    assert tally.worst < MET
    assert tally.feet < MET
    assert tally.residual < 1e-12


def test_every_kind_of_end_together():
    rng = np.random.default_rng(1)
    goals = {end: PLACES[end] + rng.normal(size=3) * 0.04 for end in (*HANDS, *FEET, "head")}
    turned = random_quaternions(rng)
    posed = WALK.reach({**goals, "right_hand": Goal(goals["right_hand"], rotation=turned, pole=(0, -1, 0))})
    for end, goal in goals.items():
        assert away(posed, end, goal).max() < 1e-9
    assert (measured(posed, "right_hand")[1] * Rotation.from_quat(turned).inv()).magnitude().max() < 1e-9
    bones = [np.linalg.norm(np.diff(one.positions()[:, [4, 5]], axis=1), axis=-1) for one in (WALK, posed)]
    assert np.abs(bones[1] - bones[0]).max() < 1e-12


def test_feet_stay_and_hands_follow_by_default():
    lowered = PLACES["pelvis"] - [0.0, 0.2, 0.0]
    posed = WALK.reach({"pelvis": lowered})
    assert away(posed, "pelvis", lowered).max() < 1e-12
    for foot in FEET:
        assert away(posed, foot, PLACES[foot]).max() < 1e-12
        turn = measured(posed, foot)[1] * measured(WALK, foot)[1].inv()
        assert turn.magnitude().max() < 1e-7
    assert np.abs(measured(posed, "left_hand")[0] - PLACES["left_hand"] + [0.0, 0.2, 0.0]).max() < 1e-12
    free = WALK.reach({"pelvis": lowered}, hold=())
    assert np.abs(free.positions() - WALK.positions() + [0.0, 0.2, 0.0]).max() < 1e-12
    held = WALK.reach({"pelvis": lowered}, hold=("left_hand",))
    assert away(held, "left_hand", PLACES["left_hand"]).max() < 1e-12


def test_nothing_moves_where_everything_is_in_place():
    posed = WALK.reach({end: PLACES[end] for end in (*HANDS, *FEET, "pelvis")})
    assert np.abs(posed.positions() - WALK.positions()).max() < 1e-5  # as in `reach`: of straight legs, the plane
    assert np.array_equal(posed.translations, WALK.translations)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_pelvis_moves_no_further_than_needed(share):
    far = PLACES["left_hand"] + [0.0, -0.35, 0.55]
    result = limbik.reach_ends(WALK, {"left_hand": far}, chest_share=share)
    assert result.residual["left_hand"].max() < 1e-9
    moved = np.linalg.norm(measured(result.pose, "pelvis")[0] - PLACES["pelvis"], axis=-1)
    bend = (measured(result.pose, "chest")[1] * measured(WALK, "chest")[1].inv()).magnitude()
    assert bend.max() == 0.0 if share == 0.0 else bend.min() > 0.05
    if share == 0.0:  # the arm straightens, and the pelvis goes along it: the least that is needed
        shoulder = WALK.positions()[:, WALK.skeleton.index("LeftArm")]
        arm = WALK.skeleton.lengths[[WALK.skeleton.index(name) for name in ("LeftForeArm", "LeftHand")]].sum()
        lacking = np.maximum(np.linalg.norm(far - shoulder, axis=-1) - arm, 0.0)
        assert (moved >= lacking - 1e-9).all()  # more where a leg holds it back


def test_order_says_what_gives_way():
    wide = {"left_hand": PLACES["left_hand"] + [2.0, 0.0, 0.0], "right_hand": PLACES["right_hand"] - [2.0, 0.0, 0.0]}
    usual = limbik.reach_ends(WALK, {**wide, "pelvis": PLACES["pelvis"]})
    for foot in FEET:
        assert usual.residual[foot].max() < 1e-9
    assert (usual.status["left_hand"] == Status.TOO_FAR).all()
    near = {"left_hand": PLACES["left_hand"] + [0.5, 0.0, 0.0], "right_hand": PLACES["right_hand"] - [0.5, 0.0, 0.0]}
    for first, second in (HANDS, HANDS[::-1]):
        result = limbik.reach_ends(WALK, near, order=(first,), hold=())
        assert result.residual[first].max() < 1e-9
        assert result.residual[second].min() > 0.01
    shared = limbik.reach_ends(WALK, near, hold=(), chest_share=0.0)
    leaning = limbik.reach_ends(
        WALK,
        {"left_hand": Goal(near["left_hand"], weight=9.0), "right_hand": near["right_hand"]},
        hold=(),
        chest_share=0.0,
    )
    assert (leaning.residual["left_hand"] < shared.residual["left_hand"] - 1e-3).all()
    assert (leaning.residual["right_hand"] > shared.residual["right_hand"] + 1e-3).all()
    stubborn = limbik.reach_ends(WALK, {"pelvis": PLACES["pelvis"] + [0.0, 0.5, 0.0]}, order=("pelvis",))
    assert stubborn.residual["pelvis"].max() < 1e-12
    assert stubborn.residual["left_foot"].max() > 0.3
    assert not stubborn.reached.any()


def test_pelvis_and_chest_take_rotations_and_heads_directions():
    rng = np.random.default_rng(3)
    tilt = Rotation.from_rotvec(rng.normal(size=3) * 0.2)
    wanted = {end: tilt * measured(WALK, end)[1] for end in ("pelvis", "chest")}
    goals = {end: Goal(rotation=turn.as_quat()) for end, turn in wanted.items()}
    posed = WALK.reach({**goals, "head": Goal(direction=(1.0, 0.2, 0.4)), "left_hand": PLACES["left_hand"]})
    for end, turn in wanted.items():
        assert (measured(posed, end)[1] * turn.inv()).magnitude().max() < 1e-9
    looks = measured(posed, "head")[1].apply([0.0, 0.0, 1.0])  # the sample's head faces +z in its own frame
    assert np.abs(looks - np.array([1.0, 0.2, 0.4]) / np.linalg.norm([1.0, 0.2, 0.4])).max() < 1e-9
    assert away(posed, "left_hand", PLACES["left_hand"]).max() < 1e-9


def sweep(steps, moving):
    """The positions (steps, joints, 3) of one pose whose ends move together along a path of `steps` targets."""
    pose = limbik.Pose(
        WALK.skeleton, np.tile(WALK.rotations[3], (steps, 1, 1)), np.tile(WALK.translations[3], (steps, 1, 1))
    )
    still = {end: PLACES[end][3] for end in (*HANDS, *FEET)}
    return pose.reach(
        {**still, **{end: path(np.linspace(0.0, 1.0, steps)) for end, path in moving.items()}}
    ).positions()


def line(end, along):
    return lambda t: PLACES[end][3] + t[:, None] * np.array(along)


SWEEPS = {
    "a hand pulled away": {"left_hand": line("left_hand", [0.4, 0.3, 1.5])},
    "both hands pulled apart": {
        "left_hand": line("left_hand", [1.2, 0.1, 0.0]),
        "right_hand": line("right_hand", [-1.2, 0.0, 0.3]),
    },
    "a hand to the floor": {"right_hand": line("right_hand", [0.1, -0.9, 0.4])},
    "feet pulled apart": {
        "left_foot": line("left_foot", [0.9, 0.0, 0.9]),
        "right_foot": line("right_foot", [-0.9, 0, 0]),
    },
    "a hip lifted": {"pelvis": line("pelvis", [0.2, 0.6, 0.1])},
    "a hip pushed down": {"pelvis": line("pelvis", [0.1, -0.7, 0.0])},
}


@pytest.mark.parametrize("moving", SWEEPS.values(), ids=SWEEPS.keys())
def test_no_pops_through_the_edge_of_what_can_be_met(moving):
    coarse, fine = (np.linalg.norm(np.diff(sweep(steps, moving), axis=0), axis=-1).max() for steps in (201, 3201))
    # At the edge joints move with the root of the way: in steps of a sixteenth, by about a quarter. A pop would be as
    # large in both.
    assert coarse < 0.1
    assert fine < 0.5 * coarse


def test_kernel_and_python_agree():
    goals = {"left_hand": PLACES["left_hand"] + [0.5, 0.2, 0.6], "right_foot": PLACES["right_foot"] + [0.0, 0.3, 0.4]}
    with dispatch.use("numpy"):
        plain = WALK[:3].reach({end: goal[:3] for end, goal in goals.items()})
    compiled = WALK[:3].reach({end: goal[:3] for end, goal in goals.items()})
    assert np.abs(plain.rotations - compiled.rotations).max() < 1e-12
    assert np.abs(plain.translations - compiled.translations).max() < 1e-12


def test_frames_are_independent_and_a_pose_is_a_frame():
    goals = {"left_hand": PLACES["left_hand"] + [0.3, 0.1, 0.5], "pelvis": PLACES["pelvis"] - [0.0, 0.1, 0.0]}
    whole = WALK.reach(goals)
    one = WALK[5].reach({end: goal[5] for end, goal in goals.items()})
    assert np.abs(one.positions() - whole.positions()[5]).max() < 1e-3  # `reach` takes a straight limb's usual hinge
    broken = {**goals, "left_hand": goals["left_hand"].copy()}
    broken["left_hand"][4, 1] = np.nan
    result = limbik.reach_ends(WALK, broken)
    assert (result.status["left_hand"][4], result.status["left_foot"][4]) == (Status.INVALID, Status.INVALID)
    others = np.arange(len(WALK)) != 4
    assert np.isnan(result.pose.rotations[4]).any()
    assert np.abs(result.pose.positions()[others] - whole.positions()[others]).max() < 1e-3
    assert np.array_equal(WALK.reach(goals, weight=0.0).rotations, WALK.rotations)


def test_nearest_point_of_shells():
    """Against SciPy's constrained minimum, started from many places."""
    rng = np.random.default_rng(4)
    found, compared = np.empty(4), 0
    for _ in range(120 if THOROUGH else 24):
        count = int(rng.integers(1, 5))
        centres, outer = rng.normal(size=(count, 3)) * 0.6, rng.uniform(0.5, 1.2, count)
        inner = rng.choice([0.0, 0.3], count)
        wanted = rng.normal(size=3) * 2.0
        exists = shell_projection.nearest_in_shells(wanted, centres, outer, inner, 1e-12, found)
        bounds = []
        for centre, far, near in zip(centres, outer, inner, strict=True):
            bounds.append({"type": "ineq", "fun": lambda x, c=centre, r=far: r**2 - np.sum((x - c) ** 2)})
            bounds.append({"type": "ineq", "fun": lambda x, c=centre, r=near: np.sum((x - c) ** 2) - r**2})
        for start in rng.normal(size=(3, 3)):
            other = minimize(
                lambda x, wanted=wanted: np.sum((x - wanted) ** 2), start, constraints=bounds, options={"ftol": 1e-14}
            )
            if other.success and min(bound["fun"](other.x) for bound in bounds) > -1e-9:
                assert exists
                assert np.linalg.norm(found[:3] - wanted) <= np.linalg.norm(other.x - wanted) + 1e-6
                compared += 1
        if exists:
            distance = np.linalg.norm(found[:3] - centres, axis=-1)
            assert ((distance <= outer + 1e-11) & (distance >= inner - 1e-11)).all()
    assert compared > 20


BAD = {
    "no ends": (lambda: WALK.reach({}), "targets: got {}"),
    "an unknown end": (lambda: WALK.reach({"left_hnd": (0, 0, 0)}), "end: got 'left_hnd'.*did you mean 'left_hand'"),
    "a plane target": (lambda: WALK.reach({"left_hand": (0, 0)}), r"left_hand: position: got shape \(2,\)"),
    "an option of one limb": (lambda: WALK.reach({"left_hand": (0, 0, 0)}, pole=(1, 0, 0)), "limbik.Goal"),
    "no targets": (lambda: WALK.reach("left_arm"), "reach: got no targets"),
    "hold of one limb": (lambda: WALK.reach("left_arm", (0, 0, 0), hold=()), "hold, order or chest_share"),
    "hold that is a text": (lambda: WALK.reach({"head": (0, 0, 0)}, hold="left_foot"), "hold: got 'left_foot'"),
    "an end twice": (lambda: WALK.reach({"left_hand": (0, 0, 0), "left_arm": (0, 0, 0)}), "each end once"),
    "a share beyond 1": (lambda: WALK.reach({"left_hand": (0, 0, 0)}, chest_share=1.5), "chest_share: got 1.5"),
    "a weight of 0": (lambda: Goal((0, 0, 0), weight=0), "weight: got 0"),
    "a goal of nothing": (Goal, "Goal: got no target"),
    "a hand without a place": (lambda: WALK.reach({"left_hand": Goal(direction=(1, 0, 0))}), "left_hand: position"),
    "a pole of a head": (lambda: WALK.reach({"head": Goal((0, 0, 0), pole=(1, 0, 0))}), "head: pole"),
    "a direction of a chest": (lambda: WALK.reach({"chest": Goal(direction=(1, 0, 0))}), "chest: direction"),
    "no pose": (lambda: limbik.reach_ends("walk", {"head": (0, 0, 0)}), "pose: got 'walk'"),
}


@pytest.mark.parametrize(("call", "words"), BAD.values(), ids=BAD.keys())
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(LimbikError, match=words):
        call()


def test_a_figure_without_a_spine_reaches_too():
    """All limbs grow from one joint: there is nothing to bend between them."""
    names, parents, places = figures.read_tree(
        """
        Body @ hips
          Head @ head
          {}Arm @ +shoulder
            {}ForeArm @ +elbow
              {}Hand @ +wrist
          {}UpLeg @ +hip
            {}Leg @ +knee
              {}Foot @ +ankle
        """,
        "Left",
        "Right",
    )
    clip = figures.moving(figures.resting(names, parents, places), np.random.default_rng(5), amount=0.2)
    hand = clip.positions()[:, clip.skeleton.limbs["left_arm"].joints[-1]]
    found = limbik.reach_ends(clip, {"left_hand": hand - [0.05, 0.05, 0.0]})
    assert not clip.skeleton.torso.spine
    assert found.residual["left_hand"].max() < 1e-9
