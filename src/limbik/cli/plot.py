"""`limbik plot`: plots of limbs, workspaces, gaits and grounding reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from limbik.cli.options import (
    Animation,
    Flag,
    LimbOptions,
    Pair,
    PlanarOptions,
    ThreeLinkOptions,
    Triple,
    TwoLinkOptions,
    animation_of,
    branch_arguments,
    solve_arguments,
)
from limbik.cli.output_files import Overwrite, refuse_existing
from limbik.errors import ArgumentError, ChoiceError

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip

app = App(
    name="plot", help="Plot the pose of a limb, its workspace, a gait diagram or a grounding report (needs matplotlib)."
)
workspace = App(name="workspace", help="Plot what a limb reaches, and where joint limits restrict it.")
app.command(workspace)

Degrees = Annotated[Flag, Parameter(help="Angles are in degrees (default: radians).")]
Out = Annotated[
    Path | None, Parameter(help="Output file: .png, .svg or .pdf (default: named after the plot, such as gait.png).")
]
TERRAIN, SECONDS = "plane", 4.0


# --- the pose of a limb


@app.command
def planar(*, limb: PlanarOptions, degrees: Degrees = False, out: Out = None, overwrite: Overwrite = False) -> None:
    """Plot a two-link limb in the plane."""
    _plot(limb, degrees, _output(out, "limb", overwrite))


@app.command
def two_link(*, limb: TwoLinkOptions, degrees: Degrees = False, out: Out = None, overwrite: Overwrite = False) -> None:
    """Plot a two-link limb in space, such as an arm; --pole is the direction of the elbow."""
    _plot(limb, degrees, _output(out, "limb", overwrite))


@app.command
def three_link(
    *, limb: ThreeLinkOptions, degrees: Degrees = False, out: Out = None, overwrite: Overwrite = False
) -> None:
    """Plot a three-link limb in space, such as a leg; --up is the direction of its last link."""
    _plot(limb, degrees, _output(out, "limb", overwrite))


def _output(path: Path | None, name: str, overwrite: bool) -> Path:
    """The file to write: the one given, which may not exist yet, or one named after the plot, which is replaced."""
    from limbik.pictures.canvas import check_path

    if path is None:
        return Path(f"{name}.png")
    check_path(path)
    refuse_existing(path, overwrite)
    return path


def _plot(options: LimbOptions, degrees: bool, out: Path) -> None:
    from limbik import plots

    limb = options.limb(degrees)
    solution = limb.solve(**solve_arguments(options, degrees))
    branches = limb.branches(**branch_arguments(options, degrees))
    lengths = ", ".join(f"{length:g}" for length in options.lengths)
    plots.limb(solution, out, branches=branches, title=f"{options.kind.replace('_', '-')} limb, lengths {lengths}")
    print(f"{out}: {solution.status.words}")


# --- the workspace of a limb

Lengths = Annotated[Pair, Parameter(help="Lengths of the links.")]
Middle = Annotated[Pair | None, Parameter(help="Limits of the middle joint: 0 is straight, half a turn is folded.")]


@workspace.command(name="planar")
def planar_workspace(
    *,
    lengths: Lengths,
    middle_limits: Middle = None,
    degrees: Degrees = False,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Plot the workspace of a two-link limb in the plane."""
    _plot_workspace(PlanarOptions(lengths=lengths, middle_limits=middle_limits), degrees, out, overwrite)


@workspace.command(name="two-link")
def two_link_workspace(
    *,
    lengths: Lengths,
    middle_limits: Middle = None,
    degrees: Degrees = False,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Plot the workspace of a two-link limb in space: a shell, and a half plane through it."""
    _plot_workspace(TwoLinkOptions(lengths=lengths, middle_limits=middle_limits), degrees, out, overwrite)


@workspace.command(name="three-link")
def three_link_workspace(
    *,
    lengths: Annotated[Triple, Parameter(help="Lengths of the links: hip to knee, knee to ankle, ankle to tip.")],
    up: Annotated[Triple, Parameter(help="Direction of the last link, from ankle to tip.")] = (
        0,
        -1,
        0,
    ),
    middle_limits: Middle = None,
    last_limits: Annotated[
        Pair | None,
        Parameter(help="Limits of the last joint: 0 is straight, positive bends the way the knee does."),
    ] = None,
    degrees: Degrees = False,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Plot the workspace of a three-link limb whose last link keeps the direction --up."""
    options = ThreeLinkOptions(lengths=lengths, up=up, middle_limits=middle_limits, last_limits=last_limits)
    _plot_workspace(options, degrees, out, overwrite)


def _plot_workspace(options: LimbOptions, degrees: bool, out: Path | None, overwrite: bool) -> None:
    from limbik import plots

    path = _output(out, "workspace", overwrite)
    plots.workspace(options.limb(degrees), path, up=options.arguments(degrees).get("up"))
    print(path)


# --- gait diagrams


@app.command(name="gait")
def gait_diagram(
    clip_or_creature: Annotated[
        str, Parameter(help="Motion file (.bvh, .glb, .gltf), or a creature as for `limbik walk`.")
    ],
    /,
    *,
    gait: Annotated[str | None, Parameter(help="Gait of a creature, such as ripple (default: by speed).")] = None,
    terrain: Annotated[str | None, Parameter(help="Ground under a creature (default: plane).")] = None,
    seconds: Annotated[float | None, Parameter(help="Duration of a creature's walk (default: 4).")] = None,
    speed: Annotated[float | None, Parameter(help="Speed of a creature in m/s (default: its own).")] = None,
    animation: Animation = None,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Plot a gait diagram: a bar for each foot while it is planted, duty factors, and the number of planted feet.

    The contacts of a clip are detected from its motion.

    Examples: limbik plot gait walk.bvh; limbik plot gait hexapod --gait ripple --terrain hills
    """
    from limbik import plots
    from limbik.files.clip_files import SUFFIXES

    path = _output(out, "gait", overwrite)
    options = {"--gait": gait, "--terrain": terrain, "--seconds": seconds, "--speed": speed}
    if clip_or_creature.lower().endswith(SUFFIXES):
        _refuse(options, "no value with a clip: it applies to creatures")
        clip, name = _load(Path(clip_or_creature), animation)
    else:
        _refuse({"--animation": animation}, "no value with a creature: it applies to clips")
        clip, name = _walk(clip_or_creature, gait, terrain or TERRAIN, SECONDS if seconds is None else seconds, speed)
    plots.gait(clip, path, name=name)
    print(path)


def _refuse(options: dict[str, str | float | None], wanted: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise ArgumentError(name, value, wanted)


def _load(path: Path, animation: str | None) -> tuple[Clip, str]:
    """A clip and its title: the name of its file, and its own name where that differs."""
    from limbik.files.clip_files import load

    clip = load(path, animation=animation_of(animation))
    return clip, path.stem if clip.name in ("", path.stem) else f"{path.stem}, {clip.name}"


def _walk(which: str, gait: str | None, terrain: str, seconds: float, speed: float | None) -> tuple[Clip, str]:
    """The clip of a creature that walks, and its title."""
    from limbik.files.clip_files import SUFFIXES
    from limbik.gait.creature import creature, preset_names
    from limbik.gait.walking import walk

    if which not in preset_names() and not which.lower().endswith(".toml"):
        known = [*preset_names(), "a .toml file", f"a clip ({', '.join(SUFFIXES)})"]
        raise ChoiceError("clip or creature", which, known)
    walking = creature(which)
    clip = walk(walking, terrain, seconds=seconds, speed=speed, gait=gait)
    pace = walking.cruise if speed is None else speed
    chosen = gait or next(one.name for one in walking.gaits if pace <= one.speed)
    return clip, f"{walking.name} on {terrain}: {chosen}"


# --- grounding reports


@app.command
def report(
    clip: Annotated[Path, Parameter(help="Motion file: .bvh, .glb or .gltf.")],
    *,
    terrain: Annotated[str, Parameter(help="Ground: slope:10, stairs:rise=0.17,run=0.3, hills:height=0.3 or a file.")],
    animation: Animation = None,
    out: Out = None,
    overwrite: Overwrite = False,
) -> None:
    """Plot what grounding does to a clip: contacts, foot heights, slide and reach of the legs, before and after.

    `limbik ground` writes the clip itself.

    Example: limbik plot report walk.bvh --terrain stairs
    """
    from limbik import plots
    from limbik.grounding.ground import ground
    from limbik.terrains.specs import terrain as terrain_of

    path = _output(out, "report", overwrite)
    ground_under = terrain_of(terrain)
    motion, name = _load(clip, animation)
    plots.report(ground(motion, ground_under), path, name=name)
    print(path)
