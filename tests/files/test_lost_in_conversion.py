"""What goes from one format to another: joints stay where they are, and what cannot be kept is said."""

import numpy as np
import pytest

from limbik import Clip, Skeleton, load, samples, save
from limbik.files import bvh
from limbik.skeleton.units import CENTIMETRE, METRE, Unit
from tests.assets import SAMPLE_GLB, asset, present

from .gltf_files import Builder


def scaled(unit=METRE, size=1.0, changing=False, uneven=(1.2, 0.8, 1.1)):
    """A walk whose joints are scaled: the figure as a whole, its arms, and one unevenly."""
    walk = samples.walk(12)
    scales = np.ones((31, 3))
    scales[0], scales[walk.skeleton.index("LeftArm")] = size, uneven
    scales[walk.skeleton.index("Neck")] = 0.5
    motion = np.broadcast_to(scales, (12, 31, 3)) * (np.linspace(1, 1.2, 12)[:, None, None] if changing else 1.0)
    bones = walk.skeleton
    skeleton = Skeleton(bones.names, bones.parents, bones.translations, bones.rotations, scales)
    return Clip(skeleton, walk.rotations, walk.translations, motion, fps=60, unit=unit)


def gap(clip, path):
    """How far joints are from where they were, after saving and loading without any advice."""
    save(clip, path)
    again = load(path)
    order = [again.skeleton.names.index(name) for name in clip.skeleton.names]
    return np.abs(again.positions()[:, order] - clip.positions()).max()


@pytest.mark.parametrize("changing", [False, True])
@pytest.mark.parametrize("size", [0.4, 1.0, 2.0])
@pytest.mark.parametrize("unit", [METRE, CENTIMETRE, Unit("0.3 m", 0.3)])
def test_scaled_joints_are_where_they_were_in_bvh(tmp_path, unit, size, changing):
    assert gap(scaled(unit, size, changing), tmp_path / "scaled.bvh") < 1e-5


@pytest.mark.parametrize(
    "name", [SAMPLE_GLB, *present("gltf/RecursiveSkeletons.glb", "gltf/RobotExpressive.glb", "gltf/Fox.glb")]
)
def test_real_figures_are_where_they_were_in_bvh(tmp_path, name):
    assert gap(load(asset(name)), tmp_path / "figure.bvh") < 1e-5


def test_constant_scales_become_offsets_without_channels(tmp_path):
    clip = scaled(uneven=0.8)  # below uneven scales joints are sheared, and move
    save(clip, tmp_path / "scaled.bvh")
    channels = load(tmp_path / "scaled.bvh").source.hierarchy.channels
    assert [len(each) for each in channels[1:]] == [3] * 30


def test_what_bvh_cannot_hold_is_listed():
    assert bvh.lost_in_bvh(samples.walk(3)) == []
    assert bvh.lost_in_bvh(scaled()) == ["scales (folded into offsets)"]
    assert bvh.lost_in_bvh(scaled(changing=True)) == ["scales (joints move as if scaled)"]
    giant = samples.walk(3)
    giant = Clip(
        Skeleton(giant.skeleton.names, giant.skeleton.parents, giant.skeleton.translations * 1000.0),
        giant.rotations,
        giant.translations * 1000.0,
    )
    assert bvh.lost_in_bvh(giant) == ["the unit (load it with unit=1)"]


def chain():
    """A figure of three nodes without a skin."""
    nodes = [{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 1, 0], "children": [2]}]
    nodes.append({"name": "c", "translation": [0, 1, 0]})
    return Builder(nodes=nodes, scenes=[{"nodes": [0]}])


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_figure_without_a_skin_keeps_its_joints_when_it_is_posed(tmp_path, suffix):
    path = tmp_path / f"figure{suffix}"
    path.write_bytes(chain().glb() if suffix == ".glb" else chain().gltf())
    clip = load(path)
    assert clip.skeleton.names == ("a", "b", "c")
    turned = np.array(clip.rotations)
    turned[:, 1] = (0.0, 0.0, 0.6, 0.8)
    save(clip.with_(rotations=turned), path)
    again = load(path)
    assert again.skeleton.names == ("a", "b", "c")
    assert np.allclose(again.positions(), clip.with_(rotations=turned).positions(), atol=1e-6)
