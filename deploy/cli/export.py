"""`kiebitz export`: games as records, and score lines."""

import click

from deploy.cli.export_scores import scores_command
from deploy.cli.import_games import export_command as games_command


class _Export(click.Group):
    """Games, unless something else is named: `kiebitz export --all` is `kiebitz export games --all`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = bool(args) and args[0] in (*self.commands, *ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["games", *args])


@click.group("export", cls=_Export)
def export_command() -> None:
    """Write games as records, or score lines as a table.

    \b
    Examples:
      kiebitz export --all --out games.ndjson
      kiebitz export 5c0c8f1e-… --full > game.json
      kiebitz export scores --tournament spring-26 --out scores.xlsx
    """


export_command.add_command(games_command, "games")
export_command.add_command(scores_command)
