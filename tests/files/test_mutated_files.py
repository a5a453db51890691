"""Mutated tables, pictures, arrays, meshes and figures: each is read, or refused with a LimbikError, in bounded memory.

A process of its own reads them, with a limit to its address space, so that a file that asks for more fails there.
HYPOTHESIS_PROFILE=ci reads 20 times as many, and LIMBIK_MUTATIONS sets how many of each kind.
"""

import io
import json
import os
import random
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from tests.assets import asset
from tests.optional import optional
from tests.patience import PATIENCE
from tests.thoroughness import THOROUGH

COUNT = int(os.environ.get("LIMBIK_MUTATIONS", "1000" if THOROUGH else "50"))
MEMORY = 1200 << 20  # bytes that a process may use beyond what its libraries map
SLOW = 60.0  # seconds of processor time for one file: only what hangs takes so long
WORDS = [
    *(
        b"nan",
        b"-inf",
        b"1e999",
        b"1e-999",
        b"0x1p3",
        b"9" * 400,
        b"[" * 2000,
        b'"',
        b"\0",
        b"\xff\xfe",
        b"\r",
        b"\n\n",
    ),
    *(b"HIERARCHY", b"ROOT", b"JOINT", b"End Site", b"{", b"}", b"OFFSET", b"CHANNELS", b"MOTION", b"Frames:"),
    *(b"{}", b"[]", b"null", b"true", b",", b",,", b"x", b"\xef\xbb\xbf", b"'descr': '|O'", b"99999999999999999999"),
    *((2**31 - 1).to_bytes(4, "little"), (2**32 - 1).to_bytes(4, "big"), b"\x40\x00\x00\x00", b"e308", b"-", b"/../"),
]
KINDS = ["csv", "jsonl", "npy", "png", "obj", "bvh", "glb", "vrm", "npz", "fbx"]


def mutated(data, chance):
    """The bytes of a file with a few of them changed, cut out, repeated, or replaced by hostile words."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        at, length = chance.randrange(len(data) + 1), chance.choice((1, 2, 4, 16, 200))
        if chance.random() < 0.5:  # headers are what asks for memory
            at %= 400
        match chance.randrange(6):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length] * chance.choice((1, 2, 50))
            case 3:
                data[at:at] = chance.choice(WORDS)
            case 4:
                word = chance.choice(WORDS)
                data[at : at + len(word)] = word
            case _:
                del data[at + chance.randrange(1, 2000) :]
    return bytes(data)


def rewritten(data, chance):
    """A .glb with hostile values in its JSON."""
    from tests.files.gltf_files import binary_of, content_of, glb
    from tests.files.test_gltf_fuzz import HOSTILE, places, put

    content = content_of(data)
    found = list(places(content))
    for _ in range(chance.choice((1, 1, 2, 4))):
        put(content, chance.choice(found), chance.choice([*HOSTILE, ...]))
    return glb(json.dumps(content).encode(), binary_of(data))


def rezipped(data, chance):
    """A .npz with one of its arrays mutated, and the checksum that belongs to it."""
    from tests.files.test_npz import stored

    with ZipFile(io.BytesIO(data)) as archive:
        arrays = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(arrays))
    return stored(arrays | {name: mutated(arrays[name], chance)})


def repaired(data):
    """A .png whose chunks have the checksums that belong to them, or no chunk would be looked at."""
    found, at = data[:8], 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        body = data[at + 4 : at + 8 + length]
        found += data[at : at + 4] + body + zlib.crc32(body).to_bytes(4, "big")
        at += 12 + length
    return found + data[at:]


def seeds(kind):
    """Whole files of a kind, small ones."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 6))
    if kind == "csv":
        lines = [",".join(map(repr, row)) for row in rows.tolist()]
        return ["\n".join(["x,y,z,up_x,up_y,up_z", *lines]).encode()]
    if kind == "jsonl":
        flat = [f'{{"point": {row[:3]}, "up_x": {row[3]}, "up_y": {row[4]}, "up_z": 1}}' for row in rows.tolist()]
        return ["\n".join(flat).encode()]
    if kind == "npy":
        named = np.array(
            [tuple(row) for row in rows], [(name, "f8") for name in ("x", "y", "z", "up_x", "up_y", "up_z")]
        )
        return [_npy(rows), _npy(np.asfortranarray(rows).astype(">f4")), _npy(named)]
    if kind == "png":
        image = optional("PIL.Image")
        pixels = rng.integers(0, 256, (20, 30))
        modes = [image.fromarray(pixels.astype(np.uint8)), image.fromarray((257 * pixels).astype(np.uint16))]
        return [_png(mode) for mode in [*modes, modes[0].convert("RGB"), modes[0].convert("P"), modes[0].convert("1")]]
    if kind == "obj":
        return [b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvn 0 1 0\nf 1 2 3 4\nf 1//1 2//1 3//1\no a\nusemtl b\n" * 3]
    if kind == "glb":
        from tests.files.test_gltf_fuzz import FILES
        from tests.terrains.test_mesh_files import GREEDY, ground

        figures = [data for name, data in FILES.items() if not name.endswith(".gltf")]
        return [*figures, ground([{"mesh": 0}]).glb(), GREEDY["shared"].glb()]
    if kind == "bvh":
        from tests.files.bvh_figures import walker
        from tests.files.test_bvh_reading import TEXT

        return [TEXT.encode(), TEXT.replace("\n", "\r\n").encode(), walker(frames=2).text().encode()]
    if kind == "fbx":
        from tests.files.fbx_files import random_figure
        from tests.files.test_fbx import triangle, walker

        skinned, hips, knee = walker()
        triangle(skinned, (hips, knee), (([0, 1, 2], [1.0, 1.0, 0.5]), ([2, 3], [0.25, 2.0])))
        figure = random_figure(rng, joints=3, layers=2, version=7700)
        return [one.bytes(packed) for one in (skinned, figure) for packed in (True, False)]
    if kind == "npz":
        from limbik import samples, training_data
        from tests.files.test_npz import amass, stored

        walk = training_data(samples.walk(8), window=4)
        rotations = np.tile(np.eye(3), (3, 30, 1, 1))
        kimodo = {"posed_joints": rng.normal(size=(3, 30, 3)), "global_rot_mats": rotations}
        positions = {"joints": rng.normal(size=(4, 22, 3))}
        return [*map(stored, (amass(4, 22, rng), kimodo, positions)), stored(walk, ZIP_DEFLATED)]
    return [asset(f"vrm/{name}").read_bytes() for name in ("basic_armature_vrm1.vrm", "test.vrma", "Example.vrm")]


def _npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _png(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def read(path):
    """Reads a file as everything that it can be: rows of targets, ground, a figure with its body."""
    from limbik import load, save
    from limbik.errors import LimbikError
    from limbik.files.gltf.body_reader import own_body
    from limbik.files.table_files import READERS, read_table
    from limbik.terrains.specs import terrain
    from tests.files.layouts import LAYOUT

    if path.suffix in READERS:
        with suppress(LimbikError):
            for _ in read_table(path, LAYOUT).chunks():
                pass
    if path.suffix in (".npy", ".png", ".obj", ".glb"):
        with suppress(LimbikError):
            terrain(path)
    if path.suffix in (".npz", ".fbx"):
        with suppress(LimbikError):
            assert np.isfinite(load(path).positions()).all()
    if path.suffix == ".bvh":
        try:
            assert np.isfinite(load(path).rotations).all()
        except LimbikError as error:
            assert str(error).startswith((f"{path}, line ", f"{path}: is empty")), error
    if path.suffix == ".glb":
        with suppress(LimbikError):
            clip = load(path)
            clip.positions()
            own_body(clip)
            for suffix in (".glb", ".gltf"):
                save(clip.moved((0.0, 1.0, 0.0)), path.with_name(f"written{suffix}"))


def main(kind, count, start, folder):
    """Reads so many mutations of the files of a kind, and prints the figures; any other error ends it."""
    import resource
    import signal
    import warnings

    warnings.simplefilter("ignore")
    path = Path(folder) / f"mutated.{'glb' if kind == 'vrm' else kind}"
    whole = seeds(kind)
    for data in whole:  # imports and compiles what is needed
        path.write_bytes(data)
        read(path)
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
    longest = 0.0
    for number in range(start, start + count):
        chance = random.Random(f"{kind} {number}")
        data = chance.choice(whole)
        gltf = kind in ("glb", "vrm") and chance.random() < 0.5
        change = rewritten if gltf else rezipped if kind == "npz" and chance.random() < 0.7 else mutated
        data = change(data, chance)
        path.write_bytes(repaired(data) if kind == "png" and chance.random() < 0.8 else data)
        before = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SLOW)
        try:
            read(path)
        except BaseException as error:
            raise AssertionError(f"mutation {number} of {kind}: {type(error).__name__}") from error
        signal.setitimer(signal.ITIMER_PROF, 0)
        longest = max(longest, time.process_time() - before)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(f"{kind}: {count} files, at most {longest:.2f} s each, {most} MB")


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are as Linux has them")
@pytest.mark.parametrize("kind", KINDS)
def test_mutated_files_are_read_or_refused_in_bounded_memory(tmp_path, kind):
    seeds(kind)  # skips where a package or an asset is missing
    words = [sys.executable, "-m", "tests.files.test_mutated_files", kind, str(COUNT), "0", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE * max(1, COUNT // 50), check=False)
    assert done.returncode == 0, done.stderr[-3000:]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
