"""The figure is in the picture where the eye sees it, on its ground, in every view."""

from math import tan

import numpy as np
import pytest

import limbik
from limbik.rendering.camera import VIEWS
from limbik.rendering.scene_renderer import SceneRenderer
from limbik.scenes.looks import LOOKS, colours
from limbik.scenes.scene_clip import SceneClip
from limbik.terrains.specs import terrain
from tests.assets import asset
from tests.pages.motions import crowd, walk

SIZE = 240, 136


def projected(camera, places, size):
    """Columns and rows, (n, 2), of places (n, 3), by angles."""
    right, up, back = ((places - camera.eye) @ axis for axis in camera.axes)
    scale = 0.5 * size[1] / tan(0.5 * LOOKS.field)
    return np.stack([0.5 * size[0] + scale * right / -back, 0.5 * size[1] - scale * up / -back], axis=-1)


def figure_in(picture, least=40):
    """Which pixels show bones, the only orange there is; the ground is a little yellow."""
    return picture[..., 0].astype(int) - picture[..., 2] > least


def box(mask):
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return columns[0], columns[-1] + 1, rows[0], rows[-1] + 1


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("spec", ["plane", "slope:12", "hills:height=0.3,seed=3"])
def test_the_figure_is_where_the_eye_projects_its_joints(view, spec):
    clip, ground = walk(60), terrain(spec)
    clip = clip.moved((0.0, float(ground.height(clip.positions()[:, 0, ::2]).max()), 0.0))
    scene = SceneRenderer(clip, ground, SIZE, view)
    moment = 17 / 60
    mask = figure_in(scene.picture([moment]))
    left, right, top, bottom = box(mask)
    x, y = projected(scene.camera(moment), clip.positions()[17], SIZE).T
    assert left - 1 <= x.min() and x.max() <= right + 1 and top - 1 <= y.min() and y.max() <= bottom + 1
    limbs = 0.12 * (x.max() - x.min() + y.max() - y.min())  # and not much further than its bones are thick
    assert x.min() - left < limbs and right - x.max() < limbs and y.min() - top < limbs and bottom - y.max() < limbs
    assert left > 0 and top > 0 and right < SIZE[0] and bottom < SIZE[1]


@pytest.mark.parametrize("view", VIEWS)
def test_the_eye_is_above_ground_that_rises_towards_it(view):
    clip, ground = walk(60), terrain("slope:40")
    clip = clip.with_(translations=clip.translations + (clip.skeleton.parents < 0)[:, None] * [0.0, 2.5, 0.0])
    scene = SceneRenderer(clip, ground, SIZE, view)
    for moment in (0.0, 0.5, clip.duration):
        eye = scene.camera(moment).eye
        assert eye[1] > ground.height(eye[[0, 2]])
    assert figure_in(scene.picture([0.5])).sum() > 100


def test_between_frames_the_figure_is_between_them():
    clip = walk(60)
    scene = SceneRenderer(clip, None, SIZE, "side")
    camera = scene.camera(20.5 / 60)
    middle = 0.5 * (clip.positions()[20] + clip.positions()[21])
    x, y = projected(camera, middle, SIZE).T
    left, right, top, bottom = box(figure_in(scene.picture([20.5 / 60])))
    assert 0.5 * (left + right) == pytest.approx(0.5 * (x.min() + x.max()), abs=3.0)
    assert 0.5 * (top + bottom) == pytest.approx(0.5 * (y.min() + y.max()), abs=3.0)


def test_the_eye_follows():
    clip = walk(120)
    scene = SceneRenderer(clip, None, SIZE, "three-quarter")
    boxes = [box(figure_in(scene.picture([moment]))) for moment in (0.2, 1.0, 1.8)]
    assert np.ptp([0.5 * (left + right) for left, right, *_ in boxes]) < 0.05 * SIZE[0]
    assert np.linalg.norm(scene.camera(1.8).eye - scene.camera(0.2).eye) > 1.0


def test_poses_seen_together_are_those_seen_one_by_one():
    clip = walk(240)
    moments = [0.0, 0.5 * clip.duration, clip.duration]
    scene = SceneRenderer(clip, None, SIZE, "side", together=moments)
    together = figure_in(scene.picture(moments))
    each = [figure_in(scene.picture([moment])) for moment in moments]
    assert np.count_nonzero(together != np.any(each, axis=0)) < 0.02 * together.sum()
    assert not np.any(each[0] & each[2])
    middles = [np.mean(box(mask)[:2]) for mask in each]
    assert middles == sorted(middles) and box(together)[0] > 0 and box(together)[1] < SIZE[0]


def test_a_crowd_is_seen_whole():
    clip = crowd(4, 30)
    scene = SceneRenderer(clip, None, SIZE, "front")
    mask = figure_in(scene.picture([0.25]), least=24)
    assert np.count_nonzero(np.diff(mask.any(axis=0).astype(int)) == 1) == 4
    left, right, top, bottom = box(mask)
    assert left > 0 and top > 0 and right < SIZE[0] and bottom < SIZE[1]


def test_ground_hides_what_is_below_it():
    clip = walk(30)
    sunk = clip.with_(translations=clip.translations - (clip.skeleton.parents < 0)[:, None] * [0.0, 0.9, 0.0])
    standing, buried = (
        figure_in(SceneRenderer(one, "plane", SIZE, "side").picture([0.2])).sum() for one in (clip, sunk)
    )
    assert 0 < buried < 0.75 * standing


def test_feet_that_stand_are_marked_and_others_are_not():
    clip = walk(60)
    planted, plain = (
        np.array(colours().planted),
        SceneRenderer(clip.with_(contacts=None), None, SIZE, "top").picture([0.3]),
    )
    marked = SceneRenderer(clip, None, SIZE, "top").picture([0.3])
    changed = np.abs(marked.astype(int) - plain).max(axis=-1) > 3
    assert 5 < changed.sum() < 0.1 * changed.size
    towards = np.linalg.norm(marked[changed] - planted, axis=-1) < np.linalg.norm(plain[changed] - planted, axis=-1)
    assert towards.all()
    none = clip.with_(contacts=np.zeros_like(clip.contacts))
    assert np.array_equal(SceneRenderer(none, None, SIZE, "top").picture([0.3]), plain)


def test_a_figure_casts_a_shadow():
    clip = walk(30)
    high = clip.with_(translations=clip.translations + (clip.skeleton.parents < 0)[:, None] * [0.0, 50.0, 0.0])
    near, far = SceneRenderer(clip, "plane", SIZE, "top"), SceneRenderer(high, "plane", SIZE, "top")
    shade = near.picture([0.2]).astype(int).sum(axis=-1)
    lit = far.picture([0.2]).astype(int).sum(axis=-1)
    ground = ~figure_in(near.picture([0.2]))
    assert np.count_nonzero(ground & (shade < np.median(lit) - 90)) > 50


def test_a_body_has_the_colours_of_its_file():
    fox = limbik.load(asset("gltf/Fox.glb"), animation="Walk")
    picture = SceneRenderer(fox, None, SIZE, "side").picture([0.3])
    assert 0.1 < figure_in(picture).mean() < 0.6
    brown = picture[figure_in(picture)].mean(axis=0)
    assert brown[0] > 1.4 * brown[1] > 1.8 * brown[2]


def test_a_single_frame_is_a_picture_too():
    clip = walk(2)[:1]
    assert figure_in(SceneRenderer(clip, None, SIZE, "front").picture([0.0])).sum() > 100


@pytest.mark.parametrize(
    ("spec", "behind"),
    [
        ("stairs:rise=0.02,run=0.12,start=0.1", True),  # a mean slope that is too low to be taken for a climb
        ("stairs:rise=-0.02,run=0.12,start=0.1", False),
        ("slope:5", False),
        ("stairs:rise=0.6,run=2,start=0.5,steps=1", True),  # it is blocked
    ],
)
def test_stairs_are_seen_from_the_side_of_their_risers(spec, behind):
    scene = SceneClip.of("clip", limbik.walk("centipede", spec, seconds=6.0, fps=20))
    assert scene.azimuth - scene.heading == pytest.approx(LOOKS.behind if behind else LOOKS.azimuth)
