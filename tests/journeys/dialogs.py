"""Where a dialog's focus begins, and where it goes when the dialog closes.

`watch` before an address is opened; what it saw is asked for while a dialog stands.
"""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import JSHandle, Page, expect

from tests.product import wait_for

# From the page's start: what had the focus, one after another, and where each dialog began, as it
# was before somebody pressed a key or a button in it.
WATCH = """
    const modal = '[role=dialog][aria-modal=true], [role=alertdialog], dialog[open]';
    const trail = [];
    const starts = new Map();
    const isSeen = each => each.checkVisibility({ visibilityProperty: true });
    const nameOf = each => each.outerHTML.slice(0, 150);
    const isField = each => isSeen(each) && !each.disabled && !each.readOnly
        && !['hidden', 'file'].includes(each.type);
    const judge = (dialog, start) => {
        // A question begins on what does no harm.
        if (dialog.matches('[role=alertdialog]'))
            return start === dialog.querySelector('button') ? '' : 'on ' + nameOf(start);
        const fields = [...dialog.querySelectorAll(
            'input, select, textarea, [contenteditable=true], [role=slider]')].filter(isField);
        const first = fields[0];
        if (!first) return start === dialog ? '' : `on ${nameOf(start)} in ${nameOf(dialog)}`;
        // One of radio buttons stands for all of them, and one is chosen already.
        const free = first.type === 'radio'
            ? [...fields.filter(each => each.name === first.name),
                fields.find(each => each.type !== 'radio')]
            : [first];
        return free.includes(start) ? '' : `on ${nameOf(start)} before ${nameOf(first)}`;
    };
    const settle = () => starts.forEach((start, dialog) => {
        if (dialog.isConnected) start.verdict ??= judge(dialog, start.element);
    });
    addEventListener('pointerdown', settle, true);
    addEventListener('keydown', settle, true);
    addEventListener('focusin', ({ target }) => {
        const dialog = target.closest(modal);
        if (dialog && !starts.has(dialog)) starts.set(dialog, { before: [...trail] });
        const start = starts.get(dialog);
        if (start && start.verdict === undefined) start.element = target;
        const menu = target.closest('[role=menu]');
        if (!menu) trail.push(target);
        // A press on a menu's button leaves the focus where it was, if that was a control.
        else if (!(trail.at(-1)?.tabIndex >= 0))
            trail.push(document.querySelector(`[aria-controls="${menu.id}"]`));
    }, true);
    window.dialogs = {
        shown: () => [...document.querySelectorAll(modal)].filter(isSeen).at(-1) ?? null,
        openerOf: dialog => starts.get(dialog)?.before.findLast(e => e?.isConnected) ?? null,
        misplaced: dialog => {
            if (!dialog) return '';
            settle();
            const active = document.activeElement;
            // A calendar or a list that a field of the dialog opens stands beside it.
            if (!active.closest(`${modal}, [role=dialog], [role=listbox]`)) return nameOf(active);
            return starts.get(dialog)?.verdict ?? `outside ${nameOf(dialog)}`;
        },
    };
"""
BACK_SECONDS = 5.0
BACK = """opener => opener !== null && (opener.isConnected
    ? document.activeElement === opener : document.activeElement !== document.body)"""

# Whether the dialog and its question are there, and how many lists to choose from.
State = tuple[bool, bool, int]


def watch(page: Page) -> None:
    """Remember where the focus goes, from the next address on."""
    page.add_init_script(f"(() => {{{WATCH}}})()")


def count(page: Page) -> int:
    """Count the dialogs that are open."""
    shown = page.locator("[role=dialog], [role=alertdialog], dialog[open]")
    return shown.locator("visible=true").count()


def misplaced(page: Page) -> str:
    """Say where the open dialog began, unless in its first field or, without one, as a whole.

    Its close button, its 'Cancelar', a tab and a second field are all wrong; '' where it is right,
    and where no dialog is open.
    """
    return str(page.evaluate("dialogs.misplaced(dialogs.shown())"))


def _differs(state: Callable[[], State], before: State) -> bool:
    return state() != before


def opener(page: Page) -> JSHandle:
    """Return what opened the dialog that is open; null without a dialog."""
    return page.evaluate_handle("dialogs.shown() && dialogs.openerOf(dialogs.shown())")


def leave(page: Page, opener: JSHandle) -> None:
    """Close the open dialog, if there is one, by Escape: the focus goes back to what opened it.

    What is unsaved is dropped when asked; what the dialog offers to choose from closes first. An
    opener that another layout took from the page has the focus on what stands in its place.
    """
    dialog = page.evaluate_handle("dialogs.shown()").as_element()
    if dialog is None:
        return
    lists = page.locator("[role=listbox], [role=dialog]:not([aria-modal=true])")
    question = page.get_by_role("alertdialog", name="Descartar alterações?")

    def state() -> State:
        return dialog.is_visible(), question.is_visible(), lists.locator("visible=true").count()

    while dialog.is_visible():
        before = state()
        page.keyboard.press("Escape")
        wait_for(partial(_differs, state, before), "Escape to do something")
        if question.is_visible():
            question.get_by_role("button", name="Descartar").click()
            expect(question).to_have_count(0)
            wait_for(lambda: not dialog.is_visible(), "the dialog to close")

    def is_back() -> bool:
        return bool(page.evaluate(BACK, opener))

    name = "e => e?.outerHTML.slice(0, 150)"
    try:
        wait_for(is_back, "the focus", BACK_SECONDS)
    except AssertionError:
        now = page.evaluate(f"({name})(document.activeElement)")
        was = page.evaluate(name, opener)
        raise AssertionError(f"The focus went to {now}; what opened the dialog: {was}") from None
