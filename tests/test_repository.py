"""What one file of the repository says about another is so."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_ruff_is_the_same_before_a_commit_and_in_check():
    (version,) = re.findall(r"ruff-pre-commit\n +rev: v(\S+)", (ROOT / ".pre-commit-config.yaml").read_text())
    assert f"ruff=={version}" in EXTRAS["test"]


def test_the_benchmarks_that_the_documents_name_are_there():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    named = {word for page in pages for word in re.findall(r"benchmarks/\w+\.py", page.read_text("utf-8"))}
    assert len(named) >= 9
    assert [word for word in named if not (ROOT / word).exists()] == []
