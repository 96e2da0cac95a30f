"""What training asks of the process that it runs in, and of the one that started it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
import time
from functools import cache

import torch

TRIM_THRESHOLD, MMAP_MAX = -1, -4  # names of settings in glibc's malloc.h


def prepare() -> None:
    """Count numbers too small to matter as zero, and keep the memory that one step frees for the next.

    Left alone, glibc gives large tensors back to the system as they are freed, and has the next ones page by page, filled with
    zeros. Where the C library has no such settings nothing is changed.
    """
    torch.set_flush_denormal(True)
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(MMAP_MAX, 0)
            mallopt(TRIM_THRESHOLD, -1)


@cache
def end_with(parent: int, every: float = 1.0) -> None:
    """End this process, a child of the process ``parent``, within ``every`` seconds of that one's end, however it ended.

    POSIX gives a process whose parent has gone another one: that is what is looked for. Where this process is ``parent``
    itself, on Windows, and a second time, nothing is done. Files that are being written are as after any crash.
    """
    if os.name == "posix" and os.getpid() != parent:
        threading.Thread(target=watch, args=(parent, every), name=f"ends with {parent}", daemon=True).start()


def watch(parent: int, every: float) -> None:
    """See :func:`end_with`."""
    while os.getppid() == parent:
        time.sleep(every)
    os._exit(1)  # no exception: the thread that trains would not see it
