"""C++14: one header, with std::array for vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import Language, pascal
from limbik.exporting.languages.c import ARRAYS, C
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import EAGER, EAGER_BINDING


class Cpp(Language):
    """C++14."""

    key = "cpp"
    title = "C++14"
    suffix = ".hpp"
    number = {"float64": "double", "float32": "float"}
    templates = {**Language.templates, **EAGER}
    binding = EAGER_BINDING
    status = "static_cast<int>({0})"
    status_constant = "constexpr int {0} = {1};"
    whole = "static_cast<{1}>({0})"
    unused_parameter = "(void){0};"
    group = "{{{{{1}}}}}"
    nan = "std::numeric_limits<{}>::quiet_NaN()"
    literal_suffix = {"float64": "", "float32": "f"}
    reserved = reserved_words.CPP
    notes = C.notes

    def operations(self) -> Mapping[str, str]:
        calls = {name: f"std::{name}({{0}})" for name in ("sqrt", "sin", "cos", "floor", "signbit")}
        return {**self.templates, **calls, "atan2": "std::atan2({0}, {1})", "absolute": "std::fabs({0})"}

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return pascal(item.record)
        if item.kind in ARRAYS:
            return f"std::array<{self.real}, {item.size}>"
        return {"status": "int", "index": "int", "flag": "bool"}.get(item.kind, self.real)

    def part(self, item: Item, index: int) -> str:
        return f"[{index}]"

    def record_value(self, item: Item, parts: Sequence[str]) -> str:
        return f"{{{', '.join(self.values(item, parts))}}}"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"const {'bool' if is_boolean else self.real} {name} = {value};"

    def opening(self) -> list[str]:
        includes = [f"#include <{name}>" for name in ("array", "cmath", "limits")]
        return ["#pragma once", *includes, "", f"namespace {self.unit.name} {{", ""]

    def closing(self) -> list[str]:
        return ["", f"}}  // namespace {self.unit.name}"]

    def record(self, item: Item) -> list[str]:
        fields = [self.field_line(f"{self.type_of(field)} {self.field(field.name)};", field) for field in item.fields]
        return [f"struct {pascal(item.record)} {{", *self.indent_lines(fields), "};"]

    def constant_definition(self, name: str, value: str) -> str:
        return f"constexpr {self.real} {name} = {value};"

    def function(self, function: Function | Procedure) -> list[str]:
        kind = self.type_of(function.output)
        parameters = []
        for item in function.inputs:
            plain = item.kind in ("number", "index")
            parameters.append(
                f"{'' if plain else 'const '}{self.type_of(item)}{'' if plain else '&'} {self.local(item.name)}"
            )
        return [
            *self.description(function),
            *self.wrap(f"inline {kind} {function.name}", parameters, " noexcept {"),
            *self.indent_lines(self.body_of(function)),
            "}",
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        values = [f"{value}," for value in self.values(function.output, outputs)]
        return ["return {", *self.indent_lines(values), "};"]

    def call(self, function: Function | Procedure) -> str:
        return f"const auto s = {self.unit.name}::{function.name}({self.arguments(function)});"
