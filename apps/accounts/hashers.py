"""Hashing of passwords (rules/accounts §5)."""

import os
import threading

import bcrypt
from django.contrib.auth.hashers import Argon2PasswordHasher, BCryptPasswordHasher

# More hashes at once would evict each other's memory from the CPU caches: each would take longer,
# and none would end earlier.
_turns = threading.BoundedSemaphore(os.cpu_count() or 1)


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 7 MiB, five passes, one lane.

    Of the sets that OWASP names as equally strong this one takes the least time, because it stays
    in a processor's cache.

    With Django's parameters (100 MiB, eight lanes), eight logins at once take 800 MiB and every
    core. A hash with other parameters is still verified, and replaced when its owner signs in.
    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
    """

    memory_cost = 7 * 1024
    time_cost = 5
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turns:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether the password matches the hash."""
        with _turns:
            return super().verify(password, encoded)


class OlderPasswordHasher(BCryptPasswordHasher):
    """The bcrypt hashes of older products, `bcrypt$` and `$2a$08$…` (rules/accounts §5).

    Those products cut passwords off at 72 bytes, which the library refuses to do.
    """

    longest = 72

    def encode(self, password: str, salt: bytes | str) -> str:
        salt = salt.encode() if isinstance(salt, str) else salt
        with _turns:
            hashed = bcrypt.hashpw(password.encode()[: self.longest], salt)
        return f"{self.algorithm}${hashed.decode()}"
