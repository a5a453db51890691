"""The figures of a clip in a pose, as one mesh."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, MeshPart
from limbik.bodies.body_set import BodySet
from limbik.bodies.look import TINTS
from limbik.files.gltf.body_reader import own_body
from limbik.rendering.raster_kernels import kernel
from limbik.rendering.raster_meshes import MaterialTable, RasterMesh, material_table
from limbik.rotations import normalized
from limbik.skeleton.clip import Clip
from limbik.skeleton.kinematics import world_matrices
from limbik.skeleton.pose import Pose


class BodyMesh(NamedTuple):
    """A body as one mesh."""

    positions: Array  # (n, 3), in the frames of the body's meshes
    normals: Array  # (n, 3), in the frames of the body's meshes
    uvs: Array  # (n, 2)
    colours: Array  # (n, 3), linear factors
    faces: Array  # (m, 3) vertex indices
    materials: Array  # (m,) indices into the table of materials
    follows: Array  # (n, 4), which bindings each vertex follows
    weights: Array  # (n, 4), by how much
    joints: Array  # (bindings,) joint numbers; -1 for a frame that does not move
    inverses: Array  # (bindings, 3, 4), from the mesh's frame to the joint's


class PosedFigures:
    """All figures of a clip, and the materials of their bodies."""

    def __init__(self, clip: Clip) -> None:
        found = BodySet(own_body)
        groups, bodies = found.groups(clip), found.bodies
        textures = [texture for body in bodies for texture in body.textures]
        first = np.cumsum([0, *(len(body.textures) for body in bodies)]).tolist()
        materials = [
            part.material._replace(texture=None if part.material.texture is None else part.material.texture + start)
            for body, start in zip(bodies, first, strict=False)
            for part in body.parts
        ]
        most = max((len(figures) for _, figures in groups), default=1)
        tints = TINTS[:most]  # the figures of a crowd differ
        self.materials: MaterialTable = material_table(
            [one.with_tint(hue) for hue in tints for one in materials], textures
        )
        parts = [part for body in bodies for part in body.parts]
        number = {id(part): k for k, part in enumerate(parts, start=1)}
        meshes = [_body_mesh(body, number) for body in bodies]
        self._each = [
            (_shift_materials(meshes[body], figure % len(tints) * len(materials)), joints)
            for body, figures in groups
            for figure, joints in enumerate(figures)
        ]
        self._once = self._mesh_without_positions(1)

    def mesh_of(self, poses: list[Pose]) -> RasterMesh:
        """All figures in some poses, each a single pose of all joints, together."""
        unposed = self._once if len(poses) == 1 else self._mesh_without_positions(len(poses))
        places, normals = np.empty((2, len(unposed.places), 3))
        start = 0
        for pose in poses:
            frames = world_matrices(pose.skeleton.parents, normalized(pose.rotations), pose.translations, pose.scales)
            for mesh, joints in self._each:
                stop = start + len(mesh.positions)
                matrices = skinning_matrices(mesh, frames, joints)
                moved = places[start:stop], normals[start:stop]
                kernel("skin")(mesh.positions, mesh.normals, mesh.follows, mesh.weights, matrices, *moved)
                start = stop
        return unposed._replace(places=places, normals=normals)

    def _mesh_without_positions(self, times: int) -> RasterMesh:
        """All figures, several times, as one mesh whose vertices have no positions yet."""
        meshes = times * [mesh for mesh, _ in self._each]
        first = np.cumsum([0, *(len(mesh.positions) for mesh in meshes)])
        nowhere = np.zeros((first[-1], 3))
        faces = [mesh.faces + np.uint32(start) for mesh, start in zip(meshes, first, strict=False)]
        uvs, colours, materials = (
            np.concatenate([getattr(mesh, name) for mesh in meshes]) for name in ("uvs", "colours", "materials")
        )
        return RasterMesh(nowhere, nowhere, uvs, colours, np.concatenate(faces), materials)


def skinning_matrices(mesh: BodyMesh, frames: Array, joints: Array) -> Array:
    """The matrices (bindings, 3, 4) that vertices follow. frames: (joints, 3, 4), world. joints: of the figure."""
    outer = frames[joints[mesh.joints]]
    placed = outer[..., :3] @ mesh.inverses
    placed[..., 3] += outer[..., 3]
    return np.where((mesh.joints < 0)[:, None, None], mesh.inverses, placed)


def _body_mesh(body: Body, number: dict[int, int]) -> BodyMesh:
    """A body as one mesh. number: the material's index for each part, by the part's id."""
    pieces: list[tuple[MeshPart, int]] = []
    first = 0
    for skin in body.skins:
        pieces += [(part, first) for part in body.meshes[skin.mesh]]
        first += len(skin.joints)
    start = np.cumsum([0, *(len(part.positions) for part, _ in pieces)])
    return BodyMesh(
        positions=_concatenate([part.positions for part, _ in pieces]),
        normals=_concatenate([part.vertex_normals() for part, _ in pieces]),
        uvs=_concatenate([np.zeros((len(part.positions), 2)) if part.uvs is None else part.uvs for part, _ in pieces]),
        colours=_concatenate(
            [np.ones((len(one.positions), 3)) if one.colours is None else one.colours for one, _ in pieces]
        ),
        faces=np.concatenate([part.faces + at for (part, _), at in zip(pieces, start, strict=False)]).astype(np.uint32),
        materials=np.concatenate([np.full(len(part.faces), number[id(part)]) for part, _ in pieces]),
        follows=np.concatenate([part.joints + first for part, first in pieces]),
        weights=_concatenate([part.weights for part, _ in pieces]),
        joints=np.concatenate([np.asarray(skin.joints, np.int64) for skin in body.skins]),
        inverses=_concatenate([skin.inverses for skin in body.skins]),
    )


def _shift_materials(mesh: BodyMesh, first: int) -> BodyMesh:
    """The mesh with materials further on in the table."""
    return mesh._replace(materials=mesh.materials + first) if first else mesh


def _concatenate(arrays: list[Array]) -> Array:
    return np.ascontiguousarray(np.concatenate(arrays), float)
