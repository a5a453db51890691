"""The extension in Blender: installed by Blender's own tools, each operator run on scenes that are made there.

Blender runs as the module `bpy` of the package index, in the Python that LIMBIK_BPY names; without it the tests skip.
"""

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import limbik

from ..assets import asset

SCRIPTS = Path(__file__).parent / "blender"
INSTALL = """
import os, sys, bpy
bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
import limbik
print(limbik.__file__, flush=True)
os._exit(0)  # some versions of Blender crash when they end as a module
"""


PYTHONS = [one for one in os.environ.get("LIMBIK_BPY", "").split(os.pathsep) if one]


@pytest.fixture(scope="session", params=PYTHONS or [""])
def python(request):
    """A Python that has Blender: each of those that LIMBIK_BPY names."""
    if request.param:
        return os.path.abspath(request.param)
    if importlib.util.find_spec("bpy"):
        return sys.executable
    if os.environ.get("CI"):
        pytest.fail("LIMBIK_BPY does not name a Python with bpy")
    return pytest.skip("LIMBIK_BPY does not name a Python with Blender (pip install bpy): its extension is not tested")


@pytest.fixture(scope="session")
def extension(tmp_path_factory):
    """The zip file."""
    (path,) = limbik.export("blender").write(tmp_path_factory.mktemp("blender") / "limbik.zip")
    return path


@pytest.fixture(scope="session")
def blender(python, extension, tmp_path_factory):
    """A function that runs a script in Blender with the extension installed, and returns what it found."""
    resources = tmp_path_factory.mktemp("resources")
    # Nothing of this environment: neither limbik nor Numba, which Blender has not either.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    environment = {**kept, "BLENDER_USER_RESOURCES": str(resources), "LIMBIK_CACHE": str(resources / "cache")}

    def run(*command):
        command = [python, *map(str, command)]
        done = subprocess.run(
            command, env=environment, cwd=resources, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout.strip().splitlines()[-1]

    assert str(resources) in run("-c", INSTALL, extension)

    def script(name):
        """Runs one of the scripts beside this file, which ends with a line of JSON."""
        environment["LIMBIK_ASSETS"] = str(asset("bvh/cmu_07_01.bvh").parents[1])
        return json.loads(run(SCRIPTS / f"{name}.py"))

    script.run = run
    return script


def test_the_zip_is_the_same_each_time_and_complete(extension):
    assert extension.read_bytes() == limbik.export("blender").files["limbik.zip"]
    with zipfile.ZipFile(extension) as zipped:
        names = zipped.namelist()
        (wheel,) = [name for name in names if name.endswith(".whl")]
        assert {"__init__.py", "blender_manifest.toml", "LICENSE", "translation.py"} <= set(names)
        assert wheel in zipped.read("blender_manifest.toml").decode()
        with zipfile.ZipFile(zipped.open(wheel)) as inner:
            assert "limbik/skeleton/clip.py" in inner.namelist()
            assert not [name for name in inner.namelist() if "__pycache__" in name]


def test_the_wheel_installs_and_checks_its_record(extension, tmp_path):
    with zipfile.ZipFile(extension) as zipped:
        (wheel,) = [name for name in zipped.namelist() if name.endswith(".whl")]
        zipped.extract(wheel, tmp_path)
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", "--target", target]
    subprocess.run([*install, tmp_path / wheel], check=True)
    code = "import limbik; print(limbik.TwoLink(1, 1).solve([1, 0, 1]).reached)"
    plain = {**os.environ, "PYTHONPATH": str(target)}
    done = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


def test_a_zip_file_is_no_text():
    with pytest.raises(limbik.LimbikError, match="zip file"):
        limbik.export("blender").text


def test_blenders_own_tool_accepts_it(blender, extension):
    scripts = Path(blender.run("-c", "import bpy; print(bpy.utils.system_resource('SCRIPTS'))"))
    tool = scripts / "addons_core" / "bl_pkg" / "cli" / "blender_ext.py"
    assert "Success" in blender.run(tool, "validate", extension)


def test_evaluated_poses_come_back(blender):
    found = blender("round_trips")
    assert len(found) >= 10
    for name, miss in found.items():
        # Blender's IK leaves axes up to 7e-5 off square, which no location, rotation and scale can say.
        assert miss < (3e-5 if name.startswith("with IK") else 1e-6), (name, miss)


def test_grounded_feet_stand_in_the_positions_that_blender_evaluates(blender):
    found = blender("grounding")
    steps = found.pop("footsteps")
    assert steps["empties"] >= 4 and steps["apart"] < 0.15 and steps["actions"] == 4
    for name, report in found.pop("characters").items():
        assert int(report["stances"]) >= 2, name
        assert float(report["slide in a stance, mm"].split(" → ")[-1]) < 0.5, name
    assert steps["same"] < 1e-6 and steps["other foot"] < 2e-3
    assert steps["moved"] == pytest.approx([0.1, 0.0, 0.0], abs=1e-5)
    for name, measured in found.items():
        unit = 100.0 if name == "centimetres" else 1.0
        report = {label: value.split(" → ") for label, value in measured["report"].items()}
        assert measured["stands"] > 40 and measured["markers"] >= 3, name
        assert measured["slide before"] > 3e-3 * unit > 1e-3 * unit > measured["slide"], name
        assert measured["spread"] < 0.03 * unit, name  # of the height of balls of feet over the ground
        assert float(report["sole penetration, mm"][-1]) < 10.0, name
        assert report["knee flips, frames"] == ["0"], name
        assert float(report["held, % of their frames"][0]) > 95.0, name
    assert found["long"]["frames"] > 1000


def test_creatures_walk_and_ends_reach(blender):
    found = blender("walking")
    assert found["held"] > 0.95 and found["armatures"] == 1
    assert -2e-3 < found["over ground"][0] < found["over ground"][1] < 2e-3  # metres, over triangles 0.1 m wide
    assert found["body"][0] > 500 and found["body near"] < 0.5
    assert found["new end"][0] - found["end"][0] == pytest.approx(1.0, abs=0.1)
    reach = found["reach"]
    assert max(reach["hand"], reach["head"], reach["feet"]) < 2e-6 and reach["hand turned"] < 2e-6
    assert reach["outside"] < 2e-6 and reach["step"] < 0.15


def test_retargeting_needs_no_list_and_keeps_its_map(blender):
    found = blender("retargeting")
    for name in ("mixamo", "rigify"):
        measured = found[name]
        assert {"left_leg", "right_leg", "left_arm", "right_arm", "spine", "neck"} <= set(measured["parts"])
        assert max(measured["apart"].values()) < 5.0  # degrees between limbs of source and target
        assert measured["still"] > 0.8 and float(measured["slide"].split(" → ")[-1]) < 5.0
        assert 0.5 < measured["lowest"] < 0.56  # the floor of the target is its own origin's
    assert found["mixamo"]["switched off"] == 0 < found["rigify"]["switched off"]
    assert found["influences"] == [0.0, 0.0]
    assert int(found["grounded rigify"]["stances"]) >= 4
    assert float(found["grounded rigify"]["slide in a stance, mm"].split(" → ")[-1]) < 4.0
    assert found["influences back"] == [1.0, 1.0]
    assert "mixamorig:Nothing" in found["corrected"]
    assert found["kept"]["left_leg"] == "mixamorig:LeftUpLeg, mixamorig:LeftLeg, mixamorig:LeftFoot"


def test_panels_show_what_there_is(blender):
    found = blender("panels")
    assert "Select an armature" in found["nothing"]["Ground This Action"]
    assert {"Ground", "Ground This Action", "Before / After"} <= set(found["armature"]["Ground This Action"])
    assert "Report" not in found["armature"]
    assert "slide in a stance, mm" in found["grounded"]["Report"]
    assert "Clearance" in found["grounded"]["Settings"]
    assert "left leg" in found["mapped"]["Retarget"]
    assert (
        "Walk a Creature" in found["nothing"]["Walk a Creature"] and "Creature" in found["nothing"]["Walk a Creature"]
    )
    assert "Walk Again" in found["walker"]["Walk a Creature"] and "Creature" not in found["walker"]["Walk a Creature"]


def test_what_cannot_be_done_is_said_and_nothing_is_lost(blender):
    found = blender("refusals")
    for name, words in {
        "no ground": "there is no ground",
        "no legs": "no legs found",
        "rest": "rest position",
        "edit mode": "leave it first",
        "no action": "no motion to ground",
        "no footsteps": "there are no footsteps",
        "no targets": "there are no targets",
        "no faces": "no faces to stand on",
        "no creature": "choose a TOML file",
        "no gait": "expected one of 'wave', 'ripple', 'tripod'",
    }.items():
        assert words in found[name], name
    assert found["in use elsewhere"] is True
    assert found["undone"] == ["cmu_07_01", ["cmu_07_01", "cmu_16_15"]]
    assert found["cancelled"] == ["CANCELLED"]
    assert found["progress"][-1] == "end" and 0.0 < found["progress"][0] < found["progress"][-2] < 1.0
    assert found["after Esc"] == [11, True, ["Cancelled: nothing has changed"]]
    assert found["in slices"] == "cmu_07_01 grounded"
    assert found["children"] == [] and found["numba"] is False  # no process is started, in Blender or of it
