"""Bodies made from descriptions: closed, skinned, on the ground, alike on both sides; for presets and for others."""

import itertools

import numpy as np
import pytest

import limbik
from limbik.bodies.look import Look
from limbik.errors import ArgumentError, FileError
from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk, creature, preset_names
from limbik.gait.walker import Walker
from limbik.skeleton.pose import Pose

FEET = 0.012  # metres that a foot at rest may be below the ground


def odd_creatures():
    """Creatures that no preset is: of other names, numbers of legs, proportions and parts."""
    gait = {"name": "walk", "duty": 0.75, "speed": 0.2, "cycle": (1.0, 0.8), "lift": 0.03}
    one = Leg("leg", (0.1, 0.0, 0.0), (0.3, 0.3), (0.3, 0.0), knee="out").pair()
    yield Creature("stool", Trunk(0.2, 0.2, 0.1), 0.35, one, (Gait(phases=(0.0, 0.5), **gait),), 0.02, 0.1)
    deer = [Leg(k, (0.1, 0.0, z), (0.5, 0.5), (0.1, z), knee="back") for k, z in (("fore", 0.5), ("hind", -0.5))]
    legs = tuple(side for leg in deer for side in leg.pair())
    parts = (Appendage("mast", "body", (0.0, 0.5, 0.4)), Appendage("lamp", "mast", (0.0, 0.3, 0.0)))
    gaits = (Gait(phases=(0.0, 0.5, 0.25, 0.75), **gait),)
    yield Creature("deer", Trunk(1.2, 0.3, 0.3), 0.9, legs, gaits, 0.02, 0.1, parts=parts)
    heads = (Appendage("left_head", "body", (0.2, 0.2, 0.5)), Appendage("right_head", "body", (-0.2, 0.2, 0.5)))
    tails = (Appendage("tail", "body", (0.0, 0.0, -0.9)), Appendage("left_hand", "tail", (0.2, 0.0, -0.1)))
    yield Creature("two heads", Trunk(1.2, 0.3, 0.3), 0.9, legs, gaits, 0.02, 0.1, parts=(*heads, *tails))


CREATURES = [creature(name) for name in preset_names()] + list(odd_creatures())


def surfaces(body):
    """The connected pieces of a body: positions (n, 3), normals (n, 3) and faces (m, 3) each."""
    for part in body.parts:
        owner = np.arange(len(part.positions))
        while True:
            least = owner.copy()
            for a, b in itertools.permutations(range(3), 2):
                np.minimum.at(least, part.faces[:, a], owner[part.faces[:, b]])
            if np.array_equal(least, owner):
                break
            owner = least
        for piece in np.unique(owner):
            kept = np.flatnonzero(owner == piece)
            faces = np.searchsorted(kept, part.faces[owner[part.faces[:, 0]] == piece])
            yield part.positions[kept], part.normals[kept], faces


@pytest.mark.parametrize("kind", CREATURES, ids=lambda kind: kind.name)
def test_surfaces_are_closed_and_face_outward(kind):
    for positions, normals, faces in surfaces(Walker(kind).body):
        edges = np.concatenate([faces[:, [a, b]] for a, b in ((0, 1), (1, 2), (2, 0))])
        there, back = {tuple(edge) for edge in edges}, {tuple(edge[::-1]) for edge in edges}
        assert len(there) == len(edges) and there == back
        a, b, c = positions[faces.T]
        volume = np.sum(a * np.cross(b, c)) / 6.0
        assert volume > 0.0
        assert np.allclose(np.linalg.norm(normals, axis=-1), 1.0, atol=1e-6)


@pytest.mark.parametrize("kind", CREATURES, ids=lambda kind: kind.name)
def test_skins_fit_their_skeleton(kind):
    walker = Walker(kind)
    joints = len(walker.skeleton)
    for part in walker.body.parts:
        assert np.all((part.joints >= 0) & (part.joints < joints))
        assert np.allclose(part.weights.sum(axis=1), 1.0) and np.all(part.weights >= 0.0)
        assert part.colours is not None and np.all((part.colours >= 0.0) & (part.colours <= 1.0))


@pytest.mark.parametrize("kind", CREATURES, ids=lambda kind: kind.name)
def test_every_link_has_skin_around_it_and_feet_are_on_the_ground(kind):
    walker = Walker(kind)
    places, body = Pose.rest(walker.skeleton).positions(), walker.body
    vertices = np.concatenate([part.positions for part in body.parts])
    thick = 0.35 * max(kind.height, kind.body.length)
    for joint, parent in enumerate(walker.skeleton.parents):
        if parent >= 0:
            middle = 0.5 * (places[joint] + places[parent])
            assert np.linalg.norm(vertices - middle, axis=-1).min() < thick
    assert -FEET < vertices[:, 1].min() < FEET


@pytest.mark.parametrize("name", preset_names())
def test_bodies_are_alike_on_both_sides(name):
    for part in Walker(name).body.parts:
        mirrored = part.positions * [-1.0, 1.0, 1.0]
        size = np.ptp(part.positions, axis=0).max()
        gaps = np.array([np.linalg.norm(part.positions - one, axis=-1).min() for one in mirrored[::7]])
        assert gaps.max() < 0.03 * size


@pytest.mark.parametrize("name", preset_names())
def test_trunks_have_volume_and_heads_have_eyes(name):
    kind, body = creature(name), Walker(name).body
    coat = max(body.parts, key=lambda part: len(part.positions))
    extent = np.ptp(coat.positions[coat.joints[np.arange(len(coat.joints)), coat.weights.argmax(axis=1)] == 0], axis=0)
    assert extent[0] > 0.7 * kind.body.width
    gloss = next(part for part in body.parts if part.material.name == "gloss")
    head = Walker(name).skeleton.index("head")
    assert set(gloss.joints[:, 0]) == {head}
    assert gloss.positions[:, 0].max() > 0.0 > gloss.positions[:, 0].min()


def test_looks_come_from_the_file(tmp_path):
    text = (limbik.gait.creature.PRESETS / "hexapod.toml").read_text()
    path = tmp_path / "blue.toml"
    path.write_text(text.partition("[look]")[0] + '[look]\nbody = "#0000ff"\npattern = "bands"\n')
    kind = Creature.from_toml(path)
    assert kind.look == Look(body="#0000ff", pattern="bands")
    shell = next(part for part in Walker(kind).body.parts if part.material.name == "shell")
    assert np.any(np.all(np.abs(shell.colours - [0.0, 0.0, 1.0]) < 0.05, axis=-1))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('body = "blue"', ["look.body", "'blue'", "#rrggbb"]),
        ("legs = 3", ["look.legs", "#rrggbb"]),
        ('pattern = "dots"', ["look.pattern", "'dots'", "bands"]),
        ('boddy = "#000000"', ["look", "boddy", "body"]),
    ],
)
def test_wrong_looks_are_refused(tmp_path, line, words):
    path = tmp_path / "wrong.toml"
    text = (limbik.gait.creature.PRESETS / "hexapod.toml").read_text()
    path.write_text(text.partition("[look]")[0] + f"[look]\n{line}\n")
    with pytest.raises(FileError) as caught:
        Creature.from_toml(path)
    assert all(word in str(caught.value) for word in words)
    with pytest.raises(ArgumentError, match=r"look\.eyes"):
        Look(eyes="#12345")


def heights_over(places, triangles, axis):
    """How far places (n, 3) lie along an axis beyond the last of triangles (m, 3, 3)."""
    flat = [k for k in range(3) if k != axis]
    a, b, c = (triangles[:, k] for k in range(3))
    (ux, uy), (vx, vy) = (b - a)[:, flat].T, (c - a)[:, flat].T
    x, y = np.moveaxis(places[:, None, flat] - a[:, flat], -1, 0)
    area = ux * vy - uy * vx
    area[area == 0.0] = np.nan
    s, t = (x * vy - y * vx) / area, (ux * y - uy * x) / area
    inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    hits = np.where(inside, a[:, axis] + s * (b - a)[:, axis] + t * (c - a)[:, axis], -np.inf)
    return places[:, axis] - hits.max(axis=1)


def test_eyes_of_the_biped_are_in_their_sockets_and_it_has_a_face():
    walker = Walker("biped")
    head = walker.skeleton.index("head")
    coat, gloss = (next(part for part in walker.body.parts if part.material.name == one) for one in ("coat", "gloss"))
    skull = coat.faces[(coat.joints[coat.faces, 0] == head).all(axis=1)]
    height = np.ptp(coat.positions[np.unique(skull), 1])
    beyond = heights_over(gloss.positions, coat.positions[skull], axis=2)
    assert 0.0 < beyond.max() < 0.03 * height  # the eyes are seen, and do not stick out
    assert gloss.positions[:, 2].max() < coat.positions[np.unique(skull), 2].max()  # the nose is before them
    front = coat.positions[np.unique(skull)]
    red = coat.colours[np.unique(skull)] @ [1.0, -2.4, 0.0]
    mouth = front[(red > 0.05) & (front[:, 2] > 0.0) & (front[:, 1] < gloss.positions[:, 1].min())]
    assert 0.2 * height < np.ptp(mouth[:, 0]) < 0.5 * height


def test_the_shoulders_of_the_biped_join_its_trunk_and_its_neck_is_short():
    walker = Walker("biped")
    coat = next(part for part in walker.body.parts if part.material.name == "coat")
    shoulder = Pose.rest(walker.skeleton).positions()[walker.skeleton.index("left_shoulder")]
    places, strongest = coat.positions, coat.joints[np.arange(len(coat.joints)), coat.weights.argmax(axis=1)]
    trunk = places[np.isin(strongest, [walker.skeleton.index(name) for name in ("spine", "chest")])]
    arm = places[strongest == walker.skeleton.index("left_shoulder")]
    tops = [trunk[np.abs(trunk[:, 0] - part * shoulder[0]) < 0.1 * shoulder[0], 1].max() for part in (0.4, 0.8)]
    assert tops[0] > tops[1] > arm[:, 1].max()  # it slopes down from the neck over the shoulder to the arm
    assert np.linalg.norm(trunk - arm[:, None], axis=-1).min() < 0.01
    head = places[strongest == walker.skeleton.index("head"), 1]
    assert 0.25 * np.ptp(head) < head.min() - shoulder[1] < 0.46 * np.ptp(head)
