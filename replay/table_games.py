"""Games of a tournament at every moment of a change, read from their events: the input of the tournament's decisions, for its audit."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Recorded
from domain.events.game import GameOpened, SeatAct
from domain.game import Game, fold_event
from domain.score import totals
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.seat_history import SeatHistory, list_seated, open_seats

_UNNOTICED = timedelta(minutes=2)
"""A decision about a round reads the games before it is recorded: it may not have seen events that others recorded in between."""


class Merger(Struct, frozen=True):
    """A merger: from ``sequence`` on the player counts under ``into``, or for themselves."""

    sequence: int
    at: datetime
    player: str
    into: str | None


class Change(Struct, frozen=True):
    """A game of a tournament after an event that changed its result."""

    at: datetime
    game: TableGame


def table_games(history: Iterable[tuple[int, Recorded]]) -> list[Change]:
    """Return the changes of one game; none for one that belongs to no table of a tournament. Each event with its sequence."""
    found: list[Change] = []
    game: Game | None = None
    seats: SeatHistory | None = None
    for sequence, recorded in history:
        if game is None and (recorded.position != 1 or not _at_a_table(recorded)):
            return []
        before, game = game, fold_event(game, recorded)
        seated, seats = seats, _seats_after(seats, game, recorded)
        if before and (game.table.score, game.docket, seats) == (before.table.score, before.docket, seated):
            continue
        opened = found[0].game.opened if found else sequence
        now = _table_game(game, seats, opened, sequence)
        if not found or replace(now, since=found[-1].game.since) != found[-1].game:
            found.append(Change(recorded.stamp.at, now))
    return found


def _at_a_table(recorded: Recorded) -> bool:
    event = recorded.event
    return isinstance(event, GameOpened) and None not in (event.tournament, event.round, event.table)


def _seats_after(seats: SeatHistory | None, game: Game, recorded: Recorded) -> SeatHistory:
    if seats is None:
        return open_seats(game.opened.players)
    if isinstance(recorded.event, SeatAct):
        seats = seats.after_act(recorded.event, recorded.position)
    return seats.after_score(game.table.score, recorded.position)


def _table_game(game: Game, seats: SeatHistory, opened: int, since: int) -> TableGame:
    setup, score, opening = game.setup, game.table.score, game.opened
    return TableGame(
        game=game.id,
        opened=opened,
        since=since,
        round=opening.round or 0,
        table=opening.table or "",
        ruleset=setup.ruleset,
        options=setup.options,
        players=seats.players,
        parties=setup.parties,
        totals=totals(setup, score),
        places=score.places,
        standing=game.docket.standing,
        seated=list_seated(seats, setup, score),
    )


class RecordedContext(Struct, frozen=True):
    """The recorded data outside a tournament's stream on which its decisions depend: its games, and which ids are one person."""

    games: Sequence[Change] = ()
    mergers: Sequence[Merger] = ()

    def games_at(self, sequence: int) -> tuple[TableGame, ...]:
        """Return the games as they stood after this sequence."""
        last: dict[object, TableGame] = {}
        for change in sorted(self.games, key=lambda one: one.game.since):
            if change.game.since <= sequence:
                last[change.game.game] = change.game
        return tuple(sorted(last.values(), key=lambda game: game.opened))

    def build_person_of(self, sequence: int) -> PersonOf:
        """Return a function from a player to the id that they counted under after this sequence."""
        into = {one.player: one.into for one in self.mergers if one.sequence <= sequence}

        def person_of(player: str) -> str:
            seen = {player}
            while (following := into.get(player)) is not None and following not in seen:
                player = following
                seen.add(player)
            return player

        return person_of

    def list_times(self, sequence: int, at: datetime) -> Iterable[int]:
        """Return the sequences as of which an event may have been decided: its own, and those before other events that were recorded just
        before it.
        """
        changes = chain(((one.game.since, one.at) for one in self.games), ((one.sequence, one.at) for one in self.mergers))
        unnoticed = {since for since, when in changes if since < sequence and when >= at - _UNNOTICED}
        return (sequence, *(since - 1 for since in sorted(unnoticed, reverse=True)))
