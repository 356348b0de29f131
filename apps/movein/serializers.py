"""The wire shapes of a company's archive (rules/moving-out §1)."""

from typing import Any

from rest_framework import serializers

from apps.common.leases import LeaseState
from apps.common.media import media_url
from apps.common.serializers import BooleanField, RowSerializer, StrictSerializer
from apps.movein.mapping.tables import BY_NAME, GROUPS
from apps.movein.models import CompanyArchive

STATES = {LeaseState.DONE: "ready", LeaseState.FAILED: "failed"}


class ArchiveInputSerializer(StrictSerializer):
    """What an admin asks to be in the archive."""

    withMedia = BooleanField(default=True, help_text="Also the files of messages and lists.")
    withPasswords = BooleanField(
        default=False,
        help_text="Also the hashes of the users' passwords, so that they can sign in elsewhere.",
    )


class ArchiveGroupSerializer(serializers.Serializer[Any]):
    """How many rows of one kind an archive has."""

    group = serializers.ChoiceField(choices=GROUPS)
    count = serializers.IntegerField()


class ArchiveSerializer(RowSerializer):
    """A company's archive and how far it is."""

    state = serializers.ChoiceField(choices=["writing", "ready", "failed"])
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(
        source="expires_at",
        allow_null=True,
        help_text="When it is deleted; null until it is ready.",
    )
    withMedia = serializers.BooleanField(source="has_media")
    withPasswords = serializers.BooleanField(source="has_passwords")
    rowsTotal = serializers.IntegerField(source="rows_total")
    rowsDone = serializers.IntegerField(source="rows_done")
    filesDone = serializers.IntegerField(source="files_done")
    missingFiles = serializers.IntegerField(
        source="missing_files", help_text="Files that were gone when they were to be copied."
    )
    size = serializers.IntegerField(allow_null=True, help_text="In bytes; null until it is ready.")
    contents = ArchiveGroupSerializer(many=True)
    url = serializers.CharField(
        allow_null=True, help_text="A signed address that expires; null until it is ready."
    )
    errorCode = serializers.CharField(source="error_code", allow_blank=True)

    def _read_state(self, archive: CompanyArchive) -> str:
        return STATES.get(LeaseState(archive.state), "writing")

    def _read_contents(self, archive: CompanyArchive) -> list[dict[str, Any]]:
        counts = dict.fromkeys(GROUPS, 0)
        for name, count in archive.tables.items():
            if name in BY_NAME:
                counts[BY_NAME[name].group] += count
        return [{"group": group, "count": count} for group, count in counts.items() if count]

    def _read_url(self, archive: CompanyArchive) -> str | None:
        name = f"balcao-{archive.created_at:%Y-%m-%d}.tar"
        return media_url(archive.path, name) or None


class ArchiveStateSerializer(serializers.Serializer[Any]):
    """The archive of the caller's company; null where there is none."""

    archive = ArchiveSerializer(allow_null=True)
