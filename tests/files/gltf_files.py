"""Small glTF files made from scratch, sharing no code with limbik: a builder, and a sample with a bit of everything."""

from __future__ import annotations

import base64
import copy
import json
import struct

import numpy as np

COMPONENTS = {"b": 5120, "B": 5121, "h": 5122, "H": 5123, "I": 5125, "f": 5126}
TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """Puts arrays into one binary, and nodes and animations beside them."""

    def __init__(self, **content):
        self.content = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], **content}
        self.data = b""

    def view(self, data, **more):
        self.data += b"\0" * (-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more}
        self.content["bufferViews"].append(view)
        self.data += data
        return len(self.content["bufferViews"]) - 1

    def accessor(self, array, component="f", **more):
        array = np.asarray(array, "<" + component)
        array = array.reshape(len(array), -1)
        described = {"componentType": COMPONENTS[component], "count": len(array), "type": TYPES[array.shape[1]]}
        if array.shape[1] == 1:
            described |= {"min": array.min(axis=0).tolist(), "max": array.max(axis=0).tolist()}
        self.content["accessors"].append({"bufferView": self.view(array.tobytes()), **described, **more})
        return len(self.content["accessors"]) - 1

    def animation(self, *channels, name=None):
        """Channels are (node, path, times, values, interpolation), times and values arrays or accessor numbers."""
        animation = {"channels": [], "samplers": []} | ({"name": name} if name is not None else {})
        for node, path, times, values, interpolation in channels:
            at = times if isinstance(times, int) else self.accessor(times)
            out = values if isinstance(values, int) else self.accessor(values)
            animation["channels"].append(
                {"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}}
            )
            animation["samplers"].append({"input": at, "output": out, "interpolation": interpolation})
        self.content.setdefault("animations", []).append(animation)

    def _content(self):
        content = copy.deepcopy(self.content)
        if self.data:
            content["buffers"] = [{"byteLength": len(self.data)}]
        return {key: value for key, value in content.items() if value != []}

    def glb(self):
        return glb(self._content(), self.data)

    def gltf(self, uri=None):
        content = self._content()
        if self.data:
            inline = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
            content["buffers"][0]["uri"] = inline if uri is None else uri
        return json.dumps(content).encode()


def glb(content, binary=b"", more=()):
    """A .glb of JSON (a value, or bytes as they are), a binary chunk and further chunks (type, data)."""
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    chunks = [(0x4E4F534A, text + b" " * (-len(text) % 4))]
    if binary:
        chunks.append((0x004E4942, binary + b"\0" * (-len(binary) % 4)))
    chunks += more
    body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
    return b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body


def content_of(data):
    """The JSON of a .glb or .gltf."""
    if data[:4] != b"glTF":
        return json.loads(data)
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def binary_of(data):
    """The binary chunk of a .glb."""
    (length,) = struct.unpack_from("<I", data, 12)
    return data[28 + length :] if len(data) > 20 + length else b""


def quaternions(count, seed=0):
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def sample():
    """Four joints, a skin, a node with a matrix, three interpolations, shared times, sparse and normalised values,
    morph weights, a pointer, extras and unknown extensions.
    """
    turned = [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 1]
    built = Builder(
        scene=0,
        scenes=[{"nodes": [0, 4]}],
        nodes=[
            {"name": "hips", "translation": [0, 1, 0], "children": [1, 3], "extras": {"a": [1, None, "ü"]}},
            {"name": "knee", "translation": [0, -0.5, 0], "rotation": [0, 0, 0, 1], "children": [2]},
            {"name": "ankle", "translation": [0, -0.4, 0.1]},
            {"matrix": turned},
            {"name": "body", "mesh": 0, "skin": 0},
        ],
        extensions={"VENDOR_unknown": {"deep": [{"accessor": 0}]}},
        extensionsUsed=["VENDOR_unknown"],
    )
    triangle = built.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]], min=[0, 0, 0], max=[1, 1, 0])
    joints = built.accessor(np.array([[0, 1, 2, 3]] * 3), "B")
    weights = built.accessor(np.full((3, 4), 0.25))
    morph = built.accessor(np.eye(3), min=[0, 0, 0], max=[1, 1, 1])
    for number in (triangle, joints, weights, morph):
        built.content["bufferViews"][built.content["accessors"][number]["bufferView"]]["target"] = 34962
    attributes = {"POSITION": triangle, "JOINTS_0": joints, "WEIGHTS_0": weights}
    built.content["meshes"] = [
        {"primitives": [{"attributes": attributes, "targets": [{"POSITION": morph}]}], "weights": [0.5]}
    ]
    built.content["skins"] = [{"joints": [0, 1, 2, 3]}]
    times = built.accessor(np.arange(5) / 30)
    shorts = np.rint(quaternions(5, 1) * 32767).clip(-32767, 32767)
    sparse = built.accessor(np.zeros((5, 3)))
    rows, values = built.view(struct.pack("<BB", 1, 3)), built.view(np.ones((2, 3), "<f4").tobytes())
    built.content["accessors"][sparse]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": rows, "componentType": 5121},
        "values": {"bufferView": values},
    }
    built.animation(
        (0, "translation", times, sparse, "LINEAR"),
        (0, "rotation", times, built.accessor(shorts, "h", normalized=True), "LINEAR"),
        (1, "rotation", times, quaternions(15, 2), "CUBICSPLINE"),
        (2, "scale", np.arange(3) / 15, np.array([[1, 1, 1], [2, 1, 1], [1, 1, 3]]), "STEP"),
        (4, "weights", times, built.accessor(np.linspace(0, 1, 5)), "LINEAR"),
        name="everything",
    )
    built.animation((2, "rotation", [0.0, 0.1, 0.25], quaternions(3, 3), "LINEAR"), name="other")
    return built
