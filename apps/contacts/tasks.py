"""The tasks that look at what contacts show of themselves, and read files of contacts."""

from apps.common.workers import work_task
from apps.contacts.services.file_importing import import_due
from apps.contacts.services.pictures import fetch_due

# One at a time: nothing waits for it, and WhatsApp answers few such questions at once.
fetch_pictures = work_task("contacts.fetch_pictures", fetch_due, threads=1, batch=4, rounds=250)
# Two threads: one large file does not keep other companies waiting, and a web server has its cores.
import_files = work_task("contacts.import_files", import_due, threads=2, batch=1, rounds=100)
