"""Every public name has types and a docstring with Args, Returns and Raises, and shapes for its arrays.

`python tests/test_public_api.py` prints what is missing, package by package.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from types import ModuleType
from typing import Any

import limbik

# Public modules, whose `__all__` is part of the interface; `limbik.__all__` names them too.
MODULES = (
    "limbik",
    "limbik.rotations",
    "limbik.samples",
    "limbik.terrains",
    "limbik.plots",
    "limbik.errors",
    "limbik.robots",
)
# Parameters and results that may be anything, on purpose.
ANYTHING = {"Terrain.__eq__"}
# Classes whose objects other calls return; nobody constructs them.
RETURNED = {"Solution", "Branches", "Robot", "RobotLimb", "RobotSolution"}
ARRAYS = re.compile(r"\b(Array|ArrayLike|ndarray|NDArray)\b")
SHAPE = re.compile(r"\([^)]*[,.\d][^)]*\)|\bshape\b|any shape|broadcast")


def public_objects() -> Iterator[tuple[str, Any]]:
    """Qualified name and object of everything public: functions, classes and their methods and properties."""
    seen: set[int] = set()
    for module_name in MODULES:
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            yield module_name, None
            continue
        for name in getattr(module, "__all__", ()):
            found = getattr(module, name)
            if id(found) in seen or isinstance(found, ModuleType | str):
                continue
            seen.add(id(found))
            if callable(found):
                yield name, found
            if inspect.isclass(found) and found.__module__.startswith("limbik"):
                yield from members(name, found, seen)


def members(name: str, kind: type, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """The public methods and properties that a class, or a base of it in limbik, defines."""
    for base in kind.__mro__:
        if not base.__module__.startswith("limbik"):
            continue
        for key, member in vars(base).items():
            plain = member.__func__ if isinstance(member, staticmethod | classmethod) else member
            if key.startswith("_") or id(plain) in seen:
                continue
            if inspect.isfunction(plain) or isinstance(plain, property):
                seen.add(id(plain))
                yield f"{name}.{key}", plain


def missing() -> dict[str, list[str]]:
    """What public names lack, by the package that defines them."""
    lacking: dict[str, list[str]] = defaultdict(list)
    for name, found in public_objects():
        if found is None:
            lacking[name.removeprefix("limbik.")].append(f"{name}: no such module")
            continue
        owner = found.fget if isinstance(found, property) else found
        package = (owner.__module__.split(".") + ["", ""])[1] or "limbik"
        lacking[package] += [f"{name}: {fault}" for fault in faults(name, found)]
    return {package: found for package, found in sorted(lacking.items()) if found}


def faults(name: str, found: Any) -> Iterator[str]:
    """What one function, class or property lacks."""
    text = inspect.getdoc(found) or ""
    if not text:
        yield "no docstring"
        return
    if isinstance(found, property):
        yield from result_type_missing(name, inspect.signature(found.fget))
        return
    if inspect.isclass(found) and (issubclass(found, Enum | Exception) or "__init__" not in found.__dict__):
        return
    if name in RETURNED:
        return
    signature = inspect.signature(found)
    parameters = [p for p in signature.parameters.values() if p.name not in ("self", "cls")]
    yield from types_missing(name, found, signature, parameters)
    if inspect.isclass(found) and is_dataclass(found):
        yield from (f"{p.name} is not described" for p in parameters if not re.search(rf"\b{p.name}\b", text))
        return
    arguments = section(text, "Args")
    if parameters and not arguments:
        yield "no Args section"
    elif parameters:
        yield from arguments_missing(arguments, parameters)
    returns = None if inspect.isclass(found) else signature.return_annotation
    if returns not in (None, "None", "Self") and not (section(text, "Returns") or section(text, "Yields")):
        yield "no Returns section"
    if parameters and not section(text, "Raises"):
        yield "no Raises section"


def types_missing(name: str, found: Any, signature: inspect.Signature, parameters: list[Any]) -> Iterator[str]:
    """Parameters and results without a type, or with a type in which anything goes."""
    for parameter in parameters:
        if parameter.annotation is inspect.Parameter.empty:
            yield f"{parameter.name} has no type"
        elif says_any(parameter.annotation) and name not in ANYTHING:
            yield f"{parameter.name} is {parameter.annotation}"
    if not inspect.isclass(found):
        yield from result_type_missing(name, signature)


def result_type_missing(name: str, signature: inspect.Signature) -> Iterator[str]:
    """A result without a type, or with a type in which anything goes."""
    if signature.return_annotation is inspect.Signature.empty:
        yield "no return type"
    elif says_any(signature.return_annotation) and name not in ANYTHING:
        yield f"returns {signature.return_annotation}"


def says_any(annotation: Any) -> bool:
    """Whether a type is Any, or has it as a part."""
    return re.search(r"\bAny\b", annotation if isinstance(annotation, str) else repr(annotation)) is not None


def arguments_missing(arguments: str, parameters: list[Any]) -> Iterator[str]:
    """Parameters that the Args section does not describe, and arrays that it gives no shape for."""
    entries = re.split(r"\n    (?=\S)", "\n" + arguments)
    for parameter in parameters:
        described = re.compile(rf"[\w\s,*]*\b{parameter.name}\b[\w\s,*]*(\(.*\))?:")
        entry = next(filter(described.match, entries), "")
        if not entry:
            yield f"{parameter.name} is not in Args"
        elif ARRAYS.search(str(parameter.annotation)) and not SHAPE.search(entry):
            yield f"{parameter.name} has no shape in Args"


def section(text: str, title: str) -> str:
    """The body of one section of a Google-style docstring."""
    found = re.search(rf"^{title}:\n((?:    .*\n?|\n)+)", text + "\n", re.MULTILINE)
    return found.group(1) if found else ""


def test_every_public_name_resolves():
    for name in limbik.__all__:
        assert getattr(limbik, name) is not None
    assert set(limbik.__all__) <= set(dir(limbik))


def test_public_names_have_types_and_complete_docstrings():
    lacking = missing()
    assert not lacking, "\n".join(f"{package}: {fault}" for package, found in lacking.items() for fault in found)


if __name__ == "__main__":
    for package, found in missing().items():
        print(f"{package} ({len(found)})\n  " + "\n  ".join(found))
