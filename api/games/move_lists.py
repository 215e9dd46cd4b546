"""Pages of legal moves, with their effects and lines."""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from api.games.lines import LineReading, NotationUnit, read_line, write_moves
from api.games.requests import LegalQuery
from api.http.errors import BadRequest, say
from api.http.problems import Ask, asks_of
from domain.cards import Seat
from domain.effects import Effects
from domain.errors import Refused
from domain.rules import Move, Rulebook
from domain.sight import Viewer, masked
from domain.table import Table

_LOOKED_AT = 20_000
"""Moves that are looked at for one page: a seat may have very many, few or none of which match."""


Wanted: TypeAlias = Callable[[Move], bool]


class MovesPage(Struct, frozen=True):
    """A page of moves.

    ``following``: the number of moves of the whole list before the next page; ``None`` on the last. A narrowed page may be short.
    """

    moves: list[Move]
    following: int | None
    reading: LineReading | UnsetType = UNSET
    written: list[str] | UnsetType = UNSET
    units: list[list[NotationUnit]] | UnsetType = UNSET


def parse_move_filter(query: LegalQuery, rulebook: Rulebook) -> Wanted | None:
    """Return the filter of the query; ``None`` where there is none.

    Raises ``BadRequest`` for a type or a card that the game does not have, and for a filter beside a line.
    """
    if query.text is not None and (query.type is not None or query.cards is not None or query.cursor is not None):
        raise BadRequest("bad_parameter", say("line_alone"), "text")
    if query.type is not None and query.type not in rulebook.types:
        raise BadRequest("bad_parameter", say("no_such_type", type=query.type, types=rulebook.types), "type")
    cards = Counter(map(rulebook.card_names.code_of, query.cards.split(",") if query.cards is not None else ()))
    if foreign := [card for card in cards if card not in rulebook.deck]:
        raise BadRequest("bad_parameter", say("no_such_card", card=foreign[0]), "cards")
    if query.type is None and not cards:
        return None
    return lambda move: query.type in (None, move["type"]) and cards <= Counter(rulebook.list_named_cards(move))


def moves_page(rulebook: Rulebook, table: Table, seat: Seat, skip: int, limit: int, wanted: Wanted | None) -> MovesPage:
    """Return a page of moves. ``skip`` counts moves of the whole list, so that a page begins where the one before stopped looking."""
    found: list[Move] = []
    most = _LOOKED_AT if wanted else limit
    place = skip
    for move in islice(rulebook.legal(masked(table, Viewer(seat)), seat), skip, None):
        if len(found) == limit or place - skip == most:
            return MovesPage(found, place)
        place += 1
        if wanted is None or wanted(move):
            found.append(move)
    return MovesPage(found, None)


def line_page(rulebook: Rulebook, table: Table, seat: Seat, text: str, limit: int, language: str) -> MovesPage:
    """Return the moves that the line may mean, the likeliest first."""
    moves, reading = read_line(rulebook, table, seat, text, language)
    return MovesPage(moves[:limit], None, reading)


def with_lines(rulebook: Rulebook, page: MovesPage, language: str) -> MovesPage:
    written, spelled = write_moves(rulebook, page.moves, language)
    return replace(page, written=written, units=spelled)


class MoveEffects(Struct, frozen=True):
    """The effects of a listed move; ``None`` where cards have to be told with it (``asks``), or a rule needs one that the seat does not
    see.
    """

    effects: Effects | None
    asks: list[Ask]


def move_effects(rulebook: Rulebook, table: Table, seat: Seat, move: Move) -> MoveEffects:
    try:
        return MoveEffects(rulebook.resolve(table, seat, move), [])
    except Refused as refused:
        return MoveEffects(None, asks_of(refused) or [])
