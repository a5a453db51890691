"""`limbik export`: a limb as source code in another language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from limbik.cli.options import Overwrite, refuse_existing
from limbik.errors import ArgumentError

app = App(name="export")


@app.default
def export(
    what: Annotated[
        str,
        Parameter(
            help="planar, two-link, three-link, aim, or n-link, with --lengths; a package: unity, godot, web, shaders, "
            "or blender; a creature (biped, quadruped, hexapod, spider, centipede, or a .toml file); or a robot's "
            "file, with --tip: solve, within limits and near given angles, branch, descend and forward."
        ),
    ],
    *,
    to: Annotated[
        str | None,
        Parameter(
            help="Language: c, cpp, csharp, csharp-mathematics, js, gdscript, rust, glsl, hlsl, wgsl; for a creature "
            "also unity."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(help="File to write (default: the source is printed), folder of a package, or zip file for Blender."),
    ] = None,
    answers: Annotated[
        str, Parameter(help="What the solver returns, separated by commas: joints, rotations, angles, report.")
    ] = "",
    options: Annotated[
        str,
        Parameter(
            help="Additional inputs of the solver, separated by commas. Any limb: middle_limits. two-link: twist, "
            "soften, branches, track, bones. three-link: last_limits, easy, hint, position, branches, track, bones. "
            "n-link: lengths, direction, soften, track, bones. aim: offset, pole, max_angle."
        ),
    ] = "",
    dtype: Annotated[str | None, Parameter(help="float64 or float32 (default: the language's first).")] = None,
    name: Annotated[str | None, Parameter(help="Prefix, class or module, in snake case (default: the limb's).")] = None,
    lengths: Annotated[
        list[float] | None,
        Parameter(consume_multiple=True, help="Of the links of n-link, 2 to 16: part of the code."),
    ] = None,
    shares: Annotated[
        list[float] | None,
        Parameter(consume_multiple=True, help="How much each joint of n-link bends (default: along an arc)."),
    ] = None,
    tip: Annotated[str | None, Parameter(help="Where the limb of a robot ends: a link, a site or a sphere.")] = None,
    base: Annotated[str | None, Parameter(help="Link from which it starts (default: where the limb begins).")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a limb's closed form, or a creature's walk, in another language: without dependencies, bit-identical.

    Examples: limbik export two-link --to csharp --answers rotations --out TwoLink.cs

    limbik export unity --out Packages/org.limbik.ik

    limbik export blender --out limbik.zip

    limbik export n-link --lengths 0.2 0.2 0.15 0.1 --to js --out tail.js

    limbik export spider --to js --out spider.mjs

    limbik export ur5e.xml --tip wrist_3_link --to c --out ur5e.h
    """
    from limbik.exporting.exporter import export as exported

    given: dict[str, Any] = {"dtype": dtype, "name": name, "options": _words(options)}
    if answers:
        given["answers"] = _words(answers)
    limb: Any = what
    if lengths is not None:
        from limbik.limbs.n_link import NLink

        if what != "n-link":
            raise ArgumentError(
                "--lengths", " ".join(map(str, lengths)), "n-link: other limbs take theirs as arguments"
            )
        limb = NLink(lengths, shares=shares)
    elif shares is not None:
        raise ArgumentError("--shares", " ".join(map(str, shares)), "--lengths, too: those of n-link")
    elif tip is not None:
        from limbik.robots.robot import Robot

        limb = Robot.load(what).limb(tip, base)
    elif base is not None:
        raise ArgumentError("--base", base, "--tip, too: the limb of a robot")
    elif Path(what).suffix.lower() in (".urdf", ".xml"):
        raise ArgumentError("--tip", "nothing", f"where the limb ends; limbik robot {what} shows its links and limbs")
    made = exported(limb, to, **given)
    if out is None and (made.is_package or what == "blender"):
        raise ArgumentError("--out", "nothing", "the folder for the package" if made.is_package else "the zip file")
    if out is None:
        print(made.text, end="")
        return
    for path in made.paths(out):
        refuse_existing(path, overwrite)
    for path in made.write(out):
        print(path)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
