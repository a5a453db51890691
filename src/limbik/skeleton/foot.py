"""The geometry of a foot: its joints, its sole, and how it is turned when it stands flat on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, multiply, rotate
from limbik.skeleton.skeleton import RigLimb

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot of a clip. Vectors in the ankle's frame are those of the foot standing flat.

    A foot without toes is a point: ankle and ball are the same joint, and it has no orientation of its own.
    """

    limb: RigLimb  # the leg (or arm) that the foot ends
    leg: float  # length of the leg in metres
    links: tuple[float, float]  # lengths of its first two links, thigh and shank, in metres
    reach: float  # largest distance, in metres, that the first two links may span; further links keep their angle
    ankle: int  # index of the ankle joint
    ball: int  # index of the joint at the ball of the foot
    tip: int  # index of the joint at the tip of the toes
    sole: float  # height of the ball above the sole in metres; 0 for a foot of one bone
    tip_sole: float  # height of the tip above the sole in metres
    flat: Array  # (4,) xyzw; the ankle's rotation when the foot stands flat and faces +z
    heel: Array  # (3,) the point of the sole under the ankle, in the ankle's frame
    back: Array  # (3,) the back of the sole, behind the heel, in the ankle's frame
    rear: Array  # (3,) the end of the shoe behind and above it, likewise; the same point if no mesh shows it
    to_ball: Array  # (3,) from ankle to ball, in the ankle's frame
    to_tip: Array  # (3,) from ball to tip, in the ball's frame
    to_front: Array  # (3,) from ball to the tip of the shoe, in the ball's frame; to the tip if no mesh shows it
    toes_flat: Array  # (4,) xyzw; the ball's local rotation when the foot stands flat
    stiff: bool  # whether toes that could bend never do in the clip

    @property
    def pointlike(self) -> bool:
        return self.ankle == self.ball

    def is_overstretched(self, spans: Array) -> Array:
        """Where (frames,) the foot is farther from the hip, at `spans`, than the leg is long.

        That is so in clips in which the foot hangs from another part of the rig than its leg.
        """
        return (spans > (1.0 + 1e-6) * sum(self.links)) & (len(self.limb.joints) == 3)

    def heel_positions(self, positions: Array, rotations: Array) -> Array:
        """The sole under the ankle (frames, 3), from world positions and rotations of all joints."""
        return positions[:, self.ankle] + rotate(rotations[:, self.ankle], self.heel)

    def ball_positions(self, positions: Array, rotations: Array) -> Array:
        """The ball (frames, 3), likewise; of a foot of one bone a point of its sole."""
        return positions[:, self.ankle] + rotate(rotations[:, self.ankle], self.to_ball)

    def orientation(self, rotations: Array) -> Array:
        """Rotations (frames, 4) from standing flat and facing +z to the foot's own, from those of all joints."""
        return multiply(rotations[:, self.ankle], inverse(self.flat))

    def sole_points(self, ankle: Array, rotation: Array, toes: Array) -> Array:
        """The points of the sole that touch the ground: back, heel, ball and front (frames, 4, 3), or one if pointlike.

        ankle (frames, 3) and rotation (frames, 4): the ankle's in the world. toes (frames, 4): the ball's, local.
        """
        if self.pointlike:
            return (ankle - [0.0, self.sole, 0.0])[:, None]
        up = rotate(inverse(self.flat), UP)  # in the ankle's frame
        toes = multiply(rotation, toes)
        ball = ankle + rotate(rotation, self.to_ball)
        tip = ball + rotate(toes, self.to_front)
        heel, back = (ankle + rotate(rotation, point) for point in (self.heel, self.back))
        over = rotate(toes, rotate(inverse(self.toes_flat), up))  # while the heel is up, the ball rests on the toes
        return np.stack([back, heel, ball - self.sole * over, tip - self.tip_sole * over], axis=1)
