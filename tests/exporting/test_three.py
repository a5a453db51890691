"""The three.js components in what happens in games, and on recorded walks; judged by skins and poses."""

import json
from pathlib import Path

import numpy as np
import pytest

import limbik
from limbik.bodies.mannequin import mannequin
from tests.assets import asset, present
from tests.exporting.conftest import NODE
from tests.exporting.toolchains import run, tool

RECORDINGS = present("cmu_02_01", "cmu_07_01", "cmu_16_15", "cmu_35_01")


@pytest.fixture(scope="module")
def results(web_package, tmp_path_factory):
    """What happened in each scenario."""
    path = tmp_path_factory.mktemp("three") / "character.glb"
    limbik.save(limbik.samples.character(180), path)
    return json.loads(run(tool("node"), "--expose-gc", NODE / "scenarios.js", path))


def test_weight_zero_is_the_animation_bit_for_bit(results):
    assert results["weightZero"] and results["disabled"] and results["removed"]


def test_nothing_creeps_where_no_animator_writes(results):
    assert results["creep"] == 0.0
    assert results["unkeyed"] == 0.0 and results["unkeyedBack"]


def test_a_teleport_leaves_no_trace(results):
    for far, found in results["teleport"].items():
        assert found["turn"] < 2.0 * results["animation"]["turn"], far
        assert found["after"] < 2.0 * results["animation"]["turn"], far
        assert found["dropped"] < 0.1
    assert results["springTeleport"] < 0.1
    assert results["enabled"]["turn"] < 2.0 * results["animation"]["turn"]


def test_feet_are_free_in_the_air_and_land_without_a_snap(results):
    jump = results["jump"]
    assert jump["aloft"] > 40 and jump["free"] == jump["aloft"] and not jump["airborne"]
    assert max(jump["turn"], jump["landed"]) < 2.0 * results["animation"]["turn"]
    assert abs(jump["dropped"]) < 0.1


def test_an_animator_at_a_third_of_the_rate(results):
    assert results["slowAnimator"]["turn"] < 1.5 * results["slowAnimation"]["turn"]


def test_limbs_go_round_and_do_not_jump(results):
    assert results["acrossPole"]["elbow"] < 0.03 and results["acrossPole"]["miss"] < 1e-12
    assert results["behind"]["turn"] < 1.001 * results["behind"]["allowed"]


def test_platforms_carry_feet(results):
    assert results["platform"]["planted"] and results["platform"]["slide"] < 1e-9


def test_standing_feet_do_not_swivel(results):
    assert results["turning"]["both"] == 0  # one foot steps at a time
    assert results["turning"]["swivel"] < 0.001


def test_grounds(results):
    bounds = {"wall:75": 1.5, "slope:20": 1.5, "slope:-20": 1.5, "stairs:0.17": 2.3, "stairs:-0.17": 2.3}
    for kind, bound in bounds.items():
        assert results["grounds"][kind]["turn"] < bound * results["animation"]["turn"], kind


def test_characters_of_any_size_walk_alike(results):
    poses = {size: np.array(found["pose"]) for size, found in results["sizes"].items()}
    assert np.abs(poses["0.01"] - poses["1"]).max() < 1e-9
    assert np.abs(poses["100"] - poses["1"]).max() < 1e-9


def test_characters_do_not_stand_on_what_they_carry_nor_on_triggers(results):
    assert results["two"]["apart"] < 1e-9


def test_what_cannot_be_done_is_said_once(results):
    refused = results["refused"]
    assert refused["same"]  # the pose is the animation's
    assert len(refused["messages"]) == 3 and len(set(refused["messages"])) == 3
    assert any("no bone named Nobody; there are" in message for message in refused["messages"])
    assert any("scale" in message for message in refused["messages"])


def test_hands_and_feet_at_once(results):
    assert max(results["fullBody"]["missed"]) < 1e-9 and max(results["fullBody"]["feet"]) < 1e-9


def test_springs_do_not_depend_on_the_frame_rate(results):
    ends = np.array(results["springs"])
    assert np.abs(ends - ends[0]).max() < 1e-9


def test_a_frame_creates_no_objects(results):
    """What is left are numbers that V8 boxes when it calls functions; vectors would be ten times as much."""
    assert results["bytesPerFrame"] < 8000


@pytest.mark.parametrize("take", RECORDINGS)
def test_feet_of_recorded_walks_stand_on_slopes_and_stairs(web_package, tmp_path, take):
    clip = limbik.load(asset(f"bvh/{take}.bvh"))[1:]
    limbik.save(clip.with_(body=mannequin(clip.skeleton)), tmp_path / "clip.glb")
    kinds = ("slope:0", "slope:10", "slope:-20", "slope:20", "stairs:0.17")
    found = [
        json.loads(line)
        for line in run(tool("node"), NODE / "recordings.js", tmp_path / "clip.glb", *kinds).splitlines()
    ]
    assert [one["kind"] for one in found] == list(kinds)
    for one in found:
        stairs = one["kind"].startswith("stairs")
        assert one["standing"] > 20
        assert one["worst"] < (0.015 if stairs else 0.005), one
        assert one["turn"] < 2.0, one


def test_the_chain_is_limbiks(web_package, tmp_path):
    """The arc that the component solves at run time is the one that `NLink` has."""
    random = np.random.default_rng(4)
    rows = []
    for _ in range(200):
        lengths = random.uniform(0.05, 1.0, random.integers(2, 9))
        near = max(0.0, 2.0 * lengths.max() - lengths.sum())
        chord = near + (lengths.sum() - near) * random.uniform(0.01, 0.999)
        joints = limbik.NLink(lengths).solve([0.0, 0.0, chord], pole=[1.0, 0.0, 0.0]).joints
        rows.append({"lengths": lengths.tolist(), "chord": chord, "joints": joints[1:, [2, 0]].tolist()})
    path = tmp_path / "arcs.json"
    path.write_text(json.dumps(rows))
    script = """
import fs from "node:fs";
import { Arc } from "%s";
for (const { lengths, chord } of JSON.parse(fs.readFileSync(process.argv[2]))) {
  const arc = new Arc(lengths.length);
  arc.solve(lengths, chord);
  console.log(JSON.stringify([...arc.along].map((along, k) => [along, arc.aside[k]])));
}
"""
    (tmp_path / "arcs.mjs").write_text(script % Path(web_package / "three" / "arc.js").as_uri())
    for line, row in zip(run(tool("node"), tmp_path / "arcs.mjs", path).splitlines(), rows, strict=True):
        assert np.abs(np.array(json.loads(line)) - row["joints"]).max() < 1e-9
