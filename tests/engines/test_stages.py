"""Programs of stages give the same bits on floats, on NumPy and by a kernel, for any number of things."""

from typing import Annotated

import numpy as np
import pytest

from limbik.engines import dispatch, loading
from limbik.engines.stage_runner import Machine
from limbik.engines.stages import Ask, Layout, Program, Record, Stage, While, fields_of, record_stage
from limbik.formulas.operations import Boolean, Pair, Real, maximum, minimum, sin, sqrt, where
from limbik.gait.walker import Walker


class Box(Record):
    """One of each thing."""

    total: Real
    most: Real
    rounds: Real
    goes: Boolean


class Item(Record):
    """Some of each."""

    rows = "item"
    place: Pair
    height: Real
    big: Boolean
    beside: Annotated[tuple[Real, ...], 2]


class Weight(Record):
    """A parameter of each."""

    rows = "item"
    fixed = True
    mass: Real


def place(item: Item, weight: Weight, box: Box) -> None:
    item.place = box.total + weight.mass, sin(weight.mass * 3.0)
    item.big = weight.mass > 1.0


def add(item: Item, weight: Weight, before: Item, box: Box) -> None:
    box.total = box.total + weight.mass * item.height
    box.most = maximum(box.most, sqrt(item.height * item.height + weight.mass))
    item.beside = before.height, box.total


def count(box: Box) -> None:
    box.rounds = box.rounds + 1.0
    box.goes = box.rounds < minimum(box.most, 4.0)


STEPS = (
    Stage(place),
    While(
        Box, "goes", (Stage(place, where="big"), Ask(Item, "place", "height", where="big"), Stage(add), Stage(count))
    ),
)
PROGRAM = Program("items", STEPS, (Box, Item), (), (Weight,))
LAYOUT = Layout(
    {"body": 1, "item": 3},
    {Weight: np.array([[0.5], [1.5], [2.5]])},
    {("item", "before"): np.array([0, 0, 1])},
)


def ground(x, z):
    return 0.3 * x - z * z


def state_of(things):
    machine = Machine(PROGRAM, LAYOUT)
    state = np.zeros((things, machine.places.size))
    state[:, machine.places.columns(Box, "total")] = np.linspace(-1.0, 4.0, things)[:, None]
    state[:, machine.places.columns(Box, "goes")] = (np.arange(things) % 3 != 1)[:, None]
    return machine, state


def by_hand(total, goes):
    masses, heights, rounds, most = (0.5, 1.5, 2.5), [0.0] * 3, 0.0, 0.0
    places = [(total + mass, np.sin(mass * 3.0)) for mass in masses]
    while goes:
        for k in (1, 2):
            places[k] = total + masses[k], np.sin(masses[k] * 3.0)
            heights[k] = ground(*places[k])
        for mass, height in zip(masses, heights, strict=True):
            total += mass * height
            most = max(most, np.sqrt(height * height + mass))
        rounds += 1.0
        goes = rounds < min(most, 4.0)
    return total, most, rounds


@pytest.mark.parametrize("things", [1, 5, 40, 200])
def test_every_engine_gives_the_same_bits(things):
    found = []
    for engine in ("floats", "numpy", "numba"):
        machine, state = state_of(things)
        if engine == "floats":
            machine._run_without(state, None, ground, arrays=False)
        else:
            with dispatch.use(engine):
                machine.run(state, ground)
        found.append(state)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    starts = zip(np.linspace(-1.0, 4.0, things), np.arange(things) % 3 != 1, strict=True)
    wanted = np.array([by_hand(*start) for start in starts])
    assert np.allclose(found[0][:, :3], wanted, rtol=1e-12)


def test_a_kernel_serves_things_of_any_number_of_rows():
    with dispatch.use("numba"):
        machine, state = state_of(2)
        machine.run(state, ground)
    more = Layout({"body": 1, "item": 1}, {Weight: np.array([[2.0]])}, {("item", "before"): np.zeros(1, int)})
    other = Machine(PROGRAM, more)
    assert other._kernel is machine._kernel and machine._kernel in loading.kernels
    state = np.zeros((1, other.places.size))
    state[:, other.places.columns(Box, "goes")] = 1.0
    other.run(state, ground)
    assert 1.0 < state[0, other.places.columns(Box, "rounds")] <= 4.0


def test_what_a_stage_reads_and_writes_is_seen_from_its_formula():
    found = record_stage(add)
    assert [(name, part) for name, part, _ in found.writes] == [
        ("item", "beside_x"), ("item", "beside_z"), ("box", "total"), ("box", "most"),
    ]  # fmt: skip
    assert ("before", "height", fields_of(Item)["height"].offset) in found.reads


def test_parameters_cannot_be_assigned():
    def wrong(weight: Weight) -> None:
        weight.mass = where(weight.mass > 1.0, 1.0, weight.mass)

    with pytest.raises(AssertionError, match=r"weight\.mass is a parameter"):
        record_stage(wrong)


@pytest.mark.parametrize("kind", ["hexapod", "biped"])
def test_the_engine_does_not_show_in_a_walk(kind):
    def last_state():
        walker = Walker(kind, "hills", seed=1)
        walker.step(0.5, velocity=(0.1, 0.5 * walker.fastest))
        return walker.state.numbers

    with dispatch.use("numba"):
        usual = last_state()
    with dispatch.use("numpy"):
        other = last_state()
    assert np.array_equal(usual, other)
