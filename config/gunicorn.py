"""gunicorn for HTTP in production: `gunicorn -c config/gunicorn.py config.wsgi`.

One process of eight threads; more of them on more cores with WEB_PROCESSES.
"""

import os
from typing import Any

bind = os.environ.get("WEB_BIND") or "127.0.0.1:8000"
worker_class = "gthread"
workers = int(os.environ.get("WEB_PROCESSES") or 1)
threads = int(os.environ.get("WEB_THREADS") or 8)
timeout = 60
graceful_timeout = 30
keepalive = 65  # longer than the proxy keeps its own side open
# A tmpfs, or a slow disk makes the heartbeat of the processes late.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108, PTH112
# One trusted hop: whoever binds more than loopback puts a proxy in front.
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS") or "127.0.0.1"
accesslog = None
errorlog = "-"


def child_exit(server: Any, worker: Any) -> None:
    """Forget the gauges of a process that ended, where several share their metrics."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
