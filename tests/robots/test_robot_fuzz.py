"""Broken robot files: each is read, or refused with a LimbikError, and never anything else.

`python -m tests.robots.test_robot_fuzz 100000` tries that many.
"""

import random
import re
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from limbik import Robot
from limbik.errors import LimbikError
from limbik.robots.robot import describe
from limbik.robots.xml_elements import parse_xml
from tests.robots.small_robots import MJCF, URDF
from tests.thoroughness import THOROUGH

TRIES = 6000 if THOROUGH else 600  # of each kind of mutation and file
HOSTILE = [
    *("", " ", "0", "-1", "1e6", "-1e300", "1e999", "nan", "inf", "-inf", "0x10", "1_0", "1,0,0", "0 0 0", "1 2 3 4"),
    *("0 0 0 0 0 0", "1 0 0 0 1 0", "true", "false", "auto", "free", "ball", "slide", "hinge", "floating", "planar"),
    *("world", "trunk", "base", "hand", "grip", "follow", "main", "wide", "xyz", "XYZ", "zzz", "degree", "global"),
    *("robot.xml", "../secret.xml", "/etc/passwd", "\u0000", "é", "\U0001f9be", "a" * 5000, "9" * 400, "${x}", "&amp;"),
]
TAGS = [
    *("body", "frame", "joint", "freejoint", "site", "geom", "default", "compiler", "include", "worldbody", "mujoco"),
    *("composite", "replicate", "attach", "robot", "link", "origin", "axis", "limit", "mimic", "parent", "child"),
    "xacro:if",
]
NAMES = [
    *("name", "pos", "quat", "euler", "axisangle", "xyaxes", "zaxis", "axis", "range", "ref", "type", "class"),
    *("limited", "childclass", "xyz", "rpy", "lower", "upper", "link", "joint", "multiplier", "offset", "file"),
    *("angle", "eulerseq"),
]


def survives(data, path):
    """Reads a file and, where that succeeds, poses the robot and follows every limb."""
    with suppress(LimbikError):
        robot = Robot(describe(parse_xml(data, path)))
        robot.forward(np.full((2, len(robot.joints)), 0.3))
        repr(robot)
        for tip in (*robot.links, *robot.sites):
            with suppress(LimbikError):
                chain = robot.screws(tip)
                assert np.all(np.isfinite(chain.axes)) and np.all(np.isfinite(chain.position))


def bytes_changed(text, chance):
    data = bytearray(text.encode())
    for _ in range(chance.choice((1, 1, 2, 6))):
        place = chance.randrange(len(data))
        what = chance.randrange(4)
        if what == 0:
            data[place] = chance.randrange(256)
        elif what == 1:
            del data[place : place + chance.randrange(1, 60)]
        elif what == 2:
            start = chance.randrange(len(data))
            data[place:place] = data[start : start + chance.randrange(1, 200)]
        else:
            data[place:place] = chance.choice(b"<>\"'/&=! \n\x00").to_bytes(1, "big")
        if not data:
            break
    return bytes(data)


def values_changed(text, chance):
    for _ in range(chance.choice((1, 1, 2, 4))):
        found = list(re.finditer(r'"[^"]*"', text))
        one = chance.choice(found)
        text = f'{text[: one.start()]}"{chance.choice(HOSTILE)}"{text[one.end() :]}'
    return text.encode("utf-8", "replace")


def elements_changed(text, chance):
    for _ in range(chance.choice((1, 1, 2, 4))):
        found = list(re.finditer(r"<(/?)([a-z]+)([^<>]*?)(/?)>", text))
        if not found:
            break
        one = chance.choice(found)
        other = chance.choice(found)
        tag = f"<{one[1]}{chance.choice(TAGS)}{one[3]}{one[4]}>"
        extra = f'<{chance.choice(TAGS)} {chance.choice(NAMES)}="{chance.choice(HOSTILE[:-2])}"/>'
        attribute = f'{one[0][:-1].rstrip("/")} {chance.choice(NAMES)}="{chance.choice(HOSTILE[:-2])}"{one[4]}>'
        put = chance.choice(("", other[0], tag, one[0] + extra, attribute, attribute))
        text = text[: one.start()] + put + text[one.end() :]
    return text.encode("utf-8", "replace")


MUTATIONS = {"bytes": bytes_changed, "values": values_changed, "elements": elements_changed}
FILES = {"mjcf": MJCF, "urdf": URDF}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", MUTATIONS)
def test_mutations_are_read_or_refused(tmp_path, name, kind):
    chance = random.Random(f"{name} {kind}")
    for _ in range(TRIES):
        survives(MUTATIONS[kind](FILES[name], chance), tmp_path / "robot.xml")


def main(count):
    warnings.simplefilter("error")
    texts = dict(FILES)
    for path in sys.argv[2:]:
        texts[path] = Path(path).read_text()
    chance = random.Random(count)
    for number in range(count):
        data = MUTATIONS[chance.choice(list(MUTATIONS))](texts[chance.choice(list(texts))], chance)
        try:
            survives(data, Path("nowhere/robot.xml"))
        except BaseException:
            Path("fuzz_failure.xml").write_bytes(data)
            raise
        if number % 10_000 == 0:
            print(number, flush=True)
    print(f"{count} mutations of {len(texts)} files: only LimbikError")


if __name__ == "__main__":
    main(int(sys.argv[1]))
