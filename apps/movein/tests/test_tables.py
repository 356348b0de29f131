"""The list of a company's tables is whole, and knows what is in their columns."""

import re

from django.apps import apps
from django.db import models

from apps.common.encryption import EncryptedTextField
from apps.companies.models import Company
from apps.movein.mapping.tables import (
    LEFT_OUT,
    ORIGINS,
    TABLES,
    WITH_IDS,
    Table,
    columns_of,
    named_tables,
)
from apps.movein.models import LegacyRow

# What no archive has, by the name of the column.
SECRET = re.compile(r"(password|secret|token_hash|access_token|api_key|voice_key|credentials|pin)$")
# Encrypted because an address may hold a key of its receiver; without it nothing would work.
OPEN = {
    ("integrations", "url"),
    ("webhooks", "url"),
    # It opens the votes of one poll.
    ("polls", "secret"),
}


def of_companies() -> set[type[models.Model]]:
    """Return all models with rows of a company: those that refer to it, over however many."""
    ours = [each for each in apps.get_models() if each.__module__.startswith("apps.")]
    found: set[type[models.Model]] = {Company}
    while True:
        more = {
            model
            for model in ours
            if model not in found
            and any(each.related_model in found for each in model._meta.fields if each.is_relation)
        }
        if not more:
            return found
        found |= more


def test_every_table_of_a_company_moves_or_is_left_out_with_a_reason() -> None:
    moved = {table.model._meta.label for table in TABLES}
    assert not moved & LEFT_OUT.keys()
    assert {model._meta.label for model in of_companies()} == moved | LEFT_OUT.keys()


def test_what_rows_refer_to_comes_before_them() -> None:
    behind: set[str] = set()
    for table in TABLES:
        behind.add(table.name)
        for column in columns_of(table.name):
            if column.refers and column.name not in table.later:
                assert column.refers in behind, (table.name, column.name)
    messages = [table.name for table in TABLES].index("messages")
    assert set(ORIGINS.values()) <= {table.name for table in TABLES[:messages]}


def test_columns_that_are_named_exist() -> None:
    for table in TABLES:
        names = {each.attname for each in table.model._meta.concrete_fields}
        told = {
            *(*table.secret, *table.asked, *table.blank, *table.later, *table.ids, *table.plain),
            *(*table.files, *table.listed, *table.unique),
        }
        assert told <= names, table.name


def _undeclared(table: Table) -> set[str]:
    known = {*table.lacks, *table.asked, *table.ids, *table.plain, *table.listed, *table.files}
    known |= {name for of, name in WITH_IDS | OPEN if of == table.name}
    found = set()
    for each in table.model._meta.concrete_fields:
        is_id = isinstance(each, models.BigIntegerField) and re.search(r"_(id|pk)$", each.attname)
        is_file = re.search(r"(^|_)path$", each.attname)
        if (
            isinstance(each, models.JSONField | EncryptedTextField | models.FileField)
            or (is_id and not each.is_relation)
            or is_file
            or SECRET.search(each.attname)
        ):
            found.add(each.attname)
    return found - known


def test_json_ids_files_and_secrets_are_declared() -> None:
    assert {table.name: _undeclared(table) for table in TABLES if _undeclared(table)} == {}


def test_values_that_are_unique_over_companies_are_freed() -> None:
    for table in TABLES:
        unique = {
            each.attname
            for each in table.model._meta.concrete_fields
            if each.unique and not each.is_relation and not each.primary_key
        }
        kept = {each.name for each in columns_of(table.name)} & unique
        # A company's name and a user's e-mail have rules of their own, and so has a message's id.
        assert kept - {"name", "email"} - set(table.ids) == set(table.unique) & unique, table.name


def test_names_fit_into_the_list_of_what_became_of_rows() -> None:
    most = LegacyRow._meta.get_field("table").max_length or 0
    assert all(len(name) <= most for name in named_tables())
