"""A search for pops: random and adversarial paths, zoomed in on the step in which a track moves most.

Paths pass through (or close by) the places where a rule without memory tears: the root, the rim of the hole around it,
full stretch, the line on which `up` lies along the aim, the plane's normal. A pop is a change of the pose that stays
while the motion of the target shrinks to nothing.
"""

from dataclasses import dataclass

import numpy as np

from tests import reference

BESIDE = (0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e-1)
SPECIAL = ("anywhere", "root", "rim", "stretch", "fold line", "bisector")
SUBSTEPS = 16


@dataclass(frozen=True, eq=False)
class Paths:
    """Smooth paths of ankle and `up` over s in [0, 1], one for each row; ankle coordinates in units of the limb."""

    centre: np.ndarray
    velocity: np.ndarray
    curve: np.ndarray
    axis: np.ndarray
    start: np.ndarray
    angle: np.ndarray
    last: np.ndarray

    def at(self, s):
        """Target and up, (frames, rows, 3), at parameters s, (frames, rows)."""
        t = (s - 0.5)[..., None]
        ankle = self.centre + t * self.velocity + t * t * self.curve
        turn = t * self.angle[:, None]
        k, v = self.axis, self.start
        kept = k * np.sum(k * v, -1, keepdims=True)
        up = kept + (v - kept) * np.cos(turn) + np.cross(k, v) * np.sin(turn)
        return ankle + self.last[:, None] * up, up


def random_paths(rng, rows, lengths, near):
    """Paths whose middle lies at a special place, or beside it; `near`: the radius of the hole around the root."""
    first, second, last = (np.broadcast_to(one, rows) for one in lengths)
    total = first + second
    kind = rng.choice(SPECIAL, rows)
    direction = reference.random_directions(rng, rows)
    distance = rng.uniform(0.05, 1.3, rows) * total
    distance = np.where(kind == "root", 0.0, distance)
    distance = np.where(kind == "rim", near, distance)
    distance = np.where(kind == "stretch", total, distance)
    beside = rng.choice(BESIDE, rows)
    centre = (distance[:, None] * direction) + (beside * total)[:, None] * reference.random_directions(rng, rows)
    velocity = reference.random_directions(rng, rows) * (total * rng.choice([0.0, 0.3, 2.0], rows))[:, None]
    curve = rng.normal(size=(rows, 3)) * (total * rng.choice([0.0, 1.0], rows))[:, None]
    # Up at the middle of the path: along the aim, across it, or anywhere, and turning through there.
    tilt = reference.random_directions(rng, rows)
    sign = rng.choice([-1.0, 1.0], rows)[:, None]
    across = np.cross(direction, tilt)
    pick = rng.choice(4, rows)[:, None]
    level = np.cross(direction, [0.0, 1.0, 0.0])  # the normal of the vertical plane
    start = np.select([pick == 0, pick == 1, pick == 2], [sign * direction, across, sign * level], tilt)
    start = start / np.linalg.norm(start, axis=-1, keepdims=True)
    start = start + rng.choice(BESIDE, (rows, 1)) * reference.random_directions(rng, rows)
    start = start / np.linalg.norm(start, axis=-1, keepdims=True)
    angle = rng.choice([0.0, 0.7, 3.0, 7.0], rows)
    axis = reference.random_directions(rng, rows)
    axis = np.where(rng.random((rows, 1)) < 0.5, axis, across / np.linalg.norm(across, axis=-1, keepdims=True))
    return Paths(centre, velocity, curve, axis, start, angle, last)


def angle_of(a, b):
    return reference.angle_between(a, b)


def line_angle(a, b):
    angle = angle_of(a, b)
    return np.minimum(angle, np.pi - angle)


def motion_of(target, up, last, total, near):
    """How far the target and `up` move in each step, (frames − 1, rows): in limbs and radians, whichever is most.

    Counted too: how far the aim turns (past the root: its line), and, inside the hole, the way to its rim in units of
    its radius, for no rule can cross a hole without turning by half a turn.
    """
    ankle = target - last[:, None] * up
    distance = np.linalg.norm(ankle, axis=-1)
    steps = np.linalg.norm(np.diff(ankle, axis=0), axis=-1)
    moved = [steps / total, angle_of(up[:-1], up[1:])]
    reach = np.linalg.norm(target, axis=-1)
    for vector, size in ((ankle, distance), (target, reach)):
        apart = line_angle(vector[:-1], vector[1:])
        moved.append(np.where((size[1:] > 0) & (size[:-1] > 0), apart, 0))
    hole = (distance[1:] < near) | (distance[:-1] < near)
    moved.append(np.where(hole, steps / np.where(near > 0, near, 1), 0))
    return np.max(moved, axis=0)


def changes(s, total):
    """How far joints (in limbs), rotations or angles (radians) change in each step, (frames − 1, rows): the most."""
    joints = np.linalg.norm(np.diff(np.asarray(s.joints, float), axis=0), axis=-1).max(-1) / total
    q = np.asarray(s.rotations, float)
    apart = np.minimum(np.linalg.norm(q[1:] - q[:-1], axis=-1), np.linalg.norm(q[1:] + q[:-1], axis=-1))
    angles = np.asarray(s.angles, float)
    level = np.abs(np.cos(angles[..., 1]))
    gimbal = np.minimum(level[1:], level[:-1]) < 1e-3
    turned = np.where(gimbal, 0, np.abs(np.diff(angles, axis=0)).max(-1))
    return np.max([joints, 2 * apart.max(-1), turned], axis=0)


def search(solve, paths, near, total, dtype="float64", depth=6):
    """The largest change in a step of next to no motion, by row, with that motion.

    `solve(target, up)` tracks. Each round looks at finer steps around the step that changed most for its motion.
    """
    rows = len(paths.last)
    s = np.repeat(np.linspace(0, 1, 2 * SUBSTEPS + 1)[:, None], rows, 1)
    for level in range(depth + 1):
        target, up = (part.astype(dtype) for part in paths.at(s))
        track = solve(target, up)
        exact_target, exact_up = target.astype(float), up.astype(float)
        motion = motion_of(exact_target, exact_up, paths.last, total, near)
        change = changes(track, total)
        # A step of the root kind (full stretch) is no pop: it vanishes with its motion.
        floor = np.finfo(dtype).eps
        score = change / np.sqrt(motion + floor)
        worst = np.argmax(score, axis=0)
        here = np.arange(rows)
        found = change[worst, here], motion[worst, here]
        if level == depth:
            return (*found, track)
        before, after = s[worst, here], s[worst + 1, here]
        kept = np.where(np.arange(len(s))[:, None] <= worst, s, before)
        finer = before + (after - before) * np.linspace(0, 1, SUBSTEPS + 1)[1:, None]
        s = np.concatenate([kept, finer, np.minimum(after + np.zeros_like(finer[:1]), 1)])
    raise AssertionError
