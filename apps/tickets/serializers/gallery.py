"""Requests and responses of a contact's files."""

from typing import Any

from rest_framework import serializers

from apps.common.paging import MAX_PAGE_NUMBER
from apps.tickets.queries.contact_past import GALLERY_KINDS
from apps.tickets.serializers.messages import MessageSerializer


class KindsField(serializers.CharField):
    """Kinds of files, separated by commas; read as a list."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the kinds, each once; refuse one that the gallery does not show."""
        kinds = [kind for kind in super().to_internal_value(data).split(",") if kind]
        if not set(kinds) <= {str(kind) for kind in GALLERY_KINDS}:
            names = ", ".join(GALLERY_KINDS)
            raise serializers.ValidationError(f"Use {names}.")
        return sorted(set(kinds))


class GalleryQuerySerializer(serializers.Serializer[Any]):
    """Which files of a contact: `image`, `video`, `audio`, `application`, or several of them."""

    pageNumber = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE_NUMBER, source="page_number"
    )
    kind = KindsField(required=False, allow_blank=True, source="kinds")


class GalleryPageSerializer(serializers.Serializer[Any]):
    """A page of a contact's messages with files, newest first."""

    messages = MessageSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
