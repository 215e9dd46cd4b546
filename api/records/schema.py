"""The JSON Schema of the portable record: what no Struct describes, because it differs from game to game."""

_EVENT = {
    "type": "object",
    "description": "An event as it is stored (docs/events.md), with its place.",
    "properties": {
        "position": {"type": "integer", "minimum": 1},
        "name": {"type": "string", "examples": ["move.played/1"]},
        "at": {"type": "string", "format": "date-time"},
        "by": {"type": "string", "description": "opaque id of who recorded it"},
        "link": {"type": ["string", "null"], "description": "SHA-256 of the stored bytes of the event before it"},
        "body": {"type": "object"},
        "happened_at": {"type": "string", "format": "date-time"},
    },
    "required": ["position", "name"],
}


RECORD = {
    "title": "Record",
    "description": "A portable record (COM-60 to COM-64). What its rulebook judges is open here.",
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "ruleset": {"type": "string", "examples": ["casino"]},
        "options": {"type": "object"},
        "seats": {"type": "integer"},
        "players": {"type": "array", "items": {"type": ["string", "null"]}},
        "format": {"const": "kiebitz-record/1", "description": "of a full record"},
        "id": {"type": "string", "format": "uuid", "description": "of the game, in a full record"},
        "edition": {"type": "integer", "description": "of the rules, in a full record"},
        "events": {"type": "array", "items": _EVENT, "description": "every recorded event, void ones included, in a full record"},
        "texts": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "claims, reasons and notes by the ids that the events name, in a full record that was asked for with them",
        },
        "salts": {
            "type": "object",
            "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "description": "the salts of these texts, by the same ids; texts of before there were salts have none",
        },
        "expect": {"description": "of a case file; ignored on import"},
        "rules": {"description": "of a case file; ignored on import"},
        "source": {"description": "of a case file; ignored on import"},
        "note": {"description": "of a case file, or what a simple record leaves out; ignored on import"},
        "hands": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "dealer": {"type": "integer"},
                    "deck": {"type": "array", "items": {"type": "string"}},
                    "fill": {"const": "sorted"},
                    "moves": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"seat": {"type": "integer"}, "move": {"description": "an object with its type"}},
                            "required": ["seat", "move"],
                        },
                    },
                },
                "required": ["dealer", "deck", "moves"],
            },
        },
    },
    "required": ["ruleset", "seats", "hands"],
    "additionalProperties": False,
}
