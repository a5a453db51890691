"""Statements of an exported function: the formulas' own names, and parentheses only where they are needed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from limbik.engines.trace import Writer
from limbik.exporting.local_names import LocalNames
from limbik.formulas.operations import Symbol

if TYPE_CHECKING:
    from limbik.exporting.language import Language

BOOLEAN_OPERATIONS = {"<", "<=", ">", ">=", "==", "!=", "&", "|", "outside", "signbit"}
MAX_NESTED_LENGTH = 72  # of an expression that is written inside another one
PROVISIONAL = re.compile(r"\bv\d+\b")


class Binding(NamedTuple):
    """How tightly an operation binds: its own strength, and what its operands need to stand without parentheses."""

    own: int
    needed: tuple[int, ...]


ATOM = 20
CALL = Binding(ATOM, (0, 0, 0))
BINDING = {
    "where": Binding(1, (2, 2, 1)),
    "minimum": Binding(1, (8, 8)),
    "maximum": Binding(1, (8, 8)),
    "|": Binding(2, (4, 4)),  # not 3: compilers warn of "a && b || c"
    "&": Binding(3, (3, 4)),
    "==": Binding(5, (6, 6)),
    "!=": Binding(5, (6, 6)),
    **{operator: Binding(6, (7, 7)) for operator in ("<", "<=", ">", ">=")},
    "+": Binding(8, (8, 9)),
    "-": Binding(8, (8, 9)),
    "multiply_add": Binding(8, (9, 10, 9)),
    "*": Binding(9, (9, 10)),
    "/": Binding(9, (9, 10)),
    "negative": Binding(10, (11,)),
    "outside": Binding(10, (7, 8, 8)),
}
# Of languages whose loops vectorise: what is computed anyway is combined without a branch.
EAGER = {"&": "{0} & {1}", "|": "{0} | {1}", "outside": "!(({0} >= {1}) & ({0} <= {2}))"}
EAGER_BINDING = {**BINDING, "|": Binding(2, (7, 7)), "&": Binding(2, (7, 7))}  # compilers ask for parentheses


class StatementWriter(Writer):
    """Writes a trace as the statements of one function."""

    def __init__(self, language: Language, spelled: Mapping[str, str], names: LocalNames, taken: Iterable[str]) -> None:
        super().__init__(language.operations(), language.literal, spelled.__getitem__)
        self._language = language
        self._local_names = names
        self._taken = {*taken}
        self._wanted: dict[str, str] = {}  # provisional name: the formula's own

    def _name(self, step: Symbol) -> str:
        if step.operation in ("maximum", "minimum"):
            first, second = (self.write(one) for one in step.inputs)  # type: ignore[arg-type]
            if first == second:  # constants of the code: compilers warn of a comparison with itself
                return first
        name = super()._name(step)
        if wanted := self._local_names.of(step):
            self._wanted.setdefault(name, wanted)
        return name

    def write(self, root: Symbol | float | bool) -> str:
        """As in `Writer`, with the steps of the first input first: the order in which formulas are written."""
        if isinstance(root, Symbol):
            waiting = [root]
            while waiting:
                step = waiting[-1]
                missing = [one for one in step.inputs if isinstance(one, Symbol) and id(one) not in self._names]
                if missing:
                    waiting.append(missing[0])
                else:
                    super().write(waiting.pop())
        return super().write(root)

    def statements(self, outputs: Mapping[str, Symbol | float]) -> tuple[list[str], list[str]]:
        """The statements that compute the outputs, by name, and what holds each of them."""
        results = [self.write(output) for output in outputs.values()]
        for name, result in zip(outputs, results, strict=True):
            self._wanted.setdefault(result, name)
        lines = self.lines(*results)
        final: dict[str, str] = {}

        def respell(found: re.Match[str]) -> str:
            name = found.group()
            if name not in final:
                final[name] = self._free(self._wanted.get(name, "t"))
            return final[name]

        lines = [PROVISIONAL.sub(respell, line) for line in lines]
        return lines, [PROVISIONAL.sub(respell, result) for result in results]

    def _free(self, wanted: str) -> str:
        """The wanted name, or with a number where it is taken."""
        base = self._language.local(wanted)
        join = "" if base.endswith("_") or not ("_" in base or base[-1].isdigit()) else "_"
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}{join}{count}"
        self._taken.add(name)
        return name

    def _operand(self, text: str, operation: str, user: str, place: int) -> str:
        binding = self._language.binding
        own = binding.get(operation, CALL).own if operation else ATOM
        if text.startswith("-"):
            own = min(own, BINDING["negative"].own)
        return f"({text})" if own < binding.get(user, CALL).needed[place] else text

    def _nests(self, name: str, value: str, depth: int) -> bool:
        return depth < self.DEPTH and len(value) <= (
            MAX_NESTED_LENGTH if name not in self._wanted else MAX_NESTED_LENGTH // 3
        )

    def _assignment(self, name: str, value: str, operation: str) -> str:
        return self._language.declare(name, value, operation in BOOLEAN_OPERATIONS)
