"""Exported code answers as limbik does: joints and rotations bit by bit, angles to 2 ulp, over hostile rows."""

import numpy as np
import pytest

from limbik.exporting.language import Unit
from limbik.exporting.languages import LANGUAGES
from tests.exporting import rows
from tests.exporting.rows import CASES, FRAMES, MANY, PATHS, ROWS, TRACKS, Case
from tests.exporting.toolchains import TOOLCHAINS

PAIRS = [(key, dtype) for key in TOOLCHAINS for dtype in LANGUAGES[key].number]
SOME = {"planar", "two_link", "two_link_middle_limits_twist_soften_branches", "three_link_hint_position_branches"}
SOME |= {"three_link_middle_limits_last_limits_hint_branches", "two_link_track", "three_link_track"}


def unit(case: Case, dtype: str) -> Unit:
    return Unit(case.name, [case.name], case.functions.functions(), dtype)


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
    given = rows.inputs(case, ROWS, program.dtype)
    found = program.run(case.name, "solve", np.concatenate(list(given.values()), axis=1))
    if not case.exact and not program.same_library:
        return faults(far(case, found, wanted, 1e-9 if program.dtype == np.float64 else 1e-3), given, found, wanted)
    places = columns(case)
    differ = ~same_bits(found, wanted)[:, places["exact"]].all(axis=1)
    turned = ulps(found, wanted)[:, places["angles"]].max(axis=1) > 2
    return faults(differ, given, found, wanted) + faults(turned, given, found, wanted)


def track_faults(program, case: Case, wanted: np.ndarray) -> list[str]:
    given = rows.paths(case, PATHS, FRAMES, program.dtype)
    found = np.ascontiguousarray(program.track(case.name, given)[..., : wanted.shape[-1]])
    if program.same_library:
        return faults(~same_bits(found, wanted).all(axis=-1), given, found, wanted)
    apart = np.nan_to_num(np.abs(found - wanted)).max(axis=-1)
    if program.dtype == np.float64:
        return faults(apart > 1e-9, given, found, wanted)
    return faults(apart > 0.05, given, found, wanted) if np.median(apart) < 1e-4 else ["far from limbik's"]


@pytest.mark.parametrize(("language", "dtype"), PAIRS)
def test_same_bits(language, dtype, tmp_path, answers):
    cases = [case for case in (*CASES, *TRACKS) if MANY or case.name in SOME]
    program = TOOLCHAINS[language]([unit(case, dtype) for case in cases], tmp_path)
    wrong = []
    for case in cases:
        wanted = answers(case, program.dtype, program.library)
        check = track_faults if "track" in case.options else solve_faults
        wrong += [f"{case.name}: {fault}" for fault in check(program, case, wanted)]
    assert not wrong, "\n".join(wrong[:6])
