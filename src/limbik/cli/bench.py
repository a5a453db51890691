"""`limbik bench`: speed on this machine, beside a memory copy, NumPy and other packages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from limbik.cli.options import Flag, Overwrite, refuse_existing
from limbik.cli.running import progress
from limbik.errors import ArgumentError

app = App(name="bench")

Several = Parameter(consume_multiple=True)
Limb = Literal["planar", "two-link", "three-link"]
Answer = Literal["joints", "angles", "rotations"]
Number = Literal["float32", "float64"]
OUT = Path("bench.json")
PEERS = Path("benchmarks/peers")  # in a clone; an installed package has no adapters


@app.default
def bench(
    *,
    quick: Annotated[Flag, Parameter(help="Measure only the most common calls; takes seconds, not minutes.")] = False,
    sizes: Annotated[
        list[float] | None, Several, Parameter(help="Numbers of targets in one call (default: 1 1e3 1e6).")
    ] = None,
    largest: Annotated[
        float | None, Parameter(help="Measure all powers of ten, and the curve, up to this number of targets.")
    ] = None,
    limbs: Annotated[list[Limb] | None, Several, Parameter(help="Limbs to measure (default: all).")] = None,
    answers: Annotated[list[Answer] | None, Several, Parameter(help="Answers to measure (default: all).")] = None,
    dtypes: Annotated[list[Number] | None, Several, Parameter(help="Number types to measure (default: both).")] = None,
    threads: Annotated[
        list[int] | None, Several, Parameter(help="Numbers of threads (default: 1, and one per core).")
    ] = None,
    peers: Annotated[
        Path, Parameter(help="Folder of adapters for the packages to compare with; those not installed are skipped.")
    ] = PEERS,
    no_peers: Annotated[Flag, Parameter(help="Measure limbik alone.")] = False,
    gpu: Annotated[Flag, Parameter(help="Measure the CUDA device as well.")] = False,
    assets: Annotated[Path | None, Parameter(help="Folder of .bvh, .glb and .gltf files to load as well.")] = None,
    out: Annotated[Path | None, Parameter(help="Output file for every number (default: bench.json).")] = None,
    markdown: Annotated[Path | None, Parameter(help="Markdown document whose benchmark tables are updated.")] = None,
    picture: Annotated[
        Path | None, Parameter(help="Output plot of the curve, time over targets: .png, .svg or .pdf.")
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Measure limbik's speed on this machine, beside a memory copy, NumPy and other packages.

    Prints tables and writes every number to bench.json, which is replaced if it exists.

    Example: limbik bench --quick
    """
    from limbik.bench.curve import curve_sizes
    from limbik.bench.documents import check_markdown, write_json, write_markdown
    from limbik.bench.picture import check_picture, draw_curve
    from limbik.bench.run import Settings, run

    chosen = {"limbs": limbs, "answers": answers, "dtypes": dtypes, "threads": _counts("--threads", threads)}
    options: dict[str, Any] = {name: tuple(dict.fromkeys(value)) for name, value in chosen.items() if value}
    if largest:
        options["curve"] = curve_sizes(int(largest))
    settings = Settings.of(
        quick,
        sizes=_sizes(sizes, largest),
        peers=_peers(peers, no_peers),
        gpu=gpu,
        assets=_assets(assets),
        **options,
    )
    for path in (out, picture):
        refuse_existing(path, overwrite)
    if not settings.works:
        raise ArgumentError("--answers", "rotations of a planar limb alone", "joints or angles for it")
    if markdown:
        check_markdown(markdown)
    if picture:
        check_picture(picture)
    with progress() as advance:
        report = run(settings, advance)
    numbers = out or OUT
    write_json(numbers, report)
    if markdown:
        write_markdown(markdown, report)
    if picture:
        draw_curve(report, picture)
    _show(report)
    print(f"every number is in {numbers}")


def _sizes(sizes: list[float] | None, largest: float | None) -> tuple[int, ...]:
    from limbik.bench.run import SIZES

    if sizes and largest:
        raise ArgumentError("--sizes", "--largest as well", "one of the two")
    if largest:
        (most,) = _counts("--largest", [largest])
        return tuple(size for size in (10**power for power in range(len(str(most)))) if size <= most)
    return tuple(_counts("--sizes", sizes)) or SIZES


def _peers(folder: Path, without: bool) -> str | None:
    if without or (folder == PEERS and not folder.is_dir()):
        return None
    if not any(folder.glob("*_peer.py")):
        raise ArgumentError("--peers", folder, "a folder with adapters, *_peer.py, such as benchmarks/peers of a clone")
    return str(folder)


def _assets(folder: Path | None) -> str | None:
    from limbik.bench.rig_rows import real_files

    if folder and not real_files(folder):
        raise ArgumentError("--assets", folder, "a folder with .bvh, .glb or .gltf files in it")
    return str(folder) if folder else None


def _counts(name: str, numbers: list[float] | list[int] | None) -> list[int]:
    for number in numbers or []:
        if number < 1 or number != int(number):
            raise ArgumentError(name, f"{number:g}", "whole numbers from 1 on")
    return [int(number) for number in numbers or []]


def _show(report: dict[str, Any]) -> None:
    from limbik.bench.machine import sentence
    from limbik.bench.report_tables import LEFT_ALIGNED, tables
    from limbik.cli.terminal_tables import show_table, table, terminal

    console = terminal()
    console.print(sentence(report["machine"]))
    for words in tables(report):
        console.print(f"\n{words.title}", style="bold", soft_wrap=True)
        show_table(console, table(words.columns, words.rows, left=LEFT_ALIGNED))
