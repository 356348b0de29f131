"""Announcements of the operator to all companies, and help videos."""

from typing import Any, Self

from django.db import models

from apps.common.media_rows import MediaRow
from apps.common.models import TimestampedModel
from apps.common.search import fold


class Priority(models.IntegerChoices):
    """How urgent an announcement is (rules/announcements §1)."""

    HIGH = 1, "Alta"
    MEDIUM = 2, "Média"
    LOW = 3, "Baixa"


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    """Announcements, which belong to no company."""

    def visible_to(self, user: Any) -> Self:
        """Keep the active announcements; the super user sees all."""
        return self if user.is_super else self.filter(is_active=True)


class Announcement(MediaRow, TimestampedModel):
    """A text of the operator with at most one picture; `is_active` is `status` on the wire."""

    title = models.CharField(max_length=200)
    text = models.TextField()
    priority = models.PositiveSmallIntegerField(choices=Priority.choices, default=Priority.LOW)
    is_active = models.BooleanField(default=True)
    search_text = models.TextField(editable=False)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="announcement_newest"),
        ]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = fold(f"{self.title} {self.text}")
        super().save(*args, **kwargs)


class Help(TimestampedModel):
    """A video that shows how to do something; it belongs to no company (rules/announcements §5).

    `video` is the code of YouTube or Vimeo, as `videos.video_code` returns it.
    """

    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    video = models.CharField(max_length=50)
    search_text = models.TextField(editable=False)

    class Meta:
        # In the order of creation: the first steps come first.
        ordering = ["id"]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.search_text = fold(f"{self.title} {self.description}")
        super().save(*args, **kwargs)
