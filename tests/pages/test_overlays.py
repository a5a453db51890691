"""What is drawn over a motion, and its numbers: switched by hand and by key, and true of the clip."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial import ConvexHull

from limbik.gait.walking import walk as walk_of
from limbik.pages.clip_page import page_text, write_page

from .browser import Opened, changed
from .motions import crowd, walk
from .test_what_the_page_has import numbers_of

DRAWN = ("Planted feet", "Footprints", "Swing arcs", "Support polygon")
MOTION = "const [content, numbers] = await read(given.text); const motion = new Motion(content.motions[0], numbers);"


@pytest.fixture(scope="module")
def spider():
    return walk_of("spider", "hills:height=0.3,seed=3", seconds=3.0)


@pytest.fixture(scope="module")
def walking(spider, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "spider.html"
    write_page(spider, path)
    return path


@pytest.fixture(scope="module")
def script(browser):
    """Runs the viewer's own scripts."""
    context = browser.new_context()
    page = Opened(context.new_page())
    scripts = ("vectors", "reading", "motion", "overlays", "readouts")
    yield lambda body, **given: page.run("const element = () => null;" + body, given, *scripts)
    context.close()


def test_every_overlay_is_switched_by_hand_and_by_its_key(walking, opened):
    page = opened(walking, (540, 480))
    page.scrub(2.0)
    page.page.get_by_role("button", name="Show").click()
    boxes = page.page.locator("#overlays input")
    assert boxes.count() == 6
    for number, name in enumerate(DRAWN, start=1):
        box = page.page.get_by_label(name)
        box.set_checked(False)
        page.page.locator("#stage").focus()  # no ring around the box
        without = page.picture()
        page.page.keyboard.press(str(number))
        assert box.is_checked()
        assert 1e-4 < changed(without, page.picture()) < 0.1
        page.page.keyboard.press(str(number))
        assert not box.is_checked()
        assert np.array_equal(without, page.picture())
    for key, seen in (("5", "#contacts"), ("6", "#readouts")):
        first = page.page.locator(seen).is_visible()
        page.page.keyboard.press(key)
        assert page.page.locator(seen).is_visible() is not first
    page.page.keyboard.press("Escape")
    assert not page.page.locator("#panel").is_visible()
    assert page.faults == []


def test_without_contacts_only_numbers_are_offered(opened, tmp_path):
    write_page(walk().with_(contacts=None, feet=()), tmp_path / "plain.html")
    page = opened(tmp_path / "plain.html", (700, 400))
    page.page.get_by_role("button", name="Show").click()
    assert [box.is_enabled() for box in page.page.locator("#overlays input").all()] == [False] * 5 + [True]
    assert page.page.locator("#readouts dt").all_inner_texts() == ["Speed", "Distance", "Climb"]


def test_numbers_are_those_of_the_clip(spider, walking, opened):
    page = opened(walking, (700, 600))
    page.page.locator("#stage").focus()
    page.page.keyboard.press("End")
    page.page.keyboard.press("ArrowLeft")
    page.picture()
    frame = len(spider) - 2
    assert page.time() == pytest.approx(frame / spider.fps, abs=1e-6)
    cells = page.page.locator("#readouts dt").all_inner_texts(), page.page.locator("#readouts dd").all_inner_texts()
    read = dict(zip(*cells, strict=True))
    root = spider.positions()[:, 0]
    distance = float(read["Distance"].split()[0])
    assert distance == pytest.approx(np.linalg.norm(np.diff(root, axis=0), axis=-1).sum(), rel=0.1)
    assert float(read["Speed"].split()[0]) == pytest.approx(distance / (frame / spider.fps), rel=0.35)
    assert float(read["Climb"].split()[0]) == pytest.approx(root[frame, 1] - root[0, 1], abs=0.03)
    assert read["Feet down"] == f"{spider.contacts[frame].sum()} of 8"
    assert float(read["Duty factor"]) == pytest.approx(spider.contacts.mean(), abs=0.01)


def test_a_foot_with_heel_and_toes_counts_once(script):
    clip = walk_of("biped", "plane", seconds=2.0)
    assert len(clip.feet) == 6
    times = (np.arange(len(clip)) + 0.5) / clip.fps
    text = numbers_of(page_text(clip))
    body = MOTION + "return [motion.limbs, given.times.map((time) => motion.limbsDown(time))];"
    limbs, down = script(body, text=text, times=times.tolist())
    sides = [[foot for foot in range(6) if clip.skeleton.names[clip.feet[foot]].startswith(side)] for side in "lr"]
    assert limbs == 2 and [len(side) for side in sides] == [3, 3]
    assert down == sum(clip.contacts[:, side].any(axis=1).astype(int) for side in sides).tolist()


def test_arcs_are_the_paths_of_feet_that_do_not_stand(script, spider):
    found = script(MOTION + "return swingSegments(motion);", text=numbers_of(page_text(spider)))
    segments = np.array(found).reshape(-1, 9)
    places = spider.positions()[:, list(spider.feet)]
    assert len(segments) > 0.8 * np.count_nonzero(~spider.contacts[20:-20])
    for segment in segments[::7]:
        frame = round(segment[6] * spider.fps)
        gaps = np.linalg.norm(places[frame] - segment[:3], axis=-1)
        foot = gaps.argmin()
        assert gaps[foot] < 1e-3
        assert np.linalg.norm(places[frame + 1, foot] - segment[3:6]) < 1e-3
        leaves, lands = np.rint(segment[7:] * spider.fps).astype(int)
        assert leaves <= frame < lands and not spider.contacts[leaves + 1 : lands, foot].any()
        assert spider.contacts[leaves, foot] and spider.contacts[lands, foot]


places = arrays.arrays(float, st.tuples(st.integers(3, 12), st.just(3)), elements=st.floats(-4.0, 4.0, width=16))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(places=places)
def test_the_polygon_is_the_convex_hull_seen_from_above(script, places):
    flat = places[:, ::2]
    corners = np.array(script("return hull(given.places);", places=places.tolist())).reshape(-1, 3)
    if len(corners) > 2:
        assert {tuple(corner) for corner in corners} <= {tuple(place) for place in places}
        assert _area(corners[:, ::2]) == pytest.approx(ConvexHull(flat).volume, abs=1e-9)
    else:  # all on a line
        spread = np.linalg.svd(flat - flat.mean(axis=0), compute_uv=False)
        assert spread[1] < 1e-9


def test_each_figure_of_a_crowd_has_its_own_polygon(script):
    clip = crowd(3).with_(feet=(), contacts=None)
    names = clip.skeleton.names
    feet = [k for k, name in enumerate(names) if name.endswith(("Foot", "ToeBase"))]
    clip = clip.with_(feet=tuple(feet), contacts=np.ones((len(clip), len(feet)), bool))
    body = MOTION + "return supportTriangles(motion, motion.standing(0));"
    triangles = np.array(script(body, text=numbers_of(page_text(clip)))).reshape(-1, 3, 4)
    middles = {tuple(triangle[0, :3].round(3)) for triangle in triangles}
    assert len(middles) == 3
    at = clip.positions()[:, feet].mean(axis=0)[
        :, [0, 2]
    ]  # a foot that stands all the time is marked at its mean place
    hulls = [ConvexHull(at[4 * k : 4 * k + 4]).volume for k in range(3)]
    area = sum(abs(_area(triangle[:, [0, 2]])) for triangle in triangles)
    assert area == pytest.approx(sum(hulls), rel=1e-3)


def _area(corners):
    x, z = corners.T
    return 0.5 * float(np.abs(np.sum(x * np.roll(z, -1) - z * np.roll(x, -1))))


def test_a_page_says_what_blocks_a_creature_while_it_does(tmp_path, opened):
    clip = walk_of("hexapod", "stairs:rise=0.5", seconds=3.0, fps=20.0)
    assert not clip.blocked[:10].any() and clip.blocked[-10:].all()
    write_page(clip, tmp_path / "walk.html")
    page = opened(tmp_path / "walk.html", (540, 480))
    words = page.page.locator("#blocked")
    assert words.is_hidden()
    page.scrub(2.8)
    assert words.is_visible() and words.inner_text() == clip.notes[0]
    page.scrub(0.2)
    assert words.is_hidden() and not page.faults
