"""FBX: nodes are where ufbx and the same motion's BVH say; takes are chosen; broken and hostile files are refused."""

import struct

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError, FileError
from limbik.files.gltf.body_reader import own_body
from tests.assets import asset
from tests.optional import optional
from tests.peak_memory import peak_of

from .fbx_files import (
    MAGIC,
    SceneWriter,
    Typed,
    array,
    file_of,
    number,
    random_figure,
    record,
    seen_by_ufbx,
    settings70,
)

CENTIMETRE = 0.01
NEAR = 1e-5  # metres
FRAMES = np.arange(0, 49, 7)  # of two seconds at 24 frames a second; ufbx evaluates a few times in one process


@pytest.fixture
def geno():
    return limbik.load(asset("fbx/Geno_stance.fbx"))


def written(tmp_path, data):
    path = tmp_path / "figure.fbx"
    path.write_bytes(data if isinstance(data, bytes) else data.bytes())
    return path


def test_a_recorded_pose_is_that_of_its_bvh(geno):
    bvh = limbik.load(asset("fbx/Geno_stance.bvh"))
    assert geno.skeleton.names == bvh.skeleton.names and geno.unit.metres == CENTIMETRE
    assert np.abs(geno.positions()[0] - bvh.positions()[0]).max() < 1e-8
    assert np.array_equal(geno.skeleton.parents, bvh.skeleton.parents)


def test_the_mesh_lies_around_the_bones_and_is_saved(tmp_path, geno):
    (part,) = geno.body.parts
    assert len(part.positions) == 9332 and np.allclose(part.weights.sum(axis=1), 1.0)
    limbik.save(geno, tmp_path / "geno.glb")
    again = limbik.load(tmp_path / "geno.glb")
    assert np.abs(again.positions() - geno.positions()).max() < 1e-6
    here, there = vertices(geno.body, geno), vertices(own_body(again), again)
    assert 1.6 < np.ptp(here[:, 1]) < 1.8 and abs(here[:, 1].min()) < 0.02
    assert np.abs(here - there).max() < 2e-3  # weights are bytes in the saved file
    hand = geno.positions()[0, geno.skeleton.index("LeftHand")]
    assert np.sort(np.linalg.norm(here - hand, axis=-1))[20] < 0.05


def vertices(body, clip):
    """Where the vertices of a body are in the first frame: sums over the joints' matrices."""
    positions, rotations = clip.world()
    found = []
    for skin in body.skins:
        for part in body.meshes[skin.mesh]:
            local = np.einsum("vkij,vj->vki", np.asarray(skin.inverses)[part.joints][..., :3], part.positions)
            local += np.asarray(skin.inverses)[part.joints][..., 3]
            joints = np.asarray(skin.joints)[part.joints]
            placed = limbik.rotations.rotate(rotations[0][joints], local) + positions[0][joints]
            found.append(np.sum(part.weights[..., None] * placed, axis=1))
    return np.concatenate(found)


CASES = {
    "pivots, orders and curves": {},
    "wide offsets": {"version": 7700},
    "scales after rotations": {"inherits": (0, 1)},
    "scales that are not inherited": {"inherits": (2,)},
    "uneven scales": {"even": False},
    "layers": {"layers": 2},
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", [0, 1])
def test_nodes_are_where_ufbx_has_them(tmp_path, name, seed):
    optional("ufbx")
    path = written(tmp_path, random_figure(np.random.default_rng(seed), **CASES[name]))
    clip = limbik.load(path, unit=CENTIMETRE)
    seen = seen_by_ufbx(path, clip.times[FRAMES], "Take")
    places = clip.positions()[FRAMES]
    assert (len(clip), clip.fps, clip.name) == (49, 24.0, "Take")
    for joint, node in enumerate(clip.skeleton.names):
        # ufbx finds the time on a weighted curve to 1e-5 of the piece.
        assert np.abs(places[:, joint] - CENTIMETRE * seen[node][:, :, 3]).max() < 10 * NEAR


@pytest.mark.parametrize("flags", [0x108, 0x1108, 0x2108, 0x4108, 0x6108, 0x208])
def test_automatic_slopes_are_those_of_ufbx(tmp_path, flags):
    optional("ufbx")
    rng = np.random.default_rng(flags)
    writer = SceneWriter()
    (layer,) = writer.take("Take")
    model = writer.add("Model", "joint", "LimbNode", settings70(), under=0)
    node = writer.curve_node(layer, model, "Lcl Translation", (0, 0, 0))
    values = [0.0, 30.0, 31.0, 31.0, 10.0, -40.0, -40.001, 5.0]
    numbers = rng.uniform(-0.5, 0.5, 4) * [1, 1, 1, 0] if flags == 0x208 else np.zeros(4)
    seconds = np.array([0, 3, 8, 12, 20, 30, 41, 48]) / 24.0
    for axis in "XYZ":
        writer.curve(node, axis, seconds, rng.permutation(values), flags, numbers)
    path = written(tmp_path, writer)
    clip = limbik.load(path, unit=CENTIMETRE)
    seen = seen_by_ufbx(path, clip.times[FRAMES], "Take")["joint"]
    assert np.abs(clip.positions()[FRAMES, 0] - CENTIMETRE * seen[:, :, 3]).max() < NEAR


@pytest.mark.parametrize("weight", [100.0, 40.0])
@pytest.mark.parametrize("by_channel", [0, 1])
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_layers_are_blended_as_ufbx_does(tmp_path, mode, by_channel, weight):
    optional("ufbx")
    rng, writer = np.random.default_rng(mode), SceneWriter()
    stack = writer.add("AnimationStack", "Take", "")
    how = settings70(
        Weight=weight, BlendMode=mode, RotationAccumulationMode=by_channel, ScaleAccumulationMode=by_channel
    )
    layers = [writer.add("AnimationLayer", name, "", how, under=stack) for name in ("base", "over")]
    upper = writer.add("Model", "upper", "LimbNode", settings70(RotationOrder=4), under=0)
    writer.add("Model", "lower", "LimbNode", settings70(Lcl_Translation=(10.0, 0.0, 0.0)), under=upper)
    for scale, layer in zip((1.2, 1.1), layers, strict=True):
        for what, rest in (("Lcl Translation", 0.0), ("Lcl Rotation", 0.0), ("Lcl Scaling", scale)):
            node = writer.curve_node(layer, upper, what, (rest,) * 3)
            for axis in "XYZ":
                values = np.full(3, rest) if rest else rng.normal(scale=40.0, size=3)
                writer.curve(node, axis, [0.0, 1.0, 2.0], values)
    path = written(tmp_path, writer)
    clip = limbik.load(path, unit=CENTIMETRE)
    seen = seen_by_ufbx(path, clip.times[FRAMES], "Take")
    # Between rotations ufbx goes along another curve than the shortest arc.
    most = 5e-3 if (mode, by_channel, weight) == (2, 0, 40.0) else NEAR
    for joint, node in enumerate(clip.skeleton.names):
        assert np.abs(clip.positions()[FRAMES, joint] - CENTIMETRE * seen[node][:, :, 3]).max() < most


@pytest.mark.filterwarnings("ignore")  # Blender leaves files open
def test_what_blender_writes(tmp_path):
    """Nodes as Blender has them, in files that it writes; bpy is no part of the test extra."""
    bpy = pytest.importorskip("bpy")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=str(asset("bvh/cmu_07_01.bvh")), global_scale=0.0254 / 0.45)
    path = tmp_path / "walk.fbx"
    bpy.ops.export_scene.fbx(filepath=str(path), bake_anim_simplify_factor=0.0)
    clip = limbik.load(path)
    (armature,) = (one for one in bpy.data.objects if one.type == "ARMATURE")
    for frame in range(bpy.context.scene.frame_start, bpy.context.scene.frame_start + len(clip), 40):
        bpy.context.scene.frame_set(frame)
        for bone in armature.pose.bones:
            x, y, z = armature.matrix_world @ bone.head
            place = clip.positions()[frame - bpy.context.scene.frame_start, clip.skeleton.index(bone.name)]
            assert np.abs(place - [x, z, -y]).max() < NEAR


def walker(**options):
    """A scene with an empty take and two others, of a joint that moves up by 24 cm a second."""
    writer = SceneWriter(**options)
    writer.take("Empty")
    model = writer.add("Model", "hips", "LimbNode", settings70(Lcl_Translation=(1.0, 90.0, 2.0)), under=0)
    knee = writer.add("Model", "knee", "LimbNode", settings70(Lcl_Translation=(0.0, -40.0, 0.0)), under=model)
    for name, axes in (("Up", "Y"), ("Far", "XYZ")):
        (layer,) = writer.take(name)
        node = writer.curve_node(layer, model, "Lcl Translation", (1.0, 90.0, 2.0))
        for axis in axes:
            writer.curve(node, axis, [0.0, 1.0], [90.0, 114.0])
    return writer, model, knee


def test_the_take_with_most_curves_is_the_default(tmp_path):
    path = written(tmp_path, walker()[0])
    assert limbik.load(path).name == "Far"
    assert limbik.load(path, animation="Up").name == limbik.load(path, animation=1).name == "Up"
    assert len(limbik.load(path, animation="Empty")) == 1
    with pytest.raises(ArgumentError, match="0 'Empty', 1 'Up', 2 'Far'"):
        limbik.load(path, animation="Down")


@pytest.mark.parametrize(("mode", "fps"), [(3, 60.0), (6, 30.0), (10, 25.0), (11, 24.0)])
def test_frames_are_as_many_a_second_as_the_file_says(tmp_path, mode, fps):
    path = written(tmp_path, walker(fps_mode=mode)[0])
    clip = limbik.load(path, animation="Up")
    assert (clip.fps, len(clip)) == (fps, fps + 1)
    assert np.abs(clip.positions()[:, 0, 1] - (0.9 + 0.24 * clip.times)).max() < 1e-7
    assert len(limbik.load(path, animation="Up", fps=10)) == 11


@pytest.mark.parametrize(("unit", "name"), [(1.0, "cm"), (100.0, "m"), (2.54, "0.0254 m")])
def test_lengths_are_in_the_unit_that_the_file_states(tmp_path, unit, name):
    clip = limbik.load(written(tmp_path, walker(unit=unit)[0]), animation="Empty")
    assert clip.positions()[0, 0] == pytest.approx(np.array([1.0, 90.0, 2.0]) * (unit if unit < 99 else 1) * CENTIMETRE)
    assert str(clip.unit) == (name if unit < 99 else "cm")  # of 90 m: a giant


def test_axes_become_y_up(tmp_path):
    up_z = limbik.load(written(tmp_path, walker(axes=(2, 1, 1, -1, 0, 1))[0]), animation="Empty")
    assert up_z.positions()[0, 0] == pytest.approx([0.01, 0.02, -0.9])
    forced = limbik.load(written(tmp_path, walker()[0]), animation="Empty", up_axis="z")
    assert forced.positions()[0, 0] == pytest.approx([0.01, 0.02, -0.9])


def triangle(writer, model, weights):
    """A mesh of a square and a triangle on the joints of a walker."""
    mesh = writer.add("Model", "skin", "Mesh", settings70(GeometricTranslation=(0.0, 1.0, 0.0)), under=0)
    corners = [0, 1, 2, ~3, 0, 1, ~4]
    geometry = writer.add(
        "Geometry", "skin", "Mesh",
        record("Vertices", array("d", [0, 0, 0, 10, 0, 0, 10, 10, 0, 0, 10, 0, 5, -5, 0])),
        record("PolygonVertexIndex", array("i", corners)),
        under=mesh,
    )  # fmt: skip
    skin = writer.add("Deformer", "", "Skin", under=geometry)
    for joint, (indices, values) in zip(model, weights, strict=True):
        place = np.eye(4)
        place[3, :3] = [-1, -90, -2]
        cluster = writer.add(
            "Deformer", "", "Cluster",
            record("Indexes", array("i", indices)),
            record("Weights", array("d", values)),
            record("Transform", array("d", place.ravel())),
            under=skin,
        )  # fmt: skip
        writer.connect(joint, cluster)


def test_polygons_become_triangles_on_their_joints(tmp_path):
    writer, hips, knee = walker()
    triangle(writer, (hips, knee), (([0, 1, 2], [1.0, 1.0, 0.5]), ([2, 3], [0.25, 2.0])))
    clip = limbik.load(written(tmp_path, writer), animation="Empty")
    (part,) = clip.body.parts
    assert part.faces.tolist() == [[0, 1, 2], [0, 2, 3], [0, 1, 4]]
    assert part.weights[:, :2].round(6).tolist() == [[1, 0], [1, 0], [0.666667, 0.333333], [1, 0], [1, 0]]
    assert part.joints[[0, 2, 3], 0].tolist() == [0, 0, 1]
    placed = vertices(clip.body, clip)
    assert placed[1] == pytest.approx([0.1, 0.01, 0.0]) and placed[4] == pytest.approx([0.05, -0.04, 0.0])


HOSTILE = {
    "nothing": (b"", "is empty"),
    "ASCII": (b"; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n", "ASCII"),
    "another format": (b"glTF and more", "is no FBX file"),
    "a header": (MAGIC + b"\x01", "ends within its header"),
    "version 6": (MAGIC + struct.pack("<I", 6100), "version 6.1"),
    "no models": (file_of([record("Objects")]), "no objects of the kind Model"),
    "an end beyond the file": (MAGIC + struct.pack("<IIIIB", 7400, 10**9, 0, 0, 0) + bytes(40), "ends at byte"),
    "an end before the start": (MAGIC + struct.pack("<IIIIB", 7400, 5, 0, 0, 0) + bytes(40), "ends at byte"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_not_read_is_refused_by_name(tmp_path, name):
    data, said = HOSTILE[name]
    with pytest.raises(FileError, match=said):
        limbik.load(written(tmp_path, data))


def mesh(vertices, corners=(0, 1, ~2)):
    """A walker with a mesh of these arrays."""
    writer, hips, _ = walker()
    geometry = writer.add("Geometry", "", "Mesh", record("Vertices", vertices), record("PolygonVertexIndex", corners))
    writer.connect(geometry, hips)
    return writer.bytes()


def typed(count, encoding, data):
    """An array of doubles that says what it likes."""
    return Typed("d", struct.pack("<III", count, encoding, len(data)) + data)


CORNERS = array("i", [0, 1, ~2])
BROKEN = {
    "a large array": (lambda: mesh(typed(2**31, 1, b"x\x9c"), CORNERS), "asks for"),
    "other bytes": (lambda: mesh(typed(3, 1, b"not zlib"), CORNERS), "cannot be unpacked"),
    "too few numbers": (lambda: mesh(typed(9, 0, bytes(16)), CORNERS), "it says"),
    "another encoding": (lambda: mesh(typed(9, 7, bytes(72)), CORNERS), "encoding 7"),
    "a vertex that is missing": (lambda: mesh(array("d", np.zeros(9)), array("i", [0, 1, ~7])), "vertex 7 of 3"),
    "NaN": (lambda: mesh(array("d", [np.nan] * 9), CORNERS), "not finite"),
    "no multiple of three": (lambda: mesh(array("d", np.zeros(8)), CORNERS), "multiple of 3"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_arrays_are_refused(tmp_path, name):
    data, said = BROKEN[name]
    with pytest.raises(FileError, match=said):
        limbik.load(written(tmp_path, data()))


def test_a_figure_that_is_its_own_ancestor(tmp_path):
    writer, hips, knee = walker()
    alone = [number(one).value for one in (0, hips)]
    writer.connections = [one for one in writer.connections if one[1][2].value not in alone]
    writer.connect(hips, knee)
    writer.connect(knee, hips)
    with pytest.raises(FileError, match="own ancestors"):
        limbik.load(written(tmp_path, writer))


def test_records_nested_without_end(tmp_path):
    one = record("Objects")
    for _ in range(40):
        one = record("Objects", children=[one])
    deep = record("Objects", children=[record("Model", number(5), "a\x00\x01Model", "LimbNode", children=[one])])
    assert len(limbik.load(written(tmp_path, file_of([deep])))) == 1  # nobody looks that deep


def test_a_small_file_does_not_fill_the_memory(tmp_path):
    import zlib

    packed = zlib.compress(bytes(100 << 20))
    path = written(tmp_path, mesh(typed(2**31, 1, packed), CORNERS))

    def load():
        with pytest.raises(FileError):
            limbik.load(path)

    load()
    assert peak_of(load) < 20 << 20


def test_many_frames_need_a_limit(tmp_path):
    writer, hips, _ = walker()
    (layer,) = writer.take("Long")
    node = writer.curve_node(layer, hips, "Lcl Rotation", (0, 0, 0))
    for axis in "XYZ":
        writer.curve(node, axis, [0.0, 1e6], [0.0, 9.0])
    path = written(tmp_path, writer)
    with pytest.raises(FileError, match="limit"):
        limbik.load(path, animation="Long")
    assert len(limbik.load(path, animation="Long", fps=0.01)) == 10001
