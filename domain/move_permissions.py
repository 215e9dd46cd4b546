"""Move admission: which moves a caller may make, and which view of the table they are judged on, decided before the rulebook is asked.

A caller who does not see all the cards must not learn from a verdict what they do not see (docs/decisions/0042-players-eyes.md).
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.access import OFFICIALS, Grant, OfGame
from domain.cards import Seat
from domain.entries import Line, Made, parse_line, resolve_entry
from domain.errors import Forbidden, Refused, Unknown
from domain.events.game import CardsTold, MovePlayed
from domain.game import Game
from domain.openness import OpennessContext
from domain.rules import KnownFaces, Rulebook, Ruleset, Rulesets
from domain.setup import Setup
from domain.sight import ARBITERS_EYES, COVERED, PUBLIC_EYES, Viewer, Viewpoint, build_possible_table, masked
from domain.table import Table, fold
from domain.texts import say

_LOG = logging.getLogger("kiebitz.rules")

_UNDECIDED = ("card_unknown", "damaged_table")
"""Refusals that leave the question open on the caller's view: they depend on cards that the caller does not see."""


class Rulebooks(Protocol):
    """All rulesets by their keys, and all kept editions by key and number."""

    @property
    def rulesets(self) -> Rulesets: ...

    @property
    def editions(self) -> Mapping[tuple[str, int], Ruleset]: ...


class Caller(Protocol):
    """The caller, with the role that they have in the place of the game."""

    @property
    def role(self) -> str: ...

    @property
    def grant(self) -> Grant: ...

    @property
    def has_full_view(self) -> bool: ...


def decide_moves(
    caller: Caller, game: Game, moves: Sequence[Made], books: Rulebooks, *, dry_run: bool = False
) -> tuple[MovePlayed | CardsTold, ...]:
    """Return the events of moves, as ``Game.play`` makes them. Raises ``Refused``, ``Forbidden`` and ``Unknown``.

    A dry run by a caller who does not see all the cards is judged on what they see.
    """
    rulebook = bind_rules(books, game)
    if caller.has_full_view:
        return game.play(rulebook, moves)
    if caller.role == "player":
        _check_own_moves(caller, game, moves, dry_run=dry_run)
    if not dry_run:
        return _play_in_sight(caller, game, rulebook, moves)
    seen = table_judged(rulebook, game.table, viewer_in_play(caller, game))
    with convert_rule_errors(seen):
        return replace(game, table=seen).play(rulebook, moves)


def _play_in_sight(caller: Caller, game: Game, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[MovePlayed | CardsTold, ...]:
    """Return the events of moves by a caller who does not see all the cards. The moves are judged first on what the caller sees, and a
    refusal is reported as it is there. If only the whole table refuses them, the caller learns no more than ``out_of_sight``, whatever the
    refusal was.
    """
    game.docket.check_play()
    seen = table_judged(rulebook, game.table, viewer_in_play(caller, game))
    # On a covered table any refusal could reveal something, so the moves are not judged on what is seen.
    made, asks = (moves, None) if seen.phase == COVERED else _judge(rulebook, seen, moves)
    try:
        if caller.role == "player":
            _check_own_cards(caller, game, made)
        return game.play(rulebook, made)
    except Refused as refused:
        told = asks or Refused("out_of_sight")
        told.by_unseen = asks is None or refused.code != asks.code  # else the record knows no more than the caller
        raise told from None


def _judge(rulebook: Rulebook, seen: Table, moves: Sequence[Made]) -> tuple[list[Made], Refused | None]:
    """Return the moves, with lines read on what is seen, and the first question that has to be answered there. Later moves are judged on
    the whole table alone. Raises ``Refused`` with the ``index`` of the move.
    """
    made: list[Made] = []
    for index, one in enumerate(moves):
        try:
            with convert_rule_errors(seen):
                made.append(parse_line(rulebook, seen, one) if isinstance(one, Line) else one)
                seen = fold(seen, resolve_entry(rulebook, seen, made[-1]).effects)
        except Refused as refused:
            refused.index = index
            if refused.code not in _UNDECIDED or any(isinstance(later, Line) for later in moves[len(made) :]):
                raise
            return [*made, *moves[len(made) :]], refused if refused.code == "card_unknown" else None
    return made, None


# The viewpoint of a caller


def viewpoint_of(caller: Caller, game: Game) -> Viewpoint:
    """Return the most that the caller may see of the game."""
    if caller.has_full_view:
        return ARBITERS_EYES
    return viewpoint_of_player(caller.grant, game) if caller.role == "player" else PUBLIC_EYES


def viewpoint_of_player(grant: Grant, game: Game) -> Viewpoint:
    """Return the eyes of the player or seat of a grant; those of the public if the player never sat there."""
    if grant.player is not None:
        return game.viewpoint_of(grant.player)
    if grant.seat is not None and isinstance(grant.scope, OfGame) and grant.scope.game == game.id:
        return game.viewpoint_of_seat(grant.seat, grant.since)
    return PUBLIC_EYES


def viewer_in_play(caller: Caller, game: Game) -> Viewer:
    """Return the viewer for a caller who does not see all the cards. Openness is left out: the answer rests on what the caller sees without
    it.
    """
    return game.viewer(viewpoint_of(caller, game), game.position, OpennessContext(game.boards))


def table_judged(rulebook: Rulebook, table: Table, viewer: Viewer) -> Table:
    """Return the table on which moves of a viewer are judged: the whole one for a viewer who sees all; for a seat a whole one that it
    cannot tell from this one; for the public this one, where a hidden card counts as an untold one (COM-76).
    """
    if viewer.has_full_view:
        return table
    return masked(table, viewer) if viewer.who == "public" else build_possible_table(table, viewer, rulebook.deck)


# The seat of a player


def seat_held(caller: Caller, game: Game) -> Seat:
    """Return the seat that a player holds now. Raises ``Forbidden`` for a player who never sat there, or has left."""
    eyes = viewpoint_of(caller, game)
    if not isinstance(eyes.who, int) or eyes.until is not None:
        raise Forbidden(say("seat_not_held"), *OFFICIALS)
    return eyes.who


def _check_own_moves(caller: Caller, game: Game, moves: Sequence[Made], *, dry_run: bool) -> None:
    """Raise ``Forbidden`` unless this is one move of the caller's own seat, in a game whose players make their moves themselves. A dry run
    is refused as well: the effects of a move reveal cards.
    """
    if game.opened.own_moves is UNSET:
        raise Forbidden(say("own_moves_closed"), *OFFICIALS)
    held = seat_held(caller, game)
    if dry_run or len(moves) != 1:
        raise Forbidden(say("own_move_alone"), *OFFICIALS)
    if _seat_of(moves[0]) != held:
        raise Forbidden(say("other_seat", seat=held), *OFFICIALS)
    _check_own_cards(caller, game, moves)


def _check_own_cards(caller: Caller, game: Game, moves: Sequence[Made]) -> None:
    """Raise ``Forbidden`` if the cards told beside a move are not of the player's own hand."""
    held = seat_held(caller, game)
    for made in moves:
        told = made if isinstance(made, KnownFaces) else made[2] if isinstance(made, tuple) and len(made) == 3 else KnownFaces()
        zones = {zone for cards in (told.known, told.lacks, told.worth) if isinstance(cards, dict) for zone in cards}
        if isinstance(made, KnownFaces) or not zones <= {f"hand:{held}"}:
            raise Forbidden(say("own_move_alone"), *OFFICIALS)


def _seat_of(made: Made) -> object:
    return made.seat if isinstance(made, Line) else made[0] if isinstance(made, tuple) else None


# The rules of a game


def bind_rules(books: Rulebooks, game: Game) -> Rulebook:
    """Return the rulebook by which the game is played, in the edition of its hand.

    Raises ``Refused`` where that edition is not kept any more and the hand is not over, and ``Unknown`` where no rules are kept.
    """
    setup, edition = game.setup, game.edition
    try:
        ruleset = books.editions[setup.ruleset, edition]
    except KeyError:
        ruleset = latest_of(books.rulesets, setup)
        if game.table.in_hand:
            raise Refused("edition_not_kept", edition=edition, newest=ruleset.edition, dealt_at=game.dealt_at) from None
    return bind_setup(ruleset, setup)


def latest_of(rulesets: Rulesets, setup: Setup) -> Ruleset:
    """Return the newest ruleset of the setup. Raises ``Unknown`` for a game whose rules are not kept here any more."""
    ruleset = rulesets.get(setup.ruleset)
    if ruleset is None:
        raise Unknown("ruleset", setup.ruleset)
    return ruleset


def bind_setup(ruleset: Ruleset, setup: Setup) -> Rulebook:
    """Return the rulebook for these options and seats, cached. Raises ``Refused`` for options that it does not know."""
    return _bind(ruleset, msgspec.json.encode(setup.options), setup.seats)


@lru_cache(maxsize=500)
def _bind(ruleset: Ruleset, options: bytes, seats: int) -> Rulebook:
    return ruleset.bind(msgspec.json.decode(options), seats)


@contextmanager
def convert_rule_errors(table: Table) -> Iterator[Any]:
    """Turn any exception of a rulebook on a recorded table into ``Refused("damaged_table")``. No rulebook is written for damaged tables."""
    try:
        yield
    except (Refused, Unknown):
        raise
    except Exception as error:
        _LOG.warning("the rulebook of %s fails on a table", table.setup.ruleset, exc_info=True)
        raise Refused("damaged_table") from error
