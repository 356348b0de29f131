"""Tasks of the desk."""

from apps.common.workers import work_task
from apps.desk.services.rehearsals.running import run_due as rehearse_due
from apps.desk.services.rules.working import run_due as run_rules_due
from apps.desk.services.running import run_due

# One thread is enough: a decision calls no external service, and two would meet the same people.
run = work_task("desk.run", run_due, threads=1, batch=100, rounds=250)
# One thread, so that what happens to a ticket runs in order; rules may have to ask Meta.
rules = work_task("desk.rules", run_rules_due, threads=1, batch=20, rounds=250)
# One thread: a rehearsal takes up to a minute, and nobody else's work shall wait for two of them.
rehearse = work_task("desk.rehearse", rehearse_due, threads=1, batch=1, rounds=10)
