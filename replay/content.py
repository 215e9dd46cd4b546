"""What makes two records the same: the game that they tell, however they are written down.

When and where it was played is content: two results that are equal on two evenings are two games. The name of a record, its note, its
source and what a case file expects are no content: no event holds them. Nothing that is content can be erased, so the digest leads to
nothing that is gone. docs/decisions/0025-known-again.md and 0033-records-from-elsewhere.md give the reasons.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec

from domain.errors import Refused
from domain.events import Event, Recorded
from domain.events.game import GameOpened
from domain.game import project
from domain.rules import Ruleset, Rulesets
from domain.setup import Setup
from replay.elsewhere.context import context_of
from replay.export import hands_of


def content_digest(events: Sequence[Event], ruleset: Ruleset) -> str:
    """SHA-256 in hexadecimal of the game that a simple record makes (``events_of``): set-up, players, decks, moves, and
    time and place where it says them.

    So decks are filled up, and an option that was left out is one that was given its default.
    """
    opened = events[0]
    assert isinstance(opened, GameOpened)
    setup = opened.setup
    content: tuple[Any, ...] = (setup.ruleset, setup.seats, _chosen(setup, ruleset), opened.players, hands_of(events))
    if context := context_of(opened):  # records that say nothing of it keep the digest that they had before they could
        content += (context,)
    return sha256(msgspec.json.encode(content, order="deterministic")).hexdigest()


def standing_digest(history: Sequence[Recorded], rulesets: Rulesets) -> str:
    """The same of a whole history: of what stands in it."""
    game = project(None, history)
    assert game is not None
    standing = [recorded.event for recorded in history if not game.is_void(recorded.position)]
    return content_digest(standing, rulesets[game.setup.ruleset])


def _chosen(setup: Setup, ruleset: Ruleset) -> dict[str, Any]:
    """Without defaults: an option that a later version adds must not make another game of the same file."""
    try:
        usual = ruleset.bind({}, setup.seats).setup.options
    except Refused:  # a ruleset may have an option that has to be given
        usual = {}
    return {name: value for name, value in setup.options.items() if name not in usual or usual[name] != value}
