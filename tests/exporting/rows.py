"""Rows of inputs for exported functions, random and hostile, and limbik's own answers for them."""

from __future__ import annotations

import ctypes
import itertools
from contextlib import contextmanager
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache

import numpy as np

import limbik
from limbik.engines import dispatch, numpy_engine
from limbik.exporting.functions import LimbFunctions
from limbik.exporting.items import TURN_RATE
from limbik.limbs import two_link
from tests.thoroughness import THOROUGH

ROWS = 100_000 if THOROUGH else 500
PATHS, FRAMES = (200, 500) if THOROUGH else (2, 100)
MIDDLE = (0.2, 2.6)
LAST = (-0.7, 1.9)
LIMBS = {"planar": limbik.PlanarTwoLink, "two_link": limbik.TwoLink, "three_link": limbik.ThreeLink}
# Options whose formulas use sin or cos on the way to the joints: these are the language's own.
TRANSCENDENTAL = {"twist", "last_limits", "track"}


@dataclass(frozen=True)
class Case:
    """A limb with options, and all its answers."""

    limb: str
    options: tuple[str, ...]

    @property
    def name(self) -> str:
        return "_".join([self.limb, *self.options])

    @property
    def answers(self) -> tuple[str, ...]:
        return ("joints", "angles", "report") if self.limb == "planar" else ("joints", "rotations", "angles", "report")

    @property
    def functions(self) -> LimbFunctions:
        return LimbFunctions(self.limb, frozenset(self.options), self.answers)

    @property
    def exact(self) -> bool:
        """Whether IEEE arithmetic alone decides the joints."""
        return not TRANSCENDENTAL & set(self.options)


ALONE = {
    "planar": [(), ("middle_limits",)],
    "two_link": [(), ("middle_limits",), ("twist",), ("soften",), ("branches",)]
    + [("middle_limits", "branches"), ("middle_limits", "twist", "soften", "branches")],
    "three_link": [(), ("middle_limits",), ("easy",), ("hint",), ("easy", "hint"), ("position",), ("branches",)]
    + [("hint", "position", "branches"), ("middle_limits", "easy", "hint", "branches"), ("last_limits",)]
    + [
        ("middle_limits", "last_limits", "hint", "branches"),
        ("last_limits", "position"),
        ("last_limits", "easy", "hint"),
    ],
}
CASES = [Case(limb, options) for limb, sets in ALONE.items() for options in sets]
TRACKS = [
    Case("two_link", ("track",)),
    Case("two_link", ("middle_limits", "twist", "soften", "track")),
    Case("three_link", ("track",)),
    Case("three_link", ("easy", "hint", "track")),
    Case("three_link", ("position", "track")),
    Case("three_link", ("middle_limits", "last_limits", "track")),
]


@cache
def _of_arrays(name: str, inputs: int):
    """A function of the C library's for arrays: compiled for many rows, which takes a second to begin with."""
    plain = getattr(ctypes.CDLL(find_library("m")), name)
    kind = ctypes.c_float if name.endswith("f") else ctypes.c_double
    plain.restype, plain.argtypes = kind, [kind] * inputs
    if not THOROUGH:
        return np.frompyfunc(plain, inputs, 1)
    import numba

    number = numba.float32 if kind is ctypes.c_float else numba.float64

    def one(a):
        return plain(a)

    def two(a, b):
        return plain(a, b)

    return numba.vectorize([number(*[number] * inputs)])(one if inputs == 1 else two)


@contextmanager
def elementary_functions(dtype: np.dtype, library: str):
    """Within a `with` block, limbik's NumPy engine takes sin, cos and atan2 from the C library.

    With the library "rounded", from the C library in float64, rounded to the number type, as JavaScript does.
    """
    single = dtype == np.float32 and library == "c"

    def function(name: str, inputs: int):
        each = _of_arrays(name + "f" * single, inputs)
        kind = np.float32 if single else np.float64
        return lambda *args: np.asarray(each(*(np.asarray(one, kind) for one in args)), kind).astype(dtype)

    ours = {name: function(name, 2 if name == "atan2" else 1) for name in ("sin", "cos", "atan2")}
    before = {name: numpy_engine.FUNCTIONS[name] for name in ours}
    twist = two_link._cosine_and_sine
    two_link._cosine_and_sine = lambda angle: np.stack([ours["cos"](angle), ours["sin"](angle)], -1)
    numpy_engine.FUNCTIONS.update(ours)
    numpy_engine.compiled.cache_clear()
    try:
        with dispatch.use("numpy"):
            yield
    finally:
        numpy_engine.FUNCTIONS.update(before)
        numpy_engine.compiled.cache_clear()
        two_link._cosine_and_sine = twist


def special_vectors(size: int, tiny: float, huge: float) -> np.ndarray:
    """Zeros of both signs, axes, NaN, infinities, subnormal and huge numbers."""
    numbers = [0.0, -0.0, 1.0, -1.0, 1e-8, tiny, -huge, np.nan, np.inf, -np.inf]
    return np.array(list(itertools.product(numbers, repeat=size)))


def vectors(rng: np.random.Generator, count: int, size: int, dtype: np.dtype) -> np.ndarray:
    """Half of them plain, the rest over many orders of magnitude, along axes, or special."""
    found = rng.normal(size=(count, size))
    limits = np.finfo(dtype)
    wide = rng.random(count) < 0.15
    exponents = 0.9 * np.log(float(limits.max))
    found[wide] *= np.exp(rng.uniform(-exponents, exponents, (wide.sum(), 1)))
    level = rng.random((count, size)) < 0.08
    found[level] = rng.choice([0.0, -0.0, 1.0, -1.0], level.sum())
    special = special_vectors(size, float(limits.smallest_subnormal), float(limits.max))
    odd = rng.random(count) < 0.1
    found[odd] = special[rng.integers(len(special), size=odd.sum())]
    return found


def inputs(case: Case, count: int, dtype: np.dtype, seed: int = 0) -> dict[str, np.ndarray]:
    """Values of every input of `solve`, (count, size), of the number type."""
    rng = np.random.default_rng(seed)
    functions = case.functions
    rows = {}
    for item in functions.inputs():
        if item.kind == "vector":
            rows[item.name] = vectors(rng, count, item.size, dtype)
        elif item.name in ("first", "second", "last"):
            spread = np.where(rng.random((count, 1)) < 0.1, 15.0, 1.0)
            rows[item.name] = np.exp(spread * rng.uniform(-1.5, 1.0, (count, 1)))
    for pair in (("first", "second"),):
        same = rng.random(count) < 0.2  # links of equal length fold to a point
        rows[pair[1]][same] = rows[pair[0]][same]
    exact = rng.random(count) < 0.1  # targets at full stretch along an axis, and on the origin
    reach = (rows["first"] + rows["second"])[exact]
    axis = np.eye(rows["target"].shape[1])[rng.integers(rows["target"].shape[1], size=exact.sum())]
    rows["target"][exact] = axis * reach * rng.choice([0.0, 1.0, -1.0], (exact.sum(), 1))
    rows["origin"][exact] = 0.0
    plain = rng.random(count) < 0.3
    rows["origin"][plain] = 0.0
    numbers = {
        "twist": rng.uniform(-6.2, 6.2, (count, 1)),
        "soften": rng.choice([1.0, 0.9, 0.5, 0.99], (count, 1)),
        "stretch": rng.choice([1.0, 1.0, 1.25, 3.0], (count, 1)),
        **{sign: rng.choice([1.0, -1.0], (count, 1)) for sign in ("bend", "axis", "upper")},
        "middle_low": np.full((count, 1), MIDDLE[0]),
        "middle_high": np.full((count, 1), MIDDLE[1]),
        "last_low": np.full((count, 1), LAST[0]),
        "last_high": np.full((count, 1), LAST[1]),
    }
    names = [item.name for item in functions.inputs()]
    with np.errstate(over="ignore"):
        rows = {name: np.asarray({**rows, **numbers}.get(name, 0.0), dtype) for name in names}
    if "middle_limits" in case.options:
        chords = np.asarray(limb_of(case, rows)._chords, dtype)
        rows["shortest"], rows["longest"] = chords[:, :1], chords[:, 1:]
    return rows


def limb_of(case: Case, rows: dict[str, np.ndarray], index=slice(None)) -> limbik.TwoLink:
    """The limbs of the rows."""
    lengths = [rows[name][index, 0] for name in ("first", "second", "last") if name in rows]
    limits = {"middle_limits": MIDDLE} if "middle_limits" in case.options else {}
    limits |= {"last_limits": LAST} if "last_limits" in case.options else {}
    if np.ndim(index) == 0 and not isinstance(index, slice):
        lengths = [float(length) for length in lengths]
    return LIMBS[case.limb](*lengths, **limits)


def solve_arguments(case: Case, rows: dict[str, np.ndarray]) -> dict[str, np.ndarray | str]:
    """The arguments of limbik's own `solve`."""
    names = {"target", "pole", "up", "origin", "hint", "twist", "soften", "stretch"} & set(rows)
    if case.limb != "two_link" and "bend" in rows:
        names |= {"bend"}
    found: dict = {name: rows[name] if rows[name].shape[1] > 1 else rows[name][:, 0] for name in names}
    if "easy" in case.options:
        found["style"] = "easy"
    if "position" in case.options:
        found["priority"] = "position"
    return found


def answers(case: Case, rows: dict[str, np.ndarray]) -> np.ndarray:
    """What limbik's own `solve` or `branches` answers, (count, numbers): joints, rotations, angles, report."""
    branches = "branches" in case.options
    limb = limb_of(case, rows)
    given = solve_arguments(case, rows)
    if branches:
        given.pop("bend", None)
        solution = limb.branches(**given)
    else:
        solution = limb.solve(**given)
    table = flat(case, solution)
    if not branches:
        return table
    signs = [rows[name][:, 0] < 0 for name in ("bend", "axis", "upper") if name in rows]
    number = sum(sign.astype(int) << (len(signs) - 1 - k) for k, sign in enumerate(signs))
    return table[number, np.arange(len(number))]


def flat(case: Case, solution: limbik.Solution) -> np.ndarray:
    """All answers of a solution along the last axis."""
    shape = solution.shape
    parts = [solution.joints.reshape(*shape, -1)]
    if "rotations" in case.answers:
        parts.append(solution.rotations.reshape(*shape, -1))
    parts.append(solution.angles.reshape(*shape, -1))
    for name in case.functions.program.report:
        parts.append(np.asarray(getattr(solution, name), solution.dtype).reshape(*shape, 1))
    return np.concatenate(parts, axis=-1)


def paths(case: Case, count: int, frames: int, dtype: np.dtype, seed: int = 0) -> dict[str, np.ndarray]:
    """The inputs of `track` along paths, (frames, count, size).

    They pass through the origin and through singular planes, leave the limb's reach, and have NaN on the way.
    """
    rng = np.random.default_rng(seed)
    time = np.linspace(0.0, 12.0, frames)[:, None, None]
    ones = np.ones((1, count, 1))
    waves = np.concatenate([np.sin(time), np.sin(1.7 * time + 1.0), np.cos(0.6 * time)], -1)
    target = rng.uniform(0.2, 1.3, (1, count, 1)) * np.einsum("tik,nkj->tnj", waves, rng.normal(size=(count, 3, 3)))
    waves = np.concatenate([np.cos(0.3 * time), np.sin(2.1 * time), np.sin(0.8 * time)], -1)
    guide = np.einsum("tik,nkj->tnj", waves, rng.normal(size=(count, 3, 3)))
    target[frames // 3] = 0.0
    target[frames // 2 : frames // 2 + 3] = np.nan
    parallel = slice(2 * frames // 3, 2 * frames // 3 + 10)
    guide[parallel] = target[parallel]
    lengths = rng.uniform(0.3, 0.6, (3, 1, count, 1))
    lengths[1, :, ::2] = lengths[0, :, ::2]
    values = {
        "first": lengths[0],
        "second": lengths[1],
        "last": lengths[2] / 3,
        "target": target,
        "pole": guide,
        "up": guide,
        "origin": 0.1 * np.cos(time) * np.ones(3),
        "hint": (0.2, 0.4, 1.0),
        "twist": 0.5 * np.sin(time),
        "soften": 0.9,
        "stretch": 1.2,
        "turn_rate": 5.0,
        **dict.fromkeys(("bend", "axis", "upper"), 1.0),
        "middle_low": MIDDLE[0],
        "middle_high": MIDDLE[1],
        "last_low": LAST[0],
        "last_high": LAST[1],
    }
    items = (*case.functions.inputs(), *case.functions.inputs(tracking=True), TURN_RATE)
    found = {}
    for item in items:
        value = np.asarray(values.get(item.name, 0.0)) * (ones if item.name == "origin" else 1.0)
        found[item.name] = np.asarray(np.broadcast_to(value, (frames, count, item.size)), dtype)
    if "middle_limits" in case.options:
        chords = np.asarray(limb_of(case, {name: one[0] for name, one in found.items()})._chords, dtype)
        found["shortest"], found["longest"] = (np.repeat(chords[None, :, k : k + 1], frames, 0) for k in range(2))
    return found


def tracked(case: Case, given: dict[str, np.ndarray]) -> np.ndarray:
    """What limbik's own `track` answers, (frames, count, numbers): joints and rotations."""
    arguments: dict = {name: given[name] for name in ("target", "pole", "up", "origin", "hint") if name in given}
    arguments |= {name: given[name][..., 0] for name in ("twist", "soften", "stretch") if name in given}
    if "easy" in case.options:
        arguments["style"] = "easy"
    if "position" in case.options:
        arguments["priority"] = "position"
    track = limb_of(case, {name: one[0] for name, one in given.items()}).track(**arguments)
    return np.concatenate([part.reshape(*track.shape, -1) for part in (track.joints, track.rotations)], axis=-1)
