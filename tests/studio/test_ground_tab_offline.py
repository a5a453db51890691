"""Terrains, settings and files in the Ground tab, without a page that looks at it."""

from dataclasses import fields

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.errors import LimbikError
from limbik.grounding.settings import Settings, descriptions
from tests.assets import RIGS, SAMPLE_GLB, asset
from tests.optional import optional
from tests.thoroughness import some


@pytest.fixture(scope="module")
def tab():
    optional("viser")
    from limbik.studio.application import Studio

    with Studio("127.0.0.1", 0, "Ground") as studio:
        yield studio.tab


@pytest.fixture
def at_first(tab):
    """The tab with a walk on stairs, and all settings as they were."""
    from limbik.studio.page.clip_tab import OpenedClip

    tab._settings._restore_defaults(None)
    tab._ground_clip(OpenedClip(samples.walk(), "walk.bvh"), limbik.terrain("stairs:rise=0.12,run=0.35"))
    return tab


def test_the_tab_is_alive_at_once_and_leaves_nothing_behind():
    optional("viser")
    from limbik.studio.application import Studio

    with Studio("127.0.0.1", 0, "Ground") as studio:
        tab, folder = studio.tab, studio.stage.folder
        assert tab.moving and tab.grounded.report.total.contacts > 0
        tab.advance(0.1)
        assert tab.playback.frame == 6
        assert folder.is_dir()
    assert not folder.exists()


def same(one, other):
    return np.allclose(one.rotations, other.rotations) and np.allclose(one.translations, other.translations)


def test_every_setting_has_a_slider_around_its_default():
    optional("viser")
    from limbik.studio.ground_panel import SETTING_RANGES

    assert list(SETTING_RANGES) == [field.name for field in fields(Settings)] == list(descriptions())
    assert all(descriptions().values())
    for field in fields(Settings):
        low, high, step = SETTING_RANGES[field.name]
        steps = (field.default or low) / step
        assert low <= (field.default or low) <= high and abs(steps - round(steps)) < 1e-6
        Settings(**{field.name: low}), Settings(**{field.name: high})


@pytest.mark.parametrize("name", some([field.name for field in fields(Settings)], 3))
def test_every_setting_changes_the_result(at_first, name):
    tab, controls = at_first, at_first._settings
    if name == "align_limit_degrees":
        tab._ground_clip(tab.opened, limbik.terrain("slope:10"))  # treads are level
    before = tab.grounded.clip
    if name in controls._enabled:
        controls._enabled[name].value = True
    if name == "plant_speed":
        controls._sliders["plant_share"].value = 0.0  # the greater of the two counts
    if name == "foothold_search":
        controls._sliders["fit_stride"].value = 0.0  # fitted strides end on even ground
    different = []
    for value in (controls._sliders[name].min, controls._sliders[name].max):
        controls._sliders[name].value = value
        controls._apply()
        assert getattr(tab.grounded.settings, name) == value
        different.append(not same(tab.grounded.clip, before))
    assert any(different)
    controls._restore_defaults(None)
    assert tab.grounded.settings == Settings() and same(tab.grounded.clip, before)


def test_every_terrain_changes_the_result(at_first):
    from limbik.studio.ground_tab import TERRAINS

    found = []
    for kind, spec in TERRAINS.items():
        at_first._kind.value = kind
        at_first._choose_terrain()
        assert at_first.grounded.terrain == limbik.terrain(spec) and at_first._kind.value == kind
        assert not any(same(at_first.grounded.clip, clip) for clip in found)
        found.append(at_first.grounded.clip)


@pytest.mark.parametrize("rig", [SAMPLE_GLB, *RIGS])
def test_every_rig_is_shown_or_refused(at_first, rig):
    before = at_first.grounded
    try:
        at_first.open_file(asset(rig))
    except LimbikError as error:
        assert "leg" in str(error)
        assert at_first.grounded is before and at_first.scene.layout.grounded is before
    else:
        assert at_first.grounded.before.skeleton.names == limbik.load(asset(rig)).skeleton.names
        assert at_first.scene.layout.grounded is at_first.grounded
    at_first.advance(0.1)


def test_what_cannot_be_shown_leaves_the_tab_as_it_was(at_first, monkeypatch):
    """Also where it goes wrong late: the ground cannot be laid."""
    from limbik.studio import ground_scene

    before, layout = at_first.grounded, at_first.scene.layout

    def refuse(*_):
        raise LimbikError("no ground")

    monkeypatch.setattr(ground_scene, "show_terrain", refuse)
    at_first._spec.value = "slope:3"
    with pytest.raises(LimbikError, match="no ground"):
        at_first._apply_terrain()
    assert at_first.grounded is before and at_first.scene.layout is layout
    assert "no ground" in at_first._error.content and at_first._error.visible
    at_first.advance(0.1)


def test_grounds_side_by_side_do_not_overlap(at_first):
    layout = at_first.scene.layout
    low, high = layout.corners(apart=True)
    across = int(np.argmax(np.abs(layout.offset))) // 2
    assert abs(layout.offset[2 * across]) >= (high - low)[across]
    places = layout.motion.positions[..., [0, 2]]
    assert np.all(places >= low) and np.all(places <= high)
    assert np.count_nonzero(layout.offset) == 1


def test_a_cycle_is_repeated_and_other_clips_are_not(at_first):
    from limbik.studio.page.clip_tab import OpenedClip

    at_first._ground_clip(OpenedClip(samples.walk(61), "cycle.bvh"), limbik.terrain("plane"))
    assert not at_first._repeat.disabled
    at_first._repeat.value = 3
    at_first._reground()
    assert len(at_first.grounded.clip) == 181
    at_first._ground_clip(OpenedClip(samples.walk(100), "walk.bvh"), limbik.terrain("plane"))
    assert at_first._repeat.disabled and len(at_first.grounded.clip) == 100
    at_first._repeat.value = 1


def test_footsteps_are_chosen_dragged_retimed_deleted_and_restored(at_first):
    tab, editor = at_first, at_first._footsteps
    before, middle = tab.grounded, 5
    assert not editor._gizmo.visible and not editor._discs.visible
    editor._shown.value, editor._number.value = True, middle
    editor._choose()
    step = before.footsteps[middle]
    assert np.allclose(editor._gizmo.position, step.position) and editor._discs.visible
    assert step.start <= tab.playback.frame < step.stop and not tab.moving
    x, y, z = step.position
    editor._gizmo.position = (x + 0.1, y + 0.3, z)  # only along the ground
    editor._drag()
    moved = tab.grounded.footsteps[middle]
    assert np.allclose(moved.position, [x + 0.1, y, z]) and editor.edited
    others = [one.position for k, one in enumerate(tab.grounded.footsteps) if k != middle]
    assert np.allclose(others, [one.position for k, one in enumerate(before.footsteps) if k != middle])
    editor._gizmo.wxyz = tuple(np.roll(limbik.rotations.about([0.0, 1.0, 0.0], np.radians(20.0)), 1).tolist())
    turn = 20.0 - editor._at[2]
    editor._drag()
    assert tab.grounded.footsteps[middle].heading_degrees == pytest.approx(step.heading_degrees + turn)
    editor._start.value = step.start + 3
    editor._retime()
    assert tab.grounded.footsteps[middle].start == step.start + 3
    editor._remove(None)
    assert len(tab.grounded.footsteps) == len(before.footsteps) - 1
    editor._forget(None)
    assert same(tab.grounded.clip, before.clip) and not editor.edited


def test_footsteps_out_of_reach_are_told_and_forgotten_on_other_ground(at_first):
    tab, editor = at_first, at_first._footsteps
    editor._shown.value = True
    editor._choose()
    editor._gizmo.position = np.add(editor._gizmo.position, [4.0, 0.0, 0.0])
    editor._drag()
    assert editor._notes.visible and "out of reach" in editor._notes.content
    tab._spec.value = "slope:10"
    tab._apply_terrain()
    assert not editor.edited and not editor._notes.visible
    editor._shown.value = False
    editor._choose()
    assert not editor._gizmo.visible
