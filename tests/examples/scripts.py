"""The scripts of examples/ and docs/, as modules, and the numbers that the document quotes."""

import importlib.util
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
MATHEMATICS = ROOT / "docs" / "mathematics.md"


@cache
def load(path: str) -> ModuleType:
    """A script of the repository as a module; scripts beside it can be imported from it."""
    file = ROOT / path
    sys.path.insert(0, str(file.parent))
    try:
        spec = importlib.util.spec_from_file_location(f"script_{file.stem}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(file.parent))


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    """Each block of code of a page, its language, and what the page says that it prints; "" where it does not say."""
    blocks = BLOCK.findall(page)
    for (language, code), (after, text) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if language != "text":
            yield language, code, text if after == "text" else ""


def bold_numbers(text: str) -> list[str]:
    """What is set in bold and holds a digit."""
    joined = re.sub(r"\s+", " ", text)
    return [part for part in re.findall(r"\*\*([^*]+)\*\*", joined) if re.search(r"\d", part)]


def document() -> tuple[str, str]:
    """docs/mathematics.md before its errata, and the errata."""
    before, heading, errata = MATHEMATICS.read_text("utf-8").partition("\n## Errata of the article\n")
    assert heading
    return before, errata
