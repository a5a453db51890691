"""What limbik does not read is refused by name, with file and line; hostile files are refused soon and read nothing."""

import math
import re

import numpy as np
import pytest

from limbik import Robot
from limbik.errors import FileError
from limbik.robots import xml_elements
from tests.optional import optional
from tests.peak_memory import peak_of
from tests.robots.small_robots import MJCF, URDF, write

LINKS = "<link name='a'/><link name='b'/>"
ENDS = "<parent link='a'/><child link='b'/>"


def urdf(joint="", links=LINKS):
    return f"<robot name='r'>\n{links}\n{joint}\n</robot>"


def joint(kind, inside="", name="j"):
    return f"<joint name='{name}' type='{kind}'>{ENDS}{inside}</joint>"


def mjcf(body, above="", name="<body>"):
    return f"<mujoco>\n{above}\n<worldbody>\n<body name='a'>\n{body}\n</body>\n</worldbody></mujoco>"


REFUSED = {
    "line 1: is not XML": [
        "",
        "hello",
        "<robot>",
        "<robot name='r'",
        "\0\0",
        "<?xml version='1.0' encoding='nope'?><a/>",
    ],
    "line 1: has a document type": [
        "<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='&a;'/>",
        "<!DOCTYPE mujoco SYSTEM 'http://example.com/x.dtd'><mujoco/>",
        "<!DOCTYPE robot [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><robot>&a;</robot>",
    ],
    "line 1: <sdf> is SDF": ["<sdf version='1.6'><model/></sdf>"],
    "line 1: <urdf> is the root; expected <robot>": ["<urdf/>"],
    "line 1: <mujocoinclude> is a part": ["<mujocoinclude/>"],
    "line 1: <robot> has no <link>": ["<robot/>"],
    "line 2: <xacro:macro name='m'> is xacro, not URDF: run `xacro FILE": [
        "<robot xmlns:xacro='x'>\n<xacro:macro name='m'/></robot>"
    ],
    "line 3: <origin> is xacro": [urdf(joint("fixed", "<origin xyz='0 0 ${length}'/>"))],
    "line 3: <joint name='j'> is planar": [urdf(joint("planar"))],
    r"line 3: <joint name='j'> has type='revolut'.*did you mean 'revolute'": [urdf(joint("revolut"))],
    "line 3: <joint name='j'> has no type": [urdf(f"<joint name='j'>{ENDS}</joint>")],
    "line 3: <joint> has no name": [urdf(f"<joint type='fixed'>{ENDS}</joint>")],
    "line 3: <joint name='j'> has no <parent>": [urdf("<joint name='j' type='fixed'><child link='b'/></joint>")],
    "line 3: <child> names a link that does not exist: 'bb'": [
        urdf("<joint name='j' type='fixed'><parent link='a'/><child link='bb'/></joint>")
    ],
    "line 3: <joint name='j'> has a zero axis": [urdf(joint("continuous", "<axis xyz='0 0 0'/>"))],
    "line 3: <axis> has xyz='1 0'; expected 3 numbers": [urdf(joint("continuous", "<axis xyz='1 0'/>"))],
    "line 3: <origin> has xyz='0 0 nan'": [urdf(joint("fixed", "<origin xyz='0 0 nan'/>"))],
    "line 3: <origin> has xyz='0 0 1e9'; expected 3 numbers of at most 1e": [
        urdf(joint("fixed", "<origin xyz='0 0 1e9'/>"))
    ],
    "line 3: <origin> is the second one": [urdf(joint("fixed", "<origin/><origin/>"))],
    "line 3: <limit> has lower=1 and upper=-1": [urdf(joint("revolute", "<limit lower='1' upper='-1'/>"))],
    "line 3: <joint name='k'> moves link 'b', as joint 'j' does": [urdf(joint("fixed") + joint("fixed", name="k"))],
    "line 3: <joint name='j'> has the name of the <joint> on line 3": [urdf(joint("fixed") + joint("fixed"))],
    "line 1: <robot name='r'> has 2 links that no joint moves \\('a', 'b'\\); expected one root": [urdf()],
    "line 1: <robot name='r'> is a circle": [
        urdf(joint("fixed") + "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>")
    ],
    "line 3: <joint name='k'> is part of a circle": [
        urdf(
            "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>"
            "<joint name='l' type='fixed'><parent link='b'/><child link='c'/></joint>",
            LINKS + "<link name='c'/>",
        )
    ],
    "line 3: <joint name='j'> mimics 'j', which": [urdf(joint("continuous", "<mimic joint='j'/>"))],
    "line 3: <joint name='j'> mimics a joint that does not exist": [urdf(joint("continuous", "<mimic joint='k'/>"))],
    "line 3: <joint name='k'> is floating, but not below the root": [
        urdf(
            joint("fixed") + "<joint name='k' type='floating'><parent link='b'/><child link='c'/></joint>",
            LINKS + "<link name='c'/>",
        )
    ],
    "line 1: <joint> moves the world": ["<mujoco><worldbody><joint/><body/></worldbody></mujoco>"],
    "line 1: <mujoco> has no <body>": [
        "<mujoco/>",
        "<mujoco><worldbody/></mujoco>",
        "<mujoco><worldbody><geom/></worldbody></mujoco>",
    ],
    "line 5: <composite> is not read: it makes bodies": [mjcf("<composite/>")],
    "line 5: <replicate> is not read": [mjcf("<replicate count='3'><body/></replicate>")],
    "line 5: <attach> is not read": [mjcf("<attach model='m'/>")],
    "line 5: <flexcomp> is not read": [mjcf("<flexcomp/>")],
    "line 5: <jont> is not read within <body>": [mjcf("<jont/>")],
    "line 5: <joint> has type='hing'; expected one of 'hinge'": [mjcf("<joint type='hing'/>")],
    "line 5: <joint> has a zero axis": [mjcf("<joint axis='0 0 0'/>")],
    "line 5: <joint name='j'> has the name of another joint": [mjcf("<joint name='j'/><joint name='j'/>")],
    "line 5: <body name='a'> has the name of another body": [mjcf("<body name='a'/>")],
    "line 5: <body name='world'> has the name of another body": [mjcf("<body name='world'/>")],
    "line 5: <freejoint> frees a body within another": [mjcf("<body><freejoint/></body>")],
    "line 5: <freejoint> is not the body's only joint": [
        mjcf("<joint/><freejoint/>"),
        mjcf("<freejoint/><freejoint/>"),
    ],
    "line 5: <joint> follows a free joint": [mjcf("<freejoint/><joint/>")],
    "line 5: <body> has quat and euler; expected one orientation": [mjcf("<body quat='1 0 0 0' euler='0 0 0'/>")],
    "line 5: <body> has quat='0 0 0 0', which is no orientation": [mjcf("<body quat='0 0 0 0'/>")],
    "line 5: <body> has zaxis='0 0 0', which": [mjcf("<body zaxis='0 0 0'/>")],
    "line 5: <body> has xyaxes='1 0 0 2 0 0', which": [mjcf("<body xyaxes='1 0 0 2 0 0'/>")],
    "line 5: <body> has axisangle='0 0 0 1', which": [mjcf("<body axisangle='0 0 0 1'/>")],
    "line 5: <body> has pos='1 2'; expected 3 numbers": [mjcf("<body pos='1 2'/>")],
    "line 5: <joint> has the unknown class 'wid' \\(did you mean 'wide'": [
        mjcf("<joint class='wid'/>", "<default><default class='wide'/></default>")
    ],
    "line 5: <body> has the unknown childclass 'x'": [mjcf("<body childclass='x'/>")],
    "line 2: <default> has the name of another class: 'x'": [
        mjcf("", "<default><default class='x'/><default class='x'/></default>")
    ],
    "line 2: <default> has no class": [mjcf("", "<default><default/></default>")],
    'line 2: <compiler> has coordinate="global"': [mjcf("", "<compiler coordinate='global'/>")],
    "line 2: <compiler> has angle='turns'": [mjcf("", "<compiler angle='turns'/>")],
    "line 2: <compiler> has eulerseq='xyw'": [mjcf("", "<compiler eulerseq='xyw'/>")],
    "line 5: <joint> has a range, but not limited": [mjcf("<joint range='0 1'/>", "<compiler autolimits='false'/>")],
    "line 5: <joint> has the range 0 to 0": [mjcf("<joint limited='true'/>")],
    "line 2: <include> has no file": [mjcf("", "<include/>")],
    "line 2: <include> names a file that cannot be read: .*missing.xml: does not exist": [
        mjcf("", "<include file='missing.xml'/>")
    ],
    "line 2: <include> names .*, outside the file's folder": [
        mjcf("", "<include file='../secret.xml'/>"),
        mjcf("", "<include file='/etc/passwd'/>"),
        mjcf("", "<include file='/root/secret.xml'/>"),
        mjcf("", "<include file='below/../../secret.xml'/>"),
        mjcf("", "<include file='link.xml'/>"),
    ],
    "line 2: <include> names": [mjcf("", f"<include file='{'x' * 5000}'/>")],
    "line 2: <include> names 'robot.xml' again": [mjcf("", "<include file='robot.xml'/>")],
}


@pytest.mark.parametrize(("message", "text"), [(message, text) for message, texts in REFUSED.items() for text in texts])
def test_refused_by_name_with_file_and_line(tmp_path, message, text):
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    path = write(folder, text)
    with pytest.raises(FileError, match=message) as raised:
        Robot.load(path)
    assert str(raised.value).startswith(str(path))


def test_other_files_are_refused_by_their_paths(tmp_path):
    xacro = write(tmp_path, URDF, "arm.urdf.xacro")
    wanted = {xacro: r"is xacro, not URDF: run `xacro FILE > robot\.urdf`", tmp_path: "is a folder"}
    for path, message in {**wanted, tmp_path / "nothing.urdf": "does not exist"}.items():
        with pytest.raises(FileError, match=message):
            Robot.load(path)


def test_includes_of_the_folder_and_below_are_read_once_each(tmp_path):
    (tmp_path / "parts").mkdir()
    write(tmp_path / "parts", "<mujocoinclude><joint name='j'/><include file='more.xml'/></mujocoinclude>", "arm.xml")
    write(tmp_path, "<mujocoinclude><site name='s'/></mujocoinclude>", "more.xml")  # beside the main file
    robot = Robot.load(write(tmp_path, mjcf("<include file='parts/arm.xml'/>")))
    assert [joint.name for joint in robot.joints] == ["j"] and robot.sites == ("s",)
    write(tmp_path, "<mujocoinclude><include file='parts/arm.xml'/></mujocoinclude>", "more.xml")
    with pytest.raises(FileError, match=r"more\.xml, line 1: <include> names 'parts/arm\.xml' again"):
        Robot.load(tmp_path / "robot.xml")


PART = "<mujocoinclude>{}</mujocoinclude>"
INCLUDES = {
    "parts/arm.xml": PART.format("<body name='arm'/><include file='hands/hand.xml'/>"),
    "hands/hand.xml": PART.format("<body name='main'/>"),
    "parts/hands/hand.xml": PART.format("<include file='finger.xml'/>"),
    "finger.xml": PART.format("<body name='finger_of_main'/>"),
    "parts/finger.xml": PART.format("<body name='finger_of_parts'/>"),
    "parts/hands/finger.xml": PART.format("<body name='finger_of_hands'/>"),
}


@pytest.mark.parametrize("absent", [0, 1, 3, 5, 7, 9, 11, 13, 15])
def test_includes_of_included_files_are_found_where_mujoco_finds_them(tmp_path, absent):
    """Of the files that could be meant, some are absent: MuJoCo tells which one is read, and whether one is."""
    mujoco = optional("mujoco")
    optional_parts = ("hands/hand.xml", "finger.xml", "parts/finger.xml", "parts/hands/finger.xml")
    for name, text in INCLUDES.items():
        if name not in optional_parts or not absent >> optional_parts.index(name) & 1:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            write(tmp_path, text, name)
    main = write(tmp_path, mjcf("<include file='parts/arm.xml'/>"))
    try:
        expected = tuple(body.name for body in mujoco.MjSpec.from_file(str(main)).bodies)
    except ValueError:
        with pytest.raises(FileError, match="names a file that cannot be read"):
            Robot.load(main)
    else:
        assert Robot.load(main).links == expected


def test_includes_of_one_name_beside_two_files_are_two_files(tmp_path):
    for folder in ("left", "right"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, PART.format("<include file='hand.xml'/>"), "arm.xml")
        write(tmp_path / folder, PART.format(f"<body name='{folder}'/>"), "hand.xml")
    robot = Robot.load(write(tmp_path, mjcf("<include file='left/arm.xml'/><include file='right/arm.xml'/>")))
    assert robot.links == ("world", "a", "left", "right")


def test_an_include_may_lead_up_as_far_as_the_main_files_folder(tmp_path):
    (tmp_path / "robot" / "parts").mkdir(parents=True)
    write(tmp_path / "robot", PART.format("<body name='hand'/>"), "hand.xml")
    write(tmp_path / "robot" / "parts", PART.format("<include file='../hand.xml'/>"), "arm.xml")
    main = write(tmp_path / "robot", mjcf("<include file='parts/arm.xml'/>"))
    assert Robot.load(main).links == ("world", "a", "hand")
    write(tmp_path, PART.format("<body name='secret'/>"), "hand.xml")  # which MuJoCo would read: it is found first
    with pytest.raises(FileError, match="outside the file's folder"):
        Robot.load(main)


def test_a_faulty_line_of_an_included_file_is_named(tmp_path):
    write(tmp_path, "<mujocoinclude>\n\n<joint axis='x'/></mujocoinclude>", "part.xml")
    with pytest.raises(FileError, match=rf"{re.escape(str(tmp_path / 'part.xml'))}, line 3: <joint> has axis='x'"):
        Robot.load(write(tmp_path, mjcf("<include file='part.xml'/>")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<a>" * 100_000, "nested more than 500 deep"),
        ("<mujoco><worldbody>" + "<body>" * 490 + "</body>" * 490 + "</worldbody></mujoco>", ""),
        ("<robot>" + "<link name='x'/>" * 10, "has the name of|is not XML"),
    ],
)
def test_deep_files(tmp_path, text, message):
    path = write(tmp_path, text)
    if not message:
        assert len(Robot.load(path).links) == 491
        return
    with pytest.raises(FileError, match=message):
        Robot.load(path)


def test_large_files_are_refused_soon(tmp_path, monkeypatch):
    monkeypatch.setattr(xml_elements, "MAX_ELEMENTS", 1000)
    path = write(tmp_path, f"<robot>{'<a/>' * 50_000}</robot>")

    def refused():
        with pytest.raises(FileError, match="has more than 1,000 elements"):
            Robot.load(path)

    assert peak_of(refused) < 10 * path.stat().st_size
    monkeypatch.setattr(xml_elements, "MAX_BYTES", 1000)
    with pytest.raises(FileError, match="has 200,015 bytes; the limit is 1,000"):
        Robot.load(path)


def chain_of(count, parent=lambda k: k - 1):
    """A URDF of so many links, each moved by a joint on its parent."""
    links = "".join(f"<link name='l{k}'/>" for k in range(count))
    joints = "".join(
        f"<joint name='j{k}' type='continuous'><parent link='l{parent(k)}'/><child link='l{k}'/>"
        "<origin xyz='0 0 0.01'/></joint>"
        for k in range(1, count)
    )
    return f"<robot>{links}{joints}</robot>"


def test_a_chain_of_a_thousand_links_is_read(tmp_path):
    robot = Robot.load(write(tmp_path, chain_of(1000)))
    assert np.allclose(robot.forward(np.zeros(999)).positions[-1], (0, 0, 9.99))
    assert len(robot.screws("l999")) == 999
    with pytest.raises(FileError, match="<joint name='j1000'> exceeds the limit of 1,000 links in a row"):
        Robot.load(write(tmp_path, chain_of(1001)))


def test_thousands_of_links_are_read_and_more_refused(tmp_path):
    robot = Robot.load(write(tmp_path, chain_of(2000, lambda k: k - 1 if k % 5 else max(0, k - 5))))
    assert len(robot.links) == 2000 and len(robot.limb_ends()) > 300
    with pytest.raises(FileError, match="has 5,001 links; the limit is 5,000"):
        Robot.load(write(tmp_path, chain_of(5001, lambda k: 0)))


def test_what_is_read(tmp_path):
    """Limits, axes, mimics, names and the parts that floats, as the files say."""
    arm = Robot.load(write(tmp_path, URDF))
    assert [joint.name for joint in arm.joints] == ["shoulder", "elbow", "reach", "grip"]
    assert [joint.kind for joint in arm.joints] == ["hinge", "hinge", "slide", "hinge"]
    shoulder, elbow, reach, _ = arm.joints
    assert shoulder.axis == (0, 0, 1) and (shoulder.lower, shoulder.upper) == (-1, 2)
    assert (elbow.lower, elbow.upper) == (-math.inf, math.inf) and elbow.axis == (1, 0, 0)
    assert np.allclose(reach.axis, (math.sqrt(0.5), math.sqrt(0.5), 0))
    (follow,) = arm.mimics
    assert (follow.mimic.joint, follow.mimic.multiplier, follow.mimic.offset) == ("grip", -2, 0.1)
    assert arm.base == arm.links[0] == "base" and not arm.floating and arm.parents[0] == -1
    legs = Robot.load(write(tmp_path, MJCF))
    assert legs.base == "trunk" and legs.floating and legs.links[0] == "world" and legs.name == "small"
    assert set(legs.sites) == {"left_foot", "left_toe"}
    pitch = next(joint for joint in legs.joints if joint.name == "left_pitch")
    assert pitch.reference == 0.3 and (pitch.lower, pitch.upper) == (-3, 3) and pitch.axis == (0, 1, 0)


def test_joints_and_bodies_without_names_get_some(tmp_path):
    text = "<mujoco><worldbody><body><joint/><joint/><body name='body1_joint'/></body><body/></worldbody></mujoco>"
    robot = Robot.load(write(tmp_path, text))
    assert robot.links == ("world", "body1", "body1_joint", "body3")
    assert [joint.name for joint in robot.joints] == ["body1_joint", "body1_joint2"]


def test_ball_joints_are_held(tmp_path):
    text = mjcf("<joint name='j'/><body name='b' pos='0 0 1'><joint name='socket' type='ball'/></body>")
    robot = Robot.load(write(tmp_path, text))
    assert robot.held == ("socket",) and [joint.name for joint in robot.joints] == ["j"]
    with pytest.raises(ValueError, match="not below ball joint 'socket'"):
        robot.screws("b", "world")
