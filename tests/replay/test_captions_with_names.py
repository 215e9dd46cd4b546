"""Every sentence of every caption with names in the place of seats: ``captions_with_names.<language>.txt`` shows them."""

import re
from itertools import chain
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain import texts
from domain.effects import DetailAnnounced
from domain.events.game import MovePlayed
from domain.games import RULESETS
from domain.rules import Ruleset
from domain.texts.wording import parts_of
from replay.frame_texts import FrameTexts
from replay.game_frames import frame
from tests.each import each
from tests.projections.histories import History, frames_of, opened
from tests.replay.test_folding import disputed, steps_of

SHOWN: dict[str, Path] = {language: Path(__file__).with_name(f"captions_with_names.{language}.txt") for language in texts.LANGUAGES}
ANNA = {"en": "Anna and Berta", "de": "Anna und Berta"}
SENTENCES = ("caption.", "event.", "said.", "then.")
COUNTED = "event.game.opened"
"""The sentence that tells how many seats there are, and names none."""


def sentences(language: str) -> list[str]:
    """Of all games, with names in the place of seats."""
    known = [texts.COMMON[language], *(ruleset.about().words.get(language, {}) for ruleset in RULESETS.values())]
    told = chain.from_iterable(one.items() for one in known)
    return sorted({f"{key}: {with_names(key, text, language)}" for key, text in told if key.startswith(SENTENCES)})


def with_names(key: str, text: str, language: str) -> str:
    """Placeholders of seats and parties as names, all others as they stand there."""
    before = (texts.COMMON[language]["before.seat"], texts.COMMON[language]["before.party"])
    named = {"seat": "Anna", "dealer": "Anna", "target": "Berta", "drawn_from": "Berta"}
    parts = parts_of(text, *before)
    if key == COUNTED:
        return text
    return "".join(named.get(part.of, ANNA[language]) if part.of else part.text for part in parts)


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_sentence_reads_well_with_names_in_the_place_of_seats(language: str):
    assert SHOWN[language].read_text(encoding="utf-8").splitlines() == sentences(language)


@each("language", texts.LANGUAGES)
def test_no_sentence_speaks_of_a_seat_in_mere_words(language: str):
    left = [line for line in sentences(language) if re.search(r"(?i)\b(seats?|sitz\w*|party|partei)\W* \{", line)]
    assert [line for line in left if not line.startswith(COUNTED)] == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_what_is_told_of_a_seat_in_a_game_is_that_seat(ruleset: Ruleset, language: str):
    played, transcript = disputed(ruleset, 1), FrameTexts(ruleset.about(), language)
    parties = [tuple(party) for party in played.game.setup.parties]
    for step in steps_of(played):
        told = frame(played.game, "arbiter", played.around, step)
        pieces = transcript.pieces(told)
        for piece in pieces:
            if isinstance(piece, str):
                assert not re.search(r"(?i)\b(seats?|sitz\w*|party|partei) \d", piece), pieces
            elif "part" in piece.words.lower():
                assert parties[int(piece.words.split()[-1])] == piece.seats
            else:
                assert tuple(map(int, re.findall(r"\d+", piece.words))) == piece.seats


def test_of_damaged_history_only_words_are_told():
    about = RULESETS["quartett-trumpf"].about()
    history = History(1, opened())
    [first] = frames_of(history.events, "arbiter")
    for seats, said in (((0, 9), "A tie between seats 0 and 9."), ((0, True), "A tie between seats 0 and True.")):
        damaged = replace(first, name="move.played/1", event=MovePlayed(0, {"type": "draw"}, (DetailAnnounced(None, "tied", seats),)))
        assert said in FrameTexts(about, "en").pieces(damaged)[-1]
