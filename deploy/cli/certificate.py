"""Command `kiebitz certificate`: https for a hall without internet, and the page from which phones fetch what they have to trust."""

import shlex
import socket
from datetime import datetime
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path

import click
import segno
from cryptography.hazmat.primitives.serialization import Encoding

from api.http.request import language as preferred_language
from deploy.cli.console import print_line, program
from deploy.config.failures import Failure, lang_option, say, sentence, system_problem
from deploy.http.listening_socket import list_network_hosts
from deploy.system.certificates import HOST_DAYS, Authority, create_authority, issue_certificate, key_bytes, list_forbidden, read_authority
from deploy.system.clock import now
from deploy.system.private import FOLDER, private_opener

_ALWAYS = ("localhost", "127.0.0.1")
AUTHORITY, AUTHORITY_KEY, HALL, HALL_KEY = "authority.crt", "authority.key", "hall.crt", "hall.key"


@click.command("certificate")
@click.argument("hosts", nargs=-1, metavar="[NAME-OR-ADDRESS…]")
@click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False), default=Path("hall-https"), show_default=True, help="Its files."
)
@click.option("--share", is_flag=True, help="Then show a page from which phones install the authority, until Ctrl-C.")
@click.option("--port", type=click.IntRange(0, 65535), default=8081, show_default=True, help="Port of that page; 0 for any free one.")
@lang_option
def certificate_command(hosts: tuple[str, ...], folder: Path, share: bool, port: int, language: str) -> None:
    """Make a certificate for https in a hall without internet, for this machine's names and addresses.

    The first call also makes an authority, which phones install once. It vouches for local names and private addresses alone. Later calls
    keep it, so that a new address needs no visit to the phones.

    \b Examples:
      kiebitz certificate
      kiebitz certificate kiebitz.local 192.168.8.2
      kiebitz certificate --share
    """
    try:
        folder.mkdir(mode=FOLDER, parents=True, exist_ok=True)
        names = list(dict.fromkeys([*map(_check_host, hosts), *_ALWAYS]) if hosts else _own_hosts())
        authority = _open_authority(folder, names, now())
        forbidden = list_forbidden(authority, names)
        if forbidden and hosts:
            raise Failure(say("authority_elsewhere", hosts=tuple(forbidden), folder=folder), say("authority_again"))
        names = [name for name in names if name not in forbidden]
        _write_certificate(folder, authority, names)
    except OSError as error:
        raise Failure(say("file_problem", file=error.filename or folder, problem=system_problem(error.errno))) from error
    print_line(sentence("certificate_made", language, hosts=tuple(names), days=HOST_DAYS))
    files = f"--tls-cert {shlex.quote(str(folder / HALL))} --tls-key {shlex.quote(str(folder / HALL_KEY))}"
    click.echo(f"  {program()} serve --host 0.0.0.0 --port 8443 {files}")
    click.echo(sentence("authority_shown", language, fingerprint=authority.fingerprint))
    if share:
        _share_authority(authority, port, language)
    else:
        click.echo(f"  {program()} certificate --share --folder {shlex.quote(str(folder))}")


def _own_hosts() -> list[str]:
    """Return the names and addresses of this machine."""
    name = socket.gethostname().partition(".")[0].lower()
    named = [f"{name}.local", name] if name.isascii() and name != "localhost" else []
    return [*named, *(host.strip("[]") for host in list_network_hosts("0.0.0.0")), *_ALWAYS]


def _check_host(host: str) -> str:
    """Return a name or address as certificates hold it. Raises ``Failure`` for what is neither."""
    try:
        return str(ip_address(host.strip("[]")))
    except ValueError:
        name = host.lower().rstrip(".")
        if name.isascii() and all(part and part.replace("-", "").isalnum() for part in name.split(".")):
            return name
        raise Failure(say("host_no_name", host=host), exit_code=2) from None


def _open_authority(folder: Path, hosts: list[str], at: datetime) -> Authority:
    """Return the authority of the folder; make one where there is none. Raises ``Failure`` for files that hold none."""
    certificate, key = folder / AUTHORITY, folder / AUTHORITY_KEY
    if not certificate.exists() and not key.exists():
        made = create_authority(hosts, at)
        _write(key, key_bytes(made.key))
        _write(certificate, made.certificate.public_bytes(Encoding.PEM))
    try:
        return read_authority(certificate, key)
    except ValueError as error:
        raise Failure(say("authority_unread", folder=folder), say("authority_again")) from error


def _write_certificate(folder: Path, authority: Authority, hosts: list[str]) -> None:
    chain, key = issue_certificate(authority, hosts, now())
    _write(folder / HALL_KEY, key)
    _write(folder / HALL, chain)


def _write(file: Path, content: bytes) -> None:
    with open(file, "wb", opener=private_opener) as opened:
        opened.write(content)


def _share_authority(authority: Authority, port: int, language: str) -> None:
    """Serve the page and the authority's certificate by plain http, which phones open without trusting anything, until Ctrl-C."""
    with AuthorityServer(authority, port) as server:
        hosts = list_network_hosts("0.0.0.0") or ("127.0.0.1",)
        address = f"http://{hosts[0]}:{server.server_port}/"
        click.echo(f"\n{sentence('authority_page', language, address=address)}\n")
        segno.make(address, micro=False).terminal(compact=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo()


class AuthorityServer(ThreadingHTTPServer):
    """Serves one page and one file to whoever asks; both are public."""

    daemon_threads = True

    def __init__(self, authority: Authority, port: int) -> None:
        super().__init__(("", port), AuthorityPage)
        self.authority = authority
        self.certificate = authority.certificate.public_bytes(Encoding.DER)


class AuthorityPage(BaseHTTPRequestHandler):
    """The page that says how a phone installs the certificate, in the language of its browser; and the certificate."""

    server: AuthorityServer  # pyrefly: ignore[bad-override-mutable-attribute]
    timeout = 10

    def do_GET(self) -> None:
        if self.path == f"/{AUTHORITY}":
            self._send_file("application/x-x509-ca-cert", self.server.certificate)
        elif self.path == "/":
            language = preferred_language(self.headers.get("Accept-Language", ""))
            self._send_file("text/html; charset=utf-8", render_page(self.server.authority, language).encode())
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Write no log: who fetched a public file is nobody's business."""

    def _send_file(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def render_page(authority: Authority, language: str) -> str:
    """Return the page as HTML; it needs no script and no other file."""
    title, fetch = (escape(sentence(key, language)) for key in ("authority_title", "authority_fetch"))
    steps = "".join(f"<p>{escape(sentence(key, language))}</p>" for key in ("authority_iphone", "authority_android", "authority_others"))
    proof = escape(sentence("authority_proof", language, fingerprint=authority.fingerprint))
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<style>:root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:1rem auto;padding:0 1rem}"
        "a{display:block;padding:.8rem;border:2px solid;border-radius:.5rem;text-align:center;font-weight:bold}"
        f"small{{overflow-wrap:anywhere}}</style><title>{title}</title><h1>{title}</h1>"
        f'<p><a href="/{AUTHORITY}">{fetch}</a></p>{steps}<p><small>{proof}</small></p></html>'
    )
