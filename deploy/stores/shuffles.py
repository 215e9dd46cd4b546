"""The SQL of the register of secrets, once for both databases."""

from deploy.stores.statements import Statements

_KEEP = "INSERT INTO shuffle_secrets (commitment, secret, kept_at) VALUES (?, ?, ?)"
_FIND = "SELECT secret FROM shuffle_secrets WHERE commitment = ?"


class ShufflesSql(Statements):
    """As ``Registers`` wants it."""

    def keep_secret(self, commitment: str, secret: bytes, at: str) -> None:
        self.change(_KEEP, (commitment, secret.hex(), at))

    def find_secret(self, commitment: str) -> bytes | None:
        return next((bytes.fromhex(secret) for (secret,) in self.query(_FIND, (commitment,))), None)
