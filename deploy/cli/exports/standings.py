"""The standings of a tournament in a store of one's own, as a table."""

from api.common.names import names_in_tournament
from api.common.tables.files import FileInfo
from api.common.tables.formats import FormName
from api.services import Services
from api.standings.as_of import AsOf, standings_of
from api.standings.tables import StandingsFile, rows_of
from api.standings.views import standings_view
from deploy.failures import Failure
from deploy.language import say
from domain.errors import Unknown
from domain.tournament.tournament import TOURNAMENT, tournament_stream
from projections.models.players.player_list import roots
from projections.models.results.result_list import results


def standings_file(services: Services, tournament: str, form: FormName, about: FileInfo) -> StandingsFile:
    """As they are now, with names. Raises ``Failure``."""
    try:
        now = services.journal.aggregate(TOURNAMENT, tournament_stream(tournament))
    except Unknown:
        raise Failure(say("no_tournament", tournament=tournament)) from None
    games = results(services.store, tournament)
    entered = {player for entrant in now.entrants for player in entrant.everybody}
    known = roots(services.store, entered | {player for game in games for player in game.players if player is not None})
    of = standings_of(now, games, lambda player: known.get(player, player), AsOf())
    told = standings_view(of, names_in_tournament(services.registers, services.store, now, entered, about.audience), explained=False)
    return StandingsFile(form=form, about=about, tie_breaks=told.tie_breaks, rows=rows_of(told))
