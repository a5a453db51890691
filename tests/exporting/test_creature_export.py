"""Exported creatures walk as limbik's do, bit by bit, in every language for which there is a compiler."""

import dataclasses

import numpy as np
import pytest

import limbik
from limbik.errors import LimbikError
from limbik.exporting.language import pascal
from limbik.gait.creature import creature, preset_names
from limbik.gait.records import Body
from limbik.terrains.function_terrain import Function
from tests.exporting import walk_programs
from tests.exporting.custom_creatures import CREATURES
from tests.exporting.toolchains import run, tool
from tests.optional import optional
from tests.thoroughness import THOROUGH, some

FRAMES = 10_000 if THOROUGH else 360
STEP = 0.04  # of the stairs, metres
LANGUAGES = ("js", "c", "cpp", "csharp", "rust")
SUFFIXES = {"js": ".mjs", "c": ".c", "cpp": ".cpp", "csharp": ".cs", "rust": ".rs"}


def ground(kind):
    """The same as in the programs, on NumPy arrays."""
    if kind == "stairs":
        return Function(lambda x, z: np.where(z < 1.0, 0.0, (np.floor((z - 1.0) / 0.3) + 1.0) * STEP))
    if kind == "hills":
        return Function(lambda x, z: 0.1 * (x * x / (1.0 + x * x)) + 0.05 * z * z / (2.0 + z * z))
    if kind == "mesh":
        return Function(_facets)
    return Function(lambda x, z: 0.0 * x)


def _facets(x, z):
    u, v = 0.7 * x - np.floor(0.7 * x), 0.7 * z - np.floor(0.7 * z)
    return 0.08 * np.abs(u - 0.5) + 0.06 * np.abs(v - 0.5) + 0.05 * np.abs(u - v)


def creature_named(name, folder):
    """A preset, or one of custom_creatures.py."""
    if name not in CREATURES:
        return creature(name)
    path = folder / f"{name}.toml"
    path.write_text(CREATURES[name], "utf-8")
    return creature(path)


def commands(cruise, fastest):
    """(frames, 4) Walks ahead, stops, turns, runs backwards and sideways; slow frames now and then."""
    t = np.arange(FRAMES) / 60.0
    rows = np.zeros((FRAMES, 4))
    rows[:, 0], rows[:, 3] = 1.0 / 60.0, np.nan
    rows[:, 2] = cruise
    phase = t % 8.0
    rows[(phase > 2.0) & (phase < 2.6), 1:] = 0.0
    turning = (phase > 3.2) & (phase < 4.0)
    rows[turning, 1], rows[turning, 3] = 0.3 * cruise, 0.7
    back = (phase > 5.0) & (phase < 5.8)
    rows[back, 2], rows[back, 3] = -fastest, 0.0
    rows[phase > 7.0, 1] = fastest
    rows[::97, 0] = 0.05
    return rows


class Exported:
    """A creature as a program."""

    def __init__(self, language, kind, shape, folder):
        self.language, self.folder = language, folder
        self.source = limbik.export(kind, language)
        (file,) = self.source.files
        (folder / file).write_text(self.source.text)
        name = file.partition(".")[0]
        text = getattr(walk_programs, language.upper()).replace("GROUND", walk_programs.GROUNDS[shape])
        text = text.replace("UPPER", name.upper()).replace("TITLE", pascal(name)).replace("NAME", name)
        text = text.replace("STEP", repr(STEP))
        if language == "rust":
            text = text.replace("(z < 1.0 ? 0.0 : ", "(if z < 1.0 { 0.0 } else { ").replace(
                f"* {STEP})", f"* {STEP} }})"
            )
        self.program = folder / f"main{SUFFIXES[language]}"
        self.program.write_text(text)
        self.file = folder / file

    def run(self, rows, beats, idle):
        """(frames, numbers)"""
        source, target, built = (self.folder / name for name in ("in.bin", "out.bin", "main.exe"))
        rows.tofile(source)
        given = [source, target, repr(beats), repr(idle)]
        strict = ["-O1", "-Wall", "-Wno-unused", "-Werror", "-ffp-contract=off", "-o", built, self.program, "-lm"]
        if self.language == "js":
            run(tool("node"), self.program, *given)
        elif self.language == "csharp":
            run(tool("mcs"), "-warnaserror-", f"-out:{built}", self.program, self.file)
            run(tool("mono"), built, *given)
        else:
            if self.language == "rust":
                run(tool("rustc"), "--edition=2021", "-C", "opt-level=1", "-o", built, self.program)
            else:
                compiler = {"c": ("gcc", "-std=c99"), "cpp": ("g++", "-std=c++14")}[self.language]
                run(tool(compiler[0]), compiler[1], *strict)
            run(built, *given)
        return np.fromfile(target).reshape(len(rows), -1)


def expected(kind, shape, rows, seed):
    """What limbik's walker does, and the cycles and seconds from which it starts."""
    walker = limbik.Walker(kind, ground(shape), seed=seed)
    beats = float(np.random.default_rng(seed).random(1)[0])
    idle = float(walker._columns(Body, "idle_start")[0, 0])
    found = []
    for seconds, x, z, turn in rows.tolist():
        walker.step(seconds, (x, z), turn_degrees=None if np.isnan(turn) else np.degrees(turn))
        state = walker.state
        rest = [*state.middle[:, 0, 0], float(state.blocked[0]), *walker.contacts[0].astype(float)]
        found.append(np.concatenate([state.rotations[0].ravel(), rest]))
    return np.array(found), beats, idle


CASES = [
    (language, name, shape)
    for k, language in enumerate(LANGUAGES)
    for j, name in enumerate((*preset_names(), *CREATURES))
    for i, shape in enumerate(walk_programs.GROUNDS)
    if (i + j + k) % (2 if THOROUGH else 9) == 0
]


@pytest.mark.parametrize(("language", "name", "shape"), CASES)
def test_an_exported_creature_walks_bit_by_bit_as_limbiks(language, name, shape, tmp_path):
    kind = creature_named(name, tmp_path)
    rows = commands(kind.cruise, kind.speed)
    rows[:, 3] = np.radians(np.degrees(rows[:, 3]))  # as the walker reads it
    exported = Exported(language, kind, shape, tmp_path)
    wanted, beats, idle = expected(kind, shape, rows, seed=3)
    found = exported.run(rows, beats, idle)
    different = np.flatnonzero((found.view(np.uint64) != wanted.view(np.uint64)).any(axis=1))
    assert not len(different), f"from frame {different[0]} on, by {np.abs(found - wanted).max()}"


def test_a_creature_of_ones_own_is_exported(tmp_path):
    kind = dataclasses.replace(creature("hexapod"), name="My Ant-7", parts=())
    made = limbik.export(kind, "js")
    assert list(made.files) == ["my_ant.mjs"]
    (tmp_path / "ant.mjs").write_text(made.text)
    run(tool("node"), "--check", tmp_path / "ant.mjs")


@pytest.mark.parametrize("language", some([*LANGUAGES, "gdscript"], 2))
def test_the_same_creature_gives_the_same_bytes(language):
    assert limbik.export("spider", language).text == limbik.export("spider", language).text


def test_gdscript_is_understood_by_its_parser():
    parser = optional("gdtoolkit.parser").parser
    assert parser.parse(limbik.export("hexapod", "gdscript").text)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"to": "glsl"}, "to: got 'glsl'"),
        ({"to": "js", "options": ("track",)}, "none of them for a creature"),
        ({"to": "js", "dtype": "float32"}, "none of them for a creature"),
        ({"to": "js", "name": "Not a name"}, "name: got"),
    ],
)
def test_what_a_creature_cannot_be_is_told(given, words):
    with pytest.raises(LimbikError, match=words):
        limbik.export("spider", **given)
