"""Cameras of the studio see as those of the pages do, and what they show fits the window."""

import numpy as np
import pytest

from limbik import samples
from limbik.scenes.looks import LOOKS
from limbik.scenes.scene_clip import SceneClip
from limbik.studio.page.cameras import COVERED_PART, CameraView
from tests.optional import optional

from .visit import SIZE, axes_of, running, until

optional("viser")
TABS = ("Limb", "Walk", "Ground", "Robot", "Rig")


def seen(place, position, look_at, aspect):
    """Where points (n, 3) are in a window, (n, 2), from -1 to 1 along its width and its height."""
    right, up, forward = axes_of(position, look_at)
    away = place - position
    depth = np.tan(0.5 * LOOKS.field) * (away @ forward)
    return np.stack([away @ right / depth / aspect, away @ up / depth], axis=-1)


@pytest.mark.parametrize("size", [(1280, 800), (956, 800), (700, 800), (390, 844), (200, 800)])
def test_what_has_to_be_visible_fits_windows_of_all_shapes(size):
    view = CameraView(0.9, (0.3, -0.4, 0.2), azimuth=1.2, elevation=0.4)
    position, look_at = view.pose(*size)
    turn = np.random.default_rng(0).normal(size=(400, 3))
    ball = np.array(view.centre) + view.radius * turn / np.linalg.norm(turn, axis=1, keepdims=True)
    places = seen(np.vstack([ball, view.centre]), position, look_at, size[0] / size[1])
    covered = 2.0 * COVERED_PART - 1.0 if size[0] < 0.6 * size[1] else -1.0  # by the panel, up to here
    x, y = np.abs(places[:, 0]), places[:, 1]
    assert x.max() < 1.1 and y.min() > covered - 0.1 and y.max() < 1.1
    assert max(x.max(), np.ptp(y) / (1.0 - covered)) > 0.7  # and it fills the window
    assert abs(places[-1, 0]) < 1e-9


def test_every_tab_has_the_field_of_view_of_the_pages():
    with running("Limb") as studio:
        for title in TABS:
            studio.open_tab(title)
            camera = studio.stage.server.initial_camera
            assert camera.fov == LOOKS.field and np.radians(30.0) < camera.fov < np.radians(42.0)
            away = camera.position - camera.look_at
            assert np.arcsin(away[1] / np.linalg.norm(away)) == pytest.approx(LOOKS.elevation, abs=0.2)


def test_a_person_fills_the_view_of_the_rig_tab():
    motion = SceneClip.of("clip", samples.character(1))
    with running("Rig") as studio:
        camera = studio.stage.server.initial_camera
        places = seen(motion.positions[0] - motion.centres[0], camera.position, camera.look_at, 1.2)
    assert 1.2 < np.ptp(places[:, 1]) < 1.9 and np.abs(places).max() < 1.0


def test_a_page_sees_as_the_pages_that_play_clips(visit):
    page = visit("Rig", SIZE)
    camera = page.camera
    until(lambda: abs(camera.fov - LOOKS.field) < 1e-3, "the field of view")
    for title in ("Walk", "Rig"):
        page.do(lambda title=title: page.studio.open_tab(title))
        initial = page.studio.stage.server.initial_camera
        until(lambda initial=initial: np.allclose(camera.position, initial.position, atol=1e-3), "the view of the tab")
        assert camera.fov == pytest.approx(LOOKS.field, abs=1e-3)
