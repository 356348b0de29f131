from django.apps import AppConfig


class CommonConfig(AppConfig):
    name = "apps.common"

    def ready(self) -> None:
        from django.core.signals import request_started
        from django.db.backends.base.base import BaseDatabaseWrapper

        from apps.common import checks  # noqa: F401  registers the system checks
        from apps.common.database_connections import close_ended_connections

        request_started.connect(close_ended_connections)

        # With DEBUG Django keeps the last 9000 queries of every thread, and a worker never clears
        # them.
        BaseDatabaseWrapper.queries_limit = 200
