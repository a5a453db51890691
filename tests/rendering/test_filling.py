"""A sample sees the nearest triangle that its ray meets, whatever the triangle and wherever the eye."""

import io
from math import tan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

from limbik.scenes.looks import LOOKS

from .drawn import CAMERA, filled, mesh_of, rays, textured, weights_by_rays

SIZE = 40, 24
TANGENT = tan(0.5 * LOOKS.field)

coordinates = st.floats(-3.0, 3.0, width=16)
triangles = arrays.arrays(float, (3, 3), elements=coordinates)  # the eye is in their midst: they may pass behind it


def seen_by_rays(triangle, clear=1e-6):
    """Which samples are surely in a triangle, which surely are not, and how far the triangle is there."""
    with np.errstate(all="ignore"):
        weights, far = weights_by_rays(triangle, rays(SIZE, TANGENT))
    known = np.isfinite(far) & np.isfinite(weights).all(axis=-1)
    least = np.where(known, weights.min(axis=-1), np.nan)
    inside = known & (least > clear) & (far > CAMERA.near * (1.0 + 1e-6))
    outside = known & ((least < -clear) | (far < CAMERA.near * (1.0 - 1e-6)))
    return inside, outside, far


def thick(triangle):
    """Whether a triangle is one, and its plane does not pass through the eye."""
    normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
    length = np.linalg.norm(normal)
    return length > 1e-2 and abs(triangle[0] @ normal) / length > 1e-2


@given(triangle=triangles.filter(thick))
def test_a_triangle_covers_the_samples_whose_rays_meet_it(triangle):
    nearest, seen = filled(mesh_of([triangle]), SIZE)
    inside, outside, far = seen_by_rays(triangle)
    assert np.all(seen[inside] == 0)
    assert np.all(seen[outside] == -1)
    assert nearest[inside] == pytest.approx(1.0 / far[inside], rel=1e-4, abs=1e-6)


@given(both=st.tuples(triangles.filter(thick), triangles.filter(thick)))
def test_nearer_triangles_hide_farther_ones_in_either_order(both):
    first, second = (seen_by_rays(triangle) for triangle in both)
    known = (first[0] | first[1]) & (second[0] | second[1])
    far = np.stack([np.where(inside, far, np.inf) for inside, _, far in (first, second)])
    known &= np.isinf(far).any(axis=0) | (np.abs(np.diff(np.where(np.isinf(far), 0.0, far), axis=0)[0]) > 1e-3)
    expected = np.where(np.isinf(far).all(axis=0), -1, far.argmin(axis=0))
    assert np.array_equal(filled(mesh_of(both), SIZE)[1][known], expected[known])
    swapped = filled(mesh_of(both[::-1]), SIZE)[1]
    assert np.array_equal(swapped[known], np.where(expected < 0, -1, 1 - expected)[known])


@given(
    inner=arrays.arrays(float, 2, elements=st.floats(-0.9, 0.9)),
    depth=arrays.arrays(float, 5, elements=st.floats(1.0, 9.0)),
)
def test_triangles_that_share_edges_leave_no_gap(inner, depth):
    rim = np.array([(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)]) * TANGENT
    directions = np.insert(np.vstack([rim, inner * TANGENT]), 2, -1.0, axis=1)
    a, b, c, d, middle = directions * depth[:, None]
    seen = filled(mesh_of([(a, b, middle), (b, c, middle), (c, d, middle), (d, a, middle)]), SIZE)[1]
    assert seen.min() >= 0


def test_nothing_is_seen_of_a_triangle_without_area():
    line = [(-1.0, 0.0, -3.0), (0.0, 0.0, -3.0), (1.0, 0.0, -3.0)]
    assert filled(mesh_of([line]), SIZE)[1].max() == -1


def test_holes_of_a_picture_are_seen_through():
    alpha = np.zeros((2, 2, 4), np.uint8)
    alpha[:, 0, 3] = 255  # its left half is there
    file = io.BytesIO()
    Image.fromarray(np.kron(alpha, np.ones((16, 16, 1), np.uint8))).save(file, "PNG")
    corners = np.array([(-1.0, -1.0, -3.0), (1.0, -1.0, -3.0), (1.0, 1.0, -3.0), (-1.0, 1.0, -3.0)])
    uvs = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])
    quad = [[0, 1, 2], [0, 2, 3]]
    mesh = mesh_of(corners[quad], uvs[quad], material=1)
    whole = filled(mesh, SIZE, materials=textured(texture=file.getvalue()))[1] >= 0
    cut = filled(mesh, SIZE, materials=textured(texture=file.getvalue(), cutoff=0.5))[1] >= 0
    columns = np.flatnonzero(whole.any(axis=0))
    middle = columns.mean()
    assert np.array_equal(cut[:, : int(middle) - 1], whole[:, : int(middle) - 1])
    assert not cut[:, int(middle) + 2 :].any() and whole[:, int(middle) + 2 :].any()
