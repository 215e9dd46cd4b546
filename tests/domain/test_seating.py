"""Who sits at the table: who sits down from now on, and who really sat there."""

import pytest

from domain.act_validation import check_seating, complete_act
from domain.errors import InvalidFormatError, Refused
from domain.events.game import GameAbandoned, GameAnnulled, PlayersCorrected, PlayerSeated
from domain.game import Game, project
from domain.sight import PUBLIC_EYES, Viewpoint
from tests.domain.toy import TOY
from tests.each import each
from tests.projections.histories import History, counted, dealt, finished, opened


def played(players: tuple[str | None, ...] = ("anna", "bert")) -> History:
    """Two hands, of events 2 and 3, and 5 and 6; between them the second seat is taken by Cora. The game is over."""
    history = History(1, opened(players), dealt(), counted(0, (1, 1)), PlayerSeated(1, "cora"))
    return history.add(dealt(2)).add(finished(0, (2, 2), (1, 2)))


def folded(history: History) -> Game:
    game = project(None, history.events)
    assert game
    return game


def put_right(history: History, from_hand: int, *players: str | None) -> Game:
    act = complete_act(folded(history), PlayersCorrected(players, from_hand, None), lambda: TOY.bind({}, 2))
    return folded(history.add(act))


def left(game: Game) -> list[tuple[str | None, int, int]]:
    return [(one.player, one.seat, one.position) for one in game.departures]


def refusal(game: Game, from_hand: int, *players: str | None) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refused) as refused:
        complete_act(game, PlayersCorrected(players, from_hand, None), lambda: TOY.bind({}, 2))
    return refused.value.code, refused.value.detail


def test_nobody_sits_down_at_a_game_that_is_over():
    check_seating(folded(History(1, opened(), dealt(), counted(0, (1, 1)))))
    for over in (played(), History(1, opened(), dealt(), GameAbandoned(None))):
        with pytest.raises(Refused) as refused:
            check_seating(folded(over))
        assert (refused.value.code, refused.value.rules) == ("game_over", ("COM-23",))


def test_two_who_sat_the_other_way_round_sit_rightly_and_each_has_the_eyes_of_that_seat_alone():
    game = put_right(played(), 1, "cora", "anna")
    assert game.opened.players == ("cora", "anna")
    assert [game.viewpoint_of(player) for player in ("cora", "anna")] == [Viewpoint(0), Viewpoint(1)]


def test_who_never_sat_there_has_seen_nothing_of_it_and_is_still_known_by_name():
    game = put_right(played(), 1, "dora", "emil")
    assert left(game) == [("bert", 1, 0), ("anna", 0, 0), ("cora", 1, 0)]
    assert {game.viewpoint_of("bert").at(position) for position in range(1, 8)} == {"public"}


def test_from_a_later_hand_on_who_sat_there_before_has_seen_the_hands_before_it():
    game = put_right(played(), 2, "dora", "emil")
    assert left(game) == [("bert", 1, 4), ("anna", 0, 4), ("cora", 1, 4)]
    assert game.viewpoint_of("anna") == Viewpoint(0, 4)
    assert game.viewpoint_of_seat(1, 1) == Viewpoint(1, 4)
    assert game.viewpoint_of_seat(1, 4) == Viewpoint(1)
    assert game.viewpoint_of("nobody") == PUBLIC_EYES


def test_whoever_is_put_right_once_more_is_as_if_it_had_been_said_so_at_once():
    again = put_right(played(), 1, "dora", "emil")
    assert again.opened.players == ("dora", "emil")
    history = played()
    put_right(history, 2, "dora", "emil")
    last = put_right(history, 1, "anna", "bert")
    assert last.opened.players == ("anna", "bert")
    assert {one.position for one in last.departures} == {0}


def test_it_is_said_for_each_seat_from_a_hand_that_there_is_and_for_a_game_that_counts():
    game = folded(played())
    assert refusal(game, 3, "dora", "emil") == ("hand_not_dealt", {"hand": 3})
    assert refusal(game, 2, "anna", "cora") == ("nothing_changes", {"problem": "players", "hand": 2})
    assert refusal(folded(played().add(GameAnnulled(None))), 1, "dora", "emil")[0] == "game_annulled"
    for players in (("dora",), ("dora", "dora"), ("dora", "emil", None)):
        with pytest.raises(InvalidFormatError) as malformed:
            complete_act(game, PlayersCorrected(players, 1, None), lambda: TOY.bind({}, 2))
        assert (malformed.value.code, malformed.value.where) == ("bad_players", "players")


@each("first", [("anna", "bert"), ("anna", None)])
def test_those_who_sit_there_may_have_sat_there_from_the_beginning(first: tuple[str | None, ...]):
    game = put_right(played(first), 1, "anna", "cora")
    assert game.opened.players == ("anna", "cora")
    assert game.viewpoint_of_seat(1, 1) == Viewpoint(1)


def test_damaged_history_leaves_one_player_or_nobody_on_each_seat():
    assert folded(played().add(PlayersCorrected(("dora",), 9, None))).opened.players == ("dora", None)
