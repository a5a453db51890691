"""`limbik walk`: a creature walks over a terrain."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from limbik.cli.options import Flag
from limbik.cli.running import progress
from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.gait.walk_report import WalkReport
    from limbik.skeleton.clip import Clip
    from limbik.terrains.base import Terrain

app = App(name="walk")

CREATURE, TERRAIN, OUT = "spider", "hills", Path("walk.glb")
AROUND = 3.0  # metres of ground around the way, at least
SHARE = 0.3  # and this part of how far it goes


@app.default
def walk(
    creature: Annotated[
        str, Parameter(help="biped, quadruped, hexapod, spider, centipede, or a .toml file.")
    ] = CREATURE,
    *,
    terrain: Annotated[str, Parameter(help="Such as plane, slope:10, stairs:rise=0.17,run=0.3, or a file.")] = TERRAIN,
    seconds: Annotated[float | None, Parameter(help="How long; 10, or until the end of the path.")] = None,
    speed: Annotated[float | None, Parameter(help="Metres a second; else as the creature likes.")] = None,
    path: Annotated[
        list[float] | None, Parameter(consume_multiple=True, help="Waypoints to walk along: x z x z ..., metres.")
    ] = None,
    count: Annotated[int, Parameter(help="How many creatures.")] = 1,
    seed: Annotated[int, Parameter(help="Of chance: another one starts with another leg, and elsewhere.")] = 0,
    gait: Annotated[
        str | None, Parameter(help="The gait to keep to, such as trot; else it changes with speed.")
    ] = None,
    fps: Annotated[float, Parameter(help="Frames a second.")] = 60.0,
    out: Annotated[Path, Parameter(help="The clip: .glb, .gltf or .bvh. Its terrain goes beside it.")] = OUT,
    html: Annotated[Path | None, Parameter(help="The page that plays it offline: .html; else beside the clip.")] = None,
    show: Annotated[Flag, Parameter(name="--open", help="Open the page in the browser.")] = False,
) -> None:
    """Let a creature walk over a terrain: a clip, a page that plays it, and a table of how it went.

    Nothing is recorded: footholds are chosen, feet planted, the body follows the ground. With no argument a spider
    crosses hills. limbik walk quadruped --terrain stairs:rise=0.12,run=0.35 --speed 0.8.
    """
    from limbik.files.clip_files import save
    from limbik.gait.creature import creature as creature_of
    from limbik.gait.walk_report import measured
    from limbik.gait.walking import walk as walked
    from limbik.pages.clip_page import write_page
    from limbik.terrains.specs import terrain as terrain_of

    start = time.perf_counter()
    being, ground = creature_of(creature), terrain_of(terrain)
    page = html or out.with_suffix(".html")
    _check(out, page)
    with progress() as advance:
        clip = walked(
            being,
            ground,
            seconds=seconds,
            speed=speed,
            path=None if path is None else _waypoints(path),
            count=count,
            seed=seed,
            gait=gait,
            fps=fps,
            progress=lambda part: advance(round(100 * part), 100, "walking"),
        )
    save(clip, out)
    write_page(page, clip)
    written = out, _save_terrain(clip, ground, out), page
    _show(measured(clip, being, ground), clip, time.perf_counter() - start)
    print(*written, sep="\n")
    if show:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _check(out: Path, page: Path) -> None:
    """What would else be found out after all the work."""
    from limbik.files.clip_files import SUFFIXES
    from limbik.pages.clip_page import SUFFIXES as PAGES

    for name, path, suffixes in (("--out", out, SUFFIXES), ("--html", page, PAGES)):
        if path.suffix.lower() not in suffixes:
            raise ArgumentError(name, path, f"a file {', '.join(suffixes)}")
        if not path.parent.is_dir():
            raise ArgumentError(name, path, "a file in a folder that is there")


def _waypoints(numbers: list[float]) -> list[tuple[float, float]]:
    if len(numbers) < 4 or len(numbers) % 2:
        raise ArgumentError("--path", " ".join(f"{one:g}" for one in numbers), "x z of two places or more")
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _save_terrain(clip: Clip, terrain: Terrain, out: Path) -> Path:
    """Writes the ground around the walk beside the clip."""
    from limbik.terrains.terrain_export import save_mesh

    roots = clip.translations[:, clip.skeleton.roots][..., ::2]
    low, high = roots.min(axis=(0, 1)), roots.max(axis=(0, 1))
    margin = max(AROUND, SHARE * float((high - low).max()))
    path = out.with_name(f"{out.stem}_terrain.glb")
    save_mesh(terrain, path, low - margin, high + margin)
    return path


def _show(report: WalkReport, clip: Clip, seconds: float) -> None:
    from rich.console import Console
    from rich.table import Table

    creatures = len(clip.skeleton.roots)
    many = f"{creatures} × {clip.name}" if creatures > 1 else clip.name
    table = Table(
        title=f"{many}, {clip.duration:.3g} s", title_justify="left", box=None, show_header=False, pad_edge=False
    )
    rows = (
        ("distance", f"{report.distance:.2f} m", "on average" if creatures > 1 else ""),
        ("steps", f"{report.steps:,}", ""),
        ("slide", f"{1e3 * report.slide:.3f} mm", "feet that stand, from frame to frame, at most"),
        ("penetration", f"{1e3 * max(report.penetration, 0.0):.3f} mm", "feet below the ground, at most"),
        ("reach", f"{report.extension:.1%}", "of a leg's length, at most"),
        ("time taken", f"{seconds:.2f} s", f"{len(clip) * creatures / seconds:,.0f} frames of a creature a second"),
    )
    for row in rows:
        table.add_row(*row)
    Console(highlight=False).print(table)
