"""Legs and arms are found by the names of every convention, by shape where names say nothing, and by hand."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.errors import ArgumentError, LimbikError
from limbik.skeleton.limb_finding import NoLimbsError, RigLimb, find_limbs
from limbik.skeleton.naming import read, tokens
from limbik.skeleton.pose import Pose
from limbik.skeleton.reach_ends import reach_ends
from limbik.skeleton.skeleton import Skeleton
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS

DETACHED = ("feet that hang from the root", "feet under IK controls")  # by their names alone, whose feet they are
# Joints that only twist lie on the limbs of some, where some noise makes knees of them; test_find_animals.py has them
# without noise. Unreal's figure holds a weapon as long as a forearm, and one has two toes in one place. The legs of a
# MikuMikuDance figure have copies in the same places ("D"), whose names alone say which is the leg.
TWISTED = ("Rigify", "DAZ", "MotionBuilder", "Unreal", "MakeHuman", "Character Creator", "MikuMikuDance")
SHAPES = sorted(CONVENTIONS.keys() - {"Assimp", *TWISTED, *DETACHED})


def named(skeleton, limbs):
    """The names of joints and toes of each limb."""
    return {
        name: tuple(tuple(skeleton.names[joint] for joint in part) for part in (limb.joints, limb.toes))
        for name, limb in limbs.items()
    }


def shuffled(rng, names, parents, places):
    """The same figure with its joints in another order, parents still before children."""
    waiting, order = [joint for joint, parent in enumerate(parents) if parent < 0], []
    while waiting:
        order.append(waiting.pop(rng.integers(len(waiting))))
        waiting += [joint for joint, parent in enumerate(parents) if parent == order[-1]]
    new = {joint: k for k, joint in enumerate(order)} | {-1: -1}
    return [names[joint] for joint in order], [new[parents[joint]] for joint in order], places[order]


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_limbs_by_the_names_of_each_convention(convention):
    convention = CONVENTIONS[convention]
    skeleton = figures.resting(*convention.read(), rng=np.random.default_rng(0))
    limbs = find_limbs(skeleton)
    assert list(limbs) == ["left_leg", "right_leg", "left_arm", "right_arm"]
    assert named(skeleton, limbs) == convention.wanted()
    for name, limb in limbs.items():
        assert (limb.name, f"{limb.side}_{limb.kind}", limb.stands) == (name, name, limb.kind == "leg")
        *path, end = limb.path(skeleton)
        assert skeleton.path(limb.joints[0], limb.joints[-2]) == tuple(path[: path.index(limb.joints[-2]) + 1])
        assert end == limb.joints[-1]


@given(
    st.sampled_from(sorted(CONVENTIONS)),
    st.integers(0, 2**32),
    st.sampled_from(["", "Hero:", "Armature|", "CC_Base_", "b_", "R2D2:"]),
    st.sampled_from(["", "_jnt", "_012", ".001", " Bone"]),
)
def test_prefixes_suffixes_order_and_axes_do_not_matter(convention, seed, prefix, suffix):
    convention, rng = CONVENTIONS[convention], np.random.default_rng(seed)
    names, parents, places = shuffled(rng, *convention.read())
    turn = Rotation.from_euler("y", rng.uniform(-np.pi, np.pi))
    places = turn.apply(places) * rng.choice([0.01, 1.0, 100.0]) + [*rng.normal(size=2), 3.0]
    skeleton = figures.resting(names, parents, places, rng=rng)
    decorated = Skeleton(
        tuple(prefix + name + suffix for name in names), parents, skeleton.translations, skeleton.rotations
    )
    assert named(skeleton, find_limbs(decorated)) == convention.wanted()


@given(st.sampled_from(SHAPES), st.integers(0, 2**32), st.booleans())
def test_limbs_by_shape_where_names_say_nothing(convention, seed, turned):
    convention, rng = CONVENTIONS[convention], np.random.default_rng(seed)
    names, parents, places = shuffled(rng, *convention.read())
    places = places + rng.normal(0.0, 0.004, places.shape) * (not turned)  # real figures are not even
    if turned and convention.toes:  # toes tell where a figure faces
        places = Rotation.from_euler("y", rng.uniform(-np.pi, np.pi)).apply(places)
    numbered = figures.resting([f"Bone.{k:03}" for k in range(len(names))], parents, places, rng=rng)
    skeleton = figures.resting(names, parents, places)
    assert named(skeleton, find_limbs(numbered)) == convention.wanted()


def creature(pairs, knees=1, toes=False):
    """A creature that faces +z on several pairs of legs, and their joints from front to back, left before right."""
    parents, places, legs = [-1], [(0.0, 0.5, 0.0)], []
    for at in np.linspace(0.5, -0.5, pairs):
        for side in (1, -1):
            heights = [0.5, *np.linspace(0.7, 0.3, knees), 0.0]
            line = [(side * (0.1 + 0.3 * k), height, at + 0.02 * k) for k, height in enumerate(heights)]
            if toes:
                line.append((line[-1][0], 0.0, at + 0.1))
            legs.append(tuple(range(len(parents), len(parents) + len(heights))))
            parents += [0, *range(len(parents), len(parents) + len(line) - 1)]
            places += line
    return parents, np.array(places), legs


@pytest.mark.parametrize("pairs", [3, 4, 7])
@pytest.mark.parametrize("knees", [1, 2])
@pytest.mark.parametrize("backward", [False, True])
def test_many_legs_are_numbered_from_front_to_back(pairs, knees, backward):
    parents, places, legs = creature(pairs, knees, toes=True)
    if backward:
        places = places * [-1, 1, -1]
    limbs = find_limbs(figures.resting([f"node_{k}" for k in range(len(parents))], parents, places))
    wanted = {f"{side}_leg_{k + 1}": legs[2 * k + i] for k in range(pairs) for i, side in enumerate(("left", "right"))}
    assert {name: limb.joints for name, limb in limbs.items()} == wanted
    assert all(limb.stands and limb.toes == (limb.joints[-1] + 1,) for limb in limbs.values())


@pytest.mark.parametrize("names", ["node_{}", "leg_{}"])
def test_the_front_legs_of_an_animal_are_its_arms_and_stand(names):
    parents, places, legs = creature(2)
    limbs = find_limbs(figures.resting([names.format(k) for k in range(len(parents))], parents, places))
    wanted = dict(zip(("left_arm", "right_arm", "left_leg", "right_leg"), legs, strict=True))
    assert {name: limb.joints for name, limb in limbs.items()} == wanted
    assert [(limb.kind, limb.stands) for limb in limbs.values()] == [("leg", True)] * 2 + [("arm", True)] * 2


def test_arms_alone_are_no_legs():
    """Arms that hang to the ground, on a figure whose legs end at the knees and have names that say nothing."""
    names, parents, places = figures.read_tree(
        """
        body @ hips
          chest @ chest
            {}UpperArm @ +shoulder
              {}Forearm @ +elbow
                {}Hand @ +wrist
          {}a @ +hip
            {}b @ +knee
        """,
        "Left",
        "Right",
    )
    places[[name.endswith("Forearm") for name in names], 1] = 0.9
    places[[name.endswith("Hand") for name in names], 1] = 0.5
    for called in (names, [f"bone_{k}" for k in range(len(names))]):
        try:
            limbs = find_limbs(figures.resting(called, parents, places))
        except NoLimbsError:
            limbs = {}
        assert not any(limb.kind == "leg" for limb in limbs.values())


def test_a_lone_arm_has_no_side():
    places = [(0, 0, 0), (0, 0.3, 0), (0, 1.0, 0.1), (0, 1.7, 0), (0, 1.9, 0)]
    skeleton = figures.resting(["base", "shoulder", "elbow", "wrist", "gripper"], [-1, 0, 1, 2, 3], np.array(places))
    assert find_limbs(skeleton) == {"arm": RigLimb("arm", "arm", "", (1, 2, 3))}


def test_straight_limbs_keep_their_middle_joint():
    places = [(0, 1, 0)] + [(side * 0.1, height, 0) for side in (1, -1) for height in (1, 0.5, 0)]
    names = ["hips", *(f"{side}Leg{k}" for side in ("Left", "Right") for k in range(3))]
    for called in (names, [str(k) for k in range(7)]):
        limbs = find_limbs(figures.resting(called, [-1, 0, 1, 2, 0, 4, 5], np.array(places, float)))
        assert [limb.joints for limb in limbs.values()] == [(1, 2, 3), (4, 5, 6)]


def test_by_hand_limbs_are_added_or_take_the_place_of_those_found():
    skeleton = figures.resting(*CONVENTIONS["Unreal"].read())
    found = find_limbs(skeleton)
    arm = ("clavicle_l", "upperarm_l", "lowerarm_l", "hand_l")
    changed = find_limbs(skeleton, left_arm=(*arm[:2], skeleton.index(arm[2]), arm[3]))
    assert named(skeleton, changed)["left_arm"][0] == arm
    assert changed | {"left_arm": found["left_arm"]} == found


def test_by_hand_works_where_nothing_is_found():
    places = np.array([(0, 0, 0), (0.1, 0, 0), (0.2, 0.1, 0), (0.3, 0, 0)], float)
    skeleton = figures.resting(["a", "b", "c", "d"], [-1, 0, 1, 2], places)
    assert find_limbs(skeleton, right_leg=("b", 2, "d"))["right_leg"] == RigLimb(
        "right_leg", "leg", "right", (1, 2, 3), (), True
    )


@pytest.mark.parametrize(
    ("by_hand", "message"),
    [
        ({"tail": ("a", "b", "c")}, "left_leg"),
        ({"left_arm": ("a", "b")}, "at least 3 joints"),
        ({"left_arm": "abc"}, "at least 3 joints"),
        ({"left_arm": ("a", "x", "c")}, "'x'.*the name of a joint"),
        ({"left_arm": ("a", 1, 9)}, "below 5"),
        ({"left_arm": ("a", "c", "b")}, "one of its descendants"),
        ({"left_arm": ("a", "b", "c", "e")}, "one of its descendants"),
        ({"left_arm": ("a", "b", "b")}, "in one place"),
        ({"left_arm": ("b", "c", "d")}, "'c' and 'd' in one place"),
    ],
)
def test_by_hand_joints_are_checked(by_hand, message):
    places = np.array([(0, 0, 0), (0.1, 0, 0), (0.2, 0.1, 0), (0.2, 0.1, 0), (0, 1, 0)], float)
    skeleton = figures.resting(["a", "b", "c", "d", "e"], [-1, 0, 1, 2, 0], places)
    with pytest.raises(ArgumentError, match=message):
        find_limbs(skeleton, **by_hand)


def test_where_there_are_no_limbs_the_error_lists_the_joints_and_what_to_do():
    places = np.cumsum(np.ones((100, 3)), axis=0)
    skeleton = figures.resting([f"Bone.{k:03}" for k in range(100)], [-1, *range(99)], places)
    with pytest.raises(NoLimbsError, match=r"find_limbs\(skeleton, left_arm=") as caught:
        find_limbs(skeleton)
    assert isinstance(caught.value, LimbikError)
    lines = str(caught.value).splitlines()
    assert lines[1:4] == ["Bone.000", "  Bone.001", "    Bone.002"]
    assert lines[-1] == "… and 40 more"


def test_a_skeleton_without_joints_has_no_limbs():
    with pytest.raises(NoLimbsError):
        find_limbs(Skeleton((), [], np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)), np.zeros(0)))


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_any_skeleton_has_limbs_or_an_error(seed, joints):
    rng = np.random.default_rng(seed)
    parents = [-1, *(int(rng.integers(-1, joint)) for joint in range(1, joints))]
    words = ["left", "R", "Leg", "arm", "Foot", "hand", "twist", "01", "end", "hip", "", "ä"]
    names = ["_".join(rng.choice(words, rng.integers(0, 4))) for _ in range(joints)]
    places = rng.normal(size=(joints, 3)).round(int(rng.integers(0, 3)))  # some in one place
    skeleton = figures.resting(names, parents, places, rng=rng)
    try:
        limbs = find_limbs(skeleton)
    except NoLimbsError:
        return
    for name, limb in limbs.items():
        assert limb.name == name
        assert len(limb.joints) >= 3
        assert set(limb.joints) <= set(limb.path(skeleton))
        assert all(np.any(places[a] != places[b]) for a, b in pairwise(limb.joints))
        assert all(limb.joints[-1] in skeleton.ancestors(toe) for toe in limb.toes)


def test_names_are_cut_into_tokens():
    assert tokens("mixamorig:LeftUpLeg") == ("left", "up", "leg")
    assert tokens("Bip01 L Toe0Nub") == ("bip", "01", "left", "toe", "0", "nub")
    assert tokens("lfemur") == ("left", "femur")
    assert tokens("rradius") == ("right", "radius")
    assert tokens("IKFoot_R") == ("ik", "foot", "right")
    assert read("radius").side == ""
    assert read("RightHandIndex1").kind == ""
    assert read("LHipJoint").part == "base"


@pytest.mark.parametrize(
    ("convention", "pelvis", "spine", "head"),
    [
        ("MikuMikuDance", "センター", ["上半身", "上半身2"], "頭"),
        ("Assimp", "mixamorig:Hips", ["mixamorig:Spine", "mixamorig:Spine1"], "mixamorig:Head"),
        ("Suffix that most joints share", "pelvis_Armature", ["tummy_Armature", "chest_Armature"], "head_Armature"),
    ],
)
def test_the_torso_carries_legs_and_arms(convention, pelvis, spine, head):
    """Where spine and pelvis grow from one joint, as in MikuMikuDance's figures, that is the one to move."""
    torso = figures.resting(*CONVENTIONS[convention].read()).torso
    names = torso.skeleton.names
    assert (names[torso.pelvis], [names[joint] for joint in torso.spine], names[torso.head]) == (pelvis, spine, head)
    skeleton = torso.skeleton
    found = reach_ends(Pose.rest(skeleton), {"left_hand": (0.3, 1.0, 0.7)})
    assert found.reached


def test_roles_decide_above_names():
    names, parents, places = CONVENTIONS["Mixamo"].read()
    roles = ["left" + part if "Right" in name else "" for name in names for part in [name.rsplit("Right")[-1]]]
    known = {"leftUpLeg": "leftUpperLeg", "leftLeg": "leftLowerLeg", "leftFoot": "leftFoot"}
    skeleton = figures.resting(names, parents, places)
    skeleton = replace(skeleton, roles=[known.get(role, "") for role in roles])
    (limb,) = find_limbs(skeleton).values()
    assert (limb.name, skeleton.names[limb.joints[0]]) == ("left_leg", "mixamorig:RightUpLeg")
    for wrong in (["leftFoot"], [1] * len(names)):
        with pytest.raises(LimbikError, match="roles"):
            replace(skeleton, roles=wrong)
