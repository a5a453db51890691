"""A long trace cut into stages, each a short loop over the same few rows.

A processor works on several rows at once only as far ahead as it can see: some hundred instructions. In one loop over
a formula of three hundred steps it sees a single row, whose roots and divisions follow one another, and mostly waits.
A stage has so few steps that several rows fit. What later stages need is carried in a small array, which stays in the
first-level cache. The operations and their order within a row are the same, and so are the bits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import Any, NamedTuple

from limbik.engines.trace import Trace, in_order
from limbik.formulas.operations import Symbol

# The rows that all stages compute before the next ones: a multiple of the widest vectors, and few, so that reading and
# writing the large arrays is spread over time.
ROWS = 64

# Cycles from an operation's inputs to its result on current x86 processors; of the others 3. Only proportions matter.
LATENCY = {"/": 13, "sqrt": 21, "multiply_add": 4, "where": 2, "minimum": 2, "maximum": 2, "absolute": 1, "negative": 1}
# What a cut costs: stages of a latency L cost L² / STAGE, and a number that is carried costs CARRY. Measured on Zen 4.
STAGE, CARRY = 50, 6
LONGEST = 300  # the latency of a stage at the most
# Truth values, and what costs next to nothing, are computed again in each stage rather than carried.
REPEATED = {"<", "<=", ">", ">=", "==", "!=", "&", "|", "outside", "signbit", "absolute", "negative"}


class Stage(NamedTuple):
    """Part of a trace. Its outputs are results of the whole trace or numbers to carry, in this order."""

    trace: Trace
    results: tuple[int, ...]  # which outputs of the whole trace
    carries: tuple[int, ...]  # where numbers for later stages go
    carried: tuple[int, ...]  # where those of earlier stages lie; parameters `carried_0`, `carried_1` …


def stages(trace: Trace, varying: Collection[str]) -> list[Stage]:
    """The trace in stages; one if it is short. `varying` are the parameters that differ from row to row."""
    return _Cut(trace, varying).stages()


class _Step:
    """One distinct step of a trace."""

    def __init__(self, operation: str, inputs: tuple[Any, ...], varies: bool) -> None:
        self.operation, self.inputs = operation, inputs
        self.varies = varies
        self.steps = _steps(inputs)
        latency = 0 if operation == "name" else LATENCY.get(operation, 3)
        self.depth = latency + max((one.depth for one in self.steps if one.varies), default=0) if varies else 0
        self.users: list[_Step] = []
        for one in self.steps:
            one.users.append(self)
        self.stage = 0

    @property
    def kept(self) -> bool:
        """Whether it is a number of each row, which stages may carry; others are computed wherever they are used."""
        return self.varies and self.operation not in REPEATED

    @cached_property
    def needs(self) -> dict[int, _Step]:
        """The kept steps that it is computed from, by their ids."""
        return _kept([one for one in self.steps if one.varies], lambda one: one.needs)

    @cached_property
    def needed_by(self) -> dict[int, _Step]:
        """The kept steps that are computed from it, by their ids."""
        return _kept(self.users, lambda one: one.needed_by)


def _kept(steps: Iterable[_Step], beyond: Callable[[_Step], dict[int, _Step]]) -> dict[int, _Step]:
    """The steps, each that is not kept replaced by those beyond it."""
    found: dict[int, _Step] = {}
    for one in steps:
        found |= {id(one): one} if one.kept else beyond(one)
    return found


def _steps(inputs: Iterable[Any]) -> list[_Step]:
    return [one for one in inputs if isinstance(one, _Step)]


class _Cut:
    def __init__(self, trace: Trace, varying: Collection[str]) -> None:
        self._trace, self._varying = trace, varying
        self._order: list[_Step] = []  # inputs first
        self._distinct: dict[Any, _Step] = {}
        self._of: dict[int, _Step] = {}
        self._symbols: list[Symbol] = []  # ids are keys only while their owners live
        self._results = [self._add(output) for output in trace.outputs]
        self._conditions = [self._add(condition) for condition in trace.conditions]
        self._divide()

    def _add(self, root: Any) -> Any:
        if not isinstance(root, Symbol):
            return root
        for symbol in in_order(root, self._of):
            self._symbols.append(symbol)
            inputs = tuple(self._of[id(one)] if isinstance(one, Symbol) else one for one in symbol.inputs)
            key = (symbol.operation, *(id(one) if isinstance(one, _Step) else one for one in inputs))
            if key not in self._distinct:
                named = symbol.operation == "name"
                varies = inputs[0] in self._varying if named else any(one.varies for one in _steps(inputs))
                self._distinct[key] = _Step(symbol.operation, inputs, varies)
                self._order.append(self._distinct[key])
            self._of[id(symbol)] = self._distinct[key]
        return self._of[id(root)]

    def _divide(self) -> None:
        """Gives every kept step its stage."""
        kept = [step for step in self._order if step.kept]
        ends = self._ends(kept)
        self._count = len(ends)
        results = {id(one) for one in self._results}
        for step in kept:
            step.stage = bisect_left(ends, step.depth)
        # A step that only later stages use, and whose inputs they have anyway, belongs there.
        for step in reversed(kept):
            later = min((one.stage for one in step.needed_by.values()), default=0)
            inputs = [
                one for one in step.needs.values() if not any(user.stage >= later for user in one.needed_by.values())
            ]
            if later > step.stage and step.operation != "name" and id(step) not in results and not inputs:
                step.stage = later

    def _ends(self, kept: list[_Step]) -> list[int]:
        """The depth at which each stage ends: where little is to be carried, and no stage long."""
        depth = max((step.depth for step in kept), default=0)
        live = [0] * (depth + 1)  # numbers to carry past a depth
        for step in kept:
            for k in range(step.depth, max((one.depth for one in step.needed_by.values()), default=0)):
                live[k] += 1
        best: list[tuple[float, list[int]]] = [(0.0, [])]  # the cost up to a depth, and the ends
        for end in range(1, depth + 1):
            carried = 0 if end == depth else CARRY * live[end]
            starts = range(max(0, end - LONGEST), end)
            costs = ((best[start][0] + (end - start) ** 2 / STAGE, start) for start in starts)
            cost, start = min(costs)
            best.append((cost + carried, [*best[start][1], end]))
        return best[depth][1] or [depth]

    def _stage_of(self, step: Any) -> int:
        if not isinstance(step, _Step):
            return 0
        return step.stage if step.kept else max((one.stage for one in step.needs.values()), default=0)

    def stages(self) -> list[Stage]:
        """The stages, in order."""
        conditions = [[one for one in self._conditions if self._stage_of(one) == k] for k in range(self._count)]
        needed: list[dict[int, _Step]] = []  # by each stage, of those before
        for k, tested in enumerate(conditions):
            users = [step for step in self._order if step.kept and step.stage == k] + tested
            users += [one for one in _steps(self._results) if not one.kept and self._stage_of(one) == k]
            before = [one for user in users for one in user.needs.values() if one.stage < k]
            needed.append({id(one): one for one in before})
        all_needed = self._ordered(one for stage in needed for one in stage.values())
        places = {id(step): k for k, step in enumerate(all_needed)}
        return [self._stage(k, conditions[k], needed[k], places) for k in range(self._count)]

    def _ordered(self, steps: Iterable[_Step]) -> list[_Step]:
        chosen = {id(step) for step in steps}
        return [step for step in self._order if id(step) in chosen]

    def _stage(self, number: int, tested: list[_Step], needed: dict[int, _Step], places: dict[int, int]) -> Stage:
        names = {one: f"carried_{places[one]}" for one in needed}
        written: dict[int, Symbol] = {one: Symbol("name", name) for one, name in names.items()}

        def write(step: Any) -> Any:
            if not isinstance(step, _Step):
                return step
            if id(step) not in written:
                written[id(step)] = Symbol(step.operation, *[write(one) for one in step.inputs])
            return written[id(step)]

        for step in self._order:  # inputs first, so that `write` never goes deep
            if not step.varies or (step.kept and step.stage == number):
                write(step)
        results = [k for k, one in enumerate(self._results) if self._stage_of(one) == number]
        carries = [step for step in self._order if id(step) in places and step.stage == number]
        outputs = *(write(self._results[k]) for k in results), *map(write, carries)
        own = [name for name in self._trace.parameters if number == 0 or name not in self._varying]
        parameters = *own, *(names[one] for one in needed)
        part = Trace(f"{self._trace.name}_{number}", parameters, outputs, tuple(map(write, tested)))
        carried = tuple(places[one] for one in needed)
        return Stage(part, tuple(results), tuple(places[id(one)] for one in carries), carried)
