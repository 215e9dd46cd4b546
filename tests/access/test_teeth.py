"""Protections, each taken out in turn: every time something that holds otherwise does not hold any more."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from api.common.reading import viewer_for
from api.games import shuffling, streams
from api.http import guards, places
from api.webhooks.sending import payloads
from domain.game import Game
from domain.sight import ARBITERS_EYES, Viewer, Viewpoint, masked
from replay import game_frames
from tests.access import test_by_sessions, test_matrix
from tests.access.fair import fair_differences
from tests.access.interference import differences
from tests.access.twins import Twins, last_tables, twins
from tests.api.conftest import Service, running, settings_of, without_limits
from tests.api.games import test_hands_taken_back
from tests.evening.chapters.operations import READS, WRITES


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Service]:
    with running(settings_of(tmp_path), without_limits) as found:
        yield found


@cache
def left_in_the_middle() -> Twins:
    """Twins of which whoever sat there to the end could see the difference."""
    tried = (twins("casino", Random(f"teeth {number}"), "shuffled", until=True, longest=12) for number in range(50))
    return next(one for one in tried if len({str(masked(table, Viewer(one.eyes.who)).zones) for table in last_tables(one)}) == 2)


@pytest.mark.parametrize("target", ["/v1/games/{game}/table", "/v1/games/{game}/notes"])
def test_without_scopes_others_read_and_write_where_they_may_not(house: Service, monkeypatch: pytest.MonkeyPatch, target: str):
    asked = next(request for request in (*WRITES, *READS) if request.target == target)
    test_matrix.hold_against_the_table(house, asked.stage, [asked])
    monkeypatch.setattr(places, "covers", lambda scope, place: True)
    with pytest.raises(AssertionError):
        test_matrix.hold_against_the_table(house, asked.stage, [asked])


def test_whoever_leaves_his_seat_would_go_on_seeing_its_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = left_in_the_middle()
    of_player, of_seat = Game.viewpoint_of, Game.viewpoint_of_seat
    monkeypatch.setattr(Game, "viewpoint_of", lambda game, player: Viewpoint(of_player(game, player).who))
    monkeypatch.setattr(Game, "viewpoint_of_seat", lambda game, seat, since: Viewpoint(of_seat(game, seat, since).who))
    assert list(islice(differences(found, tmp_path / "planted", Random(1), share=0, followers=("player",)), 1)) != []


def test_eyes_that_are_kept_from_the_beginning_of_a_stream_would_see_what_they_may_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = left_in_the_middle()
    first: dict[Any, Viewpoint] = {}
    monkeypatch.setattr(
        streams, "viewer_for", lambda request, *asked, **more: first.setdefault(request, viewer_for(request, *asked, **more))
    )
    followed = [
        one
        for one in differences(found, tmp_path / "planted", Random(1), share=0, followers=("player",))
        if ", who follows /v1/games/" in one
    ]
    assert followed != []


def test_webhooks_that_were_not_told_whose_eyes_they_have_would_tell_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = twins("casino", Random("teeth"), "shuffled", longest=5)
    monkeypatch.setattr(payloads, "viewpoint_of", lambda whose, game: ARBITERS_EYES)
    told = [
        one
        for one in differences(found, tmp_path / "planted", Random(1), share=0, followers=("player",))
        if one.startswith("the webhook of")
    ]
    assert told != []


def test_secrets_that_were_told_as_they_are_recorded_would_tell_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(game_frames, "_redact_secrets", lambda event: event)
    followed = [
        one
        for one in fair_differences("casino", "over", tmp_path, Random(1), share=0, followers=("viewer",))
        if ", who follows /v1/games/" in one
    ]
    assert followed != []


def test_tries_that_did_not_ask_whose_eyes_look_would_tell_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shuffling, "_can_read_secret", lambda game, eyes, around, one: one.revealed_at > 0)
    with pytest.raises(AssertionError, match="other secrets are told"):
        list(fair_differences("casino", "over", tmp_path, Random(1), share=0, followers=("viewer",)))


def test_without_a_look_at_the_origin_any_page_of_the_world_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(guards, "check_own_origin", lambda request: None)
    with pytest.raises(AssertionError):
        test_by_sessions.test_a_game_is_played_by_sessions_alone_each_with_its_own_eyes(tmp_path, "cascades")


def test_a_hand_that_was_taken_back_would_be_open(house: Service, monkeypatch: pytest.MonkeyPatch):
    recorder, viewer = house.caller("recorder"), house.caller("viewer")
    twin = [recorder.open(openness=openness, options={"target": 100}) for openness in ("hand_over", "never")]
    story = test_hands_taken_back.Twins(*twin)
    monkeypatch.setattr(Game, "is_closed", lambda game, hand: hand <= max(one.deal.hand for one in game.stretches if one.deal))
    with pytest.raises(AssertionError):
        test_hands_taken_back.test_a_hand_that_a_ruling_took_back_is_shut_until_the_one_that_replaces_it_is_over(
            house, story, (viewer, viewer), 5
        )
