"""A second opinion on glTF: pygltflib reads the file, SciPy interpolates and turns, matrices do the kinematics."""

from __future__ import annotations

import base64

import numpy as np
import pygltflib
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Referee:
    def __init__(self, path):
        self.gltf = pygltflib.GLTF2().load(str(path))
        self.folder = path.parent
        self.buffers = [self._buffer(buffer) for buffer in self.gltf.buffers]

    def _buffer(self, buffer):
        if buffer.uri is None:
            return self.gltf.binary_blob()
        if buffer.uri.startswith("data:"):
            return base64.b64decode(buffer.uri.partition(",")[2])
        return (self.folder / buffer.uri).read_bytes()

    def _raw(self, view, offset, kind, count, width):
        view = self.gltf.bufferViews[view]
        start = (view.byteOffset or 0) + (offset or 0)
        stride = view.byteStride or np.dtype(kind).itemsize * width
        data = self.buffers[view.buffer]
        size = np.dtype(kind).itemsize
        rows = [data[at : at + size * width] for at in range(start, start + count * stride, stride)]
        return np.frombuffer(b"".join(rows), kind).reshape(count, width)

    def accessor(self, number):
        about = self.gltf.accessors[number]
        kind, width = TYPES[about.componentType], WIDTHS[about.type]
        if about.bufferView is None:
            values = np.zeros((about.count, width))
        else:
            values = self._raw(about.bufferView, about.byteOffset, kind, about.count, width).astype(float)
        sparse = about.sparse
        if sparse is not None:
            indices, others = sparse.indices, sparse.values
            rows = self._raw(indices.bufferView, indices.byteOffset, TYPES[indices.componentType], sparse.count, 1)
            values[rows[:, 0]] = self._raw(others.bufferView, others.byteOffset, kind, sparse.count, width)
        if about.normalized:
            values = np.maximum(values / np.iinfo(kind).max, -1)
        return values

    def tracks(self, animation):
        """(node, path) -> (times, values, interpolation)."""
        found = {}
        for channel in self.gltf.animations[animation].channels:
            if channel.target.path in ("translation", "rotation", "scale"):
                sampler = self.gltf.animations[animation].samplers[channel.sampler]
                times, values = self.accessor(sampler.input)[:, 0], self.accessor(sampler.output)
                found[channel.target.node, channel.target.path] = times, values, sampler.interpolation or "LINEAR"
        return found

    def worlds(self, animation, times):
        """The world matrices of all nodes, (times, nodes, 4, 4)."""
        nodes = self.gltf.nodes
        tracks = {} if animation is None else self.tracks(animation)
        locals_ = np.stack([self._local(number, node, tracks, times) for number, node in enumerate(nodes)], axis=1)
        worlds = np.zeros_like(locals_)
        parents = {child: number for number, node in enumerate(nodes) for child in node.children or ()}

        def place(number, base):
            worlds[:, number] = base @ locals_[:, number]
            for child in nodes[number].children or ():
                place(child, worlds[:, number])

        for number in range(len(nodes)):
            if number not in parents:
                place(number, np.broadcast_to(np.eye(4), (len(times), 4, 4)))
        return worlds

    def _local(self, number, node, tracks, times):
        if node.matrix is not None:  # a node that is animated has none
            return np.broadcast_to(np.reshape(node.matrix, (4, 4)).T, (len(times), 4, 4))
        parts = {}
        for path, rest in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1))):
            held = np.array(getattr(node, path) or rest, float)
            track = tracks.get((number, path))
            parts[path] = np.tile(held, (len(times), 1)) if track is None else interpolated(path, *track, times)
        matrices = np.tile(np.eye(4), (len(times), 1, 1))
        matrices[:, :3, :3] = Rotation.from_quat(parts["rotation"]).as_matrix() * parts["scale"][:, None, :]
        matrices[:, :3, 3] = parts["translation"]
        return matrices


def interpolated(path, keys, values, interpolation, times):
    """The values of one channel at some times."""
    at = np.clip(times, keys[0], keys[-1])
    if interpolation == "STEP":
        return values[np.searchsorted(keys, at + 1e-6, side="right") - 1]
    if interpolation == "CUBICSPLINE":
        return np.array([_spline(keys, values.reshape(len(keys), 3, -1), t) for t in at])
    if len(keys) == 1:
        return np.tile(values, (len(at), 1))
    if len(keys) == len(at) and np.allclose(keys, at, rtol=0, atol=1e-6):
        return values
    if path == "rotation":
        return Slerp(keys, Rotation.from_quat(values))(at).as_quat()
    return np.stack([np.interp(at, keys, column) for column in values.T], axis=-1)


def _spline(keys, values, t):
    k = min(np.searchsorted(keys, t, side="right") - 1, len(keys) - 2)
    (_, start, away), (towards, end, _) = values[k], values[k + 1]
    return CubicHermiteSpline(keys[k : k + 2], [start, end], [away, towards])(t)
