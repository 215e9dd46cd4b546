"""A club night as the demo records it: what pages are looked at with."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.deploy.serving import Served, done, run, served

TOURNAMENT = "club-night"
SERIES = "cup"


class Night(Struct, frozen=True):
    """``disputed``: a game with a dispute that waits. ``playing``: one that is on. ``player``: one of the tournament; ``players``: the
    secret of who plays as he."""

    house: Served
    secret: str
    disputed: str
    playing: str
    player: str
    players: str
    games: tuple[str, ...]

    @property
    def public(self) -> tuple[str, ...]:
        """The pages that everybody may see."""
        of_player, of_game = f"/p/{self.player}?tournament={TOURNAMENT}", f"/g/{self.disputed}"
        return (
            "/",
            "/in",
            "/offline",
            f"/t/{TOURNAMENT}",
            f"/t/{TOURNAMENT}?find=a&round=1",
            *(f"/t/{TOURNAMENT}/wall?show={show}" for show in ("pairings", "standings", "tables")),
            of_player,
            of_game,
            f"/s/{SERIES}",
            f"/s/{SERIES}/wall",
            "/rules",
            "/rules/casino",
        )

    @property
    def directed(self) -> tuple[str, ...]:
        """The pages of who directs."""
        desk = f"/t/{TOURNAMENT}/desk"
        steps = ("announce", "enter", "enter&entrant=1", "draw", "start", "playing&table=1", "standings", "publish", "hall", "devices")
        new = ("/new", "/new?what=tournament&ruleset=canasta", "/new?what=game&ruleset=quartett-trumpf")
        return (*new, "/new?what=series", "/new?what=season", f"/s/{SERIES}/desk", desk, *(f"{desk}?step={step}" for step in steps))


@contextmanager
def night(folder: Path) -> Iterator[Night]:
    """The demo's house, served, with a series."""
    made = run("demo", "--no-serve", "--data", folder)
    assert made.returncode == 0, made.stdout + made.stderr
    issued = run("tokens", "issue", "--role", "director", "--label", "night", "--data", folder)
    secret = re.findall(r"kb_[\w-]+", issued.stdout)[0]
    with served("--data", folder) as house, house.client(secret) as client:
        done(client.post("/v1/series", json={"id": SERIES, "title": "Cup", "tables": {"category": True}}))
        done(client.post(f"/v1/series/{SERIES}/tournaments", json={"tournament": TOURNAMENT}))
        done(client.post(f"/v1/series/{SERIES}/publication", json={"publication": "names"}))
        dispute = done(client.get(f"/v1/disputes?undecided=true&tournament={TOURNAMENT}"))["items"][0]
        entrant = done(client.get(f"/v1/tournaments/{TOURNAMENT}/entries"))["entrants"][0]
        as_player = {"role": "player", "scope": {"tournament": TOURNAMENT}, "player": entrant["players"][0]}
        players = done(client.post("/v1/tokens", json=as_player))["secret"]
        games = tuple(game["id"] for game in done(client.get("/v1/games?limit=100"))["items"])
        playing = next(game for game in done(client.get("/v1/games?finished=false&limit=100"))["items"] if game["state"] == "open")
        yield Night(house, secret, dispute["game"], playing["id"], entrant["players"][0], players, games)
