"""To which addresses messages may go: public ones, and the networks that the operator allows. A webhook shall not lead into the network of
the house, to its machines, or to what a provider of machines tells about them.
"""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

from api.http.errors import say
from api.services import Network
from domain.errors import Forbidden, Malformed

Address: TypeAlias = IPv4Address | IPv6Address

LONGEST = 2000
_URL = re.compile(r"https?://[!-\[\]-~]+")  # ASCII, without spaces and \
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]+")
# Beside what ``ipaddress`` knows to be private, link-local, multicast or reserved, in whatever version.
_CLOSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",  # between a provider and his customers; the metadata of one of them
            "168.63.129.16/32",  # the metadata of another
            "192.0.0.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "64:ff9b::/96",  # the rest lead to addresses of version 4
            "64:ff9b:1::/48",
            "2001::/23",
            "2002::/16",
            "fec0::/10",
        ),
    )
)


def may_go_to(address: Address, allowed: Collection[Network], *, plain: bool = False) -> bool:
    """``plain``: without https, which only allowed networks get."""
    real = address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
    return _is_in(real, allowed) or (not plain and is_public(real))


def is_public(address: Address) -> bool:
    """An IPv4 address in the form of version 6 has to be unpacked before."""
    named = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast or address.is_reserved
    return address.is_global and not named and not address.is_unspecified and not _is_in(address, _CLOSED)


def _is_in(address: Address, networks: Collection[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def check_url(url: str, allowed: Collection[Network]) -> None:
    """As far as can be said before its name is looked up. Raises ``Malformed``, and ``Forbidden`` for where nothing may go."""
    if not _URL.fullmatch(url) or len(url) > LONGEST:
        raise Malformed("malformed_body", say("webhook.url"), "url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Malformed("malformed_body", say("webhook.url"), "url") from None
    if not parts.hostname or not _HOST.fullmatch(parts.hostname) or port == 0:
        raise Malformed("malformed_body", say("webhook.url"), "url")
    if "@" in parts.netloc or "#" in url:
        raise Malformed("malformed_body", say("webhook.url_credentials"), "url")
    _check_target(parts.scheme, parts.hostname, allowed)


def _check_target(scheme: str, host: str, allowed: Collection[Network]) -> None:
    plain = scheme == "http"
    if plain and not allowed:
        raise Forbidden(say("webhook.url_plain"), where="url")
    try:
        address = ip_address(host)
    except ValueError:
        return  # a name: it is looked up when something is sent
    if not may_go_to(address, allowed, plain=plain):
        raise Forbidden(say("delivery.address", detail=host), where="url")
