"""The Triton engine, through Triton's interpreter on the CPU: bit for bit what NumPy gives, gradients included."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from limbik.engines import triton_engine
from limbik.engines.programs import program_named
from limbik.engines.robot_flags import ChainFlags
from limbik.engines.robot_programs import descent_program
from limbik.engines.triton_engine import STEPS_TUNING
from tests.optional import optional

optional("torch")
triton = optional("triton")

PROGRAM = """
import numpy as np, torch, limbik
from limbik.engines import numpy_engine, torch_kernels, triton_engine
from limbik.engines.gradients import GRADIENT, OUTPUT_GRADIENT, gradient_program

rng = np.random.default_rng(0)
targets, ups = (rng.normal(size=(700, 3)) * 0.4 for _ in range(2))
targets[5], ups[9], targets[20] = np.nan, 0, 0  # rare rows, whose blocks are done in full
leg, arm = limbik.ThreeLink(0.45, 0.42, 0.12), limbik.TwoLink(0.45, 0.42)
flat = limbik.PlanarTwoLink(0.5, 0.4)
calls = [
    lambda make: leg.solve(make(targets), make(ups)),
    lambda make: leg.solve(make(targets), make(ups), style="easy", hint=(0.1, 0.2, 0.9), priority="position"),
    lambda make: arm.solve(make(targets), make(ups), twist=0.2),
    lambda make: flat.solve(make(targets[:, :2])),
    lambda make: leg.solve(make(targets), make(ups[0])),  # one direction for all rows
]
for dtype in ("float32", "float64"):
    for call in calls:
        ours, theirs = call(lambda a: a.astype(dtype)), call(lambda a: torch.tensor(a.astype(dtype)))
        program, flags, groups = theirs._program, theirs._flags, theirs._groups
        plain = {name for name, group in groups.items() if type(group) is tuple}
        names_of = lambda which, answer: [name for name in which.groups_of(answer) if name not in plain]
        for answer in ("joints", "rotations", "angles", "report"):
            if answer not in program.answers:
                continue
            size = program.answers[answer].size
            found = torch.full((700, size), torch.nan, dtype=getattr(torch, dtype))
            triton_engine.run(program, answer, flags, groups, names_of(program, answer), (700,), [found])
            expected = ours._answer(answer).reshape(700, -1)
            assert np.array_equal(np.isnan(found), np.isnan(expected)), answer
            gap = np.nanmax(np.abs(found.numpy() - expected)) / np.finfo(dtype).eps
            assert gap <= (9 if answer in ("angles", "report") else 0), (answer, gap)
        wanted = tuple(name for name in ("target", "up", "pole") if name in program.groups)
        backward = gradient_program(program, "joints", wanted)
        slopes = torch.tensor(rng.normal(size=(700, backward.groups[OUTPUT_GRADIENT])).astype(dtype))
        for given in (slopes, slopes[0, 0].expand(slopes.shape)):
            found = [torch.full((700, program.groups[name]), torch.nan, dtype=given.dtype) for name in wanted]
            expected = [one.clone() for one in found]
            call = (backward, GRADIENT, flags, {**groups, OUTPUT_GRADIENT: given}, names_of(backward, GRADIENT), (700,))
            triton_engine.run(*call, found)
            torch_kernels.run_on_cpu(*call, expected)
            for one, other in zip(found, expected):
                assert one.isfinite().all()
                assert (one == other).double().mean() > 0.9  # rows beside a rare one may be done by the other trace
                assert (one - other).abs().max() < {"float32": 1e-2, "float64": 1e-8}[dtype]
print("agreed")
"""

# Stands in for jax-triton, which needs a GPU: the kernel is run by Triton's interpreter, with the arguments given.
JAX_PROGRAM = """
import sys, types
import jax, numpy as np, torch
jax.config.update("jax_enable_x64", True)
from limbik.engines import jax_kernels
from tests.engines.jax_calls import calls_of
from tests.engines.test_gradients import CASES

launched = []

def triton_call(*given, kernel, out_shape, grid, num_warps, enable_fp_fusion):
    out = torch.full(out_shape.shape, torch.nan, dtype=getattr(torch, out_shape.dtype.name))
    inputs = [torch.tensor(np.array(one)) if hasattr(one, "shape") and one.shape else one for one in given]
    kernel[grid](*inputs, out, num_warps=num_warps, enable_fp_fusion=enable_fp_fusion)
    launched.append(grid)
    return jax.numpy.asarray(out.numpy())

sys.modules["jax_triton"] = types.SimpleNamespace(triton_call=triton_call)
for case in ("leg", "planar"):
    for call, arrays in calls_of(*CASES[case], "float64", count=300):  # float32 kernels divide by PTX
        expected = jax_kernels.on_host(call, *arrays)
        found = np.asarray(jax_kernels.on_gpu(call, *map(jax.numpy.asarray, arrays)))
        assert np.array_equal(np.isnan(found), np.isnan(expected)), call.answer
        gap = np.nan_to_num(np.abs(found - expected) / np.maximum(1, np.abs(expected)))
        assert np.quantile(gap, 0.95) < 1e-14, (case, call.answer)
assert launched == [(2,)] * 6
print("agreed")
"""

DESCENT_PROGRAM = """
import numpy as np, torch
from limbik.engines import repeated_steps, triton_engine
from limbik.engines.robot_flags import ChainFlags
from limbik.engines.robot_programs import descent_program
from tests.robots.family_limbs import family_limb, reachable_poses

limb = family_limb("3R")
_, position, rotation = reachable_poses(limb, 100)
groups = {**limb.chain.inputs, "near": limb.default_near, "measure": (1.0 / limb.length, 0.25, 0.0)}
groups |= {name: tuple(getattr(limb, name).tolist()) for name in ("lower", "upper")}
program, flags, state = descent_program(limb.chain.letters), ChainFlags(False), np.zeros((100, 6))
poses = {"position": position, "rotation": rotation}
for count in (0, 1, 7):
    expected = repeated_steps.on_arrays(program, "descend", flags, {**groups, **poses}, state, count)
    tensors = {name: torch.tensor(one) for name, one in poses.items()}
    found = triton_engine.take_steps(program, "descend", flags, {**groups, **tensors}, torch.tensor(state), count)
    assert np.abs(found.numpy() - expected).max() < 1e-12, count
print("agreed")
"""


def agrees(program, folder):
    env = {**os.environ, "TRITON_INTERPRET": "1", "LIMBIK_CACHE": str(folder)}
    run = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "agreed", run.stderr[-2000:]


def test_kernels_agree_with_numpy(tmp_path):
    agrees(PROGRAM, tmp_path)


def test_a_kernel_takes_many_steps_of_a_descent(tmp_path):
    agrees(DESCENT_PROGRAM, tmp_path)


def signature_of(kernel):
    """The types with which Triton launches a kernel: those that it declares, pointers for the others."""
    number = {"float32": "fp32", "float64": "fp64"}[kernel.dtype]
    signature = {one.name: one.annotation_type or f"*{number}" for one in kernel.function().params}
    assert all(signature[f"{name}_{k}"] == number for name, k in kernel.constants) and signature["rows"] == "i64"
    return signature


def test_float64_kernels_of_descents_compute_in_float64_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    program, answer = descent_program("hhhhhh"), "descend"
    varying = ("position", "rotation", "descent")
    names = program.groups_of(answer)
    layouts = tuple("rows" if name in varying else "number" for name in names)
    kernel = triton_engine.Kernel(program, answer, ChainFlags(), "float64", layouts, (12,), STEPS_TUNING, repeats=True)
    source = triton.compiler.ASTSource(fn=kernel.function(), signature=signature_of(kernel), constexprs={})
    target = triton.backends.compiler.GPUTarget("cuda", 90, 32)
    text = triton.compile(source, target=target, options={"enable_fp_fusion": kernel.fuses}).asm["ptx"]
    assert ".f64" in text and ".f32" not in text  # constants too


def test_jax_launches_the_same_kernels(tmp_path):
    optional("jax")
    agrees(JAX_PROGRAM, tmp_path)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_compile_for_a_gpu_that_is_not_there(dtype, monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    planar = program_named("planar")
    names = planar.groups_of("joints")
    layouts = tuple("rows" if name == "target" else "number" for name in names)
    kernel = triton_engine.Kernel(planar, "joints", planar.flags(), dtype, layouts, (6,))
    source = triton.compiler.ASTSource(fn=kernel.function(), signature=signature_of(kernel), constexprs={})
    target = triton.backends.compiler.GPUTarget("cuda", 90, 32)
    text = triton.compile(source, target=target, options={"enable_fp_fusion": kernel.fuses}).asm["ptx"]
    assert "sqrt" in text
    assert bool(re.search(r"\bfma\.", text)) == (dtype == "float32")  # float64: the bits of the CPU


def test_the_division_of_kernels_is_correctly_rounded():
    rng = np.random.default_rng(0)
    a, b = (10 ** rng.uniform(-8, 8, (2, 100_000))).astype("float32")
    a[::2] = b[::2]
    for error in (-1, 0, 1):  # of the inverse, in units in the last place
        inverse = 1 / b
        inverse += error * np.spacing(inverse)
        quotient = a * inverse
        rest = (a.astype(float) - quotient.astype(float) * b).astype("float32")  # as fma does
        better = (rest.astype(float) * inverse + quotient).astype("float32")
        assert np.array_equal(better, a / b)
