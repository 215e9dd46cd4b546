"""No frame of a closed game tells a seat or the public a card that they have not seen: caption, effects and table, for every game."""

import re
from uuid import UUID

import msgspec
import pytest

from api.games.replay_starts import frame_maker
from domain import codec
from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved
from domain.events import Event, Recorded, Stamp
from domain.events.game import GameOpened, HandDealt, MovePlayed
from domain.game import project
from domain.games import RULESETS
from domain.rules import Ruleset
from domain.sight import PUBLIC, Viewer, masked
from domain.table import Table
from replay.frame_texts import FrameTexts
from replay.past import GamePast
from tests.domain.games.setups import TRIED
from tests.laws import CLOCK, Playout, Step, names, play
from tests.projections.histories import NOTHING

GAME = UUID(int=1)


def game_of(ruleset: Ruleset, number: int) -> Playout:
    set_up = TRIED[ruleset.key]().set_ups[number]
    return play(
        ruleset, ruleset.bind(dict(set_up.options), set_up.seats), f"{ruleset.key} {number}", min(set_up.longest, 120), set_up.rarely
    )


def history_of(playout: Playout) -> list[Recorded]:
    setup = playout.rulebook.setup
    events: list[Event] = [GameOpened(setup, 1, (None,) * setup.seats, "never")]
    for step in playout.steps:
        events.append(
            HandDealt(step.seat, 1, "shuffled", step.effects) if step.move is None else MovePlayed(step.seat, step.move, step.effects)
        )
    return [codec.encode_event(GAME, position, None, Stamp(CLOCK.at, "p"), event) for position, event in enumerate(events, 1)]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_no_frame_tells_a_card_that_its_reader_has_not_seen(ruleset: Ruleset):
    playout = game_of(ruleset, 4)
    history, codes = history_of(playout), frozenset(playout.rulebook.deck)
    line, now = GamePast(lambda after, limit: history[after : after + limit]), project(None, history)
    assert now is not None
    for viewer in playout.viewers[-2:]:  # a seat, and the public
        for language in ("en", "de"):
            transcript = FrameTexts(ruleset.about(), language)
            seen: set[Card] = set()
            shown = map(frame_maker(RULESETS, now, viewer.who, NOTHING, language, worded=False), line.steps(1, now.position))
            for step, frame in zip(playout.steps, shown, strict=True):
                seen = (set() if step.move is None else seen) | open_to(viewer, step)
                table = {name: field for name, field in frame.table.items() if name != "options"}
                told = msgspec.to_builtins((frame.body, frame.effects, table))
                assert names(told, codes) <= seen, (viewer, frame)
                assert not spoken(transcript, frame.caption, codes - seen), (viewer, frame.caption)


def open_to(viewer: Viewer, step: Step) -> set[Card]:
    """What lies open to the viewer before or after, what is shown as it goes, and what is said aloud by asking for it."""
    shown = {card for effect in step.effects if isinstance(effect, CardsMoved) and effect.shown for card in effect.cards}
    asked = {str(step.move["card"])} if step.move and step.move["type"] == "ask" and "card" in step.move else set()
    return shown | asked | lying(masked(step.before, viewer)) | lying(masked(step.after, viewer))


def lying(table: Table) -> set[Card]:
    return {card for zone in table.zones.values() for card in zone.cards} - {HIDDEN}


def spoken(transcript: FrameTexts, caption: str, hidden: frozenset[Card]) -> list[Card]:
    """Hidden cards in the words. Cards that are called by a number alone cannot be told from other numbers."""
    signs = {card: transcript.card(card) for card in hidden if not card.isdigit()}
    return [card for card, sign in signs.items() if re.search(rf"(?<![\w/]){re.escape(sign)}(?![\w/])", caption)]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_the_search_finds_what_an_arbiter_is_told_beyond_the_public(ruleset: Ruleset):
    playout = game_of(ruleset, 1)
    history, codes = history_of(playout), frozenset(playout.rulebook.deck)
    line, now = GamePast(lambda after, limit: history[after : after + limit]), project(None, history)
    assert now is not None
    deal, frame = playout.steps[0], next(map(frame_maker(RULESETS, now, "arbiter", NOTHING, "en", worded=True), line.steps(1, 2)))
    assert names(msgspec.to_builtins(frame.effects), codes) - open_to(PUBLIC, deal)
