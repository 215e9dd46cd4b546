"""Certificates for a hall without internet: a local certificate authority, and a certificate for the names and addresses of one machine.

Whoever trusts the authority trusts it for local names and private addresses alone (name constraints, RFC 5280, 4.2.1.10): who steals its
key cannot pass for a bank. Phones take certificates of a trusted authority for at most 825 days (Apple HT210176).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

Host = x509.DNSName | x509.IPAddress

AUTHORITY_DAYS, HOST_DAYS = 3650, 390
_EARLIER = timedelta(days=1)
"""Certificates are valid from a day before: clocks of phones without a network are wrong."""
_LOCAL_NAMES = ("local", "localhost", "lan", "home.arpa", "internal")
_PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "::1/128", "fc00::/7", "fe80::/10")
_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Kiebitz: authority of this hall")])


class Authority(Struct, frozen=True):
    """A certificate authority: its certificate, which phones trust, and its key."""

    certificate: x509.Certificate
    key: EllipticCurvePrivateKey

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate, as phones show it."""
        return self.certificate.fingerprint(SHA256()).hex(":").upper()


def create_authority(hosts: Iterable[str], at: datetime) -> Authority:
    """Create an authority for local names, private addresses and these hosts."""
    key = generate_private_key(SECP256R1())
    local = (x509.DNSName(name) for name in _LOCAL_NAMES)
    private = (x509.IPAddress(ip_network(one)) for one in _PRIVATE)
    permitted = [*local, *private, *(_build_constraint(one) for one in hosts if not is_permitted(one))]
    certificate = (
        _begin(_NAME, key, at, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .sign(key, SHA256())
    )
    return Authority(certificate, key)


def read_authority(certificate: Path, key: Path) -> Authority:
    """Read an authority from its files. Raises ``ValueError`` for files that hold none, and ``OSError``."""
    held = load_pem_private_key(key.read_bytes(), None)
    if not isinstance(held, EllipticCurvePrivateKey):
        raise ValueError("not a key of an authority that was made here")
    return Authority(x509.load_pem_x509_certificate(certificate.read_bytes()), held)


def issue_certificate(authority: Authority, hosts: Sequence[str], at: datetime) -> tuple[bytes, bytes]:
    """Issue a certificate for these names and addresses; return it with that of the authority, and its key, as PEM."""
    key = generate_private_key(SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, hosts[0][:64])])
    issuer = authority.certificate.public_key()
    certificate = (
        _begin(subject, key, at, HOST_DAYS)
        .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)  # pyrefly: ignore[bad-argument-type]
        .sign(authority.key, SHA256())
    )
    chain = certificate.public_bytes(Encoding.PEM) + authority.certificate.public_bytes(Encoding.PEM)
    return chain, key_bytes(key)


def key_bytes(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def list_forbidden(authority: Authority, hosts: Iterable[str]) -> list[str]:
    """Return the hosts for which nobody would trust this authority."""
    found = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees or []
    own = {one.value for one in found}
    return [host for host in hosts if not is_permitted(host) and _build_constraint(host).value not in own]


def is_permitted(host: str) -> bool:
    """Return whether the host has a local name or a private address."""
    address = _address(host)
    if address is None:
        return any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
    return any(address in ip_network(one) for one in _PRIVATE)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _general_name(host: str) -> Host:
    """Return a name or an address as a certificate names it. Raises ``ValueError`` for a name outside ASCII."""
    address = _address(host)
    return x509.DNSName(host) if address is None else x509.IPAddress(address)


def _build_constraint(host: str) -> Host:
    address = _address(host)
    return x509.DNSName(host) if address is None else x509.IPAddress(ip_network(address))


def _begin(subject: x509.Name, key: EllipticCurvePrivateKey, at: datetime, days: int) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(_NAME)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - _EARLIER)
        .not_valid_after(at + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
