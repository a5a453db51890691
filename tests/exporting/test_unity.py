"""The Unity package, compiled by Mono and run against a stand-in for UnityEngine (tests/exporting/unity)."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import limbik
from tests.exporting.toolchains import run, tool

HERE = Path(__file__).parent / "unity"
SLOPES = (-20, -10, 0, 10, 20)
JOINTS = ("pelvis", "hip", "knee", "ankle", "sole", "toe", "heel", "animated_knee", "animated_ankle")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unity") / "org.limbik.ik"
    limbik.export("unity").write(folder)
    return folder


@pytest.fixture(scope="module")
def program(package):
    """The package's components with the programs of the tests, compiled; warnings are errors."""
    compiler, mono = tool("mcs"), tool("mono")
    sources = [*package.rglob("*.cs"), *HERE.glob("*.cs")]

    def start(name, *arguments):
        built = package.parent / f"{name}.exe"
        if not built.exists():
            run(compiler, "-langversion:7", "-warnaserror", f"-main:{name}", f"-out:{built}", *sources)
        return [line.split() for line in run(mono, built, *arguments).splitlines()]

    return start


@pytest.fixture(scope="module")
def walked(program):
    """The joints of a character that walks over a slope, (frames, feet, 3) each, and when feet stand (frames, feet)."""

    @cache
    def walk(degrees, bumps=0.0):
        table = np.array(program("Walk", str(degrees), str(bumps)), float).reshape(480, 2, -1)
        joints = {name: table[..., 3 + 3 * k : 6 + 3 * k] for k, name in enumerate(JOINTS)}
        return joints, table[..., 2] > 0

    return walk


def height(points, degrees, bumps=0.0):
    """The distance of points from the ground, metres."""
    slope = np.tan(np.radians(degrees))
    return (points[..., 1] - slope * points[..., 2] - bumps * np.sin(3 * points[..., 2])) / np.hypot(1, slope)


def test_components_bring_bones_to_their_targets(program):
    lines = program("Components")
    errors = {name: np.array([line[1:] for line in lines if line[0] == name], float) for name in ("arm", "leg", "look")}
    assert [len(found) for found in errors.values()] == [200] * 3
    for name, found in errors.items():
        assert found.max() < 2e-3 if name == "leg" else found.max() < 1e-3, (name, found.max(axis=0))
        assert np.median(found, axis=0).max() < 2e-6, (name, np.median(found, axis=0))
    assert all(abs(float(number)) < 1e-6 for line in lines if line[0] in ("still", "nan") for number in line[1:])


@pytest.mark.parametrize("degrees", SLOPES)
def test_feet_stand_on_a_slope(walked, degrees):
    joints, stands = walked(degrees)
    for point in ("sole", "toe", "heel"):
        assert np.abs(height(joints[point], degrees)[stands]).max() < 1e-3, point
        assert height(joints[point], degrees).min() > -1e-3, point
    thigh = np.linalg.norm(joints["knee"] - joints["hip"], axis=-1)
    shank = np.linalg.norm(joints["ankle"] - joints["knee"], axis=-1)
    assert np.ptp(thigh) < 1e-5 and np.ptp(shank) < 1e-5


@pytest.mark.parametrize("degrees", SLOPES)
def test_nothing_pops_and_feet_do_not_slide(walked, degrees):
    joints, stands = walked(degrees)
    settled = stands.copy()
    for k in range(1, 13):  # a foot has settled a fifth of a second after it has landed
        settled[k:] &= stands[:-k]
    steps = np.linalg.norm(np.diff(joints["sole"], axis=0), axis=-1)
    assert steps[settled[1:]].max() < 1e-3

    def sharpest(points):
        return np.linalg.norm(np.diff(points[30:], 2, axis=0), axis=-1).max()

    animated = sharpest(joints["animated_knee"])
    for joint in ("knee", "ankle", "pelvis"):
        assert sharpest(joints[joint]) < 1.4 * animated, joint


def test_on_level_ground_the_body_is_where_the_animation_has_it(walked):
    """The animation's own legs are longer than is comfortable at times: that alone must not lower the pelvis."""
    joints, _ = walked(0)
    assert np.ptp(joints["pelvis"][..., 1]) < 5e-3


def test_a_foot_stands_on_uneven_ground_too(walked):
    joints, stands = walked(-10, 0.05)
    assert np.abs(height(joints["sole"], -10, 0.05)[stands]).max() < 1e-3


def test_without_the_package_feet_float(walked):
    """The animation alone is off by centimetres: what the tests above measure is the package's doing."""
    joints, stands = walked(-10)
    sole = joints["animated_ankle"] - [0, 0.08, 0]
    assert np.abs(height(sole, -10)[stands]).max() > 0.04


def test_the_package_is_one_that_unity_accepts(package):
    manifest = json.loads((package / "package.json").read_text())
    assert re.fullmatch(r"[a-z0-9.-]+", manifest["name"]) and re.fullmatch(r"\d+\.\d+\.\d+(-\w+)?", manifest["version"])
    for path in package.rglob("*.asmdef"):
        assert json.loads(path.read_text())["name"] == path.name.removesuffix(".asmdef")
    hidden = package / "Samples~"
    guids = []
    for path in package.rglob("*"):
        if path.suffix != ".meta" and hidden not in (path, *path.parents):
            guids += re.findall(r"^guid: ([0-9a-f]{32})$", path.with_name(path.name + ".meta").read_text(), re.M)
    assert len(guids) == len(set(guids)) > 12


def test_components_have_no_geometry_of_their_own(package):
    """Trigonometry is the solvers': components place, blend and turn."""
    for path in package.rglob("*.cs"):
        if "Solvers" not in path.parts:
            assert not re.search(r"\b(Acos|Asin|Atan2?|Cos|Sin|Cross)\(", path.read_text()), path
