"""What goes out about decks that nobody chose. Digests, chances and secrets are hexadecimal."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from api.http.fields import Outgoing


class JoinedView(Outgoing, frozen=True, kw_only=True):
    seat: int
    commitment: str
    chance: Annotated[str | None, Meta(description="null until it is opened")]


class ShuffleView(Outgoing, frozen=True, kw_only=True):
    """A try to come to a deck."""

    position: Annotated[int, Meta(description="of the commitment of the service")]
    hand: Annotated[int, Meta(description="the number of the hand that it is for")]
    dealer: int
    commitment: Annotated[str, Meta(description="of the service")]
    digits: Annotated[str, Meta(description="40 digits of it, to compare by eye or aloud")]
    dice: Annotated[int, Meta(description="so many were promised")]
    joined: list[JoinedView]
    typed: str | None
    dealt: Annotated[int | None, Meta(description="the position of the deal; null for none")]
    ended: Annotated[bool, Meta(description="it will not be dealt")]
    missing: Annotated[tuple[int, ...], Meta(description="seats that take part and have not opened their chances")]
    secret: Annotated[str | None, Meta(description="null until the hand is open to the caller")]


class Shuffles(Outgoing, frozen=True, kw_only=True):
    """All tries of a game, in their order; none of a game that was not opened so, or of which nothing is told before it is over."""

    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    fair: Annotated[bool, Meta(description="whether every hand is dealt from a deck that nobody chose")]
    shuffles: list[ShuffleView]
