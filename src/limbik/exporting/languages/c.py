"""C99: one header without dependencies but math.h."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import Language
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import EAGER, EAGER_BINDING

ARRAYS = ("vector", "quaternion")


class C(Language):
    """C99."""

    key = "c"
    title = "C99"
    suffix = ".h"
    number = {"float64": "double", "float32": "float"}
    nan = "NAN"
    templates = {**Language.templates, **EAGER}
    binding = EAGER_BINDING
    status = "(int){0}"
    status_constant = "enum {{ {0} = {1} }};"
    unused_parameter = "(void){0};"
    group = "{{{1}}}"
    literal_suffix = {"float64": "", "float32": "f"}
    reserved = reserved_words.C
    notes = (
        "Compile without contraction (gcc, clang: -ffp-contract=off) for the same bits as limbik's, and without"
        " -ffast-math, which takes away the tests for numbers that are not finite.",
        "Loops over many limbs vectorise (gcc, clang: -O3 -fno-math-errno -fno-trapping-math -march=native).",
    )

    def operations(self) -> Mapping[str, str]:
        f = "f" if self.dtype == "float32" else ""
        calls = {name: f"{name}{f}({{0}})" for name in ("sqrt", "sin", "cos", "floor")}
        calls["signbit"] = "(signbit({0}) != 0)"
        return {**self.templates, **calls, "atan2": f"atan2{f}({{0}}, {{1}})", "absolute": f"fabs{f}({{0}})"}

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return f"{self.unit.name}_{item.record}"
        return "int" if item.kind in ("status", "flag", "index") else self.real

    def part(self, item: Item, index: int) -> str:
        return f"[{index}]"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"const {'int' if is_boolean else self.real} {name} = {value};"

    def opening(self) -> list[str]:
        guard = f"{self.unit.name.upper()}_H"
        return [f"#ifndef {guard}", f"#define {guard}", "#include <math.h>", ""]

    def closing(self) -> list[str]:
        return ["", "#endif"]

    def record(self, item: Item) -> list[str]:
        fields = []
        for field in item.fields:
            size = f"[{field.size}]" if field.kind in ARRAYS else ""
            fields.append(self.field_line(f"{self.type_of(field)} {self.field(field.name)}{size};", field))
        return ["typedef struct {", *self.indent_lines(fields), f"}} {self.type_of(item)};"]

    def parameter(self, item: Item) -> str:
        """A parameter with its type."""
        if item.kind in ARRAYS:
            return f"const {self.real} {self.local(item.name)}[{item.size}]"
        return f"{self.type_of(item)} {self.local(item.name)}"

    def constant_name(self, name: str) -> str:
        return f"{self.unit.name}_{name}".upper()

    def constant_definition(self, name: str, value: str) -> str:
        return f"static const {self.real} {name} = {value};"

    def function_name(self, function: Function | Procedure) -> str:
        return f"{self.unit.name}_{function.name}"

    def function(self, function: Function | Procedure) -> list[str]:
        kind = self.type_of(function.output)
        parameters = [self.parameter(item) for item in function.inputs]
        return [
            *self.description(function),
            *self.wrap(f"static inline {kind} {self.function_name(function)}", parameters, " {"),
            *self.indent_lines(self.body_of(function)),
            "}",
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        values = [f"{value}," for value in self.values(function.output, outputs)]
        start = f"const {self.type_of(function.output)} result = {{"
        return [start, *self.indent_lines(values), "};", "return result;"]

    def call(self, function: Function | Procedure) -> str:
        return f"{self.type_of(function.output)} s = {self.unit.name}_{function.name}({self.arguments(function)});"
