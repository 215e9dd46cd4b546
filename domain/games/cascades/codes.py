"""Every code with which Cascades refuses something, and the rules it may rest on."""

CODES: dict[str, tuple[str, ...]] = {
    "bad_option": ("COM-10", "CSC-2"),
    "bad_seats": ("COM-11", "CSC-1"),
    "game_over": ("COM-13", "COM-23", "CSC-7", "CSC-40", "CSC-41", "CSC-42"),
    "hand_in_progress": ("COM-14", "CSC-7"),
    "bad_dealer": ("COM-15", "CSC-1"),
    "bad_deck": ("COM-16", "CSC-6"),
    "malformed_move": ("COM-20", "COM-22", "CSC-39"),
    "unknown_move": ("COM-21", "CSC-39"),
    "hand_over": ("COM-24",),
    "not_your_turn": ("COM-25", "CSC-1"),
    "card_already_played": ("CSC-25", "CSC-34"),
    "card_not_available": ("CSC-14", "CSC-21", "CSC-23", "CSC-33"),
    "rank_limit_reached": ("CSC-27", "CSC-29", "CSC-31"),
    "rank_missing_above": ("CSC-28",),
    "rank_missing_below": ("CSC-32",),
    "suit_mismatch": ("CSC-26", "CSC-36"),
    "nothing_to_turn": ("CSC-19",),
    "no_passes_left": ("CSC-18",),
    "card_unknown": ("COM-73", "CSC-48"),
    "card_impossible": ("COM-70", "COM-71"),
}
