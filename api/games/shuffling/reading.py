"""How far a deck that nobody chose is, and what became of those before it."""

from uuid import UUID

from litestar.params import FromPath

from api.common.around import around_of
from api.common.looks import note_look
from api.common.reading import eyes_on
from api.games.shuffling.responses import JoinedView, Shuffles, ShuffleView
from api.http.etag import content_hash, respond_with_etag
from api.http.fields import alike
from api.http.operations import Content, Operation, reads
from api.http.request import Request, services_of
from api.http.response import Response, encode
from domain.dealing.fair import is_fair
from domain.game import Game
from domain.openness.around import Around
from domain.shuffling.decks import spoken
from domain.shuffling.tries import Try
from domain.sight import Eyes


@reads(
    "/v1/games/{game:uuid}/shuffles",
    Operation(
        id="list_shuffles",
        tag="Playing",
        summary="Decks that nobody chose: what was given for them, by whom, how often one was begun",
        description="The secret of a deck is told when the cards of its hand are open to the caller.",
        responses={200: Content("the tries, in their order", Shuffles, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def list_shuffles(request: Request, game: FromPath[UUID]) -> Response:
    now = await services_of(request).journal.current(game)
    told = encode(shuffles_view(request, now, await around_of(request, now)))
    return respond_with_etag(request, f"{now.position}.{content_hash(told)}.json", lambda: told)


def shuffles_view(request: Request, now: Game, around: Around) -> Shuffles:
    eyes = eyes_on(request, now)
    tries = () if now.viewer(eyes, now.position, around).dark else now.tries
    told = [one.revealed_at for one in tries if _sees_secret(now, eyes, around, one)]
    if told:
        note_look(request, now, eyes, around, told[0], told[-1])
    views = [_view(one, sees_secret=one.revealed_at in told) for one in tries]
    return Shuffles(game=now.id, position=now.position, fair=is_fair(now), shuffles=views)


def _sees_secret(now: Game, eyes: Eyes, around: Around, one: Try) -> bool:
    return one.revealed_at > 0 and now.viewer(eyes, one.revealed_at, around).sees_all


def _view(one: Try, *, sees_secret: bool) -> ShuffleView:
    return alike(
        one,
        ShuffleView,
        digits=spoken(bytes.fromhex(one.commitment)),
        joined=[alike(joined, JoinedView) for joined in one.joined],
        secret=one.secret if sees_secret else None,
    )
