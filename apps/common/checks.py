"""Checks of the environment, with sentences for the operator."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured

from apps.common.direct import has_own_sessions
from apps.common.moves import JOURNAL

# What a worker takes before it has done anything.
IDLE_WORKER_MB, THREAD_MB = 200, 8
OWN_HOSTS = {"127.0.0.1", "localhost", "::1"}
# The tag of the checks of variables; all others are of the code.
ENVIRONMENT = "environment"


def _is_own_machine(address: str) -> bool:
    return urlsplit(address).hostname in OWN_HOSTS


@register(ENVIRONMENT)
def check_environment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse to start with an incomplete configuration, naming the variable to set."""
    messages: list[CheckMessage] = []
    if not settings.SECRET_KEY_IS_SET and not settings.DEBUG:
        messages.append(
            Error(
                "SECRET_KEY is not set.",
                hint="Set SECRET_KEY to a long random text.",
                id="balcao.E001",
            )
        )
    if settings.WAS_BEHIND_PROXY and not settings.TRUSTED_PROXIES:
        messages.append(
            Error(
                "BEHIND_PROXY no longer says which proxy is believed.",
                hint="Set TRUSTED_PROXIES to its address, 127.0.0.1 for one on this machine.",
                id="balcao.E005",
            )
        )
    if (settings.DATA_DIR / JOURNAL).exists():
        messages.append(
            Error(
                "A restore was cut off, and the data are in the middle of it.",
                hint="Give `manage.py restore` again: it takes back what was moved, and goes on.",
                id="balcao.E006",
            )
        )
    # Everybody who reaches the simulator can write as any customer, and the demo's passwords are
    # public.
    is_reached = settings.HOST not in OWN_HOSTS or not _is_own_machine(settings.PUBLIC_URL)
    if settings.SIMULATOR and not settings.DEBUG and is_reached:
        messages.append(
            Error(
                "The simulator must not run where others reach it.",
                hint="Unset SIMULATOR, or set DEBUG=1 on a machine that serves nobody.",
                id="balcao.E002",
            )
        )
    for name in ("META_APP_SECRET", "META_VERIFY_TOKEN"):
        if not getattr(settings, name) and not settings.SIMULATOR:
            messages.append(
                Error(
                    f"{name} is not set.",
                    hint=f"Set {name} to the value of your app at Meta.",
                    id=f"balcao.E00{3 if name == 'META_APP_SECRET' else 4}",
                )
            )
    least = IDLE_WORKER_MB + THREAD_MB * settings.WORKER_THREADS
    if 0 < settings.WORKER_MEMORY_MB < least:
        messages.append(
            Error(
                f"WORKER_MEMORY_MB is {settings.WORKER_MEMORY_MB}, with which no worker can work.",
                hint=f"Set WORKER_MEMORY_MB to {least} or more, or to 0 for no ceiling.",
                id="balcao.E009",
            )
        )
    return messages + _trial_faults() + _pix_faults()


def _trial_faults() -> list[CheckMessage]:
    if 1 <= settings.TRIAL_DAYS <= 365:
        return []
    return [
        Error(
            f"TRIAL_DAYS is {settings.TRIAL_DAYS}.",
            hint="Set TRIAL_DAYS to a number of days from 1 to 365.",
            id="balcao.E010",
        )
    ]


# The variables that each Pix provider needs.
PIX_NEEDS = {
    "efi": (
        "PIX_KEY",
        "PIX_WEBHOOK_SECRET",
        "EFI_CLIENT_ID",
        "EFI_CLIENT_SECRET",
        "EFI_CERTIFICATE",
    ),
    "asaas": ("PIX_KEY", "PIX_WEBHOOK_SECRET", "BILLING_ASAAS_TOKEN"),
    "manual": ("PIX_KEY", "PIX_NAME", "PIX_CITY"),
}
SHORTEST_SECRET = 32


def _pix_faults() -> list[CheckMessage]:
    provider = settings.PIX_PROVIDER
    missing = [name for name in PIX_NEEDS.get(provider, ()) if not getattr(settings, name)]
    faults: list[CheckMessage] = [
        Error(
            f"{name} is not set.",
            hint=f"Set {name}, without which PIX_PROVIDER={provider} can't charge.",
            id="balcao.E007",
        )
        for name in missing
    ]
    secret = settings.PIX_WEBHOOK_SECRET
    if secret and not (len(secret) >= SHORTEST_SECRET and secret.isascii() and secret.isalnum()):
        faults.append(
            Error(
                "PIX_WEBHOOK_SECRET is too short, or no letters and digits.",
                hint="Set PIX_WEBHOOK_SECRET to 32 random letters and digits or more.",
                id="balcao.E008",
            )
        )
    return faults


@register(ENVIRONMENT)
def check_pooler(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn of a pooler past which no way is known."""
    if has_own_sessions():
        return []
    return [
        Warning(
            "DATABASE_POOLED is set without DATABASE_DIRECT_URL: nothing can be backed up, and a"
            " restore does not see who runs on other machines.",
            hint="Set DATABASE_DIRECT_URL to PostgreSQL's own address.",
            id="balcao.W002",
        )
    ]


@register(Tags.security, deploy=True)
def check_proxy(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Warn if HTTPS ends at a proxy that is not in TRUSTED_PROXIES: our processes do not speak
    HTTPS.
    """
    if urlsplit(settings.PUBLIC_URL).scheme != "https" or settings.TRUSTED_PROXIES:
        return []
    return [
        Warning(
            "PUBLIC_URL is https, but TRUSTED_PROXIES names no proxy that ends it: every request"
            " counts as one without HTTPS, browsers are not told to insist on it (HSTS), and all"
            " people count as one address where failed logins are counted.",
            hint="Set TRUSTED_PROXIES to its address, 127.0.0.1 for one on this machine.",
            id="balcao.W001",
        )
    ]


def refuse_misconfiguration() -> None:
    """Run the checks for servers, which unlike commands do not run them by themselves.

    Raises ImproperlyConfigured with the variable to set.
    """
    faults = [f"{fault.msg} {fault.hint}" for fault in check_environment(None)]
    if faults:
        raise ImproperlyConfigured(" ".join(faults))
