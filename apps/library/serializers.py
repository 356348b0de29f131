"""The wire shapes of quick messages."""

from typing import Any

from rest_framework import serializers

from apps.common.media import media_url
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import BooleanField, TextField
from apps.library.models import QuickMessage

SHORTCODE_LENGTH = 50
MESSAGE_LENGTH = 4096


class QuickMessageInputSerializer(serializers.Serializer[Any]):
    """A quick message to create, or what to change of one (rules/library §1).

    Older browsers resend the whole record; what is not named here counts for nothing.
    """

    shortcode = serializers.CharField(
        max_length=SHORTCODE_LENGTH,
        error_messages={
            "required": "Informe o atalho.",
            "blank": "Informe o atalho.",
            "null": "Informe o atalho.",
            "max_length": f"O atalho pode ter no máximo {SHORTCODE_LENGTH} caracteres.",
        },
    )
    message = TextField(
        max_length=MESSAGE_LENGTH,
        error_messages={
            "max_length": f"A mensagem pode ter no máximo {MESSAGE_LENGTH} caracteres."
        },
    )
    geral = BooleanField(source="is_shared", required=False)
    status = BooleanField(source="is_active", required=False)

    def validate_shortcode(self, shortcode: str) -> str:
        """Take '/troca' for 'troca': the slash is how one calls it, not its name."""
        plain = " ".join(shortcode.lstrip("/").split())
        if not plain:
            raise serializers.ValidationError("Informe o atalho.", "blank")
        return plain


class QuickMessageFileSerializer(serializers.Serializer[Any]):
    """A file for a quick message. `typeArch` comes from older browsers and says nothing."""

    file = serializers.FileField(
        max_length=1000,
        allow_empty_file=True,
        error_messages={
            "required": "Anexe um arquivo.",
            "null": "Anexe um arquivo.",
            "invalid": "Anexe um arquivo.",
        },
    )
    typeArch = serializers.CharField(required=False, allow_blank=True)


class QuickMessageListQuerySerializer(serializers.Serializer[Any]):
    """The query of a list, for the schema; `userId` and `companyId` are always the caller's."""

    searchParam = serializers.CharField(required=False, allow_blank=True)
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    userId = serializers.CharField(required=False, allow_blank=True)
    companyId = serializers.CharField(required=False, allow_blank=True)


class QuickMessageSerializer(serializers.Serializer[Any]):
    """A quick message. `mediaPath` is the whole, signed address: older browsers fetch it so."""

    id = serializers.IntegerField()
    shortcode = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    geral = serializers.BooleanField()
    status = serializers.BooleanField()
    mediaPath = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(allow_null=True)
    mediaMime = serializers.CharField(allow_null=True)
    mediaSize = serializers.IntegerField(allow_null=True)
    isMedia = serializers.BooleanField()
    userId = serializers.IntegerField(allow_null=True)
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class QuickMessagePageSerializer(serializers.Serializer[Any]):
    """A page of quick messages."""

    records = QuickMessageSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


def quick_message_row(quick: QuickMessage) -> dict[str, Any]:
    """Return a quick message in the shape of `QuickMessageSerializer`."""
    has_media = bool(quick.media_path)
    return {
        "id": quick.pk,
        "shortcode": quick.shortcode,
        "message": quick.message,
        "geral": quick.is_shared,
        "status": quick.is_active,
        "mediaPath": media_url(quick.media_path) or None,
        "mediaName": quick.media_name if has_media else None,
        "mediaMime": quick.media_mime if has_media else None,
        "mediaSize": quick.media_size if has_media else None,
        "isMedia": has_media,
        "userId": quick.user_id,
        "companyId": quick.company_id,
        "createdAt": quick.created_at,
        "updatedAt": quick.updated_at,
    }
