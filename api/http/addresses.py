"""Host names and ports as the Host header and origins write them, and checks that a redirect stays on this service."""

import re
from ipaddress import ip_address

_DEFAULT_PORTS = {"http": "80", "https": "443"}
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]/@\s]+)(?::(?P<port>[0-9]{1,5}))?")


def strip_default_port(host: str, scheme: str) -> str:
    """Return the host in small letters, without the port that the scheme implies: browsers leave it out, some proxies write it."""
    return host.lower().removesuffix(f":{_DEFAULT_PORTS[scheme]}")


def read_port(host: str, scheme: str) -> str:
    """Return the port of a Host header as digits; the default port of the scheme where none is written or nothing can be read."""
    found = _HOST.fullmatch(host.lower())
    return str(int(found["port"])) if found and found["port"] else _DEFAULT_PORTS[scheme]


def is_local_host(host: str) -> bool:
    """Return whether a host, with or without port, means the machine itself: another device that opened it would ask itself."""
    found = _HOST.fullmatch(host.lower())
    if found is None:
        return False
    name = found["name"].strip("[]").removesuffix(".")
    try:
        address = ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


# Targets that a page continues to after a form: paths of this service only (no open redirect).


PATH = r"^/(?![/\\])[!-\[\]-~]*$(?!\n)"
"""A path of this service: browsers read ``//``, also with a backslash as the second character, as the beginning of another host."""
LONGEST = 500


def is_own_path(path: str) -> bool:
    return len(path) <= LONGEST and re.fullmatch(PATH, path) is not None


def own_path(path: str) -> str:
    """Return the path; an empty text where it leads to another host."""
    return path if is_own_path(path) else ""
