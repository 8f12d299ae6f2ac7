"""A certificate for tests, made here: not every machine has the `openssl` command."""

from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


def make_certificate(folder: Path, passphrase: bytes = b"", names: tuple[str, ...] = ()) -> None:
    """Write cert.pem, a certificate of localhost and more *names*, signed with its own key, and that key as key.pem."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(datetime(2020, 1, 1, tzinfo=UTC)).not_valid_after(datetime(2120, 1, 1, tzinfo=UTC))
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    if names:
        made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(each) for each in names]), critical=False)
    (folder / "cert.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    sealed = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, sealed))
