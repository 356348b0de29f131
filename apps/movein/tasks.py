"""The tasks that write companies' archives, and that run the imports of the Django admin."""

from apps.common.workers import work_task
from apps.movein.services.archives import write_due
from apps.movein.services.jobs import run_due

# One thread: an archive takes minutes, and nobody else's work shall wait for it.
write_archives = work_task("movein.write_archives", write_due, threads=1, batch=1, rounds=10)
run_imports = work_task("movein.run_imports", run_due, threads=1, batch=1, rounds=10)
