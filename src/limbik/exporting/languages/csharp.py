"""C#: a static class, plain (vectors are tuples) or with the types of Unity.Mathematics, which Burst compiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import STATUSES, Item
from limbik.exporting.language import Language, camel, pascal
from limbik.exporting.procedures import Procedure


class CSharp(Language):
    """C# 7 without dependencies."""

    key = "csharp"
    title = "C# 7"
    suffix = ".cs"
    number = {"float64": "double", "float32": "float"}
    nan = "{}.NaN"
    status = "(Status){0}"
    group = "({1})"
    literal_suffix = {"float64": "", "float32": "f"}
    reserved = reserved_words.CSHARP
    taken_names = frozenset(["math", "math_f", "bit_converter", "system", "unity"])
    usings: Sequence[str] = ("System",)
    constant_variable = Language.variable

    def local(self, name: str) -> str:
        return super().local(camel(name))

    def field(self, name: str) -> str:
        word = pascal(name)
        return word + "_" if word in reserved_words.CSHARP_MEMBERS else word

    def operations(self) -> Mapping[str, str]:
        library = "Math" if self.dtype == "float64" else "MathF"
        calls = {name: f"{library}.{name.capitalize()}({{0}})" for name in ("sqrt", "sin", "cos", "floor")}
        whole = "DoubleToInt64Bits" if self.dtype == "float64" else "SingleToInt32Bits"
        calls["signbit"] = f"(BitConverter.{whole}({{0}}) < 0)"
        calls |= {"atan2": f"{library}.Atan2({{0}}, {{1}})", "absolute": "Math.Abs({0})"}
        return {**self.templates, **calls}

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return pascal(item.record)
        if item.kind in ("vector", "quaternion"):
            return f"({', '.join(f'{self.real} {axis}' for axis in 'xyzw'[: item.size])})"
        return {"status": "Status", "index": "int", "flag": "bool"}.get(item.kind, self.real)

    def record_value(self, item: Item, parts: Sequence[str]) -> str:
        values = self.values(item, parts)
        fields = [f"{self.field(field.name)} = {value}" for field, value in zip(item.fields, values, strict=True)]
        return f"new {pascal(item.record)} {{ {', '.join(fields)} }}"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"{'bool' if is_boolean else self.real} {name} = {value};"

    def opening(self) -> list[str]:
        lines = [*(f"using {name};" for name in self.usings), "", "namespace Limbik", "{"]
        return [*lines, *self.indent_lines([f"public static class {pascal(self.unit.name)}", "{"])]

    def closing(self) -> list[str]:
        return [f"{self.indent}}}", "}"]

    def status_lines(self) -> list[str]:
        if not self.reports_status:
            return []
        values = [f"{pascal(word)} = {number}" for number, word in enumerate(STATUSES)]
        lines = [*self.summary("what became of a target"), f"public enum Status {{ {', '.join(values)} }}", ""]
        return self.indent_lines(lines, 2)

    def record(self, item: Item) -> list[str]:
        lines = [f"public struct {pascal(item.record)}", "{"]
        for field in item.fields:
            text = f"public {self.type_of(field)} {self.field(field.name)};"
            lines += self.indent_lines([*self.summary(field.note), text])
        return self.indent_lines([*lines, "}"], 2)

    def summary(self, text: str) -> list[str]:
        """A documentation comment."""
        return [f"/// <summary>{text[0].upper()}{text[1:]}</summary>"] if text else []

    def constant_name(self, name: str) -> str:
        return pascal(name)

    def constant_definition(self, name: str, value: str) -> str:
        return f"{self.indent * 2}const {self.real} {name} = {value};"

    def function_name(self, function: Function | Procedure) -> str:
        return pascal(function.name)

    def function(self, function: Function | Procedure) -> list[str]:
        parameters = [f"{self.type_of(item)} {self.local(item.name)}" for item in function.inputs]
        names = [f'/// <param name="{self.local(item.name)}">{item.note}</param>' for item in function.inputs]
        kind = pascal(function.output.record)
        start = f"public static {kind} {pascal(function.name)}"
        lines = [
            *self.summary(function.summary),
            *names,
            *self.wrap(start, parameters, ""),
            "{",
            *self.indent_lines(self.body_of(function)),
            "}",
        ]
        return self.indent_lines(lines, 2)

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        values = self.values(function.output, outputs)
        fields = [f"{self.field(f.name)} = {v}," for f, v in zip(function.output.fields, values, strict=True)]
        return [f"return new {pascal(function.output.record)}", "{", *self.indent_lines(fields), "};"]

    def call(self, function: Function | Procedure) -> str:
        return f"var s = {pascal(self.unit.name)}.{pascal(function.name)}({self.arguments(function)});"


class UnityMathematics(CSharp):
    """C# with Unity.Mathematics."""

    key = "csharp-mathematics"
    title = "C# with Unity.Mathematics, for Burst"
    number = {"float32": "float"}
    usings = ("Unity.Mathematics",)
    group = "new {0}({1})"

    def operations(self) -> Mapping[str, str]:
        calls = {name: f"math.{name}({{0}})" for name in ("sqrt", "sin", "cos", "floor")}
        calls["signbit"] = "(math.asint({0}) < 0)"
        return {**self.templates, **calls, "atan2": "math.atan2({0}, {1})", "absolute": "math.abs({0})"}

    def type_of(self, item: Item) -> str:
        if item.kind == "vector":
            return f"float{item.size}"
        return "quaternion" if item.kind == "quaternion" else super().type_of(item)

    def part(self, item: Item, index: int) -> str:
        return f"{'.value' * (item.kind == 'quaternion')}.{'xyzw'[index]}"
