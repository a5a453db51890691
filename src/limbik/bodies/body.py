"""A body: meshes that follow the joints of a skeleton, with their materials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import RestMesh
from limbik.skeleton.kinematics import world_matrices
from limbik.skeleton.skeleton import Skeleton

DEFAULT_COLOUR = (0.8, 0.8, 0.8, 1.0)  # the colour of a mesh without a material


class Material(NamedTuple):
    """A material."""

    colour: tuple[float, ...] = DEFAULT_COLOUR  # linear rgba
    cutoff: float = 0.0  # opacity below which there is a hole
    texture: int | None = None  # index into the body's textures
    uv_set: str = ""  # name of the attribute with the texture coordinates
    name: str = ""  # of the material in files
    roughness: float = 0.65  # 0 for a mirror, 1 for a matt surface

    def with_tint(self, tint: tuple[float, float, float]) -> Material:
        """The material with red, green and blue multiplied by factors."""
        red, green, blue, *rest = self.colour
        return self._replace(colour=(red * tint[0], green * tint[1], blue * tint[2], *rest))


BONE = Material((0.87, 0.52, 0.25, 1.0), name="bone")


@dataclass(frozen=True, eq=False)
class MeshPart:
    """Triangles of one material."""

    material: Material
    positions: Array  # (n, 3), in the mesh's own frame and unit
    faces: Array  # (m, 3) vertex indices, counter-clockwise from outside
    joints: Array  # (n, 4), which joints of the skin each vertex follows
    weights: Array  # (n, 4), by how much
    normals: Array | None = None  # (n, 3), or None to compute them
    uvs: Array | None = None  # (n, 2) texture coordinates, or None
    colours: Array | None = None  # (n, 3) linear factors of the material's colour, or None

    def vertex_normals(self) -> Array:
        """(n, 3): the given normals, or computed ones."""
        return vertex_normals(self.positions, self.faces) if self.normals is None else self.normals


class Skin(NamedTuple):
    """A mesh bound to joints."""

    mesh: int  # index into the body's meshes
    joints: list[int]  # joint numbers of the skeleton; -1 for a frame that does not move
    inverses: Array  # (joints, 3, 4) affine matrices from the mesh's frame and unit to each joint's frame, metres


@dataclass(frozen=True, eq=False)
class Body:
    """What a figure looks like."""

    meshes: Sequence[Sequence[MeshPart]]  # each a list of parts
    skins: Sequence[Skin]  # how the meshes follow the skeleton
    textures: Sequence[bytes] = ()  # the image files, PNG or JPEG, that materials refer to

    @property
    def parts(self) -> list[MeshPart]:
        return [part for mesh in self.meshes for part in mesh]


def vertex_normals(vertices: Array, faces: Array, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    """Area-weighted unit normals (n, 3) at vertices (n, 3); `default` where all faces of a vertex have no area.

    faces: (m, 3) vertex indices, counter-clockwise from outside.
    """
    a, b, c = vertices[faces.T]
    crosses = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    sums = np.stack([np.bincount(faces.ravel(), crosses[:, axis], len(vertices)) for axis in range(3)], axis=-1)
    lengths = np.linalg.norm(sums, axis=-1, keepdims=True)
    return np.where(lengths > 0.0, sums / np.where(lengths > 0.0, lengths, 1.0), default)


def skeleton_skin(skeleton: Skeleton) -> Skin:
    """Binds mesh 0, given in the rest pose, to all joints of a single figure."""
    frames = world_matrices(skeleton.parents, skeleton.rotations, skeleton.translations, skeleton.scales)
    inverses = np.empty_like(frames)
    inverses[:, :, :3] = np.linalg.pinv(frames[:, :, :3])  # a joint scaled to zero has no inverse
    inverses[:, :, 3] = -(inverses[:, :, :3] @ frames[:, :, 3:])[..., 0]
    return Skin(0, list(range(len(skeleton))), inverses)


def rigid_body(skeleton: Skeleton, mesh: RestMesh, material: Material = BONE) -> Body:
    """A body from a mesh at rest, each vertex of which follows one joint of a single figure."""
    follows = np.zeros((len(mesh.positions), 4), np.int64)
    follows[:, 0] = mesh.joints
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (len(follows), 1))
    part = MeshPart(material, mesh.positions, mesh.triangles, follows, weights, mesh.normals)
    return Body([[part]], [skeleton_skin(skeleton)])
