"""No module imports itself by way of others, also not inside a function."""

import grimp
import pytest

pytestmark = pytest.mark.sources


def circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """Return the circles of imports of a graph, each as its modules (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for imported in graph.find_modules_directly_imported_by(module):
            if imported not in order:
                visit(imported)
                lowest[module] = min(lowest[module], lowest[imported])
            elif imported in stack:
                lowest[module] = min(lowest[module], order[imported])
        if lowest[module] == order[module]:
            place = stack.index(module)
            if len(circle := stack[place:]) > 1:
                found.append(sorted(circle))
            del stack[place:]

    for module in sorted(graph.modules):
        if module not in order:
            visit(module)
    return found


def test_modules_import_in_no_circle() -> None:
    graph = grimp.build_graph("apps", "config", exclude_type_checking_imports=True, cache_dir=None)
    assert len(graph.modules) > 300
    assert circles(graph) == []


def test_a_circle_is_found() -> None:
    graph = grimp.build_graph("apps", "config", exclude_type_checking_imports=True, cache_dir=None)
    graph.add_import(importer="apps.common.leases", imported="apps.tickets.tasks")
    assert any("apps.common.leases" in circle for circle in circles(graph))
