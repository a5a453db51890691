"""The viewer's JavaScript passes TypeScript's checks (tsc --checkJs, strict) and ESLint.

The tools come from npm: cd tests/pages/javascript && npm install --no-package-lock
"""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = ROOT / "tests" / "pages" / "javascript"
TOOLS = HERE / "node_modules" / ".bin"
VIEWER = "src/limbik/pages/viewer"

COMMANDS = {
    "types": ["tsc", "-p", str(HERE / "tsconfig.json")],
    "lint": ["eslint", "--config", str(HERE / "eslint.config.js"), VIEWER],
}


@pytest.mark.parametrize("check", COMMANDS)
def test_the_viewer_is_checked_and_linted(check):
    tool, *options = COMMANDS[check]
    if not (TOOLS / tool).exists():
        reason = "node modules are missing: cd tests/pages/javascript && npm install --no-package-lock"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    done = subprocess.run([TOOLS / tool, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
