"""What a pixel shows: pictures in perspective, light on the side that is seen, shadows where the sun is hidden."""

import io
from math import tan

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from limbik.rendering.light import light_on
from limbik.rendering.raster_meshes import material_table, plain_mesh
from limbik.rendering.shading import visible_sun
from limbik.scenes.looks import LOOKS

from .drawn import EVEN, mesh_of, rays, shaded, textured, weights_by_rays

SIZE = 64, 48


def squares(count, side=16):
    """The file of a picture of squares, red and blue."""
    board = np.indices((count, count)).sum(axis=0) % 2
    colours = np.array([(255, 0, 0), (0, 0, 255)], np.uint8)[np.kron(board, np.ones((side, side), int))]
    file = io.BytesIO()
    Image.fromarray(colours).save(file, "PNG")
    return file.getvalue()


def test_pictures_are_seen_in_perspective():
    corners = np.array([(-1.0, -0.4, -1.2), (1.0, -0.4, -1.2), (3.0, 1.5, -6.0), (-3.0, 1.5, -6.0)])
    uvs = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
    picture = shaded(
        mesh_of(corners[[[0, 1, 2], [0, 2, 3]]], uvs[[[0, 1, 2], [0, 2, 3]]], 1), SIZE, textured(texture=squares(4))
    )
    checked = 0
    for quad in ([0, 1, 2], [0, 2, 3]):
        weights, _ = weights_by_rays(corners[quad], rays(SIZE, tan(0.5 * LOOKS.field)))
        at = weights @ uvs[quad] * 4
        sure = (weights.min(axis=-1) > 0.02) & (np.abs(at - np.rint(at)).min(axis=-1) > 0.3)
        blue = np.floor(at).astype(int).sum(axis=-1) % 2 == 1
        assert np.all(picture[sure & blue][:, 2] > 200) and np.all(picture[sure & blue][:, 0] < 60)
        assert np.all(picture[sure & ~blue][:, 0] > 200) and np.all(picture[sure & ~blue][:, 2] < 60)
        checked += np.count_nonzero(sure)
    assert checked > 100


def test_a_picture_far_away_is_the_mean_of_its_light():
    far = np.array([(-40.0, -40.0, -60.0), (40.0, -40.0, -60.0), (0.0, 60.0, -60.0)])
    picture = shaded(mesh_of([far], [(0.0, 99.0), (99.0, 99.0), (50.0, 0.0)], 1), SIZE, textured(texture=squares(4)))
    middle = picture[20:28, 28:36].reshape(-1, 3)
    half = 255.0 * 0.5 ** (1.0 / 2.2)
    assert np.abs(middle[:, [0, 2]] - half).max() < 12 and middle[:, 1].max() == 0


@pytest.mark.parametrize("back", [False, True])
def test_light_falls_on_the_side_that_is_seen(back):
    triangle = np.array([(-9.0, -9.0, -5.0), (9.0, -9.0, -5.0), (0.0, 9.0, -5.0)])
    light = EVEN._replace(sun=(0.0, 0.0, 1.0), sunlight=(0.5,) * 3, above=(0.2,) * 3, below=(0.2,) * 3)
    mesh = mesh_of([triangle[::-1] if back else triangle], material=1)
    lit = shaded(mesh, SIZE, textured(), light)[24, 32]
    assert lit == pytest.approx(255.0 * 0.7 ** (1.0 / 2.2), abs=1.5)
    dark = shaded(mesh, SIZE, textured(), light._replace(sun=(0.0, 0.0, -1.0)))[24, 32]
    assert dark == pytest.approx(255.0 * 0.2 ** (1.0 / 2.2), abs=1.5)


def test_shadows_fall_where_rays_to_the_sun_are_stopped():
    """A plate above the ground: half a metre wide, and one metre up."""
    plate = np.array([(-0.25, 1.0, -0.25), (0.25, 1.0, -0.25), (0.25, 1.0, 0.25), (-0.25, 1.0, 0.25)])
    mesh = plain_mesh(plate, np.array([[0, 2, 1], [0, 3, 2]]))
    light, shadows, coarse = light_on([mesh], material_table([], []), np.zeros(3), 2.0)
    sun = np.array(LOOKS.sun)
    rng = np.random.default_rng(0)
    places = np.insert(rng.uniform(-1.0, 1.0, size=(400, 2)), 1, 0.0, axis=1)
    above = places + sun / sun[1]  # where their rays pass the plate's height
    beyond = np.abs(above[:, [0, 2]]).max(axis=1) - 0.25
    found = np.array([visible_sun(light, shadows, coarse, *place) for place in places])
    assert np.all(found[beyond < -0.03] == 0.0) and np.all(found[beyond > 0.03] == 1.0)
    assert np.count_nonzero(beyond < -0.03) > 10


def test_normals_of_a_mesh_turn_with_it():
    rng = np.random.default_rng(3)
    vertices, faces = rng.normal(size=(30, 3)), rng.permutation(30).reshape(-1, 3)
    turn = Rotation.random(rng=np.random.default_rng(1))
    before, after = plain_mesh(vertices, faces).normals, plain_mesh(turn.apply(vertices), faces).normals
    assert after == pytest.approx(turn.apply(before), abs=1e-12)
    assert np.linalg.norm(before, axis=-1) == pytest.approx(1.0)
