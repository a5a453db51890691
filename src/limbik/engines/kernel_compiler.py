"""Kernels are compiled in a child process, which fills the cache on disk: both ends of the pipe between the two.

Run as a script, this file is the child. It reads its parent's `sys.path` and then requests from standard input, a line
of JSON each, and ends at once when that is closed, even within the compiler; but never while it writes an entry. It
is this user's, low in priority, and touches nothing else. The parent never waits for it unless it wants to.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

IDLE_SECONDS = 20.0  # without a request, after which the child ends
EXIT_SECONDS = 0.5  # that the parent's exit may wait for the child's
NICENESS = 5
ENDED, FAILED, NO_CACHE = 0, 3, 4  # the child's exit codes: for want of requests, the compiler failed, cannot write


class KernelCompiler:
    """The parent's end. Its methods return at once."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._unsent = b""
        self._closed = False

    @staticmethod
    def available() -> bool:
        """Whether there is a Python to run the child; LIMBIK_COMPILE=0 forbids it."""
        name = Path(sys.executable or "").name
        is_python = re.match("python|pypy", name, re.IGNORECASE) and not getattr(sys, "frozen", False)
        return bool(is_python) and os.environ.get("LIMBIK_COMPILE") != "0"

    def request(self, folder: Path, key: str, text: str, signature: str) -> bool:
        """Asks for a kernel as an entry of the cache in a folder; false where no child can be started."""
        if not self.available() or (self._process is None and not self._start()):
            return False
        self._unsent += json.dumps((str(folder), key, text, signature)).encode() + b"\n"
        self._send()
        return True

    def poll(self) -> tuple[int, str] | None:
        """The exit code and the message of a child that has ended, once; None while it runs, or where there is none."""
        process = self._process
        if process is None:
            return None
        self._send()
        if process.poll() is None:
            return None
        assert process.stdout
        message = process.stdout.read().decode("utf-8", "replace")
        self._release()
        return process.returncode, message

    def close(self) -> None:
        """Ends the child and waits for its end; none is started any more."""
        self._closed = True
        if (process := self._process) is None:
            return
        assert process.stdin
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._release()

    def forget(self) -> None:
        """Leaves the child to the process that was forked, whose child it is."""
        if self._process is not None:
            self._process.returncode = ENDED  # as far as this process is concerned
            self._release()

    def _start(self) -> bool:
        if self._closed:
            return False
        plain = ["-B"] if sys.dont_write_bytecode else []
        command = [sys.executable, "-I", *plain, __file__]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        try:
            self._process = subprocess.Popen(
                command, bufsize=0, stdin=pipe, stdout=pipe, stderr=null, start_new_session=True, creationflags=hidden
            )
        except OSError:  # no such file, too many processes
            return False
        assert self._process.stdin
        with suppress(OSError, AttributeError, ValueError):  # on Windows before Python 3.12
            os.set_blocking(self._process.stdin.fileno(), False)
        path = [os.path.abspath(one) for one in sys.path if isinstance(one, str)]
        self._unsent = json.dumps([*path, str(Path(__file__).parents[2])]).encode() + b"\n"
        atexit.unregister(self.close)
        atexit.register(self.close)
        return True

    def _send(self) -> None:
        """Passes on as much as the pipe takes."""
        if not self._unsent:
            return
        assert self._process
        assert self._process.stdin
        try:
            written = self._process.stdin.write(self._unsent)
        except OSError:  # it has ended
            written = len(self._unsent)
        self._unsent = self._unsent[written or 0 :]

    def _release(self) -> None:
        process, self._process, self._unsent = self._process, None, b""
        assert process
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def main() -> None:
    """The child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that the user has started
    requests: SimpleQueue[bytes] = SimpleQueue()
    writing = threading.Lock()

    def read() -> None:
        while line := sys.stdin.buffer.readline():
            requests.put(line)
        end(ENDED)

    def end(code: int, message: str = "") -> None:
        with writing:
            if message:
                os.write(answers, message.encode()[:4000])
            os._exit(code)

    answers = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever the compiler prints
    threading.Thread(target=read, daemon=True).start()
    sys.path[:] = json.loads(requests.get())
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    import llvmlite.binding

    from limbik.engines import kernel_cache, machine_code

    # Two vectors of rows at a time, so that one's divisions hide the other's: a fifth faster. It holds for the process.
    llvmlite.binding.set_option("limbik", "-force-vector-interleave=2")
    while True:
        try:
            os.environ["LIMBIK_CACHE"], key, text, signature = json.loads(requests.get(timeout=IDLE_SECONDS))
        except Empty:
            return end(ENDED)
        with kernel_cache.locked(key):
            if kernel_cache.read(key) is not None:  # by another process meanwhile
                continue
            try:
                code = machine_code.compiled(text, signature)
            except Exception as error:
                return end(FAILED, f"{type(error).__name__}: {error}")
            with writing:
                written = kernel_cache.write(key, code)
            if not written:
                return end(NO_CACHE)


if __name__ == "__main__":
    main()
