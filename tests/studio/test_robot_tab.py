"""The Robot tab: the tip of a limb follows the gizmo, exactly; the other answers are ghosts, and limits are bars."""

import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik import Robot, Status
from limbik.studio.dragged_limb import DraggedLimb
from limbik.studio.robot_meshes import robot_meshes
from limbik.studio.robot_tab import SAMPLE, joint_bars
from tests.assets import asset
from tests.robots.small_robots import MJCF, URDF, write

from .visit import running, until

HUMANOIDS = (
    "unitree_g1/g1",
    "unitree_h1/h1",
    "pal_talos/talos",
    "robotis_op3/op3",
    "apptronik_apollo/apptronik_apollo",
    "booster_t1/t1",
)
KEYS = """<keyframe>
  <key name="squat" qpos="0 0 0 1 0 0 0 1 1 1 1 1 1"/>
  <key name="home" qpos="0 0 0 1 0 0 0 0.1 0.2 0.3 0.4 0.5 0.6"/>
</keyframe></mujoco>"""


def tip_of(dragged):
    """Where the robot's own forward kinematics puts the limb's tip: its position, and its rotation by SciPy."""
    positions, rotations = dragged.robot.forward(dragged.angles)
    number = dragged.robot.links.index(dragged.tip)
    return positions[number], Rotation.from_quat(rotations[number])


def test_a_limb_follows_poses_in_the_world():
    dragged = DraggedLimb(Robot.load(SAMPLE), "arm")
    position, rotation = dragged.tip_pose()
    for step in range(20):
        target = position + step * np.array([0.004, -0.006, 0.005])
        turn = Rotation.from_quat(rotation) * Rotation.from_euler("xyz", [0.02 * step, 0.01 * step, 0])
        before = dragged.angles
        dragged.follow(target, turn.as_quat())
        found, turned = tip_of(dragged)
        assert np.allclose(found, target, atol=1e-9) and (turned.inv() * turn).magnitude() < 1e-7
        assert np.abs(dragged.angles - before).max() < 0.3  # no jump to another branch
    others = dragged.others(target, turn.as_quat())
    assert 1 <= len(others) <= 7
    ends = dragged.joints(others)[:, -1]
    assert np.allclose(ends, target, atol=1e-6)
    assert all(np.abs(np.sin(0.5 * (one - dragged.limb_angles))).max() > 1e-4 for one in others)


@pytest.mark.parametrize("name", HUMANOIDS)
def test_humanoids_open_standing_on_both_feet(name):
    robot = Robot.load(asset(f"robots/{name}.xml"))
    with running("Robot") as studio:
        tab = studio.tab
        tab.open_file(asset(f"robots/{name}.xml"))
        assert tab.dragged.robot.name == robot.name
        angles = tab.dragged.angles
        feet, soles = {}, {}
        for limb in ("left_leg", "right_leg"):
            tab._limb_field.value = limb
            tab._choose_limb()
            assert np.allclose(tab.dragged.angles, angles, atol=1e-3)  # it stays as it is
            feet[limb], rotation = tab.dragged.tip_pose()
            soles[limb] = Rotation.from_quat(rotation)
            assert tab._label.visible and tab._label.text == limb.replace("_", " ")
            assert np.linalg.norm(np.subtract(tab._label.position, tab._gizmo.position)) < tab._gizmo.scale
        size, places = tab._body.size, robot.forward(angles).positions
        left, right = feet.values()
        assert abs(left[2] - right[2]) < 1e-3 * size and np.allclose(left * (1.0, -1.0, 1.0), right, atol=0.01 * size)
        assert max(left[2], right[2]) < places[:, 2].min() + 0.15 * size  # nothing is lower
        assert abs(tab._floor.position[1] - min(left[2], right[2])) < 0.1 * size
        pelvis = places[robot.links.index(robot.base)]
        assert pelvis[2] - left[2] > 0.35 * size
        lower, upper = (np.array([getattr(joint, end) for joint in robot.joints]) for end in ("lower", "upper"))
        assert np.all(angles >= lower - 1e-9) and np.all(angles <= upper + 1e-9)
    # The legs mirror one another, as SciPy turns them.
    mirror = np.diag([1.0, -1.0, 1.0])
    normal = [sole.as_matrix()[2] for sole in soles.values()]
    assert np.allclose(np.abs(normal[0]), np.abs(normal[1]), atol=1e-3) and np.allclose(mirror @ mirror, np.eye(3))


def test_a_robot_opens_in_the_pose_that_its_file_names_for_standing(tmp_path):
    text = MJCF.replace("</mujoco>", KEYS)
    dragged = DraggedLimb(Robot.load(write(tmp_path, text)), "left_leg")
    named = dict(zip([joint.name for joint in dragged.robot.joints], dragged.angles, strict=True))
    assert named == pytest.approx(dragged.robot.poses["home"])


def test_joints_that_cannot_be_at_zero_start_inside_their_limits(tmp_path):
    text = re.sub('name="left_knee"', 'name="left_knee" range="0.5 1.5"', MJCF)
    dragged = DraggedLimb(Robot.load(write(tmp_path, text)), "left_leg")
    named = dict(zip([joint.name for joint in dragged.robot.joints], dragged.angles, strict=True))
    assert named.pop("left_knee") == pytest.approx(0.6)
    assert set(named.values()) == {0.0}


def test_a_robot_is_drawn_around_its_links_in_two_tones_for_its_limb_and_for_the_rest(tmp_path):
    with running("Robot") as studio:
        tab = studio.tab
        tab.open_file(write(tmp_path, MJCF, "legs.xml"))
        tab._choose_limb()
        scene = studio.stage.scene
        drawn = {
            name.rpartition("/")[2]: node.vertices
            for name, node in scene._handle_from_node_name.items()
            if name.startswith("/robot/world/robot/")
        }
        assert drawn.keys() == {"rod", "joint", "rod-of-limb", "joint-of-limb", "end", "end-of-limb"}
        colours = {scene._handle_from_node_name[f"/robot/world/robot/{part}"].color for part in drawn}
        assert len(colours) == 5  # ends and joints of the limb are alike
        robot, size = tab.dragged.robot, tab._body.size
        places = robot.forward(tab.dragged.angles).positions
        everything = np.concatenate(list(drawn.values()))
        away = np.linalg.norm(places[1:, None] - everything, axis=-1).min(axis=1)
        assert np.all(away < 0.05 * size) and tab._body.radii.min() > 0.015 * size
        limb = np.concatenate([drawn[part] for part in ("rod-of-limb", "joint-of-limb", "end-of-limb")])
        for place in tab.dragged.joints(tab.dragged.limb_angles):
            assert np.linalg.norm(limb - place, axis=-1).min() < 0.05 * size


def test_a_limb_without_a_closed_form_follows_too(tmp_path):
    dragged = DraggedLimb(Robot.load(write(tmp_path, URDF)), "arm")
    assert "iterative" in dragged.family
    whole = np.zeros((1, len(dragged.robot.joints)))
    columns = [joint.name for joint in dragged.robot.joints].index("elbow")
    whole[0, columns] = 0.7
    positions, rotations = dragged.robot.forward(whole[0])
    number = dragged.robot.links.index(dragged.tip)
    dragged.follow(positions[number], rotations[number])
    assert np.allclose(tip_of(dragged)[0], positions[number], atol=1e-9)


def stl(triangles, *, binary):
    """The bytes of an STL file with triangles (n, 3, 3)."""
    if binary:
        rows = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        rows["corners"] = triangles
        return bytes(80) + len(triangles).to_bytes(4, "little") + rows.tobytes()
    corners = "".join(
        "facet normal 0 0 0 outer loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)
        + "endloop endfacet\n"
        for triangle in triangles
    )
    return f"solid one\n{corners}endsolid".encode()


WITH_MESHES = """<robot name="two"><link name="base"/>
<link name="arm"><visual><origin xyz="0 0 0.1" rpy="0 0 1.5707963267948966"/>
<geometry><mesh filename="package://mine/meshes/arm.{suffix}" scale="2 2 2"/></geometry></visual></link>
<link name="tip"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="a" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="b" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>"""
TRIANGLES = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0.5], [1, 0, 0], [0, 1, 0]]])


@pytest.mark.parametrize("suffix", ["stl", "text.stl", "obj"])
def test_meshes_that_a_file_names_are_found_and_placed(tmp_path, suffix):
    folder = tmp_path / "mine"
    (folder / "meshes").mkdir(parents=True)
    path = write(folder, WITH_MESHES.format(suffix=suffix), "two.urdf")
    assert robot_meshes(path, {"arm"}) == {}
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in TRIANGLES.reshape(-1, 3)) + "f 1 2/1/1 3\nf -3 -2 -1\n"
    content = points.encode() if suffix == "obj" else stl(TRIANGLES, binary=suffix == "stl")
    (folder / "meshes" / f"arm.{suffix}").write_bytes(content)
    (found,) = robot_meshes(path, {"arm"}).values()
    turned = Rotation.from_euler("z", 90, degrees=True).apply(2.0 * TRIANGLES.reshape(-1, 3)) + (0, 0, 0.1)
    assert np.allclose(found.reshape(-1, 3), turned, atol=1e-6)
    (folder / "meshes" / f"arm.{suffix}").write_bytes(b"no mesh")
    assert robot_meshes(path, {"arm"}) == {}


def test_meshes_move_with_their_links(tmp_path):
    text = MJCF.replace("<default>", '<asset><mesh name="m" file="m.stl"/></asset><default>', 1)
    text = re.sub(r'(<body name="\w+_(hip|shin)"[^>]*>)', r'\1<geom mesh="m" pos="0 0 0.1"/>', text)
    (tmp_path / "m.stl").write_bytes(stl(0.1 * TRIANGLES, binary=True))
    with running("Robot") as studio:
        tab = studio.tab
        tab.open_file(write(tmp_path, text, "legs.xml"))
        tab._move_joint(0, 0.3)
        meshes = {
            int(name.rpartition("mesh")[2]): node
            for name, node in studio.stage.scene._handle_from_node_name.items()
            if name.startswith("/robot/world/robot/mesh")
        }
        robot = tab.dragged.robot
        assert {robot.links[link] for link in meshes} == {"left_hip", "left_shin", "right_hip", "right_shin"}
        places, turns = robot.forward(tab.dragged.angles)
        for link, node in meshes.items():
            assert np.allclose(node.position, places[link]) and np.allclose(node.wxyz, np.roll(turns[link], 1))
            assert np.allclose(node.vertices, 0.1 * TRIANGLES.reshape(-1, 3) + (0, 0, 0.1))
        assert len({node.color for node in meshes.values()}) == 2  # the limb has its own


def test_sliders_move_the_joints_of_the_chosen_limb(tmp_path):
    with running("Robot") as studio:
        tab = studio.tab
        tab.open_file(write(tmp_path, MJCF, "legs.xml"))
        for limb in ("left_leg", "right_leg"):
            tab._limb_field.value = limb
            tab._choose_limb()
            sliders, chain = tab._sliders._sliders, tab.dragged.limb
            assert [slider.label for slider in sliders] == list(chain.joints)
            hinge = np.array([kind == "hinge" for kind in chain.chain.kinds])
            unit = np.where(hinge, 180 / np.pi, 1.0)
            assert np.allclose([slider.min for slider in sliders], chain.lower * unit, atol=0.051)
            assert np.allclose([slider.value for slider in sliders], tab.dragged.limb_angles * unit, atol=0.051)
            sliders[1].value = 20.0
            tab._sliders._take(1, sliders[1])
            assert np.isclose(tab.dragged.limb_angles[1], np.radians(20.0))
            place, turn = tab.dragged.tip_pose()
            assert np.allclose(tab._gizmo.position, place) and np.allclose(np.roll(tab._gizmo.wxyz, -1), turn)


def test_the_whole_body_follows_a_hand_and_the_feet_stay():
    robot = Robot.load(asset("robots/unitree_g1/g1.xml"))
    legs = [DraggedLimb(robot, name) for name in ("left_leg", "right_leg")]
    feet = [leg.tip_pose() for leg in legs]
    hand = DraggedLimb(robot, "left_arm")
    place, turn = hand.tip_pose()
    for step in range(1, 41):
        hand.follow_with_body(place + step * np.array([0.01, 0.0, -0.012]), turn)
    assert hand.status == Status.REACHED and np.allclose(hand.tip_pose()[0], place + (0.4, 0.0, -0.48), atol=1e-9)
    assert hand.frames().positions[robot.links.index("pelvis"), 2] < 0.78
    for leg, (position, rotation) in zip(legs, feet, strict=True):
        leg.copy_pose(hand)
        found, turned = leg.tip_pose()
        assert np.allclose(found, position, atol=1e-9) and np.allclose(turned, rotation, atol=1e-9)
    hand.follow_with_body(place + (3.0, 0.0, 0.0), turn)
    assert hand.status != Status.REACHED and hand.residual > 1.0


def test_bars_show_names_limits_and_angles():
    names, one = ("a<b", "c"), np.array([0.5, 2.0])
    text = joint_bars(names, np.array([-1.0, -np.inf]), np.array([1.0, np.inf]), one, np.array([[0.0, -1.0]]))
    assert "a&lt;b" in text and "28.6°" in text and "114.6°" in text
    assert [float(at) for at in re.findall(r"calc\(([\d.]+)%", text)] == pytest.approx([50, 75, 34.1, 81.8], abs=0.1)


def test_an_arm_follows_the_mouse(visit, tmp_path):
    page = visit("Robot")
    tab = page.tab
    page.page.get_by_text("reached").wait_for()
    assert page.page.get_by_text("shoulder_lift_joint").count() == 2  # a bar and a slider
    page.pull(tab._gizmo, 2, -40, in_world=lambda place: place[[1, 2, 0]])  # z is up in the robot's world
    until(lambda: np.allclose(tip_of(tab.dragged)[0], tab._gizmo.position, atol=1e-6), "the tip at the gizmo")
    shown = [ghost.visible for ghost in tab._ghosts]
    assert sum(shown) == len(tab.dragged.others(tab._gizmo.position, np.roll(tab._gizmo.wxyz, -1))) > 0
    page.tick("Other answers")
    until(lambda: not any(ghost.visible for ghost in tab._ghosts), "no ghosts")
    page.upload(write(tmp_path, MJCF, "legs.xml"))
    until(lambda: tab.dragged.robot.name == "small", "another robot")
    assert tab._limb_field.options == ("left_leg", "right_leg")
    page.choose("Limb", "right_leg")
    page.page.get_by_text("iterative").wait_for()
    page.upload(write(tmp_path, "<robot/>", "nothing.urdf"))
    page.page.get_by_text("has no <link>").wait_for()
    assert tab.dragged.robot.name == "small"
    page.close_notifications()
