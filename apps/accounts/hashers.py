"""How passwords are kept (rules/accounts §5)."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id at OWASP's first measure: 19 MiB, two passes, one lane.

    Django's 100 MiB in eight lanes makes eight logins at once take 800 MiB and every core. A hash
    of other measures is verified all the same, and replaced when its owner signs in.
    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
    """

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1
