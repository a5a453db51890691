"""A creature has one body: the same mesh in the .glb, on the page, in rendered pictures and in the studio."""

import json
from dataclasses import replace

import pytest

import limbik
import limbik.files.gltf.container
from limbik.bodies.mannequin import mannequin
from limbik.files.gltf import body_document, gltf_writer
from limbik.gait.walker import Walker
from limbik.pages.clip_page import page_text
from limbik.rendering.posed_figures import PosedFigures
from tests.pages.test_what_the_page_has import content_of


@pytest.mark.parametrize("count", [1, 3])
def test_file_page_and_picture_show_the_same_body(tmp_path, count):
    clip = limbik.walk("spider", seconds=0.2, count=count)
    body = Walker("spider").body
    content = content_of(page_text(clip))
    [[packed]] = [shown["meshes"] for shown in content["bodies"]]
    rows = [(part["positions"]["rows"], part["faces"]["rows"], part["colours"]["rows"]) for part in packed]
    assert rows == [(len(part.positions), len(part.faces), len(part.positions)) for part in body.parts]
    drawn = PosedFigures(clip).mesh_of([clip[0]])
    assert len(drawn.places) == count * sum(len(part.positions) for part in body.parts)
    limbik.save(clip, tmp_path / "spider.glb")
    loaded = limbik.load(tmp_path / "spider.glb")
    again = PosedFigures(loaded).mesh_of([loaded[0]])
    assert again.places == pytest.approx(drawn.places, abs=1e-5)
    assert again.colours == pytest.approx(drawn.colours, abs=1e-4)


def test_the_figures_of_a_crowd_differ_in_colour_and_share_vertices(tmp_path):
    clip = limbik.walk("hexapod", seconds=0.1, count=3)
    figures = PosedFigures(clip)
    mesh = figures.mesh_of([clip[0]])
    each = mesh.materials.reshape(3, -1)
    colours = [figures.materials.colours[materials].tolist() for materials in each]
    assert colours[0] != colours[1] != colours[2] != colours[0]
    limbik.save(clip, tmp_path / "three.glb")
    document = json.loads(
        limbik.files.gltf.container.chunks_of((tmp_path / "three.glb").read_bytes(), "")[0][1].tobytes()
    )
    meshes = [document["meshes"][node["mesh"]]["primitives"] for node in document["nodes"] if "mesh" in node]
    assert len({json.dumps([one["attributes"] for one in mesh]) for mesh in meshes}) == 1
    assert len({json.dumps([one["material"] for one in mesh]) for mesh in meshes}) == 3


def test_pages_and_pictures_of_walks_are_made_without_a_document(monkeypatch):
    clip = limbik.walk("hexapod", seconds=0.2)

    def refused(*_):
        raise AssertionError("a glTF document was written")

    monkeypatch.setattr(body_document, "body_document", refused)
    monkeypatch.setattr(gltf_writer, "body_document", refused)
    assert page_text(clip) and len(PosedFigures(clip).mesh_of([clip[0]]).places)


def test_other_bones_drop_the_body():
    walked = limbik.walk("biped", seconds=0.1)
    skeleton = walked.skeleton
    renamed = walked.with_(skeleton=replace(skeleton, names=tuple(name.upper() for name in skeleton.names)))
    longer = replace(skeleton, translations=1.5 * skeleton.translations)
    assert walked.body is not None and renamed.body is walked.body and walked.with_(fps=30.0).body is walked.body
    assert walked.with_(skeleton=longer).body is None
    assert walked.with_(skeleton=longer, body=walked.body).body is walked.body


def test_clips_with_another_number_of_joints_get_a_body_of_their_own():
    walked = limbik.walk("biped", seconds=0.1)
    other = limbik.samples.walk(5).with_(body=walked.body)
    own = sum(len(part.positions) for part in mannequin(other.skeleton).parts)
    assert len(PosedFigures(other).mesh_of([other[0]]).places) == own
