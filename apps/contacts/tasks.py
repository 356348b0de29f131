"""The task that looks at what contacts show of themselves."""

from apps.common.workers import work_task
from apps.contacts.services.pictures import fetch_due

# One at a time: nothing waits for it, and WhatsApp answers few such questions at once.
fetch_pictures = work_task("contacts.fetch_pictures", fetch_due, threads=1, batch=4, rounds=250)
