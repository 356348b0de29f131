"""Hashing of passwords (rules/accounts §5)."""

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
    """Limits concurrent hashes to the number of cores, and reuses their memory.

    More hashes at once would evict each other's memory from the CPU caches: each would take longer,
    and none would end earlier. Allocating 19 MiB for each hash costs 4,900 page faults, a quarter
    of its time. The memory is returned to the system when fewer hashes run or wait than there are
    cores.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._turns = threading.BoundedSemaphore(CORES)
        self._lock = threading.Lock()
        self._present = 0
        self._kept: list[mmap.mmap] = []

    @contextmanager
    def memory(self) -> Iterator[mmap.mmap]:
        """Wait until a hash may run, and lend it a block of memory."""
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
        # Huge pages, where the system has them, reduce the page faults to a tenth.
        with suppress(AttributeError, OSError):
            piece.madvise(mmap.MADV_HUGEPAGE)
        return piece


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters: 19 MiB, two passes, one lane.

    With Django's parameters (100 MiB, eight lanes), eight logins at once take 800 MiB and every
    core. A hash with other parameters is still verified, and replaced when its owner signs in.
    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
    """

    memory_cost = 19 * 1024
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with _turns.memory():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether the password matches the hash."""
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
    """Return a password's hash in base64, without padding, computed in `memory`.

    It equals the hash part of what `argon2.low_level.hash_secret` returns; that function can't use
    the caller's memory.
    """
    with ffi.from_buffer("uint8_t[]", memory, require_writable=True) as held:

        def lend(place: Any, size: int) -> int:
            if size > len(memory):
                return int(lib.ARGON2_MEMORY_ALLOCATION_ERROR)
            place[0] = held
            return int(lib.ARGON2_OK)

        out = ffi.new("uint8_t[]", measures.hash_len)
        # These references keep the buffers alive, to which the context points.
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
