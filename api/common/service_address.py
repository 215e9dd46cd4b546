"""The service's own address (base URL), for printed codes, QR codes and walls."""

from api.http.addresses import is_local_host
from api.http.browsers.cookies import is_secure
from api.http.request import Request, address_of, header, services_of


def service_address(request: Request) -> str:
    """Return scheme, host and port; the first of ``service_addresses``."""
    return service_addresses(request)[0]


def service_addresses(request: Request) -> tuple[str, ...]:
    """Return the addresses by which the service may name itself to the caller, the best one first.

    That is the public URL where one is set, else the address that the browser used, from the Host header. A phone cannot open a loopback
    address. So a loopback address comes after the addresses of this machine in its networks. Those are shown to browsers on this machine
    only.
    """
    services, host = services_of(request), header(request, b"host")
    if services.public_url is not None:
        return (services.public_url,)
    scheme = "https" if is_secure(request) else "http"
    used = f"{scheme}://{host}"
    server = request.scope.get("server")  # from the socket: a forged Host header has no influence on it
    if server is None or not (is_local_host(host) and is_local_host(address_of(request))):
        return (used,)
    return (*(f"{scheme}://{one}:{server[1]}" for one in services.network_hosts()), used)


def is_local_only(address: str) -> bool:
    """Return whether other devices cannot open an address of the service."""
    return is_local_host(address.partition("://")[2])
