""".vrm and .vrma: read by the file's own map of the body, written with all that they hold."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik import LimbikError, Pose, samples
from limbik.skeleton.symmetry import symmetry
from tests.assets import SAMPLE_BVH, asset
from tests.cli.command import run
from tests.skeleton.conventions import CONVENTIONS

from .gltf_files import Builder, content_of
from .test_gltf_fuzz import HOSTILE

ROLES = {"UpLeg": "UpperLeg", "Leg": "LowerLeg", "Foot": "Foot", "ToeBase": "Toes"}
ROLES |= {"Shoulder": "Shoulder", "Arm": "UpperArm", "ForeArm": "LowerArm", "Hand": "Hand"}
MIDDLE = {"Hips": "hips", "Spine": "spine", "Spine1": "chest", "Neck": "neck", "Head": "head"}
META = {
    "0": {"title": "Somebody", "author": "A. U. Thor", "licenseName": "CC0", "texture": 0},
    "1": {"name": "Somebody", "authors": ["A. U. Thor", "B. Ody"], "licenseUrl": "https://vrm.dev/licenses/1.0/"},
}


def vrm_file(version, meaning=True):
    """The figure of a VRM file, by joints that are called the opposite of what they are, and the joints' real names."""
    names, parents, places = CONVENTIONS["Mixamo"].read()
    real = [name.removeprefix("mixamorig:") for name in names]
    swap = {"Left": "Right", "Right": "Left"}
    called = [next((swap[side] + name[len(side) :] for side in swap if name.startswith(side)), name) for name in real]
    if version == "0":  # faces -z
        places = places * [-1.0, 1.0, -1.0]
    nodes = []
    for joint, parent in enumerate(parents):
        offset = places[joint] - (places[parent] if parent >= 0 else 0.0)
        children = [k for k, above in enumerate(parents) if above == joint]
        nodes.append(
            {"name": called[joint], "translation": offset.tolist()} | ({"children": children} if children else {})
        )
    bones = {MIDDLE[name]: k for k, name in enumerate(real) if name in MIDDLE}
    for k, name in enumerate(real):
        side = next((side for side in swap if name.startswith(side)), None)
        if side and name[len(side) :] in ROLES:
            bones[side.lower() + ROLES[name[len(side) :]]] = k
    if version == "0":
        humanoid = {
            "humanBones": [{"bone": bone, "node": node, "useDefaultValues": True} for bone, node in bones.items()]
        }
        extension = {"VRM": {"specVersion": "0.0", "meta": META["0"], "humanoid": humanoid}}
    else:
        humanoid = {"humanBones": {bone: {"node": node} for bone, node in bones.items()}}
        extension = {"VRMC_vrm": {"specVersion": "1.0", "meta": META["1"], "humanoid": humanoid}}
        extension |= {"VRMC_springBone": {"specVersion": "1.0", "springs": [{"joints": [{"node": 5}]}]}}
    built = Builder(nodes=nodes, scenes=[{"nodes": [0]}], scene=0, skins=[{"joints": list(range(len(nodes)))}])
    built.content |= {"extensions": extension, "extensionsUsed": list(extension)} if meaning else {}
    return built, real


@pytest.mark.parametrize("version", ["0", "1"])
def test_the_map_decides_above_names(tmp_path, version):
    built, real = vrm_file(version)
    (tmp_path / "figure.vrm").write_bytes(built.glb())
    clip = limbik.load(tmp_path / "figure.vrm")
    limbs = limbik.find_limbs(clip)
    assert {name: [real[joint] for joint in limb.joints] for name, limb in limbs.items()} == {
        f"{side.lower()}_{kind}": [side + name for name in parts]
        for side in ("Left", "Right")
        for kind, parts in (("leg", ("UpLeg", "Leg", "Foot")), ("arm", ("Arm", "ForeArm", "Hand")))
    }
    assert [name for name, limb in limbs.items() if limb.stands] == ["left_leg", "right_leg"]
    forward = symmetry(clip.skeleton).forward
    assert np.allclose(forward, [0.0, 0.0, -1.0 if version == "0" else 1.0])
    torso = clip.skeleton.torso
    assert [real[joint] for joint in (torso.pelvis, torso.chest, torso.head)] == ["Hips", "Spine1", "Head"]
    assert np.allclose(torso.head_axes[0], forward)
    target = Pose.rest(clip.skeleton).positions()[limbs["left_arm"].joints[-1]] + 0.3 * forward - [0.0, 0.3, 0.0]
    found = limbik.reach_ends(clip, {"left_hand": target})
    assert found.reached.all() and max(float(miss.max()) for miss in found.residual.values()) < 1e-14


@pytest.mark.parametrize("version", ["0", "1"])
def test_what_is_written_keeps_every_extension(tmp_path, version):
    built, _ = vrm_file(version)
    original = tmp_path / "figure.vrm"
    original.write_bytes(built.glb())
    clip = limbik.load(original)
    limbik.save(clip, tmp_path / "same.vrm")
    assert (tmp_path / "same.vrm").read_bytes() == original.read_bytes()
    target = clip.positions()[:, clip.skeleton.limbs["left_arm"].joints[-1]] - [0.1, 0.3, 0.0]
    posed = clip.reach("left_arm", target)
    before = content_of(original.read_bytes())
    for name in ("posed.vrm", "posed.glb", "posed.gltf"):
        limbik.save(posed, tmp_path / name)
        content = content_of((tmp_path / name).read_bytes())
        assert content["extensions"] == before["extensions"]
        assert content["extensionsUsed"] == before["extensionsUsed"]
        assert [node.get("name") for node in content["nodes"]] == [node.get("name") for node in before["nodes"]]
        again = limbik.load(tmp_path / name)
        assert again.skeleton.roles == clip.skeleton.roles
        assert np.abs(again.positions() - posed.positions()).max() < 1e-6


def test_only_vrm_data_is_saved_as_vrm(tmp_path):
    with pytest.raises(LimbikError, match=r"without VRM data; expected a clip loaded from a \.vrm"):
        limbik.save(samples.walk(5), tmp_path / "walk.vrm")
    assert not (tmp_path / "walk.vrm").exists()


def turned_by_a_player(animation, figure):
    """The bones' directions (frames, 3) of a figure that plays an animation, as the format says: by world rotations.

    Each bone is turned in the world as the animation's is, from a T-pose to a T-pose.
    """
    rest = Rotation.from_quat(Pose.rest(animation.skeleton).world()[1])
    now = animation.world()[1]
    own = Pose.rest(figure.skeleton).positions()
    found = {}
    for bone, child in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot")):
        for side in ("left", "right"):
            ours, theirs = (skeleton.roles.index(side + bone) for skeleton in (animation.skeleton, figure.skeleton))
            turn = Rotation.from_quat(now[:, ours]) * rest[ours].inv()
            way = own[figure.skeleton.roles.index(side + child)] - own[theirs]
            found[side + bone] = turn.apply(way / np.linalg.norm(way))
    return found


@pytest.mark.parametrize("source", [SAMPLE_BVH, "fbx/Geno_stance.fbx", "gltf/RiggedFigure.glb"])
def test_any_human_motion_becomes_an_animation_for_vrm_figures(tmp_path, source):
    clip = limbik.load(asset(source))
    limbik.save(clip, tmp_path / "motion.vrma")
    animation = limbik.load(tmp_path / "motion.vrma")
    assert np.abs(animation.positions() - clip.positions()).max() < 1e-5 and animation.fps == clip.fps
    content = content_of((tmp_path / "motion.vrma").read_bytes())
    assert "meshes" not in content and content["extensionsUsed"] == ["VRMC_vrm_animation"]
    rest = Pose.rest(animation.skeleton).positions()
    hand, elbow, foot = (
        rest[animation.skeleton.roles.index(name)] for name in ("leftHand", "leftLowerArm", "leftFoot")
    )
    assert (
        hand[0] > elbow[0] + 0.1 and abs(hand[1] - elbow[1]) < 0.01 and foot[1] < 0.2 and abs(rest[:, 1].min()) < 1e-6
    )


def test_a_vrm_figure_plays_it_as_it_was(tmp_path):
    clip = limbik.load(asset("bvh/cmu_07_01.bvh"))[20:]
    limbik.save(clip, tmp_path / "motion.vrma")
    figure = vrm_file("1")[0]
    (tmp_path / "figure.vrm").write_bytes(figure.glb())
    played = turned_by_a_player(limbik.load(tmp_path / "motion.vrma"), limbik.load(tmp_path / "figure.vrm"))
    places = clip.positions()
    for bone, line in {
        "leftUpperLeg": ("LeftUpLeg", "LeftLeg"),
        "rightLowerArm": ("RightForeArm", "RightHand"),
    }.items():
        upper, lower = (places[:, clip.skeleton.index(name)] for name in line)
        way = (lower - upper) / np.linalg.norm(lower - upper, axis=-1, keepdims=True)
        cosine = np.sum(played[bone] * way, axis=-1)
        assert np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).max() < 5.0  # the figure's own T-pose is not exact


def test_an_animation_for_vrm_figures_needs_a_human(tmp_path):
    with pytest.raises(LimbikError, match="no joints for"):
        limbik.save(limbik.walk("hexapod", seconds=0.5), tmp_path / "hexapod.vrma")
    assert not (tmp_path / "hexapod.vrma").exists()


@pytest.mark.parametrize("version", ["0", "1"])
def test_info_says_whose_file_it_is(tmp_path, capsys, version):
    built, _ = vrm_file(version)
    extension = next(iter(built.content["extensions"].values()))
    extension["meta"] = {**extension["meta"], "title": "Some\x1b[31mbody\n", "name": "Some\x1b[31mbody\n"}
    path = tmp_path / "figure.vrm"
    path.write_bytes(built.glb())
    answer = run(capsys, f"info {path}")
    assert answer.status == 0 and "\x1b[31m" not in answer.out
    for text in (
        "figure.vrm: VRM",
        f"{version}.0, Some",
        "A. U. Thor",
        "CC0" if version == "0" else "vrm.dev/licenses",
    ):
        assert text in answer.out
    about = json.loads(run(capsys, f"info --json {path}").out)["vrm"]
    assert about["version"] == f"{version}.0" and about["author"].startswith("A. U. Thor")


@pytest.mark.parametrize("version", ["0", "1"])
def test_hostile_maps_are_ignored_or_refused(tmp_path, version):
    """Wrong types, numbers out of range, several bones at a node and circles among limbs."""
    built, _ = vrm_file(version)
    extension = next(iter(built.content["extensions"]))
    whole = built.content["extensions"][extension]
    bones = whole["humanoid"]["humanBones"]
    rng = np.random.default_rng(0)
    maps = [{**whole, "humanoid": value} for value in HOSTILE] + [{**whole, "meta": value} for value in HOSTILE]
    maps += [{**whole, "humanoid": {"humanBones": value}} for value in HOSTILE] + list(HOSTILE)
    for value in HOSTILE:
        if isinstance(bones, list):
            changed = [[*bones[:k], value, *bones[k + 1 :]] for k in (0, 5)] + [[{"bone": value, "node": value}]]
            changed += [[{**bone, "node": value} for bone in bones], [{**bone, "bone": value} for bone in bones]]
        else:
            changed = [{**bones, bone: value} for bone in ("hips", "leftFoot")]
            changed += [{bone: {"node": value} for bone in bones}, {str(value): {"node": 1}}]
        maps += [{**whole, "humanoid": {"humanBones": one}} for one in changed]
    for _ in range(40):  # limbs whose parts are anywhere in the tree
        shuffled = rng.permutation(len(built.content["nodes"]))
        if isinstance(bones, list):
            mixed = [{**bone, "node": int(shuffled[bone["node"]])} for bone in bones]
        else:
            mixed = {bone: {"node": int(shuffled[one["node"]])} for bone, one in bones.items()}
        maps.append({**whole, "humanoid": {"humanBones": mixed}})
    read = 0
    for k, one in enumerate(maps):
        built.content["extensions"] = {extension: one}
        path = tmp_path / f"{k}.vrm"
        try:
            path.write_bytes(built.glb())
        except ValueError:  # what JSON cannot hold
            continue
        try:
            clip = limbik.load(path)
            clip.skeleton.torso.ends
            limbik.save(clip.with_(fps=30.0), path)
            read += 1
        except LimbikError:
            pass
    assert read > len(maps) // 2


@pytest.mark.parametrize("name", ["Godette_vrm0", "Example", "basic_armature_vrm1"])
def test_real_figures(tmp_path, name):
    path = asset(f"vrm/{name}.vrm")
    clip = limbik.load(path)
    forward = symmetry(clip.skeleton).forward
    assert np.allclose(forward, [0.0, 0.0, -1.0 if name == "Godette_vrm0" else 1.0], atol=1e-6)
    limbs = limbik.find_limbs(clip)
    assert list(limbs) == ["left_leg", "right_leg", "left_arm", "right_arm"]
    assert all(limb.stands == (limb.kind == "leg") and len(limb.joints) == 3 for limb in limbs.values())
    found = limbik.reach_ends(clip, {"left_hand": clip.positions()[:, limbs["left_arm"].joints[-1]] + 0.1 * forward})
    assert found.reached.all() and max(float(miss.max()) for miss in found.residual.values()) < 1e-14
    limbik.save(found.pose, tmp_path / "posed.vrm")
    before, after = (content_of(file.read_bytes()) for file in (path, tmp_path / "posed.vrm"))
    assert after["extensions"] == before["extensions"]
    assert {key for key, value in before.items() if after.get(key) != value} <= {"accessors", "bufferViews", "buffers"}


@pytest.mark.parametrize("name", ["hips_spine_twisting", "test"])
def test_real_animations(tmp_path, name):
    path = asset(f"vrm/{name}.vrma")
    clip = limbik.load(path)
    assert len(clip) > 1 and len(limbik.find_limbs(clip)) == 4
    limbik.save(clip[1:], tmp_path / "cut.vrma")
    assert len(limbik.load(tmp_path / "cut.vrma")) == len(clip) - 1
    before, after = (content_of(file.read_bytes()) for file in (path, tmp_path / "cut.vrma"))
    assert after["extensions"] == before["extensions"]
