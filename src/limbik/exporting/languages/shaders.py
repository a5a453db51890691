"""GLSL, HLSL and WGSL. A shader's own atan2, sine and cosine may not be trusted: limbik's polynomials replace them.

Compilers of shaders may assume that there is no NaN, and may replace x·0 by 0: rows that are not finite are recognised
by their bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from limbik.engines.numba_engine import elementary_formulas
from limbik.engines.trace import lower
from limbik.exporting import reserved_words
from limbik.exporting.functions import Function
from limbik.exporting.items import Item
from limbik.exporting.language import NUMBERS, Language, Unit, pascal
from limbik.exporting.procedures import Procedure
from limbik.exporting.statements import BINDING
from limbik.formulas.operations import Boolean, Real, Symbol

CALLS = ("minimum", "maximum", "where", "outside", "not_finite")


def _products_with_zero(step: Real | str) -> list[Real | str] | None:
    """The numbers a, b, c of the sum a·0 + b·0 + c·0, else None."""
    if not isinstance(step, Symbol):
        return None
    if step.operation == "*" and step.inputs[1] == 0.0 and isinstance(step.inputs[1], float):
        return [step.inputs[0]]
    if step.operation == "+":
        parts = [_products_with_zero(one) for one in step.inputs]
        return None if None in parts else [one for part in parts for one in part or ()]
    return None


def _not_equal(a: Real, b: Real) -> Boolean:
    """`a != b`; the test for numbers that are not finite, a sum of products with 0, as an operation of its own."""
    numbers = _products_with_zero(a) if isinstance(b, float) and b == 0.0 else None
    if numbers is None:
        return Symbol("!=", a, b)
    found: Boolean = Symbol("not_finite", numbers[0])
    for number in numbers[1:]:
        found = found | Symbol("not_finite", number)
    return found


class Shader(Language):
    """What the languages of shaders have in common."""

    number = {"float32": "float"}
    procedures = False
    nan = "limbik_nan"
    literal_suffix = {"float64": "", "float32": ""}
    binding = {operation: binding for operation, binding in BINDING.items() if operation not in CALLS}
    reserved = reserved_words.SHADERS
    vectors: Mapping[int, str]

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        formulas: dict[str, Callable[..., Boolean]] = {**elementary_formulas(NUMBERS["float32"]), "!=": _not_equal}
        recorded = [one for one in unit.functions if isinstance(one, Function)]
        self._lowered = {id(one): self._lower(one, formulas) for one in recorded}

    def _lower(self, function: Function, formulas: Mapping[str, Callable[..., Boolean]]) -> Function:
        trace = lower(function.trace, True, formulas)
        names = function.names.transfer(function.trace.outputs, trace.outputs)
        return replace(function, trace=trace, names=names)

    def body(self, function: Function) -> tuple[list[str], list[str]]:
        return super().body(self._lowered[id(function)])

    def type_of(self, item: Item) -> str:
        if item.kind == "record":
            return f"{pascal(self.unit.name)}{pascal(item.record)}"
        if item.size > 1:
            return self.vectors[item.size]
        return {"status": "int", "index": "int", "flag": "bool"}.get(item.kind, self.real)

    def constant_name(self, name: str) -> str:
        return f"{self.unit.name}_{name}".upper()

    def record(self, item: Item) -> list[str]:
        fields = [self.field_line(f"{self.type_of(field)} {self.field(field.name)};", field) for field in item.fields]
        return [f"struct {self.type_of(item)} {{", *self.indent_lines(fields), "};"]

    def function(self, function: Function | Procedure) -> list[str]:
        parameters = [f"{self.type_of(item)} {self.local(item.name)}" for item in function.inputs]
        start = f"{self.type_of(function.output)} {self.unit.name}_{function.name}"
        return [
            *self.description(function),
            *self.wrap(start, parameters, " {"),
            *self.indent_lines(self.body_of(function)),
            "}",
        ]

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        return self.wrap(f"return {self.type_of(function.output)}", self.values(function.output, outputs), ";")

    def call(self, function: Function | Procedure) -> str:
        return f"{self.type_of(function.output)} s = {self.unit.name}_{function.name}({self.arguments(function)});"


class GLSL(Shader):
    """GLSL 3.30, ES 3.00 and newer."""

    key = "glsl"
    title = "GLSL 3.30, ES 3.00 and newer"
    suffix = ".glsl"
    vectors = {2: "vec2", 3: "vec3", 4: "vec4"}
    templates = {
        **Language.templates,
        "where": "({0} ? {1} : {2})",
        "minimum": "min({0}, {1})",
        "maximum": "max({0}, {1})",
        "absolute": "abs({0})",
        "signbit": "(floatBitsToInt({0}) < 0)",
        "outside": "limbik_outside({0}, {1}, {2})",
        "not_finite": "limbik_not_finite({0})",
    }
    notes = ("Include it after #version; in a fragment shader of ES, after precision highp float.",)

    whole = "{1}({0})"
    status_constant = "const int {0} = {1};"

    def constant_definition(self, name: str, value: str) -> str:
        return f"const float {name} = {value};"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"{'bool' if is_boolean else 'LIMBIK_PRECISE float'} {name} = {value};"

    def opening(self) -> list[str]:
        return [
            "#ifndef LIMBIK_PRECISE",
            "#if (defined(GL_ES) && __VERSION__ >= 320) || (!defined(GL_ES) && __VERSION__ >= 400)",
            "#define LIMBIK_PRECISE precise",
            "#else",
            "#define LIMBIK_PRECISE",
            "#endif",
            "#define limbik_nan uintBitsToFloat(0x7fc00000u)",
            "bool limbik_not_finite(float a) { return (floatBitsToUint(a) & 0x7f800000u) == 0x7f800000u; }",
            "bool limbik_outside(float a, float low, float high) { return !(a >= low && a <= high); }",
            "#endif",
            "",
        ]


class HLSL(Shader):
    """HLSL, shader model 5."""

    key = "hlsl"
    title = "HLSL, shader model 5"
    suffix = ".hlsl"
    status = "(int){0}"
    status_constant = "static const int {0} = {1};"
    vectors = {2: "float2", 3: "float3", 4: "float4"}
    templates = {
        **GLSL.templates,
        "signbit": "(asint({0}) < 0)",
    }

    def constant_definition(self, name: str, value: str) -> str:
        return f"static const float {name} = {value};"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"{'bool' if is_boolean else 'precise float'} {name} = {value};"

    def returned(self, function: Function, outputs: Sequence[str]) -> list[str]:
        return [
            f"{self.type_of(function.output)} result;",
            *self.assignments(function.output, outputs),
            "return result;",
        ]

    def assignments(self, item: Item, parts: Sequence[str], name: str = "result") -> list[str]:
        """Assignments to the fields of a record."""
        lines, first = [], 0
        for field in item.fields:
            own = parts[first : first + field.size]
            first += field.size
            place = f"{name}.{self.field(field.name)}"
            nested = field.kind == "record"
            lines += self.assignments(field, own, place) if nested else [f"{place} = {self.value(field, own)};"]
        return lines

    def opening(self) -> list[str]:
        return [
            "#ifndef LIMBIK_HELPERS",
            "#define LIMBIK_HELPERS",
            "#define limbik_nan asfloat(0x7fc00000u)",
            "bool limbik_not_finite(float a) { return (asuint(a) & 0x7f800000u) == 0x7f800000u; }",
            "bool limbik_outside(float a, float low, float high) { return !(a >= low && a <= high); }",
            "#endif",
            "",
        ]


class WGSL(Shader):
    """WGSL."""

    key = "wgsl"
    title = "WGSL"
    suffix = ".wgsl"
    status = "i32({0})"
    status_constant = "const {0}: i32 = {1};"
    number = {"float32": "f32"}
    vectors = {2: "vec2f", 3: "vec3f", 4: "vec4f"}
    templates = {
        **GLSL.templates,
        "where": "select({2}, {1}, {0})",
        "signbit": "((bitcast<u32>({0}) & 0x80000000u) != 0u)",
    }

    whole = "{1}({0})"

    def type_of(self, item: Item) -> str:
        return {"status": "i32", "index": "i32"}.get(item.kind) or super().type_of(item)

    def constant_definition(self, name: str, value: str) -> str:
        return f"const {name}: f32 = {value};"

    def declare(self, name: str, value: str, is_boolean: bool) -> str:
        return f"let {name} = {value};"

    def opening(self) -> list[str]:
        prefix = self.unit.name
        return [
            "",
            f"fn {prefix}_not_finite(a: f32) -> bool {{ return (bitcast<u32>(a) & 0x7f800000u) == 0x7f800000u; }}",
            f"fn {prefix}_outside(a: f32, low: f32, high: f32) -> bool {{ return !(a >= low && a <= high); }}",
            "",
        ]

    def record(self, item: Item) -> list[str]:
        fields = [self.field_line(f"{self.field(field.name)}: {self.type_of(field)},", field) for field in item.fields]
        return [f"struct {self.type_of(item)} {{", *self.indent_lines(fields), "}"]

    def function(self, function: Function | Procedure) -> list[str]:
        body = [line.replace("limbik_", f"{self.unit.name}_") for line in self.body_of(function)]
        parameters = [f"{self.local(item.name)}: {self.type_of(item)}" for item in function.inputs]
        # An expression of constants that is NaN is an error: the bits come from an input.
        first = function.inputs[0]
        some = self.read(first, self.local(first.name), 0)
        nan = f"let {self.unit.name}_nan = bitcast<f32>(0x7fc00000u | (bitcast<u32>({some}) & 1u));"
        kind = self.type_of(function.output)
        uses_nan = any(f"{self.unit.name}_nan" in line for line in body)
        return [
            *self.description(function),
            *self.wrap(f"fn {self.unit.name}_{function.name}", parameters, f" -> {kind} {{"),
            *self.indent_lines([*([nan] if uses_nan else []), *body]),
            "}",
        ]

    def call(self, function: Function | Procedure) -> str:
        return f"let s = {self.unit.name}_{function.name}({self.arguments(function)});"
