"""Acts about a game as a whole: suspend, resume, stop, abandon, annul and disclose it, signatures, players and notes."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.act_handlers import CommandContext
from api.common.reading import check_full_view, table_of
from api.common.texts import erase_text_at, notes_of
from api.http.decoding import DryRun
from api.http.operations import Content, ends, reads
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.rulings.commands import build_decision, game_act
from api.rulings.own_seat import check_party
from api.rulings.requests import AddNote, AnnulGame, CorrectPlayers, SeatPlayer, SignSheet, StateReason, WithdrawSignature
from api.rulings.responses import NotesView
from domain.act_validation import check_seating
from domain.errors import InvalidFormatError, Refused
from domain.events import game as events
from domain.game import Game
from domain.paper import sheet_digest
from domain.score import sheet
from domain.texts import say

# A signature is for the score sheet that was shown to the side, which may not be the newest.


async def read_sheet_digest(request: Request, body: SignSheet) -> str | None:
    """Return the digest of the sheet that the body names; ``None`` for a position that the game has not reached."""
    if body.position is None:
        if body.digest is None:
            raise InvalidFormatError("malformed_body", say("sheet.named"), "digest")
        return body.digest
    game = await services_of(request).journal.current(request.path_params["game"])
    if body.position > game.position:
        return None
    table = await table_of(request, game, body.position)
    return sheet_digest(sheet(table.setup, table.score))


def build_signature(on: CommandContext[Game]) -> events.SheetSigned:
    """Return the event. Without a position it is the current sheet. Raises ``Refused`` for a sheet that cannot have been shown."""
    body: SignSheet = on.body
    position = on.now.position if body.position is None else body.position
    if on.prepared is None:
        raise Refused("no_such_position", position=position, last=on.now.position)
    if body.digest not in (None, on.prepared):
        raise Refused("other_digest", position=position)
    return events.SheetSigned(body.party, position, on.prepared)


def _build_stop(on: CommandContext[Game]) -> events.HandEndedEarly:
    """Return the event. The caller has to see all cards: the remaining cards decide whether a hand can be stopped, and its result."""
    check_full_view(on.request)
    return events.HandEndedEarly((), True, on.text)


def _build_seating(on: CommandContext[Game]) -> events.PlayerSeated:
    check_seating(on.now)
    return events.PlayerSeated(on.body.seat, on.body.player)


def _build_own_signature(on: CommandContext[Game]) -> events.SheetSigned:
    check_party(on.request, on.now, on.body.party)
    return build_signature(on)


def _build_own_withdrawal(on: CommandContext[Game]) -> events.SignatureWithdrawn:
    position = on.path_parameter("position")
    for one in on.now.signatures:
        if one.position == position:
            check_party(on.request, on.now, one.party)
    return events.SignatureWithdrawn(0, position)


ACTS = (
    game_act(
        "suspension",
        "suspend",
        "Suspend a game",
        StateReason,
        "arbiter",
        build_decision(lambda on: events.GameSuspended(on.text)),
        method="PUT",
    ),
    game_act(
        "suspension",
        "resume",
        "Resume a suspended game, even while a dispute is open",
        StateReason,
        "arbiter",
        build_decision(lambda on: events.GameResumed(on.text)),
        method="DELETE",
    ),
    game_act(
        "stoppage",
        "stop_hand",
        "Stop the hand in progress because time is up",
        StateReason,
        "arbiter",
        build_decision(_build_stop),
        description=(
            "The rules of the game decide about the hand (COM-43): it is scored as at a limit, or it counts for nothing and is struck out."
        ),
    ),
    game_act(
        "abandonment",
        "abandon",
        "Abandon a game",
        StateReason,
        "arbiter",
        build_decision(lambda on: events.GameAbandoned(on.text)),
        description="No more moves are made; what was scored stays.",
    ),
    game_act(
        "annulment",
        "annul",
        "Annul a game",
        AnnulGame,
        "arbiter",
        build_decision(lambda on: events.GameAnnulled(on.text, on.body.ruling)),
        description="The game counts for nothing: its hands are struck out, permanently.",
    ),
    game_act(
        "disclosure",
        "disclose",
        "Disclose a game to everybody, earlier than its openness does",
        StateReason,
        "arbiter",
        build_decision(lambda on: events.GameMadePublic(on.text)),
        description=(
            "Everybody sees all cards of the game, including those of the hand in progress and of later hands. This cannot be "
            "undone. Hands that were taken back, and boards that another table still plays, open when they would without it."
        ),
    ),
    game_act(
        "notes",
        "add_note",
        "Add a note, about a position or the whole game",
        AddNote,
        "official",
        build_decision(lambda on: events.NoteAdded(on.text, on.body.position)),
        text="text",
        description="Only officials see the words of a note.",
    ),
    game_act(
        "signatures",
        "sign_sheet",
        "Record that a side signed the score sheet",
        SignSheet,
        "player_or_official",
        build_decision(_build_own_signature),
        prepare=read_sheet_digest,
        text=None,
        description=(
            "A player signs for their own party. The body names the sheet that was shown, by its digest or its position. An "
            "older sheet than the newest is refused (`sheet_changed`). A side signs a sheet once. The sheet shows its signatures, and "
            "whether it was changed after them."
        ),
    ),
    game_act(
        "signatures/{position:int}/withdrawal",
        "withdraw_signature",
        "Withdraw the signature of a side, given by mistake",
        WithdrawSignature,
        "player_or_official",
        build_decision(_build_own_withdrawal),
        text=None,
        description=(
            "A player withdraws the signature of their own party, as long as the sheet is the one that was signed; otherwise `not_signed`. "
            "The side may sign the sheet again."
        ),
    ),
    game_act(
        "players",
        "seat_player",
        "Seat a player: a substitute, or one who was not known before",
        SeatPlayer,
        "recorder",
        build_decision(_build_seating),
        text=None,
        description="From now on they sit there. A player is an opaque id. Once the game is over, `…/seating` puts right who sat there.",
    ),
    game_act(
        "seating",
        "rectify_players",
        "Rectify who sat at the table, from a hand on",
        CorrectPlayers,
        "arbiter",
        build_decision(lambda on: events.PlayersCorrected(tuple(on.body.players), on.body.from_hand, on.text)),
        description=(
            "Also when the game is over, its round closed or its tournament ended. Score lines, results, standings and histories of "
            "these hands are then those of the players named here."
        ),
    ),
)


# The free texts of a game: notes, claims and reasons. Officials read them, directors erase them.


class TextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    game: UUID
    position: int
    erased: bool


@reads(
    "/v1/games/{game:uuid}/notes",
    "list_notes",
    "List the notes, claims and reasons of a game, oldest first",
    tag="Rulings",
    responses={200: Content("the words, with the events that they belong to", NotesView, headers=("ETag",))},
    role="official",
)
async def list_notes(request: Request, game: FromPath[UUID]) -> Response:
    check_full_view(request)  # texts may name any card
    now = await services_of(request).journal.current(game)
    notes = await asyncio.to_thread(notes_of, request, game, now.position)
    body = encode(NotesView(game=game, position=now.position, notes=notes))
    return build_etag_response(request, f"{now.position}.{content_hash(body)}.notes.json", lambda: body)


@ends(
    "/v1/games/{game:uuid}/notes/{position:int}",
    "erase_words",
    "Erase the text recorded at a position, permanently",
    tag="Rulings",
    description=(
        "The words of a note, a claim or a reason are erased, with their salt. The event and its decision stay, and so "
        "does the digest in it, which no longer leads to words. The key of the request that brought them stays taken. Full "
        "records that were exported with texts still hold the words. A repetition answers `erased: false`."
    ),
    query=DryRun,
    responses={200: Content("whether there were words to erase", TextErased)},
    role="director",
)
async def erase_words(request: Request, game: FromPath[UUID], position: FromPath[int]) -> Response:
    now = await services_of(request).journal.current(game)
    return await erase_text_at(request, now.id, position, lambda erased: TextErased(game=game, position=position, erased=erased))
