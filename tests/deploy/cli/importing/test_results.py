"""Lists of paper results, read as records (COM-66, COM-67)."""

from pathlib import Path

import pytest

from deploy.cli.importing.results import results_in

HEADING = "ruleset,players,points,date,tournament,round,table,ref,options\n"


def read(path: Path, text: str | bytes) -> list[tuple[int, object]]:
    """Line and record, or what is said of it."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return [(found.line, found.problem.in_words("en") if found.problem else found.record) for found in results_in(path)]


def test_a_line_is_a_game_of_which_the_points_are_known(tmp_path: Path):
    [(line, record)] = read(tmp_path / "r.csv", HEADING + "casino,p-anna / p-ben,13 / 9,2024-03-01,t-spring,2,5,club:17,sweeps=true\n")
    assert (line, record) == (
        2,
        {
            "ruleset": "casino",
            "options": {"sweeps": True},
            "seats": 2,
            "players": ["p-anna", "p-ben"],
            "hands": [{"dealer": 0, "result": {"points": [13, 9]}}],
            "tournament": "t-spring",
            "table": "5",
            "round": 2,
            "played_at": "2024-03-01",
            "ref": {"system": "club", "id": "17"},
        },
    )


def test_partners_sit_as_the_game_seats_them(tmp_path: Path):
    [(_, record)] = read(tmp_path / "r.csv", "ruleset,players,points\ncanasta,p-anna + p-cem / p-ben + -,5200 / −310\n")
    assert record == {
        "ruleset": "canasta",
        "options": {},
        "seats": 4,
        "players": ["p-anna", "p-ben", "p-cem", None],
        "hands": [{"dealer": 0, "result": {"points": [5200, -310]}}],
    }


def test_a_spreadsheet_in_german_parts_cells_by_semicolons_and_begins_with_a_byte_order_mark(tmp_path: Path):
    text = '\ufeffRuleset;Players;Points;Options\r\n;;;\r\ncasino;p-anna/p-ben;1/2;"variant=royal; sweeps=true"\r\n'
    [(line, record)] = read(tmp_path / "r.csv", text)
    assert isinstance(record, dict)
    assert (line, record["options"], record["players"]) == (3, {"variant": "royal", "sweeps": True}, ["p-anna", "p-ben"])


def test_a_german_spreadsheet_may_name_its_separator_and_columns_in_german_and_write_windows_1252(tmp_path: Path):
    text = "sep=;\r\nSpiel;Spieler;Punkte;Datum;Turnier;Runde;Tisch\r\ncasino;jürgen/ben;1/2;2024-03-01;frühling;2;5\r\n"
    told = read(tmp_path / "r.csv", text.encode("cp1252"))
    assert told == read(tmp_path / "u.csv", text)
    [(line, record)] = told
    assert isinstance(record, dict)
    assert (line, record["players"], record["tournament"], record["round"]) == (3, ["jürgen", "ben"], "frühling", 2)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("casino,,1/2", 'column "players": it is empty'),
        ("casino,p-anna/p-ben,1/x", 'column "points": a whole number is needed, not "x"'),
        ("casino,p-anna//p-ben,1/2", 'column "players": separate parties by /'),
        ("canasta,p-a/p-b/p-c/p-d,1/2", 'column "players": with so many players and these options the game has the parties - + - / - + -'),
        ("casino,p-anna/p-ben,1/2,2024-03-01,,,,17", 'column "ref": it is a system and an id in it'),
        ("casino,p-anna/p-ben,1/2,,,second", 'column "round": a whole number is needed, not "second"'),
        ("casino,p-anna/p-ben,1/2,,,,,,royal", 'column "options": options are written like'),
        ("casino,p-anna/p-ben,1/2,,,,,,,more", "The line has more cells"),
    ],
)
def test_what_is_wrong_with_a_line_is_told_with_its_column_and_hides_no_other_line(tmp_path: Path, line: str, said: str):
    [wrong, right] = read(tmp_path / "r.csv", f"{HEADING}{line}\ncasino,p-anna/p-ben,1/2\n")
    assert (wrong[0], right[0]) == (2, 3)
    assert said in str(wrong[1])
    assert isinstance(right[1], dict)


def test_a_line_that_cannot_be_read_is_known_by_its_ref_all_the_same(tmp_path: Path):
    (tmp_path / "r.csv").write_text(f"{HEADING}casino,p-anna/p-ben,1/x,,,,,club:20\n", encoding="utf-8")
    [entry] = results_in(tmp_path / "r.csv")
    assert (entry.problem is not None, entry.ref) == (True, {"system": "club", "id": "20"})


def test_an_unknown_game_is_left_to_be_refused(tmp_path: Path):
    [(_, record)] = read(tmp_path / "r.csv", "ruleset,players,points\nskat,p-a/p-b/p-c,1/2/3\n")
    assert isinstance(record, dict)
    assert (record["ruleset"], record["seats"], record["players"]) == ("skat", 3, ["p-a", "p-b", "p-c"])


@pytest.mark.parametrize("heading", ["ruleset,players", "ruleset,players,points,points", "ruleset,players,points,winner", ""])
def test_a_first_line_that_names_other_columns_is_refused_with_those_there_are(tmp_path: Path, heading: str):
    [(_, said)] = read(tmp_path / "r.csv", f"{heading}\ncasino,p-anna/p-ben,1/2\n")
    assert "names its columns: ruleset, players, points" in str(said)


def test_what_cannot_be_read_any_further_is_told_after_what_was_read(tmp_path: Path):
    good = (HEADING + "casino,p-anna/p-ben,1/2\n").encode()
    first, wrong = read(tmp_path / "r.csv", good + b"casino,p-j\x81rgen/p-ben,1/2\n")
    assert (first[0], wrong[0], "not UTF-8" in str(wrong[1])) == (2, 3, True)
    first, wrong = read(tmp_path / "r.csv", good + b'casino,"p-anna/p-ben,1/2\n')
    assert (first[0], "quotation mark" in str(wrong[1])) == (2, True)


def test_a_list_that_is_not_there_is_a_malformed_record(tmp_path: Path):
    [only] = results_in(tmp_path / "nowhere.csv")
    assert only.problem is not None
    assert (only.line, only.problem.code) == (0, "malformed_record")
