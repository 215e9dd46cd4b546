"""Witness process killed while it signs: it has forgotten nothing that it published."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
from click.testing import CliRunner, Result

from deploy.cli.main import main
from replay.proof.checkpoints import verify_checkpoint
from replay.proof.witness_protocol import Asked
from tests.deploy.log.witness.logs import EVENTS, FORKED, HONEST, SHARED, asked
from tests.deploy.log.witness.processes import witnessing
from tests.deploy.log.witness.served_log import ServedLog, entries_of, serving
from tests.replay.proof.places import LOG, WITNESS


def post(url: str, asked: Asked) -> httpx.Response:
    return httpx.post(f"{url}/add-checkpoint", content=asked.body, timeout=60, verify=False)


def size_of(url: str) -> int:
    """As the protocol has it: by asking for the wrong size."""
    answer = post(url, asked(HONEST, 1, 1))
    return 1 if answer.status_code == 200 else int(answer.text)


def test_killed_while_it_signs_it_remembers_all_that_it_said(tmp_path: Path):
    said, many = [1], Event()

    def go_on(url: str) -> None:
        for size in range(2, SHARED):
            try:
                if post(url, asked(HONEST, min(max(said), size), size)).status_code == 200:
                    said.append(size)
            except httpx.TransportError:
                break
            if len(said) > 3:
                many.set()
        many.set()

    with witnessing(tmp_path, LOG.key) as first, ThreadPoolExecutor(4) as several:
        assert post(first.url, asked(HONEST, 0, 1)).status_code == 200
        racing = [several.submit(go_on, first.url) for _ in range(4)]
        many.wait()
        first.kill()
        for one in racing:
            one.result()
    with witnessing(tmp_path, LOG.key) as again:
        assert again.key == first.key
        known = size_of(again.url)
        assert known >= max(said) > 1
        signed = post(again.url, asked(HONEST, known, 25))
        verify_checkpoint(HONEST.checkpoint(25) + signed.text, [LOG.key, again.key])
        forked = Asked(25, asked(FORKED, SHARED, 30).path, FORKED.checkpoint(30))
        assert post(again.url, forked).status_code == 422
        assert post(again.url, asked(FORKED, 0, 25)).status_code == 409
    shown = CliRunner().invoke(main, ["witness", "--data", str(tmp_path), "--evidence"])
    assert shown.exit_code == 1
    assert "signed two roots for 25 entries. The two checkpoints prove it to everybody:" in shown.stdout
    assert "signed 25 entries and then 30 entries, without a consistency proof between them." in shown.stdout
    assert FORKED.checkpoint(25) in shown.stdout
    assert HONEST.checkpoint(25) in shown.stdout


def test_it_says_in_both_languages_what_it_needs(tmp_path: Path):
    def said(*arguments: object) -> Result:
        return CliRunner().invoke(main, ["witness", "--data", str(tmp_path / "w"), *map(str, arguments)])

    unnamed = said("--log", LOG.key)
    assert "Give the witness a name with --name" in unnamed.stderr
    without = said("--name", "a.example", "--lang", "de")
    assert "Nenne mit --log die Protokolle" in without.stderr
    of_witness = said("--name", "a.example", "--log", WITNESS.key)
    assert "is the key of a witness, not of a log" in of_witness.stderr
    nothing = said("--log", LOG.key, "--every", 5)
    assert "--every and --witness are for --follow URL" in nothing.stderr
    assert [one.exit_code for one in (unnamed, without, of_witness, nothing)] == [1, 2, 2, 2]


def test_while_it_signs_it_looks_at_a_log_and_says_where_that_contradicts_itself(tmp_path: Path):
    log = ServedLog(*entries_of(*EVENTS))
    with serving(log) as url:
        once = ["witness", "--data", tmp_path, "--log", LOG.key, "--follow", url]
        assert CliRunner().invoke(main, [*map(str, once)]).exit_code == 0
        log.entries = log.entries[:-1]
        with witnessing(tmp_path, LOG.key, more=("--follow", url, "--every", 3600)) as witness:
            said = witness.said
            assert witness.process.stdout is not None
            while "✗" not in said:
                said += witness.process.stdout.readline()
            assert "the log shows fewer entries than before" in said
            assert post(witness.url, asked(HONEST, 0, 1)).status_code == 200
