"""Programs of stages: formulas over records of named numbers, and questions to the ground between them.

A record type names numbers: `class Leg(Record)` with annotated fields. Each thing that a program moves has so many rows
of each type: a spider eight legs. A stage is a function of records that assigns fields; it runs for each row in order,
so that a later row sees what an earlier one has assigned, and what a stage over legs adds to the body is a sum.
Stages are recorded once, as formulas are, and run by `stage_runner.py` or written as source by `limbik.exporting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import signature
from types import MappingProxyType
from typing import Annotated, ClassVar, NamedTuple, get_args, get_origin, get_type_hints

import numpy as np

from limbik.engines.trace import Trace, lower, step_formulas
from limbik.formulas.operations import Boolean, Real, Symbol, recording, where

AXES = {2: "xz", 3: "xyz", 4: "xyzw"}
ONE = "body"  # the name of the rows of which each thing has one


class Record:
    """Named numbers: fields annotated as Real, Boolean, Pair (x and z), Vector, Quaternion or Annotated tuples.

    rows: the name of its rows. fixed: whether they are parameters, the same for all things of a kind.
    """

    rows: ClassVar[str] = ONE
    fixed: ClassVar[bool] = False


class Field(NamedTuple):
    """Where a field lies in a record; `parts` are the names of its numbers."""

    offset: int
    parts: tuple[str, ...]
    truth: bool


@cache
def fields_of(kind: type[Record]) -> Mapping[str, Field]:
    """The fields of a record type by name, in their order."""
    found: dict[str, Field] = {}
    offset = 0
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is ClassVar:
            continue
        size = 1
        if get_origin(hint) is Annotated:
            size = int(get_args(hint)[1])
        elif get_origin(hint) is tuple:
            size = len(get_args(hint))
        parts = (name,) if size == 1 else tuple(f"{name}_{axis}" for axis in AXES.get(size, range(size)))
        found[name] = Field(offset, parts, hint == Boolean)
        offset += size
    return found


@cache
def size_of(kind: type[Record]) -> int:
    """How many numbers a record consists of."""
    return sum(len(field.parts) for field in fields_of(kind).values())


# --- a program


@dataclass(frozen=True)
class Stage:
    """A formula for each of some rows.

    Attributes:
        formula: takes records, by parameters annotated with their types, and assigns fields.
        over: the name of the rows; "" for those of the first parameter.
        where: a Boolean field of the first parameter's record, or "parameter.field"; other rows are left out. "" for
            all.
    """

    formula: Callable[..., None]
    over: str = ""
    where: str = ""

    @property
    def name(self) -> str:
        """The formula's name."""
        return self.formula.__name__.strip("_")

    @property
    def guard(self) -> tuple[str, int] | None:
        """The parameter that decides whether a row is left out, and the place of the number in its record."""
        if not self.where:
            return None
        *parameter, field = self.where.split(".")
        kinds = kinds_of(self.formula)
        name = parameter[0] if parameter else next(iter(kinds))
        return name, fields_of(kinds[name])[field].offset

    @property
    def rows(self) -> str:
        """The name of the rows that it runs over."""
        return self.over or next(iter(kinds_of(self.formula).values())).rows


@dataclass(frozen=True)
class Ask:
    """A question to the ground: heights at places.

    Attributes:
        kind: the record type that has the places.
        places: the field of x and z or, for several, the beginning of two names: those that end in _x and _z.
        heights: the field that takes the answers.
        where: a Boolean field: the rows that ask. "" for all.
    """

    kind: type[Record]
    places: str
    heights: str
    where: str = ""

    @property
    def points(self) -> list[tuple[int, int, int]]:
        """The numbers of x, z and height of each place in the record."""
        fields = fields_of(self.kind)
        height = fields[self.heights]
        if self.places in fields:
            first = fields[self.places].offset
            return [(first, first + 1, height.offset)]
        x, z = fields[f"{self.places}_x"].offset, fields[f"{self.places}_z"].offset
        return [(x + k, z + k, height.offset + k) for k in range(len(height.parts))]


@dataclass(frozen=True)
class While:
    """What is repeated as long as a Boolean field of a record of which there is one holds."""

    kind: type[Record]
    flag: str
    steps: tuple[Step, ...]


Step = Stage | Ask | While


def stages_of(steps: Sequence[Step]) -> Iterator[Stage]:
    """The stages among steps, in order, each once."""
    seen: set[Stage] = set()
    for step in steps:
        for stage in (step,) if isinstance(step, Stage) else stages_of(step.steps) if isinstance(step, While) else ():
            if stage not in seen:
                seen.add(stage)
                yield stage


@cache
def kinds_of(formula: Callable[..., None]) -> Mapping[str, type[Record]]:
    """The record types of a formula's parameters."""
    hints = get_type_hints(formula)
    return {name: hints[name] for name in signature(formula).parameters}


@dataclass(frozen=True, eq=False)
class StageTrace:
    """A recorded stage.

    Attributes:
        trace: its parameters are named as `reads`.
        reads: the parameter of the stage, the name of a number and its place in the record, for each that it reads.
        writes: the same for each output of the trace.
    """

    trace: Trace
    reads: tuple[tuple[str, str, int], ...]
    writes: tuple[tuple[str, str, int], ...]


def number_name(parameter: str, part: str) -> str:
    """The name of a number in a trace."""
    return f"{parameter}_{part}"


@cache
def traced(formula: Callable[..., None]) -> StageTrace:
    """A stage's formula, recorded in full, with polynomials for sines, so that all engines give the same bits."""
    return record_stage(formula)


Known = Mapping[tuple[type[Record], str], bool]  # truths by record type and field


def record_stage(
    formula: Callable[..., None],
    known: Known = MappingProxyType({}),
    renamed: Callable[[Sequence[Real], Sequence[Real]], None] | None = None,
) -> StageTrace:
    """The same, not kept.

    Args:
        formula: the stage's.
        known: parameters whose truth is part of the recorded formula.
        renamed: called with symbols and with those that take their places.
    """
    kinds = kinds_of(formula)
    records, before = {}, {}
    with recording(rare=True):
        for parameter, kind in kinds.items():
            record = records[parameter] = kind()
            for name, field in fields_of(kind).items():
                parts = tuple(Symbol("name", number_name(parameter, part)) for part in field.parts)
                value = parts[0] > 0.5 if field.truth else parts[0] if len(parts) == 1 else parts
                value = known.get((kind, name), value)
                setattr(record, name, value)
                before[parameter, name] = value
        formula(**records)
        writes, outputs = _assigned(kinds, records, before)
    recorded = Trace(formula.__name__.strip("_"), (), tuple(outputs), ())
    low = lower(recorded, True, step_formulas(np.dtype(np.float64)))
    if renamed:
        renamed(recorded.outputs, low.outputs)
    names = _names_in(low)
    reads = tuple(
        (parameter, part, field.offset + k)
        for parameter, kind in kinds.items()
        for field in fields_of(kind).values()
        for k, part in enumerate(field.parts)
        if number_name(parameter, part) in names
    )
    parameters = tuple(number_name(parameter, part) for parameter, part, _ in reads)
    return StageTrace(Trace(low.name, parameters, low.outputs, ()), reads, tuple(writes))


def _assigned(
    kinds: Mapping[str, type[Record]], records: Mapping[str, Record], before: Mapping[tuple[str, str], object]
) -> tuple[list[tuple[str, str, int]], list[Real]]:
    writes: list[tuple[str, str, int]] = []
    outputs: list[Real] = []
    for parameter, kind in kinds.items():
        for name, field in fields_of(kind).items():
            value = getattr(records[parameter], name)
            if value is before[parameter, name]:
                continue
            assert not kind.fixed, f"{parameter}.{name} is a parameter"
            parts = value if isinstance(value, tuple) else (value,)
            assert len(parts) == len(field.parts), f"{parameter}.{name} has {len(field.parts)} numbers"
            for k, (part, one) in enumerate(zip(field.parts, parts, strict=True)):
                writes.append((parameter, part, field.offset + k))
                outputs.append(where(one, 1.0, 0.0) if field.truth else one)
    return writes, outputs


def _names_in(trace: Trace) -> set[str]:
    seen: set[int] = set()
    found: set[str] = set()
    waiting = [one for one in trace.outputs if isinstance(one, Symbol)]
    while waiting:
        step = waiting.pop()
        if id(step) in seen:
            continue
        seen.add(id(step))
        if step.operation == "name":
            found.add(str(step.inputs[0]))
        waiting += [one for one in step.inputs if isinstance(one, Symbol)]
    return found


# --- where the numbers of a thing are


@dataclass(frozen=True, eq=False)
class Layout:
    """How many rows a kind of thing has of each name, its parameters, and which rows belong together.

    Attributes:
        counts: the number of rows by name.
        values: the parameters: for each record type that is fixed, (rows, numbers).
        links: for the name of rows and that of a stage's parameter, the row that it stands for.
    """

    counts: Mapping[str, int]
    values: Mapping[type[Record], np.ndarray]
    links: Mapping[tuple[str, str], np.ndarray]

    def rows_of(self, rows: str, parameter: str, kind: type[Record]) -> np.ndarray | None:
        """The row that a parameter stands for in each row of a stage; None for the same row, or the only one."""
        linked = self.links.get((rows, parameter))
        if linked is None and kind.rows not in (rows, ONE):
            raise KeyError(f"no link from {rows} to {parameter}")
        return linked


class Program(NamedTuple):
    """Steps, and the record types that they use.

    kept: those of the state that is kept from run to run. scratch: those that are read only where they have been
    written in the same run. parameters: those that are fixed.
    """

    name: str
    steps: tuple[Step, ...]
    kept: tuple[type[Record], ...]
    scratch: tuple[type[Record], ...]
    parameters: tuple[type[Record], ...]

    @property
    def kinds(self) -> tuple[type[Record], ...]:
        """All of them."""
        return *self.kept, *self.scratch, *self.parameters

    def memory(self, kind: type[Record]) -> str:
        """Where records of a type are: "state", "scratch" or "fixed"."""
        return "fixed" if kind.fixed else "state" if kind in self.kept else "scratch"
