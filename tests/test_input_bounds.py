"""Every number and every list that a caller sends is declared with a bound."""

import ast
import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from apps.common.serializers import BoundedListField, BoundedListSerializer
from tests.product import ROOT

pytestmark = pytest.mark.sources

APPS = ROOT / "apps"
READS_INPUT = {"body_values", "query_values"}


def _inputs() -> Iterator[type[serializers.Serializer[Any]]]:
    """Yield every serializer that reads what a caller sent."""
    for path in APPS.rglob("*.py"):
        if {"tests", "migrations"} & set(path.parts):
            continue
        module = ".".join(path.relative_to(APPS.parent).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text())):
            name = None
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in READS_INPUT:
                name = node.args[0]
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == (
                "input_serializer"
            ):
                name = node.value
            if isinstance(name, ast.Name) and name.id != "serializer":
                yield getattr(importlib.import_module(module), name.id)


def _numbers(field: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the whole numbers in a serializer, however deep."""
    if isinstance(field, serializers.IntegerField):
        yield place, field
    elif isinstance(field, serializers.ListField | serializers.ListSerializer):
        yield from _numbers(field.child, f"{place}[]")
    elif isinstance(field, serializers.Serializer):
        for name, inner in field.fields.items():
            yield from _numbers(inner, f"{place}.{name}")


def test_every_number_that_callers_send_has_a_bound_within_its_column() -> None:
    found = {
        place: field
        for serializer in set(_inputs())
        for place, field in _numbers(serializer(), serializer.__name__)
    }
    assert {"TagsSyncSerializer.ticketId", "UserInputSerializer.queueIds[]"} <= set(found)
    loose = [
        place
        for place, field in found.items()
        if field.min_value is None or field.max_value is None or field.max_value > 2**63 - 1
    ]
    assert loose == []


def _lists(field: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield the lists in a serializer, however deep."""
    if isinstance(field, serializers.ListField | serializers.ListSerializer):
        yield place, field
        yield from _lists(field.child, f"{place}[]")
    elif isinstance(field, serializers.Serializer):
        for name, inner in field.fields.items():
            yield from _lists(inner, f"{place}.{name}")


def test_every_list_that_callers_send_has_a_bound() -> None:
    found = {
        place: field
        for serializer in set(_inputs())
        for place, field in _lists(serializer(), serializer.__name__)
    }
    assert {
        "TagsSyncSerializer.tags",
        "ContactInputSerializer.extraInfo",
        "QueueInputSerializer.schedules",
        "UserInputSerializer.queueIds",
    } <= set(found)
    loose = [
        place
        for place, field in found.items()
        if not isinstance(field, BoundedListField | BoundedListSerializer) or not field.most
    ]
    assert loose == []


def test_only_common_serializers_validates_a_body() -> None:
    """Otherwise the tests above would miss its numbers and lists."""
    elsewhere = {
        str(path.relative_to(APPS))
        for path in APPS.rglob("*.py")
        if "tests" not in path.parts and "is_valid(raise_exception" in path.read_text()
    }
    assert elsewhere == {"common/serializers.py"}
