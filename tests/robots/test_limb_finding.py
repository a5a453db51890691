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
    "ur5_robot": {"arm": ("base_link", "tool0", 6)},
    "xarm7": {"arm": ("link_base", "link_eef", 7)},
    "so101": {"arm": ("base_link", "gripper_frame_link", 5)},
    "panda": {"arm": ("panda_link0", "panda_hand_tcp", 7)},
    "z1": {"arm": ("link00", "gripperStator", 6)},  # its seventh joint is the gripper's
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
        "left_arm": ("torso_lift_link", "hand_left_grasping_frame", 7),
        "right_arm": ("torso_lift_link", "hand_right_grasping_frame", 7),
    },
    "baxter": {
        "right_arm": ("torso", "right_gripper", 7),
        "left_arm": ("torso", "left_gripper", 7),
    },
    "alex_sake_hands": {  # the last joint, LeftGripperYaw, turns the gripper
        "left_arm": ("Torso", "LeftSakePalmLink", 7),
        "right_arm": ("Torso", "RightSakePalmLink", 7),
    },
    "bolt": {"left_leg": ("base_link", "FL_FOOT", 3), "right_leg": ("base_link", "FR_FOOT", 3)},
    "allegro_left_hand": {
        "link_11.0_tip": ("palm_link", "link_11.0_tip", 4),
        "link_7.0_tip": ("palm_link", "link_7.0_tip", 4),
        "link_3.0_tip": ("palm_link", "link_3.0_tip", 4),
        "link_15.0_tip": ("palm_link", "link_15.0_tip", 4),
    },
    "centauro": {  # whose names have neither left nor front, and whose legs end in wheels
        "left_arm": ("torso_2", "ball1_tip", 6),
        "right_arm": ("torso_2", "ball2_tip", 6),
        "front_left_leg": ("pelvis", "contact_1", 5),
        "front_right_leg": ("pelvis", "contact_2", 5),
        "hind_left_leg": ("pelvis", "contact_3", 5),
        "hind_right_leg": ("pelvis", "contact_4", 5),
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


def body(name, *children, pos="0 0 -0.3", joint="<joint/>", more=""):
    """A body with a joint of its own name."""
    joint = joint.replace("<joint", f"<joint name='{name}'", 1)
    return f"<body name='{name}' pos='{pos}'>{joint}{more}{''.join(children)}</body>"


def limbs_of(folder, *bodies):
    text = f"<body name='pelvis'><freejoint/>{''.join(bodies)}</body>"
    return Robot.load(write(folder, f"<mujoco><worldbody>{text}</worldbody></mujoco>"))


def bird_leg(side, y):
    """A leg past whose knee a rod leads to a spring, and past whose ankle a crank leads to the foot."""
    foot = body(f"{side}-foot", pos="0 0 -0.4")
    crank = body(f"{side}-foot-crank", body(f"{side}-plantar-rod", pos="0 0 -0.05"), pos="0.05 0 -0.03")
    tarsus = body(f"{side}-tarsus", body(f"{side}-heel-spring", pos="0.02 0 0"), crank, foot, pos="0 0 -0.43")
    rod = body(f"{side}-achilles-rod", pos="0 0 0.04", joint="<joint type='ball'/>")
    knee = body(f"{side}-knee", body(f"{side}-shin", tarsus, pos="0.05 0 -0.05"), pos="0 0 -0.12")
    hips = body(f"{side}-hip-yaw", body(f"{side}-hip-pitch", rod, knee, pos="0 0 -0.09"), pos="0 0 -0.07")
    return body(f"{side}-hip-roll", hips, pos=f"0 {y} 0")


def test_rods_cranks_and_springs_are_no_limbs_and_end_none(tmp_path):
    robot = limbs_of(tmp_path, bird_leg("left", 0.13), bird_leg("right", -0.13))
    assert found(robot) == {"left_leg": ("pelvis", "left-foot", 7), "right_leg": ("pelvis", "right-foot", 7)}
    names = ("hip-roll", "hip-yaw", "hip-pitch", "knee", "shin", "tarsus", "foot")
    assert robot.limb("left-foot").joints == tuple(f"left-{name}" for name in names)
    assert robot.limb("left-plantar-rod").joints == ("left-foot-crank", "left-plantar-rod")  # where it leaves the leg


def geared_arm(side, y):
    """An arm whose yaw and wrist are driven by gears, which are links of their own."""
    gear = body(f"{side}_wrist_gear", pos="0 0 0.02")
    hand = body(f"{side}_hand", pos="0 0 -0.03")
    wrist = body(f"{side}_wrist_pitch_driven", gear, hand, pos="0 0 -0.06")
    elbow = body(f"{side}_elbow_roll", body(f"{side}_elbow_gear", pos="0.02 0 0"), wrist, pos="0 0 -0.06")
    yaw = body(f"{side}_shoulder_yaw_driven", elbow, pos="0 0 -0.03")
    roll = body(f"{side}_shoulder_roll", body(f"{side}_shoulder_drive", pos="0 0 -0.02"), yaw, pos="0 0.03 0")
    return body(f"{side}_shoulder_pitch", roll, pos=f"0 {y} 0.1")


def test_gears_are_no_limbs_and_end_none(tmp_path):
    robot = limbs_of(tmp_path, geared_arm("left", 0.07), geared_arm("right", -0.07))
    assert found(robot) == {"left_arm": ("pelvis", "left_hand", 6), "right_arm": ("pelvis", "right_hand", 6)}


def test_what_is_short_beside_the_rest_of_a_limb_is_no_limb(tmp_path):
    """The names say nothing: a short link at the elbow is left out, one at the waist, and the fingers, are not."""
    fingers = [
        body(f"{letter}7", body(f"{letter}8", pos="0 0 -0.04"), pos=f"0.01 0.0{k} 0") for k, letter in enumerate("ab")
    ]
    wrist = body("w", *fingers, pos="0 0 -0.3")
    arm = body("s", body("u", body("x", pos="0 0 -0.05"), body("e", wrist, pos="0 0 -0.3"), pos="0 0 -0.1"))
    robot = limbs_of(tmp_path, body("waist", arm, body("n", pos="0 0 0.1"), pos="0 0 0.2"))
    assert found(robot) == {"arm": ("waist", "w", 4)}


def test_the_arm_of_a_quadruped_is_no_leg_for_one_of_its_names(tmp_path):
    """One link of the arm is "hr0", which would be "hind right", and its last joint opens a gripper."""
    legs = [
        body(f"{name}_hx", body(f"{name}_hy", body(f"{name}_kn")), pos=f"{x} {y} 0")
        for name, x, y in (("fl", 0.3, 0.1), ("fr", 0.3, -0.1), ("hl", -0.3, 0.1), ("hr", -0.3, -0.1))
    ]
    links = ("arm_sh0", "arm_sh1", "arm_hr0", "arm_el0", "arm_el1", "arm_wr0", "arm_wr1")
    arm = "<body name='arm_fngr' pos='0.1 0 0'><joint name='arm_f1x'/></body>"
    for name in reversed(links):
        joint = f"<joint name='{name}'/>" if name != "arm_hr0" else ""
        arm = f"<body name='{name.replace('arm', 'arm_link')}' pos='0.1 0 0'>{joint}{arm}</body>"
    robot = limbs_of(tmp_path, *legs, arm)
    names = {"front_left_leg": "fl", "front_right_leg": "fr", "hind_left_leg": "hl", "hind_right_leg": "hr"}
    expected = {name: ("pelvis", f"{letters}_kn", 3) for name, letters in names.items()}
    assert found(robot) == {**expected, "arm": ("pelvis", "arm_link_wr1", 6)}


FOUR = ["front_left_leg", "hind_left_leg", "front_right_leg", "hind_right_leg"]


def plain_leg(name, x, y):
    return body(f"hip{name}", body(f"thigh{name}", body(f"shin{name}")), pos=f"{x} {y} 0")


@pytest.mark.parametrize(
    ("places", "names"),
    [
        ({1: (0, -0.1), 2: (0, 0.1)}, ["right_leg", "left_leg"]),
        ({1: (0.2, 0.1), 2: (-0.2, 0.1), 3: (0.2, -0.1), 4: (-0.2, -0.1)}, FOUR),
        ({1: (0, 0.1), 2: (0.1, -0.1)}, ["shin1", "shin2"]),
        ({1: (0, 0.1), 2: (0, -0.1), 3: (0.1, 0)}, ["shin1", "shin2", "shin3"]),
        ({1: (0, 0), 2: (0, 0)}, ["shin1", "shin2"]),
    ],
)  # fmt: skip
def test_sides_are_those_of_the_places_where_names_say_none(tmp_path, places, names):
    assert list(limbs_of(tmp_path, *(plain_leg(k, *place) for k, place in places.items())).limbs()) == names


def test_limbs_that_are_all_in_front_are_not_called_so(tmp_path):
    robot = limbs_of(tmp_path, plain_leg("FL", 0, 0.1), plain_leg("FR", 0, -0.1))
    assert list(robot.limbs()) == ["left_leg", "right_leg"]


def test_a_world_that_is_the_root_of_a_urdf_is_no_base(tmp_path):
    world = "<link name='world'/><joint name='w' type='{}'><parent link='world'/><child link='base'/></joint>"
    for kind, base in (("fixed", "base"), ("prismatic", "world")):
        text = URDF.replace('<robot name="small">', f'<robot name="small">{world.format(kind)}')
        assert Robot.load(write(tmp_path, text)).limb("tool").base == base
    seen = world.format("fixed").replace("<link name='world'/>", "<link name='world'><visual/></link>")
    assert (
        Robot.load(write(tmp_path, URDF.replace('<link name="base"/>', f'<link name="base"/>{seen}'))).limb("tool").base
        == "world"
    )


def test_a_robot_that_does_not_move_has_no_limbs(tmp_path):
    robot = Robot.load(write(tmp_path, "<robot><link name='a'/></robot>"))
    assert robot.limbs() == {} and robot.joints == ()
    assert robot.forward([]).positions.shape == (1, 3)
