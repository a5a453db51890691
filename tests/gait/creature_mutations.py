"""Broken creature files, made from the presets by random changes."""

import re

from limbik.gait.creature import PRESETS

TEXTS = [path.read_text("utf-8") for path in sorted(PRESETS.glob("*.toml"))]
VALUES = (
    *("0", "-1", "1", "2", "100", "1e9", "-1e308", "1e400", "1e-300", "-0.0", "nan", "inf", "-inf", "1_000", "0.5"),
    *("9" * 900, "0x" + "f" * 900, "true", "false", '""', '"x"', '"a\\nb"', '"' + "x" * 300 + '"', "'''a\nb'''"),
    *("1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "[1979-05-27, 1, 2]", "0001-01-01T00:00:00+23:59"),
    *("[]", "{}", "{a = 1}", "[{}]", "[[1.0]]", "[" * 40 + "]" * 40, "[nan, 0.1]", "[true, 0.1, 0.2]", "['a', 1, 2]"),
    *("[0.1, 0.1]", "[0.1, 0.1, 0.1]", "[0.2, 0.2, 0.2, 0.2]", "[1e400, 0, 0]", "[0.1" + ", 0.1" * 150 + "]"),
    *('"left_first"', '"body"', '"body_2"', '"head"', '"tripod"', '"walk"', '"forward"', '"up"', '"z"'),
)
LINES = (
    *("every = true", "mirror = false", "segments = 100", "segments = 1000000000", "name = 3", "name = 1979-05-27"),
    *("[[legs]]", "[[parts]]", "[legs]", "[gaits]", "[gaits.walk]", "[gaits.'']", '[gaits."\\n"]', "gaits = 3"),
    *(
        "legs = 3",
        "legs = [1]",
        "parts = {}",
        "body = []",
        "body = 1979-05-27",
        "heel = 0.1",
        "segment = 5",
        "a.b.c = 1",
    ),
)


def mutated(chance):
    """A preset with one to three random changes; `chance` is a random.Random."""
    text = chance.choice(TEXTS)
    for _ in range(chance.choice((1, 1, 2, 3))):
        text = chance.choice(CHANGES)(text, chance)
    return text


def _value(text, chance):
    """Another value for a key."""
    places = list(re.finditer(r"(?<== ).*", text))
    place = chance.choice(places) if places else None
    return text[: place.start()] + chance.choice(VALUES) + text[place.end() :] if place else text


def _number(text, chance):
    """Another number somewhere."""
    places = list(re.finditer(r"-?\d+\.?\d*", text))
    place = chance.choice(places) if places else None
    other = chance.choice((chance.uniform(-2.0, 2.0), chance.uniform(0.0, 1e4), 10.0 ** chance.uniform(-12, 12), 0))
    return text[: place.start()] + repr(other) + text[place.end() :] if place else text


def _lines(text, chance):
    """A line deleted, repeated, moved or added."""
    lines = text.split("\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines.insert(other, lines.pop(at))
        case _:
            lines.insert(at, chance.choice(LINES))
    return "\n".join(lines)


def _tables(text, chance):
    """A table repeated, many times or once, or left out."""
    tables = re.split(r"\n(?=\[)", text)
    at = chance.randrange(len(tables))
    tables[at : at + 1] = [tables[at]] * chance.choice((0, 2, 2, 150))
    return "\n".join(tables)


def _characters(text, chance):
    """Characters replaced, or the file cut short."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + (chance.choice('"[]{}=.,#\\\n\0é0a-') + text[at + 1 :] if chance.random() < 0.8 else "")


CHANGES = (_value, _value, _value, _number, _lines, _tables, _characters)
