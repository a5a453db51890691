"""Sources compile whatever joints are called, in every language whose compiler is here, and parse in GDScript."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import limbik
from limbik.errors import ArgumentError
from limbik.exporting.functions import OPTIONS, LimbFunctions, aim_functions
from limbik.exporting.items import ANSWERS
from limbik.exporting.language import Unit
from limbik.exporting.languages import LANGUAGES
from tests.exporting.robot_limbs import NAMES, exact_limbs, limbs, poses, unit
from tests.exporting.toolchains import TOOLCHAINS, Toolchain, run, tool
from tests.optional import optional

FAMILY = "seven, swivel"
SEVENS = [tuple(itertools.islice(itertools.cycle(NAMES), start, start + 7)) for start in range(0, len(NAMES), 7)]
EDITIONS = ("2018", "2021", "2024")


@cache
def units_of_names(dtype: str, *, procedures: bool = True) -> list[Unit]:
    """The same arm with other names for its joints in each unit."""
    made = []
    for number, names in enumerate(SEVENS):
        one = unit(FAMILY, dtype, procedures=procedures, names=names)
        made.append(Unit(f"arm_{number}", one.about, one.functions, dtype, one.constants))
    return made


@cache
def units_of_limbs(dtype: str) -> list[Unit]:
    """Every limb with each answer; and with all, with each option, and with all options that go together."""
    made = []
    for limb, options in OPTIONS.items():
        all_options = tuple(one for one in options if one not in ("position", "easy"))
        for number, chosen in enumerate([(), *((one,) for one in options), all_options]):
            if limb == "aim":
                functions = aim_functions(frozenset(chosen))
            else:
                functions = LimbFunctions(limb, frozenset(chosen), (*ANSWERS[limb], "report")).functions(dtype)
            made.append(Unit(f"{limb}_{number}", [limb], functions, dtype))
        for answer in (*ANSWERS[limb], "report") if limb != "aim" else ():
            functions = LimbFunctions(limb, frozenset(), (answer,)).functions(dtype)
            made.append(Unit(f"{limb}_{answer}", [limb], functions, dtype))
    return made


@pytest.mark.parametrize("language", TOOLCHAINS)
def test_joints_with_any_names_compile_and_answer(language: str, tmp_path: Path) -> None:
    dtype = next(iter(LANGUAGES[language].number))
    program = TOOLCHAINS[language](units_of_names(dtype), tmp_path)
    rows = poses(limbs()[FAMILY], 5, "close")
    found = [program.run(f"arm_{number}", "solve", rows) for number in range(len(SEVENS))]
    assert all((one == found[0]).all() for one in found)
    assert (found[0][:, 7] == 0).all()


@pytest.mark.parametrize(("language", "dtype"), [(key, dtype) for key in TOOLCHAINS for dtype in LANGUAGES[key].number])
def test_every_limb_with_every_option_compiles(language: str, dtype: str, tmp_path: Path) -> None:
    program = TOOLCHAINS[language](units_of_limbs(dtype), tmp_path)
    assert program.calls


def test_every_family_compiles_in_every_language(tmp_path: Path) -> None:
    """Those in which the tests of answers have some families only."""
    for language in ("cpp", "csharp", "js", "rust"):
        folder = tmp_path / language
        folder.mkdir()
        dtype = next(iter(LANGUAGES[language].number))
        assert built(TOOLCHAINS[language], [unit(family, dtype) for family in limbs()], folder)


def built(toolchain: type[Toolchain], units: list[Unit], folder: Path) -> bool:
    return bool(toolchain(units, folder).calls)


@pytest.mark.parametrize("edition", EDITIONS)
def test_editions_of_rust(edition: str, tmp_path: Path) -> None:
    units = [*units_of_names("float64")[::4], *units_of_limbs("float64")[::2]]
    lines = ["#![deny(warnings)]", *(f"pub mod {one.name};" for one in units)]
    for one in units:
        (tmp_path / f"{one.name}.rs").write_text(LANGUAGES["rust"](one).file())
    command = (tool("rustc"), f"--edition={edition}", "--crate-type=lib", "--emit=metadata", "--out-dir", tmp_path)
    for crate, feature in (("with_std", ()), ("without_std", ("--cfg", 'feature="no_std"'))):
        source = tmp_path / f"{crate}.rs"
        source.write_text("\n".join(["#![no_std]"][: len(feature)] + lines) + "\n")
        run(*command, *feature, "--check-cfg", "cfg(feature, values())", source)
        assert (tmp_path / f"lib{crate}.rmeta").exists()


SHADER_CALLS: dict[str, Callable[[Path, Path], tuple[str | Path, ...]]] = {
    "glsl": lambda source, target: ("-V", "-S", "comp", source, "-o", target),
    "hlsl": lambda source, target: ("-D", "-V", "-S", "comp", "-e", "main", source, "-o", target),
}


@pytest.mark.parametrize("language", SHADER_CALLS)
def test_shaders_of_robots_compile(language: str, tmp_path: Path) -> None:
    """All of them in one shader, so that one compile serves; each unit's functions have its name."""
    units = [*units_of_names("float32", procedures=False)]
    units += [unit(family, "float32", procedures=False) for family in exact_limbs()]
    units += [one for one in units_of_limbs("float32") if one.name.endswith("_0")]
    text = "\n".join(LANGUAGES[language](one).file() for one in units)
    head, end = ("#version 430\n", "layout(local_size_x = 1) in;\nvoid main() {}\n")
    if language == "hlsl":
        head, end = "", "[numthreads(1, 1, 1)] void main() {}\n"
    source = tmp_path / f"all.{language}"
    source.write_text(head + text + end)
    run(tool("glslangValidator"), *SHADER_CALLS[language](source, tmp_path / "all.spv"))
    assert (tmp_path / "all.spv").stat().st_size > 0


def test_gdscript_parses() -> None:
    parser = optional("gdtoolkit.parser")
    units = [*units_of_names("float64")[::3], unit("five, leg"), unit("six, one axis aside")]
    for one in units:
        assert parser.parser.parse(LANGUAGES["gdscript"](one).file())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_a_word_of_the_language(language: str) -> None:
    """Of what compilers are missing for, too: no declared name is reserved."""
    procedures = LANGUAGES[language].procedures
    for one in units_of_names(next(iter(LANGUAGES[language].number)), procedures=procedures):
        made = LANGUAGES[language](one)
        names = {made.local(item.name) for function in one.functions for item in function.inputs}
        if language != "js":  # whose properties may have any name
            names |= {made.field(part.name) for record in one.records for part in record.fields}
        assert not names & made.reserved
        assert not any(re.search(r"[^\x00-\x7f]", line) for line in made.file().splitlines())


def test_a_name_that_the_language_takes_is_refused() -> None:
    for language, name in (("rust", "type"), ("csharp", "math"), ("cpp", "namespace")):
        with pytest.raises(ArgumentError, match="does not use itself"):
            limbik.export("two-link", language, name=name)
