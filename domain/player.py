"""The Player aggregate: an id in the directory, its club, and the ids that are the same person. No name ever comes here.

A merger concerns two players and is decided on both at once, so that two crossing mergers can never make a circle: ``into`` must stand for
itself, and a merged player brings along the ids that were merged into them before.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TypeAlias
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.errors import DataIntegrityError, InvalidFormatError, Refused
from domain.events import AggregateType, Recorded
from domain.events import player as events
from domain.events.base import Unreadable
from domain.texts import say

LONGEST_ID = 100  # characters; the id is part of addresses and of every event of its games
_STREAMS = UUID("b767116a-899d-4aae-98d9-c94362011281")  # never to be changed: the streams of all players follow from it

Both: TypeAlias = tuple[tuple[events.PlayerEvent], tuple[events.PlayerEvent]]
"""The event of one player, and that of the other in the same commit."""


class Player(Struct, frozen=True):
    """A player, folded from their events. ``joined`` are the ids merged directly into this one, ``into`` the one it is merged into."""

    id: UUID
    position: int
    last: bytes
    player: str
    registered_at: datetime
    club: str | None
    into: str | None = None
    joined: tuple[str, ...] = ()
    erased: bool = False
    bound: bool = False

    @property
    def version(self) -> int:
        """The position, under the name that eventsourcing's repository uses."""
        return self.position

    def check_named(self) -> None:
        """Raise ``Refused`` for an erased player: the register may hold no name of them."""
        if self.erased:
            raise Refused("player_erased", player=self.player)

    def transfer(self, club: str | None) -> events.PlayerClubChanged:
        self.check_named()
        if self.into is not None:
            raise Refused("player_merged", player=self.player, into=self.into)
        if club == self.club:
            raise Refused("same_club", player=self.player, club=club, **({"problem": "none"} if club is None else {}))
        return events.PlayerClubChanged(club)

    def merge(self, into: "Player") -> Both:
        """Merge this id into ``into``: from now on they are one person, known by ``into``. Raises ``Refused``."""
        if self.id == into.id:
            raise Refused("merged_with_itself", player=self.player)
        for one in (self, into):
            one.check_named()
            if one.into is not None:
                raise Refused("player_merged", player=one.player, into=one.into)
        return (events.PlayerMerged(into.player),), (events.PlayerJoined(self.player),)

    def split(self, into: "Player") -> Both:
        """Take the merger back. ``into`` is the player it was merged into when the caller looked. Raises ``Refused``."""
        self.check_merged()
        if self.into != into.player:
            raise Refused("player_merged", player=self.player, into=self.into)
        return (events.PlayerSeparated(),), (events.PlayerParted(self.player),)

    def check_merged(self) -> str:
        """Return the id it is merged into. Raises ``Refused`` if there is none."""
        if self.into is None:
            raise Refused("not_merged", player=self.player)
        return self.into

    def erase(self, through: str | None = None) -> events.PlayerErased:
        """Erase the person as a whole: ``through`` is the player that this one is merged into, when it is erased along with them. Raises
        ``Refused``.
        """
        self.check_named()
        if self.into != through:
            raise Refused("player_merged", player=self.player, into=self.into)
        return events.PlayerErased()


def player_stream(player: str) -> UUID:
    """Return the stream of a player. The id may come from elsewhere, for example a club or a federation."""
    return uuid5(_STREAMS, player)


def registration(player: str, club: str | None) -> events.PlayerRegistered:
    """Return the registration of a player. Raises ``InvalidFormatError`` for an id that could not stand in an address."""
    if not 1 <= len(player) <= LONGEST_ID or not player.isprintable() or player != player.strip() or "/" in player or player in (".", ".."):
        raise InvalidFormatError("bad_player_id", say("form.id", longest=LONGEST_ID), "id")
    return events.PlayerRegistered(player, club)


def fold_event(player: Player | None, recorded: Recorded) -> Player:
    """Return the player after one more event. Total with one exception: raises ``DataIntegrityError`` if the registration cannot be
    read.
    """
    event, position, last = recorded.event, recorded.position, recorded.state
    if player is None:
        if not isinstance(event, events.PlayerRegistered):
            raise DataIntegrityError(recorded.stream, position, "the registration of the player cannot be read")
        bound = recorded.link is not None
        return Player(recorded.stream, position, last, event.player, recorded.stamp.at, event.club, bound=bound)
    player = replace(player, position=position, last=last)
    if not isinstance(event, events.PlayerEvent) or isinstance(event, events.PlayerRegistered):
        return player
    match event:
        case events.PlayerClubChanged(club=club):
            return replace(player, club=club)
        case events.PlayerMerged(into=into):
            return replace(player, into=into)
        case events.PlayerSeparated():
            return replace(player, into=None)
        case events.PlayerJoined(player=other):
            return replace(player, joined=(*player.joined, other))
        case events.PlayerParted(player=other):
            return replace(player, joined=tuple(one for one in player.joined if one != other))
        case events.PlayerErased():
            return replace(player, erased=True)


def project(player: Player | None, history: Iterable[Recorded]) -> Player | None:
    """Fold a whole history, or continue from a player; ``None`` where there is no event, or where the events are not those of a player."""
    for recorded in history:
        if player is None and not isinstance(recorded.event, events.PlayerEvent | Unreadable):
            return None
        player = fold_event(player, recorded)
    return player


PLAYER = AggregateType("player", Player, project)
