"""The SQL of the register of what is on the walls, once for both databases."""

import msgspec

from deploy.stores.statements import Statements
from domain.journal.commits import CommandKey
from domain.tournament.walls import Wall, WallPlan

_FIND = "SELECT version, shown, message, changed_at, changed_by FROM walls WHERE tournament = ?"
_FIRST = (
    "INSERT INTO walls (version, shown, message, changed_at, changed_by, tournament) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tournament) DO NOTHING"
)
_NEXT = "UPDATE walls SET version = ?, shown = ?, message = ?, changed_at = ?, changed_by = ? WHERE tournament = ? AND version = ?"


class WallsSql(Statements):
    """As ``Registers`` wants it."""

    def wall(self, tournament: str) -> Wall:
        for version, shown, *rest in self.query(_FIND, (tournament,)):
            return Wall(version, msgspec.json.decode(shown, type=WallPlan), *rest)
        return Wall()

    def change_wall(self, tournament: str, wall: Wall, command: CommandKey | None = None) -> bool:
        shown = msgspec.json.encode(wall.plan).decode()
        values = (wall.version, shown, wall.message, wall.changed_at, wall.changed_by, tournament)
        key = self.key_of(command)
        if wall.version == 1:
            return self.change(_FIRST, values, *key) == 1
        return self.change(_NEXT, (*values, wall.version - 1), *key) == 1
