"""Decrypts votes on polls; the secret is in the poll's message.

As Baileys' `decryptPollVote`: the key is derived from the secret, the poll's id and both people;
the vote is the SHA-256 of each chosen option, encrypted with AES-GCM. If people have a number and a
LID, either may have been used, so all combinations are tried.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

DIGEST_LENGTH = 32
# The most that a phone's clock may be ahead of ours.
AHEAD = timedelta(days=1)
# Two people with two addresses each.
MOST_ADDRESSES = 4


def chosen_options(
    vote: str, *, secret: str, poll_id: str, options: Sequence[str]
) -> list[int] | None:
    """Return the positions of the chosen options, empty for a withdrawn vote.

    None if this secret does not decrypt it.
    """
    told = _told(vote)
    payload, iv, key = (_bytes(each) for each in (told.get("payload"), told.get("iv"), secret))
    if not (payload and iv and key):
        return None
    pairs = product(_addresses(told.get("creators")), _addresses(told.get("voters")))
    for creator, voter in pairs:
        try:
            opened = AESGCM(_vote_key(key, poll_id, creator, voter)).decrypt(
                iv, payload, f"{poll_id}\0{voter}".encode()
            )
        except (InvalidTag, ValueError):
            continue
        chosen = set(_digests(opened))
        return [
            place
            for place, option in enumerate(options)
            if hashlib.sha256(option.encode()).digest() in chosen
        ]
    return None


def voted_at(vote: str, *, otherwise: datetime) -> datetime:
    """Return the time of a vote by the phone's clock; `otherwise` if it is implausible."""
    at = _told(vote).get("at")
    if type(at) is not int or at <= 0:
        return otherwise
    try:
        moment = datetime.fromtimestamp(at / 1000, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return otherwise
    return moment if moment <= datetime.now(tz=UTC) + AHEAD else otherwise


def _told(vote: str) -> dict[str, Any]:
    try:
        found = orjson.loads(vote)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(value, validate=True) if isinstance(value, str) else b""
    except ValueError:
        return b""


def _addresses(value: Any) -> list[str]:
    told = value if isinstance(value, list) else []
    return [each for each in told if isinstance(each, str) and each][:MOST_ADDRESSES]


def _vote_key(secret: bytes, poll_id: str, creator: str, voter: str) -> bytes:
    extracted = hmac.digest(bytes(DIGEST_LENGTH), secret, "sha256")
    info = f"{poll_id}{creator}{voter}Poll Vote".encode() + b"\x01"
    return hmac.digest(extracted, info, "sha256")


def _digests(opened: bytes) -> Iterator[bytes]:
    """Read `PollVoteMessage {repeated bytes selectedOptions = 1}`; other fields end it."""
    head = bytes([0x0A, DIGEST_LENGTH])
    place = 0
    while opened[place : place + 2] == head:
        yield opened[place + 2 : place + 2 + DIGEST_LENGTH]
        place += 2 + DIGEST_LENGTH
