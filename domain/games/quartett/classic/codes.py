"""Refusal codes of classic Quartett, and the rules that each may rest on."""

CODES: dict[str, tuple[str, ...]] = {
    "bad_option": ("COM-10", "COM-45", "QDK-7", "QKL-1"),
    "bad_seats": ("COM-11", "QKL-2"),
    "game_over": ("COM-13", "COM-23", "QTR-28"),
    "hand_in_progress": ("COM-14", "QTR-28"),
    "bad_dealer": ("COM-15", "QKL-3"),
    "bad_deck": ("COM-16", "QKL-3"),
    "bad_result": ("COM-67",),
    "malformed_move": ("COM-20", "COM-22", "QTR-7", "QKL-7"),
    "unknown_move": ("COM-21", "QTR-7"),
    "hand_over": ("COM-24",),
    "not_your_turn": ("COM-25", "QKL-5", "QKL-11"),
    "bad_target": ("QKL-6",),
    "target_out": ("QKL-6", "QKL-13"),
    "card_already_held": ("QKL-8",),
    "group_not_held": ("QKL-8",),
    "card_unknown": ("COM-73", "QKL-18"),
    "card_impossible": ("COM-70", "COM-71"),
}
