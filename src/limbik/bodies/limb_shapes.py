"""Limbs: legs that end in claws, paws or shoes, arms with hands, tails and feelers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.bodies.builder import BodyBuilder, Stops
from limbik.bodies.lofts import UP, loft, rings_along
from limbik.rotations import normalized

FEW_SIDES = 7  # a builder with fewer sides makes limbs with fewer rings, too


def length_of(b: BodyBuilder, joints: Sequence[int]) -> float:
    """The length of a chain, metres."""
    return float(np.linalg.norm(np.diff(b.places[list(joints)], axis=0), axis=-1).sum())


def jointed_leg(b: BodyBuilder, joints: Sequence[int], root: int) -> None:
    """The leg of an insect or a spider: links that are narrow at their ends, the last one a claw.

    root: the segment to which it is attached, from the inside of which it starts.
    """
    bones = len(joints) - 1
    thick = 0.03 * length_of(b, joints)
    scales = np.interp(np.linspace(0.0, 1.0, bones), [0.0, 0.5, 1.0], [1.0, 0.74, 0.46])
    radii: list[tuple[float, float]] = []
    for k, scale in enumerate(thick * scales):
        radii += [(k + 0.02, 0.62 * scale), (k + 0.25, scale), (k + 0.6, 0.92 * scale), (k + 0.97, 0.56 * scale)]
    radii[-1] = (bones, 0.1 * thick)
    few = b.sides < FEW_SIDES
    steps = (0.02, 0.45) if few else (0.02, 0.12, 0.25, 0.45, 0.6, 0.84, 0.97)
    first = () if few else (-0.12,)
    at = [*first, *(k + step for k in range(bones) for step in steps), bones]
    legs, accent, feet = (b.colour(name) for name in ("legs", "accent", "feet"))
    colours = [(0.0, legs), (bones - 1 + 0.3, legs), (bones - 1 + 0.6, feet)]
    if b.look.pattern == "bands":
        colours = [(0.0, legs)]
        for k in range(bones):
            colours += [(k + 0.05, legs), (k + 0.12, accent), (k + 0.25, accent), (k + 0.34, legs), (k + 0.97, legs)]
        colours[-2:] = [(bones - 0.45, legs), (bones - 0.3, feet)]
    b.tube(joints, radii, colours, at, round_ends=not few)
    if not few:  # the hip, half inside the body
        b.ball(b.places[joints[0]], (1.15 * thick,) * 3, root, legs)


def paw_leg(b: BodyBuilder, joints: Sequence[int], hind: bool) -> None:
    """The leg of a mammal that walks on its toes: a strong thigh, a slender shank, a paw."""
    whole, bones = length_of(b, joints), len(joints) - 1
    thigh = 0.082 if hind else 0.07
    end = 0.034 * whole
    radii: Stops = [(0.0, thigh * whole), (0.45, 0.78 * thigh * whole), (0.95, 0.058 * whole), (1.3, 0.055 * whole)]
    radii = [*radii, (1.85, 0.036 * whole), (2.0, 0.037 * whole), (2.6, end)] if bones > 2 else [*radii, (bones, end)]
    depth: Stops = [(0.0, 1.75 if hind else 1.5), (0.5, 1.6 if hind else 1.4), (1.0, 1.2), (bones - 0.3, 1.0)]
    legs, feet = b.colour("legs"), b.colour("feet")
    colours = [(0.0, b.colour("body")), (0.8, legs), (bones - 0.7, legs), (bones - 0.3, feet)]
    at = [step for step in (0.0, 0.2, 0.45, 0.75, 0.95, 1.1, 1.3, 1.6, 1.85, 2.0, 2.2, 2.6) if step < bones - 0.3]
    b.tube(joints, radii, colours, [*at, bones - 0.15], depth=depth, meets=(0.0, 0.75))
    _paw(b, joints[-1], 0.052 * whole, feet)


def _paw(b: BodyBuilder, tip: int, size: float, colour: Array) -> None:
    """A paw about the tip of a leg, flat below."""
    x, y, z = b.places[tip]
    along = size * np.array([-0.75, -0.2, 0.45, 0.85])
    centres = np.stack([np.full(4, x), np.full(4, y + 0.5 * size), z + along], axis=-1)
    radii = size * np.array([[0.72, 0.62], [0.95, 0.72], [1.0, 0.62], [0.8, 0.45]])
    b.solid(centres, radii, tip, colour, floor=float(y))
    for place in (-0.6, -0.2, 0.2, 0.6):
        toe = np.array([x + place * size * 0.95, y + 0.3 * size, z + (1.1 if abs(place) < 0.4 else 0.9) * size])
        b.ball(toe, (0.27 * size, 0.3 * size, 0.36 * size), tip, 0.9 * colour)


def human_leg(b: BodyBuilder, joints: Sequence[int], root: int, shoe: tuple[Array, Array, int], floor: float) -> None:
    """The leg of a human from hip to ankle, and a shoe.

    root: the joint of the pelvis. shoe: where the heel and the toes end, (3,) each, and the joint that the toes
    follow. floor: height of the sole.
    """
    ankle = joints[-1]
    whole = length_of(b, joints)
    bones = len(joints) - 1
    r = whole
    radii: Stops = [(0.0, 0.092 * r), (0.3, 0.09 * r), (0.8, 0.066 * r), (1.0, 0.06 * r), (1.3, 0.063 * r)]
    radii = [*radii, (bones - 0.25, 0.05 * r), (bones, 0.049 * r)]
    depth: Stops = [(0.0, 1.12), (1.0, 1.0), (1.3, 1.15), (1.9, 1.05)]
    legs = b.colour("legs")
    at = [0.0, 0.15, 0.3, 0.55, 0.8, 0.93, 1.0, 1.07, 1.3, 1.55, bones - 0.25, bones]
    b.tube(joints, radii, [(0.0, legs)], at, root=root, depth=depth, meets=(0.0, 0.3))
    _shoe(b, ankle, *shoe, floor, 0.041 * r)


def _shoe(b: BodyBuilder, ankle: int, heel: Array, toes: Array, toe_joint: int, floor: float, wide: float) -> None:
    """A shoe from heel to toes around an ankle, flat below. wide: radius of the leg at the ankle, metres."""
    ahead = normalized((toes - heel) * [1.0, 0.0, 1.0])
    whole = float((toes - heel) @ ahead)
    tall = max(float(b.places[ankle, 1]) - floor, 0.27 * whole)
    steps = np.array([0.02, 0.12, 0.28, 0.45, 0.6, 0.74, 0.88, 0.98])
    width = whole * np.array([0.115, 0.15, 0.155, 0.165, 0.19, 0.205, 0.19, 0.13])
    top = tall * np.array([0.72, 1.08, 1.12, 0.92, 0.7, 0.56, 0.47, 0.36])
    centres = heel * [1.0, 0.0, 1.0] + steps[:, None] * whole * ahead
    centres[:, 1] = floor + 0.38 * top
    rings = rings_along(centres, np.stack([np.maximum(width, 0.0), 0.62 * top], axis=-1), ankle, b.colour("feet"))
    bend = np.clip((steps - 0.66) / 0.16, 0.0, 1.0)
    joints, weights = rings.joints.copy(), rings.weights.copy()
    joints[:, 1] = np.where(bend > 0.0, toe_joint, 0)
    weights[:, 0], weights[:, 1] = 1.0 - bend, bend
    surface = loft(rings._replace(joints=joints, weights=weights), b.sides, np.cross((0.0, 1.0, 0.0), ahead))
    surface.positions[:, 1] = np.maximum(surface.positions[:, 1], floor)
    low = np.clip(1.0 - (surface.positions[:, 1:2] - floor) / (0.16 * tall), 0.0, 1.0)
    b.add(surface._replace(colours=surface.colours * (1.0 - 0.55 * low)))
    b.ball(b.places[ankle], (1.15 * wide,) * 3, ankle, b.colour("legs"))


def arm(b: BodyBuilder, joints: Sequence[int], root: int, forward: Array, fingers: bool) -> None:
    """An arm from shoulder to wrist, and a hand.

    root: the joint that carries it. forward: (3,), where the figure faces. fingers: whether it has its own.
    """
    r, bones = length_of(b, joints), len(joints)  # a bone more: the shoulder, which starts inside the trunk
    shoulder, across = b.places[joints[0]], np.cross(forward, UP)
    start = shoulder + 0.6 * ((b.places[root] - shoulder) @ across) * across - 0.02 * r * UP
    radii: Stops = [(0.3, 0.06 * r), (0.7, 0.08 * r), (1.0, 0.086 * r), (1.2, 0.092 * r), (1.85, 0.07 * r)]
    radii = [*radii, (2.0, 0.068 * r), (2.25, 0.074 * r), (bones - 0.13, 0.056 * r), (bones - 0.12, 0.044 * r)]
    body, skin = b.colour("body"), b.colour("head")
    colours = [(0.0, body), (bones - 0.13, body), (bones - 0.12, skin)]
    at = [0.3, 0.65, 0.86, 1.0, 1.11, 1.25, 1.5, 1.85, 2.0, 2.1, 2.3, 2.6, bones - 0.13, bones - 0.12, bones - 0.02]
    b.tube([root, *joints], radii, colours, at, start=start, meets=(0.3, 1.4))
    along = normalized(b.places[joints[-1]] - b.places[joints[-2]])
    hand(b, joints[-1], along, normalized(forward - (forward @ along) * along), 0.33 * r, fingers)


def hand(b: BodyBuilder, wrist: int, along: Array, wide: Array, size: float, fingers: bool) -> None:
    """A hand: a palm, and fingers unless the figure has its own. wide: direction of the thumb."""
    skin, at = b.colour("head"), b.places[wrist]
    flat = np.cross(along, wide)
    palm = at + size * np.array([-0.08, 0.14, 0.34, 0.48])[:, None] * along
    b.solid(palm, size * np.array([[0.13, 0.115], [0.19, 0.11], [0.225, 0.1], [0.2, 0.085]]), wrist, skin, side=wide)
    if fingers:
        return
    few = max(b.sides // 2, 5)
    for place, reach in ((0.15, 0.42), (0.05, 0.47), (-0.05, 0.44), (-0.15, 0.34)):
        start = at + size * (0.46 * along + place * wide)
        bent = np.array([0.0, 0.45, 0.8, 1.0])[:, None] * (reach * size) * along
        curl = np.array([0.0, 0.02, 0.1, 0.2])[:, None] * size * reach * flat
        b.solid(start + bent + curl, size * np.array([0.062, 0.058, 0.054, 0.042]), wrist, skin, side=wide, sides=few)
    start = at + size * (0.12 * along + 0.14 * wide)
    out = np.array([0.0, 0.5, 1.0])[:, None] * size * (0.3 * along + 0.17 * wide + 0.06 * flat)
    b.solid(start + out, size * np.array([0.075, 0.062, 0.045]), wrist, skin, side=flat, sides=few)


def digit(b: BodyBuilder, joints: Sequence[int], radius: float) -> None:
    """A finger or toe along its own joints."""
    bones = len(joints) - 1
    at = np.linspace(0.0, bones, 2 * bones + 1)
    skin = b.colour("head")
    b.tube(joints, [(0.0, radius), (bones, 0.7 * radius)], [(0.0, skin)], at, sides=max(b.sides // 2, 5))


def tail(b: BodyBuilder, joints: Sequence[int], root: int, thick: float, shaggy: bool) -> None:
    """A tail: thick at its root, bushy in the middle where it is shaggy, with an accented tip. thick: metres."""
    bones = len(joints) - 1
    at = np.linspace(0.0, bones, 3 * bones + 1)
    middle = 1.35 if shaggy else 0.75
    radii = [(0.0, thick), (0.45 * bones, middle * thick), (0.85 * bones, 0.8 * middle * thick), (bones, 0.25 * thick)]
    colours = [(0.0, b.colour("body")), (0.65 * bones, b.colour("body")), (0.9 * bones, b.colour("accent"))]
    b.tube(joints, radii, colours, at, root=root, under=b.colour("belly") if shaggy else None, meets=(0.0, 0.5))


def feeler(b: BodyBuilder, joints: Sequence[int], root: int, thick: float) -> None:
    """A thin part such as a feeler, that ends in a point. thick: radius at its root, metres."""
    bones = len(joints) - 1
    at = np.linspace(0.0, bones, (2 if b.sides < FEW_SIDES else 3) * bones + 1)
    colours = [(0.0, b.colour("legs")), (0.5 * bones, b.colour("legs")), (bones, b.colour("feet"))]
    b.tube(joints, [(0.0, thick), (bones, 0.3 * thick)], colours, at, root=root, sides=max(b.sides - 2, 5))


def neck(b: BodyBuilder, joints: Sequence[int], root: int, thick: float, thin: float) -> None:
    """A neck, from inside the trunk to the head. thick, thin: its radii, metres."""
    bones = len(joints) - 1
    body, head = b.colour("body"), b.colour("head")
    b.tube(
        joints,
        [(-0.5, 1.2 * thick), (0.0, 1.08 * thick), (0.6 * bones, 1.1 * thin), (bones, thin)],
        [(-0.5, body), (0.02, body), (0.12, head), (bones, head)],
        [-0.5, -0.2, 0.0, 0.12, *np.linspace(0.25, bones, 3 * bones + 1)],
        root=root,
        depth=[(0.0, 1.1)],
        meets=(-0.5, 0.6 * bones),
        under=b.colour("belly") if b.look.belly != b.look.body else None,
    )


def human_neck(b: BodyBuilder, joints: Sequence[int], root: int, radius: float) -> None:
    """A human neck, from inside the collar to the head. radius: at its base, metres."""
    bones = len(joints) - 1
    radii: Stops = [(-0.3, 1.1 * radius), (0.4 * bones, 0.96 * radius), (bones, 0.9 * radius)]
    at = [-0.3, 0.0, *np.linspace(0.25, 0.95, 4) * bones]
    b.tube(joints, radii, [(0.0, b.colour("head"))], at, root=root, depth=[(0.0, 1.08)])
