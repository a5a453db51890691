"""What arrives in the browser is the clip: its numbers, its joints at any time, its skin, on its ground."""

import base64
import json
import zlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import limbik
from limbik.pages.clip_page import page_text
from limbik.pages.packing import Packer
from limbik.rotations import slerp
from limbik.terrains.specs import terrain
from tests.assets import SAMPLE_GLB, asset, present
from tests.files.gltf_files import Builder, sample
from tests.files.gltf_referee import Referee
from tests.skeleton.figures import random_quaternions

from .motions import crowd, walk

READ = "const [content, numbers] = await read(given.text);"
# The places of all joints of the clip at some times, and of all vertices of the first figure.
JOINTS = """
  const motion = new Motion(content.motions[0], numbers);
  return given.times.map((time) => {
    motion.pose(time);
    return motion.groups.map((group) => Array.from(group.frames).filter((_, k) => k % 4 === 3));
  });
"""
SKIN = """
  const motion = new Motion(content.motions[0], numbers);
  const [group] = motion.groups;
  const skins = content.bodies[group.body].skins;
  const joints = skins.flatMap((skin) => skin.joints);
  const body = { joints, inverses: skins.flatMap((skin) => skin.inverses) };
  const matrices = new Float32Array(12 * joints.length);
  motion.pose(given.time);
  group.palette(body, matrices);
  let first = 0;
  return skins.map((skin) => {
    const places = content.bodies[group.body].meshes[skin.mesh].map((part) => {
      const arrays = Object.fromEntries(["positions", "joints", "weights"].map((k) => [k, numbers.array(part[k])]));
      const vertices = arrays.positions.length / 3;
      return Array.from({ length: vertices }, (_, k) => skinned(matrices, { ...arrays, first }, k));
    });
    first += skin.joints.length;
    return places;
  });
"""


@pytest.fixture(scope="module")
def script(browser):
    """Runs the viewer's own scripts on a page's numbers."""
    from .browser import Opened

    context = browser.new_context()
    page = Opened(context.new_page())

    def run(body, text, **given):
        return page.run(READ + body, {"text": text, **given}, "vectors", "reading", "motion", "drawing")

    yield run
    context.close()


def numbers_of(page):
    return page.partition('type="text/plain">')[2].partition("</script>")[0]


def content_of(page):
    data = zlib.decompress(base64.b64decode(numbers_of(page)))
    length = int.from_bytes(data[:4], "little")
    return json.loads(data[4 : 4 + length])


def joints_in(script, clip, times, **options):
    """(times, joints, 3), figure after figure."""
    found = script(JOINTS, numbers_of(page_text(clip, **options)), times=list(times))
    return np.array([np.concatenate(groups) for groups in found]).reshape(len(times), -1, 3)


whole = arrays.arrays(np.int32, st.tuples(st.integers(0, 6), st.integers(1, 4)), elements=st.integers(-(2**28), 2**28))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(array=whole, order=st.integers(0, 2))
def test_whole_numbers_arrive_as_they_were(script, array, order):
    packer = Packer()
    place = packer.array("numbers", array, order=order)
    found = script("return Array.from(numbers.array(content.place));", packer.finish({"place": place}))
    assert found == array.ravel().tolist()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    array=arrays.arrays(float, (5, 3), elements=st.floats(-100.0, 100.0)),
    step=st.sampled_from([1e-5, 2.0**-15, 0.01]),
    order=st.integers(0, 2),
)
def test_other_numbers_arrive_within_half_a_step(script, array, step, order):
    packer = Packer()
    place = packer.array("numbers", array, step, order)
    found = script("return Array.from(numbers.array(content.place));", packer.finish({"place": place}))
    assert np.abs(found - array.ravel()).max() <= 0.5 * step + 1e-5  # single precision


def test_joints_are_where_the_clip_has_them_at_its_frames(script):
    clip = walk(90)
    at = [0, 1, 17, 44, 89]
    assert joints_in(script, clip, clip.times[at]) == pytest.approx(clip.positions()[at], abs=2e-4)


def test_between_frames_joints_turn_along_the_shorter_arc(script):
    clip = walk(30)
    q = clip.rotations
    between = clip[:1].with_(
        rotations=slerp(q[20], q[21], 0.3)[None],
        translations=(0.7 * clip.translations[20] + 0.3 * clip.translations[21])[None],
    )
    found = joints_in(script, clip.with_(rotations=q * np.where(np.arange(30) % 2, 1, -1)[:, None, None]), [20.3 / 60])
    assert found == pytest.approx(between.positions(), abs=3e-4)


def test_scaled_and_sheared_joints_arrive(script):
    rng = np.random.default_rng(1)
    clip = walk(12)
    clip = clip.with_(
        scales=rng.uniform(0.7, 1.4, size=clip.translations.shape), rotations=random_quaternions(rng, 12, 31)
    )
    at = [0, 5, 11]
    assert joints_in(script, clip, clip.times[at]) == pytest.approx(clip.positions()[at], abs=2e-3)


def test_figures_of_a_crowd_that_are_alike_share_one_body(script):
    clip = crowd(5)
    text = page_text(clip)
    content = content_of(text)
    assert len(content["bodies"]) == 1
    assert [group["count"] for group in content["motions"][0]["groups"]] == [5]
    assert joints_in(script, clip, clip.times[[0, 30]]) == pytest.approx(clip.positions()[[0, 30]], abs=2e-4)


def test_figures_that_differ_have_each_their_own_body(script):
    clip = crowd(2)
    longer = clip.skeleton.translations.copy()
    longer[len(longer) // 2 + 5] *= 1.3
    skeleton = limbik.Skeleton(clip.skeleton.names, clip.skeleton.parents, longer)
    clip = clip.with_(skeleton=skeleton)
    assert len(content_of(page_text(clip))["bodies"]) == 2
    assert joints_in(script, clip, [0.5]) == pytest.approx(clip.positions()[[30]], abs=2e-4)


def test_before_and_after_share_a_body():
    fox = limbik.load(asset("gltf/Fox.glb"), animation="Walk")
    for clip in (walk(), fox):
        content = content_of(page_text(clip, compare=clip.moved((0.0, 1.0, 0.0))))
        assert len(content["motions"]) == 2 and len(content["bodies"]) == 1
    assert len(content["textures"]) == 1


@pytest.mark.parametrize(
    "name", [SAMPLE_GLB, *present("gltf/Fox.glb", "gltf/RiggedFigure.glb", "gltf/SimpleSkin.gltf")]
)
def test_skin_is_where_a_second_reader_has_it(script, name):
    clip = limbik.load(asset(name))
    frame = len(clip) // 2
    referee = Referee(asset(name))
    found = script(SKIN, numbers_of(page_text(clip)), time=frame / clip.fps)
    check_skin(found, referee, clip, frame)


def test_skin_of_scaled_joints_is_where_a_second_reader_has_it(script, tmp_path):
    path = tmp_path / "sample.glb"
    path.write_bytes(sample().glb())
    clip = limbik.load(path, unit="m")
    found = script(SKIN, numbers_of(page_text(clip)), time=2 / clip.fps)
    check_skin(found, Referee(path), clip, 2)


def check_skin(found, referee, clip, frame):
    """Linear blend skinning with matrices from pygltflib and SciPy."""
    [node] = [node for node in referee.gltf.nodes if node.mesh is not None]
    skin = referee.gltf.skins[node.skin]
    worlds = referee.worlds(0, clip.times[[frame]])[0, skin.joints]
    if skin.inverseBindMatrices is not None:
        inverses = referee.accessor(skin.inverseBindMatrices)
        worlds = worlds @ inverses.reshape(-1, 4, 4).swapaxes(1, 2)
    for part, primitive in zip(found[0], referee.gltf.meshes[node.mesh].primitives, strict=True):
        attributes = primitive.attributes
        positions = np.insert(referee.accessor(attributes.POSITION), 3, 1.0, axis=-1)
        joints, weights = referee.accessor(attributes.JOINTS_0).astype(int), referee.accessor(attributes.WEIGHTS_0)
        expected = np.einsum("vk,vkij,vj->vi", weights, worlds[joints], positions)[:, :3] * clip.unit.metres
        size = np.ptp(expected, axis=0).max()
        assert np.array(part) == pytest.approx(expected, abs=4e-3 * size)  # weights have eight bits
        assert np.abs(np.array(part) - expected).mean() < 5e-4 * size


def test_a_mesh_without_a_skin_goes_with_the_joint_that_carries_it(script, tmp_path):
    built = Builder(
        nodes=[
            {"name": "arm", "translation": [1, 0, 0], "children": [1]},
            {"name": "holder", "translation": [0, 2, 0], "scale": [2, 2, 2], "children": [2]},
            {"name": "cup", "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "mesh": 0},
        ]
    )
    triangle = built.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]], min=[0, 0, 0], max=[1, 1, 0])
    built.content["meshes"] = [{"primitives": [{"attributes": {"POSITION": triangle}}]}]
    built.animation((0, "translation", [0.0, 1.0], np.array([[1, 0, 0], [5, 0, 0]]), "LINEAR"))
    path = tmp_path / "cup.glb"
    path.write_bytes(built.glb())
    clip = limbik.load(path, unit="m")
    [[part]] = script(SKIN, numbers_of(page_text(clip)), time=1.0)
    assert len(clip.skeleton) == 1
    assert np.array(part) == pytest.approx(np.array([[5, 2, 0], [5, 4, 0], [3, 2, 0]]), abs=1e-3)


def test_marks_lie_on_the_ground_where_feet_stand_while_they_do(script):
    clip, ground = walk(), terrain("slope:12")
    text = page_text(clip, ground)
    marks = np.array(
        script("return Array.from(numbers.array(content.motions[0].marks));", numbers_of(text)), float
    ).reshape(-1, 8)
    plants = content_of(text)["motions"][0]["plants"]
    for (foot, start, stop), mark in zip(plants, marks, strict=True):
        frames = slice(round(start * clip.fps), round(stop * clip.fps))
        assert clip.contacts[frames, foot].all()
        place = clip.positions()[frames, clip.feet[foot]].mean(axis=0)
        assert mark[[0, 2]] == pytest.approx(place[[0, 2]], abs=1e-4)
        assert mark[1] == pytest.approx(ground.height(mark[[0, 2]]), abs=1e-4)
        assert mark[3:6] == pytest.approx(ground.normal(mark[[0, 2]]), abs=1e-4)
        assert mark[6:] == pytest.approx([start, stop], abs=1e-4)
    stood = sum(round((stop - start) * clip.fps) for _, start, stop in plants)
    assert stood == np.count_nonzero(clip.contacts)


@pytest.mark.parametrize("spec", ["plane", "slope:15", "hills:height=0.3,seed=3"])
def test_ground_is_as_high_as_the_terrain(script, spec):
    ground = terrain(spec)
    text = numbers_of(page_text(walk(), ground))
    found = script("return Array.from(numbers.array(content.ground.positions));", text)
    vertices = np.array(found).reshape(-1, 3)
    beside = ground.height(vertices[:, [0, 2]] + 1e-3), ground.height(vertices[:, [0, 2]] - 1e-3)
    low, high = np.minimum(*beside), np.maximum(*beside)  # at the edge of a step both are right
    assert np.all((vertices[:, 1] > low - 2e-3) & (vertices[:, 1] < high + 2e-3))
    assert np.all(vertices[:, [0, 2]].min(axis=0) < walk().positions()[..., [0, 2]].min(axis=(0, 1)) - 3.0)
