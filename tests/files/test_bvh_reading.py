"""BVH files as people have them: positions are where a referee's own forward kinematics has them."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.files import bvh
from limbik.files.bvh import bvh_sections
from limbik.files.bvh.bvh_channels import local_transforms
from limbik.skeleton.pose import Pose
from limbik.skeleton.units import UNITS
from tests.assets import CLIP, CLIPS, asset
from tests.optional import optional

from .bvh_figures import POSITIONS, Figure, Joint, figures, walker


def read(figure, **options):
    return bvh.parse(figure.text().encode(), "figure.bvh", **({"unit": "m", "up": "y"} | options))


@pytest.mark.parametrize("name", CLIPS)
def test_positions_agree_with_pybvh(name):
    pybvh = optional("pybvh")
    clip = bvh.load(asset(name))
    theirs = pybvh.read_bvh_file(str(asset(name))).node_positions() * clip.unit.metres
    height = np.ptp(theirs[0, :, 1])
    assert np.abs(clip.positions() - theirs).max() < 1e-5 * height
    assert (clip.unit.name, clip.fps, clip.source.up) == ("cmu", 120.0, "y")
    assert 1.4 < height < 1.9


@given(figures())
def test_every_channel_order_puts_joints_where_scipy_does(figure):
    clip = read(figure)
    assert clip.skeleton.names == tuple(joint.name for joint in figure.joints)
    assert clip.skeleton.parents.tolist() == [joint.parent for joint in figure.joints]
    assert clip.skeleton.end_sites.tolist() == [joint.channels is None for joint in figure.joints]
    expected = figure.positions() if figure.columns else np.zeros((0, len(figure.joints), 3))
    assert np.allclose(clip.positions(), expected, rtol=0, atol=1e-11 * 1e3)


@given(figures(), st.sampled_from("xyz"), st.floats(1e-3, 1e3))
def test_any_axis_up_and_any_unit_come_out_as_y_up_and_metres(figure, up, metres):
    clip = read(figure, unit=metres, up=up)
    turned = {"x": lambda p: (-p[1], p[0], p[2]), "y": lambda p: p, "z": lambda p: (p[0], p[2], -p[1])}[up]
    expected = np.stack(turned(np.moveaxis(figure.positions() * metres, -1, 0)), axis=-1)
    assert np.allclose(clip.positions(), expected[: len(clip)], rtol=1e-12, atol=1e-10 * metres)
    at_rest = Figure([Joint(j.name, j.parent, j.offset, j.channels and ()) for j in figure.joints], np.zeros((1, 0)))
    rest = np.stack(turned(np.moveaxis(at_rest.positions() * metres, -1, 0)), axis=-1)
    assert np.allclose(Pose.rest(clip.skeleton).positions(), rest[0], rtol=1e-12, atol=1e-10 * metres)


TEXT = """HIERARCHY
ROOT Hips
{
\tOFFSET 0.0 1.0 0.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
\tJOINT Left Leg
\t{
\t\tOFFSET 0.5 0.25 -12.5
\t\tCHANNELS 3 Yrotation Xrotation Zrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 -1.0 0.0
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.0083333
1.0 2.0 3.0 10.0 20.0 30.0 0.25 -40.0 50.0
1.5 2.5 3.5 11.0 21.0 31.0 0.125 -41.0 51.0
"""


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: "\n\n" + text.replace("\n", "\n\n"),
        lambda text: text.replace("\t", "    ").replace(" ", "  ").replace("Left  Leg", "Left Leg"),
        lambda text: text.replace(" ", "\t").replace("Left\tLeg", "Left Leg").replace("End\tSite", "End Site"),
        lambda text: text.replace("\n\t{", " {").replace("\n{", "{"),
        lambda text: text.replace("{\n", "{ ").replace("\t}\n}", "}}"),
        lambda text: text.lower().replace("hips", "Hips").replace("left leg", "Left Leg"),
        lambda text: text.upper().replace("HIPS", "Hips").replace("LEFT LEG", "Left Leg"),
        lambda text: text.replace("ROOT", "Root").replace("End Site", "End site"),
        lambda text: text.replace("End Site", "End Site Toe"),
        lambda text: text.replace("CHANNELS 6 Xposition ", "CHANNELS 6\nXposition\n"),
        lambda text: text.replace("-12.5", "-1.25e+1").replace("0.25 -40.0", ".25E0 -4e1").replace("50.0", "+50."),
        lambda text: text.replace("Frames: 2", "Frames:\t2").replace("Frame Time: 0", "FrameTime:0"),
        lambda text: text.replace("Frames: 2", "Frames : 2 ").replace("Frame Time: 0", "Frame time :  0"),
        lambda text: text.replace("Frames: 2", "Frames: 4000000000"),
        lambda text: text.replace("Frames: 2", "Frames: 0"),
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n \t\r\n\n",
        lambda text: text.replace("\t\t\tOFFSET 0.0 -1.0 0.0", "\t\t\tOFFSET 0.0 -1.0 0.0\n\t\t\tCHANNELS 0"),
        lambda text: text.replace("\n1.5", " \n1.5"),
    ],
)
def test_layouts_that_people_have_read_the_same(change):
    plain, changed = (bvh.parse(text.encode(), "t.bvh") for text in (TEXT, change(TEXT)))
    assert change(TEXT) != TEXT
    assert changed.skeleton.has_joints_of(plain.skeleton)
    assert np.array_equal(changed.skeleton.translations, plain.skeleton.translations)
    assert np.array_equal(changed.skeleton.end_sites, plain.skeleton.end_sites)
    assert np.array_equal(changed.rotations, plain.rotations)
    assert np.array_equal(changed.translations, plain.translations)
    assert (changed.fps, changed.unit) == (plain.fps, plain.unit) == (120.0, plain.unit)


def test_the_plain_text_holds_what_it_says():
    clip = bvh.parse(TEXT.encode(), "t.bvh", unit="m", up="y")
    assert clip.skeleton.names == ("Hips", "Left Leg", "Left Leg_end")
    assert clip.skeleton.translations.tolist() == [[0, 1, 0], [0.5, 0.25, -12.5], [0, -1, 0]]
    assert clip.translations[1].tolist() == [[1.5, 2.5, 3.5], [0.5, 0.25, -12.5], [0, -1, 0]]
    assert (len(clip), clip.source.motion.claimed, clip.source.motion.frame_time) == (2, 2, "0.0083333")


def test_joints_without_names_get_numbers():
    clip = bvh.parse(TEXT.replace("JOINT Left Leg", "JOINT").encode(), "t.bvh")
    assert clip.skeleton.names == ("Hips", "joint_1", "joint_1_end")


@pytest.mark.parametrize("name", ["Hüfte", "腰", "mixamorig:Hips"])
def test_names_in_any_script(name):
    assert bvh.parse(TEXT.replace("Hips", name).encode(), "t.bvh").skeleton.names[0] == name


def test_names_in_an_old_encoding_are_read_letter_by_letter():
    assert bvh.parse(TEXT.replace("Hips", "Hüfte").encode("latin-1"), "t.bvh").skeleton.names[0] == "Hüfte"


def test_an_end_site_of_no_length_is_no_joint():
    clip = bvh.parse(TEXT.replace("OFFSET 0.0 -1.0 0.0", "OFFSET 0 -0.0 0").encode(), "t.bvh")
    assert clip.skeleton.names == ("Hips", "Left Leg")


def test_a_file_without_frames_is_a_clip_without_frames():
    text = TEXT[: TEXT.index("1.0 2.0")]
    clip = bvh.parse(text.encode(), "t.bvh")
    assert len(clip) == 0 and clip.positions().shape == (0, 3, 3)


@pytest.mark.parametrize(
    ("text", "fps"),
    [
        (".0083333", 120.0),
        ("0.00833333333333", 120.0),
        ("8.33333e-03", 120.0),
        ("0.008", 125.0),
        ("0.0083", 120.0),
        ("0.033333", 30.0),
        ("0.0333", 30.0),
        ("0.033", 30.0),
        ("0.03336667", 30000 / 1001),
        ("0.0416667", 24.0),
        ("0.0417083", 24000 / 1001),
        ("0.0166666", 60.0),
        ("0.0167", 60.0),
        ("0.017", 60.0),
        ("0.016", 60.0),
        ("0.04", 25.0),
        ("0.01", 100.0),
        ("0.005", 200.0),
        ("0.0111111", 90.0),
        ("0.03003003003", 33.3),
        ("2.5", 0.4),
        ("1", 1.0),
    ],
)
def test_the_rate_is_the_one_that_was_meant(text, fps):
    assert bvh_sections.rate(text) == pytest.approx(fps, rel=1e-9)
    if fps == round(fps):
        assert bvh_sections.rate(text) == fps


@pytest.mark.parametrize("unit", ["m", "cm", "mm", "inch", "cmu"])
@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("travel", [0.0, 3.0])
def test_unit_and_up_axis_of_a_person_are_guessed(unit, up, travel):
    clip = read(walker(up, UNITS[unit].metres, travel=travel), unit="auto", up="auto")
    assert (clip.unit.name, clip.source.up) == (unit, up)
    assert np.allclose(clip.positions(), walker(travel=travel).positions(), atol=1e-5)


def test_a_figure_at_rest_alone_tells_its_unit_and_up_axis():
    for up in "yz":
        clip = read(walker(up, 0.01, frames=0), unit="auto", up="auto")
        assert (clip.unit.name, clip.source.up) == ("cm", up)


def moved(figure, by):
    for k, (joint, channel) in enumerate(figure.columns):
        if joint == 0 and channel in POSITIONS:
            figure.values[:, k] += by[POSITIONS.index(channel)]
    return figure


@pytest.mark.parametrize(
    ("what", "figure"),
    [
        ("hips at the origin", moved(walker(travel=0.0), (0, -0.95, 0))),
        ("a floor far below", moved(walker(travel=0.0), (0, -30, 0))),
        ("a person off to the side", moved(walker(), (0, 0, 40))),
    ],
)
def test_y_is_up_wherever_the_figure_is(what, figure):
    assert read(figure, up="auto").source.up == "y", what


def test_y_is_up_for_an_animal_that_is_longer_than_tall():
    legs = [((0.2 * x, 0.0, 1.2 * z), (0.0, -0.7, 0.0)) for x in (-1, 1) for z in (0, 1)]
    joints = [Joint("Hips", -1, (0, 0.7, 0), ("Yposition", "Xrotation"))]
    for hip, foot in legs:
        joints.append(Joint(f"leg {len(joints)}", 0, hip, ("Xrotation",)))
        joints.append(Joint("", len(joints) - 1, foot, None))
    joints.append(Joint("Head", 0, (0, 0.2, 1.6), ("Xrotation",)))
    values = np.zeros((10, 7))
    values[:, 0], values[:, 2] = 0.7, np.linspace(-20, 20, 10)
    assert read(Figure(joints, values), up="auto").source.up == "y"


@given(figures())
def test_angles_turn_as_scipy_turns_them(figure):
    clip = read(figure)
    rotations, _ = local_transforms(clip.source.hierarchy, clip.source.motion.values)
    for joint, one in enumerate(figure.joints):
        for frame in range(len(clip)):
            own = dict(zip(figure.columns, figure.values[frame], strict=True))
            turn = Rotation.identity()
            for channel in one.channels or ():
                if channel.endswith("rotation"):
                    turn = turn * Rotation.from_euler(channel[0], own[joint, channel], degrees=True)
            assert np.abs(np.abs(np.dot(turn.as_quat(), rotations[frame, joint])) - 1.0) < 1e-12


def test_a_clip_of_seconds_needs_no_numba():
    code = f"import sys; from limbik.files import bvh; from pathlib import Path; bvh.load(Path({str(asset(CLIP))!r}))"
    code += "; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
