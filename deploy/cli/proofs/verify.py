"""`kiebitz verify`: proof files held against keys, the rules, and each other. It needs no store, no server and no network."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from pathlib import Path

import click
import msgspec

from deploy.cli.console import print_line
from deploy.cli.files import opened
from deploy.cli.proofs.found import Bad, Found, Good, Held, Together, bad
from deploy.cli.proofs.key_options import keys_of
from deploy.cli.proofs.on_paper import OnPaper, in_full, on_paper
from deploy.failures import system_problem
from deploy.language import lang_option, say, sentence
from domain.games import EDITIONS
from replay.audit import audit
from replay.proof.comparing import check_same_record, compare, history_of, is_game
from replay.proof.exact import Unproven
from replay.proof.files import FULL, ProofFile
from replay.proof.notes import VerifierKey
from replay.proof.verifying import verify_proof


@click.command("verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--key", "keys", multiple=True, required=True, metavar="VKEY", help="A verifier key, or a file with one on each line.")
@click.option("--words", is_flag=True, help="Mark and root as people compare them, too: 12 words, 40 digits.")
@click.option("--paper", multiple=True, metavar="TEXT", help="12 words or 40 digits from paper: a file has to have them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each file and each comparison.")
@lang_option
def verify_command(
    files: tuple[Path, ...], keys: tuple[str, ...], words: bool, paper: tuple[str, ...], as_json: bool, language: str
) -> None:
    """Is a proof file what a log signed? Records are judged by the rules, too, and each view is held against the record beside it, and
    against longer views.

    Keys are those of the log, of what it tells (its name ends with /told), and of witnesses: who is named has to have signed. Take them
    from elsewhere than from the file.

    \b
    Exit code: 0 all of it is proven and sound, 1 not so, 2 a file cannot be read.
    \b
    Examples:
      kiebitz verify mine.json --key club.example/log/1+1d7eb2ad+AYqI… --key club.example/log/1/told+bfce95ac+AYE5…
      kiebitz verify mine.json record.json --key keys.txt
      kiebitz verify mine.json --key keys.txt --paper "fox lunar acid … twelve words in all"
    """
    known = keys_of(keys, "--key")
    proven = [_verified(file, known) for file in files]
    good = [one for one in proven if isinstance(one, Good)]
    found: list[Found | OnPaper] = [*proven, *_held(good), *(on_paper(text, good) for text in paper)]
    for one in found:
        said = in_full(one, language) if words and isinstance(one, Good) else one.in_words(language)
        print_line(msgspec.json.encode(one.as_json()).decode() if as_json else said, "red" if one.exit_code else None)
    if not as_json:
        click.echo(sentence("proven_shows_not", language))
    raise click.exceptions.Exit(max(one.exit_code for one in found))


def _verified(file: Path, keys: Sequence[VerifierKey]) -> Good | Bad:
    try:
        with opened(file) as stream:
            proven = verify_proof(stream.read(), keys)
    except OSError as error:
        return Bad(str(file), "unread", "", say("unread_file", problem=system_problem(error.errno)), exit_code=2)
    except Unproven as unproven:
        return bad(str(file), unproven)
    return Good(str(file), proven, audit(history_of(proven.file), EDITIONS) if _is_record(proven.file) else None)


def _is_record(file: ProofFile) -> bool:
    return file.view == FULL and file.first == 1 and is_game(file)


def _held(proven: Sequence[Good]) -> Iterator[Found]:
    """Each view against each record of the same id, and each view against the next longer one."""
    views, records = ([one for one in proven if (one.proven.file.view == FULL) is full] for full in (False, True))
    yield from (_held_against(view, record) for view, record in product(views, records) if _of_one_game(view, record))
    by_length = sorted(views, key=lambda one: (one.proven.file.stream, one.proven.file.last))
    yield from (_held_together(early, late) for early, late in pairwise(by_length) if _of_one_game(early, late))


def _of_one_game(one: Good, other: Good) -> bool:
    return one.proven.file.stream == other.proven.file.stream


def _held_against(view: Good, record: Good) -> Found:
    try:
        return Held(view.file, record.file, view.proven.file.last, tuple(compare(view.proven, record.proven)))
    except Unproven as unproven:
        return bad(f"{view.file}, {record.file}", unproven)


def _held_together(early: Good, late: Good) -> Found:
    try:
        check_same_record(early.proven, late.proven)
    except Unproven as unproven:
        return bad(f"{early.file}, {late.file}", unproven)
    return Together(early.file, late.file, early.proven.file.last)
