"""`limbik.export`: a limb as source code in another language."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from limbik import arguments
from limbik.errors import ArgumentError
from limbik.exporting.chain_functions import OPTIONS as CHAIN_OPTIONS
from limbik.exporting.chain_functions import chain_functions
from limbik.exporting.functions import OPTIONS, Function, LimbFunctions, aim_functions
from limbik.exporting.items import ANSWERS
from limbik.exporting.language import Constant, Language, Unit
from limbik.exporting.languages import LANGUAGES
from limbik.exporting.licence import HOLDER
from limbik.exporting.packages import PACKAGES
from limbik.exporting.procedures import Procedure
from limbik.files.atomic_write import atomic_write
from limbik.limbs.n_link import NLink

if TYPE_CHECKING:
    from limbik.gait.creature import Creature
    from limbik.robots.robot_limb import RobotLimb

LIMBS = {
    "planar": "two links in the plane",
    "two_link": "two links in space",
    "three_link": "three links in space",
    "aim": "a joint that looks at a target",
}
KINDS = (*(name.replace("_", "-") for name in LIMBS), "n-link", *PACKAGES)
DEFAULT_ANSWERS = ("joints", "rotations")
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@dataclass(frozen=True)
class Exported:
    """Files: `files` has them by name, or by their paths in the folder of a package (`is_package`).

    Sources are text, zip files are bytes.
    """

    files: Mapping[str, str | bytes]
    is_package: bool = False

    @property
    def text(self) -> str:
        """The source: the first file.

        Raises:
            ArgumentError: for a zip file, which is no text.
        """
        first = next(iter(self.files.values()))
        if isinstance(first, bytes):
            raise ArgumentError("text", "a zip file", "write(path), which writes it")
        return first

    def paths(self, path: str | Path) -> list[Path]:
        """Where `write` puts the files.

        Args:
            path: of the source file, whose companions (types) get its name with their own suffix; or of the folder of a
                package.

        Returns:
            A path for each file.

        Raises:
            ArgumentError: for what is not a path.
        """
        place = arguments.file_path("path", path)
        if self.is_package:
            return [place / name for name in self.files]
        stem = place.name.removesuffix(place.suffix)
        others = list(self.files)[1:]
        return [place, *(place.with_name(stem + name[name.index(".") :]) for name in others)]

    def write(self, path: str | Path) -> list[Path]:
        """Writes the files.

        Args:
            path: as in `paths`; the folder of a package is created where it does not exist.

        Returns:
            A path for each file.

        Raises:
            ArgumentError: for what is not a path.
            FileError: if a file cannot be written.
        """
        paths = self.paths(path)
        for one, content in zip(paths, self.files.values(), strict=True):
            if self.is_package:
                one.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(one) as file:
                file.write(content if isinstance(content, bytes) else content.encode())
        return paths


def export(
    limb: str | NLink | RobotLimb | Creature,
    to: str | None = None,
    *,
    answers: Iterable[str] = DEFAULT_ANSWERS,
    options: Iterable[str] = (),
    dtype: str | None = None,
    name: str | None = None,
) -> Exported:
    """A limb's closed form as source code in another language, without dependencies.

    Joints and rotations are computed by the same operations in the same order as limbik's own; zero vectors, NaN,
    overflow and singular planes behave alike. The same call gives the same bytes.

    Args:
        limb: "planar", "two-link" or "three-link"; or "aim", a joint that looks at a target. Or a package with all that
            an engine needs, in a folder, which takes no further arguments: "unity", "godot", "web" (npm, three.js) or
            "shaders" (compute shaders, WebGPU); or, in a zip file, "blender". Or an `NLink` of up to 16 links, whose
            lengths, shares and limits become part of the code. Or a limb of a robot, as `Robot.limb` returns it, which
            takes neither answers nor options: `solve` gives the answer nearest to given angles, within the joints'
            limits; `branch` one branch of the closed form, by its number; `descend` a step of a descent; `forward` the
            tip's pose. Shaders have `branch` and `forward` only. Or a `Creature`, the name of a preset such as
            "spider", or a creature's .toml file: its walk, in "c", "cpp", "csharp", "js", "gdscript" or "rust", in
            float64, on ground that the caller's code describes; in "unity", a folder with a component and its body
            beside the walk.
        to: the language of a limb: "c", "cpp", "csharp", "csharp-mathematics", "js" (with
            types), "gdscript", "rust", "glsl", "hlsl" or "wgsl".
        answers: what `solve` returns: "joints", "rotations" (not in the plane), "angles", "report".
        options: what the functions take besides; what is left out costs nothing. "middle_limits" for every limb;
            "twist", "soften" (and stretch), "branches" (bend), "track" and "bones" for two links in space;
            "last_limits", "easy" (style), "hint", "position" (priority), "branches" (axis, upper), "track" and "bones"
            for three; "lengths" (as inputs), "direction", "soften", "track" and "bones" for an `NLink`; "offset",
            "pole" and "max_angle" for "aim". "bones" adds `turn_bone`, which turns a rig's bone by as much as its link.
        dtype: "float64" (default) or "float32", where the language has it.
        name: of the prefix, class or module, in snake case (default: the limb's).

    Returns:
        The source files.

    Raises:
        ChoiceError: for an unknown word; it lists the known ones.
        ArgumentError: for options that exclude each other, no answers, a name that is not an identifier or that the
            language takes, or a robot's limb that has too many joints or no closed form for a shader.
    """
    from limbik.gait.creature import Creature

    if (creature := _creature_of(limb)) is not None:
        return _walk(creature, to, answers, options, dtype, name)
    if isinstance(limb, NLink):
        return _chain(limb, _form(to, dtype, "n_link" if name is None else name), answers, options)
    if not isinstance(limb, str):
        if isinstance(limb, Creature) or not hasattr(limb, "chain"):
            wanted = f"one of {', '.join(KINDS)}, an NLink, or a robot's limb"
            raise ArgumentError("limb", arguments.shown(limb), wanted)
        if answers is not DEFAULT_ANSWERS or tuple(options):
            raise ArgumentError("answers, options", "some", "none of them for a robot's limb")
        return _robot_limb(limb, _form(to, dtype, "robot_limb" if name is None else name))
    if limb in PACKAGES:
        return _package(limb, to, answers, options, dtype, name)
    kind = _snake(arguments.choice("limb", limb.replace("_", "-"), KINDS))
    if kind == "n_link":
        raise ArgumentError("limb", repr(limb), "an NLink (--lengths in the shell): its lengths are part of the code")
    form = _form(to, dtype, kind if name is None else name)
    wanted = frozenset(arguments.choice("options", _snake(word), OPTIONS[kind]) for word in options)
    if {"position", "last_limits"} <= wanted and wanted & {"easy", "track"}:
        raise ArgumentError("options", "position with last_limits", "these two without easy and without track")
    asked = ("rotation",) if kind == "aim" else _answers(ANSWERS[kind], answers)
    functions = aim_functions(wanted) if kind == "aim" else LimbFunctions(kind, wanted, asked).functions(form.dtype)
    return form.source(_closed_form_of(LIMBS[kind], asked), functions, [one for one in OPTIONS[kind] if one in wanted])


class _Form(NamedTuple):
    """How functions are written."""

    language: type[Language]
    dtype: str
    name: str

    def source(
        self,
        what: str,
        functions: Sequence[Function | Procedure],
        options: Sequence[str] | None = None,
        constants: Sequence[Constant] = (),
    ) -> Exported:
        """The source of functions. what: the first line of the file. options: those chosen, where there are any."""
        from limbik import __version__

        chosen = "" if options is None else f"; options: {', '.join(options) or 'none'}"
        form = f"{self.language.title}, {self.dtype}{chosen}. Generated by limbik {__version__}."
        unit = Unit(
            self.name, [what, form, f"{HOLDER}. SPDX-License-Identifier: MIT"], functions, self.dtype, constants
        )
        taken = {*self.language.reserved, *(one.name for one in functions), *(one.record for one in unit.records)}
        if self.name in taken | self.language.taken_names:
            raise ArgumentError(
                "name", repr(self.name), f"a name that the code in {self.language.key} does not use itself"
            )
        return Exported({self.name + suffix: text for suffix, text in self.language(unit).files().items()})


def _form(to: str | None, dtype: str | None, name: str) -> _Form:
    """The form that the arguments of `export` ask for, checked."""
    language = LANGUAGES[arguments.choice("to", to, LANGUAGES)]
    number = arguments.choice("dtype", dtype or next(iter(language.number)), language.number)
    if not isinstance(name, str) or not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise ArgumentError("name", repr(name), "a name in snake case, such as left_arm")
    return _Form(language, number, name)


def _package(limb: str, *rest: object) -> Exported:
    """A package; it has no options."""
    if rest != (None, DEFAULT_ANSWERS, (), None, None):
        raise ArgumentError("limb", repr(limb), "a package without further arguments, or a limb with them")

    def solver(kind: str | NLink, language: str, options: Iterable[str], answers: Iterable[str], name: str) -> Exported:
        return export(kind, language, options=options, answers=answers, name=name)

    made = PACKAGES[limb](solver)
    return Exported(made, is_package=len(made) > 1)  # or one zip file


def _creature_of(what: object) -> Creature | None:
    """A creature, the preset of a name, or what a .toml file describes; None for anything else."""
    from limbik.gait.creature import Creature, creature, preset_names

    if isinstance(what, Creature):
        return what
    if isinstance(what, str) and (what in preset_names() or what.lower().endswith(".toml")):
        return creature(what)
    return None


def _walk(
    creature: Creature,
    to: str | None,
    answers: Iterable[str],
    options: Iterable[str],
    dtype: str | None,
    name: str | None,
) -> Exported:
    """The walk of a creature."""
    from limbik.exporting.creatures.walker_source import WalkerSource
    from limbik.exporting.creatures.writers import WRITERS

    key = arguments.choice("to", to, [*WRITERS, "unity"])
    if answers is not DEFAULT_ANSWERS or tuple(options) or dtype not in (None, "float64"):
        raise ArgumentError("answers, options, dtype", "some", "none of them for a creature, which walks in float64")
    if name is None:
        words = re.findall(r"[a-z]+[0-9]*", creature.name.lower())
        name = "_".join(words) if words else "creature"
    if key == "unity":
        from limbik.exporting.packages import unity_sources

        name = _form("csharp", None, name).name
        return Exported(unity_sources.creature(creature, name), is_package=True)
    form, writer = _form(to, None, name), WRITERS[key]
    text = writer(WalkerSource(creature), form.name).text()
    return Exported({form.name + writer.suffix: text})


def _chain(limb: NLink, form: _Form, answers: Iterable[str], options: Iterable[str]) -> Exported:
    wanted = frozenset(arguments.choice("options", _snake(word), CHAIN_OPTIONS) for word in options)
    asked = _answers((*DEFAULT_ANSWERS, "angles"), answers)
    functions = chain_functions(limb, wanted, asked)
    words = [f"a chain of links of {', '.join(map(str, functions.rule['lengths']))}"]
    words += [
        f"{name} {value.tolist()}"
        for name, value in (("shares", limb.shares), ("limits", limb.limits))
        if value is not None
    ]
    what = _closed_form_of("; ".join(words), asked)
    return form.source(what, functions.functions(form.dtype), [one for one in CHAIN_OPTIONS if one in wanted])


def _robot_limb(limb: RobotLimb, form: _Form) -> Exported:
    from limbik.exporting.robot_solving import robot_unit

    functions, constants = robot_unit(limb, form.dtype, procedures=form.language.procedures)
    what = f"A robot's limb, {len(limb.joints)} joints: {limb.family}."
    return form.source(what, functions, constants=constants)


def _snake(word: str) -> str:
    return word.replace("-", "_") if isinstance(word, str) else word


def _answers(known: Iterable[str], answers: Iterable[str]) -> tuple[str, ...]:
    """The answers, checked, in the order of the solution."""
    known = (*known, "report")
    words = [word for word in answers if word in known] if answers is DEFAULT_ANSWERS else answers
    asked = {arguments.choice("answers", word, known) for word in words}
    if not asked:
        raise ArgumentError("answers", "none", f"at least one of {', '.join(known)}")
    return tuple(word for word in known if word in asked)


def _closed_form_of(limb: str, answers: Iterable[str]) -> str:
    """The first line of a file."""
    return f"Inverse kinematics of {limb}, in closed form: {', '.join(answers)}."
