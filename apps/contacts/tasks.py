"""The tasks that fetch profile pictures and import files of contacts."""

from apps.common.workers import work_task
from apps.contacts.services.file_importing import import_due
from apps.contacts.services.pictures import fetch_due

# One thread: pictures are not urgent, and WhatsApp answers only few such requests at once.
fetch_pictures = work_task("contacts.fetch_pictures", fetch_due, threads=1, batch=4, rounds=250)
# Two threads: a large file does not block other companies, and cores stay free for the web server.
import_files = work_task("contacts.import_files", import_due, threads=2, batch=1, rounds=100)
