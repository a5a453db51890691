"""What notebooks show, in a real browser: clips that play in a frame that reaches nothing, cards that can be read."""

import re

import numpy as np
import pytest

import limbik
from limbik.grounding.ground import ground
from limbik.pages.in_notebook import SECONDS
from limbik.skeleton.pose import Pose

from .motions import crowd, walk

# A notebook's dark theme, as far as it matters: what it does to everything, and to tables.
THEME = """<!doctype html><meta charset="utf-8"><style>
  body { background: #111; color: #eee; }
  tr { background: #333; } tr:nth-child(even) { background: #111; } tr:hover { background: #045; }
  td, th { background: #222; color: #eee; border: 1px solid #999; }
</style>"""
PLANAR = limbik.PlanarTwoLink(0.5, 0.4, middle_limits=(0.2, 2.9))
ARM = limbik.TwoLink(0.3, 0.28)
LEG = limbik.ThreeLink(0.45, 0.42, 0.2)


@pytest.fixture
def shown(opened, tmp_path):
    """Opens what objects show of themselves, one under the other."""

    def open_page(*texts, **options):
        path = tmp_path / "notebook.html"
        path.write_text(THEME + "<hr>".join(texts), "utf-8")
        page = opened(None, size=(900, 700), offline=True, **options)
        page.page.goto(path.as_uri())
        return page

    return open_page


# --- clips


def test_a_clip_plays_in_its_frame_with_no_fault_and_asks_nobody_for_anything(shown):
    clip = walk().with_(name='"></iframe><script>document.title = "broken"</script>')
    page = shown(clip._repr_html_(), reduced_motion="no-preference")
    scrub = page.page.frame_locator("iframe").locator("#scrub")
    scrub.wait_for()
    frame = page.page.frames[1]
    frame.wait_for_function("() => document.getElementById('scrub').value > 0.3")
    assert page.page.title() != "broken"
    assert [request for request in page.requests if not request.startswith(("file:", "about:srcdoc"))] == []
    assert page.faults == []


def test_the_frame_sees_nothing_of_the_notebook_and_fetches_nothing(shown):
    page = shown(walk()._repr_html_())
    page.page.frame_locator("iframe").locator("footer").wait_for()
    frame = page.page.frames[1]
    assert frame.evaluate("() => { try { return parent.document.title; } catch { return 'refused'; } }") == "refused"
    assert frame.evaluate("fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused')") == "refused"


def test_a_grounded_clip_is_seen_before_and_after_with_its_report(shown):
    grounded = ground(walk(), "slope:8")
    page = shown(grounded._repr_html_())
    frame = page.page.frame_locator("iframe")
    frame.locator("footer").wait_for()
    assert frame.locator("#legend").inner_text().split() == ["·", "after", "·", "before"]
    heading, lines = grounded.report.table()
    cells = page.page.locator("th, td").all_inner_texts()
    assert [cell.strip() for cell in cells] == [cell.strip() for line in [heading, *lines] for cell in line]
    assert page.faults == []


def test_a_pose_is_seen_and_many_are_counted(shown):
    clip = walk()
    page = shown(clip[30]._repr_html_())
    frame = page.page.frame_locator("iframe")
    frame.locator("h1").get_by_text("A pose").wait_for()
    assert page.faults == []
    many = Pose(clip.skeleton, clip.rotations, clip.translations)
    assert "shape (120,), 31 joints" in many._repr_html_()


def test_a_clip_is_shown_on_the_terrain_that_it_walks_on():
    clip = limbik.walk("hexapod", "hills:height=0.3", seconds=0.5)
    assert clip.terrain == limbik.terrain("hills:height=0.3")
    assert clip._repr_html_() != clip.with_(terrain=None)._repr_html_()
    assert clip[10:].resampled(30.0).terrain == clip.terrain and clip.mirrored().terrain is None
    grounded = ground(walk(), "slope:8")
    assert grounded.clip.terrain is grounded.terrain


def test_of_a_long_clip_the_first_part_is_shown():
    long = walk(60).with_(fps=0.5)
    assert f"the first {SECONDS:g} s of 118 s" in long._repr_html_()
    assert "the first" not in re.sub(r'srcdoc="[^"]*"', "", walk()._repr_html_())


def test_the_page_of_a_huge_crowd_stays_small():
    huge = crowd(400, frames=240)  # four seconds
    text = huge._repr_html_()
    assert len(text) < 4_000_000
    assert re.search(r"the first 3\.\d+ s of 3\.98 s", text)


@pytest.mark.parametrize(
    ("clip", "told"),
    [
        (walk()[:0], "got 0 frames of 31 joints"),
        (
            walk().with_(rotations=np.full((120, 31, 4), np.nan)),
            "no finite position of &#x27;LowerBack&#x27; at second 0",
        ),
    ],
)
def test_a_clip_that_cannot_be_shown_says_why(clip, told):
    text = clip._repr_html_()
    assert told in text and "<iframe" not in text


# --- solutions


def poses():
    """Solutions of all limbs: some that matter, and some by chance."""
    chance = np.random.default_rng(5)
    yield from (PLANAR.solve(target) for target in ([0.5, 0.4], [9, 1], [0, 0], [-0.9, 0]))
    yield from (ARM.solve(target) for target in ((0, 0, 0.58), (0, -0.58, 0), (0, 0, 0), (9, 9, 9)))
    yield from (LEG.solve(target, (0, -1, 0)) for target in ((0, -1.07, 0), (0, 0, 0), (0, 5, 0)))
    for target in chance.normal(size=(3, 3)) * 0.5:
        yield LEG.solve(target, chance.normal(size=3), hint=chance.normal(size=3), bend=chance.choice([-1, 1]))


def test_plots_are_shown_whole_and_nothing_is_fetched(shown):
    page = shown(*(solution._repr_html_() for solution in poses()))
    sizes = page.page.evaluate("[...document.images].map((image) => [image.naturalWidth, image.width])")
    assert len(sizes) == 14 and all(natural > 300 and 300 < width <= 900 for natural, width in sizes)
    assert page.faults == [] and all(url.startswith(("file:", "data:")) for url in page.requests)


def test_a_solution_fits_into_a_narrow_window(opened, tmp_path):
    path = tmp_path / "solution.html"
    path.write_text(THEME + LEG.solve((0.1, -0.7, 0.3), (0, -0.3, 1))._repr_html_(), "utf-8")
    page = opened(None, size=(330, 700))
    page.page.goto(path.as_uri())
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 330


def test_tables_take_the_colours_of_the_notebook(shown):
    page = shown(LEG.solve((0.1, -0.7, 0.3), (0, -0.3, 1))._repr_html_(), PLANAR.solve(np.eye(2))._repr_html_())
    colours = page.page.evaluate("""() => [...document.querySelectorAll("td, th")].map((cell) => {
      const style = getComputedStyle(cell);
      return style.color + " on " + style.backgroundColor;
    })""")
    assert len(colours) > 15 and set(colours) == {"rgb(238, 238, 238) on rgb(34, 34, 34)"}
