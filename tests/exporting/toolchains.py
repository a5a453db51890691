"""Real compilers: programs that run exported functions on rows of numbers from a file.

Each program takes a function's number, the file of its inputs and the file for its outputs: plain numbers, row by row.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from limbik.exporting.language import Unit, camel, pascal
from limbik.exporting.languages import LANGUAGES


def tool(name: str) -> str:
    """A program of the machine. Where it is missing the test is skipped; in continuous integration it fails."""
    found = shutil.which(name)
    if found is None:
        message = f"{name} is not installed: code for it is not tested"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


def run(*command: str | Path, **options) -> str:
    """Runs a command; its output, or a failure that shows what it printed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


class Toolchain:
    """A language, how its programs are built, and how they are run."""

    language: str
    number: ClassVar = {"float64": "double", "float32": "float"}
    library = "c"  # whose sin, cos and atan2 it uses: "c", or "rounded"; see `rows.elementary_functions`
    whole: ClassVar[str] = "(int){}"  # a number as a whole one
    whole_of: ClassVar[str] = "{}"  # a status as a whole number
    same_library = True  # whether these give the same bits as Python's

    def __init__(self, units: list[Unit], folder: Path) -> None:
        self.units = units
        self.folder = folder
        self.dtype = np.dtype(units[0].dtype)
        self.real = self.number[units[0].dtype]
        self.calls = [(unit, function) for unit in units for function in unit.functions]
        for unit in units:
            for suffix, text in LANGUAGES[self.language](unit).files().items():
                (folder / f"{unit.name}{suffix}").write_text(text)
        self.build()

    def build(self) -> None:
        raise NotImplementedError

    def command(self) -> list[str | Path]:
        raise NotImplementedError

    def run(self, unit: str, function: str, rows: np.ndarray, carried: int = 0, period: int = 1) -> np.ndarray:
        """Outputs (count, numbers) of a function for inputs (count, numbers).

        So many last outputs of each row take the place of the last inputs of the next, except at the start of a period.
        """
        number = next(k for k, (u, f) in enumerate(self.calls) if (u.name, f.name) == (unit, function))
        source, target = self.folder / "in.bin", self.folder / "out.bin"
        np.ascontiguousarray(rows, self.dtype).tofile(source)
        run(*self.command(), str(number), source, target, str(carried), str(period))
        size = self.calls[number][1].output.size
        return np.fromfile(target, self.dtype).reshape(len(rows), size)

    def track(self, unit: str, given: dict[str, np.ndarray]) -> np.ndarray:
        """Outputs of `track` along paths, (frames, count, numbers), which begin without a state: NaN."""
        track = next(f for u, f in self.calls if (u.name, f.name) == (unit, "track"))
        frames, count = given["target"].shape[:2]
        size = track.output.fields[-1].size
        steps = [given[item.name].swapaxes(0, 1) for item in track.inputs[:-1]]
        steps.append(np.full((count, frames, size), np.nan))
        table = np.concatenate(steps, axis=-1).reshape(frames * count, -1)
        found = self.run(unit, "track", table, carried=size, period=frames)
        return found.reshape(count, frames, -1).swapaxes(0, 1)

    def field(self, name: str) -> str:
        """The name of a record's field."""
        return LANGUAGES[self.language](self.units[0]).field(name)

    def reads(self, function, vector, record) -> list[str]:
        """The arguments of a call, from the numbers of a row `a`, by how vectors and records are made."""
        arguments, first = [], 0

        def read(item, first):
            if item.kind == "record":
                parts = []
                for field in item.fields:
                    parts.append((field, read(field, first)))
                    first += field.size
                return record(item, parts)
            number = f"a[{first}]"
            return (
                self.whole.format(number) if item.kind == "index" else number if item.size == 1 else vector(item, first)
            )

        for item in function.inputs:
            arguments.append(read(item, first))
            first += item.size
        return arguments

    def writes(self, item, name, part) -> list[str]:
        """The numbers of a result, by how components are selected."""
        if item.kind == "record":
            return [text for one in item.fields for text in self.writes(one, f"{name}.{self.field(one.name)}", part)]
        if item.kind == "flag":
            return [f"({name} ? 1 : 0)"]
        if item.kind == "status":
            return [self.whole_of.format(name)]
        return [name] if item.size == 1 else [f"{name}{part(item, k)}" for k in range(item.size)]


class CToolchain(Toolchain):
    language = "c"
    compiler = "gcc"
    flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-O0", "-ffp-contract=off")

    def build(self) -> None:
        compiler = tool(self.compiler)
        lines = [f'#include "{unit.name}{LANGUAGES[self.language].suffix}"' for unit in self.units]
        lines += ["#include <stdio.h>", "#include <stdlib.h>", f"typedef {self.real} real;"]
        for number, (unit, function) in enumerate(self.calls):
            lines += self.caller(number, unit, function)
        cases = [
            f"case {k}: ins = {sum(i.size for i in f.inputs)}; outs = {f.output.size}; call = run{k}; break;"
            for k, (_, f) in enumerate(self.calls)
        ]
        lines += [
            "int main(int argc, char **argv) {",
            "  int ins = 0, outs = 0, carried = atoi(argv[4]), period = atoi(argv[argc - 1]), rows = 0;",
            "  void (*call)(const real *, real *) = 0;",
            f"  switch (atoi(argv[1])) {{ {' '.join(cases)} }}",
            '  FILE *source = fopen(argv[2], "rb"), *target = fopen(argv[3], "wb"); real a[256], out[256];',
            "  while (fread(a, sizeof(real), ins, source) == (size_t)ins) {",
            "    for (int k = 0; k < carried && rows % period; k++) a[ins - carried + k] = out[outs - carried + k];",
            "    call(a, out); fwrite(out, sizeof(real), outs, target); rows++;",
            "  }",
            "  fclose(source); fclose(target); return 0;",
            "}",
        ]
        main = self.folder / f"main.{self.language}"
        main.write_text("\n".join(lines) + "\n")
        run(compiler, *self.flags, main, "-o", self.folder / "program", "-lm")

    def caller(self, number, unit, function) -> list[str]:
        def record(item, parts):
            numbers = []
            for field, text in parts:
                parts_of = ", ".join(f"({text})[{k}]" for k in range(field.size))
                numbers.append(text if field.size == 1 or field.kind == "record" else f"{{{parts_of}}}")
            return f"({unit.name}_{item.record}){{{', '.join(numbers)}}}"

        arguments = self.reads(function, lambda item, first: f"a + {first}", record)
        writes = self.writes(function.output, "s", lambda item, k: f"[{k}]")
        kind = f"{unit.name}_{function.output.record}"
        stores = [f"  out[{k}] = (real){text};" for k, text in enumerate(writes)]
        start = f"static void run{number}(const real *a, real *out) {{"
        return [start, f"  {kind} s = {unit.name}_{function.name}({', '.join(arguments)});", *stores, "}"]

    def command(self) -> list[str | Path]:
        return [self.folder / "program"]


class CppToolchain(CToolchain):
    language = "cpp"
    compiler = "g++"
    flags = ("-std=c++14", "-Wall", "-Wextra", "-Werror", "-O0", "-ffp-contract=off")

    def caller(self, number, unit, function) -> list[str]:
        def vector(item, first):
            return "{{" + ", ".join(f"a[{first + k}]" for k in range(item.size)) + "}}"

        def record(item, parts):
            return f"{unit.name}::{pascal(item.record)}{{{', '.join(text for _, text in parts)}}}"

        arguments = self.reads(function, vector, record)
        writes = self.writes(function.output, "s", lambda item, k: f"[{k}]")
        stores = [f"  out[{k}] = (real){text};" for k, text in enumerate(writes)]
        start = f"static void run{number}(const real *a, real *out) {{"
        return [start, f"  auto s = {unit.name}::{function.name}({', '.join(arguments)});", *stores, "}"]


class RustToolchain(Toolchain):
    language = "rust"
    number: ClassVar = {"float64": "f64", "float32": "f32"}
    whole = "{} as i32"

    def build(self) -> None:
        compiler = tool("rustc")
        size = self.dtype.itemsize
        lines = ["#![allow(dead_code)]", *(f"mod {unit.name};" for unit in self.units), "use std::io::{Read, Write};"]
        cases = []
        for number, (unit, function) in enumerate(self.calls):

            def vector(item, first):
                return "[" + ", ".join(f"a[{first + k}]" for k in range(item.size)) + "]"

            def record(item, parts, name=unit.name):
                fields = ", ".join(f"{self.field(f.name)}: {text}" for f, text in parts)
                return f"{name}::{pascal(item.record)} {{ {fields} }}"

            arguments = self.reads(function, vector, record)
            writes = self.writes(function.output, "s", lambda item, k: f"[{k}]")
            writes = [text.replace(" ? 1 : 0", " as i32") for text in writes]
            numbers = ", ".join(f"{text} as {self.real}" for text in writes)
            ins = sum(item.size for item in function.inputs)
            lines += [
                f"fn run{number}(a: &[{self.real}]) -> Vec<{self.real}> {{",
                f"    let s = {unit.name}::{function.name}({', '.join(arguments)});",
                f"    vec![{numbers}]",
                "}",
            ]
            cases.append(f"{number} => ({ins}, run{number}),")
        kind = f"(usize, fn(&[{self.real}]) -> Vec<{self.real}>)"
        lines += [
            "fn main() {",
            "    let argv: Vec<String> = std::env::args().collect();",
            "    let number: i32 = argv[1].parse().unwrap();",
            f"    let (ins, call): {kind} = match number {{ {' '.join(cases)} _ => panic!() }};",
            "    let mut bytes = Vec::new(); std::fs::File::open(&argv[2]).unwrap().read_to_end(&mut bytes).unwrap();",
            f"    let numbers: Vec<{self.real}> = bytes.chunks({size})"
            f".map(|b| {self.real}::from_le_bytes(b.try_into().unwrap())).collect();",
            "    let (carried, period): (usize, usize) = (argv[4].parse().unwrap(), argv[5].parse().unwrap());",
            f"    let mut out = Vec::new(); let mut last: Vec<{self.real}> = Vec::new();",
            "    for (place, row) in numbers.chunks(ins).enumerate() {",
            "        let mut a = row.to_vec();",
            "        let size = last.len();",
            "        if place % period > 0 { a[ins - carried..].copy_from_slice(&last[size - carried..]); }",
            "        last = call(&a); for x in &last { out.extend_from_slice(&x.to_le_bytes()); }",
            "    }",
            "    std::fs::File::create(&argv[3]).unwrap().write_all(&out).unwrap();",
            "}",
        ]
        (self.folder / "main.rs").write_text("\n".join(lines) + "\n")
        flags = ("--edition=2021", "-C", "opt-level=0", "-D", "warnings")
        run(compiler, *flags, self.folder / "main.rs", "-o", self.folder / "program")
        for unit in self.units[:1]:  # no_std
            bare = self.folder / "bare.rs"
            bare.write_text(f"#![no_std]\npub mod {unit.name};\n")
            feature = ("--cfg", 'feature="no_std"')
            run(compiler, "--edition=2018", *feature, "--crate-type=rlib", "--out-dir", self.folder, bare)

    def command(self) -> list[str | Path]:
        return [self.folder / "program"]


class JavaScriptToolchain(Toolchain):
    language = "js"
    library = "rounded"
    whole = "{}"

    @property
    def same_library(self) -> bool:
        """In float32 its own functions, computed in float64, round to the same bits."""
        return self.dtype == np.float32

    def build(self) -> None:
        tool("node")
        (self.folder / "package.json").write_text('{"type": "module"}\n')
        array = {"float64": "Float64Array", "float32": "Float32Array"}[self.dtype.name]
        lines = [f'import * as {unit.name} from "./{unit.name}.js";' for unit in self.units]
        lines += ['import fs from "node:fs";', "const calls = ["]
        for unit, function in self.calls:

            def vector(item, first):
                return f"a.subarray({first}, {first + item.size})"

            def record(item, parts):
                return "{" + ", ".join(f"{self.field(f.name)}: {text}" for f, text in parts) + "}"

            arguments = self.reads(function, vector, record)
            writes = self.writes(function.output, "s", lambda item, k: f"[{k}]")
            ins = sum(item.size for item in function.inputs)
            lines.append(
                f"  [{ins}, (a) => {{ const s = {unit.name}.{camel(function.name)}({', '.join(arguments)});"
                f" return [{', '.join(writes)}]; }}],"
            )
        lines += [
            "];",
            "const [number, source, target] = process.argv.slice(2);",
            "const [carried, period] = process.argv.slice(5).map(Number);",
            "const [ins, call] = calls[Number(number)];",
            "const bytes = fs.readFileSync(source);",
            f"const numbers = new {array}(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));",
            "const out = []; let last = [];",
            "for (let k = 0; k < numbers.length; k += ins) {",
            "  const a = numbers.subarray(k, k + ins);",
            "  if ((k / ins) % period && carried) a.set(last.slice(-carried), ins - carried);",
            "  last = call(a); for (const x of last) out.push(x);",
            "}",
            f"fs.writeFileSync(target, Buffer.from({array}.from(out).buffer));",
        ]
        (self.folder / "main.js").write_text("\n".join(lines) + "\n")

    def command(self) -> list[str | Path]:
        return [tool("node"), self.folder / "main.js"]


class CSharpToolchain(Toolchain):
    language = "csharp"
    whole_of = "(int){}"
    same_library = False  # Mono's own
    extra: tuple[Path, ...] = ()

    def vector(self, item, first):
        return "(" + ", ".join(f"a[{first + k}]" for k in range(item.size)) + ")"

    def part(self, item, k):
        return "." + "xyzw"[k]

    def build(self) -> None:
        compiler = tool("mcs")
        tool("mono")
        lines = ["using System; using System.IO; using Limbik;", "public static class Program {"]
        cases = []
        for number, (unit, function) in enumerate(self.calls):
            name = pascal(unit.name)

            def record(item, parts, name=name):
                fields = ", ".join(f"{self.field(f.name)} = {text}" for f, text in parts)
                return f"new {name}.{pascal(item.record)} {{ {fields} }}"

            arguments = self.reads(function, self.vector, record)
            writes = self.writes(function.output, "s", self.part)
            ins = sum(item.size for item in function.inputs)
            lines.append(
                f"  static {self.real}[] Run{number}({self.real}[] a) {{"
                f" var s = {name}.{pascal(function.name)}({', '.join(arguments)});"
                f" return new {self.real}[] {{ {', '.join(writes)} }}; }}"
            )
            cases.append(f"case {number}: ins = {ins}; call = Run{number}; break;")
        size = self.dtype.itemsize
        lines += [
            "  public static void Main(string[] argv) {",
            f"    int ins = 0; Func<{self.real}[], {self.real}[]> call = null;",
            f"    switch (int.Parse(argv[0])) {{ {' '.join(cases)} }}",
            f"    var bytes = File.ReadAllBytes(argv[1]); var a = new {self.real}[ins]; {self.real}[] s = null;",
            "    int carried = int.Parse(argv[3]), period = int.Parse(argv[4]);",
            "    using (var target = File.Create(argv[2]))",
            f"    for (int k = 0; k < bytes.Length; k += ins * {size}) {{",
            f"      Buffer.BlockCopy(bytes, k, a, 0, ins * {size});",
            f"      if (k / ins / {size} % period > 0) Array.Copy(s, s.Length - carried, a, ins - carried, carried);",
            "      s = call(a);",
            f"      var o = new byte[s.Length * {size}]; Buffer.BlockCopy(s, 0, o, 0, o.Length);",
            "      target.Write(o, 0, o.Length);",
            "    }",
            "  }",
            "}",
        ]
        (self.folder / "Main.cs").write_text("\n".join(lines) + "\n")
        sources = [self.folder / "Main.cs", *(self.folder / f"{unit.name}.cs" for unit in self.units), *self.extra]
        run(compiler, "-langversion:7", "-optimize+", "-warnaserror", f"-out:{self.folder / 'program.exe'}", *sources)

    def command(self) -> list[str | Path]:
        return [tool("mono"), self.folder / "program.exe"]


class UnityToolchain(CSharpToolchain):
    """Unity.Mathematics, as the stand-in of the tests has it."""

    language = "csharp-mathematics"
    extra = (Path(__file__).parent / "unity" / "UnityEngine.cs",)

    def vector(self, item, first):
        kind = "quaternion" if item.kind == "quaternion" else f"float{item.size}"
        return f"new Unity.Mathematics.{kind}{super().vector(item, first)}"

    def part(self, item, k):
        return f"{'.value' * (item.kind == 'quaternion')}{super().part(item, k)}"


TOOLCHAINS: dict[str, type[Toolchain]] = {
    one.language: one
    for one in (CToolchain, CppToolchain, CSharpToolchain, UnityToolchain, JavaScriptToolchain, RustToolchain)
}
