"""The look of the studio: light or dark as the browser prefers, and a panel that fits wide and narrow windows."""

import json
import re

import numpy as np
import pytest

from limbik.scenes.looks import colours
from limbik.studio.scene.sky import exposed_as, sky_colours
from tests.optional import optional

from .visit import SIZE, axes_of, until

optional("viser")
PHONE = (390, 844)
TABS = ("Limb", "Walk", "Ground", "Robot", "Rig")


def corner(page):
    """The display colours in the upper left corner of a page: those that it has, and those of the sky there."""
    camera = page.camera
    away = page.picture()[4:12, 4:12].mean(axis=(0, 1))
    right, up, forward = axes_of(camera.position, camera.look_at)
    high = np.tan(0.5 * camera.fov)
    ray = forward + high * up - high * camera.image_width / camera.image_height * right
    sine = ray[1:2] / np.linalg.norm(ray)
    return away, 255.0 * sky_colours(sine, page.studio.stage.dark)[0] ** (1.0 / 2.2)


def filmic(linear):
    """What three.js makes of linear colours: the fit of ACES's curve by Stephen Hill."""
    before = [[0.59719, 0.35458, 0.04823], [0.076, 0.90834, 0.01566], [0.0284, 0.13383, 0.83777]]
    after = [[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]]
    v = linear / 0.6 @ np.transpose(before)
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.432951) + 0.238081)
    return v @ np.transpose(after)


@pytest.mark.parametrize("dark", [False, True])
def test_the_sky_is_that_of_the_pages_through_the_curve_of_the_studio(dark):
    shown = colours(dark)
    sky = sky_colours(np.array([-1.0, -0.5, 0.0, 0.5, 1.0]), dark)
    wanted = np.array([shown.far, shown.far, shown.sky_low, shown.sky_top, shown.sky_top])
    assert np.allclose(255.0 * sky ** (1.0 / 2.2), wanted)
    assert np.allclose(filmic(exposed_as(sky)), sky)


def ground_of(page):
    """The colours of the ground's vertices, in the .glb that pages were sent."""
    sent = page.studio.stage.scene._handle_from_node_name["/limb/floor/ground/surface"].glb_data
    length = int.from_bytes(sent[12:16], "little")
    content, data = json.loads(sent[20 : 20 + length]), sent[28 + length :]
    accessor = content["accessors"][content["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"]]
    start = content["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
    return np.frombuffer(data, "<f4", 4 * accessor["count"], start).reshape(-1, 4)[:, :3]


def test_the_studio_is_as_dark_as_the_browser_prefers_and_a_checkbox_changes_it(visit):
    page = visit("Limb")
    root, stage = page.page.locator("html"), page.studio.stage
    assert root.get_attribute("data-mantine-color-scheme") == "light" and not stage.dark
    grounds = [ground_of(page)]
    # From light to dark and back, by the browser's preference; to dark and back, by the checkbox.
    steps = (
        lambda: page.page.emulate_media(color_scheme="dark"),
        lambda: page.page.emulate_media(color_scheme="light"),
        lambda: page.tick("Dark"),
        lambda: page.tick("Dark"),
    )
    for change, dark in zip(steps, (True, False, True, False), strict=True):
        change()
        until(lambda dark=dark: stage.dark == dark, "the other look")
        page.settle()
        until(
            lambda dark=dark: root.get_attribute("data-mantine-color-scheme") == ("dark" if dark else "light"),
            "the other panel",
        )
        until(lambda: np.abs(np.subtract(*corner(page))).max() < 12.0, "the other sky")
        grounds.append(ground_of(page))
    light, dark = grounds[0].mean(), grounds[1].mean()
    assert dark < 0.4 * light
    assert [ground.mean() for ground in grounds] == [light, dark, light, dark, light]


@pytest.mark.parametrize("size", [SIZE, PHONE])
def test_the_buttons_of_the_tabs_are_in_one_row_and_within_the_window(visit, size):
    page = visit("Limb", size)
    buttons = [page.page.get_by_role("button", name=re.compile(rf"^(● )?{title}$")) for title in TABS]

    def in_a_row():
        """Once the panel for a window of this size is there."""
        found = [button.bounding_box() for button in buttons if button.count()]
        if len(found) < len(TABS) or None in found:
            return False
        left, right = found[0]["x"], found[-1]["x"] + found[-1]["width"]
        return len({box["y"] for box in found}) == 1 and left > 0 and 0.2 * size[0] < right - left < size[0]

    until(in_a_row, "five buttons in a row")


def test_on_a_phone_the_panel_has_the_whole_width_and_the_creature_is_above_it(visit):
    page = visit("Walk", PHONE)
    panel = page.page.locator(".mantine-Paper-root:has([data-limbik-look])")

    def below():
        box = panel.bounding_box() if panel.count() else None
        return box and box["width"] > PHONE[0] - 4 and box["y"] > 0.35 * PHONE[1] and box

    top = until(below, "a panel as wide as the window")["y"]
    page.settle()
    tab = page.tab
    centre = tab.walker.places[0] + tab._frame.position
    until(lambda: 0 < page.on_screen(centre)[1] < top, "the creature above the panel")
    x, _ = page.on_screen(centre)
    assert 0.2 * PHONE[0] < x < 0.8 * PHONE[0]
    assert page.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


LAYOUT = """() => {
  let panel = document.querySelector('[data-limbik-look]');  // what scrolls: under its edge others may be
  while (!/auto|scroll/.test(getComputedStyle(panel).overflowY)) panel = panel.parentElement;
  const marks = 'svg.contacts, svg.gait, table.report, .uplot, .walk-numbers';
  const controls = [...panel.querySelectorAll(`button, textarea, input:not([type=file]), ${marks}`)];
  const seen = controls.filter(one => one.checkVisibility() && one.getBoundingClientRect().width > 3)
    .filter(one => !one.matches('.mantine-NumberInput-control'))  // its arrows are meant to be in a field
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
  return [boxes.length, faults];
}"""
FOLDERS = {
    "Limb": ("Lengths", "Limits", "Show", "Record a drag"),
    "Walk": ("View and push", "Custom terrain or creature", "Save the walk"),
    "Ground": ("Plots", "Settings"),
    "Robot": (),
    "Rig": (),
}


@pytest.mark.parametrize("size", [SIZE, (420, 800)])
@pytest.mark.parametrize("title", TABS)
def test_no_control_is_cut_off_or_covers_another(visit, title, size):
    page = visit(title, size, lambda tab: tab._set_walking(False) if title == "Walk" else None)
    if title == "Walk" and size == SIZE:
        last = page.page.get_by_text(FOLDERS[title][-1], exact=True).bounding_box()
        assert last["y"] + last["height"] < size[1]  # all of it is seen without scrolling
    for folder in FOLDERS[title]:
        page.unfold(folder)
    count, faults = page.page.evaluate(LAYOUT)
    assert count > 8 and not faults
