"""Clips that were posed by hand: feet a little above the floor stand, and folded legs pass their hip at its side."""

import limbik
from limbik.grounding.ground import ground
from tests.assets import asset


def clip(file, name):
    return limbik.load(asset(f"gltf/{file}"), animation=name)


def test_feet_that_are_above_the_floor_while_they_breathe_stand_on_a_slope():
    result = ground(clip("KayKit_General.glb", "Rig_Medium|Idle_A"), "slope:10")
    assert not result.notes and result.standing.all()
    assert result.report.total.after.slide_mm < 1.0


def test_folded_legs_go_by_their_hip_without_a_jump_and_outside_the_ground():
    """Over a hill that is as high as half its legs a runner's ankle is as high as its hip."""
    report = ground(clip("KayKit_Rogue.glb", "Running_B"), "hills:height=0.3").report
    assert report.total.pops < 4.0 and report.total.after.swing_penetration_mm < 10.0
    assert max(row.after.snap_deg - row.before.snap_deg for row in report.feet) < 5.0
