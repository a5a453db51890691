"""Figures to test with: skeletons written as trees of names over one body, with any axes that a rig may have."""

import numpy as np
from scipy.spatial.transform import Rotation

from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton

# Places on a body of 1.7 m that faces +z, arms spread, in metres; a "+" stands for the left one and its mirror image.
PLACES = {
    "ground": (0, 0, 0),
    "hips": (0, 0.95, 0),
    "belly": (0, 1.1, 0.01),
    "chest": (0, 1.25, 0.0),
    "neck": (0, 1.5, -0.01),
    "head": (0, 1.6, 0.02),
    "crown": (0, 1.75, 0.02),
    "+hip": (0.1, 0.92, 0.01),
    "+half thigh": (0.105, 0.715, 0.02),
    "+knee": (0.11, 0.51, 0.03),
    "+half shin": (0.115, 0.3, 0.005),
    "+ankle": (0.12, 0.09, -0.02),
    "+heel": (0.12, 0.0, -0.06),
    "+ball": (0.13, 0.02, 0.12),
    "+toe": (0.13, 0.015, 0.19),
    "+collar": (0.03, 1.42, 0.0),
    "+shoulder": (0.18, 1.43, -0.01),
    "+half upper arm": (0.32, 1.43, -0.02),
    "+elbow": (0.46, 1.43, -0.03),
    "+half forearm": (0.59, 1.43, -0.02),
    "+wrist": (0.72, 1.43, -0.01),
    "+palm": (0.77, 1.43, 0.0),
    "+finger": (0.82, 1.43, 0.0),
    "+fingertip": (0.9, 1.43, 0.0),
    "+thumb": (0.76, 1.42, 0.04),
    "+hand aside": (0.3, 0.8, 0.3),
}
# The same on a horse that faces +z, 1.05 m high at its withers, and on one pair of a spider's legs.
ANIMAL_PLACES = {
    "horse pelvis": (0, 0.95, -0.5),
    "horse back": (0, 1.0, 0),
    "horse withers": (0, 1.05, 0.45),
    "horse head": (0, 1.4, 0.95),
    "+horse ear": (0.05, 1.5, 0.95),
    "horse tail": (0, 0.9, -0.65),
    "+horse scapula": (0.08, 1.0, 0.42),
    "+horse shoulder": (0.12, 0.8, 0.55),
    "+horse elbow": (0.12, 0.68, 0.42),
    "+horse carpus": (0.12, 0.38, 0.45),
    "+horse fetlock": (0.12, 0.12, 0.44),
    "+horse hoof": (0.12, 0.02, 0.5),
    "+horse hip": (0.1, 0.9, -0.5),
    "+horse stifle": (0.12, 0.66, -0.38),
    "+horse hock": (0.12, 0.42, -0.62),
    "+horse hind fetlock": (0.12, 0.12, -0.58),
    "+horse hind hoof": (0.12, 0.02, -0.5),
    "spider body": (0, 0.25, 0),
}
ANIMAL_PLACES |= {
    f"+spider {part} {k}": (x, height, reach * (2.5 - k))
    for k in range(1, 5)
    for part, x, height, reach in (
        ("coxa", 0.1, 0.25, 0.08),
        ("femur", 0.2, 0.27, 0.11),
        ("tibia", 0.45, 0.5, 0.25),
        ("tarsus", 0.7, 0.12, 0.4),
        ("tip", 0.75, 0.0, 0.42),
    )
}
PLACES |= ANIMAL_PLACES


def random_quaternions(rng, *shape):
    q = rng.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def angle(a, b):
    """The angles (...) between vectors (..., 3)."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, -1))


def read_tree(text, left, right):
    """Names, parents and places of a tree: a joint a line, its name and its place, indented below its parent.

    Where a name has "{}" in it (or "{0[0]}", the side's first letter), the joint and all below it are there twice: for
    the left and for the right.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    names, parents, places = [], [], []

    def add(k, above, side):
        name, place = (part.strip() for part in lines[k].split("@"))
        sides = [side] if side or "{" not in name else [(left, 1), (right, -1)]
        below = [j for j in range(k + 1, len(lines)) if depths[j] > depths[k]]
        end = next((j for j in range(k + 1, len(lines)) if depths[j] <= depths[k]), len(lines))
        below = [j for j in below if j < end]
        for one in sides:
            names.append(name.format(one[0]) if one else name)
            parents.append(above)
            number = len(names) - 1
            x, y, z = PLACES[place]
            places.append((x * one[1] if one else x, y, z))
            for j in below:
                if depths[j] == min(depths[i] for i in below):
                    add(j, number, one)

    for k, depth in enumerate(depths):
        if depth == min(depths):
            add(k, -1, None)
    return names, parents, np.array(places, float)


def resting(names, parents, places, rng=None, end_sites=None):
    """A skeleton whose joints rest at these places; with `rng` each with axes of its own, as rigs have them."""
    count = len(names)
    frames = Rotation.from_quat(random_quaternions(rng, count)) if rng is not None else Rotation.identity(count)
    rotations, translations = np.empty((count, 4)), np.empty((count, 3))
    for joint, parent in enumerate(parents):
        back = frames[parent].inv() if parent >= 0 else Rotation.identity()
        rotations[joint] = (back * frames[joint]).as_quat()
        translations[joint] = back.apply(places[joint] - (places[parent] if parent >= 0 else 0.0))
    return Skeleton(tuple(names), parents, translations, rotations, end_sites=end_sites)


def moving(skeleton, rng, frames=20, fps=30.0, amount=1.0, **more):
    """A smooth clip: every joint turns about its rest by up to `amount` radians, and the roots wander."""
    times = np.arange(frames) / fps
    speeds = rng.uniform(-3.0, 3.0, (len(skeleton), 3))
    swing = amount * np.sin(times[:, None, None] * speeds + rng.uniform(-3.0, 3.0, (len(skeleton), 3)))
    turns = Rotation.from_rotvec(swing.reshape(-1, 3) / 2.0)
    rest = Rotation.from_quat(np.broadcast_to(skeleton.rotations, (frames, len(skeleton), 4)).reshape(-1, 4))
    rotations = (rest * turns).as_quat().reshape(frames, -1, 4)
    translations = np.tile(skeleton.translations, (frames, 1, 1))
    translations[:, list(skeleton.roots)] += (times[:, None] * rng.uniform(-1.0, 1.0, 3))[:, None]
    return Clip(skeleton, rotations, translations, fps=fps, **more)


def world_by_matrices(skeleton, rotations, translations, scales=None):
    """World positions (frames, joints, 3) and 4 x 4 matrices by plain products of matrices."""
    frames, joints = rotations.shape[:2]
    local = np.zeros((frames, joints, 4, 4))
    local[..., :3, :3] = (
        Rotation.from_quat(np.array(rotations.reshape(-1, 4))).as_matrix().reshape(frames, joints, 3, 3)
    )
    if scales is not None:
        local[..., :3, :3] *= scales[..., None, :]
    local[..., :3, 3] = translations
    local[..., 3, 3] = 1.0
    world = local.copy()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            world[:, joint] = world[:, parent] @ local[:, joint]
    return world[..., :3, 3], world


def along(clip, axis=(1.0, 0.0, 0.0)):
    """A clip's motion by joints whose bones lie along an axis where nothing turns them, as along x in LAFAN1's files.

    Returns the clip and the skeleton that it was made of.
    """
    skeleton = clip.skeleton
    chains = skeleton.lengths.copy()
    for joint in range(len(skeleton) - 1, 0, -1):
        if (above := skeleton.parents[joint]) >= 0:
            chains[above] = max(chains[above], chains[joint] + skeleton.lengths[above])
    frames = [Rotation.identity()] * len(skeleton)
    for joint, children in enumerate(skeleton.children):
        bone = skeleton.translations[max(children, key=lambda child: chains[child])] if children else np.zeros(3)
        if np.any(bone):
            frames[joint] = Rotation.align_vectors([bone / np.linalg.norm(bone)], [axis])[0]
    rotations, translations, offsets = clip.rotations.copy(), clip.translations.copy(), skeleton.translations.copy()
    for joint, parent in enumerate(skeleton.parents):
        back = frames[parent].inv() if parent >= 0 else Rotation.identity()
        rotations[:, joint] = (back * Rotation.from_quat(clip.rotations[:, joint].copy()) * frames[joint]).as_quat()
        translations[:, joint], offsets[joint] = back.apply(translations[:, joint]), back.apply(offsets[joint])
    bare = Skeleton(skeleton.names, skeleton.parents, offsets, end_sites=skeleton.end_sites)
    return Clip(bare, rotations, translations, fps=clip.fps), bare
