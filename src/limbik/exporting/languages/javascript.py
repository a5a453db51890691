"""JavaScript: an ES module, with types for TypeScript beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isnan

import numpy as np

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import Language, Unit, camel, pascal
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import ATOM, BINDING, Binding

ARITHMETIC = ("+", "-", "*", "/")
FUNCTIONS = ("sqrt", "sin", "cos")
NUMBER = r"-?[0-9][0-9.e+-]*"


class JavaScript(Language):
    """ES2015 module; float32 rounds every step with Math.fround."""

    key = "js"
    title = "JavaScript (ES module) and TypeScript"
    suffix = ".js"
    number = {"float64": "number", "float32": "number"}
    nan = "NaN"
    status = "{0}"
    status_constant = "export const {0} = {1};"
    flag = "{0} !== {1}"
    group = "[{1}]"
    whole = "{0}"
    variable = "let {name} = {value};"
    constant_variable = "const {name} = {value};"
    loop = "for (let {0} = {1}; {0} < {2}; {0}++) {{"
    reserved = reserved_words.JAVASCRIPT
    indent = "  "

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        if self.dtype == "float32":
            rounded = {operator: Binding(ATOM, BINDING[operator].needed) for operator in ARITHMETIC}
            self.binding = {**BINDING, **rounded, "multiply_add": Binding(ATOM, (9, 10, 9))}

    def local(self, name: str) -> str:
        return super().local(camel(name))

    def field(self, name: str) -> str:
        return camel(name)

    def operations(self) -> Mapping[str, str]:
        calls = {name: f"Math.{name}({{0}})" for name in FUNCTIONS}
        calls |= {"atan2": "Math.atan2({0}, {1})"}
        if self.dtype == "float32":
            calls = {name: f"f32({call})" for name, call in calls.items()}
            calls |= {operator: f"f32({{0}} {operator} {{1}})" for operator in ARITHMETIC}
        calls |= {"floor": "Math.floor({0})", "signbit": "({0} < 0 || 1 / {0} < 0)"}
        equal = {"==": "{0} === {1}", "!=": "{0} !== {1}"}
        return {**self.templates, **calls, **equal, "absolute": "Math.abs({0})"}

    def literal(self, value: float) -> str:
        # Of a float32, the digits of the double that has its value.
        return super().literal(value) if isnan(value) or self.dtype == "float64" else repr(float(np.float32(value)))

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return pascal(item.record)
        if item.size > 1:
            return {2: "Vector2", 3: "Vector3", 4: "Quaternion"}[item.size]
        return "boolean" if item.kind == "flag" else "number"

    def part(self, item: Item, index: int) -> str:
        return f"[{index}]"

    def read(self, item: Item, name: str, index: int) -> str:
        read = super().read(item, name, index)
        return f"f32({read})" if self.dtype == "float32" and not read.startswith("f32(") else read

    def pair(self, field: Item, value: str) -> str:
        """A property of an object."""
        name = self.field(field.name)
        return name if name == value else f"{name}: {value}"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"const {name} = {value};"

    def opening(self) -> list[str]:
        return ["", *(["const f32 = Math.fround;", ""] if self.dtype == "float32" else [])]

    def record(self, item: Item) -> list[str]:
        return []

    def file(self) -> str:
        head = [*self.unit.about, *self.calls()]
        functions = [line for function in self.unit.functions for line in (*self.function(function), "")]
        constants = [*self.status_lines(), *self.constant_lines(functions)]
        return "\n".join([*self.comment_lines(head), *self.opening(), *constants, *self.makers(), *functions])

    def constant_definition(self, name: str, value: str) -> str:
        return f"const {name} = {value};"

    def function_name(self, function: Function | Procedure) -> str:
        return camel(function.name)

    def doc_comment(self, function: Function | Procedure) -> list[str]:
        """A comment for editors."""
        names = [f" * @param {self.local(item.name)} {item.note}" for item in function.inputs]
        if isinstance(function, Function):
            names.append(" * @param into an earlier result, written anew and returned: nothing is allocated")
        return ["/**", f" * {function.summary}", *names, " */"]

    def function(self, function: Function | Procedure) -> list[str]:
        parameters = [self.local(item.name) for item in function.inputs]
        if isinstance(function, Function):
            parameters.append(f"into = {self.maker(function.output)}()")
        return [
            *self.doc_comment(function),
            *self.wrap(f"export function {camel(function.name)}", parameters, " {"),
            *self.indent_lines(self.body_of(function)),
            "}",
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        lines = []
        parts = []
        for number, text in enumerate(outputs):
            if re.search(r"[.[]", text) and not re.fullmatch(NUMBER, text):  # an input, which may be what is written
                lines.append(f"const out{number} = {text};")
                parts.append(f"out{number}")
            else:
                parts.append(text)
        return [*lines, *self.stores(function.output, parts, "into"), "return into;"]

    def stores(self, item: Item, parts: Sequence[str], name: str) -> list[str]:
        """The statements that write numbers into an object."""
        lines: list[str] = []
        first = 0
        for field in item.fields:
            own = parts[first : first + field.size]
            first += field.size
            place = f"{name}.{self.field(field.name)}"
            if field.kind == "record":
                lines += self.stores(field, own, place)
            elif field.size == 1:
                lines.append(f"{place} = {self.value(field, own)};")
            else:
                lines += [f"{place}[{k}] = {part};" for k, part in enumerate(own)]
        return lines

    def maker(self, item: Item) -> str:
        """The name of the function that makes an object to write results into."""
        return f"new{pascal(item.record)}"

    def blank(self, item: Item) -> str:
        """A value to write into; the state of a track begins with NaN."""
        if item.kind == "record":
            return f"{{ {', '.join(self.pair(field, self.blank(field)) for field in item.fields)} }}"
        value = {"flag": "false", "status": "0", "index": "0"}.get(item.kind, self.nan)
        return value if item.size == 1 else f"[{', '.join([value] * item.size)}]"

    @property
    def results(self) -> list[Item]:
        """The records that functions return."""
        found = {one.output.record: one.output for one in self.unit.functions if isinstance(one, Function)}
        return list(found.values())

    def makers(self) -> list[str]:
        """The functions that make objects to write results into."""
        lines: list[str] = []
        for item in self.results:
            fields = [f"{self.pair(field, self.blank(field))}," for field in item.fields]
            lines += [f"export const {self.maker(item)} = () => ({{", *self.indent_lines(fields), "});", ""]
        return lines

    def types(self) -> str:
        """The types of the module, for TypeScript."""
        lines = [*self.comment_lines(self.unit.about), ""]
        lines += ["export type Vector2 = [number, number];", "export type Vector3 = [number, number, number];"]
        lines += ["export type Quaternion = [number, number, number, number];", ""]
        lines += [line.replace(" =", ":") for line in self.status_lines()]
        for record in self.unit.records:
            fields = []
            for field in record.fields:
                fields += [*([f"/** {field.note} */"] if field.note else [])]
                fields.append(f"{self.field(field.name)}: {self.type_of(field)};")
            lines += [f"export interface {pascal(record.record)} {{", *self.indent_lines(fields), "}", ""]
        for item in self.results:
            lines += [f"export function {self.maker(item)}(): {pascal(item.record)};", ""]
        for function in self.unit.functions:
            parameters = [f"{self.local(item.name)}: {self.parameter_type(item)}" for item in function.inputs]
            kind = pascal(function.output.record)
            if isinstance(function, Function):
                parameters.append(f"into?: {kind}")
            start = f"export function {camel(function.name)}"
            lines += [*self.doc_comment(function), *self.wrap(start, parameters, f": {kind};"), ""]
        return "\n".join(lines)

    def parameter_type(self, item: Item) -> str:
        """What a function accepts: any array of numbers for a vector, typed arrays too."""
        return "ArrayLike<number>" if item.kind in ("vector", "quaternion") else self.type_of(item)

    def files(self) -> dict[str, str]:
        return {".js": self.file(), ".d.ts": self.types()}

    def call(self, function: Function | Procedure) -> str:
        return f"const s = {camel(function.name)}({self.arguments(function)});"
