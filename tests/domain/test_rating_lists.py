"""Published rating lists: what can be published, what each list is known by, and what differs between two."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
from msgspec.structs import replace

from domain import codec
from domain.errors import DataIntegrityError, Refused, Unknown
from domain.events import Recorded, Stamp
from domain.events.base import Unreadable
from domain.events.ratings import ListedRating, RatingsPublished
from domain.rating_lists import (
    LONGEST,
    PublishedList,
    RatingLists,
    RatingMove,
    compare_lists,
    digest_lines,
    project,
    publish_ratings,
    rating_lists_stream,
)
from replay.rating_lists import audit_rating_lists
from tests.each import each

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANNA, BEN = ListedRating(1, "anna", 1600, 250, 12), ListedRating(2, "ben", 1550, 300, 4)


def published(*lines: ListedRating, to: datetime = NOON, before: RatingLists | None = None, **other: Any) -> RatingsPublished:
    given: dict[str, Any] = {"minimum_games": 1, "publication": "no", "now": NOON, **other}
    return publish_ratings(before, "casino", to, given["minimum_games"], given["publication"], lines, given["now"])


def history(*events: RatingsPublished) -> tuple[Recorded, ...]:
    return codec.link_events(rating_lists_stream("casino"), 0, None, Stamp(NOON, "p_director"), events)


def rating_lists() -> tuple[Recorded, ...]:
    """Two published lists of one ruleset."""
    return history(published(ANNA), published(ANNA, BEN))


def lists(*events: RatingsPublished) -> RatingLists:
    found = project(None, history(*events))
    assert found is not None
    return found


def test_each_list_is_known_by_its_number_and_the_newest_says_who_may_read_them():
    first, second = published(ANNA), published(ANNA, BEN, publication="names")
    found = lists(first, second)
    assert found.lists == (
        PublishedList(1, NOON, NOON, 1, "no", 1, first.digest),
        PublishedList(2, NOON, NOON, 1, "names", 2, second.digest),
    )
    assert (found.ruleset, found.position, found.publication, found.list_of(2)) == ("casino", 2, "names", found.lists[1])
    with pytest.raises(Unknown):
        found.list_of(3)


def test_a_list_that_cannot_be_read_has_no_number_and_leaves_the_others():
    lost = Recorded(rating_lists_stream("casino"), 2, "ratings.published/9", Stamp(NOON, ""), None, Unreadable("", ""), b"?")
    found = project(lists(published(ANNA)), [lost])
    assert found is not None
    assert ([one.number for one in found.lists], found.position, found.last) == ([1], 2, b"?")
    with pytest.raises(DataIntegrityError):
        project(None, [lost])


def test_the_digest_is_that_of_the_lines_as_json_arrays():
    told = b'[1,"anna",1600,250,12]\n[2,"ben",1550,300,4]\n'
    assert digest_lines([ANNA, BEN]) == sha256(told).hexdigest()


@each(
    ("code", "wanted"),
    [
        ("ratings_of_the_future", {"to": NOON + timedelta(days=1)}),
        ("ratings_of_nobody", {"lines": ()}),
        ("ratings_too_many", {"lines": (ANNA,) * (LONGEST + 1)}),
        ("ratings_go_back", {"to": NOON - timedelta(days=1)}),
        ("ratings_so_already", {}),
    ],
)
def test_what_makes_no_sense_is_not_published(code: str, wanted: dict[str, Any]):
    before, given = lists(published(ANNA)), dict(wanted)
    with pytest.raises(Refused) as refused:
        published(*given.pop("lines", (ANNA,)), before=before, **given)
    assert refused.value.code == code


def test_the_same_list_may_be_published_again_with_other_names_or_for_a_later_day():
    before = lists(published(ANNA, to=NOON - timedelta(days=2)))
    kinds: list[dict[str, Any]] = [{"publication": "aliases", "to": NOON - timedelta(days=2)}, {"to": NOON}]
    for changed in kinds:
        assert published(ANNA, before=before, **changed).lines == (ANNA,)


def test_players_are_compared_by_person_in_the_order_of_the_later_list():
    merged = ListedRating(1, "carl", 1610, 240, 15)
    moves = list(compare_lists([ANNA, BEN], [merged, ListedRating(2, "dora", 1500, 333, 1)], lambda one: "carl" if one == "anna" else one))
    assert [(one.player, one.before, one.after and one.after.rating, one.is_move) for one in moves] == [
        ("carl", ANNA, 1610, True),
        ("dora", None, 1500, True),
        ("ben", BEN, None, True),
    ]
    assert not RatingMove("carl", ANNA, ListedRating(1, "carl", 1600, 250, 12)).is_move


def test_the_audit_decides_every_publication_again():
    found = audit_rating_lists(rating_lists())
    assert (found.kind, found.id, found.verdict, found.judged) == ("ratings", "casino", "sound", 2)


def test_the_audit_finds_a_list_whose_lines_are_not_those_of_its_digest():
    forged = replace(published(ANNA), lines=(BEN,))
    found = audit_rating_lists(history(published(ANNA), forged))
    assert (found.verdict, [one.position for one in found.divergences]) == ("divergent", [2])
