"""Runs programs of stages over many things at once: by a kernel when it is ready, else on floats or NumPy arrays.

All give the same bits. The state of things is an array (things, numbers): what a thing's stages read and write lies
together. A kernel runs from one question to the ground to the next; the answers are looked up here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numpy_engine, scalar_engine
from limbik.engines.generated_source import define, indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import TEMPLATES as NUMBA_TEMPLATES
from limbik.engines.numba_engine import preamble
from limbik.engines.stages import (
    ONE,
    Ask,
    Layout,
    Program,
    Record,
    Stage,
    Step,
    While,
    fields_of,
    kinds_of,
    size_of,
    stages_of,
    traced,
)
from limbik.engines.threads import spread
from limbik.engines.trace import Writer

Heights = Callable[[Array, Array], Array]  # of the ground at x and z, (n,) each

MEMORIES = "state", "scratch", "fixed"
GROUP = "stages"  # of kernels that are needed together
FLOATS_MAX_THINGS = 12  # up to here, plain floats one by one are faster than NumPy
BLOCK_THINGS = 64  # that a kernel moves together, so that their scratch stays in the cache
FLOAT64 = np.dtype(np.float64)


# --- steps in a row, without nesting


class Run(NamedTuple):
    """Stages in order, for the things whose flag holds; None for all."""

    stages: tuple[Stage, ...]
    flag: While | None


class Question(NamedTuple):
    """Questions that are asked together, for the things whose flag holds."""

    asks: tuple[Ask, ...]
    flag: While | None


class Unless(NamedTuple):
    """Goes on at another place if the flag holds for nothing."""

    flag: While
    target: int


class Jump(NamedTuple):
    """Goes on at another place."""

    target: int


Instruction = Run | Question | Unless | Jump


@cache
def instructions(program: Program) -> tuple[Instruction, ...]:
    """A program's steps without nesting."""
    found: list[Instruction] = []

    def add(steps: Sequence[Step], flag: While | None) -> None:
        alike: list[Step] = []

        def end() -> None:
            stages = tuple(step for step in alike if isinstance(step, Stage))
            asks = tuple(step for step in alike if isinstance(step, Ask))
            if alike:
                found.append(Run(stages, flag) if stages else Question(asks, flag))
            alike.clear()

        for step in steps:
            if alike and type(step) is not type(alike[0]):
                end()
            if not isinstance(step, While):
                alike.append(step)
            else:
                start = len(found)
                found.append(Jump(0))  # its place is taken below
                add(step.steps, step)
                found.append(Jump(start))
                found[start] = Unless(step, len(found))
        end()

    add(program.steps, None)
    return tuple(found)


# --- places of numbers


class Places:
    """Where a program's records lie in the state of a thing and among the parameters, and rows that belong together.

    The numbers of `table` are the places of the first rows, the numbers of rows, and where links begin, by name.
    """

    def __init__(self, program: Program, layout: Layout) -> None:
        self.layout = layout
        self.first: dict[type[Record], int] = {}
        self.size, self.scratch = (self._laid(kinds) for kinds in (program.kept, program.scratch))
        fixed, place = [], 0
        for kind in program.parameters:
            values = layout.values[kind].reshape(layout.counts[kind.rows], size_of(kind))
            self.first[kind] = place
            place += values.size
            fixed.append(values.ravel())
        self.fixed = np.concatenate(fixed).astype(float)
        names = names_of(program)
        self.memory = {kind: program.memory(kind) for kind in program.kinds}
        self.starts: dict[tuple[str, str], int] = {}
        links, place = [np.zeros(1, np.int64)], 1
        for link in names.links:
            self.starts[link] = place
            rows = layout.links[link]
            links.append(np.asarray(rows, np.int64))
            place += len(rows)
        self.links = np.concatenate(links)
        firsts = [self.first[kind] for kind in names.kinds]
        counts = [layout.counts[rows] for rows in names.rows]
        self.table = np.array([self.size, self.scratch, *firsts, *counts, *self.starts.values()], np.int64)
        questions = [one for one in instructions(program) if isinstance(one, Question)]
        self.most_asked = max((sum(map(self._asked, one.asks)) for one in questions), default=0)

    def _laid(self, kinds: Sequence[type[Record]]) -> int:
        """Lays records one after the other; returns the size of all."""
        size = 0
        for kind in kinds:
            self.first[kind] = size
            size += size_of(kind) * self.layout.counts[kind.rows]
        return size

    def _asked(self, ask: Ask) -> int:
        return self.layout.counts[ask.kind.rows] * len(ask.points)

    def place(self, kind: type[Record], row: int = 0) -> int:
        """The place of the first number of a row."""
        return self.first[kind] + row * size_of(kind)

    def columns(self, kind: type[Record], field: str) -> slice:
        """The places of a field of the first row."""
        found = fields_of(kind)[field]
        return slice(self.first[kind] + found.offset, self.first[kind] + found.offset + len(found.parts))


class Names(NamedTuple):
    """What a kernel of a program knows by number."""

    kinds: tuple[type[Record], ...]
    rows: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


@cache
def names_of(program: Program) -> Names:
    """The record types, names of rows and links of a program."""
    links: dict[tuple[str, str], None] = {}
    rows: dict[str, None] = {kind.rows: None for kind in program.kinds}
    for stage in stages_of(program.steps):
        rows[stage.rows] = None
        for parameter, kind in kinds_of(stage.formula).items():
            if is_link(stage, parameter, kind):
                links[stage.rows, parameter] = None
    return Names(program.kinds, tuple(rows), tuple(links))


@cache
def is_link(stage: Stage, parameter: str, kind: type[Record]) -> bool:
    """Whether a stage's parameter stands for another row than its own: by its name, unlike that of the rows."""
    if kind.rows == ONE:
        return False
    return kind.rows != stage.rows or (parameter != kind.rows and not kind.fixed and not _is_first(stage, parameter))


def _is_first(stage: Stage, parameter: str) -> bool:
    return not stage.over and next(iter(kinds_of(stage.formula))) == parameter


# --- on floats and NumPy


@cache
def _function(program: Program, stage: Stage, arrays: bool) -> Callable[..., None]:
    """A stage as a function of state, scratch and parameters, lists of numbers or arrays, and places of its records."""
    found = traced(stage.formula)
    kinds = kinds_of(stage.formula)
    writer = Writer(numpy_engine.TEMPLATES if arrays else scalar_engine.TEMPLATES)
    outputs = [writer.write(output) for output in found.trace.outputs]
    source = {name: program.memory(kind) for name, kind in kinds.items()}
    lines = [
        f"{parameter}_{part} = {source[parameter]}[at_{parameter} + {place}]" for parameter, part, place in found.reads
    ]
    lines += writer.lines(*outputs)
    for (parameter, _, place), output in zip(found.writes, outputs, strict=True):
        lines.append(f"{source[parameter]}[at_{parameter} + {place}] = {output}")
    head = f"def {stage.name}(state, scratch, fixed, {', '.join(f'at_{name}' for name in kinds)}):"
    scope = {**(numpy_engine.FUNCTIONS if arrays else scalar_engine.NAMES), **numpy_engine.constants(FLOAT64)}
    return define(stage.name, [head, *indented(lines or ["pass"])], scope)


class _Bound(NamedTuple):
    """A stage of one kind of thing: the places of its records for each row, and of the flag that it asks."""

    stage: Stage
    rows: tuple[tuple[int, ...], ...]
    guard: tuple[int, int, str] | None  # which of its records, the place in it, where that is
    writes: tuple[tuple[int, int, str], ...]  # the same of each number that it writes


def _bound(stage: Stage, places: Places) -> _Bound:
    kinds = kinds_of(stage.formula)
    count = places.layout.counts[stage.rows]
    columns = []
    for parameter, kind in kinds.items():
        if is_link(stage, parameter, kind):
            rows = places.layout.links[stage.rows, parameter].tolist()
        else:
            rows = [0] * count if kind.rows == ONE and stage.rows != ONE else range(count)
        columns.append([places.place(kind, row) for row in rows])
    order = list(kinds)

    def known(name: str, place: int) -> tuple[int, int, str]:
        return order.index(name), place, places.memory[kinds[name]]

    writes = tuple(known(name, place) for name, _, place in traced(stage.formula).writes)
    return _Bound(stage, tuple(zip(*columns, strict=True)), stage.guard and known(*stage.guard), writes)


# --- as a kernel


class StageKernel:
    """The kernel of a program, for things of any kind; told apart by identity.

    It goes on at an instruction, until a question is asked or the end; `at` then has the instruction after the
    question, and the number of places, which are in `asked` (2, places); the answers are to be in `found`.
    """

    def __init__(self, program: Program) -> None:
        self._program = program

    def signature(self) -> str:
        """In Numba's notation."""
        reals, written = array_type("float64", 1, "C"), array_type("float64", 1, "C", written=True)
        places, whole = array_type("float64", 2, "C", written=True), array_type("int64", 1, "C")
        at = array_type("int64", 1, "C", written=True)
        return nothing_from("intp", "intp", "intp", written, written, reals, whole, whole, places, reals, at)

    def text(self) -> str:
        """The source."""
        program = self._program
        names, steps = names_of(program), instructions(program)
        lines = [
            *preamble(FLOAT64)[:1],
            "from limbik.engines.numba_lowering import row_loop",
            *preamble(FLOAT64)[3:],
        ]
        for stage in stages_of(program.steps):
            lines += self._definition(stage)
        asked = {one.kind for question in steps if isinstance(question, Question) for one in question.asks}
        flags = {one.flag.kind for one in steps if not isinstance(one, Jump) and one.flag}
        body = ["size = table[0]", "scratch_size = table[1]"]
        body += [f"first_{kind.__name__} = table[{self._table[kind]}]" for kind in names.kinds if kind in asked | flags]
        rows = dict.fromkeys(kind.rows for kind in names.kinds if kind in asked)
        body += [f"count_{one} = table[{self._table[one]}]" for one in rows]
        body += ["step = start", "while True:"]
        for number, one in enumerate(steps):
            body += indented(
                [f"{'if' if number == 0 else 'elif'} step == {number}:", *indented(self._instruction(number, one))]
            )
        body += indented(["else:", "    at[0] = -1", "    return"])
        head = "def kernel(start, begin, end, state, scratch, fixed, table, links, asked, found, at):"
        return "\n".join([*lines, head, *indented(body)]) + "\n"

    def _instruction(self, number: int, one: Instruction) -> list[str]:
        if isinstance(one, Jump):
            return [f"step = {one.target}"]
        if isinstance(one, Unless):
            flag = fields_of(one.flag.kind)[one.flag.flag].offset
            test = f"state[np.uintp(thing * size + first_{one.flag.kind.__name__} + {flag})] > 0.5"
            return [
                f"step = {one.target}",
                "for thing in range(begin, end):",
                f"    if {test}:",
                f"        step = {number + 1}",
                "        break",
            ]
        if isinstance(one, Run):
            lines = [line for stage in one.stages for line in self._loop(stage)]
            return [*_things(one.flag, lines), f"step = {number + 1}"]
        return self._question(number, one)

    def _question(self, number: int, one: Question) -> list[str]:
        put, take = (_things(one.flag, [line for ask in one.asks for line in self._asked(ask, k)]) for k in (0, 1))
        return [
            "number = 0",
            "if at[0] != step:",
            *indented(put),
            "    if number > 0:",
            "        at[0] = step",
            "        at[1] = number",
            "        return",
            "else:",
            *indented(take),
            "    at[0] = -2",
            f"step = {number + 1}",
        ]

    def _asked(self, ask: Ask, answered: int) -> list[str]:
        """The lines that write the places that rows ask for, or read the answers."""
        size, count = size_of(ask.kind), len(ask.points)
        rows = f"count_{ask.kind.rows}" if ask.kind.rows != ONE else "1"
        memory = self._program.memory(ask.kind)
        here = [f"{memory}[np.uintp(place + {first} + k)]" for first in ask.points[0]]
        lines = [f"{here[2]} = found[np.uintp(number + k)]"] if answered else []
        lines = lines or [f"asked[{axis}, np.uintp(number + k)] = {here[axis]}" for axis in (0, 1)]
        lines = [f"for k in range({count}):", *indented(lines), f"number += {count}"]
        if ask.where:
            flag = fields_of(ask.kind)[ask.where].offset
            lines = [f"if {memory}[np.uintp(place + {flag})] > 0.5:", *indented(lines)]
        place = f"place = {self._first(ask.kind)} + row * {size}"
        return [f"for row in range({rows}):", *indented([place, *lines])]

    def _first(self, kind: type[Record]) -> str:
        """The place of the first record of a type."""
        first = f"first_{kind.__name__}"
        memory = self._program.memory(kind)
        things = {"fixed": "", "state": "thing * size + ", "scratch": "(thing - begin) * scratch_size + "}
        return things[memory] + first

    def _definition(self, stage: Stage) -> list[str]:
        """A stage as a loop over its rows."""
        found, kinds = traced(stage.formula), kinds_of(stage.formula)
        order = list(kinds)
        writer = Writer(NUMBA_TEMPLATES, lambda number: f"real({number!r})")
        outputs = [writer.write(output) for output in found.trace.outputs]
        places = self._table
        records = tuple(
            (
                MEMORIES.index(self._program.memory(kind)),
                places[kind],
                size_of(kind),
                places[stage.rows, name] if is_link(stage, name, kind) else -2 if kind.rows == ONE else -1,
            )
            for name, kind in kinds.items()
        )
        shape = (
            -1 if stage.rows == ONE else places[stage.rows],
            records,
            stage.guard and (order.index(stage.guard[0]), stage.guard[1]),
            tuple((order.index(name), place) for name, _, place in found.reads),
            tuple((order.index(name), place) for name, _, place in found.writes),
        )
        return [
            f"@row_loop{shape!r}",
            f"def {self._names[stage]}({', '.join(found.trace.parameters)}):",
            *indented([*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]),
            "",
        ]

    @cached_property
    def _names(self) -> dict[Stage, str]:
        """A name for each stage."""
        return {stage: f"do_{k}_{stage.name}" for k, stage in enumerate(stages_of(self._program.steps))}

    @cached_property
    def _table(self) -> dict[Any, int]:
        """Which number of the table says where records or links begin, or how many rows there are."""
        names = names_of(self._program)
        return {key: 2 + k for k, key in enumerate((*names.kinds, *names.rows, *names.links))}

    def _loop(self, stage: Stage) -> list[str]:
        return [f"{self._names[stage]}(state, scratch, fixed, table, links, thing, begin)"]


def _things(flag: While | None, lines: list[str]) -> list[str]:
    if flag is not None:
        place = f"first_{flag.kind.__name__} + {fields_of(flag.kind)[flag.flag].offset}"
        lines = [f"if state[np.uintp(thing * size + {place})] > 0.5:", *indented(lines)]
    return ["for thing in range(begin, end):", *indented(lines)]


@cache
def kernel_of(program: Program) -> StageKernel:
    """The kernel of a program."""
    return StageKernel(program)


# --- all together


Memories = dict[str, list[Any]]  # numbers of a thing, or arrays of several, by memory


class _Buffers(NamedTuple):
    """The memory in which a kernel runs: scratch, places and the number of questions, and answers."""

    scratch: Array
    asked: Array
    at: Array
    found: Array

    @classmethod
    def of(cls, places: Places, things: int) -> _Buffers:
        """For so many things."""
        asked = np.empty((2, max(places.most_asked, 1) * things))
        return cls(np.zeros(places.scratch * things), asked, np.empty(2, np.int64), np.zeros(1))


class Machine:
    """A program for one kind of thing.

    Args:
        program: what to run.
        layout: of the kind.
    """

    def __init__(self, program: Program, layout: Layout) -> None:
        self.program, self.places = program, Places(program, layout)
        self._kernel = kernel_of(program)
        self._one: _Buffers | None = None
        self._bounds: dict[Stage, _Bound] = {}
        self._fixed: list[float] = []

    def run(self, state: Array, heights: Heights | None = None, scratch: Array | None = None) -> None:
        """Runs the program.

        Args:
            state: (things, numbers), contiguous float64; changed in place.
            heights: of the ground; for programs that ask for it.
            scratch: (things, numbers), where what is not kept is to be read afterwards.
        """
        chosen = dispatch.chosen()
        if chosen == "numba":
            loading.loaded(self._kernel)
        work = None if chosen == "numpy" else loading.kernels.get(self._kernel)
        if work is None:
            started = perf_counter()
            self._run_without(state, scratch, heights, len(state) > FLOATS_MAX_THINGS or chosen == "numpy")
            if not chosen:
                loading.note(self._kernel, perf_counter() - started, GROUP)
            return
        found = self._by_kernel(work, state, scratch, heights)
        if len(state) <= BLOCK_THINGS:
            found(0, len(state))
        else:
            spread(found, len(state), rows_per_thread=BLOCK_THINGS)

    def _by_kernel(
        self, work: Callable[..., None], state: Array, scratch: Array | None, heights: Heights | None
    ) -> Callable[[int, int], None]:
        """What runs a part of the things by the kernel."""
        places, flat = self.places, state.reshape(-1)

        def run(start: int, stop: int) -> None:
            if stop - start == 1:
                buffers = self._one = self._one or _Buffers.of(places, 1)
            else:
                buffers = _Buffers.of(places, min(BLOCK_THINGS, stop - start))
            own, asked, at, found = buffers
            for begin in range(start, stop, BLOCK_THINGS):
                end, step = min(begin + BLOCK_THINGS, stop), 0
                memory = own if scratch is None else scratch[begin:end].reshape(-1)
                at[0] = -2
                while True:
                    work(step, begin, end, flat, memory, places.fixed, places.table, places.links, asked, found, at)
                    step, number = at.tolist()
                    if step < 0:
                        break
                    assert heights is not None
                    found = np.ascontiguousarray(heights(asked[0, :number], asked[1, :number]))

        return run

    # --- without a kernel

    def _run_without(self, state: Array, scratch: Array | None, heights: Heights | None, arrays: bool) -> None:
        own = np.zeros((len(state), self.places.scratch)) if scratch is None else scratch
        if arrays:
            memories = {"state": list(np.ascontiguousarray(state.T)), "scratch": list(np.ascontiguousarray(own.T))}
            with np.errstate(all="ignore"):
                self._interpret(memories, heights, len(state))
            for array, name in ((state, "state"), (own, "scratch")):
                for k, column in enumerate(memories[name]):
                    array[:, k] = column
            return
        for one, beside in zip(state, own, strict=True):
            memories = {"state": one.tolist(), "scratch": beside.tolist()}
            self._interpret(memories, heights, 0)
            one[:], beside[:] = memories["state"], memories["scratch"]

    def _interpret(self, memories: Memories, heights: Heights | None, count: int) -> None:
        """Runs on one thing's floats, for a count of 0, or on arrays of so many things."""
        self._fixed = self._fixed or self.places.fixed.tolist()
        memories["fixed"] = self._fixed
        steps, number = instructions(self.program), 0
        while number < len(steps):
            one = steps[number]
            number += 1
            if isinstance(one, Jump):
                number = one.target
            elif isinstance(one, Unless):
                if not np.any(self._flag(memories, one.flag)):
                    number = one.target
            elif isinstance(one, Question):
                assert heights is not None
                self._answer(memories, one, heights, count)
            else:
                held = self._flag(memories, one.flag)
                for stage in one.stages:
                    self._stage(memories, stage, held, count)

    def _flag(self, memories: Memories, flag: While | None) -> Any:
        if flag is None:
            return True
        return memories[self.places.memory[flag.kind]][self.places.columns(flag.kind, flag.flag).start] > 0.5

    def _stage(self, memories: Memories, stage: Stage, held: Any, count: int) -> None:
        bound = self._bounds.get(stage) or self._bounds.setdefault(stage, _bound(stage, self.places))
        function = _function(self.program, stage, count > 0)
        state, scratch, fixed = (memories[name] for name in MEMORIES)
        if not count and not held:
            return
        for row in bound.rows:
            chosen = held
            if bound.guard:
                which, place, memory = bound.guard
                chosen = held & (memories[memory][row[which] + place] > 0.5)
            if not count:
                if chosen:
                    function(state, scratch, fixed, *row)
                continue
            if not np.any(chosen):
                continue
            written = [(memories[memory], row[which] + place) for which, place, memory in bound.writes]
            before = [numbers[k] for numbers, k in written]
            function(state, scratch, fixed, *row)
            for (numbers, k), old in zip(written, before, strict=True):
                new = numbers[k] if chosen is True else np.where(chosen, numbers[k], old)
                numbers[k] = np.broadcast_to(new, (count,))

    def _answer(self, memories: Memories, one: Question, heights: Heights, count: int) -> None:
        held = self._flag(memories, one.flag)
        if not count and not held:
            return
        asking = [found for ask in one.asks for found in self._asking(memories, ask, held)]
        if not asking:
            return
        if not count:
            x, z = (np.array([numbers[one[k]] for numbers, one, _ in asking]) for k in (0, 1))
            for (numbers, (_, _, y), _), height in zip(asking, heights(x, z).tolist(), strict=True):
                numbers[y] = height
            return
        which = [np.arange(count) if chosen is True else np.flatnonzero(chosen) for _, _, chosen in asking]
        x, z = (
            np.concatenate([numbers[one[k]][rows] for (numbers, one, _), rows in zip(asking, which, strict=True)])
            for k in (0, 1)
        )
        answers = np.split(heights(x, z), np.cumsum([rows.size for rows in which[:-1]]))
        for (numbers, (_, _, y), _), rows, answer in zip(asking, which, answers, strict=True):
            numbers[y] = numbers[y].copy()
            numbers[y][rows] = answer

    def _asking(self, memories: Memories, ask: Ask, held: Any) -> Iterator[tuple[list[Any], tuple[int, int, int], Any]]:
        """Of each place that is asked for, the memory, the places of x, z and height in it, and who asks."""
        places, numbers = self.places, memories[self.places.memory[ask.kind]]
        for row in range(places.layout.counts[ask.kind.rows]):
            first, chosen = places.place(ask.kind, row), held
            if ask.where:
                chosen = held & (numbers[first + fields_of(ask.kind)[ask.where].offset] > 0.5)
            if np.any(chosen):
                for x, z, y in ask.points:
                    yield numbers, (first + x, first + z, first + y), chosen
