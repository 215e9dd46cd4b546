"""JSON Schemas of what no Struct describes: it differs from game to game."""

STATE_VIEW_REF = {"$ref": "#/components/schemas/StateView"}

STATE_VIEW = {
    "title": "StateView",
    "description": "The state view of the ruleset. These fields every game has; each adds its own.",
    "type": "object",
    "properties": {
        "ruleset": {"type": "string"},
        "options": {"type": "object"},
        "seats": {"type": "integer"},
        "parties": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "phase": {
            "type": "string",
            "description": "no_hand, the game's own phases, hand_over or game_over; covered where a viewer is told nothing of the hand yet",
        },
        "hand": {"type": "integer"},
        "dealer": {"type": ["integer", "null"]},
        "turn": {"type": ["integer", "null"]},
        "to_act": {"type": "array", "items": {"type": "integer"}},
        "totals": {"type": "array", "items": {"type": "integer"}},
        "winners": {"type": ["array", "null"], "items": {"type": "integer"}},
        "unknown": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "how many cards nobody has told, by zone, of those that the view sees; left out if there are none",
        },
        "damaged": {"type": "boolean", "description": "the history is damaged and no rulebook can read this table: see the audit"},
        "zones": {"type": "object", "description": "only where the table is damaged: what lies where"},
    },
    "required": ["ruleset", "options", "seats", "parties", "phase", "hand", "dealer", "turn", "to_act", "totals", "winners"],
    "additionalProperties": True,
}
