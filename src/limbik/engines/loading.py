"""Kernels of this process: loaded from disk in a millisecond, and requested once the batches that lack them took long.

No call waits for a kernel: another process compiles it (`kernel_compiler.py`), while batches go on running on NumPy,
and a batch that finds it on disk loads it. Only who says so waits: `warm_up`, very large batches, `use("numba")`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple, Protocol

from limbik.engines import numba_compiler, thresholds

LOOK_SECONDS = 0.02  # between two looks for kernels that were requested
WAIT_SECONDS = 0.002  # the same for a caller who waits
PATIENCE_SECONDS = 120.0  # for another process, before a caller who waits compiles the kernel in this one


if TYPE_CHECKING:
    from limbik.engines.kernel_compiler import KernelCompiler


class Kernel(Hashable, Protocol):
    """A kernel to be, told apart by equality."""

    def text(self) -> str:
        """Its source, which defines a function `kernel` that returns nothing."""
        ...

    def signature(self) -> str:
        """That function's signature, in Numba's notation."""
        ...


class _Request(NamedTuple):
    key: str
    text: str
    signature: str


# Those that this process has loaded.
kernels: dict[Kernel, Callable[..., None]] = {}
_at_once: ContextVar[bool] = ContextVar("limbik_warm_up", default=False)


@contextmanager
def warm_up() -> Iterator[None]:
    """Makes ready, within a `with` block, whatever the calls in it need: they wait for their compiled kernels.

    By default a kernel is compiled by another process when the calls that need it have taken some time, so that none of
    them waits. A program that wants its full speed from the first frame on makes its calls once in such a block. One
    row is enough: a kernel depends on the limb's type, the answer, the options, the number type and which arguments are
    arrays, not on the number of rows or the links' lengths. Answers are the same in the block as anywhere.

    Returns:
        A context manager.
    """
    token = _at_once.set(True)
    try:
        yield
    finally:
        _at_once.reset(token)


class Requests:
    """The kernels that this process has asked for, and the time that calls took for lack of them."""

    def __init__(self) -> None:
        self._compiler: KernelCompiler | None = None
        self.forget()

    def forget(self) -> None:
        """Starts afresh, as in a forked process, which has no child yet."""
        if self._compiler:
            self._compiler.forget()
        self._lock = threading.RLock()
        self.spent: dict[Kernel | str | None, float] = {}  # seconds, by kernel and by group of kernels
        self.made: set[Kernel] = set()
        self._waiting: dict[Kernel, _Request] = {}
        self._repeated: set[Kernel] = set()
        self._looked = 0.0

    def make(self, kernel: Kernel) -> None:
        """Loads a kernel if it is on disk; else asks for it, if that is possible."""
        request = _request(kernel)
        with self._lock:
            self.made.add(kernel)
            if not _load(kernel, request.key) and kernel not in self._waiting:
                self._ask(kernel, request)

    def _ask(self, kernel: Kernel, request: _Request) -> None:
        """Asks for a kernel, where a child and a place for what it makes can be had."""
        from limbik.engines import kernel_cache
        from limbik.engines.kernel_compiler import KernelCompiler  # with subprocess, which most programs never need

        self._compiler = self._compiler or KernelCompiler()
        folder = kernel_cache.writable_folder()
        if folder is not None and self._compiler.request(folder, *request):
            self._waiting[kernel] = request

    def look(self, seconds: float = LOOK_SECONDS) -> bool:
        """Loads the kernels that have come, if it has not looked for so many seconds; whether any are still to come.

        Raises:
            NumbaUnusableError: where they cannot be compiled or loaded; none is still to come then.
        """
        now = time.monotonic()
        lock = self._lock  # a fork replaces it
        if self._waiting and now >= self._looked + seconds and lock.acquire(blocking=False):
            try:
                self._looked = now
                _try(self._fetch)
            except (numba_compiler.NumbaUnusableError, RuntimeWarning):
                self._waiting = {}
                raise
            finally:
                lock.release()
        return bool(self._waiting)

    def _fetch(self) -> None:
        """Loads the kernels that have come."""
        ended = self._compiler.poll() if self._compiler else None  # before it looks: what it wrote last counts
        for kernel, request in list(self._waiting.items()):
            if _load(kernel, request.key):
                del self._waiting[kernel]
        if ended:
            self._repeat(*ended)

    def _repeat(self, code: int, message: str) -> None:
        """Asks once more for what a child has left, if it ended for want of requests just when there was another."""
        left, self._waiting = self._waiting, {}
        from limbik.engines.kernel_compiler import ENDED, FAILED

        if code == FAILED:
            numba_compiler.give_up(message)
            numba_compiler.require_usable()
        elif code == ENDED:
            for kernel in left.keys() - self._repeated:
                self._repeated.add(kernel)
                self._ask(kernel, left[kernel])

    def wait_for(self, kernel: Kernel) -> None:
        """Loads a kernel: from disk, from a child, or where there is none, compiled here.

        Raises:
            NumbaUnusableError: where Numba cannot compile it.
        """
        numba_compiler.require_usable()
        if kernel not in self._waiting:
            _try(lambda: self.make(kernel))
        last = time.monotonic() + PATIENCE_SECONDS
        while kernel in self._waiting and time.monotonic() < last:
            time.sleep(WAIT_SECONDS)
            self.look(WAIT_SECONDS)
        numba_compiler.require_usable()
        with self._lock:
            if kernel not in kernels:
                _try(lambda: _compile(kernel))


def loaded(kernel: Kernel) -> Callable[..., None]:
    """The kernel, for a caller who waits for it.

    Raises:
        NumbaUnusableError: where Numba cannot compile it.
    """
    if kernel not in kernels:
        requests.wait_for(kernel)
    return kernels[kernel]


def note(kernel: Kernel, seconds: float, group: str | None = None) -> None:
    """Counts a batch that took so many seconds for lack of a kernel; asks for the kernel when that pays.

    group: a name that kernels have in common which are needed together, as those of a creature's step. All are asked
    for when they took so long together, and each of them a part of that.
    """
    # A call that waits for nothing does not fail for it either, even where warnings are errors.
    with suppress(numba_compiler.NumbaUnusableError, RuntimeWarning):
        if _at_once.get():
            loaded(kernel)
        else:
            requests.look()
            if kernel not in requests.made and _pays(kernel, seconds, group):
                _try(lambda: requests.make(kernel))


def _pays(kernel: Kernel, seconds: float, group: str | None) -> bool:
    """Whether calls have taken so long for lack of a kernel that it is to be made."""
    spent = requests.spent
    own = spent[kernel] = spent.get(kernel, 0.0) + seconds
    pays = own > thresholds.KERNEL_MIN_SECONDS
    if group is not None:
        total = spent[group] = spent.get(group, 0.0) + seconds
        pays = total > thresholds.KERNEL_MIN_SECONDS and own > thresholds.KERNEL_OF_GROUP_MIN_SECONDS
    return pays and numba_compiler.usable()


def _request(kernel: Kernel) -> _Request:
    from limbik.engines import kernel_cache  # with hashes, which most programs never need

    text, signature = kernel.text(), kernel.signature()
    return _Request(kernel_cache.entry_key(text, signature, numba_compiler.fingerprint()), text, signature)


def _load(kernel: Kernel, key: str) -> bool:
    """Loads a kernel from disk; whether it is there."""
    from limbik.engines import kernel_cache, machine_code

    if kernel not in kernels and (code := kernel_cache.read(key)) is not None:
        kernels[kernel] = machine_code.load(code)
    return kernel in kernels


def _compile(kernel: Kernel) -> None:
    """Compiles and loads a kernel in this process."""
    from limbik.engines import kernel_cache, machine_code

    key, text, signature = _request(kernel)
    if not _load(kernel, key):
        code = machine_code.compiled(text, signature)
        kernel_cache.write(key, code)
        kernels[kernel] = machine_code.load(code)


def _try(step: Callable[[], None]) -> None:
    """Takes a step towards a kernel.

    Raises:
        NumbaUnusableError: where it fails; Numba is not tried again.
    """
    try:
        step()
    except (numba_compiler.NumbaUnusableError, RuntimeWarning):  # it has been said
        raise
    except Exception as error:
        numba_compiler.give_up(f"{type(error).__name__}: {error}")
        numba_compiler.require_usable()


requests = Requests()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=requests.forget)
