"""Refusals that chance hardly ever finds, on tables laid out by hand; and those of any game, whatever its rules."""

from collections.abc import Iterator
from typing import Any, cast

from api.common.act_handlers import CommandContext
from api.http.request import Request
from api.rulings.game_status_commands import build_signature
from api.rulings.requests import SignSheet
from domain.dispute import Docket
from domain.errors import InvalidFormatError, Refused
from domain.events.game import GameMadePublic, SheetSigned, SignatureWithdrawn
from domain.games import RULESETS
from domain.opening import opening
from domain.paper import sheet_digest
from replay.record import events_of, parse
from tests.domain.games.canasta.positions import Position as Canasta
from tests.domain.games.canasta.positions import groups
from tests.domain.games.casino.positions import Position as Casino
from tests.domain.recorded import RealGame

_NINES = {0: "9: 9S 9H 9D"}


def rare(key: str) -> Iterator[Refused]:
    match key:
        case "canasta":
            yield from _canasta()
        case "casino":
            yield from _casino()
        case _:
            return


def _canasta() -> Iterator[Refused]:
    kings = {0: "K: KS KS KH KH KD KD KC"}
    yield _refused(Canasta("3S 3S 3C 9S 8S", melds=kings), "meld", melds=groups("3: 3S 3S 3C"))
    yield _refused(Canasta("9S 8S", stock="", pile="4D 9D", melds=_NINES, phase="draw"), "pass")
    yield _refused(Canasta("2S 2H 2D TS TH", melds=_NINES), "meld", melds=groups("2: 2S 2H 2D"))
    yield _refused(Canasta("QS 2D 8S", pile="QC", melds=_NINES, phase="draw"), "take", rank="Q", cards=["QS"])
    yield _refused(Canasta("QS QH 2D 8S", pile="4D 2C", phase="draw"), "take", rank="Q", cards=["QS"])
    yield _refused(Canasta("QS QH QD 8S", melds=_NINES), "meld", melds=groups("Q: QS QH QD, Q: QS"))
    yield _refused(Canasta("QS QH QD QS 8S", melds=_NINES), "meld", melds=groups("Q: QS QH QD, Q: QS"))
    yield _refused(Canasta("QS 8S"), "answer", consent=True)
    yield _refused(Canasta("QS QH 8S", pile="QC", melds=_NINES, phase="draw"), "take", rank="3", cards=["QS", "QH"])


def _casino() -> Iterator[Refused]:
    yield _refused(Casino("8S KC", board="8D"), "build", card="8S", value=8, groups=[["8S"]])
    royal = Casino("AS 9H AC", board="2D QD", builds=[(1, 1, "AH, AD"), (14, 1, "TC 4C")], options={"variant": "royal"})
    yield _refused(royal, "capture", card="AS", groups=[], builds=[1, 2])


def _refused(position: Any, kind: str, **fields: Any) -> Refused:
    try:
        position.rulebook.resolve(position.table, position.table.to_act[0], {"type": kind, **fields})
    except Refused as refused:
        return refused
    raise AssertionError(f"{kind} {fields} is not refused")


def of_any_game() -> Iterator[Refused | InvalidFormatError]:
    for docket in (Docket(halted=True), Docket(ended="abandoned"), Docket(ended="annulled")):
        try:
            docket.check_play()
        except Refused as refused:
            yield refused
    yield from _of_signing()
    yield from _of_disclosing()
    hand = {"dealer": 0, "deck": [], "fill": "sorted", "moves": []}
    record: dict[str, Any] = {"ruleset": "casino", "seats": 2, "hands": [hand]}
    for spoilt in (
        {},
        "{",
        {**record, "ruleset": 1},
        {**record, "name": 1},
        {**record, "players": [1]},
        {**record, "players": ["a"]},
        {**record, "colour": "red"},
        {**record, "hands": {}},
        {**record, "hands": [{**hand, "fill": "random"}]},
        {**record, "hands": [{**hand, "moves": [{"seat": 0}]}]},
        {**record, "ruleset": "whist"},
        {**record, "played_at": "yesterday"},
        {**record, "round": 0},
        {**record, "openness": "always"},
        {**record, "openness": "round_over"},
        {**record, "openness": "tournament_over"},
        {**record, "live": "no"},
        {**record, "ref": "1998-17"},
        {**record, "meta": {"sum": 1e999}},
        {**record, "meta": {"words": "w" * 5000}},
        {**record, "hands": [{**hand, "adjustments": 7}]},
        {**record, "hands": [{**hand, "adjustments": [{"party": 0}]}]},
        {**record, "hands": [{**hand, "moves": [{"seat": 0, "move": {}, "stood": True}]}]},
        {**record, "hands": [{**hand, "moves": [{"seat": 0, "move": {}, "stood": {"effects": []}, "lacks": {}}]}]},
    ):
        try:
            events_of(parse(spoilt), RULESETS)
        except (InvalidFormatError, Refused) as refused:
            yield refused


def _of_disclosing() -> Iterator[Refused | InvalidFormatError]:
    real = RealGame("casino")
    real.enact(GameMadePublic(None))
    try:
        real.enact(GameMadePublic(None))
    except Refused as refused:
        yield refused
    try:
        opening(RULESETS["casino"], {}, 2, openness="round_over")
    except InvalidFormatError as malformed:
        yield malformed


def _of_signing() -> Iterator[Refused]:
    real = RealGame("casino")
    acts = (SheetSigned(0, 1, ""), SheetSigned(0, 2, ""), SheetSigned(2, 2, ""), SheetSigned(0, 9999, ""))
    yield _unsigned(real, acts[0])
    real.hand()
    yield from (_unsigned(real, act) for act in (*acts[1:], SignatureWithdrawn(0, 0)))
    signed = SheetSigned(0, real.game.position, sheet_digest(real.sheet))
    real.enact(signed)
    yield _unsigned(real, signed)
    try:
        build_signature(
            CommandContext(cast(Request, None), real.game, SignSheet(party=0, position=2, digest="0" * 64), None, signed.digest)
        )
    except Refused as refused:
        yield refused


def _unsigned(real: RealGame, act: SheetSigned | SignatureWithdrawn) -> Refused:
    try:
        real.enact(act)
    except Refused as refused:
        return refused
    raise AssertionError(f"{act} is not refused")
