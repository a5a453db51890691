"""The types of limbik's answers, as a type checker sees them."""

import subprocess
import sys
from pathlib import Path

from tests.optional import optional


def test_types_follow_the_inputs():
    for name in ("basedpyright", "torch", "jax"):
        optional(name)
    cases = Path(__file__).with_name("typing_cases.py")
    options = ["--pythonpath", sys.executable, "--level", "error", str(cases)]
    checked = subprocess.run(
        [sys.executable, "-m", "basedpyright", *options], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
