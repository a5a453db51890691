"""Cards: what a notebook shows of a solution. Always something, never a fault, and the pose as it is."""

import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik
from limbik.pictures import labels, palette
from limbik.pictures.limb_scene import radii
from limbik.pictures.markup import tag
from tests.optional import optional
from tests.patience import PATIENCE

PLANAR = limbik.PlanarTwoLink(0.5, 0.4)
ARM = limbik.TwoLink(0.3, 0.28)
LEG = limbik.ThreeLink(0.45, 0.42, 0.2)
LIMITED = limbik.ThreeLink(0.45, 0.42, 0.2, middle_limits=(0.3, 2.0), last_limits=(-0.5, 0.5))
TARGET, UP = (0.15, -0.7, 0.25), (0.2, -0.3, 1.0)

anything = st.floats(allow_nan=True, allow_infinity=True)
lengths = st.floats(1e-300, 1e300)


def read(solution):
    """A card as a tree, which it can only be if it is well formed."""
    return ElementTree.fromstring(solution._repr_html_())


def words(solution):
    return " ".join(read(solution).itertext())


def drawings(solution):
    return list(read(solution).iter("svg"))


def strokes(drawing, colour):
    """The lines of a colour, each (n, 2), in pixels."""
    found = (line for line in drawing.iter("polyline") if line.get("stroke") == colour)
    return [np.array([pair.split(",") for pair in line.get("points").split()], float) for line in found]


# --- one solution


def test_a_card_tells_what_became_of_the_target_and_the_angles_by_name():
    text = words(PLANAR.solve([2, 1]))
    assert "Planar solution" in text and "lengths 0.5, 0.4" in text
    assert "too far: the limb is stretched towards the target; 1.34 from the target" in text
    assert "first 26.6°" in text and "second 0.0°" in text
    text = words(LEG.solve(TARGET, UP, style="easy", hint=(1, 0, 1)))
    assert "reached" in text and all(name in text for name in ("yaw", "roll", "first", "second", "last"))
    assert "out of plane −33.2°" in text and "hint" in text


def test_an_invalid_solution_says_so_and_has_no_drawing():
    for solution in (PLANAR.solve([np.nan, 0]), ARM.solve([np.inf, 0, 0]), LEG.solve(TARGET, (0, np.nan, 0))):
        assert "invalid: NaN, infinity or overflow in the inputs" in words(solution)
        assert drawings(solution) == []


def test_a_planar_limb_has_one_view_and_a_spatial_one_two():
    assert len(drawings(PLANAR.solve([0.5, 0.4]))) == 1
    assert len(drawings(ARM.solve(TARGET))) == len(drawings(LEG.solve(TARGET, UP))) == 2


@given(x=st.floats(-1, 1), y=st.floats(-1, 1))
def test_the_drawing_of_a_planar_limb_is_to_scale(x, y):
    solution = PLANAR.solve([x, y])
    (drawn,) = strokes(drawings(solution)[0], palette.LINK)
    seen = (drawn - drawn[0]) * [1, -1]
    asked = solution.joints - solution.joints[0]
    scale = np.linalg.norm(seen[1]) / 0.5
    assert np.allclose(seen, scale * asked, atol=0.2)  # pixels


@given(direction=st.tuples(*[st.floats(-1, 1)] * 3), up=st.tuples(*[st.floats(-1, 1)] * 3))
def test_links_have_their_lengths_within_the_bending_plane(direction, up):
    solution = LEG.solve(direction, up)
    _, within = drawings(solution)
    (drawn,) = strokes(within, palette.LINK)
    links = np.linalg.norm(np.diff(drawn, axis=0), axis=-1)
    assert links[0] / links[1] == pytest.approx(0.45 / 0.42, rel=0.02)


def test_the_other_bend_is_a_ghost_unless_it_looks_the_same_or_the_frame_was_given():
    def ghosts(solution):
        ghost = [strokes(drawing, palette.GHOST) for drawing in drawings(solution)]
        return [stroke for some in ghost for stroke in some if len(stroke) == len(solution.joints)]

    solution, other = PLANAR.solve([0.5, 0.4]), PLANAR.solve([0.5, 0.4], bend=-1)
    (ghost,), (drawn,) = ghosts(solution), strokes(drawings(other)[0], palette.LINK)
    assert np.allclose(ghost, drawn)
    assert ghosts(PLANAR.solve([2, 1])) == []
    assert "other bend" not in words(LEG.track([TARGET, TARGET], [UP, UP])[1])
    assert "other bend" not in words(LIMITED.solve(TARGET, UP))


def test_a_far_target_leaves_the_limb_large_enough_to_be_seen():
    near, far = (strokes(drawings(PLANAR.solve([x, 0.3]))[0], palette.LINK)[0] for x in (0.8, 1e6))
    assert np.ptp(far) > 0.5 * np.ptp(near)
    assert "target, further out" in words(PLANAR.solve([1e6, 0.3]))


@given(
    limb=st.sampled_from(["planar", "two", "three", "limited"]),
    links=st.tuples(lengths, lengths, lengths),
    target=st.tuples(anything, anything, anything),
    direction=st.tuples(anything, anything, anything),
)
def test_any_numbers_give_a_card(limb, links, target, direction):
    if limb == "planar":
        solution = limbik.PlanarTwoLink(*links[:2]).solve(target[:2], origin=direction[:2])
    elif limb == "two":
        solution = limbik.TwoLink(*links[:2]).solve(target, pole=direction, stretch=1.5)
    else:
        solution = (limbik.ThreeLink(*links) if limb == "three" else LIMITED).solve(target, direction)
    assert solution.status.words in words(solution)


@given(bend=st.floats(0.0, np.pi), limits=st.tuples(st.floats(0.0, np.pi), st.floats(0.0, np.pi)).map(sorted))
def test_the_ring_is_where_the_tip_can_be(bend, limits):
    arm = limbik.PlanarTwoLink(0.5, 0.4, middle_limits=limits)
    near, far = radii(arm.solve([0.2, 0.1]))
    tip = np.linalg.norm(arm.forward([0.3, bend])[-1])
    assert (limits[0] - 1e-6 <= bend <= limits[1] + 1e-6) or not near + 1e-9 < tip < far - 1e-9
    assert not limits[0] <= bend <= limits[1] or near - 1e-9 <= tip <= far + 1e-9


# --- batches


def test_a_batch_is_counted_by_what_became_of_it():
    targets = np.array([[0.5, 0.4], [0.3, 0.3], [3.0, 0.0], [0.01, 0.0], [np.nan, 0.0]])
    text = words(PLANAR.solve(targets))
    assert "Planar solutions" in text and "shape (5,)" in text
    assert "2 reached" in text and "1 too far: the limb is stretched towards the target" in text
    assert "1 too near" in text and "1 invalid" in text
    residual = PLANAR.solve(targets).residual[:4]
    assert f"largest {residual.max():.3g}, median {np.median(residual):.3g}" in text


@given(seed=st.integers(0, 1000), shape=st.sampled_from([(1,), (4,), (9,), (3, 2), (7, 1, 2)]))
def test_the_first_rows_are_those_of_the_batch(seed, shape):
    targets = np.random.default_rng(seed).normal(size=(*shape, 3))
    solution = ARM.solve(targets)
    table = [[cell.text for cell in row] for row in read(solution).iter("tr")]
    assert table[0] == [None, "status", "residual", *solution.angle_names]
    assert len(table) == 1 + min(6, shape[0])
    for k, row in enumerate(table[1:]):
        at = (k, *(0,) * (len(shape) - 1))
        assert row[0] == str(list(at))
        told = [float(cell.strip("°").replace("−", "-")) for cell in row[3:]]
        assert told == pytest.approx(solution.degrees()[at], abs=0.051)


def test_the_angles_of_a_track_go_on_as_its_own_do():
    turn = np.linspace(0.0, 4.0 * np.pi, 6)
    track = ARM.track(np.stack([0.4 * np.sin(turn), 0 * turn - 0.1, 0.4 * np.cos(turn)], -1), pole=(0, -1, 0))
    table = [[cell.text for cell in row] for row in read(track).iter("tr")]
    told = [float(row[3].strip("°").replace("−", "-")) for row in table[1:]]
    assert told == pytest.approx(track.degrees()[:, 0], abs=0.051)


def test_branches_are_all_in_the_table():
    text = words(LEG.branches(TARGET, UP))
    assert "Three-link branches" in text and "[7]" in text and "more" not in text


def test_a_batch_of_none():
    assert "no rows" in words(ARM.solve(np.zeros((0, 3)))) and "no rows" in words(ARM.solve(np.zeros((2, 0, 3))))


def test_of_a_hundred_million_rows_a_few_are_worked_out(monkeypatch):
    solution = LEG.solve(np.broadcast_to(np.array(TARGET), (100_000_000, 3)), UP)
    worked_out = []
    run = limbik.Solution._answer
    monkeypatch.setattr(limbik.Solution, "_answer", lambda self, name: worked_out.append(self.shape) or run(self, name))
    text = words(solution)
    assert max(np.prod(shape) for shape in worked_out) == 20_000
    assert "20,000 of 100,000,000 rows" in text and "100 % reached" in text and "99,999,994 more" in text


def test_inputs_that_changed_since_are_told():
    targets = np.ones((100_000, 3))
    solution = ARM.solve(targets)
    targets[:] = 2.0
    assert "array was changed after solve()" in words(solution)


def test_a_solution_whose_memory_was_given_away_is_shown_as_it_was():
    solution = PLANAR.solve(np.array([[0.5, 0.4]]))
    before = solution._repr_html_()
    solution.joints
    PLANAR.solve(np.array([[0.1, 0.4]]), out=solution)
    assert solution._repr_html_() == before


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_tensors_are_shown_like_arrays(library):
    module = optional(library)
    make = module.tensor if library == "torch" else module.asarray
    one, many = ARM.solve(make(TARGET)), ARM.solve(make([TARGET, TARGET]))
    assert drawings(one) and "too far" in words(one)
    assert f"shape (2,) of {library.partition('.')[0]}" in words(many) and "2 too far" in words(many)


def test_tensors_without_numbers_are_told_by_shape():
    torch = optional("torch")
    text = words(ARM.solve(torch.zeros((5, 3), device="meta")))
    assert "shape (5,)" in text and "its values are not available" in text


# --- how it is written


def test_matplotlib_is_not_needed():
    program = f"""
import sys
sys.modules["matplotlib"] = None
import limbik
assert "<svg" in limbik.ThreeLink(0.45, 0.42, 0.2).solve({TARGET}, {UP})._repr_html_()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)


def test_the_same_solution_gives_the_same_card():
    assert LEG.solve(TARGET, UP)._repr_html_() == LEG.solve(TARGET, UP)._repr_html_()


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_whatever_is_written_is_read_back_and_is_no_markup(text):
    element = ElementTree.fromstring(tag("p", tag("b", text), text, title=text))
    assert element.get("title") == text
    assert "".join(element.itertext()) == 2 * text


@given(
    points=st.lists(st.tuples(st.floats(10, 240), st.floats(10, 240)), min_size=1, max_size=4).map(np.array),
    names=st.permutations(["origin", "knee", "ankle", "tip"]),
)
def test_labels_are_inside_and_apart(points, names):
    found = labels.named(points, names[: len(points)], [points], 250.0, [])
    boxes = [(label.middle - label.size / 2, label.middle + label.size / 2) for label in found]
    assert {name for label in found for name in label.text.split(", ")} == set(names[: len(points)])
    for k, (low, high) in enumerate(boxes):
        assert np.all(low >= 0) and np.all(high <= 250)
        assert all(np.any(low >= other[1]) or np.any(high <= other[0]) for other in boxes[:k])
