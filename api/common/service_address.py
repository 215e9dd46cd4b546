"""The address by which the service names itself: on printed codes, their QR codes and walls."""

from api.http.addresses import is_loopback
from api.http.browsers.cookies import is_secure
from api.http.request import Request, address_of, header, services_of


def service_address(request: Request) -> str:
    """Return scheme, host and port; the first of ``service_addresses``."""
    return service_addresses(request)[0]


def service_addresses(request: Request) -> tuple[str, ...]:
    """Return the addresses by which the service may name itself to the caller, the best one first.

    That is the public URL where one is set; else the one that the browser used, as it says itself. A phone cannot open a loopback address,
    so before that come those at which this machine is reached in its networks. They are told to browsers of this machine alone.
    """
    services, host = services_of(request), header(request, b"host")
    if services.public_url is not None:
        return (services.public_url,)
    scheme = "https" if is_secure(request) else "http"
    used = f"{scheme}://{host}"
    server = request.scope.get("server")  # that of the socket: a Host that a caller made up has no say in it
    if server is None or not (is_loopback(host) and is_loopback(address_of(request))):
        return (used,)
    return (*(f"{scheme}://{one}:{server[1]}" for one in services.network_hosts()), used)


def is_only_here(address: str) -> bool:
    """Whether other devices cannot open an address of the service."""
    return is_loopback(address.partition("://")[2])
