"""The rulebook of a game, bound once for all games with the same options and seats.

Moves are judged by the edition of the rules under which their hand was dealt, like in an audit. New hands are dealt under the newest
edition. Tables are shown by the newest edition, too: it has to be able to read those of older editions.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from api.http.request import Request, services_of
from domain.errors import InvalidFormatError, Refused
from domain.moves import bind_setup, convert_rule_errors, latest_of
from domain.rules import About, Rulebook, Ruleset, Rulesets, common_view
from domain.setup import Setup
from domain.sight import Viewer
from domain.table import Table
from domain.texts import FALLBACK, say
from domain.unknown_cards.support import unknown_view
from replay.frame_texts import FrameTexts

_LOG = logging.getLogger("kiebitz.api")


def latest_rulebook_of(rulesets: Rulesets, setup: Setup) -> Rulebook:
    """Return the rulebook by which hands are dealt and tables are shown.

    Raises ``Unknown``, and ``Refused`` if the rulebook does not know the options any more.
    """
    return bind_setup(latest_of(rulesets, setup), setup)


def ruleset_named(request: Request, key: str) -> Ruleset:
    """Return the ruleset, which words the refusals of this request from here on. Raises ``InvalidFormatError`` with ``unknown_ruleset``."""
    rulesets = services_of(request).rulesets
    ruleset = rulesets.get(key)
    if ruleset is None:
        raise InvalidFormatError("unknown_ruleset", say("unknown_ruleset", ruleset=key, known=tuple(rulesets)), "ruleset")
    request.scope["state"]["ruleset"] = key
    return ruleset


def view_of(rulesets: Rulesets, table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the state view of a table that is masked for the viewer. Raises ``Unknown``."""
    return viewing(rulesets, table.setup)(table, viewer)


def viewing(rulesets: Rulesets, setup: Setup) -> Callable[[Table, Viewer], dict[str, Any]]:
    """Return a function that views the tables of one game. Raises ``Unknown`` for a game whose rules are not kept here any more."""
    try:
        return partial(_view, latest_rulebook_of(rulesets, setup))
    except Refused:
        return _unreadable_view


def _view(rulebook: Rulebook, table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the state view.

    For a table that no rulebook can read (its history is damaged): the common view, the zones as they lie, and ``damaged``.
    """
    try:
        return {**rulebook.view(table), **unknown_view(table, viewer)}
    except Exception:
        _LOG.warning("a table of %s cannot be read by its rulebook", table.setup.ruleset, exc_info=True)
        return _unreadable_view(table, viewer)


def _unreadable_view(table: Table, _: Viewer) -> dict[str, Any]:
    return {**common_view(table), "zones": table.zones, "damaged": True}


@contextmanager
def handle_rule_errors(request: Request, table: Table) -> Iterator[None]:
    """Return the same context as ``convert_rule_errors``; refusals are worded by the game."""
    request.scope["state"]["ruleset"] = table.setup.ruleset
    with convert_rule_errors(table):
        yield


@lru_cache
def about_of(ruleset: Ruleset, language: str = FALLBACK) -> About:
    """Return the description of a ruleset, cached."""
    return ruleset.about(language)


@lru_cache
def load_frame_texts(ruleset: Ruleset, language: str) -> FrameTexts:
    """Return the transcript that puts the events of a ruleset's games into words, cached."""
    return FrameTexts(about_of(ruleset), language)
