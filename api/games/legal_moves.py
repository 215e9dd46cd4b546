"""Legal moves at a position."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.access_audit import record_access
from api.common.reading import game_at, load_openness_context, viewer_for
from api.common.rulebooks import handle_rule_errors, load_frame_texts
from api.games.move_lists import MoveEffects, MovesPage, line_page, move_effects, moves_page, parse_move_filter, with_lines
from api.games.replay_starts import in_pieces
from api.games.requests import LegalQuery
from api.games.responses import LegalMoves, SeatedWords
from api.http.decoding import read_query
from api.http.errors import say
from api.http.operations import Content, reads
from api.http.paging import cursor_in_epoch, page_links
from api.http.request import Request, language_of, services_of
from api.http.response import Response, build_etag_response, encode
from domain.access import OFFICIALS
from domain.cards import Seat
from domain.errors import BadCursor, Forbidden
from domain.game import Game
from domain.moves import bind_rules, table_judged, viewpoint_of
from domain.sight import Viewer, Viewpoint, masked
from domain.table import Table

# Legal moves, all or those of one type or with certain cards.


_FURTHEST = 1_000_000  # moves; a page is found by counting from the first, which must not take too long


@reads(
    "/v1/games/{game:uuid}/legal-moves",
    "list_legal_moves",
    "List the legal moves of a seat, now or at a position",
    tag="Reading",
    description=(
        "Without `seat` the answer is for the seat whose turn it is. A viewer needs an open game, because legal moves show "
        "cards. A player asks for their own seat. Officials who see what the public sees get hidden cards treated as "
        "unknown ones, and the moves that could be legal. With `type` or `cards` a page may be short or empty although "
        "others follow; `next` says so."
    ),
    query=LegalQuery,
    responses={200: Content("a page of moves, in a stable order", LegalMoves, headers=("ETag", "Link"))},
    refuses=(403, 422),
)
async def list_legal_moves(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, LegalQuery)
    now = await services_of(request).journal.current(game)
    position, seat, skip = _place(query, now)
    then = await game_at(request, now, position)
    eyes, around = viewpoint_of(request.user, now), await load_openness_context(request, now)
    viewer = now.viewer(eyes, position, around)
    seat = seat if seat is not None else _first_seat(then.table, viewer)
    _check_asks(request, now, viewer, seat, query)
    record_access(request, now, eyes, around, position, position)
    found, outcomes, untold = await asyncio.to_thread(_page, request, then, viewer, seat, skip, query)
    following = cursor_in_epoch(request, None if found.following is None else f"{position}.{seat}.{found.following}")
    page = LegalMoves(
        game=game,
        position=position,
        seat=seat,
        moves=found.moves,
        next=following,
        effects=[one.effects for one in outcomes] if query.effects else UNSET,
        asks=[one.asks for one in outcomes] if untold else UNSET,
        written=found.written,
        units=found.units,
        said=_describe_moves(request, then, seat, found, outcomes if query.effects else ()) if query.said else UNSET,
        reading=found.reading,
    )
    narrowed = query.type is not None or query.cards is not None or query.text is not None
    links = page_links(request, {"cursor": following}, {} if narrowed else _previous(request, position, seat, skip, query.limit))
    tag = f"{position}.{seat}.{skip}{_sight_tag(viewer)}"
    if page.written is UNSET and page.said is UNSET:
        return build_etag_response(request, f"{tag}.json", lambda: encode(page), headers=links)
    spoken, vary = language_of(request), "accept-language, authorization"
    said = ("content-language", spoken)
    return build_etag_response(request, f"{tag}.{spoken}.json", lambda: encode(page), headers=[*links, said], vary=vary)


def _first_seat(table: Table, viewer: Viewer) -> Seat | None:
    """Return the seat to act, as far as the viewer may know it."""
    if isinstance(viewer.who, int):
        return viewer.who
    seen = masked(table, viewer)
    return seen.turn if seen.turn is not None else next(iter(seen.to_act), None)


def _check_asks(request: Request, now: Game, viewer: Viewer, seat: Seat | None, query: LegalQuery) -> None:
    """Check that a player asks for their own seat, and not for effects, which reveal cards. Raises ``Forbidden``."""
    everybody = viewer.has_full_view or request.user.has_public_sight
    viewer_for(request, now, f"seat:{seat or 0}", is_open=everybody)
    if not everybody and (viewer.who != seat or query.effects):
        raise Forbidden(say("branch_closed"), *OFFICIALS)


def _sight_tag(viewer: Viewer) -> str:
    return "" if viewer.has_full_view else f".{Viewpoint(viewer.who)}{'.covered' if viewer.covered else ''}{'.dark' if viewer.dark else ''}"


def _place(query: LegalQuery, now: Game) -> tuple[int, int | None, int]:
    """Return position, seat and the number of moves to skip. A cursor names all three, so that its pages belong to one table.

    Raises ``BadCursor``.
    """
    if query.cursor is None:
        return query.position or now.position, query.seat, 0
    parts = query.cursor.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise BadCursor
    position, seat, skip = (int(part) for part in parts)
    if query.position not in (None, position) or query.seat not in (None, seat) or skip > _FURTHEST:
        raise BadCursor(say("cursor_elsewhere"))
    return position, seat, skip


def _previous(request: Request, position: int, seat: int | None, skip: int, limit: int) -> Mapping[str, object]:
    """Return the parameters of the previous page: the legal moves at a position never change, so its place follows from this one's."""
    start = max(0, skip - limit)
    return {"cursor": cursor_in_epoch(request, f"{position}.{seat}.{start}"), "limit": skip - start} if skip else {}


def _page(
    request: Request, then: Game, viewer: Viewer, seat: Seat | None, skip: int, query: LegalQuery
) -> tuple[MovesPage, list[MoveEffects], bool]:
    """Return the page, the outcomes of its moves where they are shown, and whether the table has unknown cards."""
    if seat is None:
        return MovesPage([], None), [], masked(then.table, viewer).has_unknown_cards
    with handle_rule_errors(request, then.table):
        rulebook = bind_rules(services_of(request), then)
        table = table_judged(rulebook, then.table, viewer)
    wanted, spoken, untold = parse_move_filter(query, rulebook), language_of(request), table.has_unknown_cards
    with handle_rule_errors(request, then.table):
        if query.text is None:
            page = moves_page(rulebook, table, seat, skip, query.limit, wanted)
        else:
            page = line_page(rulebook, table, seat, query.text, query.limit, spoken)
        if query.written or query.text is not None:
            page = with_lines(rulebook, page, spoken)
        tried = page.moves if query.effects or untold else []
        return page, [move_effects(rulebook, table, seat, move) for move in tried], untold


def _describe_moves(
    request: Request, then: Game, seat: Seat | None, found: MovesPage, outcomes: Sequence[MoveEffects]
) -> list[list[str | SeatedWords]]:
    """Return the sentences of the moves, with the effects that are shown; without them a sentence says only what the move itself says."""
    if seat is None:
        return []
    transcript = load_frame_texts(services_of(request).rulesets[then.setup.ruleset], language_of(request))
    effects = [one.effects or () for one in outcomes] or [()] * len(found.moves)
    return [in_pieces(transcript.move(then.setup, seat, move, does)) for move, does in zip(found.moves, effects, strict=True)]
