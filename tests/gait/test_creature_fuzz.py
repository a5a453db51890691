"""Whatever a creature file holds, reading it gives a creature that walks, or a LimbikError."""

import re
from contextlib import suppress
from random import Random

import numpy as np
import pytest

from limbik.errors import LimbikError
from limbik.gait.creature import PRESETS, creature
from limbik.gait.walker import Walker

from .creature_mutations import mutated


@pytest.mark.parametrize("seed", range(10))
def test_a_mutated_file_gives_a_creature_that_walks_or_a_limbik_error(tmp_path, seed):
    chance, path, read = Random(seed), tmp_path / "mutated.toml", 0
    for _ in range(200):
        path.write_text(mutated(chance), "utf-8")
        with suppress(LimbikError):
            kind = creature(path)
            read += 1
            if read % 10 == 1:
                walker = Walker(kind)
                walker.step(1.0 / 60.0, (0.0, kind.cruise))
                assert np.isfinite(walker.pose.positions()).all()
    assert read > 5  # some changes do no harm: the rest of the reader was reached


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[legs]]\n" * 20_000, "bytes; expected at most 65536"),
        ("a." * 5000 + "a = 1", "line 1: has 10005 characters; expected at most 1000"),
        ("x = " + "[" * 900, "is not valid TOML"),
        ("x =\n" + "9" * 990, "is not valid TOML"),
        ("legs = [" + "{},\n" * 300 + "]", "body: got nothing"),
    ],
)
def test_a_file_that_would_take_long_is_refused_at_once(tmp_path, text, words):
    (tmp_path / "big.toml").write_text(text)
    with pytest.raises(LimbikError, match=words):
        creature(tmp_path / "big.toml")


@pytest.mark.parametrize(
    ("added", "words"),
    [
        (
            "\n[[parts]]\nname = 'x'\nparent = 'body'\nat = [0, 0, 0]\n" * 300,
            "parts: got 257 of them; expected 0 to 256",
        ),
        (
            "".join(
                f"\n[gaits.g{k}]\nphases = 'wave'\nduty=0.5\nspeed={k + 1}\ncycle=[1,1]\nlift=0.1" for k in range(40)
            ),
            "gaits: got 17 of them; expected 1 to 16",
        ),
    ],
)
def test_counts_have_bounds(tmp_path, added, words):
    (tmp_path / "many.toml").write_text((PRESETS / "hexapod.toml").read_text() + added)
    with pytest.raises(LimbikError, match=words):
        creature(tmp_path / "many.toml")


def test_the_number_of_legs_has_a_bound(tmp_path):
    text = (PRESETS / "centipede.toml").read_text()
    table = re.search(r"\[\[legs\]\].*?(?=\n\[)", text, re.S)[0]
    assert "every = true" in table
    many = "".join(table.replace('name = "', f'name = "x{k}') for k in range(40))
    (tmp_path / "many.toml").write_text(text.replace(table, many))
    with pytest.raises(LimbikError, match=r"legs: got \d+ of them; expected 1 to 256"):
        creature(tmp_path / "many.toml")
