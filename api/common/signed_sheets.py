"""A score sheet with its digest, its signatures, and the counts of begun decks and of deals that were taken back."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from api.http.decoding import ResponseModel, copy_fields
from domain.game import Game
from domain.paper import Signature, sheet_digest
from domain.score import Sheet, sheet
from domain.shuffling import Tries, counts


class SheetChanged(ResponseModel, frozen=True, kw_only=True):
    """A change after a signature. ``position``: the first after the signature at which the sheet differs. Totals: as signed, and now."""

    position: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class SignatureView(ResponseModel, frozen=True, kw_only=True):
    """A signature: ``party`` signed the sheet of position ``sheet``, which has this digest; ``position`` is that of the event.

    ``stands``: the sheet is still the signed one. Otherwise ``changed`` says since when it is not.
    """

    party: int
    position: int
    sheet: int
    digest: str
    stands: bool
    changed: SheetChanged | UnsetType = UNSET


class StartedDeals(ResponseModel, frozen=True, kw_only=True):
    """The number of tries for the fair deck of a hand. ``missing``: for each abandoned try, the seats that did not open."""

    hand: int
    tries: int
    missing: tuple[tuple[int, ...], ...]


class VoidedDeals(ResponseModel, frozen=True, kw_only=True):
    """The number of deals of this hand that were taken back."""

    hand: int
    times: int


class CountedResultView(ResponseModel, frozen=True, kw_only=True):
    """The result by which the table counts instead of its game."""

    how: Literal["entered", "forfeited"]
    points: Annotated[tuple[int, ...], Meta(description="of each party; none of a forfeited table")]


class SignedSheet(Sheet, frozen=True, kw_only=True):
    """A score sheet with its signatures, and the digest by which it is signed (docs/paper.md) if that was requested.

    ``shuffles``: of the hands on it, where decks follow from chances that nobody chose (docs/fair-decks.md). ``taken_back``: the hands of
    which a deal was taken back. ``counted``: in a tournament, the result that supersedes the game.
    """

    digest: str | UnsetType = UNSET
    signatures: tuple[SignatureView, ...] | UnsetType = UNSET
    shuffles: tuple[StartedDeals, ...] | UnsetType = UNSET
    taken_back: tuple[VoidedDeals, ...] | UnsetType = UNSET
    counted: CountedResultView | UnsetType = UNSET


def view_signed_sheet(sheet: Sheet, game: Game | None, *, with_digest: bool = False) -> SignedSheet:
    """Return the signed sheet. ``game`` as of this sheet; left out where nobody has signed, begun a deck or taken anything back."""
    digest = sheet_digest(sheet) if with_digest else UNSET
    if game is None:
        return SignedSheet(**asdict(sheet), digest=digest)
    return SignedSheet(
        **asdict(sheet),
        digest=digest,
        signatures=signature_views(sheet, game.signatures) or UNSET,
        shuffles=list_started_deals(sheet, game.tries) or UNSET,
        taken_back=list_voided_deals(sheet, game) or UNSET,
    )


def list_started_deals(sheet: Sheet, tries: Tries) -> tuple[StartedDeals, ...]:
    """Return the counts of the hands that are on the sheet."""
    hands = {hand.hand for hand in sheet.hands}
    return tuple(copy_fields(one, StartedDeals) for one in counts(tries) if one.hand in hands)


def list_voided_deals(sheet: Sheet, game: Game) -> tuple[VoidedDeals, ...]:
    """Return the counts by hand; in a dark game, only of the closed hands on the sheet."""
    hands = {hand.hand for hand in sheet.hands}
    counted = sorted(game.count_void_deals.items())
    return tuple(VoidedDeals(hand=hand, times=times) for hand, times in counted if hand in hands or not game.is_hidden_until_over)


def current_signatures(game: Game) -> tuple[SignatureView, ...]:
    """Return the signatures on the present sheet."""
    return signature_views(sheet(game.setup, game.table.score), game.signatures)


def signature_views(sheet: Sheet, signatures: tuple[Signature, ...]) -> tuple[SignatureView, ...]:
    return tuple(_view(one, sheet) for one in signatures)


def _view(one: Signature, sheet: Sheet) -> SignatureView:
    changed = UNSET if one.changed_at is None else SheetChanged(position=one.changed_at, before=one.totals, after=sheet.totals)
    stands = one.changed_at is None
    return SignatureView(party=one.party, position=one.position, sheet=one.sheet, digest=one.digest, stands=stands, changed=changed)


def last_signatures(signatures: tuple[Signature, ...]) -> tuple[Signature, ...]:
    """Return the last signature of each party, in the order of parties."""
    last = {one.party: one for one in signatures}
    return tuple(last[party] for party in sorted(last))
