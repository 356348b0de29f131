"""The tasks that fill contact lists, ask for their numbers and send campaigns."""

from apps.campaigns.services.checking import check_due
from apps.campaigns.services.importing import import_due
from apps.campaigns.services.sending import send_due
from apps.common.workers import work_task

# Two threads: one large sheet does not keep others waiting, and a web server has its cores.
import_lists = work_task("campaigns.import_lists", import_due, threads=2, batch=1, rounds=100)
check_numbers = work_task("campaigns.check_numbers", check_due, threads=1, batch=4, rounds=100)
# One thread: it only writes rows, the outbox does what takes time.
send = work_task("campaigns.send", send_due, threads=1, batch=20, rounds=100)
