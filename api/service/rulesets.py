"""Rulesets: what is played here, and what a client needs to build its forms."""

from hashlib import sha256

from litestar.params import FromPath

from api.common.reading import tagged
from api.common.rulebooks import about_of
from api.http.answers import RulesetAbout, RulesetShort
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from domain.errors import Unknown
from domain.rules import Ruleset


@reads(
    "/v1/rulesets",
    Operation(
        id="list_rulesets",
        tag="Rulesets",
        summary="The games that are kept here",
        answers={200: Content("all rulesets", {JSON: list[RulesetShort]}, headers=("ETag",))},
        headers=("If-None-Match",),
    ),
)
async def list_rulesets(request: Asked) -> Answer:
    query(request, Nothing)
    return _tagged(request, [_short(ruleset) for ruleset in house_of(request).rulesets.values()])


@reads(
    "/v1/rulesets/{key:str}",
    Operation(
        id="read_ruleset",
        tag="Rulesets",
        summary="A ruleset: JSON Schemas of options and moves, numbered rules, codes, the deck",
        answers={200: Content("the ruleset", {JSON: RulesetAbout}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def read_ruleset(request: Asked, key: FromPath[str]) -> Answer:
    query(request, Nothing)
    ruleset = house_of(request).rulesets.get(key)
    if ruleset is None:
        raise Unknown("ruleset", key)
    return _tagged(request, _whole(ruleset))


def _tagged(asked: Asked, value: object) -> Answer:
    body = encoded(value)
    return tagged(asked, sha256(body).hexdigest()[:16], lambda: body)


def _short(ruleset: Ruleset) -> RulesetShort:
    return RulesetShort(key=ruleset.key, edition=ruleset.edition, names=about_of(ruleset).names)


def _whole(ruleset: Ruleset) -> RulesetAbout:
    about = about_of(ruleset)
    return RulesetAbout(
        key=ruleset.key,
        edition=ruleset.edition,
        names=about.names,
        options=about.options,
        moves=about.moves,
        rules=about.rules,
        codes=about.codes,
        deck=about.deck,
        words=about.words,
    )
