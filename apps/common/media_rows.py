from django.db import models

from apps.common.media import MIME_LENGTH, StoredMedia


class MediaRow(models.Model):
    """A row with at most one file in the private store; an empty path means none."""

    media_path = models.CharField(max_length=300, blank=True)
    media_name = models.CharField(max_length=255, blank=True)
    media_mime = models.CharField(max_length=MIME_LENGTH, blank=True)
    media_size = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def media(self) -> StoredMedia | None:
        """The file, where there is one."""
        if not self.media_path:
            return None
        return StoredMedia(self.media_path, self.media_name, self.media_mime, self.media_size or 0)

    def put_media(self, media: StoredMedia | None) -> None:
        """Take this file in the place of the one there was, or none; the caller saves the row."""
        self.media_path, self.media_name = (media.path, media.name) if media else ("", "")
        self.media_mime, self.media_size = (media.mime, media.size) if media else ("", None)
