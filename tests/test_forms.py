"""A form says what it names: no switch of any call is turned off by a form without its name."""

import importlib
import re

import pytest
from django.http import QueryDict
from rest_framework import serializers

from tests.product import ROOT

pytestmark = pytest.mark.sources

READ = re.compile(r"(?:(?:body|query)_values\(\s*|input_serializer = )(\w+Serializer)\b")


def switches() -> list[tuple[str, str, type]]:
    """Return module, serializer and each boolean of what the views read."""
    found = []
    for path in sorted(ROOT.glob("apps/*/views.py")) + sorted(ROOT.glob("apps/*/views/*.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name in sorted(set(READ.findall(path.read_text()))):
            kind = getattr(module, name)
            found += [
                (name, field, kind)
                for field, each in kind().fields.items()
                if isinstance(each, serializers.BooleanField) and not each.read_only
            ]
    return found


SWITCHES = switches()


@pytest.mark.parametrize(
    ("field", "kind"),
    [pytest.param(field, kind, id=f"{name}.{field}") for name, field, kind in SWITCHES],
)
@pytest.mark.parametrize("form", ["", "name=Loja"])
def test_a_form_without_the_name_says_nothing_of_it(form: str, field: str, kind: type) -> None:
    assert kind().fields[field].get_value(QueryDict(form)) is serializers.empty
    assert kind().fields[field].get_value(QueryDict(f"{field}=true")) == "true"


def test_every_switch_is_among_them() -> None:
    named = {field for _name, field, _kind in SWITCHES}
    assert {"opensNext", "expireChat", "isDefault", "useIntegration", "kanban", "status"} <= named
