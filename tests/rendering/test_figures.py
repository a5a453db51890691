"""BodySet follow their joints: every vertex is where SciPy's rotations and plain matrices put it."""

import io

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.bodies.body import Material
from limbik.bodies.body_set import BodySet, trees
from limbik.errors import LimbikError
from limbik.files.gltf.body_reader import own_body
from limbik.rendering import raster_meshes
from limbik.rendering.posed_figures import PosedFigures
from limbik.rendering.raster_meshes import material_table
from limbik.skeleton.kinematics import world_matrices
from limbik.skeleton.pose import Pose
from tests.assets import SAMPLE_GLB, asset, present
from tests.optional import optional
from tests.pages.motions import crowd, walk
from tests.skeleton.figures import random_quaternions


def worlds(pose):
    """(joints, 4, 4), joint by joint."""
    found = np.zeros((len(pose.skeleton), 4, 4))
    for joint, parent in enumerate(pose.skeleton.parents):
        local = np.eye(4)
        local[:3, :3] = Rotation.from_quat(pose.rotations[joint]).as_matrix()
        if pose.scales is not None:
            local[:3, :3] = local[:3, :3] @ np.diag(pose.scales[joint])
        local[:3, 3] = pose.translations[joint]
        found[joint] = local if parent < 0 else found[parent] @ local
    return found


def skinned(clip, pose):
    """All vertices, figure after figure, one at a time."""
    bodies, frames, found = BodySet(own_body), worlds(pose), []
    for number, figures in bodies.groups(clip):
        for joints in figures:
            for skin in bodies.bodies[number].skins:
                matrices = [
                    (frames[joints[joint]] if joint >= 0 else np.eye(4)) @ np.vstack([inverse, (0, 0, 0, 1)])
                    for joint, inverse in zip(skin.joints, skin.inverses, strict=True)
                ]
                for part in bodies.bodies[number].meshes[skin.mesh]:
                    for place, follows, weights in zip(part.positions, part.joints, part.weights, strict=True):
                        moved = [matrices[joint] @ (*place, 1.0) for joint in follows]
                        found.append((np.array(weights) @ moved / weights.sum())[:3])
    return np.array(found)


@pytest.mark.parametrize(
    "name",
    [SAMPLE_GLB, *present("gltf/Fox.glb", "gltf/RiggedFigure.glb", "gltf/RiggedSimple.glb", "gltf/SimpleSkin.gltf")],
)
def test_skins_of_files_follow_their_joints(name):
    clip = limbik.load(asset(name))
    pose = clip[len(clip) // 3]
    places = PosedFigures(clip).mesh_of([pose]).places
    assert places == pytest.approx(skinned(clip, pose), abs=1e-9 * max(1.0, np.abs(places).max()))


def test_everybody_in_a_crowd_has_a_body_of_bones():
    clip = crowd(3, 8)
    pose = clip[5]
    mesh = PosedFigures(clip).mesh_of([pose])
    assert mesh.places == pytest.approx(skinned(clip, pose), abs=1e-9)
    each = len(mesh.places) // 3
    assert mesh.faces.max() == len(mesh.places) - 1
    for k, joints in enumerate(trees(clip.skeleton)):
        middle = pose.positions()[joints].mean(axis=0)
        assert np.abs(mesh.places[k * each : (k + 1) * each] - middle).max() < 1.5


def test_several_poses_are_several_bodies():
    clip = walk(20)
    figures = PosedFigures(clip)
    one, other, both = figures.mesh_of([clip[2]]), figures.mesh_of([clip[9]]), figures.mesh_of([clip[2], clip[9]])
    assert np.array_equal(both.places, np.concatenate([one.places, other.places]))
    assert np.array_equal(both.places[both.faces[len(one.faces) :]], other.places[other.faces])


def test_frames_of_scaled_joints_are_sheared_as_in_gltf():
    rng = np.random.default_rng(2)
    skeleton = walk(2).skeleton
    joints = len(skeleton)
    pose = Pose(
        skeleton,
        random_quaternions(rng, joints),
        rng.normal(size=(joints, 3)),
        rng.uniform(0.5, 1.5, size=(joints, 3)),
    )
    found = world_matrices(pose.skeleton.parents, pose.rotations, pose.translations, pose.scales)
    assert found == pytest.approx(worlds(pose)[:, :3], abs=1e-9)


@pytest.mark.parametrize("data", [b"", b"no picture", b"\x89PNG\r\n\x1a\n" + bytes(40)])
def test_a_texture_that_cannot_be_read_is_reported(data):
    with pytest.raises(LimbikError, match="texture that cannot be read"):
        material_table([Material()], [data])


def test_large_textures_are_reduced_to_what_fits(monkeypatch):
    """A picture of even colour is a small file however large it is; all textures together have a limit."""
    pillow = optional("PIL.Image")
    monkeypatch.setattr(raster_meshes, "MAX_TEXELS", 20_000)
    file = io.BytesIO()
    pillow.new("RGB", (300, 150), (255, 0, 0)).save(file, "PNG")
    table = material_table([Material()], [file.getvalue()] * 5)
    assert table.levels[table.firsts].tolist() == [[k * len(table.texels) // 5, 75, 38] for k in range(5)]
    assert np.allclose(table.texels, (1.0, 0.0, 0.0, 1.0), atol=1e-6)
    monkeypatch.setattr(raster_meshes, "MAX_IMAGE_PIXELS", 20_000)
    with pytest.raises(LimbikError, match="300 × 150 pixels are too many"):
        material_table([Material()], [file.getvalue()])
