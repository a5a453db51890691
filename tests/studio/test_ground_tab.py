"""The Ground tab, in a real browser: clips, terrains, playback and downloads."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

import limbik
from tests.assets import asset
from tests.optional import optional

optional("viser")

from limbik.rendering.posed_figures import PosedFigures  # noqa: E402
from limbik.studio.ground_scene import SWELL, VIEWS  # noqa: E402
from limbik.studio.page import viser_patches  # noqa: E402

from .visit import until  # noqa: E402

WINDOW = 960, 720  # small: it is drawn without a graphics card
WALK = "bvh/cmu_16_35.bvh"
FIRST = "hills:height=0.3,seed=3,size=4"


@pytest.fixture
def page(visit):
    """The tab as it opens, but paused."""
    return visit("Ground", WINDOW, lambda tab: tab.playback.play(False))


def drawn(page, name):
    """The vertices of everything that is drawn below a name of the scene, (n, 3); None where nothing is."""
    scene = page.studio.stage.scene
    found = [node for at, node in sorted(scene._handle_from_node_name.items()) if f"{at}/".startswith(f"{name}/")]
    meshes = [node.vertices for node in found if hasattr(node, "vertices") and node.visible]
    return np.concatenate(meshes) if meshes else None


def test_bars_are_the_contacts_and_as_wide_as_the_slider(page):
    contacts = np.asarray(page.tab.grounded.clip.contacts)
    bars = page.page.locator("svg.contacts path.bars").get_attribute("d")
    found = np.zeros_like(contacts)
    for x, y, width in re.findall(r"M(-?[\d.]+) ([\d.]+)h(\d+)", bars):
        first = round(float(x) + 0.5)
        found[first : first + int(width), int(float(y))] = True
    assert np.array_equal(found, contacts) and contacts.any() and not contacts.all()
    timeline = page.page.locator("svg.contacts").bounding_box()
    slider = page.control("Frame").locator(".mantine-Slider-trackContainer").bounding_box()
    assert timeline["x"] == pytest.approx(slider["x"], abs=1.5)
    assert timeline["width"] == pytest.approx(slider["width"], abs=1.5)


def test_scrubbing_shows_that_frame(page):
    tab = page.tab
    slider = page.control("Frame").locator(".mantine-Slider-trackContainer")
    slider.scroll_into_view_if_needed()
    track = slider.bounding_box()
    y = track["y"] + 0.5 * track["height"]
    for part in (0.62, 0.25):
        start = track["x"] + tab.playback.frame / (len(tab.grounded.clip) - 1) * track["width"]
        page.drag((start, y), (track["x"] + part * track["width"], y), steps=3)
        wanted = part * (len(tab.grounded.clip) - 1)
        until(lambda wanted=wanted: abs(tab.playback.frame - wanted) < 4, "the frame")
        page.settle()
        frame = tab.playback.frame
        clip = tab.grounded.clip
        seen = PosedFigures(clip).mesh_of([clip[frame]]).places
        assert same_places(drawn(page, "/ground/after"), seen)
        middle = clip[frame].positions().mean(axis=0)
        assert np.allclose(drawn(page, "/ground/after").mean(axis=0)[::2], middle[::2], atol=0.3)
        until(lambda frame=frame: shown_number(page, "Frame") == str(frame), "its number")
        until(lambda frame=frame: abs(cursor(page) * (len(tab.grounded.clip) - 1) - frame) < 0.1, "the line")


def same_places(drawn, places):
    """Whether vertices are the same, in whatever order: where colours meet, the studio draws a vertex once for each."""
    return all(cKDTree(one).query(other)[0].max() < 1e-4 for one, other in ((drawn, places), (places, drawn)))


def cursor(page):
    """Where the timeline's line is, from 0 to 1."""
    return 0.01 * page.page.locator(".limbik-cursor").evaluate("line => parseFloat(line.style.left)")


def test_views_show_the_clip_as_it_was_and_as_it_is(page):
    tab = page.tab
    page.do(lambda: tab.playback.seek(1.5))
    frame, layout = tab.playback.frame, tab.scene.layout
    ghost = PosedFigures(layout.grounded.before_on_terrain).mesh_of([layout.grounded.before_on_terrain[frame]])
    before = ghost.places + SWELL * layout.motion.size * ghost.normals  # over the other figure, not through it
    after = PosedFigures(tab.grounded.clip).mesh_of([tab.grounded.clip[frame]]).places
    aside = page.studio.stage.scene._handle_from_node_name["/ground/before"]
    for view, shown in (
        ("Side by side", (True, True)),
        ("Before only", (True, False)),
        ("After only", (False, True)),
        ("Overlay", (True, True)),
    ):
        page.choose("Show", view)
        until(lambda view=view: tab.scene._view is VIEWS[view], "the view")
        page.settle()
        for name, places, seen in zip(("/ground/before/figure", "/ground/after"), (before, after), shown, strict=True):
            vertices = drawn(page, name)
            assert (vertices is not None) == seen
            assert vertices is None or same_places(vertices, places)
        apart = np.linalg.norm(aside.position)
        assert apart > np.ptp(after, axis=0)[0] if view == "Side by side" else apart == 0.0
        assert (drawn(page, "/ground/marks") is not None) == shown[1]
    raised, flat = (one.positions() for one in (layout.grounded.before_on_terrain, tab.grounded.before))
    hips = flat[:, [foot.limb.joints[0] for foot in tab.grounded.feet]].mean(axis=1)
    assert np.allclose((raised - flat)[..., 1], limbik.terrain(FIRST).height(hips[:, [0, 2]])[:, None])


def test_playing_goes_on_from_where_it_is(page):
    page.do(lambda: page.tab.playback.seek(2.0))
    start = page.tab.playback.frame
    page.page.get_by_role("button", name="Play").click()
    until(lambda: page.tab.playback.frame > start, "time that goes on")
    page.page.get_by_role("button", name="Pause").click()
    until(lambda: not page.tab.moving, "a pause")


def test_terrains_are_chosen_and_written(page):
    tab = page.tab
    page.choose("Terrain", "Slope, up")
    until(lambda: repr(tab.grounded.terrain) == "slope:10", "the slope")
    assert tab._spec.value == "slope:10"
    page.write("Description", "stairs:rise=0.1,run=0.4", handle=tab._spec)
    until(lambda: tab.grounded.terrain == limbik.terrain("stairs:rise=0.1,run=0.4"), "the stairs")
    page.settle()
    assert tab._kind.value == "Custom"
    stairs = tab.grounded
    page.write("Description", "stares:rise=0.1", handle=tab._spec)
    page.page.locator(".mantine-Notification-root").filter(has_text="stares").wait_for()
    assert "did you mean 'stairs'" in page.page.locator(".error").inner_text()
    assert tab.grounded is stairs
    page.choose("Terrain", "Level")
    until(lambda: repr(tab.grounded.terrain) == "plane", "level ground")
    page.page.locator(".error").wait_for(state="detached")


def test_settings_solve_anew_while_they_are_dragged(page):
    tab = page.tab
    turns = tab.grounded.clip.rotations
    page.unfold("Settings")
    page.slide("Align limit", 0.02)
    until(lambda: tab.grounded.settings.align_limit_degrees < 5.0, "the setting")
    assert not np.allclose(tab.grounded.clip.rotations, turns)
    page.press("Restore defaults")
    until(lambda: np.array_equal(tab.grounded.clip.rotations, turns), "the defaults")
    until(lambda: shown_number(page, "Align limit") == "45", "its number")


def shown_number(page, label):
    """What stands beside a slider."""
    return page.control(label).locator("xpath=following-sibling::*//input").input_value()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("cut.bvh", lambda: asset(WALK).read_bytes()[:40_000], "cut.bvh"),
        ("junk.glb", lambda: b"glTF" + bytes(range(200)), "junk.glb"),
        ("notes.txt", lambda: b"walk this way", "is none of .bvh, .glb, .gltf"),
        ("empty.bvh", lambda: b"", "empty.bvh"),
        ("large.bvh", lambda: b"HIERARCHY\n" + b" " * 4096, "the limit is"),
        ("<img src=x onerror=alert(1)>.bvh", lambda: b"HIERARCHY\nROOT <b>", "line"),
    ],
)
def test_broken_files_are_refused_with_words(page, tmp_path, monkeypatch, name, content, words):
    if name == "large.bvh":
        monkeypatch.setattr(viser_patches, "MAX_UPLOAD_BYTES", 4096)
    path = tmp_path / name
    path.write_bytes(content())
    before = page.tab.grounded
    page.upload(path)
    told = page.page.locator(".mantine-Notification-root").filter(has_text=words)
    told.first.wait_for()
    assert page.tab.grounded is before
    if name not in ("notes.txt", "large.bvh"):  # those never came as far as the tab
        page.page.locator(".error").filter(has_text=words).wait_for()


def test_uploaded_clips_replace_the_last_one(page):
    tab = page.tab
    page.upload(asset("gltf/Fox.glb"))
    until(lambda: tab.opened.name == "Fox.glb", "the fox")
    page.settle()
    assert len(tab.opened.animations) == 3
    page.choose("Animation", "2 Walk")
    until(lambda: tab.opened.clip.name == "Walk", "its walk")
    page.settle()
    fox = tab.grounded.clip
    assert same_places(drawn(page, "/ground/after"), PosedFigures(fox).mesh_of([fox[tab.playback.frame]]).places)
    assert len(drawn(page, "/ground/after")) == 1728  # its own mesh, not bones
    path = page.download("Clip")
    saved = limbik.load(path, animation="Walk")
    assert path.name == "Fox_grounded.glb" and np.allclose(saved.positions(), fox.positions(), atol=1e-4)


def test_what_is_kept_is_what_is_seen(page):
    tab = page.tab
    page.write("Path", str(asset(WALK)), handle=tab.path)
    until(lambda: tab.opened.name == Path(WALK).name, "the clip")
    page.settle()
    clip = page.download("Clip")
    assert clip.name == "cmu_16_35_grounded.bvh"
    assert np.allclose(limbik.load(clip).positions(), tab.grounded.clip.positions(), atol=2e-4)
    player = page.download("Page")
    content = player.read_bytes()
    assert player.name == "cmu_16_35_grounded.html"
    assert content.startswith(b"<!doctype html>") and len(content) < 3_000_000
    numbers = page.download("Numbers")
    assert numbers.name == "cmu_16_35_grounded.json"
    assert json.loads(numbers.read_text()) == json.loads(json.dumps(tab.grounded.report.as_dict()))


def test_a_path_that_leads_nowhere_is_an_error(page):
    before = page.tab.grounded
    with pytest.raises(limbik.errors.FileError) as error:
        limbik.load("/nowhere/walk.bvh")
    page.write("Path", "/nowhere/walk.bvh", handle=page.tab.path)
    page.page.locator(".error").filter(has_text=str(error.value)).wait_for()
    assert page.tab.grounded is before
