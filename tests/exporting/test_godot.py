"""GDScript and the Godot addon: parsed by gdtoolkit, and run by Godot where it is found.

Godot is looked for on the path and in the environment variable LIMBIK_GODOT.
"""

from __future__ import annotations

import os
import shutil

import numpy as np
import pytest

import limbik
from limbik.exporting.language import Unit, pascal
from limbik.exporting.languages import LANGUAGES
from tests.exporting import rows
from tests.exporting.rows import CASES, TRACKS
from tests.exporting.toolchains import run
from tests.optional import optional

ROWS = 2_000
HERE = os.path.dirname(__file__)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with the addon, which Godot has imported."""
    godot = os.environ.get("LIMBIK_GODOT") or shutil.which("godot")
    if godot is None:
        pytest.skip("Godot is not installed: GDScript is parsed, not run")
    folder = tmp_path_factory.mktemp("godot")
    limbik.export("godot").write(folder / "addons" / "limbik")
    plugins = '[editor_plugins]\nenabled=PackedStringArray("res://addons/limbik/plugin.cfg")\n'
    (folder / "project.godot").write_text(f'config_version=5\n[application]\nconfig/name="limbik"\n{plugins}')
    printed = run(godot, "--headless", "--path", folder, "--import")
    assert "SCRIPT ERROR" not in printed and "Parse Error" not in printed, printed

    def start(script: str, text: str, *arguments: str) -> str:
        (folder / script).write_text(text)
        printed = run(godot, "--headless", "--path", folder, "--script", script, "--", *map(str, arguments))
        assert "ERROR" not in printed, printed[:2000]
        return printed

    return folder, start


def test_gdscript_is_parsed():
    parser = optional("gdtoolkit.parser").parser
    for case in (*CASES, *TRACKS):
        unit = Unit(case.name, [case.name], case.functions.functions(), "float64")
        parser.parse(LANGUAGES["gdscript"](unit).file())
    for name, text in limbik.export("godot").files.items():
        if name.endswith(".gd"):
            parser.parse(text)


def driver(unit: Unit) -> str:
    """A script that runs `solve` on rows of a file."""
    function = unit.functions[0]
    arguments, first = [], 0
    for item in function.inputs:
        numbers = ", ".join(f"a[k + {first + j}]" for j in range(item.size))
        arguments.append(numbers if item.size == 1 else f"Vector{item.size}({numbers})")
        first += item.size
    stores = []
    for field in function.output.fields:
        parts = [f"s.{field.name}"] if field.size == 1 else [f"s.{field.name}.{axis}" for axis in "xyzw"[: field.size]]
        stores += [f"\t\tout.append({f'1.0 if {part} else 0.0' if field.kind == 'flag' else part})" for part in parts]
    return "\n".join(
        [
            "extends SceneTree",
            f'const Solver := preload("res://{unit.name}.gd")',
            "func _initialize() -> void:",
            "\tvar names := OS.get_cmdline_user_args()",
            "\tvar a := FileAccess.get_file_as_bytes(names[0]).to_float64_array()",
            "\tvar out := PackedFloat64Array()",
            f"\tfor k in range(0, a.size(), {first}):",
            f"\t\tvar s := Solver.solve({', '.join(arguments)})",
            *stores,
            "\tFileAccess.open(names[1], FileAccess.WRITE).store_buffer(out.to_byte_array())",
            "\tquit()",
            "",
        ]
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_gdscript_has_the_same_bits(project, case):
    """Godot's vectors hold float32: inputs are such numbers, and vectors and quaternions are compared as such."""
    folder, start = project
    given = {name: values.astype(np.float64) for name, values in rows.inputs(case, ROWS, np.dtype(np.float32)).items()}
    limits = dict(zip(("middle_low", "middle_high", "last_low", "last_high"), (*rows.MIDDLE, *rows.LAST), strict=True))
    given |= {name: np.full((ROWS, 1), limit) for name, limit in limits.items() if name in given}
    if "middle_limits" in case.options:
        chords = np.asarray(rows.limb_of(case, given)._chords)
        given |= {"shortest": chords[:, :1], "longest": chords[:, 1:]}
    unit = Unit(case.name, [case.name], case.functions.functions(), "float64")
    text = LANGUAGES["gdscript"](unit).file().replace(f"class_name {pascal(unit.name)}\n", "")
    (folder / f"{unit.name}.gd").write_text(text)
    np.concatenate(list(given.values()), axis=1).tofile(folder / "in.bin")
    start(f"run_{unit.name}.gd", driver(unit), folder / "in.bin", folder / "out.bin")
    with rows.elementary_functions(np.dtype(np.float64), "c"), np.errstate(over="ignore"):
        wanted = rows.answers(case, given)
    found = np.fromfile(folder / "out.bin").reshape(len(wanted), -1)
    sizes = [case.functions.program.answers[answer].size for answer in case.answers]
    exact = sum(size for answer, size in zip(case.answers, sizes, strict=True) if answer in ("joints", "rotations"))
    with np.errstate(over="ignore"):
        same = found[:, :exact].astype(np.float32) == wanted[:, :exact].astype(np.float32)
    same |= np.isnan(found[:, :exact]) & np.isnan(wanted[:, :exact])
    assert same.all(), (~same).any(axis=1).sum()
    angles = slice(exact, exact + sizes[case.answers.index("angles")])
    with np.errstate(invalid="ignore"):
        off = np.abs(found[:, angles] - wanted[:, angles]) / np.spacing(np.abs(wanted[:, angles]))
    assert np.nanmax(off) <= 2


def test_the_modifier_beside_godots_own(project):
    """limbik's error is rounding everywhere; Godot's TwoBoneIK3D misses where the target lies along the pole."""
    _, start = project
    with open(os.path.join(HERE, "godot", "trial.gd"), encoding="utf-8") as file:
        lines = start("trial.gd", file.read()).splitlines()
    table = np.array([line.split()[1:] for line in lines if line.startswith("limbik ")], float)
    target, root, middle, tip = (table[:, k : k + 3] for k in (1, 4, 7, 10))
    distance = np.linalg.norm(target - root, axis=1)
    reached = (distance < 0.87) & (distance > 0.03)
    assert len(table) == 240 and np.isfinite(table).all() and reached.sum() > 200
    assert np.linalg.norm(tip - target, axis=1)[reached].max() < 1e-6
    assert np.abs(np.linalg.norm(middle - root, axis=1) - 0.45).max() < 1e-6
    assert np.abs(np.linalg.norm(tip - middle, axis=1) - 0.42).max() < 1e-6


def test_the_other_modifiers(project):
    """A leg with a foot direction, a head that looks, and feet that stand on slopes, without pops of the knee."""
    _, start = project
    with open(os.path.join(HERE, "godot", "addon.gd"), encoding="utf-8") as file:
        lines = [line.split() for line in start("addon.gd", file.read()).splitlines() if line]
    tables = {
        name: np.array([line[1:] for line in lines if line[0] == name], float) for name in ("leg", "look", "walk")
    }
    assert len(tables["leg"]) >= 60 and tables["leg"][2:].max() < 1e-5
    assert len(tables["look"]) >= 60 and tables["look"][2:].max() < 1e-5
    assert len(tables["walk"]) == 3 * 480
    for degrees in (-20, -10, 20):
        walk = tables["walk"][tables["walk"][:, 0] == degrees].reshape(240, 2, -1)[60:]
        stands = walk[..., 2] > 0
        for place in (3, 5):  # sole and toe
            y, z = walk[..., place], walk[..., place + 1]
            height = (y - np.tan(np.radians(degrees)) * z) * np.cos(np.radians(degrees))
            assert np.abs(height[stands]).max() < 1e-3 and height.min() > -1e-3 and height.max() > 0.05
        knee, animated = (
            np.linalg.norm(np.diff(walk[..., place : place + 2], 2, axis=0), axis=-1).max() for place in (7, 9)
        )
        assert knee < 1.5 * animated, (degrees, knee / animated)
