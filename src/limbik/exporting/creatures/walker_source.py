"""What the walk of one creature needs as source: its stages, records, tables and rows that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.engines.stage_runner import is_link
from limbik.engines.stages import (
    Ask,
    Program,
    Record,
    Stage,
    StageTrace,
    Step,
    While,
    fields_of,
    kinds_of,
    record_stage,
)
from limbik.exporting.local_names import LocalNames, carry_names, local_names
from limbik.gait.creature import Creature
from limbik.gait.joint_layout import JointLayout
from limbik.gait.kind import layout_of
from limbik.gait.program import BEGIN, POSE, PUSH, STEP

PROGRAMS: Mapping[str, Program] = {"begin": BEGIN, "step": STEP, "push": PUSH, "pose": POSE}


@dataclass(frozen=True, eq=False)
class SourceStage:
    """A stage as it is written: recorded with what is the same for all its legs, and names of its values."""

    stage: Stage
    recorded: StageTrace
    names: LocalNames

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.stage.name

    @cached_property
    def kinds(self) -> Mapping[str, type[Record]]:
        """The record types of its parameters that it uses, by name."""
        used = {name for name, _, _ in (*self.recorded.reads, *self.recorded.writes)}
        return {name: kind for name, kind in kinds_of(self.stage.formula).items() if name in used}

    @property
    def summary(self) -> str:
        """What it reads, decides and writes, in a paragraph or two."""
        text = self.stage.formula.__doc__ or ""
        return " ".join(text.split())


class WalkerSource:
    """A creature's walk.

    Attributes:
        creature: the creature.
        layout: its parameters and rows.
        joints: the joints of its skeleton.
        programs: the steps by the name of what runs them, without those that concern none of its legs.
        stages: the stages, each once.
    """

    def __init__(self, creature: Creature) -> None:
        self.creature, self.layout, self.joints = creature, layout_of(creature), JointLayout(creature)
        self._recorded: dict[Callable[..., None], SourceStage] = {}
        self.programs = {name: self._kept(program.steps) for name, program in PROGRAMS.items()}
        self.stages = list(self._recorded.values())

    @cached_property
    def records(self) -> list[type[Record]]:
        """The record types that stages use, those of the state first."""
        every = [*BEGIN.kinds, *POSE.kinds]
        used = {kind for stage in self.stages for kind in stage.kinds.values()}
        return [kind for kind in dict.fromkeys(sorted(every, key=lambda kind: kind.fixed)) if kind in used]

    @cached_property
    def links(self) -> list[tuple[str, str]]:
        """The rows that belong together and that stages use."""
        found: dict[tuple[str, str], None] = {}
        for one in self._used_stages():
            for name, kind in self.of(one).kinds.items():
                if is_link(one, name, kind):
                    found[one.rows, name] = None
        return list(found)

    def of(self, stage: Stage) -> SourceStage:
        """A stage as it is written."""
        return self._recorded[stage.formula]

    def fields(self, kind: type[Record]) -> list[str]:
        """The names of the numbers of a record that are used."""
        used: set[str] = set()
        parts = [part for field in fields_of(kind).values() for part in field.parts]
        for stage in self.stages:
            for name, part, _ in (*stage.recorded.reads, *stage.recorded.writes):
                if stage.kinds[name] is kind:
                    used.add(part)
            name, place = stage.stage.guard or ("", 0)
            if kind.fixed and stage.kinds.get(name) is kind:
                chosen = self.layout.values[kind][:, place]
                used |= {parts[place]} if np.ptp(chosen) else set()
        for ask in self._asks():
            if ask.kind is kind:
                used |= {parts[place] for point in ask.points for place in point}
                used |= {ask.where} - {""}
        return [part for part in parts if part in used]

    def rows(self, kind: type[Record]) -> list[list[float]]:
        """The parameters of a type, a list for each row, of the numbers that are used."""
        parts = [part for field in fields_of(kind).values() for part in field.parts]
        columns = [parts.index(part) for part in self.fields(kind)]
        return self.layout.values[kind].reshape(self.layout.counts[kind.rows], -1)[:, columns].tolist()

    def _kept(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Steps without stages that no row needs."""
        found: list[Step] = []
        for step in steps:
            if isinstance(step, While):
                found.append(While(step.kind, step.flag, self._kept(step.steps)))
            elif isinstance(step, Ask):
                if self._asked(step):
                    found.append(step)
            elif self._runs(step):
                self._recorded.setdefault(step.formula, self._record(step))
                found.append(step)
        return tuple(found)

    def _asked(self, ask: Ask) -> bool:
        """Whether any foot asks: heels and toes are asked for where there are some."""
        heels = {"has_heel", "heel_searches", "open_heel", "bends"}
        return ask.where not in heels or any(leg.heel for leg in self.creature.legs)

    def _runs(self, stage: Stage) -> bool:
        if not self.layout.counts[stage.rows]:
            return False
        if stage.where.startswith("shape."):
            name, place = stage.guard or ("", 0)
            return bool(self.layout.values[kinds_of(stage.formula)[name]][:, place].any())
        return stage.where != "bends" or any(leg.heel for leg in self.creature.legs)

    def _record(self, stage: Stage) -> SourceStage:
        with local_names() as names:
            recorded = record_stage(stage.formula, self._known(), carry_names)
        return SourceStage(stage, recorded, names)

    def _known(self) -> Mapping[tuple[type[Record], str], bool]:
        """The Boolean parameters that are the same in all rows."""
        found: dict[tuple[type[Record], str], bool] = {}
        for kind, values in self.layout.values.items():
            for name, field in fields_of(kind).items():
                if field.truth and len(values) and np.ptp(values[:, field.offset]) == 0.0:
                    found[kind, name] = bool(values[0, field.offset])
        return found

    def _steps(self) -> Iterator[Step]:
        waiting = [step for steps in self.programs.values() for step in steps]
        while waiting:
            step = waiting.pop(0)
            if isinstance(step, While):
                waiting[:0] = step.steps
            yield step

    def _used_stages(self) -> Iterator[Stage]:
        return (step for step in self._steps() if isinstance(step, Stage))

    def _asks(self) -> Iterator[Ask]:
        return (step for step in self._steps() if isinstance(step, Ask))
