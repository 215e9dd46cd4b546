"""A small tournament evening with the client that openapi-python-client makes of the document: ``python evening.py URL TOKEN``.

The director has a token, officials too; tablets, a player and a spectator come in by codes and have sessions, which are cookies. Each does
what is his to do, and is refused the rest. ``./run contract`` checks the types, and compares what it prints.
"""

import sys
from contextlib import ExitStack
from typing import Any, TypeVar, cast
from uuid import UUID

from kiebitz_client.api.access import issue_code, issue_token, read_me, sign_in, sign_out
from kiebitz_client.api.playing import deal, play
from kiebitz_client.api.reading import list_legal_moves
from kiebitz_client.api.rulings import appeal, list_notes, raise_dispute, rule
from kiebitz_client.api.tournaments import (
    announce_tournament,
    close_round,
    end_tournament,
    enter_result,
    enter_tournament,
    open_round_games,
    pair_round,
    publish_tournament,
    read_standings,
)
from kiebitz_client.client import AuthenticatedClient, Client
from kiebitz_client.models.announce_tournament import AnnounceTournament
from kiebitz_client.models.announce_tournament_format import AnnounceTournamentFormat
from kiebitz_client.models.appeal_ruling import AppealRuling
from kiebitz_client.models.caller_view import CallerView
from kiebitz_client.models.deal_hand import DealHand
from kiebitz_client.models.end_tournament import EndTournament
from kiebitz_client.models.enter_result import EnterResult
from kiebitz_client.models.enter_tournament import EnterTournament
from kiebitz_client.models.entry_body import EntryBody
from kiebitz_client.models.issue_code import IssueCode
from kiebitz_client.models.issue_code_good_for_type_0 import IssueCodeGoodForType0
from kiebitz_client.models.issue_code_role import IssueCodeRole
from kiebitz_client.models.issue_ruling import IssueRuling
from kiebitz_client.models.issue_ruling_decision import IssueRulingDecision
from kiebitz_client.models.issue_token import IssueToken
from kiebitz_client.models.issue_token_role import IssueTokenRole
from kiebitz_client.models.issued_code import IssuedCode
from kiebitz_client.models.issued_token import IssuedToken
from kiebitz_client.models.legal_moves import LegalMoves
from kiebitz_client.models.open_round_games import OpenRoundGames
from kiebitz_client.models.pair_round import PairRound
from kiebitz_client.models.play_moves import PlayMoves
from kiebitz_client.models.play_response import PlayResponse
from kiebitz_client.models.problem import Problem
from kiebitz_client.models.publish_tournament import PublishTournament
from kiebitz_client.models.publish_tournament_publication import PublishTournamentPublication
from kiebitz_client.models.raise_dispute import RaiseDispute
from kiebitz_client.models.reason_body import ReasonBody
from kiebitz_client.models.round_games import RoundGames
from kiebitz_client.models.scope_body import ScopeBody
from kiebitz_client.models.sign_in import SignIn
from kiebitz_client.models.standings import Standings

NIGHT = "night"
DOOR = ExitStack()
"""Everybody who came in; in the end all go."""
Wanted = TypeVar("Wanted")


def main(url: str, token: str) -> None:
    director = with_token(url, token)
    tables = announced(director)
    tablets = {table: entered(url, code(director, IssueCodeRole.RECORDER, table=table)) for table in tables}
    for table, tablet in tablets.items():
        print(f"table {table}: {hand_played(tablet, tables[table])} moves")
    refused("a tablet at another table", deal.sync(tables["2"], client=tablets["1"], body=DealHand(dealer=1)))
    at_the_table(url, director, tables["1"])
    officials(url, director, tables["1"])
    results(director, list(tables))
    spectators(url, director)
    over(director, tablets)


def with_token(url: str, token: str) -> AuthenticatedClient:
    return DOOR.enter_context(AuthenticatedClient(base_url=url, token=token))


def announced(director: AuthenticatedClient) -> dict[str, UUID]:
    """The games of the first round, by their tables."""
    night = AnnounceTournament(id=NIGHT, ruleset="casino", seats=2, format_=AnnounceTournamentFormat.SWISS, rounds=1, seed="by lot")
    answered(announce_tournament.sync(client=director, body=night))
    players = [EntryBody(players=[player]) for player in ("anna", "ben", "cora", "dan")]
    answered(enter_tournament.sync(NIGHT, client=director, body=EnterTournament(entries=players)))
    answered(pair_round.sync(NIGHT, client=director, body=PairRound()))
    opened = is_a(RoundGames, open_round_games.sync(NIGHT, 1, client=director, body=OpenRoundGames()))
    return {one.table: is_a(UUID, one.game) for one in opened.tables}


def code(director: AuthenticatedClient, role: IssueCodeRole, **given: Any) -> str:
    scope = ScopeBody(tournament=NIGHT, table=given["table"], since=1) if "table" in given else ScopeBody(tournament=NIGHT)
    wanted = IssueCode(role=role, scope=scope, **{name: value for name, value in given.items() if name != "table"})
    return is_a(str, is_a(IssuedCode, issue_code.sync(client=director, body=wanted)).code)


def entered(url: str, secret: str) -> AuthenticatedClient:
    """Somebody with a session. The client knows bearers; a cookie is a header of another name."""
    answer = sign_in.sync_detailed(client=page_of(url), body=SignIn(secret=secret))
    assert answer.status_code == 200, answer.content
    cookie = answer.headers["set-cookie"].partition(";")[0]
    session = AuthenticatedClient(base_url=url, token=cookie, prefix="", auth_header_name="Cookie", headers={"Origin": url})
    return DOOR.enter_context(session)


def page_of(url: str) -> Client:
    """A page of the service, with nothing to show yet."""
    return DOOR.enter_context(Client(base_url=url, headers={"Origin": url}))


def hand_played(tablet: AuthenticatedClient, game: UUID) -> int:
    """Deals a hand, and plays the first legal move until it is over."""
    now, moves = is_a(PlayResponse, deal.sync(game, client=tablet, body=DealHand(dealer=1))), 0
    while now.turn is not None:
        legal = is_a(LegalMoves, list_legal_moves.sync(game, client=tablet, limit=1))
        now = is_a(PlayResponse, play.sync(game, client=tablet, body=PlayMoves(seat=is_a(int, legal.seat), move=legal.moves[0])))
        moves += 1
    return moves


def at_the_table(url: str, director: AuthenticatedClient, game: UUID) -> None:
    """A player neither deals nor reads what officials note, and his code lets nobody else in."""
    secret = code(director, IssueCodeRole.PLAYER, player="cora")
    cora = entered(url, secret)
    print("cora is", is_a(CallerView, read_me.sync(client=cora)).player)
    refused("a code a second time", sign_in.sync(client=page_of(url), body=SignIn(secret=secret)))
    refused("a player who deals", deal.sync(game, client=cora, body=DealHand(dealer=0)))
    refused("a player at the notes", list_notes.sync(game, client=cora))


def officials(url: str, director: AuthenticatedClient, game: UUID) -> None:
    """The arbiter rules on what a recorder raises, and the committee on the appeal; neither does the other's work."""
    arbiter, committee, recorder = (
        with_token(url, secret(director, role)) for role in (IssueTokenRole.ARBITER, IssueTokenRole.COMMITTEE, IssueTokenRole.RECORDER)
    )
    answered(raise_dispute.sync(game, client=recorder, body=RaiseDispute(claim="It was my turn.", seat=0)))
    stands = IssueRuling(decision=IssueRulingDecision.STANDS, reason="It was not.", dispute=1)
    refused("a recorder who rules", rule.sync(game, client=recorder, body=stands))
    answered(rule.sync(game, client=arbiter, body=stands))
    answered(appeal.sync(game, 1, client=recorder, body=AppealRuling(reason="Everybody saw it.")))
    answered(rule.sync(game, client=committee, body=stands))
    refused("a committee that deals", deal.sync(game, client=committee, body=DealHand(dealer=0)))


def secret(director: AuthenticatedClient, role: IssueTokenRole) -> str:
    issued = issue_token.sync(client=director, body=IssueToken(role=role, scope=ScopeBody(tournament=NIGHT)))
    return is_a(str, is_a(IssuedToken, issued).secret)


def results(director: AuthenticatedClient, tables: list[str]) -> None:
    refused("a round that is not over", close_round.sync(NIGHT, 1, client=director, body=ReasonBody()))
    for table in tables:
        answered(enter_result.sync(NIGHT, 1, table, client=director, body=EnterResult(points=[21, 14])))
    answered(close_round.sync(NIGHT, 1, client=director, body=ReasonBody()))


def spectators(url: str, director: AuthenticatedClient) -> None:
    """With a code before the tournament is published, without anything after it."""
    passer_by = cast(AuthenticatedClient, page_of(url))  # the generator takes security that may be left out for one that may not
    spectator = entered(url, code(director, IssueCodeRole.VIEWER, good_for=IssueCodeGoodForType0.MANY))
    refused("a passer-by", read_standings.sync(NIGHT, client=passer_by))
    print("the spectator reads", places(spectator))
    refused("a spectator who publishes", publish_tournament.sync(NIGHT, client=spectator, body=published()))
    answered(publish_tournament.sync(NIGHT, client=director, body=published()))
    print("the passer-by reads", places(passer_by))


def published() -> PublishTournament:
    return PublishTournament(publication=PublishTournamentPublication.ALIASES)


def places(reader: AuthenticatedClient) -> list[int]:
    return [row.place for row in is_a(Standings, read_standings.sync(NIGHT, client=reader)).lines]


def over(director: AuthenticatedClient, tablets: dict[str, AuthenticatedClient]) -> None:
    """One tablet goes, the other stays to the end."""
    answered(sign_out.sync(client=tablets["1"]))
    refused("who signed out", read_me.sync(client=tablets["1"]))
    print("the other is still", is_a(CallerView, read_me.sync(client=tablets["2"])).role)
    answered(end_tournament.sync(NIGHT, client=director, body=EndTournament()))


def is_a(kind: type[Wanted], told: object) -> Wanted:
    assert isinstance(told, kind), told
    return told


def answered(told: object) -> None:
    assert told is not None
    assert not isinstance(told, Problem), told


def refused(who: str, told: object) -> None:
    problem = is_a(Problem, told)
    print(f"{who}: {problem.status} {problem.code}")


with DOOR:
    main(*sys.argv[1:])
