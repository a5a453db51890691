"""A creature has one body: the same mesh in the .glb, on the page, in rendered pictures and in the studio."""

from dataclasses import replace

import numpy as np
import pytest

import limbik
from limbik.bodies.bones import bone_mesh
from limbik.files.gltf import body_document, gltf_writer
from limbik.gait.creature import creature, preset_names
from limbik.gait.creature_body import creature_mesh
from limbik.gait.walker import Walker
from limbik.pages.clip_page import page_text
from limbik.rendering.posed_figures import PosedFigures
from limbik.skeleton.pose import Pose
from tests.pages.test_what_the_page_has import content_of


@pytest.mark.parametrize("name", preset_names())
def test_bodies_are_bones_and_an_ellipsoid_around_each_segment(name):
    kind, skeleton = creature(name), Walker(name).skeleton
    bones, body = bone_mesh(skeleton), creature_mesh(kind, skeleton)
    trunk, joints = body.positions[len(bones.positions) :], body.joints[len(bones.positions) :]
    assert set(joints) == set(range(kind.body.segments))
    assert body.triangles.max() == len(body.positions) - 1
    for segment in range(kind.body.segments):
        own = trunk[joints == segment]
        extent, wanted = np.ptp(own, axis=0), np.array([kind.body.width, kind.body.thickness, kind.body.length])
        # Segments of a flexible spine overlap, and have a waist.
        most = np.array([1.2, 1.2, 2.1 if kind.body.spine == "flexible" else 1.2])
        assert np.all((extent > 0.95 * wanted) & (extent < most * wanted))
    first = Pose.rest(skeleton).positions()[0]
    assert np.allclose(0.5 * (trunk[joints == 0].min(axis=0) + trunk[joints == 0].max(axis=0)), first, atol=1e-9)
    corners = body.positions[body.triangles]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.allclose(np.linalg.norm(body.normals, axis=-1), 1.0)
    assert np.all(np.sum(outward * body.normals[body.triangles].mean(axis=1), axis=-1) > -1e-12)


@pytest.mark.parametrize("count", [1, 3])
def test_file_page_and_picture_show_the_same_body(tmp_path, count):
    clip = limbik.walk("spider", seconds=0.2, count=count)
    mesh = creature_mesh(creature("spider"), Walker("spider").skeleton)
    content = content_of(page_text(clip))
    [[[part]]] = [body["meshes"] for body in content["bodies"]]
    assert (part["positions"]["rows"], part["faces"]["rows"]) == (len(mesh.positions), len(mesh.triangles))
    drawn = PosedFigures(clip).posed([clip[0]]).places
    assert len(drawn) == count * len(mesh.positions)
    limbik.save(clip, tmp_path / "spider.glb")
    loaded = limbik.load(tmp_path / "spider.glb")
    assert PosedFigures(loaded).posed([loaded[0]]).places == pytest.approx(drawn, abs=1e-5)


def test_pages_and_pictures_of_walks_are_made_without_a_document(monkeypatch):
    clip = limbik.walk("hexapod", seconds=0.2)

    def refused(*_):
        raise AssertionError("a glTF document was written")

    monkeypatch.setattr(body_document, "body_document", refused)
    monkeypatch.setattr(gltf_writer, "body_document", refused)
    assert page_text(clip) and len(PosedFigures(clip).posed([clip[0]]).places)


def test_other_bones_drop_the_body():
    walked = limbik.walk("biped", seconds=0.1)
    skeleton = walked.skeleton
    renamed = walked.with_(skeleton=replace(skeleton, names=tuple(name.upper() for name in skeleton.names)))
    longer = replace(skeleton, translations=1.5 * skeleton.translations)
    assert walked.body is not None and renamed.body is walked.body and walked.with_(fps=30.0).body is walked.body
    assert walked.with_(skeleton=longer).body is None
    assert walked.with_(skeleton=longer, body=walked.body).body is walked.body


def test_clips_with_another_number_of_joints_are_drawn_as_bones():
    walked = limbik.walk("biped", seconds=0.1)
    other = limbik.samples.walk(5).with_(body=walked.body)
    assert len(PosedFigures(other).posed([other[0]]).places) == len(bone_mesh(other.skeleton).positions)
