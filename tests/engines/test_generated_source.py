"""What engines run can be read: named functions with sources in tracebacks, and `python -m limbik.engines`."""

import inspect
import subprocess
import sys
import traceback

import numpy as np
import pytest

import limbik
from limbik.engines import numpy_engine, scalar_engine, tensor_engine
from limbik.engines.__main__ import ENGINES, main, source
from limbik.engines.programs import PROGRAMS, ThreeLinkFlags
from limbik.engines.trace import answer_trace
from tests.optional import optional

THREE_LINK = PROGRAMS["three_link"]
FLAGS = ThreeLinkFlags()


def test_a_float_function_has_its_name_and_source_in_a_traceback():
    function = scalar_engine.compiled(THREE_LINK, "joints", FLAGS)
    assert function.__name__ == "three_link_joints_float"
    assert inspect.getsource(function).startswith("def three_link_joints_float(lengths_0, ")
    with pytest.raises(TypeError) as caught:
        function(*["wrong"] * len(answer_trace(THREE_LINK, "joints", FLAGS, rare=False).parameters))
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.name == "three_link_joints_float"
    assert last.line in inspect.getsource(function)


def test_arrays_too():
    function = numpy_engine.compiled(THREE_LINK, "joints", FLAGS, np.dtype("float32"))
    assert function.__name__ == "three_link_joints_float32"
    assert "def three_link_joints_float32" in inspect.getsource(function)
    bind = scalar_engine.binder(THREE_LINK, "angles", FLAGS, THREE_LINK.groups_of("angles"))
    assert inspect.getsource(bind).startswith("def bind_three_link_angles_array(groups):")


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_tensors_too(library):
    optional(library)
    function = tensor_engine.compiled(library, THREE_LINK, "joints", FLAGS, "float32")
    assert function.__name__ == f"three_link_joints_full_{library}_float32"
    assert f"def three_link_joints_full_{library}_float32" in inspect.getsource(inspect.unwrap(function))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_answer_of_every_engine_can_be_printed(program, engine, capsys):
    for answer in PROGRAMS[program].answers:
        assert main([program.replace("_", "-"), answer, engine]) == 0
        text = capsys.readouterr().out
        compile(text, "printed", "exec")
        assert f"def {program}_{answer}" in text or "def kernel" in text


def test_flags_and_number_types_show():
    plain = source("three-link", "joints", "numba")
    assert "np.float64" in plain
    assert "np.float32" in source("three-link", "joints", "numba", dtype="float32")
    assert source("three-link", "joints", "numpy", flags=["natural"]) == source("three-link", "joints", "numpy")
    hinted = source("three-link", "joints", "numpy", flags=["natural", "hinted"])
    assert len(hinted) > len(source("three-link", "joints", "numpy"))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["tree-link", "joints", "numba"], "three_link"),
        (["three-link", "joint", "numba"], "'joints'"),
        (["three-link", "joints", "numbers"], "'numba'"),
        (["three-link", "joints", "numba", "--dtype", "float46"], "'float64'"),
        (["three-link", "joints", "numba", "--flags", "natral"], "'natural'"),
        (["three-link", "joints", "numba", "--varying", "targets"], "'target'"),
    ],
)
def test_an_unknown_name_gets_the_known_ones(arguments, named, capsys):
    assert main(arguments) == 2
    assert named in capsys.readouterr().err


def test_printing_imports_no_library():
    """Triton's text needs neither Triton nor CUDA."""
    program = (
        "import sys; from limbik.engines.__main__ import main;"
        "[main(['two-link', 'joints', engine]) for engine in ('triton', 'torch', 'jax', 'numba')];"
        "assert not {'torch', 'jax', 'triton', 'numba'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "@triton.jit" in run.stdout


def test_what_is_printed_is_what_runs():
    scope = {**scalar_engine.NAMES}
    exec(source("planar", "joints", "scalar"), scope)
    numbers = scope["planar_joints_full_float"](0.5, 0.4, 0.0, 1.0, 0.6, 0.3, 0.0, 0.0, 1.0)
    assert np.array_equal(np.reshape(numbers, (3, 2)), limbik.PlanarTwoLink(0.5, 0.4).solve([0.6, 0.3]).joints)
