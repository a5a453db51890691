"""`limbik plot`: pictures of limbs and what they reach, of gaits, and of what grounding did."""

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
from limbik.errors import ArgumentError, ChoiceError

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip

app = App(name="plot", help="Draw a limb's pose, what limbs reach, a gait diagram, or what grounding did to a clip.")
workspace = App(name="workspace", help="Draw what a limb reaches, and where a joint's range holds it back.")
app.command(workspace)

Degrees = Annotated[Flag, Parameter(help="Angles in degrees; else in radians.")]
Out = Annotated[Path, Parameter(help="The picture: .png, .svg or .pdf.")]
LIMB, WORKSPACE, GAIT, REPORT = (Path(f"{name}.png") for name in ("limb", "workspace", "gait", "report"))
TERRAIN, SECONDS = "plane", 4.0


# --- a limb's pose


@app.command
def planar(*, limb: PlanarOptions, degrees: Degrees = False, out: Out = LIMB) -> None:
    """Two links in the plane: an arm seen from the side."""
    _plot(limb, degrees, out)


@app.command
def two_link(*, limb: TwoLinkOptions, degrees: Degrees = False, out: Out = LIMB) -> None:
    """Two links in space: an arm, with a pole that says where the elbow goes."""
    _plot(limb, degrees, out)


@app.command
def three_link(*, limb: ThreeLinkOptions, degrees: Degrees = False, out: Out = LIMB) -> None:
    """Three links in space: a leg, with the direction of its last link."""
    _plot(limb, degrees, out)


def _plot(options: LimbOptions, degrees: bool, out: Path) -> None:
    from limbik.pictures.limb_plot import draw

    limb = options.limb(degrees)
    solution = limb.solve(**solve_arguments(options, degrees))
    branches = limb.branches(**branch_arguments(options, degrees))
    lengths = ", ".join(f"{length:g}" for length in options.lengths)
    draw(limb, solution, branches, out, title=f"{options.kind.replace('_', '-')} limb, lengths {lengths}")
    print(f"{out}: {solution.status.words}")


# --- what a limb reaches

Lengths = Annotated[Pair, Parameter(help="The links' lengths.")]
Middle = Annotated[
    Pair | None, Parameter(help="The range of the middle joint's bend: 0 is straight, half a turn is folded.")
]


@workspace.command(name="planar")
def planar_workspace(
    *, lengths: Lengths, middle_limits: Middle = None, degrees: Degrees = False, out: Out = WORKSPACE
) -> None:
    """Two links in the plane: all that they reach."""
    _plot_workspace(PlanarOptions(lengths=lengths, middle_limits=middle_limits), degrees, out)


@workspace.command(name="two-link")
def two_link_workspace(
    *, lengths: Lengths, middle_limits: Middle = None, degrees: Degrees = False, out: Out = WORKSPACE
) -> None:
    """Two links in space: a shell, and the half plane that sweeps it out."""
    _plot_workspace(TwoLinkOptions(lengths=lengths, middle_limits=middle_limits), degrees, out)


@workspace.command(name="three-link")
def three_link_workspace(
    *,
    lengths: Annotated[Triple, Parameter(help="The links' lengths: hip to knee, knee to ankle, ankle to tip.")],
    up: Annotated[Triple, Parameter(help="The direction that the last link is to have, from ankle to tip.")] = (
        0,
        -1,
        0,
    ),
    middle_limits: Middle = None,
    last_limits: Annotated[
        Pair | None,
        Parameter(help="The range of the last joint's bend: 0 is straight, positive the way the knee bends."),
    ] = None,
    degrees: Degrees = False,
    out: Out = WORKSPACE,
) -> None:
    """Three links in space: what they reach while the last one keeps its direction, in a plane that holds it."""
    options = ThreeLinkOptions(lengths=lengths, up=up, middle_limits=middle_limits, last_limits=last_limits)
    _plot_workspace(options, degrees, out)


def _plot_workspace(options: LimbOptions, degrees: bool, out: Path) -> None:
    from limbik.pictures.workspace_plot import draw

    draw(options.limb(degrees), out, up=options.arguments(degrees).get("up"))
    print(out)


# --- a gait


@app.command(name="gait")
def gait_diagram(
    clip_or_creature: Annotated[
        str, Parameter(help="A clip (.bvh, .glb, .gltf); or a creature, as `limbik walk` has it.")
    ],
    /,
    *,
    gait: Annotated[str | None, Parameter(help="A creature's gait, such as ripple; else it goes by its speed.")] = None,
    terrain: Annotated[str | None, Parameter(help="What a creature walks on; level ground unless told.")] = None,
    seconds: Annotated[float | None, Parameter(help="How long a creature walks; 4 unless told.")] = None,
    speed: Annotated[float | None, Parameter(help="A creature's, metres a second; else as it likes.")] = None,
    animation: Animation = None,
    out: Out = GAIT,
) -> None:
    """The gait diagram: a bar for each foot while it stands, duty factors, and how many feet stand.

    limbik plot gait walk.bvh, or limbik plot gait hexapod --gait ripple --terrain hills. Where a clip's feet stand is
    found in its motion.
    """
    from limbik.files.clip_files import SUFFIXES
    from limbik.pictures.gait_plot import draw
    from limbik.pictures.saving import check_path

    check_path(out)
    options = {"--gait": gait, "--terrain": terrain, "--seconds": seconds, "--speed": speed}
    if clip_or_creature.lower().endswith(SUFFIXES):
        _refuse(options, "nothing, beside a clip: it is for creatures")
        clip, name = _load(Path(clip_or_creature), animation)
    else:
        _refuse({"--animation": animation}, "nothing, beside a creature: it is for clips")
        clip, name = _walk(clip_or_creature, gait, terrain or TERRAIN, SECONDS if seconds is None else seconds, speed)
    draw(clip, out, name=name)
    print(out)


def _refuse(options: dict[str, str | float | None], wanted: str) -> None:
    for name, value in options.items():
        if value is not None:
            raise ArgumentError(name, value, wanted)


def _load(path: Path, animation: str | None) -> tuple[Clip, str]:
    """The clip, and what it is called in a title: by its file, and by its own name where the file has several."""
    from limbik.files.clip_files import load

    clip = load(path, animation=animation_of(animation))
    return clip, path.stem if clip.name in ("", path.stem) else f"{path.stem}, {clip.name}"


def _walk(which: str, gait: str | None, terrain: str, seconds: float, speed: float | None) -> tuple[Clip, str]:
    """The clip of a creature that walks, and what it is called in a title."""
    from limbik.files.clip_files import SUFFIXES
    from limbik.gait.creature import creature, preset_names
    from limbik.gait.walking import walk

    if which not in preset_names() and not which.lower().endswith(".toml"):
        raise ChoiceError(
            "clip or creature", which, [*preset_names(), "a .toml file", f"a clip ({', '.join(SUFFIXES)})"]
        )
    being = creature(which)
    clip = walk(being, terrain, seconds=seconds, speed=speed, gait=gait)
    pace = being.cruise if speed is None else speed
    chosen = gait or next(one.name for one in being.gaits if pace <= one.speed)
    return clip, f"{being.name} on {terrain}: {chosen}"


# --- what grounding did


@app.command
def report(
    clip: Annotated[Path, Parameter(help="A file of motion: .bvh, .glb or .gltf.")],
    *,
    terrain: Annotated[str, Parameter(help="Such as slope:10, stairs:rise=0.17,run=0.3, hills:height=0.3, or a file.")],
    animation: Animation = None,
    out: Out = REPORT,
) -> None:
    """What grounding does to a clip: contacts, feet over the ground, slide and reach of legs, before and after.

    limbik plot report walk.bvh --terrain stairs. The clip itself is written by `limbik ground`.
    """
    from limbik.grounding.ground import ground
    from limbik.pictures.report_plot import draw
    from limbik.pictures.saving import check_path
    from limbik.terrains.specs import terrain as terrain_of

    check_path(out)
    ground_under = terrain_of(terrain)
    motion, name = _load(clip, animation)
    draw(ground(motion, ground_under), out, name=name)
    print(out)
