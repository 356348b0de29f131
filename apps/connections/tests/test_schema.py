"""The answers match the schema that the browser's types are made from."""

import pytest

from apps.common.serializers import row_of
from apps.connections.models import Connection
from apps.connections.serializers.connections import ConnectionSerializer


@pytest.mark.django_db
def test_rows_have_exactly_the_declared_keys(connection: Connection) -> None:
    assert set(row_of(ConnectionSerializer, connection)) == set(ConnectionSerializer().fields)
