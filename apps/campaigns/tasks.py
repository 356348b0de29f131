"""The tasks that fill contact lists and ask for their numbers."""

from apps.campaigns.services.checking import check_due
from apps.campaigns.services.importing import import_due
from apps.common.workers import work_task

# Two threads: one large sheet does not keep others waiting, and a web server has its cores.
import_lists = work_task("campaigns.import_lists", import_due, threads=2, batch=1, rounds=100)
check_numbers = work_task("campaigns.check_numbers", check_due, threads=1, batch=4, rounds=100)
