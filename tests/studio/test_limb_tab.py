"""The Limb tab: what is dragged, chosen and typed on a page is what the limb does."""

import numpy as np
import pytest

import limbik
from limbik.studio.limb_call import DragRecording, LimbCall

from .visit import until


def tip(page):
    return page.tab.solution.joints[-1]


def gizmo(page):
    return page.tab._gizmo


def run(text):
    """The pose that Python code computes."""
    names = {}
    exec(text, names)
    return names["pose"]


def is_shown(page):
    """Whether the Python code on the page computes exactly the pose of the limb."""
    solution, text = page.tab.solution, page.page.get_by_label("Python").input_value()
    return text == page.tab.call.python() and np.array_equal(run(text).joints, solution.joints)


def copy(page):
    """Presses the copy button until the clipboard has the code of the pose."""
    until(lambda: is_shown(page), "the code of this pose")
    page.press("Copy the Python call")
    until(lambda: page.page.evaluate("navigator.clipboard.readText()") == page.tab.call.python(), "a copy")


def drag_along(page, axes):
    """Drags each of the gizmo's arrows, and checks that the tip follows."""
    for axis in range(axes):
        page.pull(page.tab._gizmo, axis, -35)
        until(lambda: np.abs(tip(page) - gizmo(page).position[: len(tip(page))]).max() < 1e-6, "the tip at its target")
        assert page.tab.solution.reached
    copy(page)


def changes(page, act, least=0.01):
    """Does something on the page, and waits until joints have moved by at least so much, and the page says so."""
    before = page.tab.solution.joints
    act()
    until(lambda: np.abs(page.tab.solution.joints - before).max() > least, "another pose")
    until(lambda: is_shown(page), "the code of this pose")
    page.settle()


def test_a_leg_follows_the_mouse_and_each_control(visit):
    page = visit("Limb")
    tab = page.tab
    drag_along(page, 3)
    changes(page, lambda: page.choose("Bend", "+1"))
    assert tab.solution.reached
    changes(page, lambda: page.write("Up", 0.7, place=0))
    changes(page, lambda: page.choose("Style", "easy"))
    changes(page, lambda: page.tick("Use a hint"), 0.001)
    changes(page, lambda: page.write("Hint", 1, place=0))
    changes(page, lambda: page.choose("Style", "natural"))
    page.unfold("Lengths")
    for name in ("First link", "Second link", "Last link"):
        changes(page, lambda name=name: page.slide(name, 0.5))
    changes(page, lambda: page.write("Target", 2, place=0))
    assert np.allclose(gizmo(page).position[0], 2.0)
    assert not tab.solution.reached
    page.page.get_by_text("too far").wait_for()
    changes(page, lambda: page.choose("Priority", "position"))
    page.unfold("Limits")
    changes(page, lambda: page.choose("Priority", "up"))
    changes(page, lambda: page.write("Target", 0.3, place=0), 0.0)
    page.tick("Limit the middle joint")
    until(lambda: "middle_limits" in tab.call.limits, "a limit")
    page.settle()
    changes(page, lambda: page.narrow("Bend, degrees", 0.4))  # the upper end comes down to 72°
    until(lambda: np.radians(10) - 1e-9 <= abs(tab.solution.angles[3]) <= np.radians(75), "a knee within its limits")
    changes(page, lambda: page.tick("Limit the last joint"))
    assert abs(tab.solution.angles[4]) <= np.radians(40) + 1e-9
    page.narrow("Last bend", 0.42)
    until(lambda: tab.call.limits["last_limits"][1] < np.radians(-20), "a narrower range")


def test_arms_follow_the_mouse_and_each_control(visit):
    page = visit("Limb")
    tab = page.tab
    page.choose("Kind", "arm (two links)")
    until(lambda: tab.call.kind is limbik.TwoLink, "an arm")
    page.settle()
    drag_along(page, 3)
    changes(page, lambda: page.write("Pole", 1, place=0))
    changes(page, lambda: page.slide("Twist", 0.8))
    changes(page, lambda: page.write("Target", 0.7, place=0), 0.0)
    changes(page, lambda: page.slide("Soften", 0.2), 1e-4)
    changes(page, lambda: page.write("Target", 1.0, place=0), 1e-4)
    changes(page, lambda: page.slide("Stretch", 0.9))
    until(lambda: tab.solution.reached, "an arm that is long enough")
    page.choose("Kind", "planar arm (two links)")
    until(lambda: tab.call.kind is limbik.PlanarTwoLink, "a planar arm")
    page.settle()
    drag_along(page, 2)
    changes(page, lambda: page.choose("Bend", "+1"))


def test_a_drag_is_recorded_and_what_is_drawn_is_the_pose(visit):
    page = visit("Limb")
    tab = page.tab
    drawn = tab.figure.links._mesh.vertices
    for joint in tab.solution.joints:
        assert np.linalg.norm(drawn - joint, axis=-1).min() < 0.08
    (other,) = tab.call.branches().others(tab.solution)
    assert np.linalg.norm(tab.figure.ghosts[0]._mesh.vertices - other[1], axis=-1).min() < 0.08
    page.unfold("Show")
    page.tick("Other branches")
    until(lambda: not tab.figure.ghosts[0].visible, "no ghosts")
    assert tab.figure.region.visible
    page.tick("Reachable region")
    until(lambda: not tab.figure.region.visible, "no region")

    page.unfold("Record a drag")
    page.press("Record")
    page.press("Stop")
    page.page.get_by_text("nothing was recorded").wait_for()
    place = np.array(gizmo(page).position)
    page.press("Record")
    page.page.get_by_role("button", name="Stop", exact=True).wait_for()
    page.pull(page.tab._gizmo, 1, -40)
    page.pull(page.tab._gizmo, 0, 30)
    page.press("Stop")
    clip = until(lambda: tab._clip, "a clip")
    positions = clip.positions()
    assert np.allclose(positions[0, -1], place, atol=1e-6)
    assert np.allclose(positions[-1, -1], tab.solution.joints[-1], atol=1e-6)
    assert np.allclose(np.linalg.norm(np.diff(positions, axis=1), axis=-1), tab.call.lengths, atol=1e-9)
    loaded = limbik.load(page.download("Save as .glb"))
    assert np.allclose(loaded.positions()[:, loaded.skeleton.index("tip")], positions[:, -1], atol=1e-5)
    assert "<html" in page.download("Save as a page").read_text("utf-8")
    page.press("Play")
    until(lambda: tab._time > 0.0, "a clip that plays")
    page.press("Stop playing")
    until(lambda: not tab.moving, "rest")
    page.press("Record")
    until(lambda: tab._recording is not None, "a recording")
    page.choose("Kind", "arm (two links)")
    until(lambda: tab._recording is None, "a recording that ends with its limb")


@pytest.mark.parametrize("kind", [limbik.ThreeLink, limbik.TwoLink, limbik.PlanarTwoLink])
def test_a_clip_of_a_drag_has_the_joints_of_its_solutions(kind):
    rng = np.random.default_rng(0)
    flat = kind is limbik.PlanarTwoLink
    lengths = (0.45, 0.42, 0.15)[: 3 if kind is limbik.ThreeLink else 2]
    drag, arguments = DragRecording(), {}
    for time in np.arange(0.0, 2.0, 0.013):
        place = 0.5 * np.array([np.cos(time), np.sin(time), 0.3 * time]) + rng.normal(0, 1e-3, 3)
        arguments = {"target": tuple(place[: 2 if flat else 3])}
        if kind is limbik.ThreeLink:
            arguments["up"] = (np.sin(time), -1.0, 0.0)
        drag.add(time, arguments)
    clip = drag.clip(LimbCall(kind, lengths, arguments))
    tips = clip.positions()[:, -1]
    times = np.array(drag.times)
    for axis, column in enumerate(np.array(drag.targets).T):
        assert np.allclose(tips[:, axis], np.interp(clip.times, times, column), atol=1e-9)
    assert np.allclose(np.linalg.norm(np.diff(clip.positions(), axis=1), axis=-1), lengths, atol=1e-12)


def test_a_recording_keeps_two_minutes_and_is_empty_where_nothing_moved():
    drag, arguments = DragRecording(), {"target": (0.5, 0.2)}
    for time in (3.0, 4.0, 5.0):
        drag.add(time, arguments)
    call = LimbCall(limbik.PlanarTwoLink, (0.45, 0.42), arguments)
    with pytest.raises(limbik.errors.LimbikError, match="nothing was recorded"):
        drag.clip(call)
    for time in (6.0, 100.0, 5000.0):
        drag.add(time, {"target": (0.4, 0.3)})
    clip = drag.clip(call)
    assert clip.duration == pytest.approx(97.0)
    assert np.allclose(clip.positions()[-1, -1], (0.4, 0.3, 0.0))


def test_the_python_call_has_the_arguments_that_are_not_defaults():
    arguments = {
        "target": (0.1, -0.7, 0.2),
        "up": (0.0, -1.0, 0.0),
        "bend": 1,
        "style": "easy",
        "hint": (1.0, 0.0, 0.0),
    }
    call = LimbCall(limbik.ThreeLink, (0.45, 0.42, 0.15), arguments, {"middle_limits": (0.1, 2.0)})
    text = call.python()
    assert "bend" not in text and "priority" not in text
    assert np.array_equal(run(text).joints, call.solve().joints)
