"""The one taxonomy of what can go wrong."""

from uuid import UUID

from domain.errors import DataIntegrityError, Exists, InvalidFormatError, KeyConflictError, Refused, Stale, Unavailable, Unknown

GAME = UUID(int=7)


def test_a_refusal_carries_its_code_its_rules_and_what_the_sentence_names():
    refused = Refused("pile_frozen", "CAN-32", "CAN-28", pile="7H")
    assert (refused.code, refused.rules, refused.detail, refused.index) == ("pile_frozen", ("CAN-32", "CAN-28"), {"pile": "7H"}, None)


def test_each_error_says_what_is_wrong():
    errors = [
        Refused("pile_frozen"),
        InvalidFormatError("bad_players", "one player too many", "players"),
        Unknown("game", GAME),
        Stale(GAME, 3, 5),
        Exists("game", GAME),
        KeyConflictError("abc"),
        Unavailable("the store is busy", unclear=True),
        DataIntegrityError(GAME, 4, "the bytes are damaged"),
    ]
    assert [str(error) for error in errors] == [
        "pile_frozen",
        "one player too many",
        f"There is no game {GAME}.",
        "It stands at move 5 by now, not 3.",
        f"The game {GAME} is here already. Nothing was recorded.",
        'The key "abc" was used for another request.',
        "the store is busy",
        f"{GAME}, position 4: the bytes are damaged",
    ]


def test_what_is_unknown_has_a_code_of_its_kind():
    assert Unknown("ruleset", "whist").code == "unknown_ruleset"
