"""The Celery application: it only wakes workers, the database is the record of the work."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("balcao")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
