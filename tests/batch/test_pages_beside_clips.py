"""Pages beside grounded clips: one for each, identical from any process, and no clip is lost if one fails."""

import json
import os
import sys
from pathlib import Path

import pytest

import limbik
from limbik.batch.runner import ground_files
from limbik.errors import ArgumentError
from limbik.grounding.ground import ground
from limbik.grounding.settings import Settings
from limbik.pages.clip_page import page_text, write_grounded_page

from .dying import DyingPage, no_page
from .folders import contents, times

HILLS = "hills:height=0.3,seed=3"
PLACES = ["more/walk1.glb", "walk0.bvh", "walk2.bvh", "walk3.bvh"]
PAGES = [f"{place}.html" for place in PLACES]


def run(clips, out, **options):
    """The outcomes by their place."""
    options = {"jobs": 1, "page": write_grounded_page, **options}
    return {str(one.job.place): one for one in ground_files([clips], HILLS, out, **options)}


@pytest.fixture(scope="module")
def expected(clips, tmp_path_factory):
    """The files of a run without incidents, in this process."""
    out = tmp_path_factory.mktemp("expected")
    assert all(one.fresh and not one.error for one in run(clips, out).values())
    return contents(out)


def without_pages(left):
    """What a run without pages leaves: no pages, and no checksums of them in records."""
    found = {place: data for place, data in left.items() if not place.endswith(".html")}
    for place in (f"{place}.json" for place in PLACES):
        record = json.loads(found[place])
        record["files"].pop(f"{Path(place).stem}.html", None)
        found[place] = json.dumps(record, separators=(",", ":")).encode()
    return found


def test_a_page_plays_the_clip_on_its_terrain_with_the_one_before(clips, expected):
    assert sorted(place for place in expected if place.endswith(".html")) == PAGES
    grounded = ground(limbik.load(clips / "walk2.bvh"), HILLS)
    assert expected["walk2.bvh.html"].decode() == page_text(grounded.clip, HILLS, compare=grounded.before_on_terrain)


def test_clips_and_records_are_the_same_without_pages(clips, expected, tmp_path):
    run(clips, tmp_path, page=None)
    assert contents(tmp_path) == without_pages(expected)


def test_two_processes_do_the_same_byte_for_byte(clips, expected, tmp_path):
    run(clips, tmp_path, jobs=2)
    assert contents(tmp_path) == expected


def test_what_is_done_with_its_page_is_not_done_again(clips, tmp_path):
    run(clips, tmp_path)
    written = times(tmp_path)
    for page in (write_grounded_page, None):
        assert not any(one.fresh for one in run(clips, tmp_path, page=page).values())
        assert times(tmp_path) == written


@pytest.mark.parametrize("left", [None, -100])
def test_a_page_that_is_missing_or_damaged_is_done_again_alone(clips, expected, tmp_path, left):
    run(clips, tmp_path)
    page = tmp_path / "walk2.bvh.html"
    page.write_bytes(expected[page.name][:left]) if left else page.unlink()
    assert [place for place, one in run(clips, tmp_path).items() if one.fresh] == ["walk2.bvh"]
    assert contents(tmp_path) == expected


def test_pages_can_be_requested_later(clips, expected, tmp_path):
    run(clips, tmp_path, page=None)
    run(clips, tmp_path)
    assert contents(tmp_path) == expected


def test_no_page_stays_beside_a_clip_that_it_does_not_show(clips, expected, tmp_path):
    run(clips, tmp_path, settings=Settings(release=0.2))
    run(clips, tmp_path, page=None)
    assert contents(tmp_path) == without_pages(expected)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_fails_loses_no_clip(clips, expected, tmp_path, jobs):
    outcomes = run(clips, tmp_path, page=no_page, jobs=jobs)
    assert outcomes["walk0.bvh"].error == f"{tmp_path / 'walk0.bvh.html'}: ValueError: no room for 60 frames"
    assert all(one.report and one.fresh for one in outcomes.values())
    assert contents(tmp_path) == without_pages(expected)
    assert all(one.fresh and not one.error for one in run(clips, tmp_path).values())  # and is tried again
    assert contents(tmp_path) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it")
def test_a_process_that_is_killed_at_a_page_loses_nothing(clips, expected, tmp_path):
    (tmp_path / "deaths").mkdir()
    outcomes = run(clips, tmp_path / "out", page=DyingPage(str(tmp_path / "deaths")), jobs=2)
    assert len(os.listdir(tmp_path / "deaths")) >= 1
    assert sorted(outcomes) == PLACES and not any(one.error for one in outcomes.values())
    assert contents(tmp_path / "out") == expected


def test_a_page_writer_that_cannot_be_pickled(clips, tmp_path):
    with pytest.raises(ArgumentError, match=r"page: got .* pickled for other processes"):
        run(clips, tmp_path, page=lambda grounded, path: None, jobs=2)
