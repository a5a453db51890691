"""Triangles drawn on their own, and the same by ray and plane, which shares nothing with how the kernels do it."""

import numpy as np

from limbik.bodies.body import Material, vertex_normals
from limbik.rendering.camera import Camera
from limbik.rendering.light import Light, Squares, display_table
from limbik.rendering.raster_kernels import kernel
from limbik.rendering.raster_meshes import RasterMesh, material_table, plain_mesh

CAMERA = Camera(np.zeros(3), np.eye(3), 1.0)  # at the origin, looking along -z
NOWHERE = plain_mesh(np.zeros((0, 3)), np.zeros((0, 3), np.uint32))
EVEN = Light(
    sun=(0.0, 1.0, 0.0),
    sunlight=(0.0, 0.0, 0.0),
    above=(1.0, 1.0, 1.0),
    below=(1.0, 1.0, 1.0),
    rim=0.0,
    right=(0.0,) * 4,
    down=(0.0,) * 4,
    towards=(0.0,) * 4,
    box=(0.0,) * 4,
    offset=0.0,
    bias=0.0,
)
BARE = Squares((0.5,) * 3, (0.5,) * 3, (0.5,) * 3, 0.0, 0.0, 1.0, 0.0, 1.0, (0.0, 0.0, 1e3, 1e3), 1.0)
LUMP = np.zeros((64, 64), np.float32)


def mesh_of(triangles, uvs=None, material=0):
    """A mesh of triangles (n, 3, 3)."""
    places = np.ascontiguousarray(triangles, float).reshape(-1, 3)
    faces = np.arange(len(places), dtype=np.uint32).reshape(-1, 3)
    uvs = np.zeros((len(places), 2)) if uvs is None else np.ascontiguousarray(uvs, float).reshape(-1, 2)
    normals, plain = vertex_normals(places, faces), np.ones((len(places), 3))
    return RasterMesh(places, normals, uvs, plain, faces, np.full(len(faces), material))


def filled(mesh, size, camera=CAMERA, materials=None):
    """How near samples see something, and which face, (height, width) each; -1 for none."""
    width, height = size
    nearest, seen = np.zeros((height, width), np.float32), np.full((height, width), -1, np.int32)
    corners = camera.corners(mesh.places, size)
    kernel("fill")(
        mesh, material_table([], []) if materials is None else materials, corners, 0, camera.near, nearest, seen
    )
    return nearest, seen


def shaded(mesh, size, materials, light=EVEN, camera=CAMERA):
    """A picture (height, width, 3) of a mesh in front of black."""
    width, height = size
    samples = 2 * width, 2 * height
    nearest, seen = filled(mesh, samples, camera, materials)
    corners = np.zeros((0, 4)), camera.corners(mesh.places, samples)
    picture, sky = np.empty((height, width, 3), np.uint8), np.zeros((height, 3))
    look = light, LUMP, LUMP[:4, :4].copy(), display_table(), sky, tuple(camera.eye.tolist())
    kernel("shade")(NOWHERE, BARE, mesh, materials, corners, *look, seen, nearest, picture)
    return picture


def textured(colour=(1.0, 1.0, 1.0, 1.0), texture=None, cutoff=0.0):
    """A table in which number 1 is this material. texture: an image file, bytes."""
    return material_table(
        [Material(colour, cutoff, None if texture is None else 0, roughness=1.0)], [] if texture is None else [texture]
    )


def rays(size, tangent, camera=CAMERA):
    """(height, width, 3): from the eye through the middle of each sample, one along its axis."""
    width, height = size
    x = (np.arange(width) + 0.5 - 0.5 * width) / (0.5 * height) * tangent
    y = (0.5 * height - np.arange(height) - 0.5) / (0.5 * height) * tangent
    across, up = np.meshgrid(x, y)
    right, above, back = camera.axes
    return across[..., None] * right + up[..., None] * above - back


def weights_by_rays(triangle, directions):
    """How much each corner counts where rays from the origin meet a triangle's plane, (..., 3), and how far that is."""
    a, b, c = triangle
    normal = np.cross(b - a, c - a)
    far = (a @ normal) / (directions @ normal)
    place = far[..., None] * directions
    area = normal @ normal
    i = np.cross(c - b, place - b) @ normal / area
    j = np.cross(a - c, place - c) @ normal / area
    return np.stack([i, j, 1.0 - i - j], axis=-1), far
