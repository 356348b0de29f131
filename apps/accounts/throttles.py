"""Rate limits of sign-in, sign-up and password reset, by address, account and known browser
(rules/accounts §5).
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

from apps.accounts.known_browsers import COOKIE, email_digest, read_known_browser
from apps.accounts.services.sessions import InvalidCredentials
from apps.accounts.services.two_factor import SecondFactorMissing
from apps.common.attempts import Attempts, TooManyAttempts, wait_after
from apps.common.callers import client_address, network_of

FREE_FOR_ADDRESS = 50
FREE_FOR_ACCOUNT = 10
FREE_FOR_BROWSER = 10
FREE_SIGNUPS = 10
FREE_RESETS = 5
FREE_RESETS_FOR_ADDRESS = 20


def address_name(request: Request | HttpRequest) -> str:
    """Return the name under which attempts of an IP address are counted; '' where it is unknown.

    IPv6 addresses are counted by network, since one client can use all addresses of its network.
    """
    address = client_address(request)
    return network_of(address) if address else ""


def _counts(request: Request | HttpRequest, email: str) -> list[Attempts]:
    """Return the counters of a login attempt; the account's or browser's counter is the last.

    A browser in which the account has signed in before has only its own counter, so that attempts
    of strangers can't lock the owner out.
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
    """Count the enclosed login if its credentials are wrong; raises TooManyAttempts.

    A right password without the second factor counts too, since codes could be guessed otherwise.
    Right credentials reset the account's or browser's counter, but not the address's: an attacker
    may own one valid account.
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
    """Count an unknown API token for the caller's address (rules/messages-api §2)."""
    Attempts(f"wrong-token:{address_name(request)}", free=FREE_FOR_ADDRESS).begin()


def count_service_call(token_id: int) -> None:
    """Count a call with a service token (rules/accounts §12); raises TooManyAttempts."""
    wait = wait_after(f"service-calls:{token_id}", most=settings.SERVICE_CALLS_PER_MINUTE)
    if wait:
        raise TooManyAttempts(math.ceil(wait))


def count_signup(request: Request) -> None:
    """Count a sign-up for the caller's address, successful or not; raises TooManyAttempts."""
    Attempts(f"signup:{address_name(request)}", free=FREE_SIGNUPS).begin()


def count_reset(request: Request, email: str) -> None:
    """Count a request for a reset code, whether or not the e-mail has an account.

    A browser in which the account has signed in has its own counter, so that requests of strangers
    can't block the owner. Raises TooManyAttempts.
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
    """Count the enclosed code for the caller's address if it is wrong; raises TooManyAttempts.

    The attempts on one account are counted in the `PasswordReset` row (`services.password_reset`).
    """
    attempts = Attempts(f"reset-code:{address_name(request)}", free=FREE_FOR_ADDRESS)
    attempts.begin()
    yield
    attempts.forgive()


def forget_wrong_passwords(request: Request, email: str) -> None:
    """Reset the account's counters of wrong passwords after its password was reset."""
    browser, digest = read_known_browser(request.COOKIES.get(COOKIE, "")), email_digest(email)
    names = (f"login-account:{digest}", f"login-browser:{browser.name}:{digest}")
    for name in names:
        Attempts(name, free=FREE_FOR_ACCOUNT).forget()
