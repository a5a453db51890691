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
from limbik.exporting.items import Item
from limbik.exporting.statements import BINDING, Binding, StatementWriter
from limbik.formulas.operations import EPSILON, GROW, LARGE_SQUARE, NAN, SHRINK, SMALL_SQUARE

CONSTANTS = tuple(str(one.inputs[0]) for one in (EPSILON, NAN, LARGE_SQUARE, SMALL_SQUARE, SHRINK, GROW))
NUMBERS = {"float64": np.dtype(np.float64), "float32": np.dtype(np.float32)}
WIDTH = 118


@dataclass(frozen=True, eq=False)
class Unit:
    """What one source file holds."""

    name: str  # in snake case; the language makes a prefix, a class or a module of it
    about: Sequence[str]  # lines for the head of the file
    functions: Sequence[Function]
    dtype: str

    @property
    def records(self) -> list[Item]:
        """The records of the functions, those first that others contain."""
        found: dict[str, Item] = {}
        for function in self.functions:
            for item in (*function.inputs, function.output):
                for one in (*item.fields, item):
                    if one.kind == "record":
                        found.setdefault(one.record, one)
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
    flag: ClassVar[str] = "{0} != {1}"
    group: ClassVar[str] = "{0}({1})"
    literal_suffix: ClassVar[Mapping[str, str]] = {"float64": "", "float32": ""}
    reserved: ClassVar[frozenset[str]] = frozenset()  # names that variables must not have
    comment: ClassVar[str] = "//"
    indent: ClassVar[str] = "    "
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
        return name

    def literal(self, value: float) -> str:
        """A number."""
        if isnan(value):
            return self.nan.format(self.real)
        shown = repr(float(value)) if self.dtype == "float64" else str(np.float32(value))
        return (shown if re.search(r"[.en]", shown) else shown + ".0") + self.literal_suffix[self.dtype]

    def constant(self, name: str) -> str:
        """A constant that formulas name."""
        return self.literal(numpy_engine.constants(NUMBERS[self.dtype])[name])

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

    def body(self, function: Function) -> tuple[list[str], list[str]]:
        """The statements of a function, and what holds each number of its output."""
        spelled = {name: self.constant(name) for name in CONSTANTS}
        spelled |= {name: self.literal(value) for name, value in function.constants.items()}
        for item in function.inputs:
            name = self.local(item.name)
            spelled |= {component(item.name, k): self.read(item, name, k) for k in range(item.size)}
        taken = [self.local(item.name) for item in function.inputs]
        writer = StatementWriter(self, spelled, function.names, taken)
        return writer.statements(dict(zip(function.output.parts, function.trace.outputs, strict=True)))

    # --- the file

    def opening(self) -> list[str]:
        """What stands before the records."""
        return []

    def record(self, item: Item) -> list[str]:
        """The definition of a record."""
        raise NotImplementedError

    def function(self, function: Function) -> list[str]:
        """The definition of a function."""
        raise NotImplementedError

    def closing(self) -> list[str]:
        """What stands after the functions."""
        return []

    def arguments(self, function: Function) -> str:
        """The inputs of a function by their own names."""
        return ", ".join(self.local(item.name) for item in function.inputs)

    def call(self, function: Function) -> str:
        """An example of a call, for the head of the file."""
        raise NotImplementedError

    def file(self) -> str:
        """The source of the unit."""
        head = [*self.unit.about, *self.notes, *(f"Call: {self.call(function)}" for function in self.unit.functions)]
        lines = [*self.comment_lines(head), *self.opening()]
        for record in self.unit.records:
            lines += [*self.record(record), ""]
        for function in self.unit.functions:
            lines += [*self.function(function), ""]
        return "\n".join([*lines[:-1], *self.closing(), ""])

    def files(self) -> dict[str, str]:
        """The files of the unit, by suffix; the first is the source."""
        return {self.suffix: self.file()}

    # --- text

    def comment_lines(self, lines: Sequence[str]) -> list[str]:
        """Lines of comment."""
        wrapped = [part for line in lines for part in (textwrap.wrap(line, WIDTH - len(self.comment) - 1) or [""])]
        return [f"{self.comment} {line}".rstrip() for line in wrapped]

    def description(self, function: Function) -> list[str]:
        """The comment before a function: what it does, and its parameters."""
        notes = [f"{self.local(item.name)}: {item.note}" for item in function.inputs]
        return self.comment_lines([function.summary, *notes])

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
