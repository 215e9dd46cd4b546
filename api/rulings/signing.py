"""A side signs the score sheet: which one was shown to it."""

from api.common.acts import Grounds
from api.common.reading import table_of
from api.http.request import Request, services_of
from api.rulings.requests import SignSheet
from domain.errors import Malformed, Refused
from domain.events.game import SheetSigned
from domain.game import Game
from domain.paper.digests import sheet_digest
from domain.score import sheet
from domain.texts import say


async def digest_shown(request: Request, body: SignSheet) -> str | None:
    """The digest of the sheet that the body names; ``None`` where it names a position to which the game has not come."""
    if body.position is None:
        if body.digest is None:
            raise Malformed("malformed_body", say("sheet.named"), "digest")
        return body.digest
    game = await services_of(request).journal.current(request.path_params["game"])
    if body.position > game.position:
        return None
    table = await table_of(request, game, body.position)
    return sheet_digest(sheet(table.setup, table.score))


def drafted_signature(on: Grounds[Game]) -> SheetSigned:
    """Without a position it is the sheet as it stands. Raises ``Refused`` where no such sheet can have been shown."""
    body: SignSheet = on.body
    position = on.now.position if body.position is None else body.position
    if on.prepared is None:
        raise Refused("no_such_position", position=position, last=on.now.position)
    if body.digest not in (None, on.prepared):
        raise Refused("other_digest", position=position)
    return SheetSigned(body.party, position, on.prepared)
