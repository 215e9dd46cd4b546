"""Product versions in a store: every upgrade stores its version and the oldest compatible one; older versions refuse to start."""

from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from deploy.cli.main import main
from deploy.config.settings import Settings
from deploy.stores.epochs import READABLE_FROM, Upgrade, check_readable, has_breaking_upgrade, is_older, next_upgrade
from deploy.stores.migrating import is_noted, is_sqlite, migrate, pending, require_readable, upgrades
from deploy.stores.opening import OpenedEvents, open_events
from deploy.stores.sqlite.connections import path_of
from domain.journal.commits import StoreBlockedError, StoreUnknownError, StoreUpgradedError
from domain.version import VERSION
from tests.deploy.stores.stores import commit, sql_of

GAME = uuid4()
_UPGRADE = "INSERT INTO product_versions (number, version, upgraded_at, readable_from) VALUES (2, ?, '2031-05-01T18:00:00Z', ?)"
_SCRIPT = "INSERT INTO _yoyo_migration (migration_hash, migration_id) VALUES ('f', 'journal-9999-future')"


def upgrade(events: OpenedEvents, version: str, readable_from: str) -> None:
    """As a newer version does it, with a script that nobody knows here."""
    sql_of(events).change(_UPGRADE, (version, readable_from))
    sql_of(events).change(_SCRIPT)


def settings_for(url: str, folder: Path) -> Settings:
    if is_sqlite(url):
        path_of(url).rename(folder / "journal.db")
    return Settings(folder, None if is_sqlite(url) else url)


def test_an_upgrade_leaves_its_version_its_date_and_from_which_version_on_the_store_can_be_used(journal_url: str):
    [left] = upgrades(journal_url)
    assert (left.number, left.version, left.readable_from, left.upgraded_at[:2]) == (1, VERSION, READABLE_FROM, "20")
    assert (migrate(journal_url), upgrades(journal_url)) == ([], [left])


def test_a_store_that_was_left_to_newer_versions_is_refused_with_both_names(journal_url: str, tmp_path: Path):
    with closing(open_events(journal_url)) as events:
        upgrade(events, "9.9.1", "9.9.0")
    for opens in (open_events, migrate, require_readable):
        with pytest.raises(StoreUpgradedError):
            opens(journal_url)
    told = (
        f"Kiebitz 9.9.1 upgraded this store on 2031-05-01: from then on it can be used by Kiebitz 9.9.0 and newer, and this is {VERSION}. "
        "Start Kiebitz 9.9.1 or a newer one."
    )
    settings = settings_for(journal_url, tmp_path)
    where = ["--data", str(settings.data), *(["--database-url", settings.database_url] if settings.database_url else [])]
    for command in (["doctor"], ["tokens", "list"], ["migrate", "--dry-run"], ["audit", "--all"]):
        result = CliRunner().invoke(main, [*command, *where], env={"COLUMNS": "1000"})
        assert (result.exit_code, "Kiebitz 9.9.1 upgraded this store on 2031-05-01" in result.output) == (1, True), result.output
    assert told in result.output


def test_an_upgrade_that_is_marked_compatible_keeps_nobody_away(journal_url: str):
    with closing(open_events(journal_url)) as serving:
        upgrade(serving, "9.9.0", VERSION)
        serving.head()
        assert serving.commit_group([commit(GAME, 1)]) == [(1,)]
    with closing(open_events(journal_url)) as later:
        assert later.commit_group([commit(GAME, 2)]) == [(2,)]
    assert (pending(journal_url), is_noted(journal_url)) == ([], True)


def test_who_serves_already_records_nothing_once_the_store_was_left_to_newer_versions(journal_url: str):
    with closing(open_events(journal_url)) as serving:
        serving.commit_group([commit(GAME, 1)])
        upgrade(serving, "9.9.0", "9.9.0")
        serving.head()
        ways = [
            lambda: serving.commit_group([commit(GAME, 2)]),
            lambda: serving.commit_at_once([commit(GAME, 2)]) or serving.send_in_loop([commit(GAME, 2)], 1.0, print),
            lambda: serving.change("DELETE FROM commands"),
            serving.try_writing,
        ]
        for write in ways:
            with pytest.raises(StoreUpgradedError):
                write()
        assert len(serving.select_events(GAME)) == 1


def test_scripts_that_no_version_answers_for_are_named(journal_url: str):
    with closing(open_events(journal_url)) as events:
        sql_of(events).change(_SCRIPT)
    for opens in (open_events, migrate):
        with pytest.raises(StoreUnknownError, match=rf"has journal-9999-future, which Kiebitz {VERSION} does not know"):
            opens(journal_url)


def test_which_version_may_use_what():
    at = "2031-05-01T18:00:00Z"
    rows = [Upgrade(1, "0.9.0", at, "0.2.0"), Upgrade(2, "0.10.0", at, "0.9.0")]
    assert [is_older(one, "0.10.0") for one in ("0.9.9", "0.10.0", "0.10.1", "1.0", "0.10.0.dev1")] == [True, False, False, False, False]
    check_readable([], own="0.2.0")
    check_readable(rows[:1], own="0.3.0")
    check_readable(rows, {"journal-0030-more"}, own="0.9.0")
    for known, unknown, own in ((rows, (), "0.8.0"), (rows, {"journal-0030-more"}, "0.10.0"), ([], {"journal-0030-more"}, "0.10.0")):
        with pytest.raises(StoreBlockedError):
            check_readable(known, unknown, own=own)


def test_only_a_newer_version_leaves_a_row_and_one_that_would_lock_others_out_not_by_the_way():
    at = "2020-05-01T18:00:00Z"
    older, same, newer = (Upgrade(1, "0.1.9", at, "0.1.0"), Upgrade(1, VERSION, at, READABLE_FROM), Upgrade(1, "9.9.0", at, READABLE_FROM))
    assert [next_upgrade([one]) is None for one in (older, same, newer)] == [False, True, True]
    assert [has_breaking_upgrade(rows) for rows in ([], [older], [same], [newer])] == [False, True, False, False]
