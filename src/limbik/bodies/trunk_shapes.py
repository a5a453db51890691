"""Trunks: upright torsos, the trunks of mammals, shells of insects and spiders, rows of plates, abdomens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from limbik.arrays import Array
from limbik.bodies.builder import SHELL, BodyBuilder, Meeting, field_of
from limbik.bodies.lofts import LEFT, Rings, loft, rings_along


def torso(
    b: BodyBuilder,
    joints: Sequence[int],
    pelvis: int,
    hips: float,
    shoulders: float,
    neck: float,
    low: float = 0.0,
    left: Array = LEFT,
) -> None:
    """An upright torso from the pelvis to the base of the neck.

    Args:
        b: the builder.
        joints: of the spine, from the pelvis up.
        pelvis: the joint that its lower end follows, too.
        hips: half their width, metres.
        shoulders: half the distance of the arms, metres.
        neck: its radius, metres.
        low: how far below the first joint the hips are, metres.
        left: (3,), the direction of the left side.
    """
    lengths = np.array([float(np.linalg.norm(b.places[j] - b.places[i])) for i, j in pairwise(joints)])
    steps = np.array(
        [-0.05, 0.05, 0.14, 0.2, 0.205, 0.33, 0.45, 0.57, 0.69, 0.79, 0.87, 0.93, 0.975, 1.01, 1.04, 1.065, 1.075]
    )
    heights = steps * (low + lengths.sum()) - low
    at = np.interp(heights, np.concatenate([[0.0], np.cumsum(lengths)]), np.arange(len(joints)))
    at = np.where(heights < 0.0, heights / lengths[0], at)
    at = np.where(heights > lengths.sum(), len(joints) - 1.0 + (heights - lengths.sum()) / lengths[-1], at)
    waist = 0.4 * (hips + shoulders)
    wide = np.array([0.66 * hips, 0.93 * hips, 0.97 * hips, 0.93 * hips, 0.97 * hips, 0.97 * waist, 0.97 * waist])
    wide = [*wide, *(shoulders * np.array([0.8, 0.88, 0.95, 1.0, 1.0, 0.97, 0.84, 0.6])), 1.2 * neck, 0.6 * neck]
    deep = np.array([0.8, 0.78, 0.76, 0.75, 0.75, 0.74, 0.74, 0.72, 0.68, 0.64, 0.6, 0.56, 0.54, 0.53, 0.64, 1.0, 1.05])
    body, legs = b.colour("body"), b.colour("legs")
    colours = [(at[0], legs), (at[3], legs), (at[4], body), (at[-1], body)]
    ends = float(at[0]), float(at[-5])
    b.tube(
        joints,
        list(zip(at, wide, strict=True)),
        colours,
        at,
        depth=list(zip(at, deep, strict=True)),
        root=pelvis,
        side=left,
        sides=b.sides + 4,
        meets=ends,
    )


def mammal_trunk(b: BodyBuilder, joints: Sequence[int], front: Array, back: Array, size: tuple[float, float]) -> None:
    """A trunk that lies along a line, with a deep chest and a slender waist.

    joints: of its segments, front to back, equally long. front, back: ends of the line, (3,). size: width and height.
    """
    wide, tall = 0.5 * size[0], 0.5 * size[1]
    steps = np.array([0.05, 0.12, 0.22, 0.34, 0.46, 0.58, 0.68, 0.78, 0.87, 0.95])
    widths = wide * np.array([0.62, 0.86, 1.0, 1.04, 0.98, 0.86, 0.82, 0.88, 0.86, 0.62])
    heights = tall * np.array([0.7, 0.98, 1.16, 1.2, 1.1, 0.93, 0.86, 0.92, 0.9, 0.66])
    lower = tall * np.array([0.0, 0.06, 0.16, 0.2, 0.14, 0.02, -0.03, 0.0, 0.0, -0.04])
    centres = front + steps[:, None] * (back - front) - lower[:, None] * np.array([0.0, 1.0, 0.0])
    follows, weights = _shared_weights(joints, steps)
    body, accent = b.colour("body"), b.colour("accent")
    striped = b.look.pattern == "stripes"
    mixes = np.where(np.arange(len(steps)) % 2 == 1, 0.6, 0.0)[:, None] if striped else 0.0
    colours = np.broadcast_to(body + mixes * (accent - body), (len(steps), 3))
    rings = Rings(centres, np.stack([widths, heights], axis=-1), follows, weights, colours)
    surface = loft(rings, b.sides + 2)
    meets = Meeting(field_of(rings, LEFT), np.ones(len(surface.positions)))
    b.add(surface, under=b.colour("belly"), meets=meets)


def _shared_weights(joints: Sequence[int], steps: Array) -> tuple[Array, Array]:
    """Joints and weights (n, 4) of fractions of the way along segments: between the middles of two, both of them."""
    at = np.clip(steps * len(joints) - 0.5, 0.0, len(joints) - 1.0)
    first = np.minimum(at.astype(int), max(len(joints) - 2, 0))
    second = np.minimum(first + 1, len(joints) - 1)
    part = at - first
    listed, none = np.array(joints), np.zeros(len(steps))
    weights = np.stack([1.0 - part, part, none, none], axis=-1)
    follows = np.stack([listed[first], listed[second], none, none], axis=-1).astype(np.int64)
    follows[weights == 0.0] = 0
    return follows, weights


def shell(b: BodyBuilder, joint: int, centre: Array, size: tuple[float, float, float]) -> None:
    """The shell of an insect's or spider's trunk: width, height and length, metres, about a centre (3,)."""
    wide, tall, long = (0.5 * one for one in size)
    steps = np.array([-0.92, -0.78, -0.5, -0.2, 0.12, 0.45, 0.75, 0.92])
    width = wide * np.array([0.4, 0.66, 0.95, 1.08, 1.08, 0.95, 0.7, 0.45])
    height = tall * np.array([0.4, 0.62, 0.86, 0.98, 1.04, 0.98, 0.78, 0.5])
    centres = centre + long * steps[:, None] * [0.0, 0.0, 1.0]
    body, accent = b.colour("body"), b.colour("accent")
    mixes = np.array([0.0, 0.0, 0.0, 0.12, 0.2, 0.12, 0.0, 0.0])[:, None]
    rings = rings_along(centres, np.stack([width, height], axis=-1), joint, body + mixes * (accent - body))
    b.add(loft(rings, b.sides + 4), SHELL, under=0.7 * b.colour("belly"))


def plates(b: BodyBuilder, joints: Sequence[int], centres: Array, size: tuple[float, float, float]) -> None:
    """A row of plates, one for each segment. centres: (n, 3). size: width, height and length, metres."""
    wide, tall, long = (0.5 * one for one in size)
    steps = np.array([-1.1, -0.85, 0.4, 1.05])  # wide behind, over the front of the next
    width = wide * np.array([1.08, 1.16, 1.08, 0.84])
    height = tall * np.array([1.15, 1.3, 1.2, 0.85])
    body, accent = b.colour("body"), b.colour("accent")
    edge = np.array([1.0, 0.7, 0.0, 0.0])[:, None] if b.look.pattern != "plain" else np.zeros((4, 1))
    for number, (joint, centre) in enumerate(zip(joints, centres, strict=True)):
        taper = 1.0 - 0.3 * max(0.0, (number + 1) / len(joints) - 0.6)
        line = centre + long * steps[:, None] * [0.0, 0.0, 1.0]
        rings = rings_along(line, taper * np.stack([width, height], axis=-1), joint, body + edge * (accent - body))
        b.add(loft(rings, max(b.sides + 2, 8), round_ends=False), SHELL, under=b.colour("belly"))


def abdomen(b: BodyBuilder, joints: Sequence[int], root: int, stalk: float, radius: float) -> None:
    """The abdomen of an insect or spider behind a stalk.

    joints: at least two, from the stalk to the end. root: the segment before it. stalk, radius: radii, metres.
    """
    points = b.places[list(joints)]
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=-1))])
    steps = np.array([0.0, 0.07, 0.14, 0.24, 0.36, 0.48, 0.6, 0.72, 0.82, 0.91, 0.97])
    widths = np.array([0.0, 0.42, 0.68, 0.88, 1.0, 1.03, 0.98, 0.84, 0.64, 0.4, 0.2])
    at = np.interp(steps, lengths / lengths[-1], np.arange(len(joints)))
    base, accent = b.colour("accent"), b.colour("body")
    colours = [(place, base) for place in at]
    if b.look.pattern != "plain":
        base, accent = b.colour("body"), b.colour("accent")
        colours = [(place, accent if k in (4, 6, 8) else base) for k, place in enumerate(at)]
    radii = [(place, max(stalk, radius * width)) for place, width in zip(at, widths, strict=True)]
    b.tube(joints, radii, colours, at, root=root, depth=[(0.0, 0.92)], sides=b.sides + 4, under=0.7 * b.colour("belly"))
