"""`limbik.export`: the same bytes every time, words that are checked, and files that are written whole."""

import cProfile
import io
import itertools
import re
import sys
import zipfile
from pathlib import Path

import pytest

import limbik
from limbik.exporting.functions import OPTIONS
from limbik.exporting.languages import LANGUAGES
from limbik.exporting.packages import PACKAGES
from limbik.limbs.status import Status
from tests.cli.command import run

LICENCE = (Path(__file__).parents[2] / "LICENSE").read_text("utf-8")
ORDER = ("REACHED", "TOO_FAR", "TOO_NEAR", "LIMITED", "INVALID")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("limb", OPTIONS)
def test_the_same_call_gives_the_same_bytes(limb, language):
    options = [option for option in OPTIONS[limb] if option not in ("position", "easy")]
    first, second = (limbik.export(limb, language, options=options).files for _ in range(2))
    assert first == second
    assert all(
        text.endswith("\n") and not any(line != line.rstrip() for line in text.splitlines()) for text in first.values()
    )
    assert limbik.__version__ in " ".join(next(iter(first.values())).split()[:60])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_source_has_its_licence_and_names_what_a_status_can_be(language):
    text = limbik.export("two-link", language, answers=["report"]).text
    holder = next(line for line in LICENCE.splitlines() if line.startswith("Copyright"))
    assert holder in text and "SPDX-License-Identifier: MIT" in text
    enum = re.search(r"enum Status {[^}]*}", text)
    words, prefix = (enum.group(), "") if enum else (text, "status_?")
    named = re.findall(rf"(?i){prefix}(reached|too_?far|too_?near|limited|invalid)\b[^\n,]*?[=:] ?(\d)", words)
    assert [int(number) for _, number in named] == [Status[word] for word in ORDER]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_the_licence(package):
    files = dict(limbik.export(package).files)
    for content in list(files.values()):
        if isinstance(content, bytes):
            with zipfile.ZipFile(io.BytesIO(content)) as zipped:
                files |= {name: zipped.read(name).decode() for name in zipped.namelist() if name.startswith("LICENSE")}
    (text,) = (text for name, text in files.items() if name in ("LICENSE", "LICENSE.md"))
    assert text == LICENCE


def _profiled(work):
    with cProfile.Profile() as profile:
        text = work()
    assert any(entry.code.co_name == "export" for entry in profile.getstats() if hasattr(entry.code, "co_name"))
    return text


def _hooked(work, install, installed):
    seen = []

    def hook(frame, event, _):
        seen.append(event)
        return hook

    before = installed()
    install(hook)
    try:
        text = work()
        assert installed() is hook
    finally:
        install(before)
    assert {"call", "return"} <= {*seen}
    return text


@pytest.mark.parametrize(
    "watch",
    [
        _profiled,
        lambda work: _hooked(work, sys.setprofile, sys.getprofile),
        lambda work: _hooked(work, sys.settrace, sys.gettrace),
    ],
    ids=["cProfile", "profile hook", "trace hook"],
)
def test_a_profiler_or_debugger_sees_the_export_and_changes_nothing(watch):
    def work():
        return limbik.export("planar", "c").text

    assert watch(work) == work()
    assert "bend" in work()


def test_a_two_bone_rotation_solver_in_c_is_short():
    assert len(limbik.export("two-link", "c", answers=["rotations"]).text.splitlines()) < 200


def test_options_that_are_off_leave_no_trace():
    """Code without an option has neither its parameters nor more operations than another one without it."""
    plain = limbik.export("two-link", "c").text
    assert "twist" not in plain.split("#ifndef")[1] and "soften" not in plain and "stretch" not in plain
    assert "acos" not in plain and "sin(" not in plain
    for count in range(1, 4):
        for options in itertools.combinations(("twist", "soften", "middle_limits"), count):
            assert len(limbik.export("two-link", "c", options=options).text) > len(plain)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limb": "four-link"}, "limb: got 'four-link'; expected one of 'planar', 'two-link', 'three-link'"),
        ({"to": "cobol"}, "to: got 'cobol'; expected one of 'c', 'cpp'"),
        ({"answers": ["joint"]}, "did you mean 'joints'"),
        ({"answers": []}, "answers: got none; expected at least one of joints, rotations, angles, report"),
        ({"options": ["hint"]}, "options: got 'hint'; expected one of 'middle_limits', 'twist'"),
        ({"dtype": "float16"}, "dtype: got 'float16'; expected one of 'float64', 'float32'"),
        ({"name": "Two Link"}, "name: got 'Two Link'; expected a name in snake case"),
        ({"name": "for"}, "name: got 'for'; expected a name in snake case"),
        (
            {"limb": "three-link", "options": ["position", "last_limits", "track"]},
            "options: got position with last_limits",
        ),
        ({"to": None}, "to: got nothing"),
        ({"options": [3]}, "options: got 3"),
        ({"answers": "joints"}, "answers: got 'j'"),
    ],
)
def test_a_word_that_is_not_known(arguments, message):
    with pytest.raises(limbik.LimbikError) as caught:
        limbik.export(**{"limb": "two-link", "to": "c", **arguments})
    assert message in str(caught.value)


def test_files(tmp_path):
    written = limbik.export("two-link", "js").write(tmp_path / "arm.js")
    assert [path.name for path in written] == ["arm.js", "arm.d.ts"]
    assert (tmp_path / "arm.js").read_text() == limbik.export("two-link", "js").text
    with pytest.raises(limbik.LimbikError):
        limbik.export("two-link", "js").write(tmp_path / "none" / "arm.js")


def test_the_command(capsys, tmp_path):
    line = f"export three-link --to c --options hint,track --answers joints,angles --name leg --out {tmp_path}/leg.h"
    assert run(capsys, line).status == 0
    expected = limbik.export(
        "three-link", "c", options=["hint", "track"], answers=["joints", "angles"], name="leg"
    ).text
    assert (tmp_path / "leg.h").read_text() == expected
    again = run(capsys, line)
    assert again.status == 2 and "already exists" in again.err
    printed = run(capsys, "export planar --to csharp --dtype float32")
    assert printed.out == limbik.export("planar", "csharp", dtype="float32").text
    assert "to: got nothing; expected one of 'c'" in run(capsys, "export planar").err
