from io import StringIO
from unittest.mock import patch

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from apps.common.pending_migrations import is_up_to_date

pytestmark = pytest.mark.django_db

PLANNER = "django.core.management.commands.migrate.MigrationExecutor"


def test_a_database_that_is_up_to_date_is_left_alone() -> None:
    assert is_up_to_date("default")
    told = StringIO()
    with patch(PLANNER, side_effect=AssertionError("the migrations were loaded")):
        call_command("migrate", stdout=told)
        call_command("migrate", verbosity=0, stdout=told)
    assert told.getvalue() == "No migrations to apply.\n"


@pytest.mark.parametrize(
    ("app", "name"),
    [("tickets", "0001_version_1"), ("auth", "0001_initial"), ("simulator", "0001_version_1")],
)
def test_an_unrecorded_migration_is_pending(app: str, name: str) -> None:
    MigrationRecorder(connection).record_unapplied(app, name)
    assert not is_up_to_date("default")
    with (
        patch(PLANNER, side_effect=CommandError("It is planned")),
        pytest.raises(CommandError, match="planned"),
    ):
        call_command("migrate")


def test_other_ways_to_migrate_are_djangos() -> None:
    for options in ({"plan": True}, {"app_label": "auth"}, {"check_unapplied": True}):
        told = StringIO()
        call_command("migrate", stdout=told, **options)
        assert told.getvalue() != "No migrations to apply.\n"


def test_what_a_migration_that_was_cut_off_has_not_made_is_made() -> None:
    cut_off = Permission.objects.filter(codename="view_ticket", content_type__app_label="tickets")
    cut_off.get().delete()
    assert not is_up_to_date("default")
    call_command("migrate", verbosity=0)
    assert cut_off.exists()
    assert is_up_to_date("default")
