"""Follow a game live until it is over, also across restarts of the service: ``python follow_live.py URL TOKEN GAME``."""

import sys

from kiebitz_client import Kiebitz


def follow_live(url: str, token: str, id: str) -> None:
    with Kiebitz(url, token) as kiebitz:
        for event in kiebitz.game(id).follow():
            print(event.id, event.data.get("caption", event.name))
            if event.data.get("stand", {}).get("after", {}).get("places"):
                break


if __name__ == "__main__":
    follow_live(*sys.argv[1:])
