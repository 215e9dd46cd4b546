"""The Player aggregate: what its events fold to, and what may be recorded next."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain import codec
from domain.errors import DataIntegrityError, InvalidFormatError, Refused
from domain.events import Recorded, Stamp, digest
from domain.events.base import Unreadable
from domain.events.game import PlayerSeated
from domain.events.player import PlayerClubChanged, PlayerErased, PlayerEvent, PlayerJoined, PlayerMerged, PlayerParted, PlayerSeparated
from domain.player import Player, fold_event, player_stream, project, registration
from domain.texts import COMMON
from tests.each import each

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def grown(player: Player | None, *events: PlayerEvent) -> Player:
    """A player after more events, as the journal records them."""
    for event in events:
        id, position, link = (player.id, player.position + 1, digest(player.last)) if player else (player_stream("p_1"), 1, None)
        player = fold_event(player, codec.encode_event(id, position, link, Stamp(NOON, "director"), event))
    assert player
    return player


def a_player(id: str = "p_1", club: str | None = None) -> Player:
    recorded = codec.encode_event(player_stream(id), 1, None, Stamp(NOON, "director"), registration(id, club))
    return fold_event(None, recorded)


def merged(one: Player, into: Player) -> tuple[Player, Player]:
    mine, others = one.merge(into)
    return grown(one, *mine), grown(into, *others)


def refusal(refused: pytest.ExceptionInfo[Refused]) -> tuple[str, dict[str, object]]:
    return refused.value.code, refused.value.detail


def test_a_registration_folds_to_a_player():
    player = a_player("p_1", "Lehrte")
    assert player == Player(player_stream("p_1"), 1, player.last, "p_1", NOON, "Lehrte")


def test_the_stream_follows_from_the_id_alone_for_ever():
    assert player_stream("p_1") == UUID("f221b98d-9c1e-5215-883a-20fe821c6358")
    assert player_stream("P_1") != player_stream("p_1")


@each("id", ["", " p", "p ", "a/b", ".", "..", "a\nb", "a\0b", "\ud800", "x" * 101])
def test_an_id_that_could_not_stand_in_an_address_is_malformed(id: str):
    with pytest.raises(InvalidFormatError) as malformed:
        registration(id, None)
    assert (malformed.value.code, malformed.value.where) == ("bad_player_id", "id")


@each("id", ["7", "GER-1234", "Müller 3", "%2F?#", "x" * 100])
def test_any_other_id_will_do(id: str):
    assert registration(id, None).player == id


def test_a_transfer_is_to_another_club_or_to_none():
    player = a_player(club="Lehrte")
    assert grown(player, player.transfer("Peine")).club == "Peine"
    assert grown(player, player.transfer(None)).club is None
    with pytest.raises(Refused) as refused:
        player.transfer("Lehrte")
    assert refusal(refused) == ("same_club", {"player": "p_1", "club": "Lehrte"})


def test_a_merger_is_told_to_both():
    one, into = merged(a_player("p_1"), a_player("p_2"))
    assert (one.into, one.joined, into.into, into.joined) == ("p_2", (), None, ("p_1",))


def test_a_merger_gives_an_event_to_each():
    assert a_player("p_1").merge(a_player("p_2")) == ((PlayerMerged("p_2"),), (PlayerJoined("p_1"),))


def test_who_is_merged_takes_along_who_was_merged_into_him():
    _, second = merged(a_player("p_1"), a_player("p_2"))
    second, third = merged(second, a_player("p_3"))
    assert (second.into, second.joined, third.joined) == ("p_3", ("p_1",), ("p_2",))


def test_nobody_is_merged_with_himself():
    with pytest.raises(Refused) as refused:
        a_player().merge(a_player())
    assert refusal(refused) == ("merged_with_itself", {"player": "p_1"})


def test_a_merged_player_is_not_merged_again_and_takes_nobody_in():
    one, into = merged(a_player("p_1"), a_player("p_2"))
    other = a_player("p_3")
    for first, second in ((one, other), (other, one), (into, one)):
        with pytest.raises(Refused) as refused:
            first.merge(second)
        assert refusal(refused) == ("player_merged", {"player": "p_1", "into": "p_2"})


def test_a_merged_player_is_not_transferred():
    one, _ = merged(a_player("p_1"), a_player("p_2"))
    with pytest.raises(Refused) as refused:
        one.transfer("Peine")
    assert refusal(refused) == ("player_merged", {"player": "p_1", "into": "p_2"})


def test_a_separation_takes_the_merger_back_on_both_sides():
    one, into = merged(a_player("p_1"), a_player("p_2"))
    assert one.split(into) == ((PlayerSeparated(),), (PlayerParted("p_1"),))
    alone, without = grown(one, PlayerSeparated()), grown(into, PlayerParted("p_1"))
    assert (alone.into, without.joined) == (None, ())


def test_only_a_merged_player_is_separated_and_from_the_one_he_is_merged_into():
    one, _ = merged(a_player("p_1"), a_player("p_2"))
    with pytest.raises(Refused) as refused:
        a_player().split(a_player("p_2"))
    assert refusal(refused) == ("not_merged", {"player": "p_1"})
    with pytest.raises(Refused) as refused:
        one.split(a_player("p_3"))
    assert refusal(refused) == ("player_merged", {"player": "p_1", "into": "p_2"})


def test_an_erased_player_stays_and_nothing_is_done_with_him_any_more():
    erased, other = grown(a_player(), PlayerErased()), a_player("p_2")
    assert (erased.erased, erased.player) == (True, "p_1")
    for act in (erased.check_named, erased.erase, lambda: erased.transfer("x"), lambda: erased.merge(other), lambda: other.merge(erased)):
        with pytest.raises(Refused) as refused:
            act()
        assert refusal(refused) == ("player_erased", {"player": "p_1"})


def test_a_wrong_merger_can_be_taken_back_also_after_the_erasure():
    one, into = merged(a_player("p_1"), a_player("p_2"))
    erased = grown(one, PlayerErased())
    assert grown(erased, *erased.split(into)[0]).into is None


def test_a_person_is_erased_whole_beginning_with_the_id_he_is_known_by():
    one, into = merged(a_player("p_1"), a_player("p_2"))
    with pytest.raises(Refused) as refused:
        one.erase()
    assert refusal(refused) == ("player_merged", {"player": "p_1", "into": "p_2"})
    assert (into.erase(), one.erase("p_2")) == (PlayerErased(), PlayerErased())


def test_who_was_separated_meanwhile_is_not_erased_with_the_other():
    one, _ = merged(a_player("p_1"), a_player("p_2"))
    with pytest.raises(Refused):
        grown(one, PlayerSeparated()).erase("p_2")


def test_an_event_that_cannot_be_read_changes_nothing_but_the_position():
    player = a_player(club="Lehrte")
    damaged = Recorded(player.id, 2, "x", Stamp(NOON, ""), None, Unreadable("x", "?"), b"{")
    assert fold_event(player, damaged) == Player(player.id, 2, b"{", "p_1", NOON, "Lehrte")


def test_a_player_without_a_registration_is_corrupt():
    with pytest.raises(DataIntegrityError):
        fold_event(None, Recorded(player_stream("p_1"), 1, "x", Stamp(NOON, ""), None, Unreadable("x", "?"), b"{"))


def test_a_history_of_something_else_is_no_player():
    assert project(None, []) is None
    assert project(None, [codec.encode_event(UUID(int=1), 1, None, Stamp(NOON, "x"), PlayerSeated(0, None))]) is None


def test_a_history_folds_whole_or_from_a_player_on():
    registered = codec.encode_event(player_stream("p_1"), 1, None, Stamp(NOON, "x"), registration("p_1", None))
    moved = codec.encode_event(player_stream("p_1"), 2, digest(registered.state), Stamp(NOON, "x"), PlayerClubChanged("Peine"))
    assert project(project(None, [registered]), [moved]) == project(None, [registered, moved])


@each("language", ["en", "de"])
@each("code", ["player_erased", "player_merged", "merged_with_itself", "not_merged", "same_club"])
def test_every_refusal_has_a_sentence_in_both_languages(code: str, language: str):
    assert COMMON[language][code]
    assert "{player}" not in COMMON[language][code], "nobody reads an id"
