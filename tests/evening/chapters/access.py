"""Who comes in and how: forms, pages of elsewhere, what is not there."""

import re

from tests.evening.book import Book
from tests.evening.chapters.stages import NEWS, STAGES
from tests.evening.chapters.tour import NOWHERE

FORM = "application/x-www-form-urlencoded"
ELSEWHERE = "https://elsewhere.example"


def evening(book: Book) -> None:
    _sign_in(book)
    for asset in sorted(set(re.findall(r'"(/assets/[^"]+)"', book.get("/in", "nobody").body.decode()))):
        book.get(asset, "nobody")
    book.get("/assets/none/none.js", "nobody")
    for target in ("/v1/tokens/none", "/v1/sessions/none", "/v1/codes/none", "/v1/webhooks/none"):
        book.ask("director", "DELETE", target)
    book.post("/v1/tokens/none/rotation", {})
    book.ask("director", "PATCH", "/v1/webhooks/none", {"enabled": False})
    book.get("/v1/tokens/none")
    for path in ("/v1/webhooks/none", "/v1/webhooks/none/deliveries"):
        book.get(path)
    for what in ("rotation", "test", "deliveries/none/redelivery"):
        book.post(f"/v1/webhooks/none/{what}", {})
    book.post("/v1/webhooks", {**NEWS, "url": "http://127.0.0.1/"})
    for path, more in (("/v1/tokens", {}), ("/v1/codes", {}), ("/v1/webhooks", {"url": NEWS["url"]})):
        book.post(path, {**more, "role": "recorder", "scope": {"game": NOWHERE}, "label": "a game that is none"})


def _sign_in(book: Book) -> None:
    code = STAGES["coded"](book)["code"]
    book.ask("nobody", "POST", "/in", f"secret={code}&next=%2Fdocs", content_type=FORM)
    book.ask("nobody", "POST", "/in", "secret=no+such", content_type=FORM)
    book.ask("nobody", "POST", "/out", "", content_type=FORM)
    for target in ("/in", "/out"):
        book.ask("nobody", "POST", target, {"secret": code} if target == "/in" else {}, origin=ELSEWHERE)
