"""Start text of a service: the two lines about access for phones."""

import pytest

from deploy.cli.console import describe_device_access
from deploy.config.settings import read_settings


@pytest.mark.parametrize(
    ("given", "language", "lines"),
    [
        ({"public_url": "https://club.example"}, "en", ["Phones open https://club.example/in", "and scan or type a code, which you make "]),
        ({"host": "192.168.8.2"}, "en", ["Phones open http://192.168.8.2:8000/in", "and scan or type a code, which you make "]),
        ({"host": "192.168.8.2"}, "de", ["Telefone öffnen http://192.168.8.2:8000/in", "und scannen oder tippen einen Code; "]),
        ({}, "en", ["Phones cannot open http://127.0.0.1:8000. To let them in, ", " serve --host 0.0.0.0 --data ./evening"]),
        ({"port": "8080"}, "en", ["Phones cannot open http://127.0.0.1:8000. ", " serve --host 0.0.0.0 --port 8080 --data ./evening"]),
    ],
)
def test_they_say_what_phones_open_or_how_to_let_them_in(given: dict[str, str], language: str, lines: list[str]):
    settings = read_settings({}, **given)
    said = describe_device_access(settings, "http://127.0.0.1:8000", "serve", {**given, "data": "./evening"}, language).splitlines()
    assert [line in one for line, one in zip(lines, said, strict=True)] == [True, True], said
