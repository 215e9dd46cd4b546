"""The JSON Schema of the portable record, where it differs from game to game and no Struct describes it."""

from typing import get_args

from api.http.decoding import RESULT, TOLD, WORTH
from api.http.request import LARGEST_NUMBER
from domain.events.game import OpensWhen
from domain.name_validation import LONGEST_ID
from domain.notation.reading import LONGEST_LINE
from replay.external_context import LARGEST_META, LONGEST_REF

_EVENT = {
    "title": "RecordEvent",
    "type": "object",
    "description": "An event as it is stored (docs/events.md), with its place.",
    "properties": {
        "position": {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER, "description": "its place in the game, from 1"},
        "name": {"type": "string", "description": "the name of the event, and its version", "examples": ["move.played/1"]},
        "at": {"type": "string", "format": "date-time", "description": "when it was recorded"},
        "by": {"type": "string", "description": "opaque id of who recorded it"},
        "link": {"type": ["string", "null"], "description": "SHA-256 of the stored bytes of the event before it"},
        "body": {"type": "object", "description": "the event itself"},
        "happened_at": {"type": "string", "format": "date-time", "description": "the time at the table"},
    },
    "required": ["position", "name"],
}


PLAYED_AT = {"type": "string", "anyOf": [{"format": "date"}, {"format": "date-time"}], "examples": ["1998-03-07"]}
_ADJUSTMENT = {
    "title": "RecordAdjustment",
    "type": "object",
    "properties": {
        "party": {"type": "integer", "minimum": 0, "description": "the party, from 0"},
        "points": {"type": "integer", "minimum": -1000000, "maximum": 1000000, "description": "so many are given; below 0: taken"},
        "reason": {"type": "string", "minLength": 1, "maxLength": 4000, "description": "why, in words; to officials only"},
        "hand": {
            "type": ["integer", "null"],
            "minimum": 1,
            "description": "the finished hand that they belong to, from 1; null for none; left out: the one where they stand",
        },
    },
    "required": ["party", "points"],
    "additionalProperties": False,
}
_STOOD = {
    "type": "object",
    "description": "it broke a rule and stood",
    "properties": {
        "effects": {
            "type": "array",
            "items": {"type": "array", "items": {}},
            "description": "its real effect on the table, in the vocabulary of docs/events.md",
        },
    },
    "required": ["effects"],
    "additionalProperties": False,
}
_HALF = {"type": "string", "minLength": 1, "maxLength": LONGEST_REF}
_ID = {"type": "string", "minLength": 1, "maxLength": LONGEST_ID}

_AT = {
    "type": "object",
    "properties": {"at": {"type": "string", "format": "date-time", "description": "the moment"}},
    "required": ["at"],
    "additionalProperties": False,
}
_OF_MOVE = [{"required": [name]} for name in ("seat", "move", "text", "lacks", "stood")]
_ONLY_RESULT = {"required": ["result"], "not": {"anyOf": [{"required": [name]} for name in ("deck", "deal", "fill", "known", "moves")]}}

RECORD = {
    "title": "RecordDocument",
    "description": "A portable record (COM-60 to COM-69). The parts that its rulebook judges are open here.",
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "a title for people"},
        "ruleset": {"type": "string", "description": "which game, by the key of its ruleset", "examples": ["casino"]},
        "options": {"type": "object", "description": "of the ruleset; what is left out has its default, or its value in the `preset`"},
        "seats": {"type": "integer", "description": "number of seats"},
        "players": {"type": "array", "items": {"type": ["string", "null"]}, "description": "an opaque id or null for each seat; no names"},
        "played_at": {**PLAYED_AT, "description": "when it was played; a date counts from its first moment in UTC"},
        "tournament": {**_ID, "description": "the tournament that it counts for"},
        "round": {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER, "description": "the round of the tournament"},
        "table": {**_ID, "description": "the table of the round"},
        "openness": {
            "anyOf": [{"enum": list(get_args(OpensWhen))}, _AT],
            "description": "when everybody may see what lay hidden: after each hand, after the game (so it is by default), its round "
            "or its tournament, at a moment, or never",
        },
        "live": {"type": "boolean", "description": "false: while the game is in progress the public sees only that it is on"},
        "ref": {
            "title": "RecordRef",
            "type": "object",
            "description": "the id of the record in its system; both together name one game",
            "properties": {
                "system": {**_HALF, "description": "the system from which the record comes", "examples": ["club-archive"]},
                "id": {**_HALF, "description": "its id there", "examples": ["1998-17"]},
            },
            "required": ["system", "id"],
            "additionalProperties": False,
        },
        "meta": {
            "type": "object",
            "description": f"anything, {LARGEST_META} bytes at most: kept and given back as it came, to officials only, and never read",
        },
        "format": {"const": "kiebitz-record/1", "description": "of a full record"},
        "id": {"type": "string", "format": "uuid", "description": "of the game, in a full record"},
        "edition": {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER, "description": "of the rules, in a full record"},
        "events": {"type": "array", "items": _EVENT, "description": "every recorded event, void ones included, in a full record"},
        "texts": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "claims, reasons and notes by the ids that the events name, in a full record that was asked for with them",
        },
        "salts": {
            "type": "object",
            "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "description": "the salts of these texts, by the same ids; older texts have none",
        },
        "expect": {"description": "of a case file; ignored on import"},
        "rules": {"description": "of a case file; ignored on import"},
        "source": {"description": "of a case file; ignored on import"},
        "note": {"description": "of a case file, or what a simple record leaves out; ignored on import"},
        "hands": {
            "type": "array",
            "description": "the hands in their order, each with its moves or with its result alone",
            "items": {
                "title": "RecordHand",
                "type": "object",
                "properties": {
                    "dealer": {"type": "integer", "description": "the seat that dealt, from 0"},
                    "played_at": {**PLAYED_AT, "description": "when this hand was played, where it is not that of the game"},
                    "deck": {
                        "anyOf": [{"type": "array", "items": {"type": "string"}}, {"const": "unknown"}],
                        "description": "card codes, the first is dealt first; ? for a card that nobody knows, unknown for all of them",
                    },
                    "fill": {
                        "enum": ["sorted", "unknown"],
                        "description": ("the cards that the deck leaves out follow in the order of the ruleset, or are unknown"),
                    },
                    "known": {**TOLD, "description": "cards of the deck by the zone to which they go first"},
                    "deal": {
                        **TOLD,
                        "description": "in the place of a deck: cards by the zone to which they go first; what is not named is unknown",
                    },
                    "result": {
                        **RESULT,
                        "description": "in the place of deck and moves: the result of a hand of which nothing else is known",
                    },
                    "adjustments": {
                        "type": "array",
                        "maxItems": 64,
                        "description": "points given or taken after the moves of this hand",
                        "items": _ADJUSTMENT,
                    },
                    "moves": {
                        "type": "array",
                        "description": "the moves of the hand, in their order",
                        "items": {
                            "title": "RecordEntry",
                            "anyOf": [
                                {
                                    "type": "string",
                                    "maxLength": LONGEST_LINE,
                                    "description": "a line of the seat whose turn it is",
                                    "examples": ["9c -"],
                                },
                                {
                                    "title": "RecordMove",
                                    "description": "a move, also as a line; or known alone: cards that were told between two moves",
                                    "type": "object",
                                    "properties": {
                                        "seat": {"type": "integer", "description": "a seat, from 0"},
                                        "move": {"description": "an object with its type"},
                                        "text": {
                                            "type": "string",
                                            "maxLength": LONGEST_LINE,
                                            "description": "a line, with English letters",
                                        },
                                        "known": {**TOLD, "description": "cards that lie in a zone before the move, by zone"},
                                        "worth": {**WORTH, "description": "the worth of hands that are counted, by zone"},
                                        "stood": _STOOD,
                                        "lacks": {**TOLD, "description": "cards that do not lie in a zone before the move, by zone"},
                                    },
                                    "anyOf": [
                                        {"required": ["seat", "move"], "not": {"required": ["text"]}},
                                        {"required": ["seat", "text"], "maxProperties": 2},
                                        {"anyOf": [{"required": ["known"]}, {"required": ["worth"]}], "not": {"anyOf": _OF_MOVE}},
                                    ],
                                },
                            ],
                        },
                    },
                },
                "required": ["dealer"],
                "oneOf": [{"required": ["deck", "moves"]}, {"required": ["deal", "moves"]}, _ONLY_RESULT],
            },
        },
    },
    "required": ["ruleset", "seats", "hands"],
    "additionalProperties": False,
}
