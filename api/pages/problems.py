"""Error pages for browsers: the problem, and advice."""

from collections.abc import Mapping
from typing import Any

import msgspec

from api.common.pages.shell import ApiError, Page, page_language, render_page, security, words
from api.http.media_types import HTML, JSON
from api.http.problems import MEDIA_TYPE, problem_response
from api.http.request import Request, header, headers_of, media_type, note_headers
from api.http.response import Response

_OF_THE_FORM = (b"content-length", b"content-type", b"content-language", b"vary", b"x-content-type-options")
_DO = {401: "sign_in", 403: "sign_in", 404: "front", 429: "again", 503: "again"}
"""The advice by status; for all others, to go back."""


def problem_or_page(request: Request, error: Exception) -> Response:
    """Return the problem (RFC 9457), or a page with the same content if the client prefers pages."""
    if not _is_page_request(request):
        return _pass_on(error) if isinstance(error, ApiError) else problem_response(request, error)
    note_headers(request.scope, {**headers_of(request.scope), b"accept-language": page_language(request).encode()})
    problem = _pass_on(error) if isinstance(error, ApiError) else problem_response(request, error)
    return _page(request, problem)


def _is_page_request(request: Request) -> bool:
    """Return whether the client prefers a page. At an address of the API, only a browser that navigates there gets one."""
    try:
        wanted = media_type(header(request, b"accept"), (JSON, HTML)) == HTML
    except Exception:
        return False
    api = request.url.path.startswith("/v1/")
    return wanted and (not api or header(request, b"sec-fetch-dest") in ("document", "iframe"))


def _pass_on(error: ApiError) -> Response:
    told = error.told
    headers = [("cache-control", "no-store"), ("vary", "accept-language, authorization")]
    return Response(msgspec.json.encode(told.value), status=told.status, media_type=MEDIA_TYPE, headers=headers)


def _page(request: Request, problem: Response) -> Response:
    told: Mapping[str, Any] = msgspec.json.decode(problem.body)
    language = page_language(request)
    known = words(language)
    values = {
        "problem": told,
        "detail": known.get(f"problem.detail.{problem.status}", told["detail"]),
        "helps": _DO.get(problem.status, "back"),
        "line": " · ".join(str(told[name]) for name in ("status", "code", "id") if name in told),
    }
    title = known.get(f"problem.title.{problem.status}", told["title"])
    body = render_page(request, Page(template="problem.html.j2", title=title, values=values), None)
    kept = [(name.decode(), value.decode()) for name, value in problem.headers if name not in _OF_THE_FORM]
    headers = [*kept, *security(), ("content-language", language), ("vary", "cookie, accept, accept-language, authorization")]
    return Response(body, status=problem.status, media_type=f"{HTML}; charset=utf-8", headers=headers)
