"""Bad arguments: exit status 2, one line on stderr that says what would be right, and no traceback."""

import pytest

from .command import ARM, LEG, run


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("sovle", 'Unknown command "sovle". Did you mean "solve"'),
        ("solve four-link", "Unknown command"),
        ("solve three-link", "--lengths"),
        (f"solve three-link {LEG}", "--target: got nothing; expected the numbers of one target, or --targets FILE"),
        (f"solve three-link {LEG} --target 0 0 0", "--up: got nothing; expected the direction of the last link"),
        (f"solve three-link {LEG} --target 0 0", "--target"),
        (f"solve three-link {LEG} --target 0 0 0 0 --up 0 1 0", "Unused Tokens: ['0']"),
        (f"solve three-link {LEG} --target 0 zero 0 --up 0 1 0", 'unable to convert "zero" into float'),
        (f"solve three-link {LEG} --target 0 nan 0 --up 0 1 0", "--target: got 0 nan 0; expected finite numbers"),
        (f"solve three-link {LEG} --target 0 0 0 --up 0 -inf 0", "--up: got 0 -inf 0; expected finite numbers"),
        (f"solve two-link {ARM} --target 0 0 0 --twist nan", "--twist: got nan; expected finite numbers"),
        (f"solve two-link {ARM} --target 0 0 0 --pol 1 0 0", "--pol"),
        ("solve two-link --lengths 1 -2 --target 0 0 0", "--lengths: got 1 -2; expected positive, finite lengths"),
        ("solve two-link --lengths 1 inf --target 0 0 0", "--lengths: got 1 inf"),
        (f"solve planar {ARM} --target 0 0 --bend 0", "--bend: got 0; expected 1 or -1"),
        (f"solve planar {ARM} --target 0 0 --bend 1.2", "--bend: got 1.2; expected 1 or -1"),
        (f"solve three-link {LEG} --target 0 0 1 --up 0 1 0 --style odd", "natural"),
        (f"solve planar {ARM} --target 0 0 --middle-limits 0 90", "0 <= from <= to <= 3.1416 radians"),
        (f"solve planar {ARM} --target 0 0 --middle-limits 90 0 --degrees", "0 <= from <= to <= 180 degrees"),
        (f"solve planar {ARM} --target 0 0 --middle-limits 0 nan", "--middle-limits: got 0 nan"),
        (
            f"solve three-link {LEG} --target 0 0 1 --up 0 1 0 --last-limits -181 0 --degrees",
            "-180 <= from <= to <= 180 degrees",
        ),
        (f"solve two-link {ARM} --target 0 0 1 --soften 2", "soften: got 2.0; expected a fraction"),
        (f"solve two-link {ARM} --target 0 0 1 --stretch nan", "stretch: got nan"),
        (f"solve two-link {ARM} --target 1.7e308 0 0 --origin -1.7e308 0 0", "too large"),
        (f"solve two-link {ARM} --target 0 0 1 --out o.csv", "--out: got o.csv without --targets"),
        (f"solve two-link {ARM} --target 0 0 1 --columns joints", "--columns: got joints without --targets"),
        (f"plot two-link {ARM}", "--target: got nothing"),
        ("ground walk.bvh --out out", "--terrain: got nothing; expected ground: slope:10 (degrees), stairs:rise="),
        ("ground walk.bvh --out out --terrain", "--terrain: got nothing; expected ground: slope:10"),
        ("render", "CLIP: got nothing; expected motion file: .bvh"),
        ("solve two-link --lengths 1 --target 0 0 0", "--lengths requires 2 numbers. Only got 1."),
    ],
)
def test_a_bad_argument_is_told_in_one_line(capsys, line, words):
    told = run(capsys, line)
    assert told.status == 2
    assert words in told.err
    assert told.err.startswith("limbik: ") and told.err.count("\n") == 1
    assert not told.out


@pytest.mark.parametrize("line", ["", "--help", "solve", "solve --help", "solve three-link --help", "plot planar -h"])
def test_help(capsys, line):
    told = run(capsys, line)
    assert told.status == 0
    assert "Usage: limbik" in told.out


def test_half_a_turn_may_be_typed_with_five_digits(capsys):
    assert run(capsys, f"solve planar {ARM} --target 0.3 0 --middle-limits 0 3.1416").status == 0
