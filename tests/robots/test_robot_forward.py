"""Whole robots stand where MuJoCo puts them, to 1e-12 m and rad: real files, and random ones that use every feature."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik import Robot
from limbik.errors import FileError
from tests.optional import optional
from tests.robots.mujoco_referee import compiled, distance, placed
from tests.robots.robot_files import MENAGERIE, example_robots, menagerie

EXACT = 1e-12
# Files of example-robot-data that are not robots: an empty one, and one whose fingers mimic joints that do not exist.
BROKEN = {"ur3.urdf": "has no <link>", "alex_psyonic_hands.urdf": "mimics a joint that does not exist"}


def values_of(robot, rng):
    """Random values of the joints that move by themselves, and those values with the ones that follow."""
    given = {joint.name: rng.uniform(-math.pi, math.pi) for joint in robot.joints}
    all_values = dict(given)
    waiting = list(robot.mimics)
    while waiting:
        joint = waiting.pop(0)
        if joint.mimic.joint in all_values:
            all_values[joint.name] = joint.mimic.multiplier * all_values[joint.mimic.joint] + joint.mimic.offset
        else:
            waiting.append(joint)
    return given, all_values


def agrees(path, model, poses):
    """Compares all links in random poses; returns how many links were compared."""
    robot = Robot.load(path)
    rng = np.random.default_rng(len(robot.links))
    drawn = [values_of(robot, rng) for _ in range(poses)]
    angles = np.array([[given[joint.name] for joint in robot.joints] for given, _ in drawn]).reshape(poses, -1)
    position, rotation = (0.3, -1.2, 0.7), np.array([0.1, -0.7, 0.5, 0.5]) / 1.0
    moved = {"position": position, "rotation": rotation} if robot.floating else {}
    positions, rotations = robot.forward(angles, **moved)
    compared = 0
    for pose, (_, values) in enumerate(drawn):
        bodies, _ = placed(model, values, position, rotation)
        for number, link in enumerate(robot.links):
            if link in bodies:  # the root of a URDF becomes MuJoCo's world
                assert distance((positions[pose, number], rotations[pose, number]), bodies[link]) < EXACT, link
                compared += 1
        assert set(robot.links[1:]) <= set(bodies)
    for joint in robot.joints:
        found = model.joint(joint.name)
        limits = found.range if model.jnt_limited[found.id] else (-math.inf, math.inf)
        assert np.allclose((joint.lower, joint.upper), limits, rtol=1e-15, atol=0)
    return compared


@pytest.mark.parametrize("name", MENAGERIE)
def test_real_mjcf_stands_where_mujoco_puts_it(name):
    path = menagerie(name)
    assert agrees(path, compiled(path.read_text()), 3) > 20


def test_real_urdf_stands_where_mujoco_puts_it():
    optional("mujoco")
    compared = 0
    for path in example_robots():
        if path.name in BROKEN:
            with pytest.raises(FileError, match=BROKEN[path.name]):
                Robot.load(path)
            continue
        compared += agrees(path, compiled(path.read_bytes()), 2) > 0
    assert compared >= 66


@pytest.mark.parametrize("name", ["universal_robots_ur5e/ur5e.xml", "kuka_iiwa_14/iiwa14.xml", "pal_talos/talos.xml"])
def test_limbs_end_in_sites_where_mujoco_puts_them(name):
    path = menagerie(name)
    robot, model = Robot.load(path), compiled(path.read_text())
    identity = (0.0, 0.0, 0.0, 1.0)
    bodies, sites = placed(model, {joint.name: 0.0 for joint in robot.joints}, (0.0, 0.0, 0.0), identity)
    position, rotation = bodies[robot.base] if robot.floating else (np.zeros(3), np.array(identity))
    assert sites
    for site in sites:
        if robot.floating and site in ("imu",):
            continue
        chain = robot.screws(site, robot.base)
        assert np.allclose(rotation, identity) and np.allclose(position, 0)  # the base is the world's frame
        assert distance((chain.position, chain.rotation), sites[site]) < EXACT


NUMBER = st.floats(-2, 2).map(lambda x: round(x, 3))
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
ANGLE = st.floats(-200, 200).map(lambda x: round(x, 2))  # MuJoCo takes sites turned by 1e-10 as unturned
DIRECTION = VECTOR.filter(lambda v: math.hypot(*v) > 0.1)


def words(numbers):
    return " ".join(map(repr, numbers))


@st.composite
def orientation(draw):
    kind = draw(st.sampled_from(["", "quat", "axisangle", "euler", "xyaxes", "zaxis"]))
    if not kind:
        return ""
    numbers = {
        "quat": st.tuples(NUMBER, NUMBER, NUMBER, NUMBER).filter(lambda q: math.hypot(*q) > 0.1),
        "axisangle": st.tuples(DIRECTION, ANGLE).map(lambda pair: (*pair[0], pair[1])),
        "euler": st.tuples(ANGLE, ANGLE, ANGLE),
        "xyaxes": st.tuples(DIRECTION, DIRECTION)
        .filter(lambda pair: np.linalg.norm(np.cross(*pair)) > 0.1)
        .map(lambda pair: (*pair[0], *pair[1])),
        "zaxis": DIRECTION,
    }[kind]
    return f'{kind}="{words(draw(numbers))}"'


class Bodies:
    """Writes random bodies within bodies, with frames, joints, sites and classes."""

    def __init__(self, draw):
        self.draw, self.count = draw, 0

    def joint(self):
        draw = self.draw
        self.count += 1
        parts = [f'name="j{self.count}"']
        if draw(st.booleans()):
            parts.append(f'axis="{words(draw(DIRECTION))}"')
        if draw(st.booleans()):
            parts.append(f'pos="{words(draw(VECTOR))}"')
        if draw(st.booleans()):
            parts.append(f'ref="{draw(NUMBER)}"')
        if draw(st.booleans()):
            parts.append(f'range="{words(sorted(draw(st.tuples(NUMBER, NUMBER))))}"')
        parts.append(draw(st.sampled_from(['type="hinge"', 'type="slide"', "", 'class="a"', 'class="b"'])))
        return f"<joint {' '.join(parts)}/>"

    def place(self):
        pos = f'pos="{words(self.draw(VECTOR))}"' if self.draw(st.booleans()) else ""
        child_class = self.draw(st.sampled_from(["", 'childclass="b"']))
        return f"{pos} {self.draw(orientation())} {child_class}"

    def body(self, depth):
        draw = self.draw
        self.count += 1
        name = f"b{self.count}"
        inner = "".join(self.joint() for _ in range(draw(st.integers(0, 2))))
        inner += f'<site name="s{self.count}" pos="{words(draw(VECTOR))}" {draw(orientation())}/>'
        if draw(st.booleans()):
            inner += f'<frame {self.place()}>{self.joint()}<site name="t{self.count}"/></frame>'
        if depth < 3:
            inner += "".join(self.body(depth + 1) for _ in range(draw(st.integers(0, 2))))
        body = f'<body name="{name}" {self.place()}>{inner}</body>'
        return f"<frame {self.place()}>{body}</frame>" if draw(st.integers(0, 3)) == 0 else body


@st.composite
def mjcf(draw):
    sequence = draw(st.text("xyzXYZ", min_size=3, max_size=3))
    compiler = f'<compiler angle="{draw(st.sampled_from(["degree", "radian"]))}" eulerseq="{sequence}"/>'
    default = (
        f'<default><joint axis="{words(draw(DIRECTION))}" ref="{draw(NUMBER)}"/><site pos="{words(draw(VECTOR))}"/>'
        f'<default class="a"><joint type="slide" range="-1 1"/>'
        f'<default class="b"><joint pos="{words(draw(VECTOR))}" limited="true"/><site {draw(orientation())}/></default>'
        "</default></default>"
    )
    bodies = Bodies(draw)
    free = '<body name="base" pos="1 2 3" euler="4 5 6"><freejoint/></body>' if draw(st.booleans()) else ""
    tree = "".join(bodies.body(0) for _ in range(draw(st.integers(1, 2))))
    return f"<mujoco>{compiler}{default}<worldbody>{free}{tree}</worldbody></mujoco>"


@given(mjcf())
def test_random_mjcf_stands_where_mujoco_puts_it(tmp_path_factory, text):
    mujoco = optional("mujoco")
    path = tmp_path_factory.mktemp("mjcf") / "robot.xml"
    path.write_text(text)
    try:
        model = compiled(text)
    except ValueError as error:  # a range the wrong way round
        assert "range" in str(error) or isinstance(error, mujoco.FatalError)
        with pytest.raises(FileError, match="range"):
            Robot.load(path)
        return
    robot = Robot.load(path)
    agrees(path, model, 1)
    _, sites = placed(model, {joint.name: 0.0 for joint in robot.joints}, (1.0, 2.0, 3.0), (0.0, 0.0, 0.0, 1.0))
    for name in set(robot.sites) & set(sites):
        link = robot._tree.spec.sites[robot.sites.index(name)].link
        if any(robot._tree.spec.links[k].joints for k in (link,)):
            chain = robot.screws(name, "world")
            assert distance((chain.position, chain.rotation), sites[name]) < EXACT


@st.composite
def urdf(draw):
    count = draw(st.integers(1, 6))
    text = "<link name='l0'/>"
    for k in range(1, count + 1):
        kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "fixed"]))
        axis = f"<axis xyz='{words(draw(DIRECTION))}'/>" if draw(st.booleans()) else ""
        origin = f"<origin xyz='{words(draw(VECTOR))}' rpy='{words(draw(VECTOR))}'/>" if draw(st.booleans()) else ""
        limit = "<limit lower='-1' upper='2' effort='1' velocity='1'/>"
        ends = f"<parent link='l{draw(st.integers(0, k - 1))}'/><child link='l{k}'/>"
        text += f"<link name='l{k}'/><joint name='j{k}' type='{kind}'>{ends}{origin}{axis}{limit}</joint>"
    return f"<robot name='random'>{text}</robot>"


@given(urdf())
def test_random_urdf_stands_where_mujoco_puts_it(tmp_path_factory, text):
    optional("mujoco")
    path = tmp_path_factory.mktemp("urdf") / "robot.urdf"
    path.write_text(text)
    agrees(path, compiled(text), 1)
