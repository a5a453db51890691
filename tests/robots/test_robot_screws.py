"""A limb's screws reproduce the robot: the product of exponentials, by SciPy, is the tip's transform in the base."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik import Robot
from limbik.errors import ArgumentError
from limbik.robots.screws import ScrewChain
from tests.assets import present
from tests.optional import optional
from tests.robots.robot_files import MENAGERIE, example_robots, menagerie
from tests.robots.small_robots import MJCF, URDF, write


def tip_by_exponentials(chain, angles):
    """The tip's position and rotation, by SciPy."""
    position, rotation = np.array(chain.position), Rotation.from_quat(chain.rotation)
    for axis, point, kind, angle in reversed(list(zip(chain.axes, chain.points, chain.kinds, angles, strict=True))):
        if kind == "slide":
            position = position + angle * axis
        else:
            turn = Rotation.from_rotvec(angle * axis)
            position, rotation = point + turn.apply(position - point), turn * rotation
    return position, rotation


def check(robot, chain, base, tip, rng):
    assert np.allclose(np.linalg.norm(chain.axes, axis=1), 1, rtol=0, atol=1e-14)
    values = dict(zip(chain.names, rng.uniform(-2, 2, len(chain)), strict=True))
    others = {joint.name: rng.uniform(-2, 2) for joint in robot.joints if joint.name not in values}
    positions, rotations = robot.forward(others | values)
    base, tip = robot.links.index(base), robot.links.index(tip)
    back = Rotation.from_quat(rotations[base]).inv()
    position, rotation = tip_by_exponentials(chain, list(values.values()))
    assert np.allclose(position, back.apply(positions[tip] - positions[base]), rtol=0, atol=1e-12)
    assert (rotation.inv() * back * Rotation.from_quat(rotations[tip])).magnitude() < 1e-12
    within = {
        name: np.clip(values[name], *limits)
        for name, *limits in zip(chain.names, chain.lower, chain.upper, strict=True)
    }
    position, rotation = tip_by_exponentials(chain, list(within.values()))
    for offset, centre, radius in ((np.zeros(3), *chain.ball), chain.wrist_ball):
        assert np.linalg.norm(position + rotation.apply(offset) - centre) <= radius * (1 + 1e-12) + 1e-12


def check_all(robot):
    """Every link of which a joint moves it, from the default base and from the robot's."""
    rng = np.random.default_rng(1)
    names = [joint.name for joint in robot.joints]
    count = 0
    for joint in robot.joints:
        for base in (None, robot.base):
            try:
                chain = robot.screws(joint.link, base)
            except ArgumentError as error:
                assert "follows" in str(error)
                continue
            assert set(chain.names) <= set(names) and chain.names[-1] in names
            if base:
                check(robot, chain, base, joint.link, rng)
            count += 1
    return count


@pytest.mark.parametrize("text", [MJCF, URDF])
def test_small_robots(tmp_path, text):
    assert check_all(Robot.load(write(tmp_path, text))) > 6


@pytest.mark.parametrize("name", MENAGERIE)
def test_real_mjcf(name):
    assert check_all(Robot.load(menagerie(name))) > 10


def test_real_urdf():
    robots = [Robot.load(path) for path in example_robots() if path.stem in ("talos_full_v2", "romeo", "xarm7", "pr2")]
    assert sum(map(check_all, robots)) > 150


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_limb_with_slides_stands_where_the_robot_has_it(tmp_path, library):
    values = np.random.default_rng(2).uniform(-1, 1, (6, 3))
    for text, tip in ((URDF, "hand"), (MJCF, "right_shin")):
        robot = Robot.load(write(tmp_path, text))
        limb = robot.limb(tip)
        assert "slide" in limb.chain.kinds
        given = optional("torch").tensor(values) if library == "torch" else values
        position, rotation = (np.asarray(one) for one in limb.forward(given))
        for row, one in enumerate(values):
            expected, turn = tip_by_exponentials(limb.chain, one)
            assert np.allclose(position[row], expected, rtol=0, atol=1e-13)
            assert (Rotation.from_quat(rotation[row]).inv() * turn).magnitude() < 1e-13
        assert np.allclose(limb.forward(values[0].tolist())[0], position[0], rtol=0, atol=1e-14)


def test_the_default_base_is_where_the_limb_begins(tmp_path):
    legs = Robot.load(write(tmp_path, MJCF))
    for tip in ("left_shin", "left_foot", "left_toe"):
        assert legs.screws(tip).names == ("left_roll", "left_pitch", "left_knee")
    assert np.allclose(legs.screws("left_shin").points[0], (0.1, 0.23, 0.01))  # in the trunk's frame
    arm = Robot.load(write(tmp_path, URDF))
    for tip in ("hand", "tool"):  # the fingers branch off below the last joint
        assert arm.screws(tip).names == ("shoulder", "elbow", "reach")
    assert arm.screws("thumb").names == ("grip",)
    assert arm.screws("thumb", "base").names == ("shoulder", "elbow", "reach", "grip")


def test_a_tool_replaces_the_tip_by_a_pose_in_its_frame(tmp_path):
    legs = Robot.load(write(tmp_path, MJCF))
    shifted, toe = legs.screws("left_shin", tool=((0, 0, -0.3), None)), legs.screws("left_toe")
    assert np.allclose(shifted.position, toe.position, atol=1e-15) and np.allclose(shifted.rotation, toe.rotation)
    turn = Rotation.from_euler("xyz", [0.4, -1.1, 2.0])
    limb = legs.limb("left_shin", tool=([0.1, 0.2, -0.3], 3.0 * turn.as_quat()))
    angles = [0.3, -0.2, 0.5]
    place, rotation = legs.limb("left_shin").forward(angles)
    position, found = limb.forward(angles)
    own = Rotation.from_quat(rotation)
    assert np.allclose(position, place + own.apply([0.1, 0.2, -0.3]), atol=1e-15)
    assert (Rotation.from_quat(found).inv() * own * turn).magnitude() < 1e-14


def test_a_base_pose_gives_poses_in_the_callers_world(tmp_path):
    robot = Robot.load(write(tmp_path, MJCF))
    turn, place = Rotation.from_euler("xyz", [0.4, -1.1, 2.0]), np.array([3.0, -1.0, 0.7])
    angles = [0.3, -0.2, 0.5]
    expected = robot.forward(
        {"left_roll": 0.3, "left_pitch": -0.2, "left_knee": 0.5}, position=place, rotation=turn.as_quat()
    )
    limb = robot.limb("left_shin", base_pose=(place, turn.as_quat()))
    position, rotation = limb.forward(angles)
    number = robot.links.index("left_shin")
    assert np.allclose(position, expected.positions[number], atol=1e-14)
    assert (Rotation.from_quat(rotation).inv() * Rotation.from_quat(expected.rotations[number])).magnitude() < 1e-14
    foot = robot.limb("left_foot", base_pose=(place, turn.as_quat()))
    assert np.allclose(foot.solve(foot.forward(angles)[0], near=angles).angles, angles, atol=1e-9)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("<limit velocity='2.5'/>", 2.5),
        ("<limit lower='-1' upper='1' effort='3' velocity='1e-3'/>", 1e-3),
        ("<limit velocity='inf'/>", np.inf),
        ("<limit velocity='0'/>", np.inf),
        ("<limit velocity='-1'/>", np.inf),
        ("<limit lower='-1' upper='1'/>", np.inf),
        ("", np.inf),
    ],
)
@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_the_velocity_limits_of_a_urdf(tmp_path, limit, expected, kind):
    joint = f"<joint name='j' type='{kind}'><parent link='a'/><child link='b'/>{limit}</joint>"
    robot = Robot.load(write(tmp_path, f"<robot><link name='a'/><link name='b'/>{joint}</robot>"))
    assert robot.joints[0].max_velocity == expected
    assert robot.screws("b").max_velocity.tolist() == [expected]


def test_velocity_limits_are_those_of_the_joints_in_order(tmp_path):
    fast = URDF.replace('upper="0.2" effort="1" velocity="1"', 'upper="0.2" effort="1" velocity="7"')
    robot, other = (Robot.load(write(tmp_path, text)) for text in (URDF, fast))
    chain = other.screws("tool")
    assert (chain.names, chain.max_velocity.tolist()) == (("shoulder", "elbow", "reach"), [1.0, np.inf, 7.0])
    assert not chain.max_velocity.flags.writeable
    assert chain != robot.screws("tool") and chain == other.screws("tool")
    assert len({chain, robot.screws("tool"), other.screws("tool")}) == 2
    legs = Robot.load(write(tmp_path, MJCF))
    assert legs.screws("left_foot").max_velocity.tolist() == [np.inf] * 3


def test_a_chain_made_by_hand_has_no_velocity_limits_unless_they_are_given():
    parts = ("a", "b"), np.eye(3)[:2], np.zeros((2, 3)), ("hinge",) * 2, [-1, -1], [1, 1], np.ones(3), np.eye(4)[3]
    assert ScrewChain(*parts).max_velocity.tolist() == [np.inf] * 2
    assert ScrewChain(*parts, max_velocity=np.array([1.0, 2.0])).max_velocity.tolist() == [1.0, 2.0]
    assert ScrewChain(*parts, max_velocity=np.array(3.0)).max_velocity.tolist() == [3.0, 3.0]


@pytest.mark.parametrize("name", present("universal_robots_ur5e/ur5e.xml", "kuka_iiwa_14/iiwa14.xml"))
def test_an_arm_in_mjcf_begins_at_its_own_first_body(name):
    """How a file places its robot in the world, turned by 180 degrees for UR5e, has no part in the arm's poses."""
    robot = Robot.load(menagerie(name))
    limb = robot.limbs()["arm"]
    assert limb.base == robot.links[1] == "base" and limb.tip == "attachment_site"
    angles = np.linspace(0.3, -0.9, len(limb.joints))
    inside, outside = robot.limb(limb.tip), robot.limb(limb.tip, "world")
    base = robot.forward(angles)
    place, turn = base.positions[1], Rotation.from_quat(base.rotations[1])
    assert np.allclose(place + turn.apply(inside.forward(angles)[0]), outside.forward(angles)[0], atol=1e-14)
    placed = robot.limb(limb.tip, base_pose=(place, turn.as_quat()))
    assert np.allclose(placed.forward(angles)[0], outside.forward(angles)[0], atol=1e-14)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (URDF, ("hnad",), r"tip: got 'hnad'; expected the name of a link \(did you mean 'hand'\?\)"),
        (MJCF, ("left_fot",), r"tip: got 'left_fot'; expected the name of a link or site \(did you mean 'left_foot'"),
        (URDF, ("hand", "bse"), r"base: got 'bse'.*did you mean 'base'"),
        (URDF, ("upper", "hand"), "base: got 'hand'; expected a link above the tip; the tip 'upper' is above it"),
        (URDF, ("tool", "thumb"), "base: got 'thumb'; expected a link above the tip, one of 'hand', 'fore', 'upper'"),
        (URDF, ("tool", "hand"), "tip: got 'tool'; expected a link that a joint moves relative to the base, 'hand'"),
        (URDF, ("base",), "tip: got 'base'; expected a link that a joint moves"),
        (
            URDF,
            ("finger", "base"),
            "tip: got 'finger'; expected a link that is not below 'follow', which follows 'grip'",
        ),
        (MJCF, ("left_shin", "world"), "base: got 'world'; expected 'trunk', which floats"),
        (URDF, (3,), "tip: got 3"),
        (URDF, (None,), "tip: got None"),
        (URDF, ("hand", 5), "base: got 5"),
    ],
)
def test_ways_that_do_not_exist(tmp_path, text, arguments, message):
    with pytest.raises(ArgumentError, match=message):
        Robot.load(write(tmp_path, text)).screws(*arguments)


@pytest.mark.parametrize("argument", ["tool", "base_pose"])
def test_poses_that_are_none(tmp_path, argument):
    robot = Robot.load(write(tmp_path, URDF))
    zero, ahead = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
    for wrong in (zero, "xy", (zero, zero), ((1, 2), ahead), ((np.nan, 0, 0), None), (zero, (0, 0, 0, 0))):
        with pytest.raises(ArgumentError, match=argument + r"(\[.\])?: got"):
            robot.screws("hand", **{argument: wrong})


def test_the_ball_of_a_wrist_is_smaller_by_the_hand():
    """A spherical wrist is 0.4 m from the shoulder at most, whatever the tool beyond it."""
    axes, points = np.eye(3)[[2, 1, 1, 0, 1, 0]], np.array([[0.0, 0, 0]] * 2 + [[0.2, 0, 0]] + [[0.4, 0, 0]] * 3)
    chain = ScrewChain(
        tuple("abcdef"), axes, points, ("hinge",) * 6, np.full(6, -3.0), np.full(6, 3.0), [0.9, 0, 0], [0, 0, 0, 1]
    )
    offset, centre, radius = chain.wrist_ball
    assert np.allclose(offset, [-0.5, 0, 0]) and np.allclose(centre, 0) and np.isclose(radius, 0.4)
    assert np.isclose(chain.ball[1], 0.9)
