"""Who am I?"""

from api.access.responses import Me, me_view
from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, unstored


@reads(
    "/v1/me",
    Operation(
        id="read_me",
        tag="Access",
        summary="Who you are here, and what you may: role, scope, until when",
        responses={200: Content("the caller", Me)},
        within="open",
    ),
)
async def read_me(request: Request) -> Response:
    return unstored(me_view(request.user), vary="authorization")
