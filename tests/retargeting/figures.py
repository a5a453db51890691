"""Figures and motions of the tests, and what is measured on them from outside."""

from functools import cache

import numpy as np

import limbik
from limbik.rotations import inverse, multiply, rotate, shortest_arc
from limbik.skeleton.skeleton import Skeleton
from tests.assets import asset, present

BIPEDS = present(
    "gltf/KayKit_Rogue.glb",
    "gltf/RiggedFigure.glb",
    "gltf/RobotExpressive.glb",
    "vrm/Godette_vrm0.vrm",
    "vrm/basic_armature_vrm1.vrm",
    "vrm/test.vrma",
    "fbx/Geno_stance.bvh",
    "bvh/cmu_16_15.bvh",
)


@cache
def figure(name):
    """A figure of the assets, or one of limbik's own: "biped", "character"."""
    if name == "biped":
        return limbik.walk("biped", "plane", seconds=2)
    if name == "character":
        return limbik.samples.character(60)
    return limbik.load(asset(name))


@cache
def motion(name):
    """A clip of a person at 30 frames a second."""
    return limbik.load(asset(name)).resampled(30)[1:]


def links(clip, limbs, limb):
    """The directions (frames, links, 3) of a limb's links, from positions alone."""
    ways = np.diff(clip.positions()[:, list(limbs[limb].joints)], axis=1)
    return ways / np.linalg.norm(ways, axis=-1, keepdims=True)


def degrees_apart(a, b):
    """Angles (...,) between directions (..., 3)."""
    return np.degrees(np.arccos(np.clip(np.sum(a * b, axis=-1), -1.0, 1.0)))


def with_other_axes(clip, seed=1):
    """The same motion on bones whose axes point anywhere: every joint's frame is turned by a random rotation."""
    axes = np.random.default_rng(seed).normal(size=(len(clip.skeleton), 4))
    return _with_axes(clip, axes / np.linalg.norm(axes, axis=-1, keepdims=True), keeps_rest=True)


def without_rest_pose(clip):
    """The same motion as some recordings have it: without rotations, all bones lie along x."""
    skeleton, along = clip.skeleton, np.tile([0.0, 0.0, 0.0, 1.0], (len(clip.skeleton), 1))
    for joint, children in enumerate(skeleton.children):
        ways = [skeleton.translations[child] for child in children]
        way = max(ways, key=np.linalg.norm, default=np.zeros(3))
        if np.linalg.norm(way) > 0.0:
            along[joint] = shortest_arc(np.array([1.0, 0.0, 0.0]), way, np.array([0.0, 1.0, 0.0]))
    return _with_axes(clip, along, keeps_rest=False)


def _with_axes(clip, axes, keeps_rest):
    """The same motion with each joint's frame turned by one of `axes` (joints, 4)."""
    skeleton, parents = clip.skeleton, np.asarray(clip.skeleton.parents)
    above = np.where(parents[:, None] < 0, [0.0, 0.0, 0.0, 1.0], axes[np.maximum(parents, 0)])

    def turned(rotations):
        return multiply(multiply(inverse(above), rotations), axes)

    other = Skeleton(
        skeleton.names,
        parents,
        rotate(inverse(above), skeleton.translations),
        turned(skeleton.rotations) if keeps_rest else None,
        end_sites=skeleton.end_sites,
        roles=skeleton.roles,
    )
    return limbik.Clip(other, turned(clip.rotations), rotate(inverse(above), clip.translations), fps=clip.fps)
