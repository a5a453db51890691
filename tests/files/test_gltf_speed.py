"""How long the processor takes to load glTF files: the least of many tries, since other work only adds to it."""

from time import process_time

import pytest

from limbik.files import gltf

from ..assets import asset


@pytest.mark.parametrize(("name", "limit"), [("gltf/Fox.glb", 0.010), ("gltf/RecursiveSkeletons.glb", 0.050)])
def test_a_rig_loads_within_its_time(name, limit):
    path = asset(name)
    least = limit
    for _ in range(40):
        start = process_time()
        gltf.load(path)
        least = min(least, process_time() - start)
    assert least < limit
