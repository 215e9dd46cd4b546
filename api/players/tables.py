"""The directory of players as an exported table."""

from typing import Self

from api.common.tables.columns import Column, Row, Table, row_of
from api.common.tables.files import FileInfo, FormName, TableFile
from api.common.time_zone import Times
from api.http.decoding import copy_fields
from api.players.directory import PlayerSearch, players_found
from api.players.requests import PlayersQuery
from api.players.responses import Players, PlayerView
from api.services import Sources
from projections.models import players
from projections.models.players import PlayerFilters

PLAYERS = Table(
    "players",
    "kiebitz-players/1",
    "players of the directory, newest first; or those searched for, by id",
    (
        Column("player", "string", "id of the player", required=True),
        Column("shown", "string", "what may stand for the player before whoever asks: name or alias, else words", required=True),
        Column("name", "string", "the name; only for officials"),
        Column("alias", "string", "what the public sees"),
        Column("club", "string", "club of the player"),
        Column("merged_into", "string", "the id that this one was merged into"),
        Column("person", "string", "the id that the person is known by, after all mergers", required=True),
        Column("erased", "boolean", "whether the name was erased", required=True),
        Column("registered_at", "datetime", "when the id was registered (UTC)", required=True),
        Column("position", "integer", "position of its last event", required=True),
        Column("sequence", "integer", "sequence of its last event in the whole store", required=True),
    ),
    ("player",),
)


class PlayersFile(TableFile, frozen=True, kw_only=True):
    full_table = PLAYERS
    query = PlayersQuery
    projections = (players.PLAYERS.name,)
    search: PlayerSearch

    @classmethod
    def make(cls, sources: Sources, query: PlayersQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, search=PlayerSearch(copy_fields(query, PlayerFilters), query.search))

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Players:
        return players_found(sources.registers, sources.store, self.about.reach, self.search, cursor, limit, self.about.name_viewer)

    def row(self, one: PlayerView) -> Row:
        return row_of(PLAYERS, one, player=one.id)
