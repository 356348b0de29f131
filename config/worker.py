"""One Celery worker of threads with beat inside: `python -m config.worker`, for the embedded mode.

Celery's own `-B` forks beat into a second process; a thread costs no memory.
"""

from config.celery import app


def main() -> None:
    """Work until SIGTERM."""
    from celery.beat import EmbeddedService
    from django.conf import settings

    worker = app.Worker(
        pool="threads",
        concurrency=settings.WORKER_THREADS,
        loglevel=settings.LOG_LEVEL,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
    )
    beat = EmbeddedService(
        app, thread=True, schedule_filename=str(settings.DATA_DIR / "celerybeat-schedule")
    )
    beat.daemon = True
    beat.start()
    worker.start()
    raise SystemExit(worker.exitcode)


if __name__ == "__main__":
    main()
