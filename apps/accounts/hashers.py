"""How passwords are kept (rules/accounts §5)."""

import base64
import hmac
import mmap
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from _argon2_cffi_bindings import lib
from argon2 import Parameters
from argon2.low_level import core, error_to_str, ffi
from django.contrib.auth.hashers import Argon2PasswordHasher

CORES = os.cpu_count() or 1


class _Turns:
    """As many hashes at once as there are cores; their memory goes from one to the next.

    More of them take each other's memory out of the caches, which makes each dearer and none
    earlier. 19 MiB fetched anew for each are 4,900 page faults, a quarter of what a hash costs.
    When nobody waits any more the system has all of it back.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._turns = threading.BoundedSemaphore(CORES)
        self._lock = threading.Lock()
        self._present = 0
        self._kept: list[mmap.mmap] = []

    @contextmanager
    def memory(self) -> Iterator[mmap.mmap]:
        """Wait for a turn; lend its memory."""
        piece = None
        with self._lock:
            self._present += 1
        with self._turns:
            try:
                piece = self._taken()
                yield piece
            finally:
                with self._lock:
                    self._present -= 1
                    pieces = [piece, *self._kept] if piece else self._kept
                    self._kept, left = (pieces, []) if self._present >= CORES else ([], pieces)
                for each in left:
                    each.close()

    def _taken(self) -> mmap.mmap:
        with self._lock:
            if self._kept:
                return self._kept.pop()
        piece = mmap.mmap(-1, self._size)
        # A tenth of the faults, where the system has large pages.
        with suppress(AttributeError, OSError):
            piece.madvise(mmap.MADV_HUGEPAGE)
        return piece


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
        with _turns.memory():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether the password is the hash's, in turn."""
        decoded = self.decode(encoded)
        measures = self.params()
        measures.salt_len = decoded["params"].salt_len
        with _turns.memory() as memory:
            if decoded["params"] != measures:
                return bool(super().verify(password, encoded))
            salt = decoded["salt"].encode("latin1")
            found = _hashed(password.encode(), salt, measures, memory)
        return hmac.compare_digest(found, decoded["hash"].encode())


_turns = _Turns(PasswordHasher.memory_cost * 1024)


def _hashed(password: bytes, salt: bytes, measures: Parameters, memory: mmap.mmap) -> bytes:
    """Return a password's hash as it is written in an encoded one; worked out in `memory`.

    It is what `argon2.low_level.hash_secret` returns, which takes no memory from its caller.
    """
    with ffi.from_buffer("uint8_t[]", memory, require_writable=True) as held:

        def lend(place: Any, size: int) -> int:
            if size > len(memory):
                return int(lib.ARGON2_MEMORY_ALLOCATION_ERROR)
            place[0] = held
            return int(lib.ARGON2_OK)

        out = ffi.new("uint8_t[]", measures.hash_len)
        # They live as long as the context that points to them.
        secret, salted = ffi.new("uint8_t[]", password), ffi.new("uint8_t[]", salt)
        allocate = ffi.callback("allocate_fptr", lend)
        free = ffi.callback("deallocate_fptr", lambda place, size: None)
        context = ffi.new(
            "argon2_context *",
            {
                "out": out,
                "outlen": measures.hash_len,
                "pwd": secret,
                "pwdlen": len(password),
                "salt": salted,
                "saltlen": len(salt),
                "secret": ffi.NULL,
                "secretlen": 0,
                "ad": ffi.NULL,
                "adlen": 0,
                "t_cost": measures.time_cost,
                "m_cost": measures.memory_cost,
                "lanes": measures.parallelism,
                "threads": measures.parallelism,
                "version": measures.version,
                "allocate_cbk": allocate,
                "free_cbk": free,
                "flags": lib.ARGON2_DEFAULT_FLAGS,
            },
        )
        status = core(context, measures.type.value)
        if status != lib.ARGON2_OK:
            raise RuntimeError(f"Argon2: {error_to_str(status)}")
        return base64.b64encode(bytes(ffi.buffer(out))).rstrip(b"=")
