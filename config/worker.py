"""One threaded Celery worker with beat inside: `python -m config.worker`, for the embedded mode.

Celery's own `-B` forks beat into a second process; a thread costs no memory. `--alone` says that no
other worker uses the database, so that the claims of an earlier one are freed at once.
"""

import sys

from config.celery import SignsOfLife, app


def main(*, is_alone: bool) -> None:
    """Work until SIGTERM."""
    from celery.beat import EmbeddedService
    from django.conf import settings

    if is_alone:  # no other worker reads them
        app.steps["worker"].discard(SignsOfLife)
    worker = app.Worker(
        pool="threads",
        concurrency=settings.WORKER_THREADS,
        loglevel=settings.LOG_LEVEL,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    if is_alone:
        from apps.common.heartbeat import begin_alone

        begin_alone()
    beat = EmbeddedService(
        app, thread=True, schedule_filename=str(settings.DATA_DIR / "celerybeat-schedule")
    )
    beat.daemon = True
    beat.start()
    worker.start()
    raise SystemExit(worker.exitcode)


if __name__ == "__main__":
    main(is_alone="--alone" in sys.argv[1:])
