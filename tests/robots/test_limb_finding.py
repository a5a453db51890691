"""Arms and legs are found by themselves, with base, tip and joints as someone who knows the robot would say."""

import pytest

from limbik import Robot
from tests.assets import present
from tests.robots.robot_files import EXAMPLES, example_robots, menagerie
from tests.robots.small_robots import MJCF, URDF, write

FEET = {"front_left_leg": "FL", "front_right_leg": "FR", "hind_left_leg": "RL", "hind_right_leg": "RR"}
EXPECTED = {
    "universal_robots_ur5e/ur5e.xml": {"arm": ("base", "attachment_site", 6)},
    "kuka_iiwa_14/iiwa14.xml": {"arm": ("base", "attachment_site", 7)},
    "franka_emika_panda/panda.xml": {"arm": ("link0", "hand", 7)},
    "trossen_vx300s/vx300s.xml": {"arm": ("base_link", "gripper_link", 6)},
    "unitree_go2/go2.xml": {name: ("base", foot, 3) for name, foot in FEET.items()},
    "unitree_g1/g1.xml": {
        "left_leg": ("pelvis", "left_foot", 6),
        "right_leg": ("pelvis", "right_foot", 6),
        "left_arm": ("torso_link", "left_wrist_yaw_link", 7),
        "right_arm": ("torso_link", "right_wrist_yaw_link", 7),
    },
    "pal_talos/talos.xml": {
        "left_arm": ("torso_2_link", "arm_left_7_link", 7),
        "right_arm": ("torso_2_link", "arm_right_7_link", 7),
        "left_leg": ("base_link", "left_foot", 6),
        "right_leg": ("base_link", "right_foot", 6),
    },
}
URDFS = {
    "ur5_robot": {"arm": ("world", "tool0", 6)},
    "panda": {"arm": ("panda_link0", "panda_hand_tcp", 7)},
    "z1": {"arm": ("world", "gripperStator", 6)},  # its seventh joint is the gripper's
    "solo": {
        "front_left_leg": ("base_link", "FL_FOOT", 2),
        "front_right_leg": ("base_link", "FR_FOOT", 2),
        "hind_left_leg": ("base_link", "HL_FOOT", 2),
        "hind_right_leg": ("base_link", "HR_FOOT", 2),
    },
    "pr2": {
        "right_arm": ("torso_lift_link", "r_gripper_tool_frame", 7),
        "left_arm": ("torso_lift_link", "l_gripper_tool_frame", 7),
    },
    "tiago_dual": {  # hands of 19 joints each
        "left_arm": ("torso_lift_link", "hand_left_palm_link", 7),
        "right_arm": ("torso_lift_link", "hand_right_palm_link", 7),
    },
    "iris": {},
    "double_pendulum": {"arm": ("base_link", "link2", 2)},
}


def found(robot):
    ends = robot.limb_ends()
    return {name: (*ends[name], len(limb.joints)) for name, limb in robot.limbs().items()}


@pytest.mark.parametrize("name", present(*EXPECTED))
def test_real_mjcf(name):
    assert found(Robot.load(menagerie(name))) == EXPECTED[name]


def test_real_urdf():
    paths = {path.stem: path for path in example_robots()}
    assert {name: found(Robot.load(paths[name])) for name in URDFS} == URDFS


def test_at_least_forty_kinds_of_limb_are_found():
    robots = [path for path in example_robots() if path.stem not in ("ur3", "alex_psyonic_hands")]
    limbs = [(path.stem, name) for path in robots for name in Robot.load(path).limb_ends()]
    assert len(limbs) > 150 and len({robot for robot, _ in limbs}) > 60, EXAMPLES


def test_small_robots(tmp_path):
    assert found(Robot.load(write(tmp_path, URDF))) == {"arm": ("base", "tool", 3)}
    legs = found(Robot.load(write(tmp_path, MJCF)))
    assert legs == {"left_leg": ("trunk", "left_foot", 3), "right_leg": ("trunk", "right_shin", 3)}


def test_names_that_say_nothing(tmp_path):
    """Four chains that hang below a body: no name tells what they are, so that they are called by their tips."""
    inner = "<body pos='0 0 -1' name='{0}2'><joint/><body pos='0 0 -1'><joint/></body></body>"
    chain = "<body name='{0}1'><joint/>" + inner + "</body>"
    text = "".join(chain.format(letter) for letter in "abcd")
    robot = Robot.load(write(tmp_path, f"<mujoco><worldbody><body name='x'>{text}</body></worldbody></mujoco>"))
    assert list(robot.limbs()) == ["body4", "body7", "body10", "body13"]
    assert all(len(limb.joints) == 3 for limb in robot.limbs().values())


def test_a_robot_that_does_not_move_has_no_limbs(tmp_path):
    robot = Robot.load(write(tmp_path, "<robot><link name='a'/></robot>"))
    assert robot.limbs() == {} and robot.joints == ()
    assert robot.forward([]).positions.shape == (1, 3)
