"""Meta's template library on the wire."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import BoundedListField, RowSerializer, TextField
from apps.connections.template_library import SENTENCES, LibraryChoice

LONGEST = 2000


class LibraryQuerySerializer(serializers.Serializer[Any]):
    """Filters in Meta's words; `after` is the cursor of the page before."""

    search = TextField(max_length=200)
    topic = serializers.RegexField(r"^[A-Z_]{1,60}$", required=False)
    usecase = serializers.RegexField(r"^[A-Z_]{1,60}$", required=False)
    industry = serializers.RegexField(r"^[A-Z_]{1,60}$", required=False)
    language = serializers.RegexField(r"^[A-Za-z_]{2,10}$", required=False)
    after = TextField(max_length=500)


class LibraryButtonSerializer(RowSerializer):
    """A button of the library: Meta's text, with its sample link or telephone."""

    type = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)


class LibraryTemplateSerializer(RowSerializer):
    """A template of the library; `sentences` are those that may be added to its text."""

    id = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    language = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    topic = serializers.CharField(allow_blank=True)
    usecase = serializers.CharField(allow_blank=True)
    industries = serializers.ListField(child=serializers.CharField())
    header = serializers.CharField(allow_blank=True)
    body = serializers.CharField()
    samples = serializers.ListField(child=serializers.CharField(allow_blank=True))
    buttons = LibraryButtonSerializer(many=True)
    sentences = serializers.ListField(child=serializers.ChoiceField(choices=list(SENTENCES)))
    canBeUsed = serializers.BooleanField(source="can_be_used")


class LibraryPageSerializer(serializers.Serializer[Any]):
    """A page of the library; `next` is the cursor of the next one, '' on the last."""

    templates = LibraryTemplateSerializer(many=True)
    next = serializers.CharField(allow_blank=True)


class LibraryInputSerializer(serializers.Serializer[Any]):
    """What a button of the library gets: a link (`{{1}}` at its end at most) or a telephone."""

    url = TextField(max_length=LONGEST)
    phone = TextField(max_length=40)
    example = TextField(max_length=LONGEST)


class LibraryChoiceSerializer(serializers.Serializer[Any]):
    """A template to submit from the library; `buttons` in the order of the template's."""

    libraryName = serializers.CharField(max_length=512)
    name = serializers.CharField(max_length=1000)
    language = serializers.CharField(max_length=20)
    buttons = BoundedListField(child=LibraryInputSerializer(), required=False, max_length=10)
    sentences = BoundedListField(
        child=serializers.ChoiceField(choices=list(SENTENCES)), required=False, max_length=10
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {
            "choice": LibraryChoice(
                library_name=attrs["libraryName"],
                name=attrs["name"],
                language=attrs["language"],
                buttons=attrs.get("buttons", ()),
                sentences=attrs.get("sentences", ()),
            )
        }
