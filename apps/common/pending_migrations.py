"""Whether a database is up to date, without loading its migrations.

Django's `migrate` imports every migration, builds the models of all of them and compares; here the
names of the files are compared with the recorded names.
"""

from pathlib import Path

from django.apps import apps
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Permission
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder


def is_up_to_date(database: str) -> bool:
    """Tell whether `migrate` has applied every migration, and then ended.

    It makes the models' permissions last: where some are missing, it was cut off before.
    """
    applied = MigrationRecorder(connections[database]).applied_migrations()
    if not _names_on_disk() <= set(applied):
        return False
    made = Permission.objects.using(database).values_list(
        "content_type__app_label", "content_type__model", "codename"
    )
    return _permissions() <= set(made)


def _names_on_disk() -> set[tuple[str, str]]:
    return {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in (Path(app.path) / "migrations").glob("*.py")
        if file.stem[0] not in "_~"
    }


def _permissions() -> set[tuple[str, str, str]]:
    return {
        (options.app_label, options.model_name or "", codename)
        for options in (model._meta for model in apps.get_models())
        for codename in (
            *(get_permission_codename(action, options) for action in options.default_permissions),
            *(codename for codename, _ in options.permissions),
        )
    }
