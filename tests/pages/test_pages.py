"""Pages as files: small, whole, with nothing outside; and what is said where none can be made."""

import re

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError, FileError
from limbik.pages.clip_page import page_text, write_page
from limbik.scenes.scene_clip import SceneClip
from limbik.terrains.mesh_terrain import Mesh
from tests.assets import CLIPS, RIGS, SAMPLE_BVH, SAMPLE_GLB, asset
from tests.files.gltf_files import content_of, glb, sample

from .motions import crowd, walk

MOST = 3_000_000  # bytes
HILLS = "hills:height=0.3,seed=3"


@pytest.mark.parametrize("creature", ["biped", "quadruped", "hexapod", "spider", "centipede"])
def test_ten_seconds_of_any_creature_are_small(creature):
    from limbik.gait.walking import walk as walk_of

    clip = walk_of(creature, HILLS, seconds=10.0)
    assert clip.duration >= 9.9 and clip.fps == 60.0
    assert len(page_text(clip, HILLS).encode()) < MOST / 6


def test_ten_seconds_of_a_crowd_are_small():
    clip = crowd(25, frames=600)
    page = page_text(clip, HILLS)
    assert len(page.encode()) < MOST


@pytest.mark.parametrize("name", [SAMPLE_BVH, SAMPLE_GLB, *CLIPS, *RIGS])
def test_real_clips_are_small(name):
    assert len(page_text(limbik.load(asset(name))).encode()) < MOST / 10


def test_a_page_names_nothing_outside_itself():
    text = page_text(limbik.load(asset((RIGS or [SAMPLE_GLB])[0])), HILLS)
    outside = re.sub(r'type="text/plain">[^<]*<', "", text)
    assert not re.search(r"https?:|//[a-z]+\.|\bsrc=|@import|url\(|\bimport\b|fetch\(", outside)
    assert text.count("</script>") == 2


def test_the_same_clip_gives_the_same_page():
    assert page_text(walk(), HILLS, title="a") == page_text(walk(), HILLS, title="a")


def test_titles_are_shown_as_they_are():
    text = page_text(walk(), title='</title><script>alert("$style")</script>')
    assert "<script>alert" not in text and "&lt;script&gt;alert(&quot;$style&quot;)" in text


def test_frames_beyond_sixty_a_second_are_left_out_and_more_of_large_crowds():
    assert SceneClip.thinned("clip", walk().with_(fps=120.0)).clip.fps == 60.0
    assert SceneClip.thinned("clip", walk().with_(fps=50.0)).clip.fps == 50.0
    many = SceneClip.thinned("clip", crowd(300, frames=120)).clip
    assert 15.0 <= many.fps < 60.0 and many.contacts.shape == (len(many), 600)


def test_a_page_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "walk.html"
    write_page(walk(), path)
    written = path.read_text("utf-8")
    assert written == page_text(walk())
    with pytest.raises(ArgumentError):
        write_page(walk(), path, "marsh")
    assert path.read_text("utf-8") == written
    assert list(tmp_path.iterdir()) == [path]


def test_pages_are_html(tmp_path):
    with pytest.raises(FileError, match=r"walk\.glb: has the suffix '\.glb'; pages are written as \.html, \.htm"):
        write_page(walk(), tmp_path / "walk.glb")


def test_a_clip_that_is_nowhere_is_refused_by_joint_and_second():
    rotations = walk().rotations.copy()
    rotations[30, 4] = np.nan
    with pytest.raises(ArgumentError, match=r"compare: got no finite position of 'Neck1' at second 0\.5"):
        page_text(walk(), compare=walk().with_(rotations=rotations))


def test_a_clip_without_frames_is_refused():
    with pytest.raises(ArgumentError, match="clip: got 0 frames of 31 joints; expected at least one of each"):
        page_text(walk()[:0])


def test_a_clip_beside_the_terrain_is_refused():
    far = Mesh(np.array([[900.0, 0, 900], [900, 0, 901], [901, 0, 900]]), np.array([[0, 1, 2]]))
    with pytest.raises(ArgumentError, match=r"terrain: got none from x, z = .*; expected ground where the clip is"):
        page_text(walk(), far)


def test_a_fine_mesh_is_seen_as_a_coarser_grid():
    x, z = np.meshgrid(np.linspace(-9.0, 9.0, 400), np.linspace(-9.0, 12.0, 400))
    vertices = np.stack([x, 0.1 * np.sin(x), z], axis=-1).reshape(-1, 3)
    number = np.arange(len(vertices)).reshape(x.shape)
    corners = number[:-1, :-1], number[1:, :-1], number[:-1, 1:]
    faces = np.concatenate([np.stack(corners, axis=-1), np.stack([number[1:, 1:], *corners[:0:-1]], axis=-1)])
    assert len(page_text(walk(), Mesh(vertices, faces.reshape(-1, 3))).encode()) < MOST / 6


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content["nodes"][4].update(mesh=3), r"nodes\[4\]\.mesh: is 3; expected a whole number below"),
        (
            lambda content: content["meshes"][0]["primitives"][0]["attributes"].update(WEIGHTS_0=99),
            r"meshes\[0\]\.primitives\[0\]\.attributes\.WEIGHTS_0: is 99",
        ),
        (
            lambda content: content["skins"][0].update(joints=[0, 1, 2]),
            r"meshes\[0\]\.primitives\[0\]\.attributes\.JOINTS_0: name joint 3 of 3",
        ),
        (
            lambda content: content["meshes"][0]["primitives"][0].update(material=0),
            r"primitive\.material: is 0; expected a whole number below 0",
        ),
    ],
)
def test_a_broken_mesh_is_told_by_its_place(tmp_path, change, message):
    built = sample()
    content = content_of(built.glb())
    change(content)
    path = tmp_path / "broken.glb"
    path.write_bytes(glb(content, built.data))
    with pytest.raises(FileError, match=message):
        page_text(limbik.load(path))


@pytest.mark.parametrize("change", [{"mode": 1}, {"extensions": {"KHR_draco_mesh_compression": {}}}])
def test_a_mesh_that_cannot_be_shown_gives_way_to_bones(tmp_path, change):
    built = sample()
    built.content["meshes"][0]["primitives"][0].update(change)
    path = tmp_path / "sample.glb"
    path.write_bytes(built.glb())
    clip = limbik.load(path)
    without = clip.with_(source=None)
    assert page_text(clip) == page_text(without)


def test_a_path_is_as_good_as_a_clip(tmp_path):
    limbik.save(walk(), tmp_path / "walk.bvh")
    write_page(tmp_path / "walk.bvh", tmp_path / "a.html", compare=tmp_path / "walk.bvh")
    clip = limbik.load(tmp_path / "walk.bvh")
    write_page(clip, tmp_path / "b.html", compare=clip)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
