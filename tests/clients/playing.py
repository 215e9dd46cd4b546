"""Plays a short game with the client that openapi-python-client makes of the document: ``python playing.py URL TOKEN``.

A user of that client would write it so. The types are checked, and what it prints is compared, by ``test_python_client.py``.
"""

import sys
from uuid import UUID

from kiebitz_client.api.games import open_game, read_game
from kiebitz_client.api.playing import deal, play
from kiebitz_client.api.reading import list_legal_moves
from kiebitz_client.client import AuthenticatedClient
from kiebitz_client.models.casino_capture import CasinoCapture
from kiebitz_client.models.casino_options import CasinoOptions
from kiebitz_client.models.casino_trail import CasinoTrail
from kiebitz_client.models.command_response import CommandResponse
from kiebitz_client.models.deal_hand import DealHand
from kiebitz_client.models.deal_hand_fill_type_0 import DealHandFillType0
from kiebitz_client.models.legal_moves import LegalMoves
from kiebitz_client.models.open_game import OpenGame
from kiebitz_client.models.play_moves import PlayMoves
from kiebitz_client.models.play_response import PlayResponse
from kiebitz_client.models.problem import Problem

DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"]
NOWHERE = UUID("00000000-0000-4000-8000-000000000000")


def main(url: str, token: str) -> None:
    with AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True) as client:
        game = opened(client)
        deal.sync(game, client=client, body=DealHand(dealer=1, deck=DECK, fill=DealHandFillType0.SORTED))
        refused(client, game)
        for _ in range(4):
            one_move(client, game)
        unknown(client)


def opened(client: AuthenticatedClient) -> UUID:
    answer = open_game.sync(client=client, body=OpenGame(ruleset="casino", seats=2, options=CasinoOptions(sweeps=True)))
    assert isinstance(answer, CommandResponse)
    return answer.game


def one_move(client: AuthenticatedClient, game: UUID) -> None:
    """The first legal one, as it was told."""
    legal = list_legal_moves.sync(game, client=client)
    assert isinstance(legal, LegalMoves)
    assert isinstance(legal.seat, int)
    played = play.sync(game, client=client, body=PlayMoves(seat=legal.seat, move=legal.moves[0]))
    assert isinstance(played, PlayResponse)
    print(f"{type(legal.moves[0]).__name__} of seat {legal.seat}, position {played.position}")


def refused(client: AuthenticatedClient, game: UUID) -> None:
    wrong = CasinoCapture(type_="capture", card="9C", groups=[["5D"]])
    answer = play.sync_detailed(game, client=client, body=PlayMoves(seat=0, move=wrong))
    assert isinstance(answer.parsed, Problem)
    print(answer.status_code.value, answer.parsed.code, answer.parsed.rules)
    not_there = play.sync(game, client=client, body=PlayMoves(seat=0, move=CasinoTrail(type_="trail", card="2C")))
    assert isinstance(not_there, Problem)
    print(not_there.status, not_there.code, not_there.detail)


def unknown(client: AuthenticatedClient) -> None:
    answer = read_game.sync(NOWHERE, client=client)
    assert isinstance(answer, Problem)
    print(answer.status, answer.code)


main(*sys.argv[1:])
