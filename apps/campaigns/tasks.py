"""The tasks that import contact lists, check their numbers and send campaigns."""

from apps.campaigns.services.checking import check_due
from apps.campaigns.services.importing import import_due
from apps.campaigns.services.sending import send_due
from apps.common.workers import work_task

# Two threads: one large spreadsheet does not block others, and the web server keeps its cores.
import_lists = work_task("campaigns.import_lists", import_due, threads=2, batch=1, rounds=100)
check_numbers = work_task("campaigns.check_numbers", check_due, threads=1, batch=4, rounds=100)
# One thread is enough: this task only writes rows, the outbox makes the slow requests.
send = work_task("campaigns.send", send_due, threads=1, batch=20, rounds=100)
