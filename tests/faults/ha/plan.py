"""What shall happen to a cluster, and how often."""

import time
from collections.abc import Iterator
from itertools import cycle, takewhile
from typing import Literal, get_args

import click
from msgspec import Struct

Kind = Literal["killed", "frozen", "switched", "cut", "crashed", "standby", "service"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""``killed``: the primary, Patroni and PostgreSQL with all processes. ``frozen``: the same stand still until another one leads.
``switched``: as an operator does it. ``cut``: nothing comes from its machine or arrives there. ``crashed``: PostgreSQL alone. ``standby``:
one of those that the primary waits for stands still. ``service``: one of Kiebitz, killed."""
WORST: dict[Kind, float] = {"killed": 25, "frozen": 30, "switched": 5, "cut": 30}
"""Seconds that tables may pause in 95 of 100 cases."""


class Plan(Struct, frozen=True):
    """``rounds``: these, in this order. Empty: all in turn, for so many seconds, after the script for one machine was tried.

    ``folder``: where the logs are to stay.
    """

    seconds: float = 600
    rounds: tuple[Kind, ...] = ()
    folder: str | None = None

    @property
    def script(self) -> bool:
        return not self.rounds

    def kinds(self, cutting: bool) -> Iterator[Kind]:
        """``cutting``: whether a machine can be cut off here."""
        if self.rounds:
            yield from self.rounds
            return
        begin = time.monotonic()
        possible = [kind for kind in KINDS if kind != "cut" or cutting]
        yield from takewhile(lambda _: time.monotonic() - begin < self.seconds, cycle(possible))


def rounds_of(given: str | None) -> tuple[Kind, ...]:
    """``killed:3,frozen,switched:2``. Raises ``BadParameter``."""
    rounds: list[Kind] = []
    for part in given.split(",") if given else ():
        name, _, times = part.partition(":")
        kind = next((kind for kind in KINDS if kind == name), None)
        if kind is None or not (times or "1").isdigit():
            raise click.BadParameter(f"{part}: this is one of {', '.join(KINDS)}, with a colon and a number if it is to happen more often")
        rounds += [kind] * int(times or 1)
    return tuple(rounds)
