"""A kernel cut into stages gives the bits of the kernel in one loop, wherever its rows lie and whatever is rare."""

import numpy as np
import pytest

pytest.importorskip("numba")

import limbik
from limbik.engines import dispatch, numba_engine, stages
from limbik.engines.programs import THREE_LINK
from limbik.engines.trace import Trace
from limbik.formulas.operations import Symbol, sqrt, where


def rows(count):
    """Legs, some straight, folded, with rare cases or invalid."""
    rng = np.random.default_rng(5)
    up = rng.normal(size=(count, 3))
    target = rng.normal(size=(count, 3)) * 0.4
    up[::7] = target[::7]
    target[4::9] *= 0.99 / np.linalg.norm(target[4::9], axis=1, keepdims=True)
    target[3::61] = 0
    target[5::83] = np.nan
    return target.astype("float32"), up.astype("float32")


@pytest.mark.parametrize("options", [{}, {"bend": -1, "origin": (0.1, 0.0, -0.2)}])
def test_stages_and_defaults_in_the_text_change_no_bit(options, monkeypatch):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = rows(700)
    with dispatch.use("numba"):
        whole = leg.solve(target, up, **options).angles
        monkeypatch.setattr(numba_engine, "MANY", 1)
        staged = leg.solve(target, up, **options).angles
        few = [leg.solve(target[k : k + 3], up[k : k + 3], **options).angles for k in range(0, 60, 3)]
    found = {kernel.default for kernel in numba_engine.kernels if getattr(kernel, "staged", False)}
    assert () in found if options else ("origin", "signs") in found
    assert np.array_equal(staged, whole, equal_nan=True)
    assert np.array_equal(np.concatenate(few), whole[:60], equal_nan=True)  # no row depends on its neighbours


def test_a_zero_with_a_sign_is_no_default(monkeypatch):
    program = THREE_LINK
    groups = [np.zeros((size, 1)) for size in program.groups.values()]
    names = list(program.groups)
    groups[names.index("target")] = groups[names.index("up")] = np.ones((3, 5))
    given = program, "angles", program.flags(), groups, np.dtype(float)
    assert not numba_engine.kernel_for(*given).staged
    monkeypatch.setattr(numba_engine, "MANY", 1)
    assert numba_engine.kernel_for(*given).default == ("origin",)
    groups[names.index("origin")][1] = -0.0
    assert numba_engine.kernel_for(*given).default == ()


def evaluate(step, values):
    """The value of a step of the trace below."""
    if not isinstance(step, Symbol):
        return step
    if step.operation == "name":
        return values[step.inputs[0]]
    inputs = [evaluate(one, values) for one in step.inputs]
    functions = {
        "+": np.add,
        "*": np.multiply,
        "/": np.divide,
        "<": np.less,
        "sqrt": np.sqrt,
        "negative": np.negative,
        "where": np.where,
    }
    return functions[step.operation](*inputs)


def test_the_stages_of_a_trace_are_that_trace():
    """Results that are inputs, opposites of them, constants or of an early stage; conditions of a late one."""
    a, b, c = (Symbol("name", name) for name in "abc")
    early = a * a + b
    late = early
    for _ in range(6):
        late = sqrt(late + 1.0) / (c + 2.0)
    trace = Trace("example", ("a", "b", "c"), (a, -b, c, 3.0, early, where(late < early, late, -early)), (late < a,))
    parts = stages.stages(trace, ("a", "b"))
    assert len(parts) > 1
    given = {"a": 0.7, "b": 0.2, "c": 0.4}
    carried, results, conditions = {}, {}, []
    for part in parts:
        known = {**given, **{f"carried_{k}": carried[k] for k in part.carried}}
        values = {name: known[name] for name in part.trace.parameters}
        found = [evaluate(one, values) for one in part.trace.outputs]
        results |= dict(zip(part.results, found, strict=False))
        carried |= dict(zip(part.carries, found[len(part.results) :], strict=True))
        conditions += [evaluate(one, values) for one in part.trace.conditions]
        given = {"c": 0.4}  # later stages read no row
    assert [results[k] for k in range(6)] == [evaluate(one, {"a": 0.7, "b": 0.2, "c": 0.4}) for one in trace.outputs]
    assert conditions == [evaluate(trace.conditions[0], {"a": 0.7, "b": 0.2, "c": 0.4})]
