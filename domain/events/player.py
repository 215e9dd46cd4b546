"""Events of a player in the directory. Names and addresses of people are not here but in the register of people."""

from typing import TypeAlias

from domain.events.base import EventBase


class PlayerRegistered(EventBase, frozen=True):
    """``player.registered/1``: ``player`` is the stable id that games and tournaments name, ``club`` the id of a club."""

    player: str
    club: str | None


class PlayerClubChanged(EventBase, frozen=True):
    """``player.transferred/1``: to another club, or to none."""

    club: str | None


class PlayerMerged(EventBase, frozen=True):
    """``player.merged/1``: this id and ``into`` are one person; everything of this id counts for the other from now on, backwards too."""

    into: str


class PlayerJoined(EventBase, frozen=True):
    """``player.joined/1``: the other side of a merger, in the same commit: ``player`` counts for this id from now on."""

    player: str


class PlayerSeparated(EventBase, frozen=True):
    """``player.separated/1``: the merger was a mistake; the id stands for itself again."""


class PlayerParted(EventBase, frozen=True):
    """``player.parted/1``: the other side of a separation, in the same commit."""

    player: str


class PlayerErased(EventBase, frozen=True):
    """``player.erased/1``: the data of this player in the register of people is gone; the id stays, so that games stay as they were."""


PlayerEvent: TypeAlias = PlayerRegistered | PlayerClubChanged | PlayerMerged | PlayerJoined | PlayerSeparated | PlayerParted | PlayerErased

NAMES: dict[type, str] = {
    PlayerRegistered: "player.registered/1",
    PlayerClubChanged: "player.transferred/1",
    PlayerMerged: "player.merged/1",
    PlayerJoined: "player.joined/1",
    PlayerSeparated: "player.separated/1",
    PlayerParted: "player.parted/1",
    PlayerErased: "player.erased/1",
}
