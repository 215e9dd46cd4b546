"""Translations of the command line: messages, errors and tables of every command. Its help is English."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import deploy
from deploy.cli.main import COMMANDS, main
from deploy.config.failures import explain_error, headings, language_of_call, render, say, sentence, system_problem
from domain import texts
from domain.errors import Unknown
from tests.deploy.cli.test_import_export import GAMES

FOLDER = Path(deploy.__file__).parent
SOURCES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.rglob("*.py"))}
CATALOGUE = texts.load_catalog("deploy")
SPEAKING = {
    "Failure",
    "WrongCall",
    "WrongValue",
    "UsageError",
    "BadParameter",
    "Finding",
    "print_line",
    "echo",
    "_say",
    "progress",
    "Table",
}
"""What is called with words for people."""
ALIKE = {
    "audit_game",
    "backup_newest",
    "bad_value",
    "checked",
    "check.events",
    "check.webhooks",
    "clock_now",
    "file_problem",
    "list",
    "name.port",
    "not_installed",
    "port_problem",
    "port_taken",
    "role_create",
    "role_grant",
    "role_reassign",
    "sentences",
    "unexpected",
    "with_advice",
    "check.port",
    "check.standbys",
    "check.python",
    "check.version",
}
"""Texts without a word that a language would say otherwise."""


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    for file, tree in SOURCES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                yield file, node, getattr(node.func, "id", getattr(node.func, "attr", ""))


def literals(node: ast.expr) -> Iterator[str]:
    """The words of a literal, and of one with values in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str))


def keys() -> set[str]:
    """Every key of the catalogue that is named somewhere: as a word, or as the beginning of one that is put together."""
    named = {
        node.value for tree in SOURCES.values() for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {key for key in CATALOGUE["en"] if key.removesuffix(".one") in named or any(_begins(key, word) for word in named)}


def _begins(key: str, word: str) -> bool:
    return bool(re.fullmatch(r"[a-z_]+[._]", word)) and key.startswith(word)


def test_every_phrase_that_is_said_stands_in_the_catalogue_and_no_other():
    said = [
        (file.name, str(node.args[0].value))
        for file, node, name in calls()
        if name in ("say", "sentence") and node.args and isinstance(node.args[0], ast.Constant)
    ]
    assert [one for one in said if one[1] not in CATALOGUE["en"] and f"{one[1]}.one" not in CATALOGUE["en"]] == []
    columns = [
        str(column.value) for _, node, name in calls() if name == "headings" for column in node.args[1:] if isinstance(column, ast.Constant)
    ]
    assert all(f"column.{column}" in CATALOGUE["en"] for column in columns)
    assert set(CATALOGUE["en"]) - keys() - {f"column.{column}" for column in columns} == set()


COMMANDS_OF_OTHERS = ("pg_dump ", "pg_restore ", "export ", "curl ", "chmod ")


def test_no_words_for_people_stand_in_the_source():
    written = [
        (file.name, node.lineno, words)
        for file, node, name in calls()
        if name in SPEAKING
        for argument in node.args
        for words in literals(argument)
        if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", words) and not words.strip().startswith(COMMANDS_OF_OTHERS)
    ]
    assert written == []


def test_german_texts_are_german():
    same = {key for key, text in CATALOGUE["de"].items() if text == CATALOGUE["en"][key]}
    assert {key for key in same if re.search(r"[A-Za-z]{3,}", re.sub(r"\{\w+:?", "", CATALOGUE["de"][key]))} <= ALIKE
    english = re.compile(r"\b(the|is|are|were|with|there|not|another|game|games|of|None|null)\b")
    bare = {key: re.sub(r"\{\w+:?|`[^`]*`|--[\w-]+", "", text) for key, text in CATALOGUE["de"].items()}
    assert [text for text in bare.values() if english.search(text)] == []


def every_command(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from every_command(found, (*path, name))
    else:
        yield path, command


ALL = dict(every_command(main))


def test_every_command_takes_a_language():
    assert {path[0] for path in ALL} == set(COMMANDS)
    assert [path for path, command in ALL.items() if "language" not in {param.name for param in command.params}] == []


def kiebitz(*arguments: object, language: str) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--lang", language])


WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "an unknown option": (("check", "--eror"), "Fehler: Eine Option „--eror“ gibt es nicht. Ist --errors gemeint?"),
    "an option like no other": (("check", "--xyz"), "Fehler: Eine Option „--xyz“ gibt es nicht."),
    "an unknown option of a group": (("tokens", "--role"), "Fehler: Eine Option „--role“ gibt es nicht."),
    "an unknown command": (("imprt",), "Fehler: Einen Befehl „imprt“ gibt es nicht. Ist import gemeint?"),
    "a command of before": (
        ("ha", "start", "./cluster"),
        "Fehler: Kiebitz startet keinen Cluster. deploy/ha/README.md beschreibt, wie man einen startet.",
    ),
    "an unknown command of a group": (("tokens", "isue"), "Fehler: Einen Befehl „isue“ gibt es nicht. Ist issue gemeint?"),
    "no file": (("check",), "Fehler: FILE… fehlt."),
    "no role": (("tokens", "issue"), "Fehler: --role fehlt. Zur Wahl stehen: director, recorder, arbiter, committee, viewer, player"),
    "another choice": (
        ("tokens", "issue", "--role", "king"),
        "Fehler: --role: „king“ ist nicht darunter: 'director', 'recorder', 'arbiter', 'committee', 'viewer', 'player'.",
    ),
    "no number": (("audit", "--all", "--jobs", "x"), "Fehler: --jobs: „x“ ist keine ganze Zahl."),
    "a number too low": (("audit", "--all", "--jobs", "0"), "Fehler: --jobs: 0 liegt nicht im Bereich x>=1."),
    "too much": (("tokens", "revoke", "a", "b"), "Fehler: Zu viele Argumente: b"),
    "a flag with a value": (("check", "x", "--json=3"), "Fehler: Die Option --json nimmt keinen Wert."),
    "no such file": (("players", "import", "nowhere.csv"), "Fehler: FILE: nowhere.csv: eine solche Datei gibt es nicht"),
    "a folder for a file": (("simulate", "casino", "--out", "/"), "Fehler: --out: / ist ein Ordner."),
    "neither games nor all": (("export",), "Fehler: Bitte Partien nennen, oder --all."),
    "no moment": (
        ("export", "scores", "--from", "x"),
        "Fehler: --from: „x“ ist kein Zeitpunkt; so schreibt man ihn: 2026-11-21 oder 2026-11-21T19:00:00+01:00.",
    ),
    "no option of a game": (("simulate", "casino", "--option", "x"), "Fehler: --option: „x“ ist nicht NAME=WERT."),
}


def test_a_group_without_a_command_names_them_in_either_language():
    told = {language: CliRunner().invoke(main, ["log"], env={"LC_ALL": f"{language}_XX.UTF-8"}) for language in ("en", "de")}
    assert {found.exit_code for found in told.values()} == {2}
    assert told["en"].stderr.splitlines()[-1] == "Error: Name a command. Choose from: adopt, fork, keys, rotate, status"
    assert told["de"].stderr.splitlines()[-1] == "Fehler: Bitte einen Befehl nennen. Zur Wahl stehen: adopt, fork, keys, rotate, status"


@pytest.mark.parametrize(("arguments", "told_in_german"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_told_in_the_language_that_was_asked_for(arguments: tuple[str, ...], told_in_german: str):
    german, english = (kiebitz(*arguments, language=language) for language in texts.LANGUAGES[::-1])
    assert (german.exit_code, german.stderr.splitlines()[-1]) == (2, told_in_german)
    assert english.exit_code == 2
    assert english.stderr.splitlines()[-1].startswith("Error: ")
    assert [line for line in german.stderr.splitlines()[1:] if line and line in english.stderr] == []


def test_the_language_of_a_call_is_known_before_it_is_understood():
    calls_and_languages = [
        (["check", "--lang", "de"], "de"),
        (["check", "--language=de", "--nonsense"], "de"),
        (["check", "--lang"], "en"),
        (["check", "--lang", "fr"], "en"),
    ]
    assert [language_of_call(call, {}) for call, _ in calls_and_languages] == [language for _, language in calls_and_languages]
    assert language_of_call(["check"], {"LANG": "de_AT.UTF-8"}) == "de"


def test_one_is_told_otherwise_than_many_and_nobody_reads_none():
    assert [sentence("events", "de", count=count) for count in (0, 1, 2)] == ["0 Ereignisse", "1 Ereignis", "2 Ereignisse"]
    assert [sentence("games_exported", "en", count=count, file=None) for count in (1, 2)] == ["1 game exported.", "2 games exported."]
    assert render(say("old_tables_kept", tables=("a", "b")), "de") == "Die alten Tabellen bleiben bis zum nächsten Mal: a, b"


def test_what_the_system_says_is_told_in_the_language_as_far_as_it_is_known():
    assert render(system_problem(13), "de") == "keine Berechtigung"
    assert render(system_problem(110), "de") == "Connection timed out"  # the system's own words


def test_what_is_not_there_is_told_in_the_language():
    failure = explain_error(Unknown("game", "x"))
    assert failure is not None
    assert failure.in_words("de") == "Eine Partie x gibt es nicht."
    assert headings("de", "found", "advice") == ("gefunden", "was zu tun ist")


def test_commands_speak_german_on_their_good_ways(tmp_path: Path):
    data = ("--data", tmp_path / "data")
    said = {
        ("import", GAMES[0]): "1 von 1 aufgezeichnet.",
        ("tokens", "list"): "Noch wurde kein Token ausgestellt: kiebitz tokens issue --role director",
        ("projections", "rebuild"): "game_index: neu gefüllt bis Folge 148",
        ("projections", "verify"): "game_index: wie neu gefüllt, bis Folge 148, ",
        ("projections", "status"): "neueste",
        ("backup", tmp_path / "copy.db"): "alles bis Folge 148, ",
        ("migrate",): "ist auf dem Stand dieser Version.",
        ("export", "--all", "--out", tmp_path / "out"): "1 Partie nach ",
        ("export", "scores", "--out", tmp_path / "out.csv"): "Wertungszeilen bis Folge 148 nach ",
        ("audit", "--all"): "1 von 1 Partien, 0 von 0 Turnieren, 0 von 0 Spielern in Ordnung.",
        ("tokens", "issue", "--role", "viewer"): "das ist sein Geheimnis, es wird nur einmal gezeigt:",
        ("doctor", "--port", "0"): "was zu tun ist",
    }
    for arguments, words in said.items():
        result = kiebitz(*arguments, *data, language="de")
        assert words in result.output, (arguments, result.output)
        assert "None" not in result.output


FAILING: dict[str, tuple[tuple[str, ...], str]] = {
    "no games there": (("audit", "--all", "--data", "nowhere"), "Den Datenordner nennt man mit --data (KIEBITZ_DATA)."),
    "no token": (("export", "--all", "--url", "http://127.0.0.1:1"), "Man nennt es mit --token (KIEBITZ_TOKEN)."),
    "no server": (
        ("export", "--all", "--url", "http://127.0.0.1:1", "--token", "x"),
        "Der Server ist nicht zu erreichen: Verbindung abgelehnt",
    ),
    "no database": (("tokens", "list", "--database-url", "mysql://x"), "beginnt mit postgresql://, nicht wie „mysql://x“."),
    "no port": (("serve", "--port", "99999"), "ist eine Zahl von 1 bis 65535"),
    "no id": (("export", "nonsense", "--data", "."), "Es gibt dort kein journal.db."),
}


@pytest.mark.parametrize(("arguments", "words"), FAILING.values(), ids=FAILING)
def test_failures_are_told_in_german(arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    german, english = (kiebitz(*arguments, language=language) for language in texts.LANGUAGES[::-1])
    assert german.exit_code == english.exit_code == 1
    assert german.stderr.startswith("Fehler: ")
    assert words in german.stderr
    assert [line for line in german.stderr.splitlines() if line in english.stderr] == []
