"""Plays a short game with the client that openapi-generator makes of the document: ``python program.py URL TOKEN``."""

import sys
from uuid import UUID

from kiebitz_api import ApiClient, Configuration
from kiebitz_api.api.games_api import GamesApi
from kiebitz_api.api.playing_api import PlayingApi
from kiebitz_api.api.reading_api import ReadingApi
from kiebitz_api.exceptions import ApiException
from kiebitz_api.models.casino_trail import CasinoTrail
from kiebitz_api.models.deal_hand import DealHand
from kiebitz_api.models.move import Move
from kiebitz_api.models.open_game import OpenGame
from kiebitz_api.models.play_moves import PlayMoves
from kiebitz_api.models.problem import Problem

DECK = ["3H", "9C", "6S", "5D", "4C", "KC", "KS", "KD", "KH", "QH", "QS", "QD"]


def main(url: str, token: str) -> None:
    with ApiClient(Configuration(host=url, access_token=token)) as client:
        game = GamesApi(client).open_game(OpenGame(ruleset="casino", seats=2)).game
        playing = PlayingApi(client)
        playing.deal(game, DealHand(dealer=1, deck=DECK, fill="sorted"))
        refused(playing, game)
        for _ in range(4):
            legal = ReadingApi(client).list_legal_moves(game)
            played = playing.play(game, PlayMoves(seat=legal.seat, move=legal.moves[0]))
            print(f"{legal.moves[0].actual_instance.type} of seat {legal.seat}, position {played.position}")


def refused(playing: PlayingApi, game: UUID) -> None:
    try:
        playing.play(game, PlayMoves(seat=0, move=Move(CasinoTrail(type="trail", card="2C"))))
    except ApiException as error:
        print(error.status, Problem.from_dict(error.data.to_dict()).code)


main(*sys.argv[1:])
