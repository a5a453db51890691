"""The figures of a clip as they are seen: their bodies, posed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.body_reader import Body
from limbik.files.gltf.primitive_reader import Part
from limbik.rendering.compiled import kernel
from limbik.rendering.raster_meshes import Mesh, Paints, normals_of, paints_of
from limbik.rotations import normalized, to_matrices
from limbik.scenes.body_set import Bodies
from limbik.skeleton.clip import Clip
from limbik.skeleton.kinematics import generations
from limbik.skeleton.pose import Pose


class Shape(NamedTuple):
    """A body in one piece.

    positions, normals: (n, 3), uvs: (n, 2). faces: (m, 3); paints: (m,). follows, weights: (n, 4), of the joints (k,),
    -1 for none, with the inverses (k, 3, 4).
    """

    positions: Array
    normals: Array
    uvs: Array
    faces: Array
    paints: Array
    follows: Array
    weights: Array
    joints: Array
    inverses: Array


class Figures:
    """Everybody in a clip. paints: what they are painted with."""

    def __init__(self, clip: Clip) -> None:
        bodies = Bodies()
        groups = bodies.groups(clip)
        parts = [part for body in bodies.all for mesh in body.meshes for part in mesh]
        self.paints: Paints = paints_of([part.paint for part in parts], bodies.pictures)
        number = {id(part): k + 1 for k, part in enumerate(parts)}  # 0 is the plain paint
        shapes = [_shape(body, number) for body in bodies.all]
        self._each = [(shapes[body], joints) for body, figures in groups for joints in figures]
        self._still = self._together()

    def posed(self, poses: list[Pose]) -> Mesh:
        """What is seen of all of them in some poses, each (joints, ...), together."""
        places, normals = np.empty((2, len(poses) * len(self._still.places), 3))
        start = 0
        for pose in poses:
            frames = frames_of(pose)
            for shape, joints in self._each:
                stop = start + len(shape.positions)
                matrices = palette(shape, frames, joints)
                moved = places[start:stop], normals[start:stop]
                kernel("skin")(shape.positions, shape.normals, shape.follows, shape.weights, matrices, *moved)
                start = stop
        return self._repeated(len(poses))._replace(places=places, normals=normals)

    def _together(self) -> Mesh:
        """All figures in one mesh, whose vertices have no places yet."""
        counts = [len(shape.positions) for shape, _ in self._each]
        first = np.cumsum([0, *counts])
        nowhere = np.zeros((first[-1], 3))
        faces = [shape.faces + np.uint32(start) for (shape, _), start in zip(self._each, first, strict=False)]
        uvs, paints = ([getattr(shape, name) for shape, _ in self._each] for name in ("uvs", "paints"))
        return Mesh(nowhere, nowhere, np.concatenate(uvs), np.concatenate(faces), np.concatenate(paints))

    def _repeated(self, times: int) -> Mesh:
        """That mesh several times."""
        if times == 1:
            return self._still
        still, vertices = self._still, len(self._still.places)
        faces = np.concatenate([still.faces + np.uint32(k * vertices) for k in range(times)])
        return still._replace(uvs=np.tile(still.uvs, (times, 1)), faces=faces, paints=np.tile(still.paints, times))


def frames_of(pose: Pose) -> Array:
    """The joints' frames in the world, (joints, 3, 4), affine, of a single pose."""
    frames = np.empty((len(pose.skeleton), 3, 4))
    frames[:, :, :3] = to_matrices(normalized(pose.rotations))
    if pose.scales is not None:
        frames[:, :, :3] *= pose.scales[:, None, :]
    frames[:, :, 3] = pose.translations
    for level in generations(pose.skeleton.parents):
        frames[level] = _after(frames[pose.skeleton.parents[level]], frames[level])
    return frames


def palette(shape: Shape, frames: Array, joints: Array) -> Array:
    """The matrices that vertices of a shape follow, (k, 3, 4), on a figure whose joints have these numbers."""
    at = joints[shape.joints]
    return np.where((shape.joints < 0)[:, None, None], shape.inverses, _after(frames[at], shape.inverses))


def _after(outer: Array, inner: Array) -> Array:
    """Affine matrices (..., 3, 4), one in the frame of the other."""
    product = outer[..., :3] @ inner
    product[..., 3] += outer[..., 3]
    return product


def _shape(body: Body, number: dict[int, int]) -> Shape:
    """A body in one piece. number: of the paint of each part, by its id."""
    pieces: list[tuple[Part, int]] = []
    first = 0
    for skin in body.skins:
        pieces += [(part, first) for part in body.meshes[skin.mesh]]
        first += len(skin.joints)
    start = np.cumsum([0, *(len(part.positions) for part, _ in pieces)])
    return Shape(
        positions=_joined([part.positions for part, _ in pieces]),
        normals=_joined([_normals(part) for part, _ in pieces]),
        uvs=_joined([np.zeros((len(part.positions), 2)) if part.uvs is None else part.uvs for part, _ in pieces]),
        faces=np.concatenate([part.faces + at for (part, _), at in zip(pieces, start, strict=False)]).astype(np.uint32),
        paints=np.concatenate([np.full(len(part.faces), number[id(part)]) for part, _ in pieces]),
        follows=np.concatenate([part.joints + first for part, first in pieces]),
        weights=_joined([part.weights for part, _ in pieces]),
        joints=np.concatenate([np.asarray(skin.joints, np.int64) for skin in body.skins]),
        inverses=_joined([skin.inverses for skin in body.skins]),
    )


def _normals(part: Part) -> Array:
    return normals_of(part.positions, part.faces) if part.normals is None else part.normals


def _joined(arrays: list[Array]) -> Array:
    return np.ascontiguousarray(np.concatenate(arrays), float)
