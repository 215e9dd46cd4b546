"""What comes in about tokens."""

from typing import Annotated

from msgspec import Meta

from api.common.grants import ExpiresAt, GrantBody
from api.http.fields import Id, Incoming
from domain.forms import FORM


class IssueToken(GrantBody, frozen=True, kw_only=True):
    """A token for another, or another one for oneself."""

    label: Annotated[
        str,
        Meta(
            max_length=200,
            pattern=r"^[^\x00-\x1f\x7f]*$",
            description="for whom or what, to tell it from others in the list",
            extra_json_schema={FORM: "form.line"},
        ),
    ] = ""
    principal: Annotated[
        Id | None, Meta(description="another token for somebody known: the id that stands in the events; left out, one is made")
    ] = None
    expires_at: ExpiresAt = None


class RevokeToken(Incoming, frozen=True, kw_only=True):
    """Nothing has to be said."""


class RotateToken(Incoming, frozen=True, kw_only=True):
    """A new secret for the same token."""

    grace: Annotated[int, Meta(ge=0, le=86_400, description="so many seconds the old one is good besides; 0: it ends at once")] = 0
