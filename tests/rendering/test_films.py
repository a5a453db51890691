"""Stills, GIFs and films: what they hold, what is said of requests that make no sense, and no half files."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import limbik
from limbik.errors import ArgumentError, FileError, LimbikError, MissingExtraError
from limbik.rendering import films, render
from limbik.rendering.scene_renderer import SceneRenderer
from tests.grounding.measures import frozen
from tests.optional import optional
from tests.pages.motions import walk

ffmpeg = optional("imageio_ffmpeg")
SMALL = (96, 54)


def frames_in(path):
    """The frames of a GIF, (frames, height, width, 3), and how long each lasts, seconds."""
    with Image.open(path) as image:
        frames, lasting = [], []
        for k in range(image.n_frames):
            image.seek(k)
            frames.append(np.asarray(image.convert("RGB"), int))
            lasting.append(image.info["duration"] / 1000)
    return np.array(frames), lasting


def film_in(path, size):
    """What ffmpeg says of a film, and its frames, (frames, height, width, 3)."""
    command = [ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    read = subprocess.run(command, capture_output=True, check=True)
    return read.stderr.decode(), np.frombuffer(read.stdout, np.uint8).reshape(-1, size[1], size[0], 3).astype(int)


@pytest.mark.parametrize("name", ["walk.png", "walk.gif", "walk.mp4"])
def test_the_same_input_gives_the_same_bytes(tmp_path, name):
    clip = walk(20)
    render(clip, tmp_path / name, "slope:5", size=SMALL)
    first = (tmp_path / name).read_bytes()
    render(clip, tmp_path / name, "slope:5", size=SMALL)
    assert (tmp_path / name).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_still_is_the_clip_at_a_moment(tmp_path):
    clip = walk(60)
    for name, options in {"told": {"at": 0.5 * clip.duration}, "untold": {}, "other": {"at": 0.1}}.items():
        render(clip, tmp_path / f"{name}.png", size=SMALL, **options)
    told, untold, other = ((tmp_path / f"{name}.png").read_bytes() for name in ("told", "untold", "other"))
    assert told == untold != other
    with Image.open(tmp_path / "told.png") as image:
        assert image.size == SMALL and image.mode == "RGB"


def test_a_gif_lasts_as_long_as_the_clip(tmp_path):
    clip = walk(61)
    render(clip, tmp_path / "walk.gif", fps=30, size=SMALL)
    frames, lasting = frames_in(tmp_path / "walk.gif")
    assert frames.shape == (31, SMALL[1], SMALL[0], 3)
    assert sum(lasting) == pytest.approx(31 / 30, abs=0.01) and set(lasting) == {0.03, 0.04}
    render(clip, tmp_path / "usual.gif", size=SMALL)
    frames, lasting = frames_in(tmp_path / "usual.gif")
    assert len(frames) == 21 and set(lasting) == {0.05}


def test_a_gif_shows_what_stills_show(tmp_path):
    clip = walk(61)
    render(clip, tmp_path / "walk.gif", fps=10, size=SMALL)
    scene = SceneRenderer(clip, None, SMALL, "three-quarter")
    for k, frame in enumerate(frames_in(tmp_path / "walk.gif")[0]):
        assert np.abs(frame - scene.picture([k / 10])).mean() < 2.0


def test_a_gif_of_somebody_who_stands_still_lasts_as_long(tmp_path):
    clip = walk(21)
    still = frozen(clip, 0, 21)
    render(still.with_(fps=20.0, contacts=None), tmp_path / "still.gif", size=SMALL)
    assert sum(frames_in(tmp_path / "still.gif")[1]) == pytest.approx(1.05)


def test_a_film_has_the_frames_of_the_clip(tmp_path):
    clip = walk(61)
    render(clip, tmp_path / "walk.mp4", size=(128, 72), fps=24)
    about, frames = film_in(tmp_path / "walk.mp4", (128, 72))
    for words in ("h264", "yuv420p(tv, bt709", "128x72", "24 fps"):
        assert words in about
    assert len(frames) == 25
    scene = SceneRenderer(clip, None, (128, 72), "three-quarter")
    for k in (0, 11, 24):
        assert np.abs(frames[k] - scene.picture([k / 24])).mean() < 3.0


def test_progress_is_told_up_to_the_end(tmp_path):
    told = []
    render(walk(31), tmp_path / "walk.gif", size=SMALL, progress=told.append)
    assert told == pytest.approx(np.arange(1, 12) / 11)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("walk.avi", {}, "'.avi'; pictures and films are written as .png, .gif, .mp4"),
        ("walk", {}, "no suffix"),
        ("walk.png", {"size": (0, 54)}, "whole numbers from 16 to 8192"),
        ("walk.png", {"size": (96.5, 54)}, "size"),
        ("walk.png", {"size": 96}, "size"),
        ("walk.png", {"size": (96, 10_000)}, "size"),
        ("walk.mp4", {"size": (97, 54)}, "even numbers"),
        ("walk.png", {"at": -0.1}, "from 0 to 0.483333"),
        ("walk.png", {"at": 1.0}, "at: got 1.0; expected a number of seconds from 0"),
        ("walk.png", {"at": float("nan")}, "at"),
        ("walk.png", {"poses": 0}, "from 1 to"),
        ("walk.png", {"poses": 2.5}, "poses"),
        ("walk.png", {"poses": 3, "at": 0.1}, "several poses"),
        ("walk.png", {"fps": 30}, "still"),
        ("walk.gif", {"at": 0.1}, "still"),
        ("walk.mp4", {"poses": 3}, "still"),
        ("walk.gif", {"fps": 60}, "at most 50"),
        ("walk.mp4", {"fps": 0}, "greater than 0"),
        ("walk.mp4", {"fps": float("inf")}, "fps"),
        ("walk.png", {"view": "below"}, "'three-quarter', 'side', 'front', 'top'"),
        ("walk.png", {"terrain": "swamp"}, "swamp"),
        ("walk.png", {"at": "x"}, "at: got 'x'"),
        ("walk.png", {"poses": "x"}, "poses: got 'x'"),
        ("walk.gif", {"fps": "x"}, "fps: got 'x'"),
        ("walk.png", {"size": "x"}, "size: got 'x'"),
        ("walk.png", {"view": 3}, "view: got 3"),
        ("walk.png", {"terrain": 3}, "terrain: got 3"),
        ("nowhere/walk.png", {}, "does not exist"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(tmp_path, name, options, words):
    with pytest.raises(LimbikError) as refused:
        render(walk(30), tmp_path / name, **({"size": SMALL} | options))
    assert words in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_clip_without_frames_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="frames"):
        render(walk(2)[:0], tmp_path / "none.png")


def test_a_clip_that_is_nowhere_is_refused(tmp_path):
    clip = walk(5)
    translations = clip.translations.copy()
    translations[3, 0] = np.nan
    with pytest.raises(ArgumentError, match=r"no finite position of .* at second 0\.05"):
        render(clip.with_(translations=translations), tmp_path / "lost.png")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["walk.gif", "walk.mp4"])
def test_an_interrupted_run_leaves_what_was_there(tmp_path, name):
    (tmp_path / name).write_text("before")

    def stop(part):
        if part > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render(walk(60), tmp_path / name, size=SMALL, progress=stop)
    assert (tmp_path / name).read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_what_ffmpeg_complains_of_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(films, "X264_RATE_FACTOR", "dreadful")
    with pytest.raises(FileError, match="ffmpeg cannot write it"):
        render(walk(60), tmp_path / "walk.mp4", size=SMALL)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "package", "words"),
    [("a.png", "PIL", "Pillow"), ("a.gif", "PIL", "Pillow"), ("a.mp4", "imageio_ffmpeg", "imageio-ffmpeg")],
)
def test_a_missing_package_is_named(tmp_path, monkeypatch, name, package, words):
    for known in [one for one in sys.modules if one == package or one.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, known)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"{words}: pip install 'limbik\[video\]'"):
        render(walk(3), tmp_path / name)


def test_a_walk_is_rendered_as_it_comes(tmp_path):
    render(limbik.walk("spider", "hills", seconds=0.5), tmp_path / "spider.png", "hills", size=SMALL)
    with Image.open(tmp_path / "spider.png") as image:
        assert image.size == SMALL


def test_a_path_is_as_good_as_a_clip(tmp_path):
    limbik.save(walk(10), tmp_path / "walk.bvh")
    render(tmp_path / "walk.bvh", tmp_path / "a.png", size=SMALL)
    render(limbik.load(tmp_path / "walk.bvh"), str(tmp_path / "b.png"), size=SMALL)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("clip", "path", "words"),
    [
        (walk(3), 3, "path: got 3"),
        (walk(3), None, "path: got None"),
        (walk(3), "", "path: got ''"),
        (3, "a.png", "clip: got 3"),
        (walk(3)[0], "a.png", "clip: got a Pose"),
        ("none.bvh", "a.png", "none.bvh"),
        (walk(3).rotations, "a.png", "clip: got"),
    ],
)
def test_wrong_types_are_refused_at_the_door(tmp_path, monkeypatch, clip, path, words):
    monkeypatch.chdir(tmp_path)
    for write in (render, limbik.write_page):
        with pytest.raises(LimbikError) as refused:
            write(clip, path.replace("png", "html") if path and write is limbik.write_page and path != 3 else path)
        assert words in str(refused.value)
    assert not list(tmp_path.iterdir())
