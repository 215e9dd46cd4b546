"""`kiebitz export table`: results, games, players, tournaments, standings and disputes as tables to take home."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, get_args
from urllib.parse import quote

import click

from api.common.names import shown_names
from api.common.tables.files import FileInfo, Steps, TableFile, table_pieces
from api.common.tables.formats import FILES, FormName
from api.games.games_table import GamesFile
from api.http.errors import NotInstalled
from api.players.found import PlayerSearch
from api.players.tables import PlayersFile
from api.rulings.dispute_list import DisputesFile
from api.scores.results import ResultsFile
from api.services import Services
from api.standings.as_of import AsOf, standings_of
from api.standings.tables import StandingsFile, rows_of
from api.standings.views import standings_view
from api.tournaments.tables import TournamentsFile
from deploy.cli.client import connect
from deploy.cli.console import progress
from deploy.cli.exports.scores import catch_up, moment_of
from deploy.cli.files import open_output
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.compose import open_services
from deploy.failures import Failure
from deploy.settings import Settings
from domain.errors import Unknown
from domain.tournament.tournament import TOURNAMENT, tournament_stream
from projections.models.disputes import DisputeFilters
from projections.models.game_index.game_list import GameFilters
from projections.models.players.player_list import PlayerFilters, roots
from projections.models.results.result_list import results
from projections.models.score_lines.table_list import ResultFilters
from projections.models.tournaments.tournament_list import TournamentFilters

_FORMS: tuple[FormName, ...] = get_args(FormName.__args__[0]) + get_args(FormName.__args__[1])  # type: ignore[attr-defined]
_Made = Callable[[FormName, FileInfo, dict[str, Any]], TableFile]
