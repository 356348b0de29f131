"""The import contracts refuse what they are there for, in whatever kind of module it stands."""

import ast
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import grimp
import pytest
from django.apps import apps as django_apps
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

pytestmark = pytest.mark.sources

ROOT = Path(__file__).parent.parent
TYPES: dict[str, Any] = {
    "forbidden": ForbiddenContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}
# Who may look a model up by its name: the figures of all apps' waiting work, and an operation of
# migrations, whose models are those of a state of the tables.
LOOKS_UP_MODELS = {"apps/common/figures.py", "apps/common/large_indexes.py"}

# What may be imported, by which contract, from which kinds of modules alone.
GUARDED = [
    (
        "apps.connections.providers.official.client",
        "Only services reach for providers",
        {"services", "capabilities", "handler", "providers"},
    ),
    (
        "apps.automation.clients.openai_wire",
        "Only services reach for clients of integrations",
        {"services", "clients"},
    ),
    ("apps.tickets.tasks", "Tasks are woken by name, and imported by nobody", {"tasks"}),
    ("apps.common.wakeups", "Only services wake tasks", {"services", "workers", "wakeups"}),
    ("celery", "Only tasks and their wake-ups know Celery", {"tasks", "workers", "wakeups"}),
    ("apps.realtime.emit", "Only events.py tells browsers", {"events", "schema", "emit"}),
    (
        "httpx",
        "HTTP calls go out through providers and clients alone",
        {"services", "clients", "providers"},
    ),
    ("config.access", "Apps do not import how they are run", set()),
]


@pytest.fixture(scope="module")
def graph() -> Any:
    """All imports but those of tests, which may import what they like."""
    graph = grimp.build_graph("apps", "config", include_external_packages=True, cache_dir=None)
    for module in {module for module in graph.modules if ".tests" in module}:
        graph.remove_module(module)
    return graph


@pytest.fixture(scope="module")
def contracts() -> dict[str, Any]:
    read = read_configuration(str(ROOT / "pyproject.toml"))
    return {
        options["name"]: TYPES[options["type"]](
            name=options["name"],
            session_options=read["session_options"],
            # Tests are not in the graph.
            contract_options={**options, "unmatched_ignore_imports_alerting": "none"},
        )
        for options in read["contracts_options"]
    }


def is_kept(contract: Any, graph: Any) -> bool:
    return bool(contract.check(graph, verbose=False).kept)


def modules_of_every_kind(graph: Any) -> dict[str, str]:
    """Return one module for each name that modules of apps have (`views`, `events`, …)."""
    found: dict[str, str] = {}
    for app in sorted(graph.find_children("apps")):
        for module in sorted(graph.find_children(app)):
            # What is inside a package counts as much as the package itself.
            inside = min(graph.find_children(module), default=module)
            found[module.rpartition(".")[2]] = inside
    return found


def test_the_code_keeps_the_contracts(contracts: dict[str, Any], graph: Any) -> None:
    assert [name for name, each in contracts.items() if not is_kept(each, graph)] == []


@pytest.mark.parametrize(("imported", "contract", "kinds"), GUARDED)
def test_an_import_is_refused_in_every_kind_of_module_but_those_named(
    contracts: dict[str, Any], graph: Any, imported: str, contract: str, kinds: set[str]
) -> None:
    modules = modules_of_every_kind(graph)
    assert len(modules) > 60
    missed = set()
    for kind, module in modules.items():
        if module == imported or graph.direct_import_exists(importer=module, imported=imported):
            continue
        graph.add_import(importer=module, imported=imported, line_number=1, line_contents="x")
        if is_kept(contracts[contract], graph):
            missed.add(kind)
        graph.remove_import(importer=module, imported=imported)
    assert missed <= kinds


def test_an_import_of_a_higher_app_is_refused_everywhere(
    contracts: dict[str, Any], graph: Any
) -> None:
    contract = contracts["Apps import only lower apps"]
    for module in modules_of_every_kind(graph).values():
        if not module.startswith("apps.simulator"):
            planted = {"importer": module, "imported": "apps.simulator.models"}
            graph.add_import(**planted, line_number=1, line_contents="x")
            assert not is_kept(contract, graph), module
            graph.remove_import(**planted)


def test_a_module_that_no_layer_names_is_refused_in_every_app(
    contracts: dict[str, Any], graph: Any
) -> None:
    inside = [each for name, each in contracts.items() if name.startswith("Inside ")]
    for app in graph.find_children("apps"):
        graph.add_module(f"{app}.message_views")
        assert not all(is_kept(contract, graph) for contract in inside), app
        graph.remove_module(f"{app}.message_views")


def test_an_app_that_no_layer_names_is_refused(contracts: dict[str, Any], graph: Any) -> None:
    graph.add_module("apps.newsletters")
    assert not is_kept(contracts["Apps import only lower apps"], graph)
    graph.remove_module("apps.newsletters")


def test_models_are_looked_up_by_name_only_where_it_is_allowed() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "apps").rglob("*.py")
        if not {"tests", "migrations"} & set(path.parts) and "get_model(" in path.read_text()
    }
    assert found == LOOKS_UP_MODELS


def test_an_import_upwards_inside_the_services_of_tickets_is_refused(
    contracts: dict[str, Any], graph: Any
) -> None:
    contract = contracts["Inside the services of tickets, imports go down"]
    packages = ["rights", "outbox", "messages", "tickets", "bot", "receiving"]
    for lower, higher in combinations((f"apps.tickets.services.{each}" for each in packages), 2):
        module = min(graph.find_children(lower), default=lower)
        planted = {"importer": module, "imported": min(graph.find_children(higher))}
        graph.add_import(**planted, line_number=1, line_contents="x")
        assert not is_kept(contract, graph), planted
        graph.remove_import(**planted)


def test_no_sql_names_a_table_of_a_higher_app() -> None:
    read = read_configuration(str(ROOT / "pyproject.toml"))
    names = {options["name"]: options for options in read["contracts_options"]}
    layers = [line.split(" | ") for line in names["Apps import only lower apps"]["layers"]]
    height = {app: -place for place, apps in enumerate(layers) for app in apps}
    tables = {model._meta.db_table: model._meta.app_label for model in django_apps.get_models()}
    own = {table: app for table, app in tables.items() if app in height}
    assert len(own) > 60
    named = re.compile(rf"\b({'|'.join(own)})\b")
    found = {
        (str(path.relative_to(ROOT)), table)
        for path in (ROOT / "apps").rglob("*.py")
        if not {"tests", "migrations"} & set(path.parts)
        for table in named.findall(path.read_text())
        if height[own[table]] > height[path.relative_to(ROOT).parts[1]]
    }
    assert found == set()


def test_only_the_outbox_queues_what_is_sent() -> None:
    """The import contracts protect its modules, but not the rows and their kinds."""
    # The simulator has an outbox of its own.
    others = (ROOT / "apps/tickets/services/outbox", ROOT / "apps/simulator")
    found: dict[str, set[str]] = {}
    for path in (ROOT / "apps").rglob("*.py"):
        if "tests" in path.parts or any(each in path.parents for each in others):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "Delivery",
                "Delivery.objects.create",
                "Delivery.objects.bulk_create",
                "enqueue",
            ):
                kinds = [each.value for each in node.keywords if each.arg == "kind"]
                kind = ast.unparse(kinds[0]) if kinds else "DeliveryKind.SEND"
                found.setdefault(kind, set()).add(path.stem)
    assert found == {
        "DeliveryKind.REACT": {"changes"},
        "DeliveryKind.EDIT": {"changes"},
        "DeliveryKind.DELETE": {"changes"},
        "DeliveryKind.REJECT_CALL": {"calls"},
    }
