"""Other packages for inverse kinematics and motion files, each measured through a small adapter module.

Adapters are not part of the installed package: `limbik bench` loads every `*_peer.py` from a folder, by default
`benchmarks/peers` of a clone. An adapter defines `PACKAGE` (the import name) and `DISTRIBUTION` (the name on PyPI). A
solver's adapter defines `solver(task)`, which returns a `Solver`, or None for a task the package cannot do; that of a
package with every answer for a robot arm defines `arm_solver(arm)`; a reader's defines the `SUFFIXES` it reads and
`load(path)`. Adapters import their package inside these functions only.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from limbik.bench.peer_tasks import Solver, Task
    from limbik.bench.robot_rows import ArmSolver

START = 0.1  # radians at every hinge for iterative solvers: away from the straight limb, where Jacobians are singular


class Package(Protocol):
    """What every adapter defines."""

    PACKAGE: str
    DISTRIBUTION: str


class Peer(Package, Protocol):
    """The adapter of a package that solves inverse kinematics."""

    def solver(self, task: Task) -> Solver | None:
        """The package's solver for a task, or None where it cannot do it."""
        ...


class ArmPeer(Package, Protocol):
    """The adapter of a package that has every answer for a robot arm."""

    def arm_solver(self, arm: Task) -> ArmSolver:
        """The package's solver for the arm."""
        ...


class Reader(Package, Protocol):
    """The adapter of a package that reads motion files."""

    SUFFIXES: tuple[str, ...]

    def load(self, path: Path) -> object:
        """The package's representation of a file."""
        ...


def peers(folder: Path | None) -> list[Peer]:
    """The adapters of solvers in a folder, whether or not their packages are installed."""
    return [module for module in _adapters(folder) if hasattr(module, "solver")]


def arm_peers(folder: Path | None) -> list[ArmPeer]:
    """The adapters of solvers for robot arms in a folder, whether or not their packages are installed."""
    return [module for module in _adapters(folder) if hasattr(module, "arm_solver")]


def readers(folder: Path | None, suffix: str) -> list[Reader]:
    """The adapters of readers of files with this suffix, whether or not their packages are installed."""
    return [module for module in _adapters(folder) if suffix in getattr(module, "SUFFIXES", ())]


def _adapters(folder: Path | None) -> list[Any]:
    return [_load(path) for path in sorted(folder.glob("*_peer.py"))] if folder else []


def _load(path: Path) -> Any:
    name = f"limbik_{path.stem}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def installed(peer: Package) -> str | None:
    """The installed version of a peer's package, or None."""
    return version(peer.DISTRIBUTION) if find_spec(peer.PACKAGE) else None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppresses what packages print and warn about while they are measured."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
