"""The Unity package, compiled by Mono and run against a stand-in for UnityEngine (tests/exporting/unity)."""

import json
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.springs import free_swing
from tests.assets import CLIPS, asset
from tests.exporting.toolchains import run, tool

HERE = Path(__file__).parent / "unity"
PAGE = (Path(__file__).parents[2] / "docs" / "unity.md").read_text("utf-8")
LISTINGS = re.findall(r"^```csharp\n(.*?)^```$", PAGE, re.M | re.S)
SLOPES = (-20, -10, 0, 10, 20)
POINTS = ("sole", "hip", "knee", "ankle", "pelvis", "animated_knee", "animated_ankle")
SLACK = 0.01  # metres that a joint may move in a frame beyond twice what the animation and the target do


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unity") / "org.limbik.ik"
    limbik.export("unity").write(folder)
    return folder


@pytest.fixture(scope="session")
def program(package):
    """The package with the programs of the tests, compiled once; warnings are errors. A scenario's lines by name."""
    compiler, mono = tool("mcs"), tool("mono")
    for number, listing in enumerate(LISTINGS):  # as they are printed
        (package.parent / f"Listing{number}.cs").write_text(listing)
    sources = [*package.rglob("*.cs"), *HERE.glob("*.cs"), *package.parent.glob("Listing*.cs")]
    built = package.parent / "scenarios.exe"
    run(compiler, "-langversion:7", "-optimize+", "-warnaserror", "-main:Scenarios", f"-out:{built}", *sources)

    @cache
    def start(name, *arguments, **environment):
        found = {}
        for line in run(mono, built, name, *arguments, env={**os.environ, **environment}).splitlines():
            word, *numbers = line.split()
            found.setdefault(word, []).append([float(number) for number in numbers])
        return {word: np.array(rows) for word, rows in found.items()}

    return start


# --- solvers on bones


def test_components_bring_bones_to_their_targets(program):
    found = program("Components")
    for name in ("arm", "leg", "chain", "look"):
        errors = found[name]
        assert len(errors) == 200
        assert errors.max() < 2e-3 and np.median(errors, axis=0).max() < 8e-6, (name, errors.max(axis=0))
    assert not found["nan"].any()


def test_four_ends_are_reached_at_once_by_the_smallest_shift_of_the_pelvis(program):
    missed, further = program("Ends")["ends"].T
    assert missed.max() < 1e-4
    assert further.max() < 1e-3  # than the shift for which the targets were made


def test_springs_step_as_limbiks(program):
    cases = [(rate, damping, 1 / 60) for rate in (0.5, 9.0, 60.0) for damping in (0.0, 0.3, 0.999, 1.0, 1.001, 4.0)]
    found = program("Swing", *(",".join(map(str, case)) for case in cases))["swing"]
    wanted = np.array([np.ravel(free_swing(*case)) for case in cases])
    assert np.allclose(found, wanted, rtol=2e-3, atol=2e-5)


def test_a_tail_sways_alike_at_any_frame_rate_and_comes_to_rest(program):
    most, last, length, early, teleported = program("Tail")["tail"].T
    assert (most > 0.05).all() and np.ptp(most) < 2e-3
    assert last.max() < 1e-4 and length.max() < 1e-6 and early.max() < 1e-6 and teleported.max() < 1e-4


# --- what an animator expects of every component


def test_weight_0_is_the_animations_pose_bit_by_bit(program):
    assert all(not frames.any() and len(frames) == 2 for frames in program("WeightNone").values())


def test_a_weight_between_blends_rotations(program):
    assert all(degrees.max() < 1e-3 for degrees in program("BlendedWeight").values())


def test_nothing_creeps_where_no_animator_writes(program):
    for name, rows in program("HeldWeight").items():
        assert rows[:, 0].max() < 1e-4, name  # degrees from the hundredth frame to the two hundredth
        assert not rows[:, 1].any(), name  # switched off, the bones are the animation's


def test_an_animator_at_a_third_of_the_rate_changes_nothing(program):
    assert all(not different.any() for different in program("ThirdRate").values())


def test_a_target_may_cross_the_line_of_the_pole(program):
    for _, ratio, _, missed in program("PoleLine")["pole"]:
        assert ratio < 2.0  # the elbow's way beside the target's, frame by frame
        assert missed < 1e-5
    assert program("PoleLine")["pole"][-1, 2] > 0.99  # on the pole's side


def test_a_head_turns_at_a_bounded_rate_and_within_its_limit(program):
    ((fastest, most, last),) = program("LookBehind")["look"]
    assert fastest < 361 and most < 80.01 and last < 2


def test_faults_are_said_once_and_leave_the_pose_alone(program):
    found = program("Faults")
    assert found["null"].tolist() == [[1, 1]] and found["destroyed"].tolist() == [[1]]
    assert found["scale"].tolist() == [[1, 0]] and found["chain"].tolist() == [[1]]
    assert not found["set"].any() and not found["mended"].any()


def test_nothing_is_allocated_in_a_frame(program):
    found = program("Garbage", MONO_GC_PARAMS="nursery-size=256k")
    assert found["control"][0, 0] > 0  # a hundred bytes a frame are noticed
    assert found["garbage"][0, 0] == 0


# --- feet on the ground


@pytest.fixture(scope="module")
def walked(program):
    """What a walk over a slope printed: frames, feet, and by name heights of sole, toe and heel, or places."""

    @cache
    def walk(degrees, bumps=0.0, scale=1.0):
        found = program("Slopes", str(degrees), str(bumps), str(scale))
        table = found["step"].reshape(300, 2, -1)
        joints = {name: table[..., 5 + 3 * k : 8 + 3 * k] for k, name in enumerate(POINTS)}
        return joints, table[..., 2:5], table[..., 1] > 0, found["excess"][0]

    return walk


@pytest.mark.parametrize("degrees", SLOPES)
def test_feet_stand_on_a_slope(walked, degrees):
    joints, heights, stands, excess = walked(degrees)
    settled = after(stands, 12)
    settled[:20] = False  # they ease to the ground when the component begins
    assert np.abs(heights[settled]).max() < 2e-3
    assert heights[20:].min() > -5e-3
    thigh = np.linalg.norm(joints["knee"] - joints["hip"], axis=-1)
    shank = np.linalg.norm(joints["ankle"] - joints["knee"], axis=-1)
    assert np.ptp(thigh) < 1e-5 and np.ptp(shank) < 1e-5
    assert excess[0] < 1e-3


@pytest.mark.parametrize("degrees", SLOPES)
def test_nothing_pops_and_feet_do_not_slide(walked, degrees):
    joints, _, stands, _ = walked(degrees)
    steps = np.linalg.norm(np.diff(joints["sole"], axis=0), axis=-1)
    settled = after(stands, 14)
    settled[:30] = False
    assert steps[settled[1:]].max() < 1e-3

    def sharpest(points):
        return np.linalg.norm(np.diff(points[30:], 2, axis=0), axis=-1).max()

    animated = sharpest(joints["animated_knee"])
    for joint, most in (("knee", 2.0), ("ankle", 1.2), ("pelvis", 1.0)):
        assert sharpest(joints[joint]) < most * animated, joint


def after(stands, frames):
    """Where a foot has stood for so many frames."""
    settled = stands.copy()
    for k in range(1, frames + 1):
        settled[k:] &= stands[:-k]
    return settled


def test_on_level_ground_the_body_is_where_the_animation_has_it(walked):
    """The animation's own legs are longer than is comfortable at times: that alone must not lower the pelvis."""
    joints, *_ = walked(0)
    assert np.ptp(joints["pelvis"][..., 1]) < 1e-2


def test_a_foot_stands_on_uneven_ground_too(walked):
    _, heights, stands, _ = walked(-10, 0.05)
    assert np.abs(heights[after(stands, 12)][:, 0]).max() < 6e-3


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_a_character_of_any_size_walks_alike(walked, scale):
    wanted, found = walked(-10)[0], walked(-10, 0.0, scale)[0]
    for name in POINTS:
        assert np.abs(found[name] - wanted[name]).max() < 2e-3, name


def test_without_the_package_feet_float(walked):
    """The animation alone is off by centimetres: what the tests above measure is the package's doing."""
    joints, _, stands, _ = walked(-10)
    sole = joints["animated_ankle"] - [0, 0.08, 0]
    above = (sole[..., 1] - np.tan(np.radians(-10)) * sole[..., 2]) * np.cos(np.radians(10))
    assert np.abs(above[stands]).max() > 0.04


@pytest.mark.parametrize("metres", [0.5, 1.5, 10.0])
def test_a_teleport_leaves_the_body_upright_and_the_feet_on_the_ground(program, metres):
    ((excess, _, lowest, highest, drop),) = program("Teleport", str(metres))["teleport"]
    assert excess < SLACK and lowest > -5e-3 and highest < 5e-3 and drop < 0.08


def test_switched_off_the_pose_is_the_animations_and_on_it_eases_in(program):
    ((excess, _, off),) = program("DisableEnable")["enable"]
    assert excess < SLACK and off == 0


def test_in_the_air_feet_are_the_animations_and_land_without_a_snap(program):
    ((excess, _, off, sunk),) = program("Jump")["jump"]
    assert excess < SLACK and off < 0.01 and sunk > -5e-3


def test_a_platform_carries_the_feet_that_stand_on_it(program):
    ((excess, _, slid, above),) = program("Platform")["platform"]
    assert excess < SLACK and slid < 1e-3 and above < 5e-3


def test_a_platform_may_be_destroyed_below_a_character(program):
    ((moved, *above),) = program("Vanish")["vanish"]
    assert moved < 0.06 and np.abs(above).max() < 1e-3


def test_a_standing_foot_does_not_turn_with_the_body(program):
    ((degrees, released),) = program("Pivot")["pivot"]
    assert degrees < 0.01 and released < 5


def test_a_foot_leans_no_further_than_it_may(program):
    ((excess, _, degrees),) = program("Steep")["steep"]
    assert excess < SLACK and degrees < 45.01


def test_feet_stand_on_the_treads_of_stairs(program):
    ((excess, _, floats, sinks, standing, off),) = program("Stairs")["stairs"]
    assert excess < SLACK
    assert floats < 0.015 and off < 0.025  # farthest of the feet that have settled; how many are off by over 5 mm
    assert sinks > -0.1  # the toes of a foot that leaves right before a riser
    assert standing > 0.5


def test_only_ground_is_ground(program):
    """Neither triggers, nor the character's own colliders on the ground's layer, nor another character beside it."""
    assert program("Crowd")["crowd"].tolist() == [[0]]


# --- the page


def test_the_script_of_the_page_puts_feet_on_a_slope(program):
    """The forty lines that a reader types; and a spider that the other listing steers."""
    assert 36 < len(LISTINGS[0].splitlines()) < 50
    ((above, animated),) = program("Typed")["typed"]
    assert above < 0.025 and animated > 0.05  # where the leg is too short, the foot stays above
    ((way, degrees),) = program("Typed")["steered"]
    assert way > 0.5 and 30 < degrees < 100


def test_what_the_page_names_is_there(package):
    text = "".join(path.read_text() for path in package.rglob("*.cs"))
    for name in re.findall(r"^\| \*\*([\w ]+)\*\* \|", PAGE, re.M):
        assert f'"Limbik/{name}"' in text
    for entry in re.findall(r"\*GameObject › Limbik › ([^*]+)\*", PAGE):
        assert f'"GameObject/Limbik/{entry}"' in text
    orders = re.findall(r"(?:Foot Placement|Full Body|chains|Look At|Spring Chain) \((\d+)\)", PAGE)
    assert sorted(set(re.findall(r"DefaultExecutionOrder\((\d+)\)", text))) == sorted(set(orders))


# --- recorded walks


@pytest.mark.parametrize("slope", [0.0, -0.2, 0.15])
@pytest.mark.parametrize("name", [one for one in CLIPS if re.search("02_01|07_01|16_15|35_01", one)])
def test_feet_of_recorded_walks_stand_within_5_mm(program, name, slope, tmp_path):
    clip = limbik.load(asset(name))
    limbs = limbik.find_limbs(clip.skeleton)
    legs = [limbs[side].joints[:3] for side in ("left_leg", "right_leg")]
    joints = [0, *(j for leg in legs for j in (*leg, clip.skeleton.children[leg[2]][0]))]
    places, turns = (part[:, joints] for part in clip.world()[:2])
    places, turns = places * [-1, 1, 1], turns * [1, -1, -1, 1]  # seen in a mirror: left-handed
    still = [standing(places, k, clip.fps) for k in (3, 7)]
    thick = 0.02 * np.linalg.norm(np.diff(places[0, 1:4], axis=0), axis=-1).sum()
    places[..., 1] -= np.mean([np.median(places[s, k, 1]) for s, k in zip(still, (4, 8), strict=True)]) - thick
    heights = [np.median(places[s, k, 1] - places[s, k + 1, 1]) + thick for s, k in zip(still, (3, 7), strict=True)]
    source, target = tmp_path / "in.bin", tmp_path / "out.bin"
    np.concatenate([places, turns], axis=-1).astype("<f4").tofile(source)
    found = program(
        "Recorded", str(source), str(clip.fps), str(slope), *map(str, heights), str(target), "package", str(thick)
    )
    rows = np.fromfile(target, "<f4").reshape(len(places) - 1, len(joints), 7)
    for k, stands, height in zip((3, 7), still, heights, strict=True):
        frame = flattest(places, k, stands, height, thick)
        before = soles(places[1:], turns[1:], (places[frame], turns[frame]), k, height, thick)
        after = soles(rows[..., :3], rows[..., 3:], (places[frame], turns[frame]), k, height, thick)
        settled = stands[1:].copy()
        settled[:40] = False  # a third of a second, in which the feet ease to the ground
        above = (after[..., 1] - slope * after[..., 2]) / np.hypot(1.0, slope)
        assert settled.sum() > 30
        assert np.abs(before[settled, :, 1].min(axis=1)).max() > 0.009  # the recording itself floats and sinks
        assert np.abs(above[settled].min(axis=1)).max() < 0.005
    assert found["excess"][0, 0] < 0.05


def standing(places, ankle, fps):
    """(frames,) Where ankle and toes of the recording are slow."""
    speeds = np.linalg.norm(np.gradient(places[:, ankle : ankle + 2], axis=0), axis=-1) * fps
    slow = (speeds < 0.15).all(axis=1)
    slow[0] = False  # the rest pose
    return slow


def flattest(places, ankle, stands, height, thick):
    """The frame in which a foot that stands is most as it is in the middle of those in which it does."""
    frames = np.flatnonzero(stands)
    off = np.abs(places[frames, ankle, 1] - height) + np.abs(places[frames, ankle + 1, 1] - thick)
    return frames[off.argmin()]


def soles(places, turns, flat, ankle, height, thick):
    """(frames, 2, 3) The points of heel and ball that are fixed to a foot, from the pose in which it stands flat."""
    heel, toes = flat[0][ankle], flat[0][ankle + 1]
    ahead = (toes - heel) * [1, 0, 1]
    points = [heel - [0, height, 0] - 0.04 * ahead / np.linalg.norm(ahead), toes - [0, thick, 0]]
    own = Rotation.from_quat(flat[1][ankle]).inv().apply(np.array(points) - heel)
    frames = Rotation.from_quat(turns[:, ankle])
    return np.stack([places[:, ankle] + frames.apply(point) for point in own], axis=1)


# --- what the menu makes


def test_the_sample_walks_over_its_course_in_an_empty_scene(program):
    ((excess, _, planted, highest, air, messages, off),) = program("Sample")["sample"]
    assert excess < SLACK and planted > 0.5 and highest > 0.7 and air == 0 and messages == 0
    assert off < 0.01  # of the lowest vertex of shoes that stand on the floor


def test_a_spider_goes_where_it_is_sent(program):
    found = program("Spider")
    vertices, corners, last, materials = found["skin"][0]
    assert last == vertices - 1 and corners > 10_000 and 1 < materials <= 8
    assert np.isfinite(found["joint"]).all() and found["joint"][:, 1].min() > -0.02
    assert np.linalg.norm(found["place"][0] - [0.5 + 0.8, 0, -1 + 1.6]) < 0.25
    assert np.linalg.norm(found["moved"][0] - [5, 0, 5]) < 0.05


# --- the package


def test_the_package_is_one_that_unity_accepts(package):
    manifest = json.loads((package / "package.json").read_text())
    assert re.fullmatch(r"[a-z0-9.-]+", manifest["name"]) and re.fullmatch(r"\d+\.\d+\.\d+(-\w+)?", manifest["version"])
    for path in package.rglob("*.asmdef"):
        assert json.loads(path.read_text())["name"] == path.name.removesuffix(".asmdef")
    guids = []
    for path in package.rglob("*"):
        if path.suffix != ".meta":
            guids += re.findall(r"^guid: ([0-9a-f]{32})$", path.with_name(path.name + ".meta").read_text(), re.M)
    assert len(guids) == len(set(guids)) > 40
    assert (
        "MIT" in (package / "LICENSE.md").read_text() and manifest["version"] in (package / "CHANGELOG.md").read_text()
    )


def test_the_editors_part_needs_only_what_the_package_shows(package, tmp_path):
    """Runtime and Editor are assemblies of their own."""
    build = (tool("mcs"), "-langversion:7", "-target:library", "-warnaserror")
    unity, runtime, editor = (tmp_path / f"{name}.dll" for name in ("UnityEngine", "Limbik", "Limbik.Editor"))
    run(*build, f"-out:{unity}", HERE / "UnityEngine.cs")
    run(*build, f"-out:{runtime}", f"-r:{unity}", *(package / "Runtime").rglob("*.cs"))
    run(*build, f"-out:{editor}", f"-r:{unity},{runtime}", *(package / "Editor").rglob("*.cs"))
    assert editor.stat().st_size > 0


def test_a_component_has_the_name_of_its_file(package):
    """As Unity wants it, and of each component there is one entry in the menu."""
    for path in package.rglob("*.cs"):
        for name in re.findall(r"class (\w+) : (?:LimbComponent|LimbikCreature|MonoBehaviour)\b", path.read_text()):
            assert path.stem == name


def test_a_creature_of_ones_own_compiles_beside_the_package(package, tmp_path):
    made = limbik.export("quadruped", "unity")
    assert list(made.files) == ["QuadrupedWalker.cs", "QuadrupedCreature.cs"]
    made.write(tmp_path)
    sources = [*package.rglob("*.cs"), *tmp_path.glob("*.cs"), HERE / "UnityEngine.cs"]
    run(tool("mcs"), "-langversion:7", "-warnaserror", "-target:library", f"-out:{tmp_path / 'all.dll'}", *sources)


def test_components_have_no_solver_of_their_own(package):
    """The angles of limbs are the solvers': components place, blend and turn."""
    for path in package.rglob("*.cs"):
        if not {"Solvers", "Creatures"} & set(path.parts):
            assert not re.search(r"\b(Acos|Asin|Atan2?)\(", path.read_text()), path
