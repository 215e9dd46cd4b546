"""A score sheet with the digest that says which sheet it is, who signed which, how often its decks were begun and its deals taken back."""

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from api.http.fields import Outgoing, alike
from domain.game import Game
from domain.paper import Signature, sheet_digest
from domain.score import Sheet
from domain.shuffling import Tries, counts


class SheetChanged(Outgoing, frozen=True, kw_only=True):
    """``position``: the first after the signature at which the sheet was another. Totals: as they were signed, and as they stand."""

    position: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class SignatureView(Outgoing, frozen=True, kw_only=True):
    """``party`` signed the sheet of position ``sheet``, which has this digest; ``position`` is that of the event.

    ``stands``: the sheet is the one that was signed. Otherwise ``changed`` says since when it is not.
    """

    party: int
    position: int
    sheet: int
    digest: str
    stands: bool
    changed: SheetChanged | UnsetType = UNSET


class BegunDeals(Outgoing, frozen=True, kw_only=True):
    """How often a deck that nobody chose was begun for a hand. ``missing``: of each try that was given up, the seats that did not open."""

    hand: int
    tries: int
    missing: tuple[tuple[int, ...], ...]


class TakenBackDeals(Outgoing, frozen=True, kw_only=True):
    """How often a deal of this hand was taken back."""

    hand: int
    times: int


class SignedSheet(Sheet, frozen=True, kw_only=True):
    """A score sheet, who signed which if anybody did, and the digest by which it is signed (docs/paper.md) if that was asked for.

    ``shuffles``: of the hands on it, where decks follow from chances that nobody chose (docs/fair-decks.md). ``taken_back``: the hands of
    which a deal was taken back.
    """

    digest: str | UnsetType = UNSET
    signatures: tuple[SignatureView, ...] | UnsetType = UNSET
    shuffles: tuple[BegunDeals, ...] | UnsetType = UNSET
    taken_back: tuple[TakenBackDeals, ...] | UnsetType = UNSET


def signed_sheet(sheet: Sheet, game: Game | None, *, with_digest: bool = False) -> SignedSheet:
    """``game`` as it stood with this sheet; left out where nobody has signed, begun a deck or taken anything back."""
    digest = sheet_digest(sheet) if with_digest else UNSET
    if game is None:
        return SignedSheet(**asdict(sheet), digest=digest)
    return SignedSheet(
        **asdict(sheet),
        digest=digest,
        signatures=signature_views(sheet, game.signatures) or UNSET,
        shuffles=begun_deals(sheet, game.tries) or UNSET,
        taken_back=taken_back_deals(sheet, game) or UNSET,
    )


def begun_deals(sheet: Sheet, tries: Tries) -> tuple[BegunDeals, ...]:
    """Of the hands that stand on the sheet."""
    hands = {hand.hand for hand in sheet.hands}
    return tuple(alike(one, BegunDeals) for one in counts(tries) if one.hand in hands)


def taken_back_deals(sheet: Sheet, game: Game) -> tuple[TakenBackDeals, ...]:
    """By hand. Of a game of which the public is told closed hands only, of those."""
    hands = {hand.hand for hand in sheet.hands}
    counted = sorted(game.deals_taken_back.items())
    return tuple(TakenBackDeals(hand=hand, times=times) for hand, times in counted if hand in hands or not game.is_dark)


def signature_views(sheet: Sheet, signatures: tuple[Signature, ...]) -> tuple[SignatureView, ...]:
    return tuple(_view(one, sheet) for one in signatures)


def _view(one: Signature, sheet: Sheet) -> SignatureView:
    changed = UNSET if one.changed_at is None else SheetChanged(position=one.changed_at, before=one.totals, after=sheet.totals)
    stands = one.changed_at is None
    return SignatureView(party=one.party, position=one.position, sheet=one.sheet, digest=one.digest, stands=stands, changed=changed)


def last_signatures(signatures: tuple[Signature, ...]) -> tuple[Signature, ...]:
    """The signature that each party gave last, by parties."""
    last = {one.party: one for one in signatures}
    return tuple(last[party] for party in sorted(last))
