"""Command `kiebitz statistics`: shows the statistics of a ruleset, of the local store or through a server."""

from collections.abc import Iterator
from typing import Any

import click
import msgspec

from api.common.pages.shell import words
from api.pages.statistics_page import Block, list_sections
from deploy.cli.console import SERVER, STORE, setting_options, settings_of
from deploy.cli.exports.scores import parse_time
from deploy.cli.exports.tables import open_table
from deploy.config.failures import lang_option
from domain.games import RULESETS


@click.command("statistics")
@click.argument("ruleset", type=click.Choice(list(RULESETS)))
@click.option("--tournament", metavar="ID", help="Of this tournament.")
@click.option("--from", "from", type=parse_time, metavar="MOMENT", help="What was played at this moment or later.")
@click.option("--to", "to", type=parse_time, metavar="MOMENT", help="What was played before this moment.")
@lang_option
@setting_options(*STORE, *SERVER)
def statistics_command(ruleset: str, language: str, **given: Any) -> None:
    """Show wins by seat, hands, moves, corrections and partnerships of the finished games of a ruleset.

    Each share has its 95 % confidence interval. `kiebitz export table statistics` writes the same as a table.

    \b Examples:
      kiebitz statistics casino
      kiebitz statistics canasta --tournament spring-26 --lang de
    """
    flags = {flag: given.pop(flag) for flag in (*STORE, *SERVER)}
    filters = {"ruleset": ruleset, **{name: value for name, value in given.items() if value is not None}}
    with open_table(settings_of(flags), "statistics", "json", None, filters, language) as pieces:
        items = msgspec.json.decode(b"".join(pieces))
    for title, blocks in list_sections(items, RULESETS[ruleset], language):
        click.echo("\n".join([title, *(line for block in blocks for line in _lines_of(block))]))
    if not items:
        click.echo(words(language)["statistics.none"])


def _lines_of(block: Block) -> Iterator[str]:
    yield from (f"  {text}" for text in (block.title, block.lead) if text)
    width = max((len(one.label) for one in block.bars), default=0)
    for one in block.bars:
        yield f"    {one.label:{width}}  {one.value:>7}  {one.interval:>11}  {one.counts}"
