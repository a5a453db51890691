"""Lengths and targets for chains, and what is true of their poses by plain geometry."""

import numpy as np

from tests import reference


def hostile_lengths(rng, links, rows):
    """Lengths (rows, links) with a sum of 1: even, uneven, dominated by one link or two, over twelve decades."""
    kinds = [np.exp(rng.normal(size=(rows, links)) * spread) for spread in (0, 0.1, 0.5, 1, 2, 4, 8)]
    one = kinds[3].copy()
    one[:, 0] = one[:, 1:].sum(1) * (1 + rng.choice([-1, 1], rows) * 10.0 ** rng.uniform(-16, 0, rows))
    two = 1e-9 * rng.random((rows, links)) + 1e-12
    two[:, 0], two[:, -1] = 1, 1 - 10.0 ** rng.uniform(-16, -1, rows)
    kinds += [one, two, 10.0 ** rng.uniform(-12, 0, (rows, links))]
    kind = rng.integers(len(kinds), size=rows)
    lengths = np.stack(kinds)[kind, np.arange(rows)]
    lengths = np.maximum(lengths, 1e-12 * lengths.max(1, keepdims=True))
    return lengths / lengths.sum(1, keepdims=True)


def reachable(rng, lengths):
    """Targets (rows, 3) that links of these lengths can reach: anywhere, at full stretch, at full fold, at the root."""
    total = lengths.sum(1)
    near = np.maximum(2 * lengths.max(1) - total, 0)
    rows = len(lengths)
    part = rng.random(rows)
    close = 10.0 ** rng.uniform(-17, 0, rows)
    part = np.choose(rng.integers(4, size=rows), [part, part, close, 1 - close])
    return reference.random_directions(rng, rows) * (near + part * (total - near))[:, None]


def turning(joints):
    """The signed bends (..., joints - 2) of a planar chain, about one normal of its plane."""
    links = np.diff(np.asarray(joints, float), axis=-2)
    lengths = np.linalg.norm(links, axis=-1)
    links /= lengths[..., None]
    crosses = np.cross(links[..., :-1, :], links[..., 1:, :])
    # The bend of a tiny link is all rounding: it must not decide on which side the chain bends.
    certain = np.minimum(lengths[..., :-1], lengths[..., 1:])
    widest = np.argmax(np.linalg.norm(crosses, axis=-1) * certain, axis=-1)
    normal = np.take_along_axis(crosses, widest[..., None, None], -2)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-300)
    return np.arctan2(np.sum(crosses * normal, -1), np.sum(links[..., :-1, :] * links[..., 1:, :], -1))


def arcs(rng, links, rows):
    """Lengths, chords and planar joints (rows, links + 1, 2) of chains made on circles, from their angles.

    The chord runs along +x; the joints lie on the side of +y.
    """
    angles = rng.uniform(0.1, 1, (rows, links + 1))
    angles *= np.pi / angles.sum(1, keepdims=True)  # half the arcs of links and chord, once around
    lengths, chord = 2 * np.sin(angles[:, :-1]), 2 * np.sin(angles[:, -1])
    # Where the joints lie on the circle of radius 1; the first is the origin, the last the tip.
    places = np.exp(-2j * np.concatenate([np.zeros((rows, 1)), np.cumsum(angles[:, :-1], 1)], 1))
    places -= places[:, :1]
    places *= np.abs(places[:, -1:]) / places[:, -1:]
    sign = np.where(places[:, 1:2].imag < 0, -1, 1)
    return lengths, chord, np.stack([places.real, places.imag * sign], -1)
