"""What can be set, from the environment or by flags. A flag goes before the environment; an empty variable counts as unset."""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs
from msgspec import Struct

from deploy.failures import Failure

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000


class Settings(Struct, frozen=True):
    """``database_url`` names a PostgreSQL database, ``None`` the embedded one in ``data``.

    ``url`` and ``token`` make the command line a client of a running server. ``snapshot_key_file``: not in the data folder but here.
    """

    data: Path
    database_url: str | None = None
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    url: str | None = None
    token: str | None = None
    snapshot_key_file: Path | None = None

    @property
    def embedded(self) -> bool:
        return self.database_url is None

    @property
    def journal_url(self) -> str:
        return self.database_url or f"sqlite:///{self.journal_file}"

    @property
    def projections_url(self) -> str:
        """Beside the journal in PostgreSQL; a file of its own if embedded, so that two writers never wait for each other."""
        return self.database_url or f"sqlite:///{self.data / 'projections.db'}"

    @property
    def journal_file(self) -> Path:
        return self.data / "journal.db"

    @property
    def lock_file(self) -> Path:
        return self.data / "serve.lock"

    @property
    def store(self) -> str:
        """The place of the events in words, without a password."""
        return str(self.data) if self.database_url is None else without_password(self.database_url)


def read_settings(environment: Mapping[str, str], **flags: object) -> Settings:
    """Raises ``Failure`` that names the variable. ``flags`` are the settings by name; ``None`` stands for not given."""

    def given(name: str) -> str | None:
        flag = flags.get(name)
        value = environment.get(f"KIEBITZ_{name.upper()}", "") if flag is None else str(flag)
        return value.strip() or None

    key_file = given("snapshot_key_file")
    return Settings(
        data=_folder(given("data")),
        database_url=_database_url(given("database_url")),
        host=given("host") or DEFAULT_HOST,
        port=_port(given("port")),
        url=_server_url(given("url")),
        token=given("token"),
        snapshot_key_file=Path(key_file).expanduser().absolute() if key_file else None,
    )


def _folder(given: str | None) -> Path:
    if given and "://" in given:
        raise Failure(
            f"KIEBITZ_DATA (--data) is a folder, not {without_password(given)!r}.",
            "For PostgreSQL use KIEBITZ_DATABASE_URL (--database-url).",
        )
    return Path(given or platformdirs.user_data_path("kiebitz", appauthor=False)).expanduser().absolute()


def _port(given: str | None) -> int:
    if given is None:
        return DEFAULT_PORT
    if not given.isascii() or not given.isdigit() or int(given) > 65535:
        raise Failure(f"KIEBITZ_PORT (--port) is a number from 1 to 65535, or 0 for any free port, not {given!r}.")
    return int(given)


def _database_url(given: str | None) -> str | None:
    if given is None:
        return None
    if urlsplit(given).scheme not in ("postgresql", "postgres"):
        raise Failure(
            f"KIEBITZ_DATABASE_URL (--database-url) begins with postgresql://, not like {without_password(given)!r}.",
            "For the embedded database leave it out and name a folder with KIEBITZ_DATA (--data).",
        )
    return given


def _server_url(given: str | None) -> str | None:
    if given is None:
        return None
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Failure(f"KIEBITZ_URL (--url) is the address of a server, like http://127.0.0.1:8000, not {given!r}.")
    return given.rstrip("/")


def without_password(url: str) -> str:
    """For messages: whoever reads a log should not learn the password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":…@")).geturl()


def prepared_folder(data: Path) -> Path:
    """The data folder, made if it is not there, for its owner only. Raises ``Failure`` if nothing can be written there."""
    trial = data / ".writable"
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise Failure(
            f"The data folder {data} cannot be written to: {error.strerror}.",
            "Name another one with KIEBITZ_DATA (--data), or change its owner or rights.",
        ) from error
    return data


def existing_journal(settings: Settings) -> Path:
    """The embedded database's file. Raises ``Failure`` where it is not: a mistyped folder is not an empty one."""
    if not settings.journal_file.exists():
        raise Failure(f"There are no games in {settings.data}: it holds no journal.db.", "Name the data folder with --data (KIEBITZ_DATA).")
    return settings.journal_file
