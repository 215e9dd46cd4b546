"""The operations of the API: those that it began with, and the reasons for each that was added and for each that was not merged."""

FIRST = """
abandon add_note adjourn adjust announce_tournament annul appeal audit_game audit_player audit_tournament begin_shuffle close_round
compare_standings confirm_result correct_tournament deal disclose end_session end_tournament enter_result enter_tournament erase_meta
erase_player erase_tournament_words erase_words follow_streams forfeit import_records issue_code issue_token join_shuffle judge_move
let_stand list_all_disputes list_boards list_clubs list_codes list_deliveries list_disputes list_entries list_games list_legal_moves
list_looks list_notes list_players list_results list_rounds list_rulesets list_rulings list_scores list_sessions list_shuffles list_tokens
list_tournament_looks list_tournament_notes list_tournaments list_webhooks live merge_player metrics name_player open_chance open_game
open_round_games openapi pair_round play prepare_boards publish_tournament put_wall raise_dispute rate_entry read_checkpoint
read_consistency read_entries read_feed read_game read_history read_log_keys read_me read_personal_data read_player read_player_scores
read_proof read_record read_replay read_rewinds read_round read_ruleset read_score_sheet read_seating read_standings read_table
read_table_now read_tile read_token read_tournament read_tournament_history read_wall read_webhook ready reconcile record_schema rectify
redeliver register_players register_webhook remove_webhook resume return_entry revoke_token rewind rotate_token rotate_webhook rule
seat_player separate_player sign_in sign_out sign_sheet stop_hand stream_game stream_tournament substitute suspend tell
test_webhook transfer_player try_moves try_result type_dice unpair_round withdraw_code withdraw_dispute withdraw_entry withdraw_result
"""

NOT_MERGED = {
    "suspend": "PUT of the suspension, which resume ends: one address for both",
    "resume": "as suspend",
    "enter_result": "PUT of the result, which withdraw_result ends: one address for both",
    "withdraw_result": "as enter_result; it ends a forfeit and an adjournment as well",
    "confirm_result": "the other side agrees to what stands and names no points; the same result by PUT does so, too",
    "forfeit": "names who did not come instead of points, is for directors alone, and has a reason",
    "adjourn": "there is no result yet, and the round may close without the table",
    "sign_in": "a browser's session is a cookie and no token, so its pages need the form of body and answer",
    "sign_out": "as sign_in: it ends the session of this cookie, which has no id to a script",
}
"""What of 24 operations stayed that were to be merged or left out. Gone are seven routes of columns, enabling and disabling of webhooks,
endings by POST, the second route of rulings, the addresses of resumption and withdrawal, and pages and assets in the document.
"""

LATER = {
    "hand_over_recording": "a second phone goes on recording without the secret of the first",
    "rectify_players": "who really sat there, which a substitution cannot say",
    "withdraw_signature": "a signature given by mistake is an event, so it is no DELETE",
    "verifier": "the program that checks proofs, to be kept by those who trust nobody",
    "list_hands": "the dealers, ends and durations of all hands, in place of a request for each game",
    "list_moves": "the moves of all games, in place of a history for each",
    "list_standings": "the standings of all tournaments, in place of one request each",
    "list_all_looks": "the looks of all games, in place of one request each",
    "read_schema": "in place of a route for the columns of each table",
    "switch_webhook": "in place of enabling and disabling",
    "read_statistics": "figures of all games of a ruleset, which would take every history",
    "list_ratings": "the list of a ruleset",
    "read_player_ratings": "what a rating is made of, game by game",
    "publish_ratings": "a list that no ruling changes",
    "list_published_ratings": "which lists there are",
    "read_published_ratings": "the list as it was published, beside the one before",
    "compare_published_ratings": "what changed since a list",
    "audit_ratings": "as of a tournament",
    "check_presence": "who is here is told for all at once, before a draw",
    "choose_hall_names": "the names on the wall, changed while the tournament is on",
    "choose_time_zone": "days are meant where the hall is",
    "label_entry": "club, team and category of an entry, which no rating has",
    "list_prizes": "what the plan pays, as standings stand",
    "set_prizes": "the plan of the prizes",
    "list_wishes": "who shall not meet, for the director alone",
    "record_wish": "two who shall not meet, or a bye",
    "withdraw_wish": "a wish that holds no more is an event, so it is no DELETE",
    "rectify_entry": "who really played, which a substitution cannot say",
    "change_round": "single tables are paired anew while the others play",
    "reopen_tournament": "an ending by mistake",
    "set_schedule": "the hours of the rounds",
    "notify_table": "a call, or minutes more, for one table",
    "order_standings": "places that no tie-break decides",
    "read_bracket": "the tree of a knock-out, which rounds do not show",
    "stream_wall": "the wall changes at once",
    "announce_series": "a table of several tournaments has an id of its own",
    "list_series": "as of tournaments",
    "read_series": "as of a tournament",
    "add_tournament_to_series": "which tournaments count",
    "remove_tournament_from_series": "one that counts no more",
    "correct_series": "the plan, for all its tournaments",
    "adjust_series": "points that a director gives or takes",
    "categorize_player": "the category of a player in the series",
    "publish_series": "who may read it, apart from its tournaments",
    "end_series": "nothing changes any more",
    "read_series_standings": "its table",
    "compare_series_standings": "what moved, and why",
    "read_series_history": "as of a tournament",
    "audit_series": "as of a tournament",
    "list_series_notes": "titles and reasons, to be erased",
    "erase_series_words": "as of a tournament",
    "import_past_results": "tournaments of other years and programs",
    "withdraw_import": "a list that was imported by mistake is an event, so it is no DELETE",
}
