"""The event fold of a game: the game after one more event, and after a whole history."""

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from domain import shuffling
from domain.aggregate import AggregateType
from domain.dispute import docket_after, score_after
from domain.errors import DataIntegrityError
from domain.events import Recorded, effects_of
from domain.events.game import (
    GameOpened,
    HandDealt,
    HandReported,
    MovePlayed,
    OrderLifted,
    PlayersCorrected,
    PlayerSeated,
    RewindRecorded,
    players_after,
)
from domain.events.player import PlayerEvent
from domain.events.shuffles import ShuffleEvent
from domain.events.tournament import TournamentEvent
from domain.game import Deal, DealSpan, Game, SeatChange
from domain.paper import Signature, signatures_after
from domain.score import Score
from domain.table import Table, fold


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
