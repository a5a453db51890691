"""GDScript 4: a class of static functions for Godot. Numbers are float64; Godot's vectors hold float32."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import Language, pascal
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import BINDING, Binding


class GDScript(Language):
    """GDScript 4."""

    key = "gdscript"
    title = "GDScript 4"
    suffix = ".gd"
    number = {"float64": "float"}
    nan = "NAN"
    templates = {
        "&": "{0} and {1}",
        "|": "{0} or {1}",
        "where": "{1} if {0} else {2}",
        "minimum": "{0} if {0} < {1} else {1}",
        "maximum": "{0} if {0} > {1} else {1}",
        "outside": "not ({0} >= {1} and {0} <= {2})",
        "multiply_add": "{0} * {1} + {2}",
        "absolute": "absf({0})",
        "floor": "floorf({0})",
        "signbit": "({0} < 0.0 or 1.0 / {0} < 0.0)",
    }
    binding = {**BINDING, "where": Binding(1, (2, 2, 2)), "outside": Binding(3, (7, 8, 8))}
    reserved = reserved_words.GDSCRIPT
    comment = "#"
    indent = "\t"
    whole = "float({0})"
    status_constant = "const {0} := {1}"
    variable = "var {name} := {value}"
    constant_variable = variable
    assignment = "{name} = {value}"
    loop = "for {0} in range({1}, {2}):"
    unused = "_{0}"
    condition = "if {0}:"
    both = " and "
    block_end = ()
    returned_value = "return {0}"

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return pascal(item.record)
        kinds = {
            "status": "int",
            "index": "int",
            "flag": "bool",
            "quaternion": "Quaternion",
            "vector": f"Vector{item.size}",
        }
        return kinds.get(item.kind, "float")

    def operations(self) -> Mapping[str, str]:
        return self.templates

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"var {name} := {value}"

    def opening(self) -> list[str]:
        return [f"class_name {pascal(self.unit.name)}", "extends RefCounted", ""]

    def record(self, item: Item) -> list[str]:
        lines = [f"class {pascal(item.record)}:", f"{self.indent}extends RefCounted"]
        for field in item.fields:
            note = [f"## {field.note}"] if field.note else []
            lines += self.indent_lines([*note, f"var {self.field(field.name)}: {self.type_of(field)}"])
        return lines

    def assignments(self, item: Item, parts: Sequence[str], name: str) -> list[str]:
        """The statements that make a record."""
        lines = [f"var {name} := {pascal(item.record)}.new()"]
        first = 0
        for field in item.fields:
            own = parts[first : first + field.size]
            first += field.size
            if field.kind == "record":
                lines += [
                    *self.assignments(field, own, f"its_{field.name}"),
                    f"{name}.{self.field(field.name)} = its_{field.name}",
                ]
            else:
                lines.append(f"{name}.{self.field(field.name)} = {self.value(field, own)}")
        return lines

    def constant_definition(self, name: str, value: str) -> str:
        return f"const {name} := {value}"

    def function(self, function: Function | Procedure) -> list[str]:
        parameters = [f"{self.local(item.name)}: {self.type_of(item)}" for item in function.inputs]
        kind = pascal(function.output.record)
        return [
            *(line.replace("#", "##", 1) for line in self.description(function)),
            *self.wrap(f"static func {function.name}", parameters, f" -> {kind}:"),
            *self.indent_lines(self.body_of(function)),
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        return [*self.assignments(function.output, outputs, "result"), "return result"]

    def call(self, function: Function | Procedure) -> str:
        return f"var s := {pascal(self.unit.name)}.{function.name}({self.arguments(function)})"
