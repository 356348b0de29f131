"""Every name that a service, a sweep or beat wakes is a task."""

import re
from pathlib import Path

import pytest
from celery import current_app
from django.conf import settings

from apps.common.leases import leased_models

pytestmark = pytest.mark.sources

APPS = Path(__file__).resolve().parent.parent / "apps"


def woken() -> set[str]:
    names: set[str] = set()
    for path in APPS.glob("*/services/**/*.py"):
        names |= set(re.findall(r'\bwake\(\s*"([\w.]+)"', path.read_text()))
    return names


def test_what_is_woken_is_a_task_and_swept() -> None:
    current_app.loader.import_default_modules()
    swept = {model.wakes for model in leased_models()}
    timed = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"tickets.deliver", "inbound.process", "schedules.send"} <= woken()
    assert woken() <= set(current_app.tasks)
    assert woken() <= swept
    assert swept | timed <= set(current_app.tasks)
