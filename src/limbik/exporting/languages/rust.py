"""Rust: one module, with the functions of std, or of the C library where a crate has the feature no_std."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import Language, pascal
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import EAGER, EAGER_BINDING, Binding


class Rust(Language):
    """Rust, editions 2018 to 2024."""

    key = "rust"
    title = "Rust, editions 2018 to 2024"
    suffix = ".rs"
    number = {"float64": "f64", "float32": "f32"}
    nan = "{}::NAN"
    status = "{0} as i32"
    status_constant = "pub const {0}: i32 = {1};"
    unused_parameter = "let _ = {0};"
    group = "[{1}]"
    whole = "{0} as {1}"
    variable = "let mut {name} = {value};"
    constant_variable = "let {name} = {value};"
    loop = "for {0} in {1}..{2} {{"
    unused = "_{0}"
    condition = "if {0} {{"
    returned_value = "return {0};"
    templates = {
        **Language.templates,
        **EAGER,
        "where": "if {0} {{ {1} }} else {{ {2} }}",
        "minimum": "if {0} < {1} {{ {0} }} else {{ {1} }}",
        "maximum": "if {0} > {1} {{ {0} }} else {{ {1} }}",
    }
    binding = {**EAGER_BINDING, "where": Binding(1, (2, 0, 0))}
    reserved = reserved_words.RUST
    notes = (
        "A module: mod NAME; in your crate. Without the standard library: give your crate the feature no_std; the C",
        "library's functions then take the place of std's.",
    )

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return pascal(item.record)
        if item.size > 1:
            return f"[{self.real}; {item.size}]"
        return {"status": "i32", "index": "i32", "flag": "bool"}.get(item.kind, self.real)

    def operations(self) -> Mapping[str, str]:
        return {**self.templates, "absolute": "abs({0})", "signbit": "({0}).is_sign_negative()"}

    def part(self, item: Item, index: int) -> str:
        return f"[{index}]"

    def record_value(self, item: Item, parts: Sequence[str]) -> str:
        values = zip(item.fields, self.values(item, parts), strict=True)
        return f"{pascal(item.record)} {{ {', '.join(self.pair(field, value) for field, value in values)} }}"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"let {name}{'' if is_boolean else f': {self.real}'} = {value};"

    def file(self) -> str:
        text = super().file()
        used = [name for name in ("sqrt", "sin", "cos", "floor", "atan2", "abs") if re.search(rf"\b{name}\(", text)]
        return text + "".join(f"\n{line}\n" for line in self.helpers(used))

    def helpers(self, used: Sequence[str]) -> list[str]:
        """The functions that core lacks: those of std, or with the feature no_std those of the C library."""
        real, f = self.real, "f" if self.dtype == "float32" else ""
        mask, bits = ("0x7fff_ffff_ffff_ffff", "u64") if self.dtype == "float64" else ("0x7fff_ffff", "u32")
        blocks = []
        if foreign := [name for name in used if name != "abs"]:
            signatures = {name: f"(y: {real}, x: {real})" if name == "atan2" else f"(x: {real})" for name in foreign}
            declared = [f"pub fn {name}{f}{signatures[name]} -> {real};" for name in foreign]
            library = [
                "mod c_library {",
                *self.indent_lines(['unsafe extern "C" {', *self.indent_lines(declared), "}"]),
                "}",
            ]
            own, others = [], library
            for name in foreign:
                start = ["#[inline]", f"pub fn {name}{signatures[name]} -> {real} {{"]
                calls = ("y.atan2(x)", "y, x") if name == "atan2" else (f"x.{name}()", "x")
                own += [*start, f"{self.indent}{calls[0]}", "}"]
                others += [*start, f"{self.indent}unsafe {{ c_library::{name}{f}({calls[1]}) }}", "}"]
            blocks += [
                ['#[cfg(not(feature = "no_std"))]', "mod functions {", *self.indent_lines(own), "}"],
                ['#[cfg(feature = "no_std")]', "mod functions {", *self.indent_lines(others), "}"],
                [
                    f"use self::functions::{{{', '.join(sorted(foreign))}}};"
                    if foreign[1:]
                    else f"use self::functions::{foreign[0]};"
                ],
            ]
        if "abs" in used:
            start = ["#[inline]", f"fn abs(x: {real}) -> {real} {{"]
            blocks.append([*start, f"{self.indent}{real}::from_bits(x.to_bits() & {mask}_{bits})", "}"])
        return ["\n".join(block) for block in blocks]

    def opening(self) -> list[str]:
        return ["#![allow(dead_code, unknown_lints, unexpected_cfgs)]", ""]

    def record(self, item: Item) -> list[str]:
        fields = []
        for field in item.fields:
            fields += [
                *([f"/// {field.note}"] if field.note else []),
                f"pub {self.field(field.name)}: {self.type_of(field)},",
            ]
        return [
            "#[derive(Clone, Copy, Debug)]",
            f"pub struct {pascal(item.record)} {{",
            *self.indent_lines(fields),
            "}",
        ]

    def constant_definition(self, name: str, value: str) -> str:
        return f"const {name}: {self.real} = {value};"

    def function(self, function: Function | Procedure) -> list[str]:
        kind = pascal(function.output.record)
        parameters = [f"{self.local(item.name)}: {self.type_of(item)}" for item in function.inputs]
        return [
            *(line.replace("//", "///", 1) for line in self.description(function)),
            *self.wrap(f"pub fn {function.name}", parameters, f" -> {kind} {{"),
            *self.indent_lines(self.body_of(function)),
            "}",
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        values = zip(function.output.fields, self.values(function.output, outputs), strict=True)
        fields = [f"{self.pair(field, value)}," for field, value in values]
        return [f"{pascal(function.output.record)} {{", *self.indent_lines(fields), "}"]

    def pair(self, field: Item, value: str) -> str:
        """A field of a record."""
        name = self.field(field.name)
        return name if name == value else f"{name}: {value}"

    def call(self, function: Function | Procedure) -> str:
        return f"let s = {self.unit.name}::{function.name}({self.arguments(function)});"
