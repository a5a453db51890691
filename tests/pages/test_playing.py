"""Pages play, offline, in a real browser: the timeline, the camera, the views, in any window."""

import numpy as np
import pytest

from limbik.pages.clip_page import page_text, write_page
from tests.assets import asset

from .browser import changed
from .motions import walk

WINDOWS = [(1280, 800), (390, 800), (320, 480)]


@pytest.fixture(scope="module")
def walking(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "walk.html"
    write_page(walk(), path, "slope:8", title="A <walk> & more")
    return path


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "compared.html"
    clip = walk()
    before = clip.moved((0.0, 0.3, 0.0)).with_(contacts=None)
    write_page(clip, path, compare=before)
    return path


def test_a_page_from_the_disk_plays_with_no_fault_and_asks_nobody_for_anything(walking, opened):
    page = opened(None, offline=True, reduced_motion="no-preference")
    page.page.goto(walking.as_uri())
    page.until(lambda time: time > 0.3)
    first = page.time()
    page.until(lambda time: time > first)
    page.until(lambda time: time < first)  # it goes round
    assert page.page.title() == page.page.locator("h1").inner_text() == "A <walk> & more"
    assert page.requests == [walking.as_uri()]
    assert page.faults == []


def test_the_browser_would_refuse_a_request(walking, opened):
    page = opened(walking)
    assert page.page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused')") == "refused"
    assert "Content Security Policy" in page.faults[0]


def test_scrubbing_changes_the_picture_and_the_same_time_gives_the_same_picture(walking, opened):
    page = opened(walking)
    page.scrub(0.4)
    assert page.time() == pytest.approx(0.4, abs=0.02)
    first = page.picture()
    page.scrub(1.5)
    assert page.time() == pytest.approx(1.5, abs=0.02)
    assert changed(first, page.picture()) > 0.02
    page.scrub(0.4)
    assert np.array_equal(first, page.picture())
    assert page.page.locator("#clock").inner_text() == f"{page.time():.2f} / 1.98 s"
    assert page.faults == []


def test_a_paused_page_draws_nothing(walking, opened):
    page = opened(walking)
    page.picture()
    page.page.evaluate("""() => {
      window.pictures = 0;
      const draw = WebGL2RenderingContext.prototype.drawElementsInstanced;
      WebGL2RenderingContext.prototype.drawElementsInstanced = function (...given) {
        window.pictures++;
        draw.apply(this, given);
      };
    }""")
    page.picture()  # two of the browser's frames later
    assert page.page.evaluate("window.pictures") == 0
    page.page.get_by_role("button", name="Play").click()
    page.until(lambda time: time > 0.1)
    assert page.page.evaluate("window.pictures") > 0


def test_keys_play_and_step_through_frames(walking, opened):
    page = opened(walking)
    page.page.get_by_role("button", name="Play").wait_for()
    assert page.time() == 0.0
    page.page.locator("#stage").focus()
    page.page.keyboard.press("Home")
    page.page.keyboard.press("ArrowRight")
    page.page.keyboard.press("ArrowRight")
    assert page.time() == pytest.approx(2 / 60, abs=1e-6)
    page.page.keyboard.press("ArrowLeft")
    assert page.time() == pytest.approx(1 / 60, abs=1e-6)
    page.page.keyboard.press("Space")
    page.until(lambda time: time > 0.1)
    page.page.keyboard.press("Space")
    page.page.get_by_role("button", name="Play").wait_for()


def test_without_the_loop_it_ends_and_speed_is_obeyed(walking, opened):
    page = opened(walking)
    page.page.get_by_role("button", name="Loop").click()
    page.page.get_by_label("Speed").select_option("2")
    page.scrub(0.9)
    started = page.page.evaluate("performance.now()")
    page.page.get_by_role("button", name="Play").click()
    page.page.get_by_role("button", name="Play").wait_for()
    seconds = (page.page.evaluate("performance.now()") - started) / 1000.0
    assert page.time() == pytest.approx(119 / 60, abs=1e-6)
    assert 0.4 < seconds < 3.0  # half of what is left, and what a busy machine needs
    page.page.get_by_role("button", name="Play").click()
    page.until(lambda time: time < 1.0)  # from the start again


def test_the_camera_turns_shifts_comes_nearer_and_returns(walking, opened):
    page = opened(walking)
    page.scrub(1.0)
    first = last = page.picture()
    for act in (
        lambda: page.drag(120, 20),
        lambda: page.drag(60, 30, button="right"),
        lambda: page.page.mouse.wheel(0, -400),
    ):
        act()
        seen = page.picture()
        assert changed(last, seen) > 0.05
        last = seen
    page.page.locator("#stage").dblclick(position={"x": 200, "y": 120})
    assert np.array_equal(first, page.picture())


def test_two_fingers_come_nearer(walking, opened):
    page = opened(walking, has_touch=True)
    page.scrub(1.0)
    first = page.picture()
    devtools = page.page.context.new_cdp_session(page.page)

    def fingers(kind, *places):
        points = [{"x": x, "y": 150, "id": k} for k, x in enumerate(places)]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 190, 250)
    for gap in (50, 80, 120):
        fingers("touchMove", 220 - gap, 220 + gap)
    fingers("touchEnd")
    near = page.picture()
    bones = lambda seen: np.mean(seen[..., 0] - seen[..., 2] > 40)  # noqa: E731  (they are orange)
    assert bones(near) > 2.0 * bones(first)


def test_the_camera_follows_until_told_not_to(walking, opened):
    page = opened(walking)
    page.scrub(0.2)
    page.page.get_by_role("button", name="Follow").click()
    middle = lambda seen: np.nonzero(seen[..., 0] - seen[..., 2] > 40)[1].mean()  # noqa: E731
    first = middle(page.picture())
    page.scrub(1.8)
    left = middle(page.picture())
    page.page.get_by_role("button", name="Follow").click()
    assert abs(left - first) > 40 > 20 > abs(middle(page.picture()) - first)


def test_planted_feet_are_marked(walking, opened, tmp_path):
    plain = tmp_path / "plain.html"
    write_page(walk().with_(contacts=None, feet=()), plain, "slope:8")
    pages = [opened(path, (440, 480)) for path in (walking, plain)]
    green = []
    for page in pages:
        page.drag(0, 60)  # from higher up
        page.scrub(1.0)
        seen = page.picture()
        green.append(np.count_nonzero(seen[..., 1] - seen[..., 0] > 40))
    assert green[0] > 50 and green[1] == 0
    assert [page.page.locator("#contacts").is_visible() for page in pages] == [True, False]


def test_before_is_seen_as_a_ghost_beside_or_alone(compared, opened):
    page = opened(compared, (560, 480))
    page.scrub(1.0)
    seen = {}
    for view in ("overlay", "beside", "clip", "compare"):
        page.page.get_by_label("View", exact=True).select_option(view)
        seen[view] = page.picture()
    ghost = np.abs(seen["overlay"] - seen["clip"]).max(axis=-1) > 12
    blue = {view: np.mean((picture[..., 2] - picture[..., 0])[ghost]) for view, picture in seen.items()}
    assert ghost.mean() > 0.01
    assert blue["overlay"] > blue["clip"] + 20 > blue["compare"] + 20
    assert changed(seen["clip"], seen["compare"]) > 0.02
    page.page.get_by_label("View", exact=True).select_option("beside")
    page.page.locator("#tags").get_by_text("Before").wait_for()  # to be seen, with the next frame
    assert page.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_or_dark_as_the_reader_likes(walking, opened, scheme):
    seen = opened(walking, color_scheme=scheme).picture()
    assert (seen.mean() > 150) == (scheme == "light")


@pytest.mark.parametrize("size", WINDOWS, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_cut_off_or_overlaps_in_any_window(compared, opened, size):
    page = opened(compared, size)
    page.page.get_by_label("View", exact=True).select_option("beside")
    page.page.locator("#show").click()
    page.page.locator("#show-numbers").set_checked(True)
    page.page.locator("#show").click()
    shown = page.page.locator("h1, header p, #readouts, #scrub, #controls > :not(.gap)")
    boxes = [box for box in (each.bounding_box() for each in shown.all()) if box]
    assert len(boxes) == 15
    for k, box in enumerate(boxes):
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
        for other in boxes[:k]:
            across = min(box["x"] + box["width"], other["x"] + other["width"]) - max(box["x"], other["x"])
            down = min(box["y"] + box["height"], other["y"] + other["height"]) - max(box["y"], other["y"])
            assert across <= 0 or down <= 0
    assert page.page.evaluate("document.documentElement.scrollWidth") == size[0]


def test_a_figure_that_stands_still_has_no_timeline(opened, tmp_path):
    write_page(walk()[:1], tmp_path / "still.html")
    page = opened(None)
    page.page.goto((tmp_path / "still.html").as_uri())
    page.page.locator("#about").get_by_text("31 joints").wait_for()
    seen = page.picture()
    assert np.mean(seen[..., 0] - seen[..., 2] > 40) > 0.01
    assert not page.page.locator("footer").is_visible()
    assert page.faults == []


def test_a_browser_without_webgl_says_so(walking, opened):
    page = opened(None)
    page.page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.page.goto(walking.as_uri())
    page.page.get_by_role("alert").get_by_text("WebGL 2").wait_for()


def test_a_textured_fox_is_orange_and_white_with_dark_legs(opened, tmp_path):
    import limbik

    write_page(limbik.load(asset("gltf/Fox.glb"), animation="Walk"), tmp_path / "fox.html")
    page = opened(tmp_path / "fox.html", reduced_motion="no-preference")
    page.page.get_by_role("button", name="Pause").click()
    red, _, blue = np.moveaxis(page.picture(), -1, 0)
    assert np.mean((red - blue > 100) & (red > 180)) > 0.02
    assert np.mean((red < 110) & (red - blue > 20)) > 0.003
    assert page.faults == []


def test_a_notebook_can_hold_a_page_in_a_frame(opened):
    page = opened(None, reduced_motion="no-preference")
    page.page.set_content("<iframe width=400 height=300></iframe>")
    page.page.locator("iframe").evaluate("(frame, text) => { frame.srcdoc = text; }", page_text(walk()))
    page.page.frame_locator("iframe").get_by_role("button", name="Pause").wait_for()
    assert page.faults == []
