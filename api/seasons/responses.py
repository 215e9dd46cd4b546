"""The report on a list of results of earlier seasons."""

from msgspec import UNSET, UnsetType

from api.http.decoding import ResponseModel
from api.http.lists import LineProblem, ListRemark


class PastResultLine(ResponseModel, frozen=True, kw_only=True):
    """A line of the list. ``player``: the id; null where it is not known yet. ``new``: the player is registered with this list."""

    line: int
    player: str | None
    new: bool
    error: LineProblem | None


class ImportedTournament(ResponseModel, frozen=True, kw_only=True):
    """A tournament of the list. ``already``: it was imported from this list before, and nothing is added."""

    tournament: str
    title: str
    ruleset: str
    first_day: str
    last_day: str
    players: int
    tables: int
    already: bool


class PastResultsReport(ResponseModel, frozen=True, kw_only=True):
    """The report on a list. Nothing is recorded if a line is ``refused``. ``registered`` counts new players."""

    dry_run: bool
    recorded: bool
    refused: int
    registered: int
    tournaments: list[ImportedTournament]
    lines: list[PastResultLine]
    remarks: list[ListRemark] | UnsetType = UNSET
