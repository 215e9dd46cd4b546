"""Moves: how an entry of a recorder becomes an event, and which moves a caller may make, decided before the rulebook is asked."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, assert_never

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.access import OFFICIALS, Grant, OfGame
from domain.cards import Seat
from domain.checks import check_seat_type, check_turn
from domain.effects import Effects, plain
from domain.errors import Forbidden, Refused, Unknown
from domain.events.game import CardsTold, IllegalMoveAccepted, MovePlayed, RefusedMove, ToldCards, ToldWorth
from domain.game import Game
from domain.notation.reading import read
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Option, Reading, Tells, Unreadable
from domain.notation.syntax import MoveFaces
from domain.notation.writing import NoNotation
from domain.opening import OpennessContext
from domain.rules import NOTHING_TOLD, KnownFaces, Rulebook, Ruleset, Rulesets
from domain.setup import Setup
from domain.sight import ARBITERS_EYES, COVERED, PUBLIC_EYES, Viewer, Viewpoint, build_possible_table, masked
from domain.table import Table, fold
from domain.table_changes import check_table_change, read_table_change
from domain.texts import say

# Entries of a recorder between two deals, and their events: a move in JSON, a move as a line of notation, or told cards.


MadeMove: TypeAlias = tuple[object, object] | tuple[object, object, KnownFaces]
"""A move as it comes in: seat and move, and cards told beside it."""


class Line(Struct, frozen=True):
    """A move in the notation (``domain/notation/``), with the letters of a language, at most ``LONGEST_LINE`` signs. Without a seat, the
    one whose turn it is.
    """

    seat: object
    text: str
    language: str


Made: TypeAlias = MadeMove | Line | KnownFaces
"""Told cards stand alone between two moves (COM-75)."""


class NotOneMove(Refused):
    """A line that does not mean exactly one move. ``options`` are moves that it, or longer lines, may mean."""

    def __init__(self, code: str, says: str, options: tuple[Option, ...] = (), at: int | None = None) -> None:
        super().__init__(code, says=says)
        self.options = options
        self.at = at


def resolve_entry(rulebook: Rulebook, table: Table, made: Made) -> MovePlayed | CardsTold:
    """Return the event of an entry. Raises ``Refused``: a line that means no move, or several, changes nothing."""
    made = parse_line(rulebook, table, made) if isinstance(made, Line) else made
    if isinstance(made, KnownFaces):
        made = _resolve_faces(rulebook, made)
        effects = rulebook.tell(table, made.known, made.worth)
        return CardsTold({} if made.known is UNSET else msgspec.convert(made.known, ToldCards), effects, _decode_hand_values(made.worth))
    seat, move, *beside = move_with_codes(rulebook, made)
    told = beside[0] if beside else NOTHING_TOLD
    effects = rulebook.resolve(table, seat, move, told)
    faces = _decode_faces(told.known), _decode_faces(told.lacks)
    return MovePlayed(check_seat_type(seat), plain(move), effects, *faces, _decode_hand_values(told.worth))


def move_with_codes(rulebook: Rulebook, made: MadeMove) -> MadeMove:
    """Return the move with codes in the place of names of cards."""
    seat, move, *beside = made
    return (seat, rulebook.with_codes(move), _resolve_faces(rulebook, beside[0])) if beside else (seat, rulebook.with_codes(move))


def _resolve_faces(rulebook: Rulebook, told: KnownFaces) -> KnownFaces:
    if told is NOTHING_TOLD:
        return told
    return KnownFaces(rulebook.card_names.in_zones(told.known), rulebook.card_names.in_zones(told.lacks), told.worth)


def parse_line(rulebook: Rulebook, table: Table, line: Line) -> MadeMove | KnownFaces:
    """Return the move that the line means, or the cards that it tells. Raises ``Refused``."""
    seat, refused = _seat_for_line(table, line)
    try:
        reading = read(rulebook, table, seat, line.text, line.language)
    except NoNotation:
        raise Refused("no_notation") from None
    if refused is not None and not isinstance(reading, Tells):
        raise refused
    return _convert_reading(seat, reading)


def parse_rejected_line(rulebook: Rulebook, table: Table, line: Line, seat: Seat) -> object:
    """Return the move that the line means for the seat, also out of turn and against the rules. Raises ``Refused``."""
    try:
        reading = read(rulebook, table, seat, line.text, line.language)
    except NoNotation:
        raise Refused("no_notation") from None
    if isinstance(reading, Tells):
        raise Refused("move_is_legal")
    return reading.move if isinstance(reading, IllegalReading | MoveReading) else _convert_reading(seat, reading)


def seat_of_line(table: Table, line: Line) -> Seat:
    """Return the seat for which the line is read."""
    return _seat_for_line(table, line)[0]


def _seat_for_line(table: Table, line: Line) -> tuple[Seat, Refused | None]:
    """Return a seat to read the line for, and the refusal if it may not move."""
    first = next(iter(table.to_act), 0) if table.turn is None else table.turn
    try:
        return check_turn(table, first if line.seat is None else line.seat, {}), None
    except Refused as refused:
        return first, refused


def _convert_reading(seat: Seat, reading: Reading) -> MadeMove | KnownFaces:
    match reading:
        case MoveReading(move=move, told=told):
            return (seat, move, _convert_faces(told)) if told.known or told.lacks else (seat, move)
        case Tells(told=told):
            return _convert_faces(told)
        case Ambiguous(says=says, options=options):
            raise NotOneMove("line_ambiguous", says, options)
        case Incomplete(says=says, options=options):
            raise NotOneMove("line_incomplete", says, options)
        case Unreadable(says=says, at=at):
            raise NotOneMove("line_unreadable", says, at=at)
        case IllegalReading(refused=refused):
            raise refused
        case _:
            assert_never(reading)


def _convert_faces(told: MoveFaces) -> KnownFaces:
    return KnownFaces(told.known or UNSET, told.lacks or UNSET)


def _decode_faces(zones: object) -> ToldCards | UnsetType:
    """Return the told cards as they were given; a rulebook has validated them."""
    return UNSET if zones is UNSET else msgspec.convert(zones, ToldCards)


def _decode_hand_values(worth: object) -> ToldWorth | UnsetType:
    return UNSET if worth is UNSET else msgspec.convert(worth, ToldWorth)


def get_known_faces(played: MovePlayed) -> KnownFaces:
    """Return the cards that were told with a recorded move."""
    told = KnownFaces(played.known, played.lacks, played.worth)
    return NOTHING_TOLD if told == NOTHING_TOLD else told


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
    """Return the events of moves, as ``play_moves`` makes them. Raises ``Refused``, ``Forbidden`` and ``Unknown``.

    A dry run by a caller who does not see all the cards is judged on what they see.
    """
    rulebook = bind_rules(books, game)
    if caller.has_full_view:
        return play_moves(game, rulebook, moves)
    if caller.role == "player":
        _check_own_moves(caller, game, moves, dry_run=dry_run)
    if not dry_run:
        return _play_in_sight(caller, game, rulebook, moves)
    seen = table_judged(rulebook, game.table, viewer_in_play(caller, game))
    with convert_rule_errors(seen):
        return play_moves(replace(game, table=seen), rulebook, moves)


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
        return play_moves(game, rulebook, made)
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


def play_moves(game: Game, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[MovePlayed | CardsTold, ...]:
    """Return the events of the moves, each played on the table that the one before left: all or none.

    Raises ``Refused`` with the ``index`` of the move (COM-65).
    """
    return _resolve_moves(game, rulebook, moves)[0]


def play_on(game: Game, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[tuple[MovePlayed | CardsTold, ...], Table]:
    """Return the events of the moves, and the table after them."""
    events, table = _resolve_moves(game, rulebook, moves)
    return events, fold(table, events[-1].effects) if events else table


def _resolve_moves(game: Game, rulebook: Rulebook, moves: Sequence[Made]) -> tuple[tuple[MovePlayed | CardsTold, ...], Table]:
    """Return the events, and the table before the last of them."""
    game.docket.check_play()
    table, events = game.table, list[MovePlayed | CardsTold]()
    for index, made in enumerate(moves):
        table = fold(table, events[-1].effects) if events else table
        try:
            events.append(resolve_entry(rulebook, table, made))
        except Refused as refused:
            refused.index = index
            raise
    return tuple(events), table


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


# Illegal moves: the refusal of one that was typed, and the accepted illegal move, which stood, with its effects on the table.


_NO_MOVES = ("malformed_move", "unknown_move")
"""Refusals of what is no move of the game; an event holds no text that somebody made up."""


class AcceptedMove(Struct, frozen=True):
    """A move that the rules refuse, undecoded or as a line. ``effects``: what it did; unset: what it says, by the rules of legal moves."""

    seat: object
    move: object
    effects: object = UNSET


def reject_move(rulebook: Rulebook, table: Table, seat: object, move: object) -> RefusedMove:
    """Return the refusal of a move or a line. Raises ``Refused``: ``move_is_legal`` for a legal move, and for what is no move."""
    refused = _find_refusal(rulebook, table, seat, move)
    if refused.code in _NO_MOVES:
        rulebook.resolve(table, refused.seat, refused.move)
    return refused


def build_accepted_move(rulebook: Rulebook, table: Table, stood: AcceptedMove) -> IllegalMoveAccepted:
    """Return an illegal move that stood. Raises ``Refused`` with ``move_is_legal`` where there is nothing to let stand."""
    refused = _find_refusal(rulebook, table, stood.seat, stood.move)
    given = stood.effects is not UNSET
    effects = read_table_change(rulebook, table, stood.effects) if given else derive_effects(rulebook, table, refused.seat, refused.move)
    return IllegalMoveAccepted(refused.seat, refused.move, refused.code, refused.rules, effects)


def derive_effects(rulebook: Rulebook, table: Table, seat: Seat, move: object) -> Effects:
    """Return what the move does to the cards as it was made: the effects that it would have if the rules allowed it.

    Raises ``Refused`` with ``effects_unclear`` where that makes no sense on this table, and with ``card_unknown``.
    """
    try:
        effects = rulebook.resolve_without_checks(table, seat, move)
        check_table_change(rulebook, table, effects)
    except Refused as refused:
        if refused.code == "card_unknown":
            raise
        raise Refused("effects_unclear") from refused
    except Exception as error:  # Any error: the game's own code counts on its checks.
        raise Refused("effects_unclear") from error
    return effects


def _find_refusal(rulebook: Rulebook, table: Table, seat: object, move: object) -> RefusedMove:
    """Return the refusal. Raises ``Refused`` for a legal move, and for one that may be legal: that depends on unknown cards."""
    if type(seat) is not int or not 0 <= seat < table.setup.seats:
        raise Refused("no_such_seat", seat=seat)
    move = parse_rejected_line(rulebook, table, move, seat) if isinstance(move, Line) else rulebook.with_codes(move)
    try:
        rulebook.resolve(table, seat, move)
    except Refused as refused:
        if refused.code == "card_unknown":
            raise
        # A move that no store can hold is refused for the reason that the rules gave, not for its form.
        try:
            kept = plain(move)
        except ValueError:
            raise refused from None
        return RefusedMove(seat, kept, refused.code, refused.rules)
    raise Refused("move_is_legal")
