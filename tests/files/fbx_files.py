"""Binary FBX files written for tests: records, scenes of random figures, and another reader's view of them.

`python -m tests.files.fbx_files FILE TIME…` prints, as ufbx evaluates them, where nodes are at these times; it is a
process of its own, since ufbx can end it.
"""

import json
import os
import struct
import subprocess
import sys
import zlib

import numpy as np

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
TICKS = 46_186_158_000
ARRAYS = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4"}


class Typed:
    """A property of a stated kind."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value


def array(kind, values, packed=True):
    return Typed(kind, (np.asarray(values, ARRAYS[kind]), packed))


def _property(value):
    if isinstance(value, Typed) and isinstance(value.value, tuple):
        numbers, packed = value.value
        data = zlib.compress(numbers.tobytes()) if packed else numbers.tobytes()
        return value.kind.encode() + struct.pack("<III", numbers.size, int(packed), len(data)) + data
    if isinstance(value, Typed):
        return value.kind.encode() + value.value
    if isinstance(value, bool):
        return b"C" + struct.pack("<b", value)
    if isinstance(value, int):
        return (b"I" + struct.pack("<i", value)) if abs(value) < 2**31 else b"L" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    data = value if isinstance(value, bytes) else value.encode()
    return b"S" + struct.pack("<I", len(data)) + data


def number(value):
    """The number of an object."""
    return Typed("L", struct.pack("<q", value))


def record(name, *properties, children=()):
    return name, properties, list(children)


def _bytes(one, start, wide):
    name, properties, children = one
    head = struct.Struct("<QQQB" if wide else "<IIIB")
    body = b"".join(map(_property, properties))
    at = start + head.size + len(name) + len(body)
    inside = b""
    for child in children:
        inside += _bytes(child, at + len(inside), wide)
    inside += bytes(head.size) if children else b""
    return head.pack(at + len(inside), len(properties), len(body), len(name)) + name.encode() + body + inside


def _unpacked(one):
    """A record whose arrays are not compressed."""
    name, properties, children = one
    kept = [
        array(each.kind, each.value[0], packed=False)
        if isinstance(each, Typed) and isinstance(each.value, tuple)
        else each
        for each in properties
    ]
    return name, kept, [_unpacked(child) for child in children]


def file_of(records, version=7400):
    """The bytes of a file."""
    wide, data = version >= 7500, MAGIC + struct.pack("<I", version)
    for one in records:
        data += _bytes(one, len(data), wide)
    return data + bytes(struct.calcsize("<QQQB" if wide else "<IIIB"))


def settings70(**values):
    """Properties by name; spaces are written as underscores."""
    lines = []
    for name, value in values.items():
        parts = value if isinstance(value, tuple) else (value,)
        parts = [part if isinstance(part, Typed) else int(part) if isinstance(part, bool) else part for part in parts]
        kind = {1: "int" if isinstance(parts[0], int) else "Number", 3: "Vector3D"}[len(parts)]
        lines.append(record("P", name.replace("_", " "), kind, "", "A", *parts))
    return record("Properties70", children=lines)


class SceneWriter:
    """A file under construction."""

    def __init__(self, fps_mode=11, unit=1.0, axes=(1, 1, 2, 1, 0, 1), version=7400):
        self.objects, self.connections, self.version = [], [], version
        names = ("UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign", "CoordAxis", "CoordAxisSign")
        self.settings = settings70(
            TimeMode=fps_mode, UnitScaleFactor=float(unit), **dict(zip(names, axes, strict=True))
        )
        self.last = 1000

    def add(self, kind, name, subkind, *children, under=None, key=None):
        """Adds an object, and connects it to another one or a property of it; returns its number."""
        self.last += 1
        title = f"{name}\x00\x01{kind}"
        self.objects.append(record(kind, number(self.last), title, subkind, children=children))
        if under is not None:
            self.connect(self.last, under, key)
        return self.last

    def connect(self, child, parent, key=None):
        ends = number(child), number(parent)
        self.connections.append(record("C", "OP", *ends, key) if key else record("C", "OO", *ends))

    def curve(self, node, axis, seconds, values, flags=4, numbers=(0, 0, 0, 0)):
        """A curve for an axis of a curve node; flags and numbers are those of all keys, or one for each."""
        seconds, flags = np.asarray(seconds), np.broadcast_to(flags, len(seconds))
        data = np.broadcast_to(np.asarray(numbers, np.float32), (len(seconds), 4))
        return self.add(
            "AnimationCurve",
            "",
            "",
            record("Default", 0.0),
            record("KeyVer", 4008),
            record("KeyTime", array("l", np.rint(seconds * TICKS))),
            record("KeyValueFloat", array("f", values)),
            record("KeyAttrFlags", array("i", flags)),
            record("KeyAttrDataFloat", array("f", data.ravel())),
            record("KeyAttrRefCount", array("i", np.ones(len(seconds)))),
            under=node,
            key=f"d|{axis}",
        )

    def curve_node(self, layer, model, what, rest):
        """A curve node for a property of a model, such as "Lcl Rotation"."""
        short = {"Translation": "T", "Rotation": "R", "Scaling": "S"}[what.split()[1]]
        values = [
            record("P", f"d|{axis}", "Number", "", "A", float(value)) for axis, value in zip("XYZ", rest, strict=True)
        ]
        node = self.add("AnimationCurveNode", short, "", record("Properties70", children=values), under=layer)
        self.connect(node, model, what)
        return node

    def take(self, name, weights=(100.0,)):
        """A take, and its layers."""
        stack = self.add("AnimationStack", name, "")
        return [
            self.add("AnimationLayer", f"Layer{k}", "", settings70(Weight=float(weight)), under=stack)
            for k, weight in enumerate(weights)
        ]

    def bytes(self, packed=True):
        return file_of(
            [
                record("FBXHeaderExtension", children=[record("FBXVersion", self.version)]),
                record("GlobalSettings", children=[record("Version", 1000), self.settings]),
                record("Objects", children=self.objects if packed else map(_unpacked, self.objects)),
                record("Connections", children=self.connections),
            ],
            self.version,
        )


def random_figure(rng, joints=8, inherits=(1,), even=True, version=7400, layers=1, **options):
    """A scene of a random tree with everything that its transforms can have, moved by curves of all kinds."""
    writer = SceneWriter(version=version, **options)
    animated = writer.take("Empty"), writer.take("Take", [100.0] * layers)
    models, rests = [], []
    for joint in range(joints):
        vector = lambda size: tuple(map(float, rng.normal(scale=size, size=3)))  # noqa: E731
        scale = (float(rng.uniform(0.7, 1.4)),) * 3 if even else tuple(map(float, rng.uniform(0.7, 1.4, 3)))
        rest = {"Lcl Translation": vector(30.0), "Lcl Rotation": vector(60.0), "Lcl Scaling": scale}
        values = {
            **rest,
            "RotationActive": 1,
            "RotationOrder": joint % 6,
            "InheritType": int(rng.choice(inherits)),
            **{name: vector(40.0) for name in ("PreRotation", "PostRotation")},
            **{name: vector(5.0) for name in ("RotationOffset", "RotationPivot", "ScalingOffset", "ScalingPivot")},
        }
        under = models[int(rng.integers(len(models)))] if models else 0
        models.append(writer.add("Model", f"joint{joint}", "LimbNode", settings70(**values), under=under))
        rests.append(rest)
    for layer, tracks in enumerate(animated[1]):
        for model, rest in zip(models, rests, strict=True):
            for what in ("Lcl Translation", "Lcl Rotation") if layer == 0 else ("Lcl Translation",):
                node = writer.curve_node(tracks, model, what, rest[what])
                for axis in rng.choice(list("XYZ"), size=int(rng.integers(1, 4)), replace=False):
                    random_curve(writer, node, axis, rng)
    return writer


def random_curve(writer, node, axis, rng):
    """A curve with keys of all kinds, at multiples of 1/24 s from 0 to 2 s."""
    inner = np.sort(rng.choice(np.arange(1, 48), size=int(rng.integers(0, 9)), replace=False))
    seconds = np.concatenate([[0], inner, [48]]) / 24.0
    kinds = [0x2, 0x102, 0x4, 0x8 | 0x400, 0x8 | 0x400 | 0x800, 0x8 | 0x400 | 0x3000000]
    flags = rng.choice(kinds, size=len(seconds))
    weights = rng.integers(500, 9000, size=(len(seconds), 2)).astype(np.uint32)
    numbers = rng.normal(scale=40.0, size=(len(seconds), 4)).astype(np.float32)
    numbers[:, 2] = (weights[:, 0] | weights[:, 1] << 16).astype(np.uint32).view(np.float32)
    numbers[:, 3] = 0.0
    writer.curve(node, axis, seconds, rng.normal(scale=30.0, size=len(seconds)), flags, numbers)


def seen_by_ufbx(path, seconds, take=None):
    """Where nodes are (frames, 3) at times by name, and how they are turned (frames, 3, 3), in the file's frame."""
    words = [
        sys.executable,
        "-m",
        "tests.files.fbx_files",
        str(path),
        json.dumps(take),
        *map(repr, map(float, seconds)),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return {name: np.array(found) for name, found in json.loads(done.stdout).items()}


def main(path, take, *seconds):
    import ufbx

    scene = ufbx.load_file(path)
    wanted = json.loads(take)
    stack = next((one for one in scene.anim_stacks if wanted in (None, one.name)), None)
    anim = scene.anim if stack is None else stack.anim
    found = {}
    kept = []
    for second in seconds:
        now = scene.evaluate(anim, float(second))
        kept.append(now)
        for node in now.nodes:
            m = node.node_to_world
            rows = [[getattr(getattr(m, f"c{column}"), axis) for column in range(4)] for axis in "xyz"]
            found.setdefault(node.name, []).append(rows)
    print(json.dumps(found), flush=True)
    os._exit(0)  # ufbx may crash when its scenes are taken apart


if __name__ == "__main__":
    main(*sys.argv[1:])
