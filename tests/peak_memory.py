"""How much memory a call takes."""

import tracemalloc


def peak_of(call):
    """The largest number of bytes that were in use at once during a call."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
