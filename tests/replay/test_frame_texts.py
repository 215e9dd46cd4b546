"""Captions: what happened in sentences, English and German, and never a word of what a viewer may not know."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from domain import texts
from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved, DetailAnnounced, Effect, GameClosed, HandClosed, MarkSet, TurnPassed, ZoneAdded
from domain.events import NAMES, Event, effects_of
from domain.events import game as of_games
from domain.events.base import TextRef
from domain.events.game import (
    DisputeRaised,
    DisputeRuled,
    GameMadePublic,
    IllegalMoveAccepted,
    MovePlayed,
    NoteAdded,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
    RewindRecorded,
    SheetSigned,
    SignatureWithdrawn,
    TableCorrected,
)
from domain.games import RULESETS
from domain.rules import About, Ruleset
from domain.sight import ARBITER, PUBLIC, Viewer, masked
from domain.table import Table, Zone, fold
from domain.texts.wording import in_words
from replay.frame_texts import FrameTexts
from replay.game_frames import Frame, redacted
from tests.domain.games.setups import TRIED
from tests.each import each
from tests.laws import Playout, Step, play
from tests.projections.histories import SETUP, START, History, a_whole_game, dealt, frames_of, opened, played, trailed

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
every_language = pytest.mark.parametrize("language", ["en", "de"])


def describe(catalogues: FrameTexts, frame: Frame) -> str:
    return in_words(catalogues.pieces(frame))


def frame_of(event: Event, name: str = "move.played/1", table: Table | None = None) -> Frame:
    return Frame(3, name, START, "p", None, False, event, table or Table(SETUP))


def told_of(key: str, language: str, seat: int, move: dict[str, Any], *effects: Effect) -> str:
    about = RULESETS[key].about()
    return describe(FrameTexts(about, language), frame_of(MovePlayed(seat, move, effects)))


def captured(seat: int, value: int | None, card: str, *taken: tuple[tuple[str, ...], str]) -> tuple[Effect, ...]:
    moved = tuple(CardsMoved(cards, zone, "won:1") for cards, zone in taken)
    return (
        *moved,
        CardsMoved((card,), f"hand:{seat}", "won:1", shown=True),
        DetailAnnounced(seat, "captured", value),
        TurnPassed("play", 0, (0,)),
    )


CAPTURE = {"type": "capture", "card": "9S", "groups": [["7D", "2C"]], "builds": [3]}
TAKEN = captured(1, 9, "9S", (("7D", "2C"), "board"), (("4H", "5H"), "build:3:0"))

SENTENCES: dict[str, tuple[str, int, dict[str, Any], tuple[Effect, ...], str, str]] = {
    "a capture of cards and a build": (
        "casino",
        1,
        CAPTURE,
        TAKEN,
        "Seat 1 takes 7♦ 2♣ and the build of 9 with 9♠.",
        "Sitz 1 fängt 7♦ 2♣ und das 9er-Build mit 9♠.",
    ),
    "a picture takes a picture and sweeps": (
        "casino",
        0,
        {"type": "capture", "card": "QS", "groups": [["QD"]]},
        (*captured(0, None, "QS", (("QD",), "board")), DetailAnnounced(0, "swept", "QS")),
        "Seat 0 takes Q♦ with Q♠. A sweep.",
        "Sitz 0 fängt D♦ mit D♠. Ein Sweep.",
    ),
    "a raise with a group": (
        "casino",
        1,
        {"type": "raise", "card": "3H", "build": 1, "value": 9, "groups": [["TD"]]},
        (DetailAnnounced(1, "raised", {"build": 1, "from_value": 6, "value": 9, "previous_owner": 0, "kind": "multiple"}),),
        "Seat 1 raises the build of 6 to 9 with 3♥ and adds 10♦.",
        "Sitz 1 erhöht das 6er-Build mit 3♥ auf 9 und fügt 10♦ hinzu.",
    ),
    "a card that was drawn and seen": (
        "canasta",
        2,
        {"type": "draw"},
        (CardsMoved(("3H",), "stock", "red:0"), CardsMoved(("JK",), "stock", "hand:2")),
        "Seat 2 lays 3♥ and draws joker.",
        "Sitz 2 legt 3♥ und zieht Joker.",
    ),
    "a card that was drawn and not seen": (
        "canasta",
        2,
        {"type": "draw"},
        (CardsMoved((HIDDEN,), "stock", "hand:2"),),
        "Seat 2 draws a card.",
        "Sitz 2 zieht eine Karte.",
    ),
    "a discard that freezes the pile": (
        "canasta",
        0,
        {"type": "discard", "card": "2D"},
        (CardsMoved(("2D",), "hand:0", "pile", shown=True), MarkSet("frozen", "2D", "pile")),
        "Seat 0 discards 2♦ and freezes the pile.",
        "Sitz 0 wirft 2♦ ab und friert den Stapel ein.",
    ),
    "melds that make a canasta": (
        "canasta",
        3,
        {"type": "meld", "melds": [{"rank": "Q", "cards": ["QS", "QH", "JK"]}, {"rank": "7", "cards": ["7D"]}]},
        (DetailAnnounced(3, "canasta", {"party": 1, "rank": "Q", "kind": "mixed"}),),
        "Seat 3 lays Q♠ Q♥ joker, 7♦. A mixed canasta of queens.",
        "Sitz 3 legt D♠ D♥ Joker, 7♦. Ein unechtes Canasta aus Damen.",
    ),
    "an answer": ("canasta", 1, {"type": "answer", "consent": False}, (), "Seat 1 says no.", "Sitz 1 sagt nein."),
    "a card that was asked for and given": (
        "quartett-classic",
        0,
        {"type": "ask", "target": 2, "card": "A4"},
        (
            DetailAnnounced(0, "asked", {"target": 2, "card": "A4"}),
            DetailAnnounced(2, "gave", "A4"),
            CardsMoved(("A4",), "hand:2", "hand:0", shown=True),
            DetailAnnounced(0, "quartet", "A"),
        ),
        "Seat 0 asks seat 2 for A4 and gets it. Seat 0 lays down quartet A.",
        "Sitz 0 fragt Sitz 2 nach A4 und bekommt die Karte. Sitz 0 legt das Quartett A ab.",
    ),
    "a card that was placed, and the next one turned up": (
        "cascades",
        0,
        {"type": "play", "card": "4-MS", "tier": 0},
        (CardsMoved(("4-MS",), "waste", "tier:0", shown=True), CardsMoved(("A-L",), "waste", "waste", shown=True)),
        "4 of Moons/Suns goes to the upper tier. Turned up: Ace of Leaves.",
        "4 Mond/Sonne kommt zur oberen Stufe. Aufgedeckt: Ass Blatt.",
    ),
    "a move that the viewer knows by its type only": (
        "casino",
        1,
        {"type": "trail"},
        (CardsMoved((HIDDEN,), "hand:1", "board"),),
        "Seat 1 trails ….",
        "Sitz 1 legt … ab.",
    ),
    "a move of an unheard-of type": ("casino", 1, {"type": "jump"}, (), "Seat 1: jump.", "Sitz 1: jump."),
}


@each(("key", "seat", "move", "effects", "english", "german"), SENTENCES.values(), ids=SENTENCES)
def test_a_move_in_words(key: str, seat: int, move: dict[str, Any], effects: tuple[Effect, ...], english: str, german: str):
    assert (told_of(key, "en", seat, move, *effects), told_of(key, "de", seat, move, *effects)) == (english, german)


def captions(history: History, language: str = "en") -> list[str]:
    transcript = FrameTexts(RULESETS["casino"].about(), language)
    return [describe(transcript, frame) for frame in frames_of(history.events, "arbiter")]


WON, GEWONNEN = "The game is over, won by seat 0.", "Die Partie ist zu Ende, gewonnen von Sitz 0."


@each(("language", "says"), [("en", "Seat 0 announces Tree height."), ("de", "Sitz 0 sagt Baumhöhe an.")])
def test_a_category_of_the_deck_is_called_by_its_name(language: str, says: str):
    rules = RULESETS["quartett-trumpf"]
    table = Table(rules.bind({"deck_def": "wood"}, 3).setup)
    frame = frame_of(MovePlayed(0, {"type": "announce", "category": "height"}, ()), table=table)
    assert describe(FrameTexts(rules.about(), language), frame) == says


def test_a_number_is_no_card_also_where_a_card_is_called_so():
    """In alcasan 4 is water."""
    transcript = FrameTexts(RULESETS["alcasan"].about(), "en")
    assert describe(transcript, frame_of(RewindRecorded(4, None, None, Table(SETUP)), "game.rewound/1")) == "Taken back to move 4."


def test_a_game_in_words():
    assert captions(a_whole_game(1, hands=1)) == [
        "Casino and Royal Casino. Seats: 2.",
        "Hand 1: seat 1 deals. Open: 6♠.",
        "Seat 0 trails A♠.",
        "Taken back to move 2.",
        "Seat 0 trails K♠.",
        "Seat 1 trails 10♠.",
        "Seat 0: play. Counted: Cards 1 : 2, Sweeps 1 : 0. Hand 1 is over (played out): 2 : 2, in all 2 : 7. " + WON,
    ]


def test_a_game_in_german_words():
    assert captions(a_whole_game(1, hands=1), "de") == [
        "Casino und Royal Casino. Plätze: 2.",
        "Spiel 1: Sitz 1 gibt. Offen: 6♠.",
        "Sitz 0 legt A♠ ab.",
        "Zurückgenommen bis Zug 2.",
        "Sitz 0 legt K♠ ab.",
        "Sitz 1 legt 10♠ ab.",
        "Sitz 0: play. Gezählt: Karten 1 : 2, Sweeps 1 : 0. Spiel 1 ist zu Ende (ausgespielt): 2 : 2, zusammen 2 : 7. " + GEWONNEN,
    ]


def test_a_lost_solitaire_is_won_by_nobody_and_shared_places_are_shared():
    over = played(0, HandClosed("stuck", {}), GameClosed((None,), {}))
    assert describe(FrameTexts(None, "en"), frame_of(over)).endswith("The game is over.")
    shared = played(0, GameClosed((1, 1), {}))
    assert describe(FrameTexts(None, "de"), frame_of(shared)) == "Sitz 0: play. Die Partie ist zu Ende, gewonnen von Sitz 0 und Sitz 1."


def test_a_game_whose_rules_are_not_kept_any_more_is_told_by_the_types_of_its_moves():
    transcript = FrameTexts(None, "en")
    assert [describe(transcript, frame) for frame in frames_of(History(1, opened(), dealt(), trailed(0, "AS")).events, 0)] == [
        "casino. Seats: 2.",
        "Hand 1: seat 1 deals. Open: 6♠.",
        "Seat 0: trail.",
    ]


@each("move", [None, 7, "trail", {}, {"type": None}, {"type": "trail", "card": None}, {"type": "capture", "groups": 3}])
def test_damaged_moves_have_captions_too(move: Any):
    for language in ("en", "de"):
        assert describe(FrameTexts(RULESETS["casino"].about(), language), frame_of(MovePlayed(0, move, ()))) != ""


def test_an_unreadable_event_has_a_describe():
    from domain.events.base import Unreadable

    assert describe(FrameTexts(None, "en"), frame_of(Unreadable("x", "y"), "hand.dealt/9")) != ""


# The catalogues


def types_of(about: About) -> set[str]:
    """The types of moves, from their schema."""

    def found(schema: Any) -> Iterator[str]:
        if isinstance(schema, dict):
            kind = schema.get("properties", {}).get("type", {})
            yield from (kind[key] if isinstance(kind[key], str) else kind[key][0] for key in ("const", "enum") if key in kind)
            for value in schema.values():
                yield from found(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from found(value)

    return set(found(about.moves))


@every_ruleset
@every_language
def test_every_type_of_move_has_a_sentence(ruleset: Ruleset, language: str):
    about = ruleset.about()
    assert types_of(about) != set()
    assert [kind for kind in types_of(about) if f"caption.{kind}" not in about.words[language]] == []


@every_language
def test_every_event_has_a_sentence(language: str):
    kinds = {name.partition("/")[0] for name in of_games.NAMES.values()}
    assert [kind for kind in kinds if f"event.{kind}" not in texts.COMMON[language]] == []


ACTS: dict[str, tuple[Event, str, str]] = {
    "a dispute": (
        DisputeRaised(2, 17, 0, TextRef("t", "d"), False),
        "Seat 0 disputes move 17 (dispute 2).",
        "Sitz 0 bestreitet Zug 17 (Streitfall 2).",
    ),
    "a dispute of an official": (DisputeRaised(1, 3, None, None, True), "Dispute 1 about move 3.", "Streitfall 1 zu Zug 3."),
    "a ruling": (
        DisputeRuled(3, 2, "arbiter", "adjust", None, ("CNO-60",)),
        "Ruling 3 on dispute 2: points are adjusted.",
        "Entscheidung 3 im Streitfall 2: Punkte berichtigt.",
    ),
    "points": (
        PointsAdjusted(1, 0, -2, TextRef("t", "d"), 3),
        "Party 0: -2 points by ruling 3.",
        "Partei 0: -2 Punkte durch Entscheidung 3.",
    ),
    "a table put right": (
        TableCorrected((CardsMoved(("7D",), "hand:0", "board"),), None),
        "The table is put right.",
        "Der Tisch wird berichtigt.",
    ),
    "a move that stood": (
        IllegalMoveAccepted(1, {"type": "trail", "card": "7D"}, "must_not_trail", ("CNO-25",), ()),
        "Seat 1 trails 7♦. It was not allowed, but it stands.",
        "Sitz 1 legt 7♦ ab. Das war nicht erlaubt, bleibt aber stehen.",
    ),
    "a player who comes": (PlayerSeated(1, "p_9"), "Seat 1 comes to the table.", "Sitz 1 kommt an den Tisch."),
    "a player who goes": (PlayerSeated(0, None), "Seat 0 is free.", "Sitz 0 ist frei."),
    "players put right": (
        PlayersCorrected(("p_9", None), 2, None),
        "Put right who sat there from hand 2 on: seats 0 and 1.",
        "Berichtigt, wer von Spiel 2 an dort saß: Sitze 0 und 1.",
    ),
    "a signature": (
        SheetSigned(1, 148, "ab" * 32),
        "The score sheet of move 148 is signed by party 1.",
        "Der Anschreibezettel von Zug 148 ist von Partei 1 unterschrieben.",
    ),
    "a signature that is withdrawn": (
        SignatureWithdrawn(1, 149),
        "The signature of party 1 is withdrawn.",
        "Die Unterschrift von Partei 1 ist zurückgezogen.",
    ),
    "a game opened early": (
        GameMadePublic(TextRef("t", "d")),
        "The game is opened to everybody.",
        "Die Partie ist für alle offengelegt.",
    ),
    "a note": (NoteAdded(TextRef("t", "d"), 4), "A note on move 4.", "Eine Anmerkung zu Zug 4."),
}


@each(("event", "english", "german"), ACTS.values(), ids=ACTS)
def test_what_officials_do_in_words(event: Event, english: str, german: str):
    frame = frame_of(event, NAMES[type(event)])
    assert [describe(FrameTexts(RULESETS["casino"].about(), language), frame) for language in ("en", "de")] == [english, german]


@pytest.mark.parametrize("key", ["all", *RULESETS])
def test_both_languages_say_the_same_things_with_the_same_details(key: str):
    words = RULESETS[key].about().words if key in RULESETS else texts.COMMON
    english, german = (
        {
            name: set(re.findall(r"\{(\w+)(?::[^}]*)?\}", text))
            for name, text in words[language].items()
            if not name.startswith(("card.", "short."))
        }
        for language in ("en", "de")
    )
    assert english == german


@each(("card", "sign"), [("7D", "7♦"), ("TS", "10♠"), ("QH", "Q♥"), ("JK", "joker"), ("A4", "A4"), ("?", "?")])
def test_a_card_is_shown_as_people_read_it(card: str, sign: str):
    assert FrameTexts(RULESETS["canasta"].about(), "en").card(card) == sign


def test_german_pictures_have_german_letters():
    german = FrameTexts(RULESETS["canasta"].about(), "de")
    assert [german.card(card) for card in ("QS", "JS", "KS", "AS", "TS")] == ["D♠", "B♠", "K♠", "A♠", "10♠"]


# Hidden cards


@cache
def random_game(key: str, number: int) -> Playout:
    ruleset, set_up = RULESETS[key], TRIED[key]().set_ups[number]
    return play(ruleset, ruleset.bind(dict(set_up.options), set_up.seats), f"{key} {number}", min(set_up.longest, 150), set_up.rarely)


def frames(playout: Playout, viewer: Viewer) -> Iterator[tuple[Step, Frame]]:
    for step in playout.steps:
        event: Event = MovePlayed(step.seat, step.move, step.effects)
        name = "move.played/1" if step.move is not None else "hand.dealt/1"
        yield step, frame_of(told(viewer, step.before, event), name, masked(step.after, viewer))


def told(viewer: Viewer, before: Table, event: Event) -> Event:
    seen = redacted(viewer, before, event)
    assert seen is not None
    return seen


@every_ruleset
@pytest.mark.parametrize("number", [0, 5])
def test_no_caption_names_a_card_that_its_reader_cannot_see(ruleset: Ruleset, number: int):
    playout = random_game(ruleset.key, number)
    for viewer in playout.viewers[-2:]:  # a seat, and the public
        for language in ("en", "de"):
            transcript = FrameTexts(ruleset.about(), language)
            for step, frame in frames(playout, viewer):
                caption = describe(transcript, frame)
                surplus = named(transcript, caption, set(playout.rulebook.deck) - open_to(viewer, step))
                assert not surplus, (viewer, caption, surplus)


def open_to(viewer: Viewer, step: Step) -> set[Card]:
    """What the viewer sees before or after the move, or as it goes; and what was said aloud by the move itself."""
    shown = {card for effect in step.effects if isinstance(effect, CardsMoved) and effect.shown for card in effect.cards}
    asked = {str(step.move["card"])} if step.move and step.move["type"] == "ask" and "card" in step.move else set()
    tables = (masked(step.before, viewer), masked(step.after, viewer))
    return shown | asked | {card for table in tables for zone in table.zones.values() for card in zone.cards}


def named(transcript: FrameTexts, caption: str, hidden: set[Card]) -> list[Card]:
    """The hidden cards that the caption names. Cards that are called by a number alone cannot be told from other numbers."""
    signs = {card: transcript.card(card) for card in hidden if not card.isdigit()}
    return [card for card, sign in signs.items() if re.search(rf"(?<![\w/]){re.escape(sign)}(?![\w/])", caption)]


@every_ruleset
def test_a_caption_is_made_from_what_was_told_alone(ruleset: Ruleset):
    """It reads the same over the table that the reader folds himself from what he was told."""
    playout = random_game(ruleset.key, 0)
    transcript = FrameTexts(ruleset.about(), "en")
    for viewer in playout.viewers[-2:]:
        for step in playout.steps:
            move = MovePlayed(step.seat, step.move, step.effects)
            whole = told(viewer, step.before, move)
            blind = masked(fold(masked(step.before, viewer), effects_of(whole)), viewer)
            assert describe(transcript, frame_of(whole, table=masked(step.after, viewer))) == describe(
                transcript, frame_of(whole, table=blind)
            )


def test_a_planted_leak_is_found():
    """The search above finds a card that is named."""
    transcript = FrameTexts(RULESETS["casino"].about(), "en")
    assert named(transcript, "Seat 1 takes 7♦ with 10♠.", {"7D", "TS", "KS"}) in (["7D", "TS"], ["TS", "7D"])


def test_what_lies_open_to_a_seat_alone_is_not_called_open():
    table = Table(
        SETUP, {"hand:0": Zone("owner", 0, ("AS",)), "board": Zone("all", None, ("KS",)), "pile": Zone("top", None, ("QS", "JS"))}
    )
    effects = (ZoneAdded("board", "all", None),)
    for viewer in (Viewer(0), PUBLIC, ARBITER):
        frame = frame_of(MovePlayed(1, None, effects), "hand.dealt/1", masked(table, viewer))
        assert describe(FrameTexts(None, "en"), frame).endswith("Open: K♠ J♠.")
