"""The directory as a table to take home."""

from collections.abc import Sequence

from msgspec import UNSET

from api.common.tables.columns import Column, Row, Table
from api.common.tables.files import ROWS_A_STEP, TableFile
from api.players.directory import PlayerSearch, players_found
from api.players.responses import PlayerView
from domain.journal.registers import Registers
from projections.engine.store import Store

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
    search: PlayerSearch

    @property
    def table(self) -> Table:
        return PLAYERS

    def page(self, registers: Registers, store: Store, cursor: str | None) -> tuple[Sequence[Row], str | None]:
        found = players_found(registers, store, self.about.reach, self.search, cursor, ROWS_A_STEP, self.about.audience)
        return [_row(player) for player in found.players], found.next


def _row(player: PlayerView) -> Row:
    name = None if player.name is UNSET else player.name
    who = (player.id, player.shown, name, player.alias, player.club, player.merged_into, player.person)
    return (*who, player.erased, player.registered_at, player.position, player.sequence)
