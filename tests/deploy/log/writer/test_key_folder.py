"""Folders of log keys: one for each PostgreSQL database; older keys are found in their old place."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.log.writer.epochs import begin_log
from deploy.log.writer.key_files import open_signed_file, seeds, with_key_folder
from deploy.stores.opening import OpenedEvents, open_events
from replay.proof.checkpoints import Checkpoint, read_checkpoint, sign
from tests.deploy.log.writer.logged_store import BEGAN, signed_by
from tests.deploy.serving import open_game, served, until
from tests.migrated import migrated_database
from tests.postgres import Server, drop_database
from tests.replay.proof.places import LOG


@pytest.fixture
def urls(postgres_server: Server) -> Iterator[tuple[str, str]]:
    """Two databases of one server."""
    made = migrated_database(postgres_server), migrated_database(postgres_server)
    yield made
    for url in made:
        drop_database(postgres_server, url)


@pytest.fixture
def events(urls: tuple[str, str]) -> Iterator[OpenedEvents]:
    with closing(open_events(urls[0])) as opened:
        opened.check_epoch()
        yield opened


@pytest.fixture
def settings(urls: tuple[str, str], tmp_path: Path) -> Settings:
    return Settings(tmp_path, urls[0], log_host="club.example")


def own(settings: Settings, events: OpenedEvents) -> Path:
    return settings.data / f"log-{events.epochs()[0].id}"


def begin(settings: Settings, events: OpenedEvents) -> None:
    """A log whose keys lie where these settings say."""
    begin_log(settings, events, BEGAN)


def test_an_embedded_store_and_a_folder_that_was_named_stay_as_they_are(events: OpenedEvents, tmp_path: Path):
    for given in (Settings(tmp_path), Settings(tmp_path, "postgresql://anywhere", log_folder=tmp_path / "keys")):
        assert with_key_folder(given, events) == given


def test_a_new_log_has_a_folder_of_its_own_also_where_keys_of_another_lie(settings: Settings, events: OpenedEvents):
    seeds(settings)
    assert with_key_folder(settings, events).log_keys == own(settings, events)
    begin(with_key_folder(settings, events), events)
    assert with_key_folder(settings, events).log_keys == own(settings, events)


@pytest.mark.parametrize("left", ["log.key", "told.key", "log.signed"])
def test_keys_of_before_are_found_in_the_data_folder_by_whichever_of_them_is_there(settings: Settings, events: OpenedEvents, left: str):
    begin(settings, events)
    open_signed_file(settings).write(sign(Checkpoint("club.example/log/1", 1, bytes(32)).text, LOG))
    for name in {"log.key", "told.key", "log.signed"} - {left}:
        (settings.data / name).unlink()
    assert with_key_folder(settings, events).log_keys == settings.data


def test_a_file_that_holds_no_key_is_told_and_not_passed_over(settings: Settings, events: OpenedEvents):
    begin(settings, events)
    for name in ("log.key", "told.key"):
        (settings.data / name).write_text("nonsense", encoding="utf-8")
    assert with_key_folder(settings, events).log_keys == settings.data


def test_the_right_key_is_found_though_another_one_was_made_where_it_lay_not_yet(settings: Settings, events: OpenedEvents):
    """A database that was restored on another machine, and the keys brought there after the first start."""
    begin(settings, events)
    made = settings.data / "elsewhere"
    made.mkdir()
    for name in ("log.key", "told.key"):
        (settings.data / name).rename(made / name)
    begin(with_key_folder(settings, events), events)
    assert with_key_folder(settings, events).log_keys == own(settings, events)
    for name in ("log.key", "told.key"):
        (made / name).rename(settings.data / name)
    assert with_key_folder(settings, events).log_keys == settings.data


def test_a_log_is_named_after_its_host_and_of_postgresql_after_its_store_as_well(events: OpenedEvents, settings: Settings):
    begin_log(Settings(settings.data, settings.database_url), events, BEGAN)
    [epoch] = events.log_epochs()
    assert epoch.origin.endswith(f"-{events.epochs()[0].id[:8]}/log/1")


def test_two_databases_of_one_account_each_sign_their_own_log(urls: tuple[str, str], tmp_path: Path):
    wheres = [("--data", tmp_path / "data", "--database-url", url) for url in urls]
    with served(*wheres[0]) as one, served(*wheres[1]) as two:
        for server in (one, two):
            with server.client() as client:
                open_game(client)
        told = [until(partial(signed_by, server)) for server in (one, two)]
        one.end()
        two.end()
    origins = {found["origin"] for found in told}
    folders = list((tmp_path / "data").glob("log-*"))
    assert (len(origins), [found["status"] for found in told]) == (2, ["ready", "ready"])
    assert {read_checkpoint((folder / "log.signed").read_text(encoding="utf-8")).origin for folder in folders} == origins
    assert [CliRunner().invoke(main, ["audit", "--all", *map(str, where)]).exit_code for where in wheres] == [0, 0]
