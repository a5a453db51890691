"""Loads kernels beside the program, once the batches that lack them have taken long enough in sum.

A kernel comes from disk in a few milliseconds, after the import of Numba, and from the compiler in a second or two. No
call waits for that: a thread does it, while batches go on running on NumPy, and the next batch finds the kernel ready.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from limbik.engines import numba_compiler, numba_engine, thresholds

# Seconds after which threads take turns while kernels are loaded. By default it is 5 ms, and a thread waits for that
# whenever it has let go of the interpreter for a moment: the loading thread at every file, the program at every array.
TURN = 1e-4
# The longest time, in seconds, for which a batch that lacks its kernel leaves the interpreter to the loading thread. A
# program that does nothing but call would otherwise keep the kernel from coming.
YIELD = 3e-3

Kernel = Any  # a kernel of numba_engine or numba_track

_at_once: ContextVar[bool] = ContextVar("limbik_warm_up", default=False)


@contextmanager
def warm_up() -> Iterator[None]:
    """Makes ready, within a `with` block, whatever the calls in it need: compiled kernels are loaded at once.

    By default a kernel is compiled or loaded in the background when the calls that need it have taken some time, so
    that none of them waits. A program that wants its full speed from the first frame on makes its calls once in such a
    block. One row is enough: a kernel depends on the limb's type, the answer, the options, the number type and which
    arguments are arrays, not on the number of rows or the links' lengths. Answers are the same in the block as
    anywhere.

    Returns:
        A context manager.
    """
    token = _at_once.set(True)
    try:
        yield
    finally:
        _at_once.reset(token)


class Background:
    """The thread that loads kernels, while there are any to load."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Starts afresh, as in a forked process, which has no such thread."""
        self.spent: dict[Any, float] = {}  # seconds that batches took for lack of a kernel, or of one of a group
        self.requested: set[Kernel] = set()
        self.thread: threading.Thread | None = None
        self._requested: deque[Kernel] = deque()
        self._lock = threading.Lock()

    def request(self, kernel: Kernel) -> None:
        """Loads a kernel, after those that were requested before."""
        with self._lock:
            self._requested.append(kernel)
            if self.thread is None:
                # Not in the thread: a fork while locks are registered for forks releases one that was never acquired.
                numba_compiler.compiling()
                thread = threading.Thread(target=self._work, name="limbik-kernels", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no threads here, or not any more: batches stay on NumPy
                    self._requested.clear()
                    return
                self.thread = thread
                atexit.unregister(self.stop)
                atexit.register(self.stop)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._requested:
                    self.thread = None
                    return
                kernel = self._requested.popleft()
            # Whatever fails was reported by the compiler, and NumPy goes on doing the work.
            with suppress(Exception), _considerately():
                numba_engine.loaded(kernel)

    def stop(self) -> None:
        """Ends the thread before the interpreter ends, which must not happen within the compiler."""
        self._requested.clear()
        thread = self.thread
        if thread is not None and thread.is_alive():
            import ctypes

            # Interrupts it at its next step in Python; what LLVM has begun, it finishes. Where that step is one of
            # LLVM's calls back, the interruption is lost, and would be reported.
            report = sys.unraisablehook
            sys.unraisablehook = lambda lost: None if lost.exc_type is SystemExit else report(lost)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit))
            thread.join()
            sys.unraisablehook = report


@contextmanager
def _considerately() -> Iterator[None]:
    """Loads without long pauses for the program: threads take short turns, and garbage is not collected meanwhile.

    A collection looks at the hundred thousands of objects that Numba brings, for tens of milliseconds. They are moved
    to the oldest generation instead. Settings that the program changes meanwhile stay as it left them.
    """
    turn, collecting = sys.getswitchinterval(), gc.isenabled()
    sys.setswitchinterval(min(TURN, turn))
    short = sys.getswitchinterval()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # otherwise the program has frozen objects of its own
            gc.freeze()
            gc.unfreeze()
        if collecting:
            gc.enable()
        if sys.getswitchinterval() == short:
            sys.setswitchinterval(turn)


background = Background()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=background.forget)


def note(kernel: Kernel, seconds: float, group: str | None = None) -> None:
    """Counts a batch that took so many seconds for lack of a kernel; loads the kernel when that pays.

    group: a name that kernels have in common which are needed together.
    """
    if _at_once.get():
        with suppress(numba_compiler.NumbaUnusableError):
            numba_engine.loaded(kernel)
    else:
        if busy():
            time.sleep(min(seconds, YIELD))
        spent = background.spent
        before, total = spent.get(kernel, 0.0), spent.get(group, 0.0) + seconds
        spent[kernel] = before + seconds
        pays = before <= thresholds.KERNEL_MIN_SECONDS < before + seconds
        if group is not None:
            spent[group] = total
            pays = (
                total > thresholds.KERNEL_MIN_SECONDS
                and before + seconds > thresholds.KERNEL_OF_GROUP_MIN_SECONDS
                and kernel not in background.requested
            )
        if pays and numba_compiler.usable():
            background.requested.add(kernel)
            background.request(kernel)


def busy() -> bool:
    """Whether a kernel is being loaded in the background."""
    return background.thread is not None
