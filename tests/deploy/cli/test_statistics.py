"""Command `kiebitz statistics`: figures of the local store in words, in either language."""

from pathlib import Path

from click.testing import CliRunner

from deploy.cli.main import main


def kiebitz(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return result.output


def test_figures_of_imported_games_are_told_in_words(tmp_path: Path):
    records, data = tmp_path / "games.ndjson", tmp_path / "data"
    kiebitz("simulate", "casino", "--games", 2, "--out", records)
    kiebitz("import", records, "--data", data)
    told = kiebitz("statistics", "casino", "--data", data, "--lang", "de").splitlines()
    assert "Gewonnene Partien nach Platz" in told
    assert any(line.startswith("    Platz 1") and line.endswith("von 2") for line in told)
    assert kiebitz("statistics", "canasta", "--data", data, "--lang", "en") == "No finished game here yet, or none that you may see.\n"
