"""SSRF protection for webhooks: the addresses that messages may go to are public ones, and networks that the operator allows.

A webhook must not reach the internal network, its machines, or the metadata service of a cloud provider.
"""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

from api.http.errors import say
from api.services import Network
from domain.errors import Forbidden, InvalidFormatError

Address: TypeAlias = IPv4Address | IPv6Address

LONGEST = 2000
_URL = re.compile(r"(?i:https?)://[!-\[\]-~]+")  # ASCII, without spaces and \
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|[0-9A-Fa-f:.]+")
# In addition to the networks that ``ipaddress`` knows to be private, link-local, multicast or reserved, in any of its versions.
_CLOSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",  # between a provider and its customers; the metadata service of one of them
            "168.63.129.16/32",  # the metadata service of another
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
    """Return whether a message may go to the address. ``plain``: without https, which is for allowed networks only."""
    real = address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
    return _is_in(real, allowed) or (not plain and is_public(real))


def is_public(address: Address) -> bool:
    """Return whether the address is public. An IPv4 address in IPv6 form has to be unpacked before."""
    named = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast or address.is_reserved
    return address.is_global and not named and not address.is_unspecified and not _is_in(address, _CLOSED)


def _is_in(address: Address, networks: Collection[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def normalize_url(url: str, allowed: Collection[Network]) -> str:
    """Return the URL with its scheme in small letters, checked as far as possible before its name is resolved.

    Raises ``InvalidFormatError``, and ``Forbidden`` for a target that is not allowed.
    """
    if not _URL.fullmatch(url) or len(url) > LONGEST:
        raise InvalidFormatError("malformed_body", say("webhook.url"), "url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidFormatError("malformed_body", say("webhook.url"), "url") from None
    if not parts.hostname or not _HOST.fullmatch(parts.hostname) or port == 0:
        raise InvalidFormatError("malformed_body", say("webhook.url"), "url")
    if "@" in parts.netloc or "#" in url:
        raise InvalidFormatError("malformed_body", say("webhook.url_credentials"), "url")
    _check_target(parts.scheme, parts.hostname, allowed)
    return parts.scheme + url[len(parts.scheme) :]


def _check_target(scheme: str, host: str, allowed: Collection[Network]) -> None:
    plain = scheme == "http"
    if plain and not allowed:
        raise Forbidden(say("webhook.url_plain"), where="url")
    try:
        address = ip_address(host)
    except ValueError:
        return  # a name: its addresses are checked when it is resolved for sending
    if not may_go_to(address, allowed, plain=plain):
        raise Forbidden(say("delivery.address", detail=host), where="url")
