"""What a language consists of for the exporter; each language is a subclass, one module of `languages/`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import ClassVar

import numpy as np

from limbik.engines import numpy_engine
from limbik.engines.trace import component
from limbik.exporting.functions import Function
from limbik.exporting.items import STATUSES, Item
from limbik.exporting.procedures import Argument, Call, Let, Procedure, Remark, Repeat, Return, Statement, When
from limbik.exporting.statements import BINDING, Binding, StatementWriter
from limbik.formulas.operations import EPSILON, GROW, LARGE_SQUARE, NAN, SHRINK, SMALL_SQUARE

CONSTANTS = tuple(str(one.inputs[0]) for one in (EPSILON, NAN, LARGE_SQUARE, SMALL_SQUARE, SHRINK, GROW))
NUMBERS = {"float64": np.dtype(np.float64), "float32": np.dtype(np.float32)}
WIDTH = 118


@dataclass(frozen=True)
class Constant:
    """A named number of a source file."""

    name: str  # in snake case
    value: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class Unit:
    """What one source file holds."""

    name: str  # in snake case; the language makes a prefix, a class or a module of it
    about: Sequence[str]  # lines for the head of the file
    functions: Sequence[Function | Procedure]
    dtype: str
    constants: Sequence[Constant] = ()  # those that functions use are written

    @property
    def records(self) -> list[Item]:
        """The records of the functions, those first that others contain."""
        found: dict[str, Item] = {}

        def find(item: Item) -> None:
            for one in item.fields:
                find(one)
            if item.kind == "record":
                found.setdefault(item.record, item)

        for function in self.functions:
            for item in (*function.inputs, function.output):
                find(item)
        return list(found.values())


def pascal(name: str) -> str:
    """TwoLink for two_link."""
    return "".join(word.capitalize() for word in name.split("_"))


def camel(name: str) -> str:
    """TwoLink for two_link."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Language:
    """Operators, functions, types and statements of a language, and the source of a unit in it.

    Subclasses fill in the class attributes without a value and the methods that raise NotImplementedError; the rest
    suits languages of the C family.
    """

    key: ClassVar[str]  # as in `limbik export --to`
    title: ClassVar[str]
    suffix: ClassVar[str]
    number: ClassVar[Mapping[str, str]]  # the name of the number type, by dtype; the first is the default
    templates: ClassVar[Mapping[str, str]] = {
        "&": "{0} && {1}",
        "|": "{0} || {1}",
        "where": "{0} ? {1} : {2}",
        "minimum": "{0} < {1} ? {0} : {1}",
        "maximum": "{0} > {1} ? {0} : {1}",
        "outside": "!({0} >= {1} && {0} <= {2})",
        "multiply_add": "{0} * {1} + {2}",
    }
    binding: Mapping[str, Binding] = BINDING
    nan: ClassVar[str]  # a template of the number type
    status: ClassVar[str] = "int({0})"  # a number as a status, as a flag beside zero, and numbers as a type
    status_constant: ClassVar[str]  # the definition of a whole number, by its name
    flag: ClassVar[str] = "{0} != {1}"
    whole: ClassVar[str] = "({1}){0}"  # a whole number as one of the number type
    group: ClassVar[str] = "{0}({1})"
    literal_suffix: ClassVar[Mapping[str, str]] = {"float64": "", "float32": ""}
    reserved: ClassVar[frozenset[str]] = frozenset()  # names that variables must not have
    taken_names: ClassVar[frozenset[str]] = frozenset()  # names that units must not have
    comment: ClassVar[str] = "//"
    indent: ClassVar[str] = "    "
    procedures: ClassVar[bool] = True  # whether they are written in it
    # Of procedures: a new variable that changes and one that does not, of a type; a loop by index, first and end.
    variable: ClassVar[str] = "{type} {name} = {value};"
    constant_variable: ClassVar[str] = "const {type} {name} = {value};"
    assignment: ClassVar[str] = "{name} = {value};"
    loop: ClassVar[str] = "for (int {0} = {1}; {0} < {2}; {0}++) {{"
    condition: ClassVar[str] = "if ({0}) {{"
    unused: ClassVar[str] = "{0}"  # an index that counts only
    unused_parameter: ClassVar[str] = ""  # a statement for one that a function does not need, where compilers warn
    both: ClassVar[str] = " && "
    block_end: ClassVar[tuple[str, ...]] = ("}",)
    returned_value: ClassVar[str] = "return {0};"
    notes: ClassVar[Sequence[str]] = ()  # lines for the head of every file

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.dtype = unit.dtype
        self.real = self.number[unit.dtype]

    # --- names and numbers

    def local(self, name: str) -> str:
        """The name of a parameter or local variable."""
        return name + "_" if name in self.reserved else name

    def field(self, name: str) -> str:
        """The name of a record's field."""
        return name + "_" if name in self.reserved else name

    def literal(self, value: float) -> str:
        """A number."""
        if isnan(value):
            return self.nan.format(self.real)
        shown = repr(float(value)) if self.dtype == "float64" else str(np.float32(value))
        return (shown if re.search(r"[.en]", shown) else shown + ".0") + self.literal_suffix[self.dtype]

    def constant(self, name: str) -> str:
        """A constant that formulas name."""
        return self.literal(numpy_engine.constants(NUMBERS[self.dtype])[name])

    def constant_name(self, name: str) -> str:
        """The name of a constant of the file."""
        return name.upper()

    def constant_definition(self, name: str, value: str) -> str:
        """The definition of a constant of the file, by its name as it is written."""
        raise NotImplementedError

    @property
    def reports_status(self) -> bool:
        """Whether a record of the unit has a status."""
        return any(field.kind == "status" for record in self.unit.records for field in record.fields)

    def status_lines(self) -> list[str]:
        """The definitions of the numbers that a status can be, where there is one."""
        if not self.reports_status:
            return []
        names = [self.constant_name(f"status_{word}") for word in STATUSES]
        return [*(self.status_constant.format(name, number) for number, name in enumerate(names)), ""]

    def constant_lines(self, functions: Sequence[str]) -> list[str]:
        """The definitions of the constants that occur in the text of functions."""
        used = {word for line in functions for word in re.findall(r"\w+", line)}
        lines = []
        for one in self.unit.constants:
            if (name := self.constant_name(one.name)) in used:
                text = self.constant_definition(name, self.literal(one.value))
                lines.append(f"{text}  {self.comment} {one.note}" if one.note else text)
        return [*lines, ""] if lines else []

    def operations(self) -> Mapping[str, str]:
        """The templates of all operations for the number type."""
        return self.templates

    # --- items

    def type_of(self, item: Item) -> str:
        """The type of a parameter or field; "" in languages that write none."""
        return ""

    def part(self, item: Item, index: int) -> str:
        """What selects one number of a vector or quaternion: `.x`, `[0]`."""
        return "." + "xyzw"[index]

    def read(self, item: Item, name: str, index: int) -> str:
        """How a function reads one number of its input `item`, which is called `name`."""
        if item.kind == "record":
            for field in item.fields:
                if index < field.size:
                    return self.read(field, f"{name}.{self.field(field.name)}", index)
                index -= field.size
        if item.kind == "index":
            return self.whole.format(name, self.real)
        return name if item.size == 1 else name + self.part(item, index)

    def value(self, item: Item, parts: Sequence[str]) -> str:
        """An item made of numbers."""
        if item.kind == "record":
            return self.record_value(item, parts)
        if item.kind == "status":
            return self.status.format(parts[0])
        if item.kind == "flag":
            return self.flag.format(parts[0], self.literal(0.0))
        return parts[0] if item.size == 1 else self.group.format(self.type_of(item), ", ".join(parts))

    def record_value(self, item: Item, parts: Sequence[str]) -> str:
        """A record made of numbers."""
        return self.group.format(self.type_of(item), ", ".join(self.values(item, parts)))

    def values(self, item: Item, parts: Sequence[str]) -> list[str]:
        """The fields of a record as values."""
        texts = []
        first = 0
        for field in item.fields:
            texts.append(self.value(field, parts[first : first + field.size]))
            first += field.size
        return texts

    # --- statements

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        """A local variable."""
        raise NotImplementedError

    def body_of(self, function: Function | Procedure) -> list[str]:
        """The statements of a function, to its return."""
        if isinstance(function, Procedure):
            return self.procedure_lines(function, function.statements)
        body, outputs = self.body(function)
        lines = [*body, *self.returned(function, outputs)]
        words = {word for line in lines for word in re.findall(r"\w+", line)}
        unused = [name for item in function.inputs if (name := self.local(item.name)) not in words]
        return [*(self.unused_parameter.format(name) for name in unused if self.unused_parameter), *lines]

    def body(self, function: Function) -> tuple[list[str], list[str]]:
        """The statements of a function, and what holds each number of its output."""
        spelled = {name: self.constant(name) for name in CONSTANTS}
        spelled |= {name: self.literal(value) for name, value in function.constants.items()}
        for item in function.inputs:
            name = self.local(item.name)
            spelled |= {component(item.name, k): self.read(item, name, k) for k in range(item.size)}
        spelled |= {one.name: self.constant_name(one.name) for one in self.unit.constants}
        taken = [self.local(item.name) for item in function.inputs]
        writer = StatementWriter(self, spelled, function.names, taken)
        return writer.statements(dict(zip(function.output.parts, function.trace.outputs, strict=True)))

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        """The statements that return the result."""
        raise NotImplementedError

    # --- procedures

    def path(self, text: str) -> str:
        """A name with fields after dots."""
        name, *fields = text.split(".")
        return ".".join([self.local(name), *(self.field(one) for one in fields)])

    def argument(self, value: Argument) -> str:
        """An argument of a call."""
        if isinstance(value, str):
            return self.path(value)
        if isinstance(value, Call):
            return f"{self.function_name(value.function)}({', '.join(map(self.argument, value.arguments))})"
        return str(value) if isinstance(value, int) else self.literal(value)

    def function_name(self, function: Function | Procedure) -> str:
        """How functions of the file call one another."""
        return function.name

    def with_value(self, template: str, value: Call | str) -> list[str]:
        """A statement of a template, in which {0} is a call or a variable."""
        if isinstance(value, str):
            return [template.format(self.path(value))]
        start, end = template.format("\0").split("\0")
        return self.wrap(start + self.function_name(value.function), [*map(self.argument, value.arguments)], end)

    def procedure_lines(self, procedure: Procedure, statements: Sequence[Statement]) -> list[str]:
        """The statements of a procedure."""
        lines: list[str] = []
        for one in statements:
            if isinstance(one, Remark):
                lines += self.comment_lines([one.text])
            elif isinstance(one, Return):
                lines += self.with_value(self.returned_value, one.value)
            elif isinstance(one, Repeat):
                inner = self.procedure_lines(procedure, one.statements)
                index = self.local(one.index)
                if not any(re.search(rf"\b{index}\b", line) for line in inner):
                    index = self.unused.format(index)
                lines.append(self.loop.format(index, one.first, self.argument(one.end)))
                lines += [*self.indent_lines(inner), *self.block_end]
            elif isinstance(one, When):
                tests = [f"{self.path(a)} {relation} {self.argument(b)}" for a, relation, b in one.conditions]
                lines.append(self.condition.format(self.both.join(tests)))
                lines += [*self.indent_lines(self.procedure_lines(procedure, one.statements)), *self.block_end]
            else:
                kind, template = "", self.assignment
                if isinstance(one, Let):
                    kind = self.type_of(one.value.function.output)
                    template = self.variable if one.name in procedure.reassigned else self.constant_variable
                start = template.format(type=kind, name=self.local(one.name), value="{0}")
                lines += self.with_value(start, one.value)
        return lines

    # --- the file

    def opening(self) -> list[str]:
        """What stands before the records."""
        return []

    def record(self, item: Item) -> list[str]:
        """The definition of a record."""
        raise NotImplementedError

    def function(self, function: Function | Procedure) -> list[str]:
        """The definition of a function."""
        raise NotImplementedError

    def closing(self) -> list[str]:
        """What stands after the functions."""
        return []

    def arguments(self, function: Function | Procedure) -> str:
        """The inputs of a function by their own names."""
        return ", ".join(self.local(item.name) for item in function.inputs)

    def call(self, function: Function | Procedure) -> str:
        """An example of a call, for the head of the file."""
        raise NotImplementedError

    def calls(self) -> list[str]:
        """Lines for the head of the file: how its functions are called."""
        return [f"Call: {self.call(function)}" for function in self.unit.functions if not function.is_part]

    def file(self) -> str:
        """The source of the unit."""
        head = [*self.unit.about, *self.notes, *self.calls()]
        functions = [line for function in self.unit.functions for line in (*self.function(function), "")]
        lines = [*self.comment_lines(head), *self.opening(), *self.status_lines(), *self.constant_lines(functions)]
        for record in self.unit.records:
            lines += [*self.record(record), ""]
        lines += functions
        return "\n".join([*lines[:-1], *self.closing(), ""])

    def files(self) -> dict[str, str]:
        """The files of the unit, by suffix; the first is the source."""
        return {self.suffix: self.file()}

    # --- text

    def comment_lines(self, lines: Sequence[str]) -> list[str]:
        """Lines of comment."""
        wrapped = [part for line in lines for part in (textwrap.wrap(line, WIDTH - len(self.comment) - 1) or [""])]
        return [f"{self.comment} {line}".rstrip() for line in wrapped]

    def description(self, function: Function | Procedure) -> list[str]:
        """The comment before a function: what it does, and its parameters."""
        notes = [f"{self.local(item.name)}: {item.note}" for item in function.inputs]
        summary = f"{function.summary} A part of solve." if function.is_part else function.summary
        return self.comment_lines([summary, *notes])

    def field_line(self, text: str, item: Item) -> str:
        """A field with its note."""
        return f"{text}  {self.comment} {item.note}" if item.note else text

    def indent_lines(self, lines: Sequence[str], depth: int = 1) -> list[str]:
        """Lines of a block."""
        return [self.indent * depth + line if line else "" for line in lines]

    def wrap(self, start: str, parts: Sequence[str], end: str) -> list[str]:
        """`start(parts)end` on one line, or with its parts on lines of their own where that is too long."""
        line = f"{start}({', '.join(parts)}){end}"
        if len(line) <= WIDTH:
            return [line]
        lines = [""]
        for part in (*(f"{part}, " for part in parts[:-1]), parts[-1]):
            if len(lines[-1] + part) > WIDTH - 2 * len(self.indent):
                lines.append("")
            lines[-1] += part
        return [f"{start}(", *(self.indent + part.rstrip() for part in lines[:-1]), f"{self.indent}{lines[-1]}){end}"]
