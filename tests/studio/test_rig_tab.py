"""The Rig tab: ends follow their gizmos exactly, feet stay, and the pose depends on the gizmos alone."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import samples
from limbik.studio.application import tab_for
from limbik.studio.dragged_rig import DraggedRig
from limbik.studio.rig_tab import ends_table

from .visit import axes_of, running, until

ENDS = {"left_hand", "right_hand", "left_foot", "right_foot", "head", "chest", "pelvis"}


def placed(pose):
    """The positions (joints, 3) of a pose, by SciPy's rotations."""
    turns, places = [], []
    for joint, parent in enumerate(pose.skeleton.parents):
        turn, place = Rotation.from_quat(pose.rotations[joint]), pose.translations[joint].copy()
        if parent >= 0:
            turn, place = turns[parent] * turn, places[parent] + turns[parent].apply(place)
        turns.append(turn)
        places.append(place)
    return np.array(places)


@pytest.fixture
def rig():
    return DraggedRig(samples.character(30)[10])


@pytest.mark.parametrize(
    "shifts",
    [
        {"right_hand": (-0.1, 0.2, 0.1), "pelvis": (0.05, -0.1, 0.02), "left_foot": (0.05, 0.1, 0.1)},
        {"head": (0.1, -0.25, 0.1), "left_hand": (0.1, 0.2, 0.2)},
    ],
)
def test_dragged_ends_are_at_their_targets_and_feet_stay(rig, shifts):
    assert set(rig.joints) == ENDS
    start = {end: placed(rig.start)[joint] for end, joint in rig.joints.items()}
    for end, shift in shifts.items():
        rig.drag(end, start[end] + shift)
        found = placed(rig.pose)
        for foot in {"left_foot", "right_foot"} - rig.targets.keys():
            assert np.allclose(found[rig.joints[foot]], start[foot], atol=1e-9)
        for dragged, target in rig.targets.items():
            assert np.allclose(found[rig.joints[dragged]], target, atol=1e-9), (end, dragged)
    # In any order, by any way: the same pose.
    other = DraggedRig(rig.start)
    for end in reversed(shifts):
        other.drag(end, start[end] + np.ones(3))
        other.drag(end, rig.targets[end])
    assert np.allclose(placed(other.pose), found, atol=1e-9)
    rig.reset()
    assert rig.pose is rig.start and rig.targets == {} and rig.reached is None


def test_the_table_tells_what_became_of_each_end(rig):
    assert [ends_table(rig).count(word) for word in ("> held<", "> free<", " mm<")] == [2, 5, 0]
    place = rig.places()["left_hand"]
    rig.drag("left_hand", place + (0.05, 0.05, 0.05))
    assert [ends_table(rig).count(word) for word in ("> held<", "> reached<", "> free<", " mm<")] == [2, 1, 4, 3]
    rig.drag("left_hand", place + (0.0, 9.0, 0.0))
    miss = 1e3 * np.linalg.norm(placed(rig.pose)[rig.joints["left_hand"]] - place - (0.0, 9.0, 0.0))
    assert "> too far<" in ends_table(rig) and f">{miss:.1f} mm<" in ends_table(rig)


def test_clips_are_opened_in_the_rig_tab_where_that_is_preferred():
    wanted = {"a.bvh": "Rig", "a.GLB": "Rig", "a.toml": "Walk", "a.urdf": "Robot"}
    assert {name: tab_for(Path(name), "Rig") for name in wanted} == wanted
    assert tab_for(Path("a.bvh")) == tab_for(Path("a.bvh"), "Limb") == "Ground"


def handles(tab):
    return tab._handles


def test_every_end_has_a_labelled_handle_apart_from_the_others():
    with running("Rig") as studio:
        tab = studio.tab
        assert handles(tab).keys() == ENDS and tab.chosen == "right_hand"
        sizes, places = [], []
        for end, handle in handles(tab).items():
            ring, text = handle._ring, handle._text
            assert text.text == end.replace("_", " ") and text.visible and ring.visible
            assert np.allclose(ring.position, tab.rig.places()[end])
            above = np.array(text.position) - ring.position
            assert np.allclose(above[[0, 2]], 0.0) and 0.0 < above[1] < 0.1  # metres
            sizes.append(handle.radius)
            places.append(handle.position)
        apart = np.linalg.norm(np.subtract(places, np.array(places)[:, None]), axis=-1)
        np.fill_diagonal(apart, np.inf)
        assert np.all(apart > 1.5 * np.maximum(sizes, np.array(sizes)[:, None]))
        # The arrows reach no other ring.
        chosen = list(handles(tab)).index(tab.chosen)
        assert tab._arrows.scale < (apart[chosen] - sizes).min()
        sides = {end: handle._ring.color for end, handle in handles(tab).items()}
        assert sides["left_hand"] == sides["left_foot"] and sides["right_hand"] == sides["right_foot"]
        assert sides["head"] == sides["chest"] == sides["pelvis"] and len({*sides.values()}) == 3


def on_ring(page, end):
    """A point of the window in which the front of an end's ring is."""
    handle = handles(page.tab)[end]
    vertices = Rotation.from_quat(np.roll(handle._ring.wxyz, -1)).apply(handle._ring.vertices) + handle.position
    vertices = vertices + np.asarray(page.tab._frame.position)
    return page.on_screen(vertices[np.linalg.norm(vertices - page.camera.position, axis=1).argmin()])


def test_a_character_follows_the_mouse_and_is_saved(visit, tmp_path):
    page = visit("Rig")
    tab = page.tab
    start = placed(tab.rig.start)
    page.page.mouse.click(*on_ring(page, "left_hand"))
    until(lambda: tab.chosen == "left_hand", "the arrows at the left hand")
    page.settle()
    page.pull(tab._arrows, 1, 40, in_world=lambda place: place + tab._frame.position)
    page.page.get_by_text("reached").wait_for()
    path = page.download("Save the pose")
    hand, joints, found = handles(tab)["left_hand"].position, tab.rig.joints, placed(tab.rig.pose)
    assert hand[1] > start[joints["left_hand"], 1] and np.allclose(found[joints["left_hand"]], hand, atol=1e-9)
    assert all(np.allclose(found[joints[foot]], start[joints[foot]], atol=1e-9) for foot in ("left_foot", "right_foot"))
    assert np.allclose(handles(tab)["head"].position, found[joints["head"]], atol=1e-6)
    assert path.name == "Sample_character_posed.glb"
    saved = limbik.load(path)
    order = [saved.skeleton.index(name) for name in tab.rig.pose.skeleton.names]
    assert len(saved) == 1 and np.allclose(placed(saved[0])[order], found, atol=1e-5)
    page.press("Reset")
    for node in (handles(tab)["left_hand"]._ring, tab._arrows):
        until(lambda node=node: np.allclose(node.position, start[joints["left_hand"]]), "the gizmo at the hand")
    page.slide("Frame", 0.5)
    until(lambda: tab.playback.frame > 0, "another frame")
    page.settle()
    assert np.array_equal(tab.rig.start.rotations, tab.opened.clip[tab.playback.frame].rotations)
    limbik.save(samples.walk(20), tmp_path / "walk.bvh")
    page.upload(tmp_path / "walk.bvh")
    until(lambda: tab.opened.name == "walk.bvh" and len(tab.opened.clip) == 20, "another character")
    (tmp_path / "broken.bvh").write_text("no motion")
    page.upload(tmp_path / "broken.bvh")
    page.page.get_by_text("That does not work").wait_for()
    assert tab.opened.name == "walk.bvh"
    page.close_notifications()


def test_rings_are_dragged_in_the_plane_of_the_window(visit):
    page = visit("Rig")
    tab = page.tab
    _, _, forward = axes_of(page.camera.position, page.camera.look_at)
    for end in ("pelvis", "right_foot", "head"):
        before = handles(tab)[end].position
        x, y = on_ring(page, end)
        page.drag((x, y), (x + 25, y + 12))
        until(lambda end=end, before=before: np.linalg.norm(handles(tab)[end].position - before) > 0.02, "a drag")
        page.wait_for_drag()
        shift = handles(tab)[end].position - before
        assert abs(shift @ forward) < 0.01 and shift[1] < 0.0
        assert tab.chosen == end and np.allclose(tab._arrows.position, tab.rig.targets[end])
        seen = np.subtract(page.on_screen(before + shift), page.on_screen(before))
        assert seen == pytest.approx([25, 12], abs=6)
    page.press("Reset")
    until(lambda: not tab.rig.targets, "the pose as it was")
    page.choose("Arrows at", "left foot")
    until(lambda: np.allclose(tab._arrows.position, handles(tab)["left_foot"].position), "the arrows at the left foot")
