"""How passwords are kept (rules/accounts §5)."""

import os
import threading

from django.contrib.auth.hashers import Argon2PasswordHasher

# As many at once as there are cores: more of them take each other's memory out of the caches, which
# makes each dearer and none earlier, and the process keeps what the most at once have taken.
_turns = threading.BoundedSemaphore(os.cpu_count() or 1)


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id at OWASP's first measure: 19 MiB, two passes, one lane.

    Django's 100 MiB in eight lanes makes eight logins at once take 800 MiB and every core. A hash
    of other measures is verified all the same, and replaced when its owner signs in.
    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
    """

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return a new hash, in turn."""
        with _turns:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether the password is the hash's, in turn."""
        with _turns:
            return super().verify(password, encoded)
