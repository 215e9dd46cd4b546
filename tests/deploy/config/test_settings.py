"""Settings: their sources, and the messages about invalid ones."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.services import Bound, Limits
from deploy.compose import limits_of
from deploy.config.failures import Failure
from deploy.config.settings import prepare_folder, read_settings, without_password


def test_without_any_setting_the_service_is_embedded_and_listens_on_loopback_only():
    settings = read_settings({})
    assert (settings.host, settings.port, settings.embedded) == ("127.0.0.1", 8000, True)
    assert settings.data.is_absolute()


def test_a_flag_goes_before_the_environment(tmp_path: Path):
    settings = read_settings({"KIEBITZ_PORT": "1", "KIEBITZ_HOST": "0.0.0.0"}, port="8080", data=tmp_path)
    assert (settings.port, settings.host, settings.data) == (8080, "0.0.0.0", tmp_path)


def test_an_empty_variable_counts_as_unset():
    assert read_settings({"KIEBITZ_PORT": "", "KIEBITZ_DATABASE_URL": " "}) == read_settings({})


@pytest.mark.parametrize("port", ["http", "-1", "65536", "80.0", "8 0"])
def test_a_port_that_is_none_is_named(port: str):
    with pytest.raises(Failure, match="KIEBITZ_PORT"):
        read_settings({"KIEBITZ_PORT": port})


@pytest.mark.parametrize("zone", ["Berlin", "CEST", "/etc/localtime"])
def test_a_time_zone_that_is_none_is_named(zone: str):
    with pytest.raises(Failure, match="KIEBITZ_TIME_ZONE is an IANA time zone such as Europe/Berlin"):
        read_settings({"KIEBITZ_TIME_ZONE": zone})


def test_the_time_zone_is_that_of_the_machine_by_default():
    assert read_settings({"TZ": "America/New_York"}).time_zone == "America/New_York"
    assert read_settings({"TZ": "America/New_York", "KIEBITZ_TIME_ZONE": "Europe/Berlin"}).time_zone == "Europe/Berlin"


def test_so_many_streams_and_exports_are_under_way_at_a_time():
    assert limits_of(read_settings({})) == Limits()
    given = {"KIEBITZ_STREAMS": "7", "KIEBITZ_STREAMS_EACH": "3", "KIEBITZ_EXPORTS": "5", "KIEBITZ_EXPORTS_EACH": "2"}
    assert limits_of(read_settings(given)) == Limits(streams=Bound(7, 3), exports=Bound(5, 2))


@pytest.mark.parametrize("number", ["many", "0", "-1", "1.5"])
def test_a_number_of_streams_that_is_none_is_named(number: str):
    with pytest.raises(Failure, match="KIEBITZ_STREAMS_EACH"):
        read_settings({"KIEBITZ_STREAMS_EACH": number})


def test_an_unknown_kind_of_database_is_refused_without_telling_its_password():
    with pytest.raises(Failure, match=r"postgresql://") as failure:
        read_settings({"KIEBITZ_DATABASE_URL": "mysql://me:secret@host/name"})
    assert "secret" not in str(failure.value)


def test_a_data_folder_is_no_url():
    with pytest.raises(Failure, match="KIEBITZ_DATABASE_URL"):
        read_settings({"KIEBITZ_DATA": "postgresql://host/name"})


def test_the_address_of_a_server_has_a_scheme():
    with pytest.raises(Failure, match="KIEBITZ_URL"):
        read_settings({"KIEBITZ_URL": "localhost:8000"})


def test_journal_and_projections_are_two_files_but_one_postgresql_database(tmp_path: Path):
    embedded = read_settings({}, data=tmp_path)
    assert embedded.journal_url == f"sqlite:///{tmp_path}/journal.db"
    assert embedded.projections_url == f"sqlite:///{tmp_path}/projections.db"
    url = "postgresql://me@host/name"
    served = read_settings({"KIEBITZ_DATABASE_URL": url})
    assert (served.journal_url, served.projections_url) == (url, url)


def test_a_password_is_left_out_of_messages():
    assert without_password("postgresql://me:secret@host:5432/name") == "postgresql://me:…@host:5432/name"
    assert without_password("postgresql://me@host/name") == "postgresql://me@host/name"


def test_the_data_folder_is_made_for_its_owner_only(tmp_path: Path):
    folder = prepare_folder(tmp_path / "new" / "data")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir()) == []


def test_a_folder_may_be_prepared_by_several_at_once(tmp_path: Path):
    with ThreadPoolExecutor(8) as several:
        assert {*several.map(lambda _: prepare_folder(tmp_path / "data"), range(2_000))} == {tmp_path / "data"}
    assert list((tmp_path / "data").iterdir()) == []


def test_a_data_folder_that_cannot_be_is_named_with_what_to_do(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(Failure, match=r"data folder .* cannot be written to[\s\S]*KIEBITZ_DATA"):
        prepare_folder(tmp_path / "file" / "data")


def test_what_callers_may_take_has_limits_that_serve_a_hall_behind_one_address():
    usual = read_settings({}).limits
    assert (usual.connections, usual.per_address, usual.header_seconds, usual.body_seconds) == (2000, 1000, 10.0, 20.0)
    assert [str(network) for network in usual.trusted] == ["127.0.0.0/8", "::1/128"]


def test_the_limits_of_callers_come_from_the_environment():
    given = {"CONNECTIONS": "50", "CONNECTIONS_PER_ADDRESS": "5", "HEADER_SECONDS": "2.5", "BODY_SECONDS": "7"}
    limits = read_settings(
        {f"KIEBITZ_{name}": value for name, value in given.items()} | {"KIEBITZ_TRUSTED_PROXIES": "10.0.0.7, fd00::/8"}
    ).limits
    assert (limits.connections, limits.per_address, limits.header_seconds, limits.body_seconds) == (50, 5, 2.5, 7.0)
    assert [str(network) for network in limits.trusted] == ["10.0.0.7/32", "fd00::/8"]
    assert read_settings({"KIEBITZ_TRUSTED_PROXIES": "none"}).limits.trusted == ()


def test_pages_of_elsewhere_are_named_by_their_origins_and_there_are_none_by_default():
    assert read_settings({}).cors_origins == ()
    given = "https://club.example, http://127.0.0.1:3000, http://[::1]:3000"
    assert read_settings({"KIEBITZ_CORS_ORIGINS": given}).cors_origins == tuple(given.split(", "))
    assert read_settings({"KIEBITZ_CORS_ORIGINS": "*"}).cors_origins == ("*",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONNECTIONS", "0"),
        ("CONNECTIONS_PER_ADDRESS", "many"),
        ("HEADER_SECONDS", "-1"),
        ("HEADER_SECONDS", "0"),
        ("BODY_SECONDS", "inf"),
        ("TRUSTED_PROXIES", "proxy.local"),
        ("TRUSTED_PROXIES", "10.0.0.7/8"),
        ("CORS_ORIGINS", "club.example"),
        ("WEBHOOK_NETWORKS", "10.0.0.1/8"),
        ("WEBHOOK_NETWORKS", "club.example"),
        ("CORS_ORIGINS", "https://club.example/"),
        ("CORS_ORIGINS", "https://Club.example"),
        ("CORS_ORIGINS", "https://club.example, null"),
        ("CORS_ORIGINS", "https://*.example"),
        ("CORS_ORIGINS", "https://club.example,"),
    ],
)
def test_a_limit_that_is_none_is_named(name: str, value: str):
    with pytest.raises(Failure, match=f"KIEBITZ_{name}"):
        read_settings({f"KIEBITZ_{name}": value})


def test_networks_to_which_webhooks_may_lead_are_named_with_commas():
    assert read_settings({}).webhook_networks == ()
    found = read_settings({"KIEBITZ_WEBHOOK_NETWORKS": "10.0.0.0/8, 127.0.0.1,fd00::/8"}).webhook_networks
    assert list(map(str, found)) == ["10.0.0.0/8", "127.0.0.1/32", "fd00::/8"]


def test_the_log_is_for_people_unless_it_is_asked_for_otherwise():
    assert (read_settings({}).log_format, read_settings({}).access_log) == ("text", False)
    given = read_settings({"KIEBITZ_LOG_FORMAT": "json", "KIEBITZ_ACCESS_LOG": "on"})
    assert (given.log_format, given.access_log) == ("json", True)
    assert read_settings({"KIEBITZ_ACCESS_LOG": "off"}).access_log is False


def test_the_fast_path_is_on_unless_it_is_switched_off():
    assert [read_settings(given).fast_path for given in ({}, {"KIEBITZ_FAST_PATH": "on"}, {"KIEBITZ_FAST_PATH": "off"})] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("name", "given"), [("LOG_FORMAT", "xml"), ("ACCESS_LOG", "yes"), ("FAST_PATH", "yes")])
def test_another_form_of_the_log_is_refused_with_those_that_there_are(name: str, given: str):
    with pytest.raises(Failure, match=f"KIEBITZ_{name} is .* or .*, not '{given}'"):
        read_settings({f"KIEBITZ_{name}": given})


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("https://club.example", "https://club.example"),
        ("HTTPS://Club.Example:443/", "https://club.example"),
        ("http://192.168.8.2:8000", "http://192.168.8.2:8000"),
        ("http://[2001:db8::1]:80", "http://[2001:db8::1]"),
    ],
)
def test_the_public_address_is_an_origin_as_browsers_write_it(given: str, url: str):
    assert read_settings({"KIEBITZ_PUBLIC_URL": given}).public_url == url
    assert read_settings({}, public_url=given).public_url == url


@pytest.mark.parametrize(
    "given",
    [
        *("club.example", "ftp://club.example", "https://club.example/kiebitz", "https://club.example?a=b", "https://club.example#x"),
        *("https://me@club.example", "https://", "https://club.example:99999", "https://club.example:0", "https://[::1", "https://a b"),
    ],
)
def test_what_is_no_origin_is_refused_at_the_start(given: str):
    with pytest.raises(Failure, match="KIEBITZ_PUBLIC_URL"):
        read_settings({"KIEBITZ_PUBLIC_URL": given})
