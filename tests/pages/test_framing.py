"""Every creature fills a good part of the picture at first, on a wide window and on a phone, and is seen as a whole."""

import numpy as np
import pytest

import limbik
from limbik.gait.creature import preset_names
from limbik.pages.clip_page import SCRIPTS, VIEWER
from limbik.scenes import looks

WINDOWS = {"wide": (1280, 800), "phone": (390, 844)}
# How much of the window's height the controls cover; and where the skin of the first figure is in the window at the
# start, after the eye was turned about it: left, bottom, right and top, from -1 to 1.
SEEN = """
  const [content, numbers] = await read(element("numbers").textContent);
  const page = new Page(content, numbers);
  const [{ box, raise }] = page.views();
  const [motion] = page.motions;
  const [group] = motion.groups;
  page.stage.pose(motion, 0);
  return [raise, given.map((turn) => {
    page.camera.azimuth = page.camera.first + turn;
    const { view } = page.camera.look(box[2] / box[3], raise);
    const bounds = [Infinity, Infinity, -Infinity, -Infinity];
    for (const part of page.stage.bodies[group.body].drawn)
      for (let vertex = 0; vertex < part.positions.length / 3; vertex++) {
        const [x, y, z] = skinned(group.matrices, part, vertex);
        const row = (k) => view[k] * x + view[4 + k] * y + view[8 + k] * z + view[12 + k];
        for (const k of [0, 1]) {
          bounds[k] = Math.min(bounds[k], row(k) / row(3));
          bounds[2 + k] = Math.max(bounds[2 + k], row(k) / row(3));
        }
      }
    return bounds;
  })];
"""


def scripts():
    """The viewer's scripts, up to where a page starts."""
    texts = [looks.script(), *((VIEWER / f"{name}.js").read_text("utf-8") for name in SCRIPTS)]
    return "\n".join(texts).partition("async function start()")[0]


@pytest.fixture(scope="module", params=preset_names())
def page_of_creature(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("framing") / "walk.html"
    limbik.write_page(limbik.walk(request.param, "hills:height=0.1,size=2,seed=5", seconds=1.5), path)
    return path


@pytest.mark.parametrize("window", WINDOWS)
def test_creatures_fill_the_picture_at_the_start(page_of_creature, opened, window):
    page = opened(page_of_creature, size=WINDOWS[window]).page
    covered, seen = page.evaluate(f"async (given) => {{ {scripts()} {SEEN} }}", [0.0, 1.0, 2.0, 3.0])
    left, bottom, right, top = np.array(seen).T
    assert max(0.5 * (right - left)[0], 0.5 * (top - bottom)[0]) > 0.4
    assert left.min() > -1.0 and right.max() < 1.0 and top.max() < 1.0  # from all sides
    assert bottom.min() > 2.0 * covered - 1.0  # above the controls


EYES = """
  const [content, numbers] = await read(element("numbers").textContent);
  const { camera, motions: [motion] } = new Page(content, numbers);
  return given.map((time) => {
    camera.centre = motion.centre(time);
    return [camera.centre, camera.look(1.6, 0.2).eye];
  });
"""


def test_no_ground_is_between_the_eye_and_the_feet(opened, tmp_path):
    hills = limbik.terrain("hills:height=0.3,seed=3")
    limbik.write_page(limbik.walk("spider", hills, seconds=6.0), tmp_path / "walk.html")
    page = opened(tmp_path / "walk.html").page
    centres, eyes = np.moveaxis(page.evaluate(f"async (given) => {{ {scripts()} {EYES} }}", list(range(6))), 1, 0)
    feet = centres.copy()
    feet[:, 1] = hills.height(centres[:, [0, 2]])
    for part in np.linspace(0.3, 1.0, 15):
        line = feet + part * (eyes - feet)
        assert np.all(hills.height(line[:, [0, 2]]) < line[:, 1])
