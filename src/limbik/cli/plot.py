"""`limbik plot`: plots of limbs, workspaces, gaits and grounding reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from limbik.cli.options import (
    Animation,
    Ground,
    LimbOptions,
    LimbShape,
    Overwrite,
    PlanarOptions,
    ThreeLinkOptions,
    ThreeLinkShape,
    Triple,
    TwoLinkOptions,
    TwoLinkShape,
    animation_of,
    limb_of,
    limb_title,
    refuse_existing,
    solve_target,
)
from limbik.errors import ArgumentError, ChoiceError, as_unicode
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.skeleton.clip import Clip

app = App(
    name="plot", help="Plot the pose of a limb, its workspace, a gait diagram or a grounding report (needs matplotlib)."
)
workspace = App(name="workspace", help="Plot what a limb reaches, and where joint limits restrict it.")
app.command(workspace)

TERRAIN, SECONDS = "plane", 4.0


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlotFile:
    """The file to write."""

    out: Path | None = None
    """Output file: .png, .svg or .pdf (default: named after the plot, such as gait.png)."""
    overwrite: Overwrite = False

    def output_path(self, name: str) -> Path:
        """The file given, which may not exist yet, or one named after the plot, which is replaced."""
        from limbik.pictures.canvas import check_path

        path = check_path(self.out or f"{name}.png")
        refuse_existing(self.out, self.overwrite)
        return path


FILE = PlotFile()


# --- limbs


@app.command
def planar(*, limb: PlanarOptions, file: PlotFile = FILE) -> None:
    """Plot a two-link limb in the plane."""
    _plot(limb, file)


@app.command
def two_link(*, limb: TwoLinkOptions, file: PlotFile = FILE) -> None:
    """Plot a two-link limb in space, such as an arm; --pole is the direction of the elbow."""
    _plot(limb, file)


@app.command
def three_link(*, limb: ThreeLinkOptions, file: PlotFile = FILE) -> None:
    """Plot a three-link limb in space, such as a leg; --up is the direction of its last link."""
    _plot(limb, file)


def _plot(options: LimbOptions, file: PlotFile) -> None:
    from limbik import plots

    path = file.output_path("limb")
    limb, solution, branches = solve_target(options)
    plots.limb(solution, path, branches=branches(), title=limb_title(options.kind, limb))
    print(f"{path}: {Status(solution.status).words}")


@workspace.command(name="planar")
def planar_workspace(*, limb: TwoLinkShape, file: PlotFile = FILE) -> None:
    """Plot the workspace of a two-link limb in the plane."""
    _plot_workspace("planar", limb, file)


@workspace.command(name="two-link")
def two_link_workspace(*, limb: TwoLinkShape, file: PlotFile = FILE) -> None:
    """Plot the workspace of a two-link limb in space: a shell, and a half plane through it."""
    _plot_workspace("two_link", limb, file)


@workspace.command(name="three-link")
def three_link_workspace(
    *,
    limb: ThreeLinkShape,
    up: Annotated[Triple, Parameter(help="Direction of the last link, from ankle to tip.")] = (0.0, -1.0, 0.0),
    file: PlotFile = FILE,
) -> None:
    """Plot the workspace of a three-link limb whose last link keeps the direction --up."""
    _plot_workspace("three_link", limb, file, up)


@workspace.command(name="robot")
def robot_limb_workspace(
    robot_file: Annotated[Path, Parameter(help="A robot: URDF or MJCF.")],
    /,
    *,
    limb: Annotated[
        str | None, Parameter(help="One of its limbs, as `limbik robot` names them (default: the first).")
    ] = None,
    file: PlotFile = FILE,
) -> None:
    """Plot where the tip of a robot's limb can be within its limits, from the side and from above."""
    from limbik import Robot, plots

    path = file.output_path("workspace")
    limbs = Robot.load(robot_file).limbs()
    if not limbs:
        raise ArgumentError("FILE", str(robot_file), "a robot with a limb")
    name = limb or next(iter(limbs))
    if name not in limbs:
        raise ChoiceError("--limb", name, limbs)
    plots.robot_workspace(limbs[name], path)
    print(path)


def _plot_workspace(kind: str, shape: LimbShape, file: PlotFile, up: Triple | None = None) -> None:
    from limbik import plots

    path = file.output_path("workspace")
    plots.workspace(limb_of(kind, shape), path, up=up)
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
    file: PlotFile = FILE,
) -> None:
    """Plot a gait diagram: a bar for each foot while it is planted, duty factors, and the number of planted feet.

    The contacts of a clip are detected from its motion.

    Examples: limbik plot gait walk.bvh; limbik plot gait hexapod --gait ripple --terrain hills
    """
    from limbik import plots
    from limbik.files.clip_files import READ_SUFFIXES

    path = file.output_path("gait")
    options = {"--gait": gait, "--terrain": terrain, "--seconds": seconds, "--speed": speed}
    if clip_or_creature.lower().endswith(READ_SUFFIXES):
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
    stem = as_unicode(path.stem)
    return clip, stem if clip.name in ("", stem) else f"{stem}, {clip.name}"


def _walk(which: str, gait: str | None, terrain: str, seconds: float, speed: float | None) -> tuple[Clip, str]:
    """The clip of a creature that walks, and its title."""
    from limbik.files.clip_files import READ_SUFFIXES
    from limbik.gait.creature import creature, preset_names
    from limbik.gait.walking import walk

    if which not in preset_names() and not which.lower().endswith(".toml"):
        known = [*preset_names(), "a .toml file", f"a clip ({', '.join(READ_SUFFIXES)})"]
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
    terrain: Ground,
    animation: Animation = None,
    file: PlotFile = FILE,
) -> None:
    """Plot what grounding does to a clip: contacts, foot heights, slide and reach of the legs, before and after.

    `limbik ground` writes the clip itself.

    Example: limbik plot report walk.bvh --terrain stairs
    """
    from limbik import plots
    from limbik.grounding.ground import ground
    from limbik.terrains.specs import terrain as terrain_of

    path = file.output_path("report")
    ground_under = terrain_of(terrain)
    motion, name = _load(clip, animation)
    plots.report(ground(motion, ground_under), path, name=name)
    print(path)
