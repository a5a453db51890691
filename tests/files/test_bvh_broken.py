"""Broken BVH files: always a LimbikError that names the file and the line, never anything else, and soon."""

import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbik.errors import FileError, LimbikError
from limbik.files import bvh
from tests.assets import CLIP, asset

from .bvh_figures import figures, walker
from .test_bvh_reading import TEXT

WORDS = (
    b"HIERARCHY ROOT JOINT End Site { } OFFSET CHANNELS Xposition Zrotation MOTION Frames: Frame Time: 0 -1 7 nan inf"
)
PIECES = [*WORDS.split(b" "), b"1e999", b"\xff", b"\n", b"\r", b"\t", b"\0", b"-", b"1e", b"4000000000", b".", b"  "]


def tried(data, up="auto"):
    """Whether the file is read. If not, it must be for a fault that names the file, and the line unless it is empty."""
    try:
        clip = bvh.parse(bytes(data), "broken.bvh", up=up)
    except FileError as error:
        assert str(error).startswith("broken.bvh, line "), error
        return False
    assert np.isfinite(clip.rotations).all() and np.isfinite(clip.translations).all()
    return True


def cut(name, frames):
    """The first frames of a recording."""
    lines = asset(name).read_bytes().split(b"\n")
    start = next(k for k, line in enumerate(lines) if line.startswith(b"Frame Time"))
    return b"\n".join(lines[: start + 1 + frames]) + b"\n"


@pytest.fixture(scope="module")
def samples():
    figure = walker(frames=2)
    return [TEXT.encode(), TEXT.replace("\n", "\r\n").encode(), figure.text().encode(), cut(CLIP, 3)]


@pytest.mark.parametrize("number", range(4))
def test_every_truncation_is_told_or_read(samples, number):
    data = samples[number]
    step = max(1, len(data) // 1000)
    read = [size for size in range(0, len(data), step) if tried(data[:size])]
    # What can be read without an error ends after the frame time: whole rows, or a last number cut short.
    assert all(data[:size].lower().count(b"frame time") for size in read)
    assert len(read) < 0.2 * len(data) / step


@settings(max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_words_in_any_order(words):
    tried(b" ".join(words))
    tried(b"HIERARCHY ROOT a { OFFSET 0 0 0 " + b" ".join(words))
    tried(b"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation }\nMOTION\n" + b" ".join(words))


@given(figure=figures(), data=st.data())
def test_a_missing_line_is_told_or_read(figure, data):
    lines = figure.text().encode().split(b"\n")
    del lines[data.draw(st.integers(0, len(lines) - 1))]
    tried(b"\n".join(lines))


@pytest.mark.parametrize(
    ("change", "line", "why"),
    [
        (("HIERARCHY", "HIERARCHI"), 1, "where HIERARCHY was expected"),
        (("ROOT Hips", "JOINT Hips"), 2, "JOINT outside of any ROOT"),
        (("JOINT Left Leg", "ROOT Left Leg"), 6, "ROOT inside a joint"),
        (("ROOT Hips\n{", "ROOT Hips\n"), 4, "'OFFSET' where { was expected"),
        (("OFFSET 0.5 0.25 -12.5", "OFFSET 0.5 0.25"), 9, "OFFSET: 'CHANNELS' is not a number"),
        (("OFFSET 0.5 0.25 -12.5", "OFFSET 0.5 nan 0"), 8, "OFFSET: 'nan' is not a number"),
        (("OFFSET 0.5 0.25 -12.5\n", "\n"), 14, "'Left Leg' has no OFFSET"),
        (("CHANNELS 3", "CHANNELS 4"), 10, "'End' where one of 4 channels was expected: Xposition, "),
        (("CHANNELS 3", "CHANNELS 2"), 9, "'Zrotation' where ROOT, JOINT, End Site, OFFSET, CHANNELS or } was"),
        (("CHANNELS 3", "CHANNELS 7"), 9, "7 channels; expected a whole number up to 6"),
        (("CHANNELS 3 Yrotation", "CHANNELS 3 Zrotation"), 9, "a channel appears twice"),
        (("Yrotation Xrotation Zrotation", "Yrotation Wrotation Zrotation"), 9, "'Wrotation' where one of 3 channels"),
        (("\t}\n}\nMOTION", "\t}\nMOTION"), 15, "the joints end before the closing brace of 'Hips'"),
        (("\t}\n}\nMOTION", "\t}\n}\n}\nMOTION"), 16, "} outside of any joint"),
        (("MOTION\n", "\n"), 17, "'Frames:' where ROOT, JOINT"),
        (("Frames: 2", "Frames: two"), 17, "Frames: 'two'; expected a whole number"),
        (("Frames: 2", "Frames: -2"), 17, "Frames: '-2'; expected a whole number"),
        (("Frames: 2\n", ""), 17, "Frames: was expected here"),
        (("Frame Time: 0.0083333\n", ""), 18, "Frame Time: was expected here"),
        (("0.0083333", "0.0"), 18, "Frame Time: '0.0'; expected seconds above 0"),
        (("0.0083333", "-0.01"), 18, "Frame Time: '-0.01'; expected seconds above 0"),
        (("0.0083333", "nan"), 18, "Frame Time: 'nan'; expected seconds above 0"),
        (("-41.0 51.0", "-41.0"), 20, "8 numbers; the joints have 9 channels"),
        (("-41.0 51.0", "-41.0 51.0 1.0"), 20, "10 numbers; the joints have 9 channels"),
        (("-41.0 51.0", "-41.0 nan"), 20, "'nan' is not a usable number"),
        (("-41.0 51.0", "-41.0 1e40"), 20, "'1e40' is not a usable number"),
        (("-41.0 51.0", "-41.0 " + "x" * 99), 20, "'" + "x" * 27 + "...' is not a usable number"),
    ],
)
def test_faults_say_where_and_what(change, line, why):
    text = TEXT.replace(*change)
    assert text != TEXT
    with pytest.raises(FileError) as caught:
        bvh.parse(text.encode(), "take.bvh")
    assert str(caught.value).startswith(f"take.bvh, line {line}: ")
    assert why in str(caught.value)


def test_a_file_that_ends_before_its_motion():
    with pytest.raises(FileError, match=r"take\.bvh, line 16: the file ends before MOTION"):
        bvh.parse(TEXT[: TEXT.index("MOTION")].encode(), "take.bvh")


def test_options_that_are_none():
    for options in ({"up": "w"}, {"unit": "parsec"}, {"unit": -1.0}):
        with pytest.raises(LimbikError):
            bvh.parse(TEXT.encode(), "take.bvh", **options)


def nested(depth, closed):
    joints = b"JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" * (depth - 1) + b"}\n" * (depth - 1) * closed
    row = b"0 " * depth + b"\n"
    return (
        b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
        + joints
        + b"}\nMOTION\nFrames: 1\nFrame Time: 1\n"
        + row
    )


def after(text):
    return TEXT.encode() + text


def instead(old, new):
    return TEXT.replace(old, new).encode()


# What a file holds, by how much of it, and whether it can be read.
HUGE = {
    "joints in each other": (lambda n: nested(n // 10, closed=True), True),
    "braces that are not closed": (lambda n: nested(n // 10, closed=False), False),
    "a claim of more frames than there are": (lambda n: instead("Frames: 2", f"Frames: {n**5}"), True),
    "a claim of more frames than can be": (lambda n: instead("Frames: 2", "Frames: " + "9" * 99), True),
    "blanks after Frames": (lambda n: instead("Frames: 2", "Frames" + " " * n), False),
    "colons after Frames": (lambda n: instead("Frames: 2", "Frames" + " :" * n), False),
    "blank lines": (lambda n: after(b"\n" * n), True),
    "digits of a number": (lambda n: instead("0.125", "0." + "1" * n), True),
    "letters of a name": (lambda n: instead("Hips", "H" * n), True),
    "roots that are none": (lambda n: b"HIERARCHY\n" + b"ROOT " * n, False),
    "closing braces": (lambda n: b"HIERARCHY\n" + b"}" * n, False),
    "lines of motion that are none": (lambda n: after(b"x\n" * n), False),
}


@pytest.mark.parametrize("what", HUGE)
def test_time_grows_with_the_file_and_not_faster(what):
    make, read = HUGE[what]

    def seconds(count):
        data, start = make(count), time.process_time()
        assert tried(data, up="y") == read
        return time.process_time() - start

    assert seconds(100_000) < 50.0 * max(seconds(10_000), 0.02)  # ten times the file; a hundred would be its square


@pytest.mark.parametrize("what", HUGE)
def test_memory_is_a_small_multiple_of_the_file(what):
    data = HUGE[what][0](100_000)
    tracemalloc.start()
    try:
        tried(data, up="y")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * len(data) + 100_000
