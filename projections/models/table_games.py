"""Games of tournament tables, folded event by event: shared by the projections of table results."""

from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.dispute import Docket, docket_after, score_after
from domain.events import Recorded, effects_of
from domain.events import game as events
from domain.score import Score, fold_score, totals
from domain.setup import Setup
from domain.tournament.games import SeatedHands, TableGame
from domain.tournament.seat_history import SeatHistory, list_seated, open_seats
from projections.models.folded_scores import totals_only, writes_on_sheet
from projections.values import to_stored_value

_BEARING = frozenset(events.ACTS) - {
    events.IllegalMoveAccepted,
    events.TableCorrected,
    events.GameMadePublic,
    events.NoteAdded,
    events.SheetSigned,
    events.SignatureWithdrawn,
}
"""Acts that may change standing, score or players of a game. Those whose effects fall on the table matter only if they score."""


class TableGameState(Struct, frozen=True):
    """The state of a game from which its fold continues. ``opened`` is the sequence of its opening."""

    opened: int
    tournament: str
    round: int
    table: str
    seats: SeatHistory
    setup: Setup
    score: Score = Score()
    docket: Docket = Docket()

    def as_table_game(self, game: UUID, since: int) -> TableGame:
        """Return the game as its tournament sees it."""
        setup, score = self.setup, self.score
        return TableGame(
            game=game,
            opened=self.opened,
            since=since,
            round=self.round,
            table=self.table,
            ruleset=setup.ruleset,
            options=setup.options,
            players=self.seats.players,
            parties=setup.parties,
            totals=totals(setup, score),
            places=score.places,
            standing=self.docket.standing,
            seated=self.seated,
        )

    @property
    def seated(self) -> tuple[SeatedHands, ...]:
        return list_seated(self.seats, self.setup, self.score)


def has_table_effect(recorded: Recorded) -> bool:
    """Return whether the event of a game may change the result of its table, or the state from which a later event changes it."""
    return type(recorded.event) in _BEARING or writes_on_sheet(recorded)


def table_game_after(before: TableGameState | None, sequence: int, recorded: Recorded) -> TableGameState | None:
    """Return the state after the event; ``None`` for a game that belongs to no table of a tournament, or whose opening was unreadable."""
    event = recorded.event
    if before is None:
        return _begin_state(sequence, event) if isinstance(event, events.GameOpened) and recorded.position == 1 else None
    seats = before.seats
    if isinstance(event, events.SeatAct):
        seats = seats.after_act(event, recorded.position)
    score = score_after(fold_score(before.setup, before.score, effects_of(event)), recorded)
    seats = seats.after_score(score, recorded.position)
    return replace(before, seats=seats, score=totals_only(score), docket=docket_after(before.docket, recorded))


def _begin_state(sequence: int, event: events.GameOpened) -> TableGameState | None:
    tournament, round, table = to_stored_value(event.tournament), to_stored_value(event.round), to_stored_value(event.table)
    if tournament is None or round is None or table is None:
        return None
    return TableGameState(sequence, tournament, round, table, open_seats(event.players), event.setup)
