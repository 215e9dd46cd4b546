"""End of a round or tournament: for one of its games, whose openness may wait for it, and for codes and sessions."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from domain.errors import Refused
from domain.game import Game
from domain.tournament.state import Round, RoundTable
from domain.tournament.tally import is_decided, list_pending_entrants
from domain.tournament.tournament import Tournament


def is_round_over(own: Game, others: Sequence[Game], tournament: Tournament | None) -> bool:
    """Return whether every table of the round of a game has ended or is settled otherwise. Annulled games are ignored.

    A table that was adjourned is still to be played, also where its round was closed without it; one at which a ruling went back is played
    again. ``others`` are the games of the round; ``tournament`` is ``None`` where it is not known here: then its games alone decide, as
    they do for games at no table that was paired. Raises nothing.
    """
    if tournament and tournament.ended and tournament.ended.how == "cancelled":
        return True
    counting = [game for game in (own, *others) if game.docket.ended != "annulled"]
    paired = round_of(own, tournament)
    names = {table.name for table in paired.tables} if paired else set()
    strays = [game for game in counting if game.opened.table not in names]
    if any(game.is_in_progress for game in strays):
        return False
    if tournament is None or paired is None:
        return True
    return all(_is_done(tournament, table, [game for game in counting if game.opened.table == table.name]) for table in paired.tables)


def is_tournament_over(own: Game, tournament: Tournament | None) -> bool:
    """Return whether its tournament has ended for a game; a game that a ruling took up again after the end is played first."""
    if tournament is None or tournament.ended is None:
        return False
    return tournament.ended.how == "cancelled" or not own.is_in_progress


def _is_done(tournament: Tournament, table: RoundTable, games: Sequence[Game]) -> bool:
    if is_decided(table) or (table.entered and not list_pending_entrants(tournament, table, table.entered)):
        return True
    return len(games) >= tournament.plan.games and not any(game.is_in_progress for game in games)


def round_of(own: Game, tournament: Tournament | None) -> Round | None:
    """Return the round that a game names; ``None`` where none was paired."""
    number = own.opened.round or 0
    return tournament.rounds[number - 1] if tournament and 1 <= number <= len(tournament.rounds) else None


# Access expiry: the moment until which codes and sessions of a tournament are valid.


AFTER_END = timedelta(days=1)
AFTER_LAST_ROUND = timedelta(days=14)
"""For codes that are valid for the whole tournament, if its end is not recorded: a league that plays weekly may skip an evening."""


def access_end(tournament: Tournament, *, lasting: bool) -> datetime | None:
    """Return the moment at which access ends; ``None`` where none is known yet.

    ``lasting``: the code is good for the whole tournament. A last round is counted from when it was paired, unpaired or closed. Pairing
    another one moves the end, also after it has passed. A tournament that is reopened gives back the access that ended with it.
    """
    if tournament.ended_at is not None:
        return tournament.ended_at + AFTER_END
    if lasting and tournament.round_changed_at is not None:
        return tournament.round_changed_at + AFTER_LAST_ROUND
    return None


def check_access(tournament: Tournament, now: datetime, *, lasting: bool) -> None:
    """Raise ``Refused`` where access has ended."""
    end = access_end(tournament, lasting=lasting)
    if end is not None and end <= now:
        raise Refused("tournament_ended") if tournament.ended else Refused("last_round_long_ago", days=AFTER_LAST_ROUND.days)
