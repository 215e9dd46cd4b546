"""Moves of the rulesets, from the OpenAPI document. Do not edit: ``python -m tests.deploy.client.moves`` writes this file."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType


class AlcasanChooseOpen(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="choose_open"):
    """Lay three of the six cards open; the other three are the hand."""

    cards: Sequence[str]
    """from the hand"""


class AlcasanLay(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="lay"):
    """Lay identical cards on the pile."""

    cards: Sequence[str]
    """from the hand"""


class AlcasanTake(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="take"):
    """Take the pile, because no card fits."""


class AlcasanReveal(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="reveal"):
    """Turn a face-down card; it is laid if it fits, else it goes to the hand with the pile."""

    position: int
    """0, 1 or 2, as the cards were dealt"""


class AlcasanDecline(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="decline"):
    """Leave the further lay, where it is a right."""


AlcasanMove: TypeAlias = AlcasanChooseOpen | AlcasanLay | AlcasanTake | AlcasanReveal | AlcasanDecline


class CanastaGroup(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cards from the hand for one meld."""

    rank: Literal["2", "3", "4", "5", "6", "7", "8", "9", "A", "J", "JK", "K", "Q", "T"]
    """the rank of the meld"""
    cards: Sequence[str]
    """from the hand"""


class CanastaDraw(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="draw"):
    """Take the top card of the stock."""


class CanastaTake(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="take"):
    """Take the pile: its top card goes with the cards named to the meld of the rank, the rest to the hand."""

    rank: Literal["2", "3", "4", "5", "6", "7", "8", "9", "A", "J", "JK", "K", "Q", "T"]
    """the rank of the meld"""
    cards: Sequence[str]
    """from the hand, laid with the top card"""
    melds: Sequence[CanastaGroup] = ()
    """further melds"""


class CanastaPass(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="pass"):
    """End the hand: the stock is empty and the pile is not taken."""


class CanastaLay(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="meld"):
    """Lay melds, or lay off on them."""

    melds: Sequence[CanastaGroup]
    """the groups, each for one meld"""


class CanastaDiscard(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="discard"):
    """Put a card on the pile."""

    card: str
    """rank and suit, as in 7D, or JK for a joker"""


class CanastaAsk(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="ask"):
    """Ask the partner for leave to go out."""


class CanastaAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="answer"):
    """Give the partner leave to go out, or refuse it."""

    consent: bool
    """whether the partner may go out"""


CanastaMove: TypeAlias = CanastaDraw | CanastaTake | CanastaPass | CanastaLay | CanastaDiscard | CanastaAsk | CanastaAnswer


class CascadesPlay(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="play"):
    """Place the top card of the waste or of an open reserve pile at the right end of a tier."""

    card: str
    """rank, hyphen and suits, as in 4-MS"""
    tier: Literal[0, 1, 2]
    """0 is the upper tier, 1 the middle one, 2 the lower one"""


class CascadesTurn(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="turn"):
    """Turn three cards; if the stock is empty, the waste is turned over first."""


class CascadesResign(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="resign"):
    """Give up."""


CascadesMove: TypeAlias = CascadesPlay | CascadesTurn | CascadesResign


class CasinoTrail(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="trail"):
    """Lay a card down."""

    card: str
    """rank and suit, as in 7D"""


class CasinoCapture(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="capture"):
    """Take groups of loose cards and whole builds."""

    card: str
    """rank and suit, as in 7D"""
    groups: Sequence[Sequence[str]] = ()
    """groups of cards that each make the value in question"""
    builds: Sequence[int] = ()
    """whole builds that are taken, by their numbers"""


class CasinoMakeBuild(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="build"):
    """Make a new build; exactly one group holds the card played."""

    card: str
    """rank and suit, as in 7D"""
    value: int
    """the value that the player announces"""
    groups: Sequence[Sequence[str]]
    """groups of cards that each make the value in question"""


class CasinoRaise(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="raise"):
    """Put the card on a single build and announce its new value; groups of loose cards of that value may go along."""

    card: str
    """rank and suit, as in 7D"""
    build: int
    """number of a build, counted from 1 within the hand"""
    value: int
    """the value that the player announces"""
    groups: Sequence[Sequence[str]] = ()
    """groups of cards that each make the value in question"""


class CasinoAdd(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="add"):
    """Put further groups on a build; exactly one of them holds the card played."""

    card: str
    """rank and suit, as in 7D"""
    build: int
    """number of a build, counted from 1 within the hand"""
    groups: Sequence[Sequence[str]]
    """groups of cards that each make the value in question"""


CasinoMove: TypeAlias = CasinoTrail | CasinoCapture | CasinoMakeBuild | CasinoRaise | CasinoAdd


class QuartettClassicAsk(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="ask"):
    """Ask another seat for a card."""

    target: int
    """seat that is asked"""
    card: str
    """id or name of the card, as in A4 or Azobé"""


QuartettClassicMove: TypeAlias = QuartettClassicAsk


class QuartettTrumpfAnnounce(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="announce"):
    """Name a category and show a card; the top one, if none is named."""

    category: str
    """id of a category of the deck"""
    card: str | UnsetType = UNSET
    """id of a card, as in A4"""


class QuartettTrumpfReply(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="reply"):
    """Choose the card to be compared, out of two or three."""

    card: str
    """id of a card, as in A4"""


class QuartettTrumpfDraw(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="draw"):
    """Draw a card blindly from the announcer's stack."""

    position: int
    """place in the stack, 0 is the top"""


QuartettTrumpfMove: TypeAlias = QuartettTrumpfAnnounce | QuartettTrumpfReply | QuartettTrumpfDraw


Move: TypeAlias = AlcasanMove | CanastaMove | CascadesMove | CasinoMove | QuartettClassicMove | QuartettTrumpfMove | Mapping[str, Any]


MOVES: Mapping[str, Any] = {
    "alcasan": AlcasanMove,
    "canasta": CanastaMove,
    "cascades": CascadesMove,
    "casino": CasinoMove,
    "quartett-classic": QuartettClassicMove,
    "quartett-trumpf": QuartettTrumpfMove,
}
