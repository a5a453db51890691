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

from .visit import SIZE, until  # noqa: E402

WINDOW = 960, 720  # small: it is drawn without a graphics card
WALK = "bvh/cmu_16_35.bvh"
FIRST = "hills:height=0.3,seed=3,size=4"


class Guest:
    """A page of the Ground tab, and the tab."""

    def __init__(self, visit):
        self.visit, self.page, self.studio = visit, visit.page, visit.studio

    @property
    def tab(self):
        return self.studio.tab

    def write(self, label, text):
        """Writes into a text field, and presses Enter once the studio has all of it."""
        handle = {"Path": self.tab.path, "Description": self.tab._spec}[label]
        field = self.visit.field(label)
        field.fill("")
        until(lambda: handle.value == "", "an empty field")
        field.fill(text)
        until(lambda: handle.value == text, "the text")
        field.press("Enter")

    def drawn(self, name):
        """The vertices of everything that is drawn below a name of the scene, (n, 3); None where nothing is."""
        scene = self.studio.stage.scene
        found = [node for at, node in sorted(scene._handle_from_node_name.items()) if f"{at}/".startswith(f"{name}/")]
        meshes = [node.vertices for node in found if hasattr(node, "vertices") and node.visible]
        return np.concatenate(meshes) if meshes else None


@pytest.fixture
def guest(visit):
    """The tab as it opens, but paused. Afterwards there were no errors, no requests elsewhere, and no files left."""
    page = visit("Ground", WINDOW, lambda tab: tab.playback.play(False))
    yield Guest(page)
    assert not page.faults
    ours = (page.studio.address, page.studio.address.replace("http", "ws"), "blob:", "data:")
    assert all(address.startswith(ours) for address in page.requests)
    assert not list(page.studio.stage.folder.iterdir())


def test_bars_are_the_contacts_and_as_wide_as_the_slider(guest):
    contacts = np.asarray(guest.tab.grounded.clip.contacts)
    bars = guest.page.locator("svg.contacts path.bars").get_attribute("d")
    found = np.zeros_like(contacts)
    for x, y, width in re.findall(r"M(-?[\d.]+) ([\d.]+)h(\d+)", bars):
        first = round(float(x) + 0.5)
        found[first : first + int(width), int(float(y))] = True
    assert np.array_equal(found, contacts) and contacts.any() and not contacts.all()
    timeline = guest.page.locator("svg.contacts").bounding_box()
    slider = guest.visit.control("Frame").locator(".mantine-Slider-trackContainer").bounding_box()
    assert timeline["x"] == pytest.approx(slider["x"], abs=1.5)
    assert timeline["width"] == pytest.approx(slider["width"], abs=1.5)


def test_scrubbing_shows_that_frame(guest):
    tab = guest.tab
    slider = guest.visit.control("Frame").locator(".mantine-Slider-trackContainer")
    slider.scroll_into_view_if_needed()
    track = slider.bounding_box()
    y = track["y"] + 0.5 * track["height"]
    for part in (0.62, 0.25):
        start = track["x"] + tab.playback.frame / (len(tab.grounded.clip) - 1) * track["width"]
        guest.visit.drag((start, y), (track["x"] + part * track["width"], y), steps=3)
        wanted = part * (len(tab.grounded.clip) - 1)
        until(lambda wanted=wanted: abs(tab.playback.frame - wanted) < 4, "the frame")
        guest.visit.settle()
        frame = tab.playback.frame
        clip = tab.grounded.clip
        seen = PosedFigures(clip).posed([clip[frame]]).places
        assert same_places(guest.drawn("/ground/after"), seen)
        middle = clip[frame].positions().mean(axis=0)
        assert np.allclose(guest.drawn("/ground/after").mean(axis=0)[::2], middle[::2], atol=0.3)
        until(lambda frame=frame: shown_number(guest, "Frame") == str(frame), "its number")
        until(lambda frame=frame: abs(cursor(guest) * (len(tab.grounded.clip) - 1) - frame) < 0.1, "the line")


def same_places(drawn, places):
    """Whether vertices are the same, in whatever order: where colours meet, the studio draws a vertex once for each."""
    return all(cKDTree(one).query(other)[0].max() < 1e-4 for one, other in ((drawn, places), (places, drawn)))


def cursor(guest):
    """Where the timeline's line is, from 0 to 1."""
    return 0.01 * guest.page.locator(".cursor").evaluate("line => parseFloat(line.style.left)")


def test_views_show_the_clip_as_it_was_and_as_it_is(guest):
    tab = guest.tab
    guest.visit.do(lambda: tab.playback.seek(1.5))
    frame, layout = tab.playback.frame, tab.scene.layout
    ghost = PosedFigures(layout.grounded.before_on_terrain).posed([layout.grounded.before_on_terrain[frame]])
    before = ghost.places + SWELL * layout.motion.size * ghost.normals  # over the other figure, not through it
    after = PosedFigures(tab.grounded.clip).posed([tab.grounded.clip[frame]]).places
    aside = guest.studio.stage.scene._handle_from_node_name["/ground/before"]
    for view, shown in (
        ("Side by side", (True, True)),
        ("Before only", (True, False)),
        ("After only", (False, True)),
        ("Overlay", (True, True)),
    ):
        guest.visit.choose("Show", view)
        until(lambda view=view: tab.scene._view is VIEWS[view], "the view")
        guest.visit.settle()
        for name, places, seen in zip(("/ground/before/figure", "/ground/after"), (before, after), shown, strict=True):
            drawn = guest.drawn(name)
            assert (drawn is not None) == seen
            assert drawn is None or same_places(drawn, places)
        apart = np.linalg.norm(aside.position)
        assert apart > np.ptp(after, axis=0)[0] if view == "Side by side" else apart == 0.0
        assert (guest.drawn("/ground/marks") is not None) == shown[1]
    raised, flat = (one.positions() for one in (layout.grounded.before_on_terrain, tab.grounded.before))
    hips = flat[:, [foot.limb.joints[0] for foot in tab.grounded.feet]].mean(axis=1)
    assert np.allclose((raised - flat)[..., 1], limbik.terrain(FIRST).height(hips[:, [0, 2]])[:, None])


def test_playing_goes_on_from_where_it_is(guest):
    guest.visit.do(lambda: guest.tab.playback.seek(2.0))
    start = guest.tab.playback.frame
    guest.page.get_by_role("button", name="Play").click()
    until(lambda: guest.tab.playback.frame > start, "time that goes on")
    guest.page.get_by_role("button", name="Pause").click()
    until(lambda: not guest.tab.moving, "a pause")


def test_terrains_are_chosen_and_written(guest):
    tab = guest.tab
    guest.visit.choose("Terrain", "Slope, up")
    until(lambda: repr(tab.grounded.terrain) == "slope:10", "the slope")
    assert tab._spec.value == "slope:10"
    guest.write("Description", "stairs:rise=0.1,run=0.4")
    until(lambda: tab.grounded.terrain == limbik.terrain("stairs:rise=0.1,run=0.4"), "the stairs")
    guest.visit.settle()
    assert tab._kind.value == "Custom"
    stairs = tab.grounded
    guest.write("Description", "stares:rise=0.1")
    guest.page.locator(".mantine-Notification-root").filter(has_text="stares").wait_for()
    assert "did you mean 'stairs'" in guest.page.locator(".error").inner_text()
    assert tab.grounded is stairs
    guest.visit.choose("Terrain", "Level")
    until(lambda: repr(tab.grounded.terrain) == "plane", "level ground")
    guest.page.locator(".error").wait_for(state="detached")


def test_settings_solve_anew_while_they_are_dragged(guest):
    tab = guest.tab
    turns = tab.grounded.clip.rotations
    guest.visit.unfold("Settings")
    guest.visit.slide("Align limit", 0.02)
    until(lambda: tab.grounded.settings.align_limit_degrees < 5.0, "the setting")
    assert not np.allclose(tab.grounded.clip.rotations, turns)
    guest.visit.press("Restore defaults")
    until(lambda: np.array_equal(tab.grounded.clip.rotations, turns), "the defaults")
    until(lambda: shown_number(guest, "Align limit") == "45", "its number")


def shown_number(guest, label):
    """What stands beside a slider."""
    return guest.visit.control(label).locator("xpath=following-sibling::*//input").input_value()


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
def test_broken_files_are_refused_with_words(guest, tmp_path, monkeypatch, name, content, words):
    if name == "large.bvh":
        monkeypatch.setattr(viser_patches, "MAX_UPLOAD_BYTES", 4096)
    path = tmp_path / name
    path.write_bytes(content())
    before = guest.tab.grounded
    guest.visit.upload(path)
    told = guest.page.locator(".mantine-Notification-root").filter(has_text=words)
    told.first.wait_for()
    assert guest.tab.grounded is before
    if name not in ("notes.txt", "large.bvh"):  # those never came as far as the tab
        guest.page.locator(".error").filter(has_text=words).wait_for()


def test_uploaded_clips_replace_the_last_one(guest):
    tab = guest.tab
    guest.visit.upload(asset("gltf/Fox.glb"))
    until(lambda: tab.opened.name == "Fox.glb", "the fox")
    guest.visit.settle()
    assert len(tab.opened.animations) == 3
    guest.visit.choose("Animation", "2 Walk")
    until(lambda: tab.opened.clip.name == "Walk", "its walk")
    guest.visit.settle()
    fox = tab.grounded.clip
    assert same_places(guest.drawn("/ground/after"), PosedFigures(fox).posed([fox[tab.playback.frame]]).places)
    assert len(guest.drawn("/ground/after")) == 1728  # its own mesh, not bones
    name, saved = kept(guest, "Clip", lambda path: limbik.load(path, animation="Walk"))
    assert name == "Fox_grounded.glb" and np.allclose(saved.positions(), fox.positions(), atol=1e-4)


def test_what_is_kept_is_what_is_seen(guest):
    tab = guest.tab
    guest.write("Path", str(asset(WALK)))
    until(lambda: tab.opened.name == Path(WALK).name, "the clip")
    guest.visit.settle()
    name, clip = kept(guest, "Clip", limbik.load)
    assert name == "cmu_16_35_grounded.bvh"
    assert np.allclose(clip.positions(), tab.grounded.clip.positions(), atol=2e-4)
    name, page = kept(guest, "Page", lambda path: path.read_bytes())
    assert name == "cmu_16_35_grounded.html" and page.startswith(b"<!doctype html>") and len(page) < 3_000_000
    name, numbers = kept(guest, "Numbers", lambda path: json.loads(path.read_text()))
    assert name == "cmu_16_35_grounded.json"
    assert numbers == json.loads(json.dumps(tab.grounded.report.as_dict()))


def kept(guest, what, read=lambda path: path):
    """The name of a file that the page gives, and what is in it."""
    with guest.page.expect_download() as waiting:
        guest.page.get_by_role("button", name=what, exact=True).click()
    name = waiting.value.suggested_filename
    path = Path(waiting.value.path())
    return name, read(path.rename(path.with_name(name)))


def test_a_path_that_leads_nowhere_is_an_error(guest):
    before = guest.tab.grounded
    with pytest.raises(limbik.errors.FileError) as error:
        limbik.load("/nowhere/walk.bvh")
    guest.write("Path", "/nowhere/walk.bvh")
    guest.page.locator(".error").filter(has_text=str(error.value)).wait_for()
    assert guest.tab.grounded is before


LAYOUT = """() => {
  let panel = document.querySelector('svg.contacts');  // what scrolls: under its edge others may be
  while (!/auto|scroll/.test(getComputedStyle(panel).overflowY)) panel = panel.parentElement;
  const controls = [...panel.querySelectorAll('button, input:not([type=file]), svg.contacts, table.report, .uplot')];
  const seen = controls.filter(one => one.checkVisibility() && one.getBoundingClientRect().width > 3)
    .filter(one => !one.closest('.uplot') || one.matches('.uplot'));
  const boxes = seen.map(one => [one, one.getBoundingClientRect()]);
  const words = one => one.innerText || one.value || one.id || one.className.baseVal || one.className;
  const faults = [];
  for (const [one, box] of boxes) {
    if (box.left < 0 || box.right > innerWidth + 0.5) faults.push(`cut off: ${words(one)}`);
    for (let up = one.parentElement; up; up = up.parentElement) {
      const hides = getComputedStyle(up).overflowX !== 'visible';
      if (hides && box.right > up.getBoundingClientRect().right + 1) faults.push(`hidden: ${words(one)}`);
    }
  }
  for (const [k, [one, a]] of boxes.entries()) for (const [other, b] of boxes.slice(k + 1)) {
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    if (over && !one.contains(other) && !other.contains(one)) faults.push(`${words(one)} over ${words(other)}`);
  }
  return [boxes.length, faults, boxes.map(([_, box]) => Math.round(box.top))];
}"""


def test_no_control_is_cut_off_or_covers_another(guest):
    page = guest.page
    for width, height in ((420, 800), SIZE):
        page.evaluate("document.querySelector('svg.contacts').id = 'old'")
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#old").wait_for(state="detached")  # the panel of a narrow window is another one
        for folder in ("Plots", "Settings"):
            guest.visit.unfold(folder)
        page.get_by_role("button", name="Restore defaults").wait_for()
        count, faults, _ = page.evaluate(LAYOUT)
        assert count > 30 and not faults
