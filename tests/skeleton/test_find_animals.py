"""Limbs of animals, and of rigs with more joints than a limb has, by names of many kinds and without names."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.skeleton.limb_finding import find_limbs
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS
from tests.skeleton.test_find_limbs import TWISTED, named, shuffled

HORSE = """
root @ ground
  hips @ horse pelvis
    HIND0 @ +horse hip
      HIND1 @ +horse stifle
        HIND2 @ +horse hock
          HIND3 @ +horse hind fetlock
            HIND4 @ +horse hind hoof
    back @ horse back
      withers @ horse withers
        head @ horse head
          ear.{} @ +horse ear
        FORE0 @ +horse scapula
          FORE1 @ +horse shoulder
            FORE2 @ +horse elbow
              FORE3 @ +horse carpus
                FORE4 @ +horse fetlock
                  FORE5 @ +horse hoof
    tail @ horse tail
"""
# Hind and front legs from hip and scapula to hoof; which of these joints are the limb, and which its toes.
ANIMALS = {
    "anatomy": (
        ("femur_{}", "tibia_{}", "metatarsus_{}", "hind_pastern_{}", "hind_hoof_{}"),
        ("scapula_{}", "humerus_{}", "radius_{}", "metacarpus_{}", "pastern_{}", "hoof_{}"),
        (slice(0, 4), slice(4, None), slice(1, 5), slice(5, None)),
    ),
    "Rigify": (
        ("DEF-thigh.{}", "DEF-shin.{}", "DEF-foot.{}", "DEF-r_toe.{}", "DEF-r_toe.{}.001"),
        ("DEF-shoulder.{}", "DEF-front_thigh.{}", "DEF-front_shin.{}", "DEF-front_foot.{}", "f_toe.{}", "f_toe.{}.001"),
        (slice(0, 3), slice(3, None), slice(1, 4), slice(4, None)),
    ),
    "as a person": (
        ("thigh.{}", "shin.{}", "foot.{}", "toe.{}", "toe_end.{}"),
        ("shoulder.{}", "upper_arm.{}", "forearm.{}", "hand.{}", "f_toe.{}", "f_toe_end.{}"),
        (slice(0, 3), slice(3, None), slice(1, 4), slice(4, None)),
    ),
    "Bip01": (
        ("Bip01 {} Thigh", "Bip01 {} Calf", "Bip01 {} HorseLink", "Bip01 {} Foot", "Bip01 {} Toe0"),
        ("Bip01 {} Clavicle", "Bip01 {} UpperArm", "Bip01 {} Forearm", "Bip01 {} Hand", "{} Finger0", "{} Finger01"),
        (slice(0, 4), slice(4, None), slice(1, 4), slice(4, None)),
    ),
    "front and rear": (
        ("{}_RearLeg_Thigh", "{}_RearLeg_Knee", "{}_RearLeg_Ankle", "{}_RearLeg_Paw", "{}_RearLeg_Toe"),
        ("{}_Clavicle", "{}_FrontLeg_Shoulder", "{}_FrontLeg_Elbow", "{}_FrontLeg_Wrist", "{}_Paw", "{}_PawToe"),
        (slice(0, 3), slice(3, None), slice(1, 4), slice(4, None)),
    ),
    "numbers": (
        tuple(f"BackLeg{k}_{{}}" for k in range(5)),
        tuple(f"FrontLeg{k}_{{}}" for k in range(6)),
        (slice(0, 4), slice(4, None), slice(1, 5), slice(5, None)),
    ),
    "no names": (
        tuple(f"a{k}{{}}" for k in range(5)),
        tuple(f"b{k}{{}}" for k in range(6)),
        (slice(0, 4), slice(4, None), slice(1, 5), slice(5, None)),
    ),
}


@pytest.mark.parametrize("kind", ANIMALS)
def test_four_legs(kind):
    """Hind legs of three or four bones, front legs below a scapula; hooves, paws and fingers are toes."""
    hind, fore, parts = ANIMALS[kind]
    tree = re.sub(r"(HIND|FORE)(\d)", lambda m: (hind if m[1] == "HIND" else fore)[int(m[2])], HORSE)
    names, parents, places = figures.read_tree(tree, "L", "R")
    called = [f"bone_{k:03}" for k in range(len(names))] if kind == "no names" else names
    limbs = find_limbs(figures.resting(called, parents, places, rng=np.random.default_rng(2)))
    wanted = {}
    for limb, line, joints, toes in (("leg", hind, *parts[:2]), ("arm", fore, *parts[2:])):
        for side in ("L", "R"):
            whole = [name.format(side) for name in line]
            wanted[f"{ {'L': 'left', 'R': 'right'}[side] }_{limb}"] = tuple(whole[joints]), tuple(whole[toes])
    assert named(figures.resting(names, parents, places), limbs) == wanted
    assert all(limb.stands for limb in limbs.values())


@pytest.mark.parametrize("form", ["leg{k}_{part}_{{}}", "leg_{{}}_{k}_{number}", "bone_{number}{k}{{}}"])
def test_eight_legs(form):
    """Of a spider's leg the coxa is not part, and the last, short bone is its foot."""
    lines = ["body @ spider body"]
    for k in range(1, 5):
        for number, part in enumerate(("coxa", "femur", "tibia", "tarsus", "tip")):
            lines.append("  " * (number + 1) + f"{form.format(k=k, part=part, number=number)} @ +spider {part} {k}")
    names, parents, places = figures.read_tree("\n".join(lines), "L", "R")
    skeleton = figures.resting(names, parents, places, rng=np.random.default_rng(3))
    limbs = find_limbs(skeleton)
    assert list(limbs) == [f"{side}_leg_{k}" for side in ("left", "right") for k in range(1, 5)]
    for k in range(1, 5):
        joints = [names[joint] for joint in (*limbs[f"left_leg_{k}"].joints, *limbs[f"left_leg_{k}"].toes)]
        parts = enumerate(("coxa", "femur", "tibia", "tarsus", "tip"))
        assert joints == [form.format(k=k, part=part, number=number).format("L") for number, part in parts][1:]
    assert all(len(limb.joints) == 3 and limb.stands for limb in limbs.values())


@pytest.mark.parametrize("convention", TWISTED)
def test_joints_that_twist_are_not_knees_without_names(convention):
    """Where a bone is split by joints that only twist, its ends are the joints of the leg; copies of legs are none."""
    convention = CONVENTIONS[convention]
    names, parents, places = convention.read()
    limbs = find_limbs(figures.resting([f"Bone.{k:03}" for k in range(len(names))], parents, places))
    legs = {name: limb for name, limb in limbs.items() if limb.kind == "leg"}
    assert list(legs) == ["left_leg", "right_leg"]
    assert_legs_at(convention, legs, names, places)


def assert_legs_at(convention, legs, names, places):
    """The joints of legs are where those that the convention names are."""
    for name, limb in legs.items():
        at = [places[names.index(joint)] for joint in convention.wanted()[name][0]]
        assert np.abs(places[list(limb.joints)] - at).max() < 1e-9


def test_legs_that_only_an_ik_control_ends():
    names, parents, places = figures.read_tree(
        """
        Root @ ground
          Body @ horse pelvis
            BackUpperLeg.{} @ +horse hip
              BackLowerLeg.{} @ +horse stifle
            Chest @ horse withers
              Head @ horse head
              FrontUpperLeg.{} @ +horse shoulder
                FrontLowerLeg.{} @ +horse carpus
          IKBackLeg.{} @ +horse hind hoof
          IKFrontLeg.{} @ +horse hoof
          PoleBackLeg.{} @ +horse stifle
        """,
        "L",
        "R",
    )
    limbs = find_limbs(figures.resting(names, parents, places, rng=np.random.default_rng(4)))
    for limb, place, side in (("left_leg", "Back", "L"), ("right_arm", "Front", "R")):
        wanted = [f"{place}UpperLeg.{side}", f"{place}LowerLeg.{side}", f"IK{place}Leg.{side}"]
        assert [names[joint] for joint in limbs[limb].joints] == wanted
    assert all(limb.stands for limb in limbs.values())


@given(st.integers(0, 2**32))
def test_copies_of_legs_are_none_whichever_of_them_come_first(seed):
    """Noise and the order of joints may pair a leg with the other one's copy; there are two legs all the same."""
    rng = np.random.default_rng(seed)
    names, parents, places = shuffled(rng, *CONVENTIONS["MikuMikuDance"].read())
    noisy = places + rng.normal(0.0, 0.004, places.shape)
    limbs = find_limbs(figures.resting([f"Bone.{k:03}" for k in range(len(names))], parents, noisy, rng=rng))
    legs = {name: limb for name, limb in limbs.items() if limb.kind == "leg"}
    assert list(legs) == ["left_leg", "right_leg"]
    assert_legs_at(CONVENTIONS["MikuMikuDance"], legs, names, places)
