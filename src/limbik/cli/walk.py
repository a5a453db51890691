"""`limbik walk`: a creature walks over a terrain."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from limbik.cli.options import Flag, Overwrite, refuse_existing
from limbik.cli.running import progress
from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.gait.creature import Creature
    from limbik.gait.walk_report import WalkReport
    from limbik.skeleton.clip import Clip
    from limbik.studio.application import Studio

app = App(name="walk")

CREATURE, TERRAIN, OUT = "spider", "hills", Path("walk.glb")
MARGIN, MARGIN_RATIO = 3.0, 0.3  # least ground around the route, metres; and relative to the extent of the route


@app.default
def walk(
    creature: Annotated[
        str, Parameter(help="biped, quadruped, hexapod, spider, centipede, or a creature of your own as a .toml file.")
    ] = CREATURE,
    *,
    terrain: Annotated[
        str,
        Parameter(
            help="plane, slope:10 (degrees), stairs (a flight in a size that suits the creature),"
            " stairs:rise=0.17,run=0.3, hills:height=0.3,seed=3, or a file: .obj, .glb, .gltf, .png, .npy."
        ),
    ] = TERRAIN,
    seconds: Annotated[
        float | None, Parameter(help="Duration in seconds (default: 10, or until the end of --path).")
    ] = None,
    speed: Annotated[float | None, Parameter(help="Speed in m/s (default: the creature's own).")] = None,
    path: Annotated[
        list[float] | None, Parameter(consume_multiple=True, help="Waypoints of the route: x z x z ..., in metres.")
    ] = None,
    count: Annotated[int, Parameter(help="Number of creatures.")] = 1,
    seed: Annotated[int, Parameter(help="Random seed.")] = 0,
    gait: Annotated[str | None, Parameter(help="Gait to keep, such as trot (default: chosen by speed).")] = None,
    fps: Annotated[float, Parameter(help="Frames per second.")] = 60.0,
    secondary: Annotated[
        bool,
        Parameter(
            negative="--without-secondary",
            help="Let tails and antennae trail behind the body, and creatures that stand breathe and look about.",
        ),
    ] = True,
    out: Annotated[
        Path | None,
        Parameter(help="Output clip: .glb, .gltf or .bvh (default: walk.glb)."),
    ] = None,
    with_terrain: Annotated[
        bool,
        Parameter(
            negative="--without-terrain",
            help="Put the terrain into a .glb or .gltf; otherwise it is written beside the clip.",
        ),
    ] = True,
    html: Annotated[
        Path | None, Parameter(help="Output page that plays the clip offline (default: beside the clip).")
    ] = None,
    overwrite: Overwrite = False,
    show: Annotated[Flag, Parameter(name="--open", help="Open the page in the browser.")] = False,
    steer: Annotated[
        Flag, Parameter(help="Steer the creature yourself, in the studio: by keys or by a click on the ground.")
    ] = False,
) -> None:
    """Animate a creature that walks over a terrain.

    Writes the clip with its terrain and a page that plays them, and prints a table of quality measures, and for how
    long ground that it cannot cross blocked the creature. Without arguments, a spider crosses hills: walk.glb and
    walk.html, which are replaced if they exist.

    With --steer it opens the studio instead, in which you steer the creature: pip install '.[studio]'.

    Example: limbik walk quadruped --terrain stairs:rise=0.12,run=0.35 --speed 0.8 --out stairs.glb
    """
    from limbik.files.clip_files import save
    from limbik.gait.creature import creature as creature_of
    from limbik.gait.walk_report import measured
    from limbik.gait.walking import walk as clip_of_walk
    from limbik.pages.clip_page import write_page

    start = time.perf_counter()
    walking = creature_of(creature)
    if steer:
        return _steer(walking, terrain)
    clip_file = out or OUT
    terrain_file, page = clip_file.with_name(f"{clip_file.stem}_terrain.glb"), html or clip_file.with_suffix(".html")
    inside = with_terrain and clip_file.suffix.lower() != ".bvh"
    files = (clip_file, page) if inside else (clip_file, terrain_file, page)
    _check(clip_file, page)
    for file in (*(files[:-1] if out else ()), *(files[-1:] if out or html else ())):
        refuse_existing(file, overwrite)
    with progress() as advance:
        clip = clip_of_walk(
            walking,
            terrain,
            seconds=seconds,
            speed=speed,
            path=None if path is None else _waypoints(path),
            count=count,
            seed=seed,
            gait=gait,
            fps=fps,
            secondary=secondary,
            progress=lambda part: advance(round(100 * part), 100, "walking"),
        )
    save(clip, clip_file, with_terrain=inside)
    write_page(clip, page, creature=walking if count == 1 else None)
    if not inside:
        _save_terrain(clip, terrain_file)
    _show(measured(clip, walking), clip, time.perf_counter() - start)
    print(*files, sep="\n")
    print(f"steer it yourself: {_steering(creature, terrain)}")
    if show:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _steer(walking: Creature, terrain: str) -> None:
    """Opens the studio with a creature on a terrain, and runs it until Ctrl-C."""
    from limbik.cli.studio import serve
    from limbik.studio.walk_tab import WalkTab

    def prepare(studio: Studio) -> None:
        tab = studio.tab
        assert isinstance(tab, WalkTab)
        tab.begin(walking, terrain)

    serve(WalkTab.title, prepare)


def _steering(creature: str, terrain: str) -> str:
    """The command that opens the studio with a creature on a terrain."""
    words = ["limbik", "walk"]
    words += [] if creature == CREATURE else [creature]
    words += [] if terrain == TERRAIN else ["--terrain", terrain]
    return shlex.join([*words, "--steer"])


def _check(clip_file: Path, page: Path) -> None:
    """Refuses output files that could not be written, before the walk is computed."""
    from limbik.pages.clip_page import SUFFIXES as PAGES

    for name, path, suffixes in (("--out", clip_file, (".glb", ".gltf", ".bvh")), ("--html", page, PAGES)):
        if path.suffix.lower() not in suffixes:
            raise ArgumentError(name, path, f"a file {', '.join(suffixes)}")
        if not path.parent.is_dir():
            raise ArgumentError(name, path, "a file in an existing folder")


def _waypoints(numbers: list[float]) -> list[tuple[float, float]]:
    if len(numbers) < 4 or len(numbers) % 2:
        raise ArgumentError("--path", " ".join(f"{one:g}" for one in numbers), "x and z of at least two waypoints")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _save_terrain(clip: Clip, path: Path) -> None:
    """Writes the ground around the route."""
    from limbik.terrains.terrain_export import save_mesh

    roots = clip.translations[:, clip.skeleton.roots][..., ::2]
    low, high = roots.min(axis=(0, 1)), roots.max(axis=(0, 1))
    margin = max(MARGIN, MARGIN_RATIO * float((high - low).max()))
    assert clip.terrain is not None
    save_mesh(clip.terrain, path, low - margin, high + margin)


def _show(report: WalkReport, clip: Clip, seconds: float) -> None:
    from rich.text import Text

    from limbik.cli.terminal_tables import pairs, terminal

    creatures = len(clip.skeleton.roots)
    many = f"{creatures} × {clip.name}" if creatures > 1 else clip.name
    rows = (
        ("distance", f"{report.distance:.2f} m", "mean of all creatures" if creatures > 1 else ""),
        ("blocked", Text(_blocked_text(clip), style="yellow" if clip.notes else ""), " ".join(clip.notes)),
        ("steps", f"{report.steps:,}", ""),
        ("foot slide", f"{1e3 * report.slide:.3f} mm", "largest movement of a planted foot between frames"),
        ("penetration", f"{1e3 * max(report.penetration, 0.0):.3f} mm", "largest depth of a foot below the ground"),
        ("leg extension", f"{report.extension:.1%}", "largest distance from hip to ankle, of the leg's length"),
        ("computed in", f"{seconds:.2f} s", f"{len(clip) * creatures / seconds:,.0f} frames per second"),
    )
    console = terminal()
    console.print(f"{many}, {clip.duration:.3g} s", style="bold")
    console.print(pairs(rows))


def _blocked_text(clip: Clip) -> str:
    """For how long the creature was blocked; of a crowd, how many were at the end."""
    assert clip.blocked is not None
    if not clip.blocked.any():
        return "no"
    if len(clip.skeleton.roots) > 1:
        return f"{clip.blocked[-1].sum()} of {clip.blocked.shape[1]} at the end"
    return f"{clip.blocked.mean() * clip.duration:.1f} s{', to the end' if clip.blocked[-1, 0] else ''}"
