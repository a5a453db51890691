"""Exported code answers as limbik does: joints and rotations bit by bit, angles to 2 ulp, over hostile rows."""

import itertools

import numpy as np
import pytest

from limbik.exporting.functions import OPTIONS
from limbik.exporting.language import Unit
from limbik.exporting.languages import LANGUAGES
from tests.exporting import rows
from tests.exporting.rows import CASES, TRACKS, Case
from tests.exporting.toolchains import TOOLCHAINS
from tests.thoroughness import THOROUGH

PAIRS = [(key, dtype) for key in TOOLCHAINS for dtype in LANGUAGES[key].number]
# Where a language has its own sine, another rounding may decide between two poses that are equally good.
FEW = 1e-3
SOME = {"planar", "two_link", "two_link_middle_limits_twist_soften_branches", "three_link_hint_position_branches"}
SOME |= {"three_link_middle_limits_last_limits_hint_branches", "two_link_track", "three_link_track"}


def unit(case: Case, dtype: str) -> Unit:
    return Unit(case.name, [case.name], case.functions.functions(dtype), dtype)


def columns(case: Case) -> dict[str, np.ndarray]:
    """The numbers of each answer, and of those in the report that are angles."""
    program = case.functions.program
    places, first = {}, 0
    for answer in case.answers:
        size = program.answers[answer].size
        places[answer] = np.arange(first, first + size)
        first += size
    angular = np.isin(program.report, ("up_error", "out_of_plane"))
    places["angles"] = np.concatenate([places["angles"], places["report"][angular]])
    places["exact"] = np.setdiff1d(np.arange(first), places["angles"])
    return places


def ulps(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Differences in units in the last place of the wanted numbers; none where both are NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(found - wanted) / np.spacing(np.abs(wanted))
    return np.where(np.isnan(found) & np.isnan(wanted), 0.0, np.where(np.isnan(gap), np.inf, gap))


def same_bits(found: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where numbers are the same: both NaN, or of the same bits."""
    whole = np.dtype(f"u{found.itemsize}")
    found, wanted = np.ascontiguousarray(found), np.ascontiguousarray(wanted)
    return (found.view(whole) == wanted.view(whole)) | (np.isnan(found) & np.isnan(wanted))


def faults(bad: np.ndarray, given: dict[str, np.ndarray], found: np.ndarray, wanted: np.ndarray) -> list[str]:
    """What is wrong: how many rows, and the first of them."""
    if not bad.any():
        return []
    row = {name: values[bad][0].tolist() for name, values in given.items()}
    return [f"{bad.sum()} of {len(bad)} rows, first {row}\nfound {found[bad][0]}\nwanted {wanted[bad][0]}"]


def far(case: Case, found: np.ndarray, wanted: np.ndarray, slack: float) -> np.ndarray:
    """Rows that are neither the same pose to within the slack nor, where two poses tie, an equally good one."""
    places = columns(case)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(found - wanted) > slack * np.maximum(1.0, np.abs(wanted))
    gap |= np.isnan(found) != np.isnan(wanted)
    return gap[:, places["joints"]].any(axis=1) & gap[:, places["report"]].any(axis=1)


def solve_faults(program, case: Case, wanted: np.ndarray) -> list[str]:
    given = rows.inputs(case, len(wanted), program.dtype)
    found = program.run(case.name, "solve", np.concatenate(list(given.values()), axis=1))
    if not case.exact and not program.same_library:
        bad = far(case, found, wanted, 1e-9 if program.dtype == np.float64 else 1e-3)
        return faults(bad, given, found, wanted) if bad.mean() > FEW else []
    places = columns(case)
    differ = ~same_bits(found, wanted)[:, places["exact"]].all(axis=1)
    turned = ulps(found, wanted)[:, places["angles"]].max(axis=1) > 2
    return faults(differ, given, found, wanted) + faults(turned, given, found, wanted)


def track_faults(program, case: Case, wanted: np.ndarray) -> list[str]:
    given = rows.paths(case, wanted.shape[1], wanted.shape[0], program.dtype)
    found = np.ascontiguousarray(program.track(case.name, given)[..., : wanted.shape[-1]])
    # The steps of tracks have sines and arctangents of their own; the twist's are the language's.
    if program.same_library or not {"twist", "last_limits"} & set(case.options):
        return faults(~same_bits(found, wanted).all(axis=-1), given, found, wanted)
    bad = np.nan_to_num(np.abs(found - wanted)).max(axis=-1) > (1e-9 if program.dtype == np.float64 else 1e-3)
    return faults(bad, given, found, wanted) if bad.mean() > FEW else []


@pytest.mark.parametrize(("language", "dtype"), PAIRS)
def test_same_bits(language, dtype, tmp_path, answers):
    cases = [case for case in (*CASES, *TRACKS) if THOROUGH or case.name in SOME]
    program = TOOLCHAINS[language]([unit(case, dtype) for case in cases], tmp_path)
    wrong = []
    for case in cases:
        wanted = answers(case, program.dtype, program.library)
        check = track_faults if "track" in case.options else solve_faults
        wrong += [f"{case.name}: {fault}" for fault in check(program, case, wanted)]
    assert not wrong, "\n".join(wrong[:6])


def every_case() -> list[Case]:
    """Every limb with every set of options that can be exported."""
    cases = []
    for limb, options in OPTIONS.items():
        for count in range(len(options) + 1 if limb != "aim" else 0):
            cases += [Case(limb, chosen) for chosen in itertools.combinations(options, count) if allowed(chosen)]
    return cases


def allowed(options: tuple[str, ...]) -> bool:
    return not ({"position", "last_limits"} <= set(options) and {"easy", "track"} & set(options))


def test_every_set_of_options(tmp_path):
    """Few rows for each: the test above has many, for some of the sets."""
    cases = every_case()
    assert len(cases) > 120
    cases = cases if THOROUGH else cases[7::40]
    program = TOOLCHAINS["c"]([unit(case, "float64") for case in cases], tmp_path)
    wrong = []
    with rows.elementary_functions(program.dtype, "c"):
        for case in cases:
            if "track" in case.options:
                wanted = rows.tracked(case, rows.paths(case, 3, 60, program.dtype))
            else:
                wanted = rows.answers(case, rows.inputs(case, 300, program.dtype))
            check = track_faults if "track" in case.options else solve_faults
            wrong += [f"{case.name}: {fault}" for fault in check(program, case, wanted)]
    assert not wrong, "\n".join(wrong[:6])


@pytest.mark.parametrize("language", ["c", "csharp", "js"])
def test_the_range_of_the_chord(language, tmp_path):
    """What `chord_range` gives is what the limits of a limb are to limbik, but for the language's own cosine."""
    case = Case("two_link", ("middle_limits",))
    program = TOOLCHAINS[language]([unit(case, "float64")], tmp_path)
    given = rows.inputs(case, 200, program.dtype)
    limits = np.broadcast_to(rows.MIDDLE, (200, 2))
    found = program.run(case.name, "chord_range", np.concatenate([given["first"], given["second"], limits], axis=1))
    wanted = np.concatenate([given["shortest"], given["longest"]], axis=1)
    assert np.abs(found - wanted).max() <= 2 * np.finfo(float).eps
