"""What comes in about a deck that nobody chose."""

from typing import Annotated

from msgspec import Meta

from api.http.fields import HappenedAt, Incoming, Seat
from domain.forms import FORM
from domain.shuffling.dice import MOST_DICE

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", extra_json_schema={FORM: "form.digest"}, description="SHA-256, hexadecimal")]
Chance = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", extra_json_schema={FORM: "form.chance"}, description="16 bytes, hexadecimal")]


class BeginShuffle(Incoming, frozen=True, kw_only=True):
    """A deck for the next hand. What was begun before and not dealt is off."""

    dealer: Annotated[Seat, Meta(description="the seat that will deal, from 0")]
    dice: Annotated[int, Meta(ge=0, le=MOST_DICE, description="so many will be thrown and typed, 8 or more; 0: none")] = 0
    happened_at: HappenedAt = None


class JoinShuffle(Incoming, frozen=True, kw_only=True):
    """The device of a seat is bound to a chance of its own."""

    commitment: Annotated[Digest, Meta(description="to the seat and 16 bytes, see docs/fair-decks.md")]


class OpenChance(Incoming, frozen=True, kw_only=True):
    """The chance to which the device of a seat was bound."""

    chance: Chance


class TypeDice(Incoming, frozen=True, kw_only=True):
    """The dice as they lie on the table."""

    dice: Annotated[str, Meta(max_length=200, description="with single spaces between them", examples=["6 3 1 1 5 2 4 6"])]
    happened_at: HappenedAt = None
