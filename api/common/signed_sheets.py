"""A score sheet with the digest that says which sheet it is, and who signed which."""

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from api.http.fields import Outgoing
from domain.paper.digests import sheet_digest
from domain.paper.signatures import Signature
from domain.score import Sheet


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


class SignedSheet(Sheet, frozen=True, kw_only=True):
    """A score sheet, who signed which if anybody did, and the digest by which it is signed (docs/paper.md) if that was asked for."""

    digest: str | UnsetType = UNSET
    signatures: tuple[SignatureView, ...] | UnsetType = UNSET


def signed_sheet(sheet: Sheet, signatures: tuple[Signature, ...], *, with_digest: bool = False) -> SignedSheet:
    digest = sheet_digest(sheet) if with_digest else UNSET
    return SignedSheet(**asdict(sheet), digest=digest, signatures=signature_views(sheet, signatures) or UNSET)


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
