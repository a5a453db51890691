"""The Triton engine, through Triton's interpreter on the CPU: bit for bit what NumPy gives, gradients included."""

import os
import subprocess
import sys

from tests.optional import optional

optional("torch")
optional("triton")

PROGRAM = """
import numpy as np, torch, limbik
from limbik.engines import numpy_engine, torch_kernels, triton_engine
from limbik.engines.gradient_programs import GRADIENT, SLOPES, gradient_program

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
        slopes = torch.tensor(rng.normal(size=(700, backward.groups[SLOPES])).astype(dtype))
        for given in (slopes, slopes[0, 0].expand(slopes.shape)):
            found = [torch.full((700, program.groups[name]), torch.nan, dtype=given.dtype) for name in wanted]
            expected = [one.clone() for one in found]
            call = (backward, GRADIENT, flags, {**groups, SLOPES: given}, names_of(backward, GRADIENT), (700,))
            triton_engine.run(*call, found)
            torch_kernels.run_on_cpu(*call, expected)
            for one, other in zip(found, expected):
                assert one.isfinite().all()
                assert (one == other).double().mean() > 0.9  # rows beside a rare one may be done by the other trace
                assert (one - other).abs().max() < {"float32": 1e-2, "float64": 1e-8}[dtype]
print("agreed")
"""


def test_kernels_agree_with_numpy(tmp_path):
    env = {**os.environ, "TRITON_INTERPRET": "1", "LIMBIK_CACHE": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "agreed", run.stderr[-2000:]
