"""`kiebitz record`: a game recorded line by line, at a table in the terminal."""

import sys
from importlib.util import find_spec
from typing import Any
from uuid import UUID

import click

from deploy.cli.console import is_terminal, print_line
from deploy.cli.hints import command
from deploy.cli.journal import game_ids
from deploy.cli.options import SERVER, STORE, game_option_flags, game_options, setting_options, settings_of
from deploy.cli.recording.door import Door, door_to
from deploy.cli.recording.following import Following
from deploy.cli.recording.session import Session
from deploy.cli.recording.terminal import Plain, Terminal
from deploy.config.usage import WrongCall
from deploy.system.language import lang_option, say, sentence
from domain.games import RULESETS


@click.command("record")
@click.argument("game", required=False)
@click.option("--ruleset", type=click.Choice(list(RULESETS)), help="Open a game of this ruleset.")
@click.option("--seats", type=int, help="How many seats it has.")
@click.option("--player", "players", multiple=True, metavar="ID", help="Who sits on the next seat; - for nobody by name. Can be repeated.")
@game_option_flags
@lang_option
@setting_options(*STORE, *SERVER)
def record_command(
    game: str | None,
    ruleset: str | None,
    seats: int | None,
    players: tuple[str, ...],
    single: tuple[str, ...],
    several: str | None,
    language: str,
    **flags: Any,
) -> None:
    """Record a game line by line: GAME is one that was begun, --ruleset opens one; without either those that are not over are named.

    Every line is a move in the notation of its game, a slash begins a command, /help names them all. What is recorded is in the store
    at once: whoever ends, in whatever way, goes on where he was. Lines may be piped in; the exit code is then 1 if one was not taken.

    \b
    Examples:
      kiebitz record --ruleset casino --seats 2
      kiebitz record 5c0c8f1e-…
      kiebitz record 5c0c8f1e-… --url http://127.0.0.1:8000 --token kb_… < moves.txt
    """
    if (game is not None) and (ruleset is not None):
        raise WrongCall(say("record_one_game"))
    opened: dict[str, Any] = {"ruleset": ruleset, "seats": seats, "options": game_options(single, several)}
    if players:
        opened["players"] = [None if player == "-" else player for player in players]
    with door_to(settings_of(flags), language, create=ruleset is not None) as door:
        if ruleset is None and game is None:
            _name_unfinished(door, language, flags)
        else:
            _record(door, door.open(opened) if game is None else game_ids([game])[0], language, flags)


def _record(door: Door, id: UUID, language: str, flags: dict[str, Any]) -> None:
    terminal = _terminal()
    try:
        session = Session(door, Following(id, language), terminal, language)
        session.run()
    finally:
        print_line(sentence("record_goes_on", language, command=_here(f"record {id}", flags)), "dim")
    if terminal.is_piped and session.refused:
        raise click.exceptions.Exit(1)


def _name_unfinished(door: Door, language: str, flags: dict[str, Any]) -> None:
    games = door.unfinished()
    for game in games:
        print_line(sentence("record_game", language, **{**game, "game": RULESETS[game["ruleset"]].about().names[language]}))
    begun, opened = _here("record GAME", flags), _here("record --ruleset RULESET --seats NUMBER", flags)
    print_line(sentence("record_unfinished", language, count=len(games), go_on=begun, open=opened))


def _here(words: str, flags: dict[str, Any]) -> str:
    """The command to copy, on the same store or through the same server; without the token."""
    return command(f"{words} --url {flags['url']}" if flags.get("url") else words, flags)


def _terminal() -> Terminal:
    if sys.stdin.isatty() and is_terminal() and find_spec("prompt_toolkit"):
        # Loaded here: what is piped in needs no editor.
        from deploy.cli.recording.editing import Editing

        return Editing()
    return Plain(is_piped=not sys.stdin.isatty())
