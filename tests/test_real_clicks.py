"""Journeys press what a person can press: no click goes round what lies on top.

Playwright's own `click()` and `tap()` move to the middle of the element and fail when something
covers it, when it is disabled or still moves. What is listed here does not. Nor does a journey put
the focus anywhere: a person gets it there by Tab (`keys_to`), by a click or by a shortcut, and
where none of these leads the journey has to fail. Text comes by keys after a click (`type_in`), a
choice by keys in the list that the click opened (`pick`), a key goes to what has the focus
(`press`), and a file is chosen in the chooser that a press opened (`attach`): Playwright's own
calls for these reach a field under anything.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.product import ROOT

pytestmark = pytest.mark.sources

JOURNEYS = sorted((ROOT / "tests" / "journeys").glob("*.py"))

# Of a pointer: what a script makes up of one presses the element wherever it lies.
POINTER = re.compile(r"(?:dbl|aux)?click|mouse\w+|pointer\w+|touch\w+|contextmenu|tap")
SCRIPTED_PRESS = re.compile(r"\.(?:click|requestSubmit)(?:\(|\?\.\()|\bdispatchEvent\(")
SCRIPTED_TEXT = re.compile(r"\.value\s*=(?![=>])|\.setRangeText\(|\bexecCommand\(")
SCRIPTED_FILES = re.compile(r"\.files\s*=(?![=>])")
SCRIPTED_FOCUS = re.compile(r"\.focus(?:\(|\?\.\()")

FORCED = "force=True presses through whatever covers the element, and also when it is disabled"
MADE_UP = "dispatch_event with a pointer's event reaches an element that no pointer can"
SCRIPTED = "a script's click() or dispatchEvent() reaches an element that no pointer can"
FOCUSED = "focus() reaches an element that no Tab, no click and no shortcut leads to"
UNCHOSEN = "a file reaches a field whose button no pointer can press: attach"
UNTYPED = "text, a choice or a key reaches a field that no pointer can: type_in, pick, press"

# They focus what they are called on, wherever it lies.
WRITING = {"fill", "clear", "press_sequentially", "type", "press", "insert_text", "select_option"}
# What has the focus gets these; `keys` is short for a page's keyboard.
KEYBOARDS = ("keyboard", "keys")

# A press that has to be faster than a round trip to the browser: which journey, which script.
EXCEPTIONS = {("test_composer", "if (send) send.click();")}


def _is_forced(node: ast.AST) -> bool:
    """Tell whether it is an argument `force=` with anything but False."""
    if not isinstance(node, ast.keyword) or node.arg != "force":
        return False
    return not (isinstance(node.value, ast.Constant) and node.value.value is False)


def _is_made_up(node: ast.AST) -> bool:
    """Tell whether it is `dispatch_event` with an event of a pointer, of a page or a locator."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr != "dispatch_event":
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    texts = [each.value for each in given if isinstance(each, ast.Constant)]
    return any(isinstance(text, str) and POINTER.fullmatch(text) for text in texts)


def _is_scripted(node: ast.AST) -> bool:
    """Tell whether it is a text that a browser would run as a press, however it is handed over.

    `evaluate`, `eval_on_selector`, `add_init_script` and a constant of the module look the same.
    """
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and SCRIPTED_PRESS.search(node.value) is not None
    )


def _is_focused(node: ast.AST) -> bool:
    """Tell whether it puts the focus on something, by Playwright's call or by a script's."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "focus"
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and SCRIPTED_FOCUS.search(node.value) is not None
    )


def _is_unchosen(node: ast.AST) -> bool:
    """Tell whether it hands a file to a field, past the button that opens the chooser."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "set_input_files"
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and SCRIPTED_FILES.search(node.value) is not None
    )


def _is_untyped(node: ast.AST) -> bool:
    """Tell whether it writes, chooses or presses a key without a way to the field."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in WRITING:
            return False
        receiver = ast.unparse(node.func.value).rsplit(".", 1)[-1]
        return receiver not in KEYBOARDS or node.func.attr == "insert_text"
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and SCRIPTED_TEXT.search(node.value) is not None
    )


FORBIDDEN = {
    FORCED: _is_forced,
    MADE_UP: _is_made_up,
    SCRIPTED: _is_scripted,
    FOCUSED: _is_focused,
    UNCHOSEN: _is_unchosen,
    UNTYPED: _is_untyped,
}


def round_abouts(source: str, stem: str = "") -> list[str]:
    """Return why a journey's source is no person's doing, with the lines."""
    return [
        f"line {getattr(node, 'lineno', '?')}: {why}"
        for node in ast.walk(ast.parse(source))
        for why, is_found in FORBIDDEN.items()
        if is_found(node)
        and not any(stem == of and script in ast.unparse(node) for of, script in EXCEPTIONS)
    ]


@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda path: path.stem)
def test_a_journey_clicks_as_a_person_does(journey: Path) -> None:
    found = round_abouts(journey.read_text(), journey.stem)
    assert not found, f"{journey.name} goes round what lies on top: {found}"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("button.click(force=True)", FORCED),
        ("page.click('button', timeout=5, force=True)", FORCED),
        ("button.check(\n    force=True,\n)", FORCED),
        ('button.dispatch_event("click")', MADE_UP),
        ("button.dispatch_event('click')", MADE_UP),
        ('page.dispatch_event("button", "mousedown")', MADE_UP),
        ('button.dispatch_event(\n    type="pointerdown"\n)', MADE_UP),
        ('button.evaluate("element => element.click()")', SCRIPTED),
        ("button.evaluate('element => element.click()')", SCRIPTED),
        ('button.evaluate("element => { element.click(); }")', SCRIPTED),
        ("page.evaluate(\"document.querySelector('button').click()\")", SCRIPTED),
        ("page.evaluate('document.querySelector(\"button\")?.click()')", SCRIPTED),
        ('page.evaluate("""() => {\n    document.forms[0].requestSubmit();\n}""")', SCRIPTED),
        ('page.eval_on_selector("button", "element => element.click()")', SCRIPTED),
        ("page.eval_on_selector('button', 'element => element.click()')", SCRIPTED),
        ("page.eval_on_selector_all('button', 'all => all.map(e => e.click())')", SCRIPTED),
        ('page.evaluate(f"{path}.click()")', SCRIPTED),
        ('PRESS = "element => element.click()"\nbutton.evaluate(PRESS)', SCRIPTED),
        ("button.evaluate(\"e => e.dispatchEvent(new MouseEvent('click'))\")", SCRIPTED),
        ("button.focus()", FOCUSED),
        ("page.focus('button', timeout=5)", FOCUSED),
        ('page.locator("[data-card]").first.focus()', FOCUSED),
        ('button.evaluate("element => element.focus()")', FOCUSED),
        ("page.evaluate(\"document.querySelector('button')?.focus()\")", FOCUSED),
        ("page.evaluate('document.body.focus({ preventScroll: true })')", FOCUSED),
        ('FOCUS = "element => element.focus()"\nbutton.evaluate(FOCUS)', FOCUSED),
        ('field.fill("Olá")', UNTYPED),
        ('page.get_by_label("Nome").fill("")', UNTYPED),
        ('page.fill("input", "Olá", timeout=5)', UNTYPED),
        ("field.clear()", UNTYPED),
        ('field.press_sequentially("Olá")', UNTYPED),
        ('field.type("Olá", delay=5)', UNTYPED),
        ('field.press("Enter")', UNTYPED),
        ('page.press("body", "?")', UNTYPED),
        ('dialog.locator(":focus").press("Enter")', UNTYPED),
        ('page.keyboard.insert_text("Olá")', UNTYPED),
        ('select.select_option(label="Vendas")', UNTYPED),
        ("page.select_option('select', index=1)", UNTYPED),
        ("field.evaluate(\"field => { field.value = 'Olá'; }\")", UNTYPED),
        ('page.get_by_test_id("file-input").set_input_files("vasos.jpg")', UNCHOSEN),
        ('page.set_input_files("input", [])', UNCHOSEN),
        ('field.evaluate("field => { field.files = new DataTransfer().files; }")', UNCHOSEN),
    ],
)
def test_a_click_that_no_person_can_make_is_found(source: str, why: str) -> None:
    found = round_abouts(source)
    assert found, source
    assert all(why in each for each in found), found


@pytest.mark.parametrize(
    "source",
    [
        'page.get_by_role("button", name="Enviar").click()',
        "page.get_by_role('button', name='Enviar').click()",
        'button.click(position={"x": 5, "y": 5})',
        'button.click(button="right", modifiers=["Shift"])',
        "button.tap()",
        "button.dblclick()",
        "page.mouse.click(10, 20)",
        "page.keyboard.press('Enter')",
        'field.dispatch_event("input")',
        'zone.dispatch_event("drop", {"dataTransfer": files})',
        'page.evaluate("window.onclick = () => { window.clicks += 1; }")',
        "# button.click(force=True)",
        "expect(button).to_be_focused()",
        'keys_to(button, "Shift+Tab")',
        'type_in(field, "Olá")',
        'pick(select, "Vendas")',
        'press(field, "Enter")',
        'attach(button, "vasos.jpg")',
        'zone.evaluate_handle("() => new DataTransfer().files")',
        'page.keyboard.type("Olá")',
        'keys = page.keyboard\nkeys.press("Escape")',
        "page.evaluate(\"field => field.value === 'Olá'\")",
    ],
)
def test_a_click_of_a_person_is_left_alone(source: str) -> None:
    assert round_abouts(source) == []


@pytest.mark.parametrize(("stem", "script"), sorted(EXCEPTIONS))
def test_an_exception_is_still_there(stem: str, script: str) -> None:
    assert script in (ROOT / "tests" / "journeys" / f"{stem}.py").read_text()
