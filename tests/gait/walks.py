"""Walks for the tests: each is made once, with what is measured on it."""

from functools import cache, cached_property

import numpy as np

from limbik.gait.creature import creature, preset_names
from limbik.gait.joint_layout import JointLayout
from limbik.gait.walker import Walker
from limbik.gait.walker_state import joined
from limbik.rotations import inverse, multiply
from limbik.terrains.mesh_terrain import Mesh
from limbik.terrains.specs import as_terrain
from tests.thoroughness import some

PRESETS = tuple(some(preset_names(), 2))
FPS = 60.0
# Stairs that suit the legs.
STAIRS = {
    "biped": "stairs:rise=0.17,run=0.3",
    "quadruped": "stairs:rise=0.12,run=0.35",
    "hexapod": "stairs:rise=0.05,run=0.25",
    "spider": "stairs:rise=0.06,run=0.3",
    "centipede": "stairs:rise=0.02,run=0.12",
}
ON_STAIRS = {"biped": 0.7}  # m/s: nobody walks as fast up stairs as on level ground
GROUNDS = ("plane", "slope", "stairs", "hills", "mesh")
TURNS = np.array([0.0, 20.0, -12.0])  # degrees per second of the three that walk in every walk


def ground(kind, name):
    if kind == "slope":
        return as_terrain("slope:15")
    if kind == "stairs":
        return as_terrain(STAIRS[name])
    if kind == "mesh":  # hills of triangles, with creases
        hills = as_terrain("hills:height=0.15,size=3,seed=2")
        return Mesh(*hills.mesh((-45.0, -45.0), (45.0, 45.0), 0.5))
    return as_terrain(kind)


class Walk:
    """What a walker did, from its states."""

    def __init__(self, walker, states, fps=FPS):
        self.walker, self.creature, self.terrain, self.fps = walker, walker.creature, walker.terrain, fps
        self.clip = walker.clip(states, fps)
        self.states = joined(states)
        self.layout = JointLayout(self.creature)
        self.legs = len(self.creature.legs)

    @cached_property
    def joints(self):
        """(frames, creatures, joints, 3)."""
        return self.clip.positions().reshape(len(self.clip), self.walker.count, -1, 3)

    @cached_property
    def feet(self):
        """(frames, creatures, feet, 3)."""
        return self.joints[:, :, self.layout.feet]

    @property
    def tips(self):
        """(frames, creatures, legs, 3)."""
        return self.feet[:, :, : self.legs]

    @property
    def contacts(self):
        """(frames, creatures, feet)."""
        return self.clip.contacts.reshape(len(self.clip), self.walker.count, -1)

    @property
    def standing(self):
        """(frames, creatures, legs): be it on the tip or on the heel."""
        found = self.contacts[..., : self.legs].copy()
        found[..., list(self.layout.heels)] |= self.contacts[..., self.legs : self.legs + len(self.layout.heels)]
        return found

    @cached_property
    def above_ground(self):
        """(frames, creatures, feet), metres."""
        return self.feet[..., 1] - self.terrain.height(self.feet[..., ::2])

    @property
    def slide(self):
        """How far a foot moves while it stands, from frame to frame, at the most."""
        stays = self.contacts[1:] & self.contacts[:-1]
        return np.linalg.norm(np.diff(self.feet, axis=0), axis=-1)[stays].max(initial=0.0)

    @cached_property
    def turning(self):
        """(frames - 1, joints): how fast joints turn, radians a second."""
        q = self.clip.rotations
        step = multiply(inverse(q[:-1]), q[1:])
        return 2.0 * self.fps * np.arctan2(np.linalg.norm(step[..., :3], axis=-1), np.abs(step[..., 3]))

    @property
    def extension(self):
        """(frames, creatures, legs): hip to ankle, over the leg's length."""
        hips, ankles = ([chain[k] for chain in self.layout.chains] for k in (0, 2))
        lengths = [sum(leg.lengths[:2]) for leg in self.creature.legs]
        return np.linalg.norm(self.joints[:, :, ankles] - self.joints[:, :, hips], axis=-1) / lengths

    @property
    def apart(self):
        """The least distance between two feet of one creature."""
        a, b = np.triu_indices(self.legs, 1)
        return np.linalg.norm(self.tips[:, :, a] - self.tips[:, :, b], axis=-1).min()


def centres(clip, name):
    """(frames, 2): x and z of the middle of the trunk, the first segment's where the others follow it."""
    if name != "quadruped":
        return clip.translations[:, 0, ::2]
    front, back = (clip.skeleton.index(joint) for joint in ("body_2", "body_3"))  # either end of the middle segment
    return clip.positions()[:, [front, back]].mean(axis=1)[:, ::2]


def stepped(walker, seconds, command, fps=FPS):
    """A walk by a function of time and walker that gives velocity and turn."""
    states = [walker.state]
    for k in range(round(seconds * fps)):
        velocity, turn = command(k / fps, walker)
        walker.step(1.0 / fps, velocity, turn_degrees=turn)
        states.append(walker.state)
    return Walk(walker, states, fps)


def ahead(walker, speed):
    """A velocity for each creature along its heading."""
    yaw = np.radians(walker.heading_degrees)
    return speed * np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)


@cache
def journey(name, kind, seconds=20.0):
    """Three of a creature on a terrain: straight, and turning either way."""
    speed = (ON_STAIRS if kind == "stairs" else {}).get(name, creature(name).cruise)
    walker = Walker(name, ground(kind, name), count=len(TURNS))
    return stepped(walker, seconds, lambda t, w: (ahead(w, speed), TURNS))
