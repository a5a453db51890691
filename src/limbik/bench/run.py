"""The whole benchmark, one section after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from limbik.bench.batches import batch_rows
from limbik.bench.cases import LAYOUTS, ROWS, Case
from limbik.bench.curve import curve_rows, curve_sizes
from limbik.bench.gpu import gpu_rows
from limbik.bench.machine import machine
from limbik.bench.measured_limbs import ANSWERS, KINDS
from limbik.bench.memory import peak_row, usable
from limbik.bench.rig_rows import file_rows, motion_rows, reach_rows
from limbik.bench.robot_rows import robot_rows
from limbik.bench.single_solves import single_rows
from limbik.bench.starting import first_call_row, import_rows
from limbik.bench.timing import QUICK, Effort
from limbik.engines import threads
from limbik.errors import LimbikError

SCHEMA = 1
DTYPES = ("float64", "float32")
SIZES = (1, 1_000, 1_000_000)
# Row-major float64 arrays only: each kernel may have to be compiled first.
QUICK_SETTINGS: dict[str, Any] = {
    "answers": ("joints", "angles"),
    "dtypes": ("float64",),
    "layouts": (ROWS,),
    "curve": (1, 10, 100, 1_000, 10_000),
}
GPU_TARGETS = 1 << 26
# Below this many targets the memory of a process is dominated by other things.
PEAK_LEAST = 1_000_000

# The curve goes up to this number of targets by default; the quick one to a tenth.
CURVE_MOST = 1_000_000

SECTIONS = ("batches", "curve", "single", "robots", "rigs", "starting", "first_calls", "memory", "gpu", "failures")

Step = Callable[[], list[dict[str, Any]]]


@dataclass(frozen=True)
class Settings:
    """What to measure."""

    sizes: tuple[int, ...] = SIZES
    curve: tuple[int, ...] = curve_sizes(CURVE_MOST)
    limbs: tuple[str, ...] = tuple(KINDS)
    answers: tuple[str, ...] = ANSWERS
    dtypes: tuple[str, ...] = DTYPES
    layouts: tuple[str, ...] = LAYOUTS
    threads: tuple[int, ...] = field(default_factory=lambda: tuple(sorted({1, threads.cores()})))
    peers: str | None = None
    gpu: bool = False
    assets: str | None = None
    quick: bool = False

    @classmethod
    def of(cls, quick: bool, **settings: Any) -> Settings:
        """The given settings; the others default to everything, or with `quick` to the most common calls."""
        return cls(quick=quick, **{**(QUICK_SETTINGS if quick else {}), **settings})

    @property
    def effort(self) -> Effort:
        """How long to measure each contender."""
        return QUICK if self.quick else Effort()

    @property
    def works(self) -> list[tuple[str, str, str]]:
        """Every requested combination of limb, answer and number type."""
        pairs = [(limb, answer) for limb in self.limbs for answer in KINDS[limb].answers if answer in self.answers]
        return [(limb, answer, dtype) for (limb, answer), dtype in product(pairs, self.dtypes)]

    @property
    def cases(self) -> list[Case]:
        """Every case, small ones first, so that an interrupted run has covered all kinds."""
        return [
            Case(*work, layout, size)
            for size in sorted(set(self.sizes))
            for work in self.works
            for layout in (self.layouts if size > 1 else self.layouts[:1])
        ]


def steps(settings: Settings) -> Iterator[tuple[str, str, Step]]:
    """The steps of the run: section, name for the progress bar, and the function that returns its rows."""
    effort = settings.effort
    assets, folder = (Path(path) if path else None for path in (settings.assets, settings.peers))
    if settings.gpu:  # first, because it fails at once without a device
        yield "gpu", "the device", lambda: gpu_rows(GPU_TARGETS)
    for case in settings.cases:
        name = f"{case.limb} {case.answer}, {case.dtype}, {case.targets:,}"
        yield "batches", name, lambda case=case: batch_rows(case, settings.threads, effort, usable())
    yield "starting", "imports", lambda: import_rows(3 if settings.quick else 7)
    for work in settings.works[:1] if settings.quick else settings.works:
        yield "first_calls", f"first call of {work[0]} {work[1]}", lambda work=work: [first_call_row(*work)]
    for case in _peak_cases(settings):
        yield "memory", f"peak memory, {case.targets:,}", lambda case=case: [peak_row(case)]
    yield "rigs", "reach", lambda: reach_rows(effort)
    yield "rigs", "walking and grounding", lambda: motion_rows(effort)
    yield "rigs", "files", lambda: file_rows(effort, folder, assets)
    # Last, because packages that these import (threads, allocators) could disturb the other measurements.
    for dtype, size in product(settings.dtypes, settings.curve):
        name = f"curve, {dtype}, {size:,}"
        yield "curve", name, lambda dtype=dtype, size=size: curve_rows(size, dtype, effort, folder, usable())
    yield "single", "one solve, and the peers", lambda: single_rows(effort, folder)
    yield "robots", "a robot arm, and the peers", lambda: robot_rows(effort, folder)


def run(settings: Settings, advance: Callable[[int, int, str], None] = lambda *_: None) -> dict[str, Any]:
    """Measures everything; `advance` receives the number of finished steps, their total, and the next step's name."""
    report: dict[str, Any] = {"schema": SCHEMA, "machine": machine(), "settings": asdict(settings)}
    report |= {section: [] for section in SECTIONS}
    planned = list(steps(settings))
    for done, (section, name, step) in enumerate(planned):
        advance(done, len(planned), name)
        try:
            report[section] += step()
        except LimbikError as error:
            if section == "gpu":  # requested explicitly
                raise
            report["failures"].append({"what": name, "skipped": str(error)})
    advance(len(planned), len(planned), "done")
    return report


def _peak_cases(settings: Settings) -> list[Case]:
    """The largest batch that fits into memory, for each answer of the last limb."""
    fitting = [
        case
        for case in settings.cases
        if case.layout == settings.layouts[0] and case.targets >= PEAK_LEAST and case.bytes_needed <= usable()
    ]
    most = max((case.targets for case in fitting), default=0)
    limb = settings.limbs[-1]
    return [case for case in fitting if case.targets == most and case.limb == limb]
