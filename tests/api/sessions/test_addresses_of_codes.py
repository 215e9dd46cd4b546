"""By which address a code, its QR code and a wall name the service."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest
import segno

from api.common.pages.shell import draw_code
from api.services import Services
from tests.api.conftest import Service, running, secret, settings_of
from tests.api.tournament import announced

HERE, LAPTOP = "127.0.0.1:8000", ("192.168.8.2", "10.0.0.7")
WANTED = {"role": "viewer", "scope": "everything"}
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_of(tmp_path_factory.mktemp("addresses"))) as found:
        yield found


@pytest.fixture
def ask(service: Service, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks a service with these settings: ``ask(method, path, body, host=…, caller=…, role=…, **settings)``."""
    app, portal = service.client.app, service.client.blocking_portal

    def asked(
        method: str, path: str, body: object = None, *, host: str = HERE, caller: str = "127.0.0.1", role: str = "director", **given: Any
    ) -> httpx.Response:
        async def request() -> httpx.Response:
            transport = httpx.ASGITransport(app, client=(caller, 5000))
            headers = {"Host": host, "Authorization": f"Bearer {secret(role)}"}
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HERE}", headers=headers) as client:
                return await client.request(method, path, json=body)

        monkeypatch.setitem(app.state["parts"], Services, replace(service.services, **given))
        answer: httpx.Response = portal.call(request)
        return answer

    return asked


def in_networks() -> tuple[str, ...]:
    return LAPTOP


def issued(ask: Ask, **given: Any) -> tuple[str, bool]:
    """The service that the code names, and whether only its machine can open that."""
    told = ask("POST", "/v1/codes", WANTED, **given).json()
    assert told["qr"] == draw_code(told["address"])
    service, _, rest = told["address"].partition("/in#")
    assert rest == told["code"]
    return service, told["only_here"]


def test_a_code_names_the_address_that_the_browser_used(ask: Ask):
    assert issued(ask, host="hall.test:8000", network_hosts=in_networks) == ("http://hall.test:8000", False)


def test_a_public_url_goes_before_every_host(ask: Ask):
    for host in (HERE, "hall.test:8000", "evil.example"):
        assert issued(ask, host=host, public_url="https://club.example", network_hosts=in_networks) == ("https://club.example", False)


def test_on_the_machine_itself_a_code_names_an_address_that_phones_can_open(ask: Ask):
    for host in (HERE, "localhost:8000", "[::1]:8000"):
        assert issued(ask, host=host, network_hosts=in_networks) == ("http://192.168.8.2:8000", False)


def test_where_there_is_none_the_code_says_that_phones_cannot_open_it(ask: Ask):
    assert issued(ask) == (f"http://{HERE}", True)


def test_the_addresses_are_offered_and_one_of_them_can_be_chosen(ask: Ask):
    offered = ask("GET", "/v1/codes", network_hosts=in_networks).json()
    assert offered["addresses"] == ["http://192.168.8.2:8000", "http://10.0.0.7:8000", f"http://{HERE}"]
    assert "only_here" not in offered
    for address in offered["addresses"]:
        told = ask("POST", "/v1/codes", {**WANTED, "address": address}, network_hosts=in_networks).json()
        assert (told["address"], told["only_here"]) == (f"{address}/in#{told['code']}", address.endswith(HERE))


def test_no_other_address_gets_on_a_code(ask: Ask):
    for address in ("https://evil.example", "http://192.168.8.3:8000", "http://192.168.8.2:8000/", ""):
        refused = ask("POST", "/v1/codes", {**WANTED, "address": address}, network_hosts=in_networks)
        assert (refused.status_code, refused.json()["code"], refused.json()["where"]) == (422, "malformed_body", "address")
        assert "http://192.168.8.2:8000, http://10.0.0.7:8000" in refused.json()["detail"]


def test_who_only_pretends_to_be_on_the_machine_learns_nothing_of_its_networks(ask: Ask):
    told = ask("GET", "/v1/codes", caller="203.0.113.9", network_hosts=in_networks).json()
    assert (told["addresses"], told["only_here"]) == ([f"http://{HERE}"], True)
    assert "addresses" not in ask("GET", "/v1/codes", role="viewer", network_hosts=in_networks).json()
    assert "addresses" not in ask("GET", "/v1/codes", host="hall.test:8000", network_hosts=in_networks).json()


@pytest.fixture
def tournament(service: Service) -> str:
    return announced(service.caller("director")).rpartition("/")[2]


def wall(ask: Ask, tournament: str, **given: Any) -> str:
    return str(ask("GET", f"/t/{tournament}/wall", **given).text)


def leads_to(address: str) -> str:
    return segno.make(address, micro=False).svg_data_uri(light="white", border=2).replace("&", "&amp;").replace("'", "&#39;")


def test_the_wall_names_the_same_address(ask: Ask, tournament: str):
    for service, given in (
        ("http://hall.test:8000", {"host": "hall.test:8000"}),
        ("http://192.168.8.2:8000", {"network_hosts": in_networks}),
        ("https://club.example", {"public_url": "https://club.example"}),
    ):
        page = wall(ask, tournament, **given)
        assert leads_to(f"{service}/t/{tournament}") in page
        assert f">{service.partition('://')[2]}/t/{tournament}<" in page


def test_a_wall_that_phones_cannot_open_has_no_code_and_says_so(ask: Ask, tournament: str):
    page = wall(ask, tournament)
    assert "<figure>" not in page
    assert f"Phones cannot open {HERE}." in page


def test_the_desk_warns_and_says_what_to_do(ask: Ask, tournament: str):
    for step in ("devices", "hall"):
        page = f"/t/{tournament}/desk?step={step}"
        assert f"Phones cannot open http://{HERE}." in ask("GET", page).text
        for given in ({"public_url": "https://club.example"}, {"host": "hall.test:8000"}, {"network_hosts": in_networks}):
            assert "--host 0.0.0.0" not in ask("GET", page, **given).text


def test_the_desk_offers_the_addresses_of_the_machine(ask: Ask, tournament: str):
    page = ask("GET", f"/t/{tournament}/desk?step=devices", network_hosts=in_networks).text
    assert f"This page is open at http://{HERE}. Phones cannot open that address" in page
    assert '<option value="http://192.168.8.2:8000">http://192.168.8.2:8000</option>' in page
    assert 'name="address"' not in ask("GET", f"/t/{tournament}/desk?step=devices", host="hall.test:8000").text
