"""Clips from elsewhere as glTF: a body of simple bones that any viewer shows, and that follows the joints."""

import numpy as np
import pytest

from limbik.errors import ArgumentError
from limbik.files import clip_files, gltf
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton

from ..assets import CLIPS, SAMPLE_BVH, asset
from .gltf_files import content_of, quaternions
from .gltf_referee import Referee

BIPED = Skeleton(
    names=("hips", "knee", "ankle", "chest", "head", "twin"),
    parents=[-1, 0, 1, 0, 3, 3],
    translations=[[0, 1, 0], [0.1, -0.5, 0], [0, -0.4, 0.05], [0, 0.3, 0], [0, 0.3, 0], [0, 0, 0]],
    rotations=quaternions(6, 5),
)


def dance(skeleton=BIPED, frames=20, **more):
    rotations = np.stack([quaternions(frames, seed) for seed in range(len(skeleton))], axis=1)
    translations = np.array(np.broadcast_to(skeleton.translations, (frames, len(skeleton), 3)))
    translations[:, 0] += np.linspace(0, 1, frames)[:, None]
    return Clip(skeleton, rotations, translations, fps=30.0, name="dance", **more)


def written(clip, tmp_path, name="out.glb"):
    gltf.save(clip, tmp_path / name)
    return tmp_path / name


def skinned(path, times, number=0):
    """The vertices, (times, n, 3), of a mesh that its skin moves, with the joint of each, and the triangles."""
    referee = Referee(path)
    [mesh] = [node.mesh for node in referee.gltf.nodes if node.skin == number]
    skin, (primitive,) = referee.gltf.skins[number], referee.gltf.meshes[mesh].primitives
    inverse = referee.accessor(skin.inverseBindMatrices).reshape(-1, 4, 4).swapaxes(1, 2)
    animation = 0 if referee.gltf.animations else None
    matrices = referee.worlds(animation, times)[:, skin.joints] @ inverse
    places = referee.accessor(primitive.attributes.POSITION)
    joint = referee.accessor(primitive.attributes.JOINTS_0)[:, 0].astype(int)
    weights = referee.accessor(primitive.attributes.WEIGHTS_0)
    np.testing.assert_array_equal(weights, np.tile([1, 0, 0, 0], (len(weights), 1)))
    whole = np.concatenate([places, np.ones((len(places), 1))], axis=1)
    triangles = referee.accessor(primitive.indices).astype(int).reshape(-1, 3)
    return (matrices[:, joint] @ whole[..., None])[..., :3, 0], joint, triangles


@pytest.mark.parametrize("name", ["out.glb", "out.gltf"])
def test_the_clip_comes_back_joint_by_joint(tmp_path, name):
    clip = dance()
    again = gltf.load(written(clip, tmp_path, name))
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.parents.tolist() == clip.skeleton.parents.tolist()
    assert (again.name, len(again), again.fps, again.unit.name) == ("dance", 20, 30.0, "m")
    np.testing.assert_allclose(again.positions(), clip.positions(), atol=1e-6)


@pytest.mark.parametrize("name", [SAMPLE_BVH, *CLIPS])
def test_motion_capture_comes_back_joint_by_joint(tmp_path, name):
    clip = clip_files.load(asset(name))
    again = gltf.load(written(clip, tmp_path))
    assert again.skeleton.names == clip.skeleton.names
    assert again.unit.name == "m"
    np.testing.assert_allclose(again.times, clip.times, atol=2e-5)
    np.testing.assert_allclose(again.positions(), clip.positions(), atol=1e-6)


def test_only_what_moves_has_channels(tmp_path):
    rest = np.tile(BIPED.rotations, (8, 1, 1))
    rest[:, 2] = quaternions(8)
    content = content_of(written(Clip(BIPED, rest, fps=30.0), tmp_path).read_bytes())
    targets = [
        (channel["target"]["node"], channel["target"]["path"]) for channel in content["animations"][0]["channels"]
    ]
    assert targets == [(2, "rotation")]


def test_the_body_follows_the_joints(tmp_path):
    clip = dance()
    path = written(clip, tmp_path)
    vertices, joint, _ = skinned(path, clip.times)
    positions = clip.positions()
    height = np.ptp(positions[0], axis=0).max()
    for number, name in enumerate(BIPED.names):
        # Each joint wears a ball, so that its place is amid the vertices that follow it, in every frame.
        own = vertices[:, joint == number]
        assert own.shape[1], name
        inside = np.all(own.min(axis=1) <= positions[:, number] + 1e-6, axis=-1)
        assert np.all(inside & np.all(own.max(axis=1) >= positions[:, number] - 1e-6, axis=-1)), name
    reach = np.linalg.norm(vertices[:, :, None] - positions[:, None], axis=-1).min(axis=-1)
    assert reach.max() < height


def test_a_bone_reaches_from_its_joint_to_its_child_and_no_bone_is_of_no_length(tmp_path):
    still = Clip(BIPED, BIPED.rotations[None])
    vertices, joint, _ = skinned(written(still, tmp_path), np.zeros(1))
    ends = still.positions()[0]
    for parent, child, bones in ((0, 1, 2), (1, 2, 1), (3, 4, 1)):
        own = vertices[0, joint == parent]
        assert np.linalg.norm(own - ends[child], axis=-1).min() < 0.1
        assert len(own) == 34 * (1 + bones)
    assert np.count_nonzero(joint == 5) == 34  # the twin of the chest: a ball, and no bone to it


def test_joints_that_only_place_the_figure_have_no_shape(tmp_path):
    placed = Skeleton(
        names=("floor", "armature", *BIPED.names),
        parents=[-1, 0, *(BIPED.parents + 2)],
        translations=[[0, 0, 0], [0, 0, 0.1], *BIPED.translations],
    )
    _, joint, _ = skinned(written(Clip(placed, placed.rotations[None]), tmp_path), np.zeros(1))
    assert set(joint) == {2, 3, 4, 5, 6, 7}
    chain = Skeleton(("a", "b", "c"), [-1, 0, 1], np.tile([0.0, 1.0, 0.0], (3, 1)))
    _, joint, _ = skinned(written(Clip(chain, chain.rotations[None]), tmp_path), np.zeros(1))
    assert set(joint) == {0, 1, 2}


def test_the_body_is_closed_and_its_outside_is_outside(tmp_path):
    vertices, _, triangles = skinned(written(Clip(BIPED, BIPED.rotations[None]), tmp_path), np.zeros(1))
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, uses = np.unique(edges, axis=0, return_counts=True)
    assert np.all(uses == 2)
    corners = vertices[0][triangles]
    volumes = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    parts = np.add.reduceat(volumes, np.arange(0, len(volumes), 64))
    assert np.all(parts > 0)
    referee = Referee(tmp_path / "out.glb")
    normals = referee.accessor(referee.gltf.meshes[0].primitives[0].attributes.NORMAL)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1, atol=1e-6)
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.einsum("ti,tci->tc", faces, normals[triangles]).min() > -1e-6


def test_figures_of_several_trees_have_a_body_each(tmp_path):
    two = Skeleton(("a", "b", "c", "d"), [-1, 0, -1, 2], [[0, 0, 0], [0, 1, 0], [2, 0, 0], [0, 1, 0]])
    clip = dance(two)
    path = written(clip, tmp_path)
    assert [len(skin.joints) for skin in Referee(path).gltf.skins] == [2, 2]
    assert gltf.load(path).skeleton.names == two.names
    np.testing.assert_allclose(gltf.load(path).positions(), clip.positions(), atol=1e-6)
    vertices, _, _ = skinned(path, clip.times, number=1)
    assert np.linalg.norm(vertices.mean(axis=1) - clip.positions()[:, 2:].mean(axis=1), axis=-1).max() < 0.5


def test_a_single_joint_is_a_ball_and_scales_are_kept(tmp_path):
    dot = Skeleton(("dot",), [-1], [[0, 0, 0]])
    vertices, _, _ = skinned(written(Clip(dot, [[[0, 0, 0, 1]]]), tmp_path), np.zeros(1))
    assert 0 < np.ptp(vertices) < 0.2
    scales = np.full((20, 6, 3), 1.5)
    scaled = dance(scales=scales)
    np.testing.assert_allclose(gltf.load(written(scaled, tmp_path)).positions(), scaled.positions(), atol=3e-6)


def test_a_joint_scaled_to_nothing_at_rest_is_written(tmp_path):
    flat = Skeleton(("a", "b"), [-1, 0], [[0, 0, 0], [0, 1, 0]], scales=[[1, 1, 1], [0, 0, 0]])
    assert len(gltf.load(written(Clip(flat, flat.rotations[None]), tmp_path)).skeleton) == 2


def test_a_figure_that_stands_still_does_so_for_as_long(tmp_path):
    still = Clip(BIPED, np.tile(BIPED.rotations, (50, 1, 1)), fps=25.0)
    again = gltf.load(written(still, tmp_path))
    assert again.duration == pytest.approx(still.duration)
    one = written(still[:1], tmp_path)
    assert "animations" not in content_of(one.read_bytes())


def test_the_same_clip_gives_the_same_bytes(tmp_path):
    assert written(dance(), tmp_path, "a.glb").read_bytes() == written(dance(), tmp_path, "b.glb").read_bytes()


def test_a_clip_whose_joints_are_no_longer_those_of_its_file_becomes_a_figure(tmp_path):
    loaded = gltf.load(written(dance(), tmp_path))
    fewer = Skeleton(BIPED.names[:3], BIPED.parents[:3], BIPED.translations[:3], BIPED.rotations[:3])
    clip = loaded.with_(skeleton=fewer, rotations=loaded.rotations[:, :3], translations=loaded.translations[:, :3])
    again = gltf.load(written(clip, tmp_path, "fewer.glb"))
    assert again.skeleton.names == fewer.names
    np.testing.assert_allclose(again.positions(), clip.positions(), atol=1e-6)


def test_a_figure_of_no_joints_is_refused(tmp_path):
    nobody = Skeleton((), np.zeros(0), np.zeros((0, 3)))
    with pytest.raises(ArgumentError, match="joints"):
        gltf.save(Clip(nobody, np.zeros((1, 0, 4))), tmp_path / "out.glb")
