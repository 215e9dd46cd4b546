"""Refusal codes of the Trumpfspiel, and the rules that each may rest on."""

CODES: dict[str, tuple[str, ...]] = {
    "bad_option": ("COM-10", "COM-45", "QDK-7", "QTR-2"),
    "bad_seats": ("COM-11", "QTR-3"),
    "game_over": ("COM-13", "COM-23", "QTR-28"),
    "hand_in_progress": ("COM-14", "QTR-28"),
    "bad_dealer": ("COM-15", "QTR-5"),
    "bad_deck": ("COM-16", "QTR-1", "QTR-4"),
    "bad_result": ("COM-67",),
    "malformed_move": ("COM-20", "COM-22", "QTR-7"),
    "unknown_move": ("COM-21", "QTR-7"),
    "hand_over": ("COM-24",),
    "not_your_turn": ("COM-25", "QTR-7", "QTR-11", "QTR-13", "QTR-18"),
    "wrong_phase": ("COM-26", "QTR-7"),
    "unknown_category": ("QTR-8", "QTR-9"),
    "card_not_in_hand": ("QTR-9", "QTR-11"),
    "choice_not_allowed": ("QTR-9", "QTR-17"),
    "bad_position": ("QTR-18", "QTR-19"),
    "no_value": ("QDK-10",),
    "card_unknown": ("COM-73", "QTR-30"),
    "card_impossible": ("COM-70", "COM-71", "QTR-32"),
}
