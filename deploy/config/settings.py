"""Settings, read from flags and environment variables.

A flag takes precedence over the environment; an empty variable counts as unset.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import urlsplit

import platformdirs
from msgspec import Struct

from api.http.addresses import strip_default_port
from deploy.config.failures import Failure, say, system_problem
from deploy.system.clock import find_machine_zone
from deploy.system.log_lines import LOG_FORMATS, LogFormat
from deploy.system.private import FILE, private_folder
from domain.time_zones import UTC_ZONE, is_time_zone
from replay.proof.witnesses import NamedWitness, read_witnesses

# Connection limits and read timeouts for clients, by address and in total.


Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))


class ConnectionLimits(Struct, frozen=True):
    """Limits for a client before its request is complete.

    ``header_seconds``: for a whole header. ``body_seconds``: without another kilobyte of a body. Connections from ``trusted`` proxies are
    counted by the addresses that the proxies forward.
    """

    connections: int = 2000
    per_address: int = 1000
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    trusted: tuple[Network, ...] = LOOPBACK


USUAL = ConnectionLimits()


DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
_STREAMS, _STREAMS_EACH = 200, 50
_EXPORTS, _EXPORTS_EACH = 32, 8
_FOLLOWERS, _FOLLOWERS_EACH = 2500, 500
_WEEK = 7 * 24 * 60  # minutes
_NAME = re.compile(r"[a-z0-9]([a-z0-9.:_-]{0,98}[a-z0-9])?")  # of a log: without spaces and plus signs
_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?")  # as browsers write it: lower case, without a path


LogManner: TypeAlias = Literal["open", "closed", "off"]
"""Whether a log is kept, and whether its tree can be read without a token."""


class Settings(Struct, frozen=True):
    """Validated settings of a service and of the command line.

    ``database_url`` names a PostgreSQL database, ``None`` the embedded one in ``data``. ``public_url``: the address at which browsers open
    the service, if it differs from the one they send as Host. ``url`` and ``token`` make the command line a client of a running server.
    ``streams``, ``followers`` and ``exports``: long-running responses at a time, and ``..._each`` per principal. ``snapshot_key_file``: the
    key is here instead of in the data folder. ``tls_cert`` and ``tls_key``: files of a certificate and its key; both, or neither.
    ``workers``: processes that serve; ``worker_port``: the port of the first one alone, then one more for each. ``log_host``: the name of a
    new log. ``log_folder``: its keys are here instead of in the data folder. ``witnesses`` are asked after each checkpoint.
    ``time_zone``: the IANA zone of new
    tournaments and games. ``backup_every``: minutes between two backups of the embedded database in ``backup_folder``.
    """

    data: Path
    database_url: str | None = None
    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    workers: int = 1
    worker_port: int | None = None
    public_url: str | None = None
    url: str | None = None
    token: str | None = None
    snapshot_key_file: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    streams: int = _STREAMS
    streams_each: int = _STREAMS_EACH
    followers: int = _FOLLOWERS
    followers_each: int = _FOLLOWERS_EACH
    exports: int = _EXPORTS
    exports_each: int = _EXPORTS_EACH
    connections: int = USUAL.connections
    connections_per_address: int = USUAL.per_address
    header_seconds: float = USUAL.header_seconds
    body_seconds: float = USUAL.body_seconds
    trusted_proxies: tuple[Network, ...] = LOOPBACK
    cors_origins: tuple[str, ...] = ()
    webhook_networks: tuple[Network, ...] = ()
    log_format: LogFormat = "text"
    access_log: bool = False
    fast_path: bool = True
    log: LogManner = "open"
    log_host: str | None = None
    log_folder: Path | None = None
    witnesses: tuple[NamedWitness, ...] = ()
    backup_every: int | None = None
    backup_folder: Path | None = None
    time_zone: str = UTC_ZONE

    @property
    def limits(self) -> ConnectionLimits:
        """Return the connection limits among the settings."""
        return ConnectionLimits(
            self.connections, self.connections_per_address, self.header_seconds, self.body_seconds, self.trusted_proxies
        )

    @property
    def embedded(self) -> bool:
        """Return whether the events are in SQLite files of the data folder, not in PostgreSQL."""
        return self.database_url is None

    @property
    def journal_url(self) -> str:
        return self.database_url or f"sqlite:///{self.journal_file}"

    @property
    def projections_url(self) -> str:
        """Return the URL of the projections: the journal's database in PostgreSQL, a separate file if embedded.

        With a separate file, the writers of journal and projections never wait for each other.
        """
        return self.database_url or f"sqlite:///{self.projections_file}"

    @property
    def journal_file(self) -> Path:
        return self.data / "journal.db"

    @property
    def projections_file(self) -> Path:
        return self.data / "projections.db"

    @property
    def lock_file(self) -> Path:
        return self.data / "serve.lock"

    @property
    def log_url(self) -> str:
        """Return the URL of the log's tree: a separate file if embedded, so that its writer does not wait for the others."""
        return self.database_url or f"sqlite:///{self.data / 'log.db'}"

    @property
    def log_keys(self) -> Path:
        """Return the folder of the log's keys and of what was signed last.

        ``deploy/log/writer/key_files.py`` names the files of each database.
        """
        return self.log_folder or self.data

    @property
    def store(self) -> str:
        """Return the location of the events in words, without a password."""
        return str(self.data) if self.database_url is None else without_password(self.database_url)


def read_settings(environment: Mapping[str, str], **flags: object) -> Settings:
    """Read the settings. ``flags`` are settings by name; ``None`` stands for not given.

    Raises ``Failure`` that names the invalid variable.
    """

    def read_value(name: str) -> str | None:
        flag = flags.get(name)
        value = environment.get(f"KIEBITZ_{name.upper()}", "") if flag is None else str(flag)
        return value.strip() or None

    if (read_value("tls_cert") is None) != (read_value("tls_key") is None):
        raise Failure(say("tls_half"))
    if read_value("backup_every") is not None and read_value("backup_folder") is None:
        raise Failure(say("backup_half"))
    workers = _count("WORKERS", read_value("workers"), 1)
    return Settings(
        data=_folder(read_value("data")),
        database_url=_database_url(read_value("database_url")),
        host=read_value("host") or DEFAULT_HOST,
        port=_port("PORT", read_value("port") or str(DEFAULT_PORT)),
        workers=workers,
        worker_port=_port("WORKER_PORT", own, workers - 1) if (own := read_value("worker_port")) else None,
        public_url=_public_url(read_value("public_url")),
        url=_server_url(read_value("url")),
        token=read_value("token"),
        snapshot_key_file=_file(read_value("snapshot_key_file")),
        tls_cert=_file(read_value("tls_cert")),
        tls_key=_file(read_value("tls_key")),
        streams=_count("STREAMS", read_value("streams"), _STREAMS),
        streams_each=_count("STREAMS_EACH", read_value("streams_each"), _STREAMS_EACH),
        followers=_count("FOLLOWERS", read_value("followers"), _FOLLOWERS),
        followers_each=_count("FOLLOWERS_EACH", read_value("followers_each"), _FOLLOWERS_EACH),
        exports=_count("EXPORTS", read_value("exports"), _EXPORTS),
        exports_each=_count("EXPORTS_EACH", read_value("exports_each"), _EXPORTS_EACH),
        connections=_count("CONNECTIONS", read_value("connections"), USUAL.connections),
        connections_per_address=_count("CONNECTIONS_PER_ADDRESS", read_value("connections_per_address"), USUAL.per_address),
        header_seconds=_seconds("HEADER_SECONDS", read_value("header_seconds"), USUAL.header_seconds),
        body_seconds=_seconds("BODY_SECONDS", read_value("body_seconds"), USUAL.body_seconds),
        trusted_proxies=_proxies(read_value("trusted_proxies")),
        cors_origins=_origins(read_value("cors_origins")),
        webhook_networks=_networks(read_value("webhook_networks")),
        log_format=_log_format(read_value("log_format")),
        access_log=_switch("ACCESS_LOG", read_value("access_log"), usual=False),
        fast_path=_switch("FAST_PATH", read_value("fast_path"), usual=True),
        log=_log(read_value("log")),
        log_host=_log_host(read_value("log_host")),
        log_folder=_file(read_value("log_folder")),
        witnesses=_witnesses(read_value("witnesses")),
        backup_every=_minutes("BACKUP_EVERY", read_value("backup_every")),
        backup_folder=_file(read_value("backup_folder")),
        time_zone=read_time_zone(environment, read_value("time_zone")),
    )


def read_time_zone(environment: Mapping[str, str], given: str | None = None) -> str:
    """Return the setting; by default the zone of the machine. Raises ``Failure``."""
    given = given or environment.get("KIEBITZ_TIME_ZONE", "").strip() or None
    if given is None:
        return find_machine_zone(environment)
    if not is_time_zone(given):
        raise Failure(say("bad_time_zone", given=given), "" if is_time_zone("Europe/Berlin") else say("time_zones_missing"))
    return given


def _folder(given: str | None) -> Path:
    if given and "://" in given:
        raise Failure(say("data_is_a_folder", given=without_password(given)), say("use_database_url"))
    return Path(given or platformdirs.user_data_path("kiebitz", appauthor=False)).expanduser().absolute()


def _file(given: str | None) -> Path | None:
    return Path(given).expanduser().absolute() if given else None


def _port(name: str, given: str, more: int = 0) -> int:
    """Return the port. ``more``: so many ports after it have to exist, too."""
    last = 65535 - more
    if not given.isascii() or not given.isdigit() or int(given) > last:
        raise Failure(say("bad_port", name=name, flag=f"--{name.lower().replace('_', '-')}", last=str(last), given=given))
    return int(given)


def _count(name: str, given: str | None, usual: int) -> int:
    if given is None:
        return usual
    if not given.isascii() or not given.isdigit() or int(given) < 1:
        raise Failure(say("bad_count", name=name, given=given))
    return int(given)


def _seconds(name: str, given: str | None, usual: float) -> float:
    if given is None:
        return usual
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", given) or float(given) == 0:
        raise Failure(say("bad_seconds", name=name, given=given))
    return float(given)


def _minutes(name: str, given: str | None) -> int | None:
    if given is None:
        return None
    if not re.fullmatch(r"[0-9]{1,5}", given) or not 1 <= int(given) <= _WEEK:
        raise Failure(say("bad_minutes", name=name, last=str(_WEEK), given=given))
    return int(given)


def _log_format(given: str | None) -> LogFormat:
    if given is None:
        return "text"
    if given not in LOG_FORMATS:
        raise Failure(say("bad_log_format", given=given))
    return given


def _switch(name: str, given: str | None, usual: bool) -> bool:
    if given not in (None, "on", "off"):
        raise Failure(say("bad_switch", name=name, given=given))
    return usual if given is None else given == "on"


def _proxies(given: str | None) -> tuple[Network, ...]:
    if given is None:
        return LOOPBACK
    try:
        return () if given == "none" else tuple(ip_network(one.strip()) for one in given.split(","))
    except ValueError as error:
        raise Failure(say("bad_proxies", problem=error)) from error


def _networks(given: str | None) -> tuple[Network, ...]:
    try:
        return tuple(ip_network(one.strip()) for one in given.split(",")) if given else ()
    except ValueError as error:
        raise Failure(say("bad_networks", problem=error)) from error


def _log(given: str | None) -> LogManner:
    for manner in get_args(LogManner):
        if given in (manner, None):
            return cast(LogManner, manner)
    raise Failure(say("bad_log", given=given))


def _log_host(given: str | None) -> str | None:
    if given is not None and not _NAME.fullmatch(given):
        raise Failure(say("bad_log_host", given=given))
    return given


def _witnesses(given: str | None) -> tuple[NamedWitness, ...]:
    try:
        return read_witnesses(given) if given else ()
    except ValueError:
        raise Failure(say("bad_witnesses", given=given)) from None


def _origins(given: str | None) -> tuple[str, ...]:
    found = tuple(one.strip() for one in given.split(",")) if given else ()
    if any(one != "*" and not _ORIGIN.fullmatch(one) for one in found):
        raise Failure(say("bad_origins", given=given))
    return found


def _database_url(given: str | None) -> str | None:
    if given is None:
        return None
    if urlsplit(given).scheme not in ("postgresql", "postgres"):
        raise Failure(say("bad_database_url", given=without_password(given)), say("embedded_instead"))
    return given


def _public_url(given: str | None) -> str | None:
    """Return the URL in lower case and without the default port, as browsers write an origin."""
    if given is None:
        return None
    url = given.lower().removesuffix("/")
    parts = None
    try:
        parts = urlsplit(url)
        fits = _ORIGIN.fullmatch(url) is not None and parts.port != 0
    except ValueError:  # an invalid port or IPv6 address
        fits = False
    if parts is None or not fits:
        raise Failure(say("bad_public_url", given=given))
    return f"{parts.scheme}://{strip_default_port(parts.netloc, parts.scheme)}"


def _server_url(given: str | None) -> str | None:
    if given is None:
        return None
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Failure(say("bad_server_url", given=given))
    return given.rstrip("/")


def without_password(url: str) -> str:
    """Return the URL with its password masked, for messages and logs."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", ":…@")).geturl()


def prepare_folder(data: Path) -> Path:
    """Create the data folder if it does not exist, private to its owner.

    Raises ``Failure`` if it is not writable.
    """
    trial = data / ".writable"
    try:
        private_folder(data)
        trial.touch(FILE)
        trial.unlink(missing_ok=True)  # another process may be trying it at this moment
    except OSError as error:
        raise Failure(say("folder_not_writable", folder=data, problem=system_problem(error.errno)), say("other_folder")) from error
    return data


def existing_journal(settings: Settings) -> Path:
    """Return the file of the embedded database.

    Raises ``Failure`` if it does not exist: a mistyped folder must not look like an empty store.
    """
    if not settings.journal_file.exists():
        raise Failure(say("no_games_there", folder=settings.data), say("name_data_folder"))
    return settings.journal_file
