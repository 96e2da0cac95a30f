"""What training asks of the process that it runs in."""

from __future__ import annotations

import contextlib
import ctypes
import sys

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
