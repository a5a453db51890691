"""Terrains of every kind that needs no optional package, and places on them, for tests."""

import numpy as np
from hypothesis import strategies as st

from limbik.terrains.function_terrain import Adapted, Function
from limbik.terrains.heightfield import Heightfield
from limbik.terrains.hills import Hills
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.stairs import Stairs


def waves(x, z):
    return 0.2 * np.sin(2.0 * x) * np.cos(z) + 0.1 * x


class Saddle:
    """Someone else's ground."""

    def height(self, xz):
        return 0.1 * (xz[..., 0] ** 2 - xz[..., 1] ** 2)

    def normal(self, xz):
        n = np.stack([-0.2 * xz[..., 0], np.ones(xz.shape[:-1]), 0.2 * xz[..., 1]], axis=-1)
        return n / np.linalg.norm(n, axis=-1, keepdims=True)

    def __eq__(self, other):
        return type(self) is type(other)

    def __repr__(self):
        return "Saddle()"

    def __hash__(self):
        return hash(type(self))


def random_field(seed=0, rows=9, columns=7, **options):
    return Heightfield(np.random.default_rng(seed).normal(0.0, 0.2, (rows, columns)), 0.5, **options)


GROUNDS = [
    Plane(),
    Slope(10),
    Slope(-25, 130),
    Stairs(),
    Stairs(-0.2, 0.25, 0.1, 5, 30),
    Hills(0.3, 3, 4),
    random_field(),
    Function(waves),
    Adapted(Saddle()),
]
KINDS = [type(ground).__name__ + str(k) for k, ground in enumerate(GROUNDS)]

coordinates = st.floats(-30.0, 30.0, allow_subnormal=False)
places = st.tuples(coordinates, coordinates)
headings = st.floats(-360.0, 360.0)
slopes = st.builds(Slope, st.floats(-80.0, 80.0), headings)
stairs = st.builds(
    Stairs,
    st.floats(-2.0, 2.0),
    st.floats(0.05, 3.0),
    st.floats(-3.0, 3.0),
    st.none() | st.integers(1, 30),
    headings,
)
hills = st.builds(Hills, st.floats(0.0, 2.0), st.integers(0, 2**63 - 1), st.floats(0.5, 50.0))
