"""The Game aggregate and the fold of its events. Its methods decide which events may follow; rulebooks come in as arguments. Pure: no
clock, no chance, no store.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain import shuffling
from domain.cards import Seat
from domain.checks import check_seat_type
from domain.dispute import Docket, docket_after, score_after
from domain.effects import plain
from domain.errors import DataIntegrityError, Refused
from domain.events import AggregateType, Recorded, effects_of
from domain.events.base import TextRef
from domain.events.game import (
    GameOpened,
    HandDealt,
    HandReported,
    HandResult,
    MovePlayed,
    OpensAt,
    OrderLifted,
    PlayersCorrected,
    PlayerSeated,
    RewindRecorded,
    players_after,
)
from domain.events.player import PlayerEvent
from domain.events.shuffles import ShuffleEvent
from domain.events.tournament import TournamentEvent
from domain.opening import Boards, OpennessContext
from domain.paper import Signature, signatures_after
from domain.rules import Rulebook
from domain.score import Score
from domain.setup import Setup
from domain.shuffling import Tries
from domain.sight import PUBLIC_EYES, Viewer, Viewpoint, Who
from domain.table import Table, fold


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


# The event fold of a game: the game after one more event, and after a whole history.


def fold_event(game: Game | None, recorded: Recorded) -> Game:
    """Return the game after one more event. Total with one exception: raises ``DataIntegrityError`` if the first event cannot be read."""
    event = recorded.event
    if game is None:
        if not isinstance(event, GameOpened):
            raise DataIntegrityError(recorded.stream, recorded.position, "the opening of the game cannot be read")
        return Game(recorded.stream, recorded.position, recorded.state, event, Table(event.setup), bound=recorded.link is not None)
    position, last = recorded.position, recorded.state
    # Written out, because ``match`` and ``replace`` are slower and most events are moves.
    if type(event) is MovePlayed:
        table, docket = fold(game.table, event.effects), game.docket
        signed = game.signatures and _update_signatures(game, table, recorded)
        deals, voids, stretches = game.deals, game.voids, game.stretches
        return Game(
            game.id,
            position,
            last,
            game.opened,
            table,
            deals,
            voids,
            docket,
            stretches,
            game.bound,
            signed,
            game.departures,
            game.tries,
            position,
        )
    match event:
        case HandDealt(effects=effects, edition=edition, board=board, how=how):
            table = fold(game.table, effects)
            deal = Deal(position, edition, table.hand, None if board is UNSET else board)
            settled = game.settled_at if how == "recorded" else position
            return _begin_hand(replace(game, tries=shuffling.dealt(game.tries, position), settled_at=settled), recorded, table, deal)
        case HandReported(effects=effects, edition=edition):
            table = fold(game.table, effects)
            off = replace(game, tries=shuffling.end_pending(game.tries)) if game.tries else game  # the deck was for this hand
            return _begin_hand(off, recorded, table, Deal(position, edition, table.hand, reported=True))
        case _ if isinstance(event, ShuffleEvent):
            after = shuffling.attempts_after(game.tries, event, position, game.table.hand + 1)
            return replace(game, position=position, last=last, tries=after)
        case _:
            acted = _apply_act(replace(game, position=position, last=last, docket=docket_after(game.docket, recorded)), recorded)
            signed = _update_signatures(game, acted.table, recorded)
            return acted if signed is game.signatures else replace(acted, signatures=signed)


def _update_signatures(before: Game, after: Table, recorded: Recorded) -> tuple[Signature, ...]:
    return signatures_after(before.signatures, recorded, before.setup, before.table.score, after.score)


def _begin_hand(game: Game, recorded: Recorded, table: Table, deal: Deal) -> Game:
    """Return the game after the first event of a hand."""
    deals, stretches, signed = (
        (*game.deals, deal),
        (*game.stretches, DealSpan(deal.position, deal)),
        _update_signatures(game, table, recorded),
    )
    return replace(game, position=recorded.position, last=recorded.state, table=table, deals=deals, stretches=stretches, signatures=signed)


def _apply_act(game: Game, recorded: Recorded) -> Game:
    """Return the game after an event that is neither a deal nor a move."""
    event, table = recorded.event, fold(game.table, effects_of(recorded.event))
    score = score_after(table.score, recorded)
    if isinstance(event, RewindRecorded):
        table = replace(event.restored, score=score)
        voids = (*game.voids, (event.to + 1, recorded.position - 1))
        back = replace(game, table=table, voids=voids, tries=shuffling.end_pending(game.tries, event.to))
        return _drop_void_adjustments(_restore_deal(back, event.to), game.table)
    if isinstance(event, OrderLifted) and event.restored is not None:
        return _restore_before_order(game, event.restored, score, event.position)
    if isinstance(event, PlayerSeated):
        return _seat_player(game, event)
    if isinstance(event, PlayersCorrected):
        return _correct_players(game, event)
    if isinstance(event, OrderLifted) and event.reopened:
        table = replace(table, phase="hand_over")
    return replace(game, table=replace(table, score=score))


def _seat_player(game: Game, event: PlayerSeated) -> Game:
    players = players_after(game.opened.players, event)
    gone = (SeatChange(known, seat, game.position) for seat, known in enumerate(game.opened.players) if known != players[seat])
    return replace(game, opened=replace(game.opened, players=players), departures=(*game.departures, *gone))


def _correct_players(game: Game, event: PlayersCorrected) -> Game:
    """Return the game in which these players sat there from that hand on. Who was named for it by mistake left before it, or never came."""
    players, before = players_after(game.opened.players, event), game.position_before(event.from_hand) or 0
    named = [one for one in game.departures if one.position > before]
    named += [SeatChange(known, seat, game.position) for seat, known in enumerate(game.opened.players)]
    first = {one.seat: one for one in reversed(named)}
    left = [one for one in game.departures if one.position <= before]
    for one in named:
        if one is not first[one.seat]:
            left.append(replace(one, position=0))
        elif one.player != players[one.seat]:
            left.append(replace(one, position=before))
    departures = tuple(sorted((one for one in left if one.player is not None), key=lambda one: one.position))
    return replace(game, opened=replace(game.opened, players=players), departures=departures)


def _restore_before_order(game: Game, restored: Table, score: Score, order: int) -> Game:
    """Return the game after an order at this position was lifted: the table is as it was before the order, and what a rewind had taken back
    stands again.
    """
    voids = (*((first, last) for first, last in game.voids if last != order - 1), (order, game.position - 1))
    game = replace(game, table=replace(restored, score=score), voids=voids)
    standing = tuple(one.deal for one in game.stretches if one.deal and one.first == one.deal.position and not game.was_left(one.first))
    deal, spared = game.deal_at(order - 1), game.docket.spared | {one.position for one in score.adjustments}
    stretches = game.stretches if deal == game.deal_at(game.position) else (*game.stretches, DealSpan(game.position, deal))
    return replace(game, deals=standing, stretches=stretches, docket=replace(game.docket, spared=spared))


def _restore_deal(game: Game, to: int) -> Game:
    """Return the game after a rewind: the cards of the hand of ``to`` lie on the table; hands that were dealt later do not stand."""
    deal, standing = game.deal_at(to), tuple(deal for deal in game.deals if deal.position <= to)
    if deal == game.deal_at(game.position):
        return replace(game, deals=standing)
    return replace(game, deals=standing, stretches=(*game.stretches, DealSpan(game.position, deal)))


def _drop_void_adjustments(game: Game, before: Table) -> Game:
    """Return the game without spared adjustments of a hand that was taken back: they are void with it."""
    gone = {one.position for one in before.score.adjustments} - {one.position for one in game.table.score.adjustments}
    return replace(game, docket=replace(game.docket, spared=game.docket.spared - gone)) if gone else game


def project(game: Game | None, history: Iterable[Recorded]) -> Game | None:
    """Fold a whole history, or continue from a game; ``None`` where there is no event, or where the events are not those of a game."""
    for recorded in history:
        if game is None and isinstance(recorded.event, TournamentEvent | PlayerEvent):
            return None
        game = fold_event(game, recorded)
    return game


GAME = AggregateType("game", Game, project)
