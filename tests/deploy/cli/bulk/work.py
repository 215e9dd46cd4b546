"""Batches of work for the tests of several processes, which import nothing else."""

import os


def place(number: int) -> tuple[int, int]:
    return number, os.getpid()


def long(number: int) -> tuple[int, int]:
    """Work so long that the caller waits and is interrupted while it does."""
    sum(range(1_000_000))
    return place(number)
