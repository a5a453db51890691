"""The Triton engine, through Triton's interpreter on the CPU: bit for bit what NumPy gives in float32."""

import os
import subprocess
import sys

from tests.optional import optional

optional("torch")
optional("triton")

PROGRAM = """
import numpy as np, torch, limbik
from limbik.engines import triton_engine
from limbik.engines.programs import PROGRAMS

rng = np.random.default_rng(0)
targets, ups = (rng.normal(size=(900, 3)).astype("float32") * 0.4 for _ in range(2))
targets[5], ups[9], targets[20] = np.nan, 0, 0  # rare rows, whose blocks are done in full
leg, arm = limbik.ThreeLink(0.45, 0.42, 0.12), limbik.TwoLink(0.45, 0.42)
flat = limbik.PlanarTwoLink(0.5, 0.4)
calls = [
    lambda make: leg.solve(make(targets), make(ups)),
    lambda make: leg.solve(make(targets), make(ups), style="easy", hint=(0.1, 0.2, 0.9), priority="position"),
    lambda make: arm.solve(make(targets), make(ups), twist=0.2),
    lambda make: flat.solve(make(targets[:, :2])),
]
for call in calls:
    ours, theirs = call(lambda a: a), call(torch.tensor)
    for answer in ("joints", "rotations", "angles", "report"):
        if answer not in ours._program.answers:
            continue
        program = PROGRAMS[ours._program.name]
        found = triton_engine.run(program, answer, theirs._flags, theirs._groups, (900,)).numpy()
        expected = ours._answer(answer).reshape(900, -1)
        assert np.array_equal(np.isnan(found), np.isnan(expected)), answer
        gap = np.nanmax(np.abs(found - expected))
        assert gap <= (1e-6 if answer in ("angles", "report") else 0), (answer, gap)
print("agreed")
"""


def test_kernels_agree_with_numpy(tmp_path):
    env = {**os.environ, "TRITON_INTERPRET": "1", "LIMBIK_CACHE": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "agreed", run.stderr[-2000:]
