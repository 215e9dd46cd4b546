"""A bot that plays for a seat, with the token of a player, in a game with ``own_moves``: ``python play_seat.py URL TOKEN GAME SEAT``."""

import random
import sys
from collections.abc import Callable, Sequence

from kiebitz_client import ConflictError, Kiebitz
from kiebitz_client.moves import Move


def play_seat(url: str, token: str, id: str, seat: int, choose: Callable[[Sequence[Move]], Move] = random.choice) -> None:
    with Kiebitz(url, token) as kiebitz:
        game = kiebitz.game(id)
        for _ in game.follow(after=game.position - 1):  # the last event comes at once, then each new one
            game.refresh()
            if game.over:
                return
            if game.turn == seat:
                try:
                    game.play(choose(game.legal_moves))
                except ConflictError:
                    continue  # somebody was faster: the next event says what happened


if __name__ == "__main__":
    url, token, game, number = sys.argv[1:]
    play_seat(url, token, game, int(number))
