"""What a notebook shows of a solution: always something, never a fault, and the numbers as they are."""

import base64
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik
from limbik.pictures.notebook import html_table
from tests.optional import optional
from tests.patience import PATIENCE

PLANAR = limbik.PlanarTwoLink(0.5, 0.4)
ARM = limbik.TwoLink(0.3, 0.28)
LEG = limbik.ThreeLink(0.45, 0.42, 0.2)
LIMITED = limbik.ThreeLink(0.45, 0.42, 0.2, middle_limits=(0.3, 2.0), last_limits=(-0.5, 0.5))
TARGET, UP = (0.15, -0.7, 0.25), (0.2, -0.3, 1.0)

anything = st.floats(allow_nan=True, allow_infinity=True)
lengths = st.floats(1e-300, 1e300)


def rows(solution):
    """The table of a solution: each row's cells."""
    table = solution._repr_html_().partition("<img")[0]
    return [["".join(cell.itertext()) for cell in row] for row in ElementTree.fromstring(table).iter("tr")]


def drawing(solution):
    """The plot of a solution as a tree, or None."""
    found = re.search('src="data:image/svg.xml;base64,([^"]*)"', solution._repr_html_())
    return found and ElementTree.fromstring(base64.b64decode(found[1]))


def test_one_solution_says_what_became_of_the_target_and_names_its_angles():
    table = dict(rows(PLANAR.solve([2, 1])))
    assert "Planar solution" in table and table["lengths"] == "0.5, 0.4"
    assert table["status"] == "too far: the limb is stretched towards the target; 1.34 from the target"
    assert (table["residual"], table["shoulder"], table["elbow"]) == ("1.34", "26.6°", "0.0°")
    table = dict(rows(LEG.solve(TARGET, UP, style="easy", hint=(1, 0, 1))))
    assert table["out of plane"] == "−33.2°" and {"yaw", "roll", "hip", "knee", "ankle"} < table.keys()


@pytest.mark.parametrize("solve", [lambda: PLANAR.solve([np.nan, 0]), lambda: LEG.solve(TARGET, (0, np.nan, 0))])
def test_an_invalid_solution_says_so_and_has_no_plot(solve):
    assert ["status", "invalid: NaN, infinity or overflow in the inputs"] in rows(solve())
    assert drawing(solve()) is None


@pytest.mark.parametrize("solution", [PLANAR.solve([0.5, 0.4]), LEG.solve(TARGET, UP), LEG.branches(TARGET, UP)[3]])
def test_the_plot_is_the_one_that_is_saved_and_the_same_each_time(solution):
    texts = {text.text for text in drawing(solution).iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {*solution.joint_names, "solution", "target"}
    assert solution._repr_html_() == solution._repr_html_()


@given(
    limb=st.sampled_from(["planar", "two", "three", "limited"]),
    links=st.tuples(lengths, lengths, lengths),
    target=st.tuples(anything, anything, anything),
    direction=st.tuples(anything, anything, anything),
)
def test_any_numbers_give_a_table(limb, links, target, direction):
    if limb == "planar":
        solution = limbik.PlanarTwoLink(*links[:2]).solve(target[:2], origin=direction[:2])
    elif limb == "two":
        solution = limbik.TwoLink(*links[:2]).solve(target, pole=direction, stretch=1.5)
    else:
        solution = (limbik.ThreeLink(*links) if limb == "three" else LIMITED).solve(target, direction)
    assert solution.status.words in dict(rows(solution))["status"]


def test_a_batch_is_counted_by_what_became_of_it():
    targets = np.array([[0.5, 0.4], [0.3, 0.3], [3.0, 0.0], [0.01, 0.0], [np.nan, 0.0]])
    solution = PLANAR.solve(targets)
    table = dict(rows(solution))
    assert table["Planar solutions"] == "" and table["shape"] == "(5,)"
    assert table["reached"] == "2" and table["too far: the limb is stretched towards the target"] == "1"
    assert [count for name, count in table.items() if name.startswith(("too near", "invalid"))] == ["1", "1"]
    residual = solution.residual[:4]
    assert table["residual"] == f"largest {residual.max():.3g}, median {np.median(residual):.3g}"
    branches = rows(LEG.branches(TARGET, UP))
    assert branches[0][0] == "Three-link branches" and ["reached", "8"] in branches
    assert ["", "no rows"] in rows(ARM.solve(np.zeros((2, 0, 3))))


def test_of_a_hundred_million_rows_a_few_are_worked_out(monkeypatch):
    solution = LEG.solve(np.broadcast_to(np.array(TARGET), (100_000_000, 3)), UP)
    worked_out = []
    run = limbik.Solution._answer
    monkeypatch.setattr(limbik.Solution, "_answer", lambda self, name: worked_out.append(self.shape) or run(self, name))
    assert ["reached", "100 %"] in rows(solution)
    assert max(np.prod(shape) for shape in worked_out) == 20_000


def test_inputs_that_changed_since_are_told():
    targets = np.ones((100_000, 3))
    solution = ARM.solve(targets)
    targets[:] = 2.0
    assert "array was changed after solve()" in rows(solution)[1][1]


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
    assert drawing(one) is not None and "too far" in dict(rows(one))["status"]
    table = dict(rows(many))
    assert table["shape"] == f"(2,) of {library.partition('.')[0]}" and "2" in table.values()


def test_tensors_without_numbers_are_told_by_shape():
    torch = optional("torch")
    shown = rows(ARM.solve(torch.zeros((5, 3), device="meta")))
    assert "shape (5,)" in shown[0][1] and "its values are not available" in shown[1][1]


def test_matplotlib_is_not_needed():
    program = f"""
import sys
sys.modules["matplotlib"] = None
import limbik
text = limbik.ThreeLink(0.45, 0.42, 0.2).solve({TARGET}, {UP})._repr_html_()
assert "reached" in text and "<img" not in text
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE)


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_whatever_is_written_is_read_back_and_is_no_markup(text):
    cells = ElementTree.fromstring(html_table([text, text], [[text, text]])).iter()
    assert ["".join(cell.itertext()) for cell in cells if cell.tag in ("th", "td")] == 4 * [text]
