from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from apps.common.checks import refuse_misconfiguration


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SECRET_KEY_IS_SET": False}, "SECRET_KEY"),
        ({"SIMULATOR": True, "PUBLIC_URL": "https://balcao.example.com"}, "simulator"),
        ({"SIMULATOR": False, "META_APP_SECRET": ""}, "META_APP_SECRET"),
        ({"SIMULATOR": False, "META_VERIFY_TOKEN": ""}, "META_VERIFY_TOKEN"),
    ],
)
def test_a_server_does_not_start_half_configured(
    settings: Any, changes: dict[str, Any], words: str
) -> None:
    settings.DEBUG = False
    settings.SIMULATOR = False
    refuse_misconfiguration()
    for name, value in changes.items():
        setattr(settings, name, value)
    with pytest.raises(ImproperlyConfigured, match=words):
        refuse_misconfiguration()


def test_the_simulator_runs_on_ones_own_machine_without_debug(settings: Any) -> None:
    settings.DEBUG, settings.SIMULATOR = False, True
    settings.PUBLIC_URL = "http://127.0.0.1:8000"
    refuse_misconfiguration()
