"""The Game aggregate. ``folding.py`` folds its events; the methods decide which events may follow. Rulebooks come in as arguments.

Pure: no clock, no chance, no store.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.cards import Seat
from domain.dispute import Docket
from domain.effects import plain
from domain.entries import Made, check_seat_type, resolve_entry
from domain.errors import InvalidFormatError, Refused
from domain.events.base import TextRef
from domain.events.game import (
    CardsTold,
    GameOpened,
    HandDealt,
    HandReported,
    HandResult,
    MovePlayed,
    Openness,
    OpensAt,
    OwnMoves,
    RewindRecorded,
    Shuffle,
)
from domain.events.played import check_played_at
from domain.openness import Boards, OpennessContext, check_openness, encode_live, in_utc
from domain.paper import Signature
from domain.rules import Rulebook, Ruleset
from domain.setup import Setup
from domain.shuffling import Tries
from domain.sight import PUBLIC_EYES, Viewer, Viewpoint, Who
from domain.table import Table, fold
from domain.texts import say
from domain.time_zones import UTC_ZONE, encode_time_zone


class Deal(Struct, frozen=True, gc=False):
    """The place of a deal in the history, and its edition of the rules. ``hand`` is its number, ``board`` that of a prepared board.

    ``reported``: it was not dealt here, only its result is known. No card lies on the table then.
    """

    position: int
    edition: int
    hand: int
    board: int | None = None
    reported: bool = False


class DealSpan(Struct, frozen=True, gc=False):
    """A stretch of positions: from ``first`` on the cards of this deal lay on the table, until the next stretch; of none, where a rewind
    cleared it.
    """

    first: int
    deal: Deal | None


class SeatChange(Struct, frozen=True, gc=False):
    """A player left their seat to another player, or to nobody, with the event at ``position``; 0 for one who never sat there after all.

    ``player`` is ``None`` where nobody had been named.
    """

    player: str | None
    seat: Seat
    position: int


class Game(Struct, frozen=True, gc=False):
    """A game, folded from its events. ``position`` is that of its last event, ``last`` the stored bytes of that event.

    ``opened`` is the opening event with the players who sit there now. ``deals`` are those of the hands that stand, ``stretches`` tell of
    every position whose cards lay there, those of hands that were taken back among them. ``voids`` are the ranges of positions, both
    ends included, that rewinds took back, acts of officials among them. ``departures`` tell of those who sit there no more.
    ``tries`` are those to come to a deck that nobody chose. ``settled_at`` is the position of the last event that settled a deal: a move,
    also one that was taken back, or the deal itself where nobody typed its deck.
    """

    id: UUID
    position: int
    last: bytes
    opened: GameOpened
    table: Table
    deals: tuple[Deal, ...] = ()
    voids: tuple[tuple[int, int], ...] = ()
    docket: Docket = Docket()
    stretches: tuple[DealSpan, ...] = ()
    bound: bool = False
    signatures: tuple[Signature, ...] = ()
    departures: tuple[SeatChange, ...] = ()
    tries: Tries = ()
    settled_at: int = 0

    @property
    def version(self) -> int:
        """The position, under the name that eventsourcing's repository uses."""
        return self.position

    @property
    def setup(self) -> Setup:
        return self.opened.setup

    @property
    def dealt_at(self) -> int:
        """The position at which the hand in progress (or last played) was dealt; 0 before the first."""
        return self.deals[-1].position if self.deals else 0

    def position_before(self, hand: int) -> int | None:
        """Return the last position before the hand, 0 for the first; ``None`` where no such hand stands."""
        return 0 if hand == 1 else next((deal.position - 1 for deal in self.deals if deal.hand == hand), None)

    @property
    def undo_limit(self) -> int:
        """Return the first position to which a recorder may go back; 0 before the first hand.

        A deal stays until the first move of the hand, unless its deck was typed or is unknown. Then the recorder may take it back, to the
        hand before it or to the opening. The same holds for a report, which is a single event.
        """
        if not self.deals or not (self.deals[-1].reported or self.dealt_at > self.settled_at):
            return self.dealt_at
        return self.deals[-2].position if len(self.deals) > 1 else 1

    @property
    def first_rewind_position(self) -> int | None:
        """Return the earliest position to which a recorder may rewind: the present one where nothing after it could be taken back, and
        ``None`` where no hand was dealt or the game does not continue.
        """
        earliest = max(self.undo_limit, self.docket.ordered_at)
        return earliest if self.deals and self.docket.standing == "open" else None

    @property
    def latest_deal(self) -> Deal | None:
        """Return the deal or report that was recorded last, also where it was taken back."""
        return next((one.deal for one in reversed(self.stretches) if one.deal and one.deal.position == one.first), None)

    @property
    def count_void_deals(self) -> Counter[int]:
        """Count, by number of the hand, the deals that were made and do not stand. Results alone are no deals."""
        dealt = (stretch.deal for stretch in self.stretches if stretch.deal and stretch.deal.position == stretch.first)
        return Counter(deal.hand for deal in dealt if not deal.reported and deal not in self.deals)

    @property
    def edition(self) -> int:
        """The edition of the rules by which the game is played now: that of its hand; before the first, that of its opening."""
        return self.deals[-1].edition if self.deals else self.opened.edition

    def is_void(self, position: int) -> bool:
        """Return whether a rewind took the event back, or it was ordered and lifted. Acts of officials within the range stay valid."""
        return position in self.docket.lifted or (self.was_left(position) and position not in self.docket.spared)

    def was_left(self, position: int) -> bool:
        """Return whether the position lies in a range that a rewind took back, so that the game cannot return to it."""
        return any(first <= position <= last for first, last in self.voids)

    def viewpoint_of(self, player: str) -> Viewpoint:
        """Return the eyes of a player: those of the seat that they hold; if they hold none any more, of the seat that they left last, up to
        there.
        """
        if player in self.opened.players:
            return Viewpoint(self.opened.players.index(player))
        left = [one for one in self.departures if one.player == player]
        return Viewpoint(left[-1].seat, left[-1].position) if left else PUBLIC_EYES

    def viewpoint_of_seat(self, seat: Seat, since: int) -> Viewpoint:
        """Return the eyes of the player who sat on the seat at position ``since``."""
        if not 0 <= seat < self.setup.seats:
            return PUBLIC_EYES
        left = (one.position for one in self.departures if one.player is not None and one.seat == seat and one.position > since)
        return Viewpoint(seat, next(left, None))

    # All questions of visibility end here: when something is open is decided in ``_openness`` and nowhere else.

    def viewer(self, eyes: Viewpoint | Who, position: int, around: OpennessContext) -> Viewer:
        """Return the viewer for a position. ``open`` is set once the openness of the game allows it; the public sees nothing of a board
        that another table still plays (``covered``), and of a game in progress that is not live (``dark``).
        """
        deal, who = self.deal_at(position), eyes.at(position) if isinstance(eyes, Viewpoint) else eyes
        public = who == "public"
        covered = public and deal is not None and deal.board in around.boards
        return Viewer(who, self._is_open(deal, position, around), covered, public and self.is_hidden_until_over)

    def is_open(self, position: int, around: OpennessContext) -> bool:
        """Return whether everybody may see everything that lay on the table at this position, as the game stands now.

        A ruling that goes back closes a position that was open, unless it ``is_open_forever``.
        """
        return self._is_open(self.deal_at(position), position, around)

    def _is_open(self, deal: Deal | None, position: int, around: OpennessContext) -> bool:
        # A position without a deal may still have talk that tells of cards dealt there before.
        return self._openness(deal, around) if deal else self.is_open_through(position, around)

    def is_open_through(self, position: int, around: OpennessContext) -> bool:
        """Return whether everybody may see everything that lay on the table up to this position, also in hands taken back by then."""
        shown = all(self._openness(stretch.deal, around) for stretch in self.stretches if stretch.first <= position)
        return shown and self._openness(None, around)

    def hides(self, first: int, last: int, around: OpennessContext) -> bool:
        """Return whether at any of these positions, both ends included, cards lay on the table that not everybody may see."""
        if first > min(last, self.position):
            return False
        further = (stretch.deal for stretch in self.stretches if first < stretch.first <= last) if first < last else ()
        return any(deal is not None and not self._openness(deal, around) for deal in (self.deal_at(first), *further))

    def are_hands_open(self, around: OpennessContext) -> bool:
        """Return whether everybody may see all the hands that stand."""
        return self.is_open(self.position, around) and not any(deal.board in around.boards for deal in self.deals)

    @property
    def boards(self) -> Boards:
        """The prepared boards that were dealt here, in hands that were taken back, too."""
        return frozenset(stretch.deal.board for stretch in self.stretches if stretch.deal and stretch.deal.board is not None)

    @property
    def is_in_progress(self) -> bool:
        return self.docket.ended is None and self.table.phase != "game_over"

    @property
    def is_hidden_until_over(self) -> bool:
        """Return whether the public sees only that the game is on, and the points of closed hands."""
        return self.opened.live is False and self.is_in_progress and not self.docket.disclosed

    def hidden_from_position(self, eyes: Viewpoint) -> int | None:
        """Return the first position of which these eyes see only that it is there; ``None`` where there is none."""
        if not self.is_hidden_until_over or eyes.at(self.position) != "public":
            return None
        return 1 if eyes.until is None else eyes.until + 1

    def is_open_forever(self, position: int, around: OpennessContext) -> bool:
        """Return whether a position is open and stays so. An abandoned or annulled game is over for good: no move is made in it any more.
        But a ruling that annulled it may be overturned, a prepared board be dealt at yet another table, and a round continue.
        """
        liftable = any(order.kind == "annulment" for order in self.docket.orders) or self.boards
        lasting = self.docket.disclosed or self.opened.openness != "round_over"
        return self.docket.ended is not None and not liftable and lasting and self.is_open(position, around)

    def tells(self, text: str | None, position: int, around: OpennessContext) -> bool:
        """Return whether everybody may read a text that came with the event at this position: it may name any card that was dealt by then.
        No text of a dark game is shown.
        """
        return (text in self.docket.public and not self.is_hidden_until_over) or self.is_open_through(position, around)

    def is_wait_over(self, around: OpennessContext) -> bool:
        """Return whether the openness has come that the game waits for and no event of its own brings."""
        match self.opened.openness:
            case "round_over":
                return around.round_over
            case "tournament_over":
                return around.tournament_over
            case OpensAt(at=at):
                return around.now is not None and at <= around.now
            case "hand_over" | "game_over" | "never":
                return False

    def deal_at(self, position: int) -> Deal | None:
        """Return the deal whose cards lay on the table at this position; ``None`` before the first."""
        stretches = self.stretches
        if stretches and stretches[-1].first <= position:
            return stretches[-1].deal  # the usual question: the present hand
        place = bisect_right(stretches, position, key=lambda stretch: stretch.first)
        return stretches[place - 1].deal if place else None

    def _openness(self, deal: Deal | None, around: OpennessContext) -> bool:
        """Return whether the cards of a deal may be shown to everybody; without one, whether those may that lie on no table.

        Nothing is open of a board that another table still plays. A hand that was taken back opens with the one that replaces it, or with
        the game, whatever opens the others.
        """
        if self.is_hidden_until_over or (deal is not None and deal.board in around.boards):
            return False
        over = not self.is_in_progress
        closed = over or deal is None or self.is_closed(deal.hand)
        if self.docket.disclosed or self.is_wait_over(around):
            return closed or deal in self.deals
        match self.opened.openness:
            case "hand_over":
                return closed
            case "game_over":
                return over
            case "round_over" | "tournament_over" | "never" | OpensAt():
                return False

    def is_closed(self, hand: int) -> bool:
        """Return whether a hand of this number stands and is over. A hand that was taken back opens with the one that replaces it."""
        return bool(self.deals) and hand <= self.deals[-1].hand - self.table.in_hand

    def deal(
        self, rulebook: Rulebook, edition: int, dealer: object, deck: object, how: Literal["recorded", "shuffled"], known: object = UNSET
    ) -> HandDealt:
        """Return the deal of a typed or shuffled deck. ``known``: the told cards of the deck by zone. Raises ``Refused`` (COM-13 to COM-16,
        COM-65, COM-70).
        """
        self._check_decks_entered()
        effects = rulebook.deal(self.table, dealer, deck, known)
        return HandDealt(check_seat_type(dealer), edition, how, effects)

    def deal_board(self, rulebook: Rulebook, edition: int, dealer: object, deck: object, board: int) -> HandDealt:
        """Return the deal of a prepared board of the round. Raises ``Refused``, also for a board that was dealt here and stands."""
        self._check_decks_entered()
        effects = rulebook.deal(self.table, dealer, deck)
        if any(deal.board == board for deal in self.deals):
            raise Refused("board_played", board=board)
        return HandDealt(check_seat_type(dealer), edition, "prepared", effects, board)

    def _check_decks_entered(self) -> None:
        """Raise ``Refused`` where every deck follows from chances."""
        self.docket.check_play()
        if self.opened.shuffle is not UNSET:
            raise Refused("shuffle_is_fair")

    def report(self, rulebook: Rulebook, edition: int, dealer: object, result: object) -> HandReported:
        """Return the report of a hand of which only the result is known. Raises ``Refused`` (COM-13 to COM-15, COM-65, COM-67)."""
        self.docket.check_play()
        effects = rulebook.report(self.table, dealer, result)
        return HandReported(check_seat_type(dealer), edition, msgspec.convert(plain(result), HandResult), effects)

    def play(self, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[MovePlayed | CardsTold, ...]:
        """Return the events of the moves, each played on the table that the one before left: all or none.

        Raises ``Refused`` with the ``index`` of the move (COM-65).
        """
        return self._resolve_moves(rulebook, moves)[0]

    def play_on(self, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[tuple[MovePlayed | CardsTold, ...], Table]:
        """Return the events of the moves, and the table after them."""
        events, table = self._resolve_moves(rulebook, moves)
        return events, fold(table, events[-1].effects) if events else table

    def _resolve_moves(self, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[tuple[MovePlayed | CardsTold, ...], Table]:
        """Return the events, and the table before the last of them."""
        self.docket.check_play()
        table, events = self.table, list[MovePlayed | CardsTold]()
        for index, made in enumerate(moves):
            table = fold(table, events[-1].effects) if events else table
            try:
                events.append(resolve_entry(rulebook, table, made))
            except Refused as refused:
                refused.index = index
                raise
        return tuple(events), table

    def check_rewind(self, to: int) -> None:
        """Raise ``Refused`` unless the recorder may rewind to ``to``: a position that stands, within the last hand, and not before the last
        act of an official that changed table or sheet.
        """
        self.docket.check_play()
        if not self.dealt_at:
            raise Refused("nothing_to_rewind")
        if to >= self.position:
            raise Refused("rewind_ahead", to=to, position=self.position)
        if to < self.undo_limit:
            typed = self.dealt_at != self.settled_at
            raise Refused("rewind_too_far", to=to, dealt_at=self.undo_limit, **({} if typed else {"problem": "deck"}))
        if to < self.docket.ordered_at:
            raise Refused("rewind_past_ruling", to=to, ordered_at=self.docket.ordered_at)
        if self.was_left(to):
            raise Refused("rewind_to_void", to=to)

    def rewind(self, to: int, reason: TextRef | None, restored: Table) -> RewindRecorded:
        """Return the rewind to ``to``. ``restored`` is the table as it stood there, folded from the events. Raises ``Refused``."""
        self.check_rewind(to)
        return RewindRecorded(to, reason, None, restored)


def opening(
    ruleset: Ruleset,
    options: object,
    seats: object,
    players: Sequence[str | None] = (),
    *,
    openness: Openness = "game_over",
    tournament: str | None = None,
    round: int | None = None,
    table: str | None = None,
    played_at: str | UnsetType = UNSET,
    live: bool = True,
    own_moves: bool = False,
    shuffle: Shuffle = UNSET,
    time_zone: str = UTC_ZONE,
) -> GameOpened:
    """Return the opening of a game. Raises ``Refused`` (COM-10 to COM-12) and ``InvalidFormatError``: with ``bad_players`` (one id or null
    per seat, nobody twice), with ``impossible_time`` for a time at which it cannot have been played, and with ``bad_openness`` where the
    game belongs to no round, or no tournament, that could be over.
    """
    setup = ruleset.bind(options, seats).setup
    check_played_at(played_at)
    check_openness(openness, tournament, round)
    if players:
        check_players(setup, players)
    seated = tuple(players) or (None,) * setup.seats
    return GameOpened(
        setup,
        ruleset.edition,
        seated,
        in_utc(openness),
        tournament,
        round,
        table,
        played_at,
        encode_live(live),
        encode_own_moves(own_moves),
        shuffle,
        encode_time_zone(time_zone),
    )


def check_players(setup: Setup, players: Sequence[str | None]) -> None:
    """Raise ``InvalidFormatError`` with ``bad_players`` unless it is one id or null for each seat, and nobody twice."""
    named = [player for player in players if player is not None]
    if len(players) != setup.seats:
        raise InvalidFormatError("bad_players", say("players.number", seats=setup.seats, given=len(players)), "players")
    if len(set(named)) < len(named):
        raise InvalidFormatError("bad_players", say("players.twice"), "players")


def encode_own_moves(own_moves: object) -> OwnMoves:
    """Return the stored form: absent where a recorder makes the moves."""
    return True if own_moves is True else UNSET
