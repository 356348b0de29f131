"""The wire shapes of announcements and helps."""

from typing import Any

from rest_framework import serializers

from apps.announcements.models import Announcement, Priority
from apps.announcements.videos import video_code
from apps.common.media import signed_path
from apps.common.serializers import BooleanField, RowSerializer, TextField, file_field, page_of

TITLE_LENGTH = 200
TEXT_LENGTH = 10_000
DESCRIPTION_LENGTH = 2_000
# The longest video address that may be pasted; only its code is stored.
ADDRESS_LENGTH = 2_000
REQUIRED = dict.fromkeys(("required", "blank", "null"), "Obrigatório")


class AnnouncementInputSerializer(serializers.Serializer[Any]):
    """An announcement to create or to change (rules/announcements §1).

    Older browsers resend the whole record; other fields are ignored.
    """

    title = serializers.CharField(
        max_length=TITLE_LENGTH,
        error_messages={
            **REQUIRED,
            "max_length": f"O título pode ter no máximo {TITLE_LENGTH} caracteres.",
        },
    )
    text = serializers.CharField(
        max_length=TEXT_LENGTH,
        error_messages={
            **REQUIRED,
            "max_length": f"O texto pode ter no máximo {TEXT_LENGTH} caracteres.",
        },
    )
    priority = serializers.ChoiceField(
        choices=Priority.choices,
        required=False,
        error_messages=dict.fromkeys(
            ("invalid_choice", "null"), "Escolha a prioridade: 1 alta, 2 média ou 3 baixa."
        ),
    )
    status = BooleanField(source="is_active", required=False)


class AnnouncementFileSerializer(serializers.Serializer[Any]):
    """A form with the picture of an announcement; `typeArch`, from older browsers, is ignored."""

    file = file_field()
    typeArch = serializers.CharField(required=False, allow_blank=True)


class AnnouncementSerializer(RowSerializer):
    """An announcement; its picture is streamed at `/api/public/{mediaPath}`."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField()
    priority = serializers.ChoiceField(choices=Priority.choices)
    status = serializers.BooleanField(source="is_active")
    mediaPath = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media_size", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_mediaPath(self, announcement: Announcement) -> str | None:
        path = announcement.media_path
        return signed_path(path) if path else None


AnnouncementPageSerializer = page_of("records", AnnouncementSerializer, "A page of announcements.")


class HelpInputSerializer(serializers.Serializer[Any]):
    """A help to create or to change (rules/announcements §5).

    `video` is a video's code, or its whole address at YouTube or Vimeo; only the code is stored.
    """

    title = serializers.CharField(
        max_length=TITLE_LENGTH,
        error_messages={
            **REQUIRED,
            "max_length": f"O título pode ter no máximo {TITLE_LENGTH} caracteres.",
        },
    )
    description = TextField(
        max_length=DESCRIPTION_LENGTH,
        error_messages={
            "max_length": f"A descrição pode ter no máximo {DESCRIPTION_LENGTH} caracteres."
        },
    )
    video = serializers.CharField(max_length=ADDRESS_LENGTH, error_messages={**REQUIRED})

    def validate_video(self, text: str) -> str:
        """Return the video's code; refuse a text that has none."""
        code = video_code(text)
        if code is None:
            raise serializers.ValidationError(
                "Cole o endereço de um vídeo do YouTube ou do Vimeo, ou só o código dele.", "video"
            )
        return code


class HelpSerializer(RowSerializer):
    """A help; `video` is a YouTube code, or a Vimeo number with or without `/` and its hash."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    video = serializers.CharField()
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


HelpPageSerializer = page_of("records", HelpSerializer, "A page of helps.")
