"""Fifty expensive readers beside fifty moves a second: the figures of the benchmark, judged."""

from collections.abc import Iterator

from tests.benchmarks import readers
from tests.faults.scene import Finding


def findings() -> Iterator[Finding]:
    for figure in readers.figures(quick=False):
        ratio = "" if figure.ratio is None else f", {figure.ratio:.1f} times that without them"
        yield Finding(figure.name, f"{figure.value:,.1f} {figure.unit}{ratio}", None if figure.goal is None else figure.reached)
