"""Names of downloaded files: the tournament's title and the table, as Content-Disposition says them (RFC 6266, RFC 5987)."""

import re
import unicodedata
from urllib.parse import quote

from api.common.texts import tournament_title
from api.http.places import visibility_of
from api.http.request import Request, language_of, services_of
from domain.errors import DataIntegrityError, Unknown
from domain.texts import load_catalog, words_of
from domain.tournament.tournament import TOURNAMENT, tournament_stream

_LONGEST = 100
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]+')
"""What some file system forbids."""
_LATIN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})


async def attachment(request: Request, table: str, ending: str, tournament: str | None = None) -> tuple[str, str]:
    """Return the header that names a file of this table: by the title of its tournament, if there is one that the caller may read."""
    title = await _readable_title(request, tournament) if tournament is not None else None
    if title is None:
        return "content-disposition", disposition(f"{table}.{ending}")
    word = words_of(load_catalog(__package__), language_of(request))[table]
    return "content-disposition", disposition(f"{_NOT_IN_NAMES.sub(' ', title)[:_LONGEST].strip(' .')} - {word}.{ending}")


def disposition(name: str) -> str:
    """Return the value of the header: the name in ASCII, and in full where that is another."""
    plain = unicodedata.normalize("NFKD", name.translate(_LATIN)).encode("ascii", "ignore").decode().strip(" -")
    full = f"; filename*=UTF-8''{quote(name, safe='!#$&+-.^_`|~')}" if plain != name else ""
    return f'attachment; filename="{plain}"{full}'


async def _readable_title(request: Request, id: str) -> str | None:
    reach = visibility_of(request)
    if not (reach.whole or reach.tournament == id):
        try:
            found = await services_of(request).journal.current_of(TOURNAMENT, tournament_stream(id))
        except (Unknown, DataIntegrityError):
            return None
        if found.publication == "no":
            return None
    return await tournament_title(request, id)
