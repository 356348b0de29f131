"""The wire shapes of quick messages and file lists."""

from typing import Any

from rest_framework import serializers

from apps.common.media import signed_path
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    BoundedListSerializer,
    MediaUrlField,
    OptionalIdField,
    RowSerializer,
    TextField,
    file_field,
    page_of,
)
from apps.library.models import FileListItem, QuickMessage

SHORTCODE_LENGTH = 50
MESSAGE_LENGTH = 4096
FILE_NAME_LENGTH = 255
# The limit of files in one call to a conversation (rules/messages §5).
MOST_FILES = 30


class QuickMessageInputSerializer(serializers.Serializer[Any]):
    """A quick message to create or to change (rules/library §1).

    Older browsers resend the whole record; other fields are ignored.
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
        """Remove a leading slash: users type it to insert the message, it is not part of the
        name.
        """
        plain = " ".join(shortcode.lstrip("/").split())
        if not plain:
            raise serializers.ValidationError("Informe o atalho.", "blank")
        return plain


class QuickMessageFileSerializer(serializers.Serializer[Any]):
    """A form with the file of a quick message; `typeArch`, from older browsers, is ignored."""

    file = file_field()
    typeArch = serializers.CharField(required=False, allow_blank=True)


class QuickMessageListQuerySerializer(serializers.Serializer[Any]):
    """The query of the list; `userId` and `companyId` are ignored, the caller's are used."""

    searchParam = serializers.CharField(required=False, allow_blank=True)
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    userId = serializers.CharField(required=False, allow_blank=True)
    companyId = serializers.CharField(required=False, allow_blank=True)


class QuickMessageSerializer(RowSerializer):
    """A quick message; `mediaPath` is the absolute signed address, as older browsers expect it."""

    id = serializers.IntegerField()
    shortcode = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    geral = serializers.BooleanField(source="is_shared")
    status = serializers.BooleanField(source="is_active")
    mediaPath = MediaUrlField(source="media_path", allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media.size", allow_null=True)
    isMedia = serializers.BooleanField()
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_isMedia(self, quick: QuickMessage) -> bool:
        return bool(quick.media_path)


QuickMessagePageSerializer = page_of("records", QuickMessageSerializer, "A page of quick messages.")


class FileListItemsSerializer(BoundedListSerializer):
    most = MOST_FILES


class FileListItemInputSerializer(serializers.Serializer[Any]):
    """An option of a file list: its `id`, if it is stored, and its name.

    The file is uploaded afterwards. Older browsers also send `path`, `mediaType` and `file`, which
    are ignored.
    """

    id = OptionalIdField()
    name = TextField(
        max_length=FILE_NAME_LENGTH,
        error_messages={"max_length": f"O nome pode ter no máximo {FILE_NAME_LENGTH} caracteres."},
    )

    class Meta:
        list_serializer_class = FileListItemsSerializer


class FileListInputSerializer(serializers.Serializer[Any]):
    """A file list to create or to change (rules/library §5)."""

    name = serializers.CharField(
        min_length=3,
        max_length=100,
        error_messages={
            "required": "Informe o nome.",
            "blank": "Informe o nome.",
            "null": "Informe o nome.",
            "min_length": "nome muito curto",
            "max_length": "O nome pode ter no máximo 100 caracteres.",
        },
    )
    message = serializers.CharField(
        max_length=MESSAGE_LENGTH,
        error_messages={
            "required": "Informe a mensagem.",
            "blank": "Informe a mensagem.",
            "null": "Informe a mensagem.",
            "max_length": f"A mensagem pode ter no máximo {MESSAGE_LENGTH} caracteres.",
        },
    )
    options = FileListItemInputSerializer(many=True, required=False)


class FileListUploadSerializer(serializers.Serializer[Any]):
    """Files for options of a list; the n-th `files`, `id` and `name` belong together.

    `id` is the option, `name` its new name. Older browsers also send `mediaType`, `fileId` and
    `typeArch`, which are ignored.
    """

    files = BoundedListField(
        child=serializers.FileField(max_length=1000, allow_empty_file=True),
        max_length=MOST_FILES,
        error_messages={"required": "Anexe um arquivo.", "not_a_list": "Anexe um arquivo."},
    )
    id = BoundedListField(
        child=OptionalIdField(),
        max_length=MOST_FILES,
        error_messages={"required": "Informe a que opção cada arquivo pertence."},
    )
    name = BoundedListField(
        child=TextField(max_length=FILE_NAME_LENGTH), max_length=MOST_FILES, required=False
    )

    def validate(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Refuse the files unless each comes with the id of its option."""
        if len(fields["id"]) != len(fields["files"]) or None in fields["id"]:
            sentence = "Informe a que opção cada arquivo pertence."
            raise serializers.ValidationError({"id": [sentence]}, "required")
        return fields


class FileListQuerySerializer(serializers.Serializer[Any]):
    """The query of the list; `companyId` is ignored, the caller's is used."""

    searchParam = serializers.CharField(required=False, allow_blank=True)
    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    companyId = serializers.CharField(required=False, allow_blank=True)


class FileListItemSerializer(RowSerializer):
    """An option of a file list.

    `path` is its file's signed path, null until the file is uploaded.
    """

    id = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    path = serializers.CharField(allow_null=True)
    mediaType = serializers.CharField(source="media.mime", allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaSize = serializers.IntegerField(source="media_size", allow_null=True)
    fileId = serializers.IntegerField(source="file_list_id")

    def _read_path(self, item: FileListItem) -> str | None:
        return signed_path(item.media_path) if item.media_path else None


class FileListSerializer(RowSerializer):
    """A file list with its files in their order."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    message = serializers.CharField()
    options = FileListItemSerializer(source="items", many=True)
    userId = serializers.IntegerField(source="user_id", allow_null=True)
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


FileListPageSerializer = page_of("files", FileListSerializer, "A page of file lists.")
