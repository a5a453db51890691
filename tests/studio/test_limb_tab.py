"""The Limb tab: what is dragged, chosen and typed on a page is what the limb does."""

import re

import numpy as np
import pytest

import limbik
from limbik.studio.limb.drag_recording import Drag
from limbik.studio.limb.limb_call import Call

from .visit import until


def tip(visit):
    return visit.studio.tab.solution.joints[-1]


def gizmo(visit):
    return visit.studio.tab._gizmo


def pull(visit, axis, pixels):
    """Drags one of the gizmo's arrows by so many pixels along it as it is seen."""
    turn = limbik.rotations.to_matrices(np.roll(gizmo(visit).wxyz, -1))
    place = gizmo(visit).position
    start, far = (np.array(visit.on_screen(place + s * 0.25 * turn[:, axis])) for s in (0.85, 1.2))
    along = (far - start) / np.linalg.norm(far - start)
    visit.drag(tuple(start), tuple(start + pixels * along))
    visit.settle()


def copied(visit):
    """Presses the copy button, runs what is on the clipboard, and returns the pose that it makes."""
    shown = visit.page.get_by_label("Python")
    until(lambda: shown.input_value() == visit.studio.tab.call.text(), "the call of this pose")
    visit.page.get_by_role("button", name="Copy the Python call").click()
    until(lambda: visit.page.get_by_text("Copied").count(), "a button that says so")
    text = visit.page.evaluate("navigator.clipboard.readText()")
    names = {}
    exec(text, names)
    return names["pose"]


def drag_along(page, axes):
    """Drags each of the gizmo's arrows, and checks that the tip is where the gizmo is."""
    for axis in range(axes):
        before = np.array(gizmo(page).position)
        pull(page, axis, -35)
        until(lambda before=before: np.linalg.norm(gizmo(page).position - before) > 0.01, "a gizmo that has moved")
        until(lambda: np.abs(tip(page) - gizmo(page).position[: len(tip(page))]).max() < 1e-6, "the tip at its target")
        assert page.studio.tab.solution.reached
    assert np.array_equal(copied(page).joints, page.studio.tab.solution.joints)


def change(page, act):
    """How far joints have moved, at most, by something that is done on the page."""
    tab = page.studio.tab
    before = tab.solution
    act()
    until(lambda: tab.solution is not before and len(tab.solution.joints), "an answer")
    page.settle()
    assert np.array_equal(copied(page).joints, tab.solution.joints)
    return np.abs(tab.solution.joints - before.joints).max()


def test_a_leg_follows_the_mouse_and_each_control(visit):
    page = visit("Limb")
    tab = page.studio.tab
    drag_along(page, 3)
    assert change(page, lambda: page.choose("Bend", "+1")) > 0.01
    assert tab.solution.reached
    assert change(page, lambda: page.write("Up", 0.7, place=0)) > 0.01
    assert change(page, lambda: page.choose("Style", "easy")) > 0.01
    assert change(page, lambda: page.tick("Give a hint")) > 0.001
    assert change(page, lambda: page.write("Hint", 1, place=0)) > 0.01
    assert change(page, lambda: page.choose("Style", "natural")) > 0.01
    page.unfold("Lengths")
    for name in ("First link", "Second link", "Last link"):
        assert change(page, lambda name=name: page.slide(name, 0.5)) > 0.01
    assert change(page, lambda: page.write("Target", 2, place=0)) > 0.01
    assert np.allclose(gizmo(page).position[0], 2.0)
    assert not tab.solution.reached
    page.page.get_by_text("too far").wait_for()
    assert change(page, lambda: page.choose("Priority", "position")) > 0.01
    page.unfold("Limits")
    change(page, lambda: page.choose("Priority", "up"))
    change(page, lambda: page.write("Target", 0.3, place=0))
    change(page, lambda: page.tick("Limit the middle joint"))
    assert change(page, lambda: page.narrow("Bend, degrees", 0.4)) > 0.01  # the upper end comes down to 72°
    assert np.radians(10) - 1e-9 <= abs(tab.solution.angles[3]) <= np.radians(75)
    assert change(page, lambda: page.tick("Limit the last joint")) > 0.01
    assert abs(tab.solution.angles[4]) <= np.radians(40) + 1e-9
    page.narrow("Last bend", 0.42)
    until(lambda: tab.call.limits["last_limits"][1] < np.radians(-20), "a narrower range")
    assert page.faults == []
    assert all(re.match(r"(blob:)?http://127\.0\.0\.1:", address) for address in page.requests), page.requests


def test_arms_follow_the_mouse_and_each_control(visit):
    page = visit("Limb")
    tab = page.studio.tab
    page.choose("Kind", "arm, two links")
    until(lambda: tab.call.kind is limbik.TwoLink, "an arm")
    drag_along(page, 3)
    assert change(page, lambda: page.write("Pole", 1, place=0)) > 0.01
    assert change(page, lambda: page.slide("Twist", 0.8)) > 0.01
    change(page, lambda: page.write("Target", 0.7, place=0))
    assert change(page, lambda: page.slide("Soften", 0.2)) > 1e-4
    assert change(page, lambda: page.write("Target", 1.0, place=0)) > 1e-4
    assert change(page, lambda: page.slide("Stretch", 0.9)) > 0.01
    assert tab.solution.reached
    page.choose("Kind", "arm in the plane")
    until(lambda: tab.call.kind is limbik.PlanarTwoLink, "an arm in the plane")
    drag_along(page, 2)
    assert change(page, lambda: page.choose("Bend", "+1")) > 0.01
    assert page.faults == []


def test_a_drag_is_recorded_and_what_is_drawn_is_the_pose(visit, tmp_path):
    page = visit("Limb")
    tab = page.studio.tab
    drawn = tab._links._mesh.vertices
    for joint in tab.solution.joints:
        assert np.linalg.norm(drawn - joint, axis=-1).min() < 0.08
    (other,) = tab.call.branches().others(tab.solution)
    assert np.linalg.norm(tab._ghosts[0]._mesh.vertices - other[1], axis=-1).min() < 0.08
    page.unfold("Show")
    page.tick("Other branches")
    until(lambda: not tab._ghosts[0]._mesh.visible, "no ghosts")
    assert tab._region._far.visible
    page.tick("What can be reached")
    until(lambda: not tab._region._far.visible, "no region")

    page.unfold("Record a drag")
    page.press("Record")
    page.press("Stop")
    page.page.get_by_text("Nothing was recorded").wait_for()
    place = np.array(gizmo(page).position)
    page.press("Record")
    page.page.get_by_role("button", name="Stop", exact=True).wait_for()
    pull(page, 1, -40)
    pull(page, 0, 30)
    page.press("Stop")
    clip = until(lambda: tab._clip, "a clip")
    positions = clip.positions()
    assert np.allclose(positions[0, -1], place, atol=1e-6)
    assert np.allclose(positions[-1, -1], tab.solution.joints[-1], atol=1e-6)
    assert np.allclose(np.linalg.norm(np.diff(positions, axis=1), axis=-1), tab.call.lengths, atol=1e-9)
    with page.page.expect_download() as download:
        page.press("Save as .glb")
    download.value.save_as(tmp_path / "drag.glb")
    loaded = limbik.load(tmp_path / "drag.glb")
    assert np.allclose(loaded.positions()[:, loaded.skeleton.index("tip")], positions[:, -1], atol=1e-5)
    with page.page.expect_download() as download:
        page.press("Save as a page")
    download.value.save_as(tmp_path / "drag.html")
    assert "<html" in (tmp_path / "drag.html").read_text("utf-8")
    page.press("Play")
    until(lambda: tab._time > 0.2, "a clip that plays")
    page.press("Stop playing")
    until(lambda: not tab.moving, "rest")
    page.press("Record")
    until(lambda: tab._drag is not None, "a recording")
    page.choose("Kind", "arm, two links")
    until(lambda: tab._drag is None, "a recording that ends with its limb")
    assert not any(page.studio.stage.folder.iterdir())


@pytest.mark.parametrize("kind", [limbik.ThreeLink, limbik.TwoLink, limbik.PlanarTwoLink])
def test_a_clip_of_a_drag_has_the_joints_of_its_solutions(kind):
    rng = np.random.default_rng(0)
    flat = kind is limbik.PlanarTwoLink
    lengths = (0.45, 0.42, 0.15)[: 3 if kind is limbik.ThreeLink else 2]
    drag, arguments = Drag(), {}
    for time in np.arange(0.0, 2.0, 0.013):
        place = 0.5 * np.array([np.cos(time), np.sin(time), 0.3 * time]) + rng.normal(0, 1e-3, 3)
        arguments = {"target": tuple(place[: 2 if flat else 3])}
        if kind is limbik.ThreeLink:
            arguments["up"] = (np.sin(time), -1.0, 0.0)
        drag.add(time, arguments)
    clip = drag.clip(Call(kind, lengths, arguments))
    tips = clip.positions()[:, -1]
    times = np.array(drag.times)
    for axis, column in enumerate(np.array(drag.targets).T):
        assert np.allclose(tips[:, axis], np.interp(clip.times, times, column), atol=1e-9)
    assert np.allclose(np.linalg.norm(np.diff(clip.positions(), axis=1), axis=-1), lengths, atol=1e-12)


def test_the_python_call_says_what_is_not_as_usual_and_no_more():
    arguments = {
        "target": (0.1, -0.7, 0.2),
        "up": (0.0, -1.0, 0.0),
        "bend": 1,
        "style": "easy",
        "hint": (1.0, 0.0, 0.0),
    }
    call = Call(limbik.ThreeLink, (0.45, 0.42, 0.15), arguments, {"middle_limits": (0.1, 2.0)})
    text = call.text()
    assert "bend" not in text and "priority" not in text
    names = {}
    exec(text, names)
    assert np.array_equal(names["pose"].joints, call.solution().joints)


@pytest.mark.parametrize("size", [(1280, 800), (420, 800)])
def test_nothing_is_cut_off(visit, size):
    page = visit("Limb", size=size)
    page.page.wait_for_timeout(500)
    width, _ = size
    boxes = page.page.evaluate(
        """() => [...document.querySelectorAll('label, input, button, textarea, svg text, table')]
            .filter((e) => e.offsetParent !== null || e instanceof SVGElement)
            .filter((e) => e.checkVisibility({opacityProperty: true, visibilityProperty: true}))
            .map((e) => [e.tagName + ' ' + (e.textContent || e.value || ''), e.getBoundingClientRect()])
            .filter(([_, b]) => b.width > 0 && b.height > 0)
            .map(([name, b]) => [name, b.left, b.right])"""
    )
    assert len(boxes) > 10
    outside = [box for box in boxes if box[1] < -1 or box[2] > width + 1]
    assert outside == []
