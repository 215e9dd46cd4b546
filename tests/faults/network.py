"""The network of the hall is pulled while recorders go on entering at their pages: each act is recorded once, in its order."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from msgspec import Struct
from playwright.sync_api import Browser, sync_playwright

from tests.browser import CHROMIUM
from tests.deploy.serving import done, run
from tests.faults.cable import Cable, Way, cable
from tests.faults.recorders import Device, Played, hand_of
from tests.faults.scene import Finding, counted, traced, watched

AWAY = float(os.environ.get("FAULT_SECONDS", "300"))
"""How long the network is away without a break. ``FAULT_SECONDS=30 ./run faults network`` is enough to see what it is about."""
LONG: Sequence[Way] = ("unheard", "silent", "refused")
SHORT: Sequence[Way] = ("refused", "unheard", "silent") * 2
BRIEF = 2.0  # seconds of each short cut, and after it
BEFORE, WHILE_AWAY = 4, 28
"""How many acts are entered at a table before the network goes, and while it is away. The rest of the hand comes with the short cuts."""
PATIENCE = 90.0  # seconds until all is recorded, once the network is back
NIGHT = "evening"


class Recorded(Struct):
    """A table: those who record there, and the hand that is played. ``entered``: how far it has got."""

    name: str
    game: str
    devices: list[Device]
    hand: list[Played]
    entered: int = 0

    def enter(self, device: Device) -> None:
        """The next act; where a line came back, he looks which that is."""
        if self.entered >= len(self.hand):
            return
        taken = device.type(self.hand[self.entered].line)
        self.entered = self.entered + 1 if taken else device.stands()


def findings() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        service = stack.enter_context(watched("--data", Path(folder) / "data"))
        network = stack.enter_context(cable(urlsplit(service.server.url).port or 0))
        driven = stack.enter_context(sync_playwright())
        browser = driven.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        with service.server.client() as client:
            tables = _seated(client, browser, network.url)
            yield Finding("tables, devices", f"{len(tables)}, {sum(len(table.devices) for table in tables)}")
            yield from _long(tables, network)
            yield from _short(tables, network)
            yield from _compared(client, tables)
        browser.close()
        service.server.end()
        yield from traced(service.traces())
        finished = run("audit", "--all", "--data", Path(folder) / "data")
        yield Finding("kiebitz audit --all", (finished.stdout.strip().splitlines() or [""])[-1][:60], finished.returncode == 0)


def _seated(client: httpx.Client, browser: Browser, url: str) -> list[Recorded]:
    """Four tables: at the second one the page is closed while the network is away, at the third both devices enter the same, at the fourth
    they take turns."""
    done(client.post("/v1/tournaments", json={"id": NIGHT, "ruleset": "casino", "seats": 2, "format": "manual"}))
    for number in range(8):
        done(client.post(f"/v1/tournaments/{NIGHT}/entries", json={"players": [f"player-{number}"]}))
    pairing = [{"table": str(table), "parties": [[2 * table - 1], [2 * table]]} for table in range(1, 5)]
    done(client.post(f"/v1/tournaments/{NIGHT}/rounds", json={"tables": pairing}))
    opened = done(client.post(f"/v1/tournaments/{NIGHT}/rounds/1/games", json={}))["tables"]
    return [_seat(client, browser, url, one["table"], one["game"]) for one in opened]


def _seat(client: httpx.Client, browser: Browser, url: str, table: str, game: str) -> Recorded:
    wanted = {"role": "recorder", "scope": {"tournament": NIGHT, "table": table}, "good_for": "screen"}
    codes = [done(client.post("/v1/codes", json=wanted))["code"] for _ in range(1 if table in "12" else 2)]
    devices = [Device(browser, url, code, f"/t/{NIGHT}/{table}") for code in codes]
    devices[0].deal()
    found = Recorded(table, game, devices, hand_of(client, game, int(table)))
    for _ in range(BEFORE):
        found.enter(devices[0])
    devices[0].shows(BEFORE)
    return found


def _long(tables: Sequence[Recorded], network: Cable) -> Iterator[Finding]:
    """Without a break, in three ways after each other; at the end each page says how many acts it keeps."""
    first, second, both, turns = tables
    network.pull(LONG[0])
    start, kept_when_closed = time.monotonic(), 0
    for number in range(WHILE_AWAY):
        if network.way != (way := LONG[number * len(LONG) // WHILE_AWAY]):
            network.pull(way)
        for table in tables:
            if table is second and number == WHILE_AWAY // 2:
                kept_when_closed = table.devices[0].kept()
                table.devices[0].close()
            elif table is not second or number < WHILE_AWAY // 2:
                table.enter(table.devices[0])
        both.devices[1].type(both.hand[BEFORE + number].line)
        first.devices[0].wait(start + AWAY * (number + 1) / WHILE_AWAY - time.monotonic())
    told = [(device.kept(), WHILE_AWAY) for device in (first.devices[0], *both.devices, turns.devices[0])]
    told.append((kept_when_closed, WHILE_AWAY // 2))
    yield Finding("the network was away", f"{time.monotonic() - start:.0f} s: {', '.join(LONG)}")
    yield Finding("acts entered meanwhile", str(sum(typed for _, typed in told)))
    said = ", ".join(f"{kept} of {typed}" for kept, typed in told)
    yield Finding("pages said that they keep", said, all(kept == typed for kept, typed in told))
    network.pull("open")
    back = time.monotonic()
    second.devices[0].open()
    _settled(tables)
    took = time.monotonic() - back
    yield Finding("until all of it was recorded", f"{took:.1f} s", took < PATIENCE)
    turns.devices[1].shows(turns.entered)
    yield Finding("until the other device of a table showed it", f"{time.monotonic() - back:.1f} s")


def _short(tables: Sequence[Recorded], network: Cable) -> Iterator[Finding]:
    """Cuts so short that nobody would look up. At the last table the other device goes on."""
    cuts: list[Way] = [way for cut in SHORT for way in (cut, "open")]
    start, lines = time.monotonic(), max(len(table.hand) - table.entered for table in tables)
    steps = max(lines, len(cuts))
    for step in range(steps):
        if network.way != (way := cuts[step * len(cuts) // steps]):
            network.pull(way)
        for table in tables:
            table.enter(table.devices[-1 if table is tables[-1] else 0])
        tables[0].devices[0].wait(start + BRIEF * len(cuts) * (step + 1) / steps - time.monotonic())
    network.pull("open")
    back = time.monotonic()
    _settled(tables)
    for table in tables:
        while table.entered < len(table.hand) and time.monotonic() < back + PATIENCE:
            table.enter(table.devices[-1 if table is tables[-1] else 0])
    _settled(tables)
    yield Finding("short cuts", f"{len(SHORT)} of {BRIEF:.0f} s; all was recorded {time.monotonic() - back:.1f} s after the last")
    yield Finding("acts that went through and whose answer was lost", str(network.unheard), network.unheard > 0)
    yield Finding("devices that asked what stands, lines that came back", _sums(tables))


def _sums(tables: Sequence[Recorded]) -> str:
    devices = [device for table in tables for device in table.devices]
    return f"{sum(one.decided for one in devices)}, {sum(one.again for one in devices)}"


def _settled(tables: Sequence[Recorded]) -> None:
    """All pages say that everything is recorded; who is asked decides."""
    devices = [device for table in tables for device in table.devices]

    def recorded(device: Device) -> bool:
        device.decide()
        return device.says() == "recorded"

    _until_all(devices, recorded)


def _until_all(devices: Sequence[Device], holds: Callable[[Device], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    left = list(devices)
    while left and time.monotonic() < deadline:
        left = [device for device in devices if not holds(device)]
        devices[0].wait(0.1)


def _compared(client: httpx.Client, tables: Sequence[Recorded]) -> Iterator[Finding]:
    lost = doubled = moved = entered = 0
    for table in tables:
        typed = [_text(played.seat, played.move) for played in table.hand]
        events = done(client.get(f"/v1/games/{table.game}/history", params={"limit": 1000}))["events"]
        found = [_text(event["body"]["seat"], event["body"]["move"]) for event in events if event["name"].startswith("move.")]
        entered += len(typed)
        differs = next((place for place, pair in enumerate(zip_longest(typed, found)) if len(set(pair)) > 1), None)
        if differs is not None:
            yield Finding(f"table {table.name}", f"from act {differs + 1} on otherwise than typed, of {table.entered} typed", False)
        lost += len(set(typed) - set(found))
        doubled += len(found) - len(set(found))
        moved += sum(one != other for one, other in zip(typed, found, strict=False))
    yield counted("acts lost", lost, entered)
    yield counted("acts recorded twice", doubled, entered)
    yield counted("acts not in their place", moved, entered)


def _text(seat: int, move: object) -> str:
    return f"{seat} {json.dumps(move, sort_keys=True)}"
