"""Wrong passwords are counted by address, by account and by known browser (rules/accounts §5)."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.known_browsers import COOKIE, email_digest, read_known_browser
from apps.accounts.services.sessions import InvalidCredentials
from apps.accounts.services.two_factor import SecondFactorMissing
from apps.common.attempts import Attempts
from apps.common.callers import client_address, network_of

FREE_FOR_ADDRESS = 50
FREE_FOR_ACCOUNT = 10
FREE_FOR_BROWSER = 10
FREE_SIGNUPS = 10
FREE_RESETS = 5
FREE_RESETS_FOR_ADDRESS = 20


def address_name(request: Request | HttpRequest) -> str:
    """Return the name under which an address is counted, empty where it is unknown.

    Whoever has one address of IPv6 has all of its network's.
    """
    address = client_address(request)
    return network_of(address) if address else ""


def _counts(request: Request | HttpRequest, email: str) -> list[Attempts]:
    """Return where a try at an account counts; its own last.

    A browser in which the account has signed in before counts for itself alone: whatever strangers
    try, and from wherever, its owner gets in.
    """
    browser = read_known_browser(request.COOKIES.get(COOKIE, ""))
    digest = email_digest(email)
    if browser.knows(email):
        return [Attempts(f"login-browser:{browser.name}:{digest}", free=FREE_FOR_BROWSER)]
    account = Attempts(f"login-account:{digest}", free=FREE_FOR_ACCOUNT)
    address = address_name(request)
    if not address:
        return [account]
    return [Attempts(f"login-address:{address}", free=FREE_FOR_ADDRESS), account]


@contextmanager
def counted_login(request: Request | HttpRequest, email: str) -> Iterator[None]:
    """Count the login inside when its credentials are wrong; raises TooManyAttempts.

    A right password without the second factor counts too: it is how codes would be guessed.

    Good credentials clear the account's count, or the browser's, but never the address's: a guesser
    may well have one good account.
    """
    begun: list[Attempts] = []
    try:
        for attempts in _counts(request, email):
            attempts.begin()
            begun.append(attempts)
        yield
    except (InvalidCredentials, SecondFactorMissing):
        raise
    except Exception:
        for attempts in begun:
            attempts.forgive()
        raise
    *others, own = begun
    own.forget()
    for attempts in others:
        attempts.forgive()


def count_unknown_token(request: Request) -> None:
    """Count a program's unknown token for its address (rules/messages-api §2)."""
    Attempts(f"wrong-token:{address_name(request)}", free=FREE_FOR_ADDRESS).begin()


def count_signup(request: Request) -> None:
    """Count a try to open a company for its address, successful or not; raises TooManyAttempts."""
    Attempts(f"signup:{address_name(request)}", free=FREE_SIGNUPS).begin()


def count_reset(request: Request, email: str) -> None:
    """Count that a code is asked for, whether or not the address has an account.

    In a browser where the account has signed in its owner asks, whatever strangers did before.
    Raises TooManyAttempts.
    """
    browser = read_known_browser(request.COOKIES.get(COOKIE, ""))
    digest = email_digest(email)
    if browser.knows(email):
        Attempts(f"reset-browser:{browser.name}:{digest}", free=FREE_RESETS).begin()
        return
    Attempts(f"reset-address:{address_name(request)}", free=FREE_RESETS_FOR_ADDRESS).begin()
    Attempts(f"reset-account:{digest}", free=FREE_RESETS).begin()


@contextmanager
def counted_code(request: Request) -> Iterator[None]:
    """Count the code inside for its address when it is wrong; raises TooManyAttempts.

    Those of an account are counted beside the code (`services.password_reset`).
    """
    attempts = Attempts(f"reset-code:{address_name(request)}", free=FREE_FOR_ADDRESS)
    attempts.begin()
    yield
    attempts.forgive()


def forget_wrong_passwords(request: Request, email: str) -> None:
    """Begin the account's count of wrong passwords anew: its owner has another one now."""
    browser, digest = read_known_browser(request.COOKIES.get(COOKIE, "")), email_digest(email)
    names = (f"login-account:{digest}", f"login-browser:{browser.name}:{digest}")
    for name in names:
        Attempts(name, free=FREE_FOR_ACCOUNT).forget()
