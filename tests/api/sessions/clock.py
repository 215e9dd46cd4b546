"""A service whose time passes as a test says, and browsers that are signed in there."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from api.http.browsers.sessions import Sessions
from api.http.request import add_part
from deploy.config.settings import Settings
from tests.api.conftest import Service, running
from tests.api.web import Browser, browser


class Time:
    """Of the service, and of its short memory."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **some: float) -> None:
        self.now += timedelta(**some)

    def seconds(self) -> float:
        return self.now.timestamp()


@contextmanager
def house(settings: Settings, time: Time) -> Iterator[Service]:
    with running(settings, lambda services: replace(services, clock=time)) as service:
        add_part(service.client.app, Sessions(service.services, time.seconds))
        service.services.journal.clock = time
        yield service


def is_in(web: Browser) -> bool:
    return bool(web.get("/v1/sessions").status_code == 200)


def entering(service: Service, shown: str) -> Browser:
    web = browser(service)
    web.enter(shown)
    assert is_in(web)
    return web
