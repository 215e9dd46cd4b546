"""Command `kiebitz export`: writes games as records, and score lines and other tables as files."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import click

from deploy.cli.client import Form, connect
from deploy.cli.console import SERVER, STORE, progress, setting_options, settings_of
from deploy.cli.exports.scores import scores_command
from deploy.cli.exports.tables import table_command
from deploy.cli.files import open_output
from deploy.cli.journal import game_ids, read_journal
from deploy.config.failures import WrongCall, lang_option, say, sentence
from deploy.config.settings import Settings
from domain.errors import Unknown
from domain.events.game import GameOpened
from domain.journal.application import Journal
from domain.journal.feed import list_events_of_kinds
from replay.export import HistoryPages, write_full_record, write_record


class _Export(click.Group):
    """Group with a default command: `kiebitz export --all` is `kiebitz export games --all`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in (*self.commands, *ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["games", *args])


@click.group("export", cls=_Export)
def export_command() -> None:
    """Write games as records, or score lines, results, standings and others as tables.

    \b Examples:
      kiebitz export --all --out games.ndjson
      kiebitz export 5c0c8f1e-… --full > game.json
      kiebitz export scores --tournament spring-26 --out scores.xlsx
      kiebitz export table results --tournament spring-26 --out results.csv
    """


@export_command.command("games")
@click.argument("games", nargs=-1, metavar="[GAME…]")
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--full", "form", flag_value="full", help="With every recorded event, void ones included.")
@click.option("--texts", "form", flag_value="texts", help="The same with the words of claims, reasons and notes.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, once it is complete.")
@lang_option
@setting_options(*STORE, *SERVER)
def games_command(games: tuple[str, ...], everything: bool, form: Form | None, out: Path | None, language: str, **flags: Any) -> None:
    """Write games as records, one on each line (NDJSON). A record tells all cards.

    \b Examples:
      kiebitz export --all --out games.ndjson
      kiebitz export 5c0c8f1e-… --full > game.json
    """
    if bool(games) == everything:
        raise WrongCall(say("name_games"))
    with _source(settings_of(flags), form or "simple", language) as (all_games, record_of):
        ids = list(all_games()) if everything else game_ids(games)
        with open_output(out) as write, progress(sentence("exporting", language), len(ids)) as advance:
            for done, id in enumerate(ids, 1):
                for piece in record_of(id):
                    write(piece)
                write(b"\n")
                advance(done)
    click.echo(sentence("games_exported_to" if out else "games_exported", language, count=len(ids), file=out), err=True)


export_command.add_command(scores_command)
export_command.add_command(table_command)


@contextmanager
def _source(
    settings: Settings, form: Form, language: str
) -> Iterator[tuple[Callable[[], Iterable[UUID]], Callable[[UUID], Iterable[bytes]]]]:
    """Yield a function for all games, and one for the record of a game."""
    if settings.url:
        with connect(settings, language) as remote:
            yield remote.games, lambda game: (remote.record_of(game, form),)
        return
    with read_journal(settings) as journal:
        opened = (opening.stream for _, opening in list_events_of_kinds(journal.store, GameOpened))
        yield lambda: opened, lambda game: _record_of(journal, game, form)


def _record_of(journal: Journal, game: UUID, form: Form) -> Iterator[bytes]:
    """Yield a record as one line of NDJSON. Raises ``Unknown`` and ``DataIntegrityError``."""
    history = HistoryPages(partial(journal.history, game))
    if next(iter(history), None) is None:
        raise Unknown("game", game)
    origin = journal.store.find_origin(game)
    beside = origin.as_record(with_meta=True) if origin else {}
    if form == "simple":
        return write_record(str(game), history, beside=beside, words=lambda ref: journal.store.text(ref.id))
    return write_full_record(str(game), history, journal.store.find_text if form == "texts" else None, beside)
