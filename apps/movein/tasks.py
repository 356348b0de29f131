"""The task that writes companies' archives."""

from apps.common.workers import work_task
from apps.movein.services.archives import write_due

# One thread: an archive takes minutes, and nobody else's work shall wait for it.
write_archives = work_task("movein.write_archives", write_due, threads=1, batch=1, rounds=10)
