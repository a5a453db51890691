"""A spec says what a terrain is, and a terrain says its spec."""

import numpy as np
import pytest
from hypothesis import given

from limbik import terrains
from limbik.errors import ArgumentError, FileError, LimbikError
from limbik.terrains.hills import Hills
from limbik.terrains.planes import Plane, Slope
from limbik.terrains.specs import terrain
from limbik.terrains.stairs import Stairs

from ..optional import optional
from .grounds import hills, slopes, stairs


@pytest.mark.parametrize(
    "spec, expected",
    [
        ("plane", Plane()),
        ("slope:10", Slope(10)),
        ("slope:-7.5,heading=90", Slope(-7.5, 90)),
        ("slope:degrees=10", Slope(10)),
        ("stairs", Stairs()),
        ("stairs:rise=0.17,run=0.3", Stairs(0.17, 0.3)),
        (
            "stairs:heading=45, steps=8, start=-1, run=0.4, rise=-0.2",
            Stairs(-0.2, 0.4, start=-1.0, steps=8, heading_degrees=45),
        ),
        ("hills:height=0.3,seed=3", Hills(0.3, 3)),
        ("  hills:size=1e1,seed=7.0 ", Hills(seed=7, size=10)),
    ],
)
def test_a_spec_makes_the_terrain_that_it_says(spec, expected):
    assert terrain(spec) == expected


@given(slopes | stairs | hills)
def test_a_terrain_shows_the_spec_that_it_can_be_made_from(ground):
    again = terrain(repr(ground))
    assert again == ground
    assert hash(again) == hash(ground)
    assert again.key() == ground.key()


@pytest.mark.parametrize(
    "spec",
    [
        "plane",
        "slope:10",
        "slope:10,heading=90",
        "stairs:rise=0.17,run=0.3,start=0.5",
        "hills:height=0.3,seed=3,size=4",
    ],
)
def test_a_spec_in_full_is_shown_as_it_was_given(spec):
    assert repr(terrain(spec)) == spec


@pytest.mark.parametrize(
    "spec, words",
    [
        ("hill", ["'hill'", "plane, slope, stairs, hills", ".obj", "did you mean 'hills'"]),
        ("Stairs:rise=1", ["did you mean 'stairs'"]),
        ("ground.tif", ["'ground.tif'", ".png"]),
        ("", ["plane"]),
        ("hills:heigth=1", ["option of hills", "'heigth'", "height, seed, size", "did you mean 'height'"]),
        ("hills:", ["option of hills", "height="]),
        ("hills:height=", ["option of hills", "height="]),
        ("hills:0.3", ["option of hills", "'0.3'", "height="]),
        ("hills:height=tall", ["height of hills", "'tall'", "a number"]),
        ("hills:height=-1", ["height", "-1", "0 to 10000"]),
        ("hills:height=nan", ["height", "nan"]),
        ("hills:seed=1.5", ["seed", "whole number"]),
        ("hills:seed=1e400", ["seed", "whole number"]),
        ("hills:seed=-1", ["seed", "from 0"]),
        ("hills:size=0", ["size", "from 0.01"]),
        ("slope", ["degrees", "slope:10"]),
        ("slope:heading=3", ["degrees", "slope:10"]),
        ("slope:90", ["degrees", "-80 to 80"]),
        ("slope:10,20", ["option of slope", "'20'"]),
        ("slope:10,degrees=10", ["degrees twice"]),
        ("slope:10,heading=inf", ["heading", "-360 to 360"]),
        ("stairs:run=0", ["run", "0.01"]),
        ("stairs:rise=11", ["rise", "-10 to 10"]),
        ("stairs:steps=0", ["steps", "from 1"]),
        ("stairs:rise=0.1,rise=0.1", ["rise twice"]),
        ("plane:height=2", ["option of plane", "none"]),
    ],
)
def test_a_spec_that_is_none_says_what_would_be(spec, words):
    with pytest.raises(ArgumentError) as caught:
        terrain(spec)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("spec", [None, 3, b"plane", ["plane"]])
def test_what_is_no_text_is_refused(spec):
    with pytest.raises(ArgumentError, match="terrain"):
        terrain(spec)


SAMPLES = np.random.default_rng(0).uniform(0.0, 1.0, (6, 5))


def test_an_array_file_holds_metres(tmp_path):
    np.save(tmp_path / "ground.npy", SAMPLES)
    field = terrain(tmp_path / "ground.npy")
    np.testing.assert_array_equal(field.heights, SAMPLES)
    assert field.spacing == 0.1
    spec = f"{tmp_path}/ground.npy:spacing=0.25"
    field = terrain(spec)
    assert field.spacing == 0.25
    assert repr(field) == spec
    assert terrain(repr(field)) == field


@pytest.mark.parametrize("dtype, white", [(np.uint8, 255), (np.uint16, 65535)])
def test_a_grey_picture_goes_from_black_at_nothing_to_white_at_its_height(tmp_path, dtype, white):
    image = optional("PIL.Image")
    pixels = np.round(SAMPLES * white).astype(dtype)
    pixels[0, 0], pixels[-1, -1] = 0, white
    image.fromarray(pixels).save(tmp_path / "ground.PNG")
    field = terrain(f"{tmp_path}/ground.PNG:height=2,spacing=0.5")
    np.testing.assert_allclose(field.heights, 2.0 * pixels / white, atol=1e-12)
    assert field.spacing == 0.5


def test_grey_may_be_said_in_colours_and_colours_may_not(tmp_path):
    image = optional("PIL.Image")
    pixels = np.round(SAMPLES * 255).astype(np.uint8)
    image.fromarray(np.stack([pixels] * 3, axis=-1)).save(tmp_path / "grey.png")
    np.testing.assert_allclose(terrain(tmp_path / "grey.png").heights, pixels / 255.0, atol=1e-12)
    image.fromarray(np.stack([pixels, pixels, 255 - pixels], axis=-1)).save(tmp_path / "colour.png")
    with pytest.raises(FileError, match="colour"):
        terrain(tmp_path / "colour.png")


@pytest.mark.parametrize("name", ["C:ground.npy", "C:\\maps\\ground.npy", "a=b,c.npy", "hills:x.npy", "two.png.npy"])
def test_names_of_files_may_hold_colons_and_the_like(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    np.save(tmp_path / name, SAMPLES)
    assert terrain(name).spacing == 0.1
    assert terrain(f"{name}:spacing=0.2").spacing == 0.2


BROKEN = {  # the content of a file, if there is one, and what is wrong
    "no.npy": (None, "does not exist"),
    "no.png:height=2": (None, "no.png: does not exist"),
    "folder.npy": (..., "folder"),
    "bad.npy": (b"not an array", "not a .npy"),
    "empty.npy": (b"", "is empty"),
    "a" * 300 + ".npy": (None, "does not exist"),
    "bad.png": (b"\x89PNG\r\n\x1a\n garbage", "not a readable .png"),
    "bad.glb": (b"glTF garbage", "glb"),
    "bad.gltf": (b"{", "JSON"),
    "empty.obj": (b"", "is empty"),
    "line.obj": (b"v 0 0 0\nv 1 0 0\nl 1 2\n", "cannot|faces|vertices"),
}


@pytest.mark.parametrize("name, data, words", [(name, *rest) for name, rest in BROKEN.items()])
def test_a_broken_file_is_named(tmp_path, name, data, words):
    if "png" in name and data:
        optional("PIL.Image")
    if name.endswith(("glb", "gltf", "obj")):
        optional("trimesh")
    path = tmp_path / name.partition(":")[0]
    if data is ...:
        path.mkdir()
    elif data is not None:
        path.write_bytes(data)
    with pytest.raises(FileError, match=words) as caught:
        terrain(tmp_path / name)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("array", [np.zeros(4), np.full((3, 3), np.nan), np.array([[{}]]), np.zeros((2, 2), complex)])
def test_a_file_of_other_arrays_is_named(tmp_path, array):
    np.save(tmp_path / "ground.npy", array, allow_pickle=True)
    with pytest.raises(FileError, match=r"ground\.npy"):
        terrain(tmp_path / "ground.npy")


def test_options_of_files_are_checked(tmp_path):
    np.save(tmp_path / "ground.npy", SAMPLES)
    for words in ("spacing=0", "spacing=x", "height=2", "spacing=0.1,spacing=0.1", "0.1", ""):
        with pytest.raises(LimbikError, match="spacing"):
            terrain(f"{tmp_path}/ground.npy:{words}")


def test_terrains_are_public():
    for name in terrains.__all__:
        assert hasattr(terrains, name)
    assert terrains.terrain("slope:10") == terrains.Slope(10)
