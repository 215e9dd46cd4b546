"""Long run of whole evenings and of pairs of games that a reader may not tell apart (``./run evenings``).

It takes about an hour; the suite checks the same in short. Exits 1 if an answer is missing, differs, or is the same in both languages. The
pairs are random; ``--seed`` with the printed number repeats them. With ``--pages`` two evenings are directed in a browser instead.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

import click

from tests.access.pairs import answers_that_differ
from tests.directed_evenings import direct_evenings
from tests.evening.bilingual import shared_sentences
from tests.evening.compare import differences, lines_of
from tests.evening.coverage import Coverage
from tests.evening.described import Described
from tests.evening.recording import written
from tests.evening.wire import WireDriver


@click.command()
@click.option("--pairs", default=42, show_default=True, help="Pairs of games; they go round through rulesets and kinds.")
@click.option("--share", default=1.0, show_default=True, help="Of the readers at each exit, by chance.")
@click.option("--seed", type=int, help="Records the same pairs as another run, which printed it.")
@click.option("--evening/--no-evening", default=True, help="Record whole evenings too.")
@click.option("--pages", is_flag=True, help="Only direct two evenings by pages, in a real browser; takes some minutes.")
def main(pairs: int, share: float, seed: int | None, evening: bool, pages: bool) -> None:
    """Record whole evenings and pairs of games, or direct evenings by pages."""
    if pages:
        wrong = list(direct_evenings())
        click.echo("\n".join(wrong) or "everything adds up")
        sys.exit(bool(wrong))
    seed = SystemRandom().randrange(10**9) if seed is None else seed
    click.echo(f"--seed {seed}")
    wrong = list(_of_evenings()) if evening else []
    for name, found in answers_that_differ(pairs, seed, share):
        click.echo(f"{name}: {len(found)} answers differ")
        wrong += [f"{name}: {difference}" for difference in found]
    for line in wrong:
        click.echo(line, err=True)
    sys.exit(bool(wrong))


def _of_evenings() -> Iterator[str]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        evening, over_a_connection = folder / "evening", folder / "connection"
        written(evening, folder / "one", None)
        click.echo("an evening is recorded")
        yield from Coverage.of(lines_of(evening)).missing()
        written(over_a_connection, folder / "other", None, WireDriver)
        click.echo("and another one over a connection")
        for where, lines in differences(lines_of(evening), lines_of(over_a_connection), Described()):
            yield "\n".join((where, *lines[:200]))
        yield from (f"{where} tells both languages: {text}" for text, where in shared_sentences(folder / "bilingual").items())
        click.echo("and one in both languages")


if __name__ == "__main__":
    main()
