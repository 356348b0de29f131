"""What a finger or a pointer meets, after turning only what can be turned by hand.

`scrollIntoView` also turns boxes with `overflow: hidden`, which no hand does: what they cut off
would look reachable.
"""

from typing import Any

from playwright.sync_api import Page

# Turns each box that one can scroll, the inmost first, until an element lies in it: at the nearest
# end, or in its middle. Then what is met in the element's middle.
TURN = """
    const turns = (box, axis) => {
        const isPage = box === document.scrollingElement;
        const style = getComputedStyle(box);
        const way = style['overflow' + axis];
        return isPage ? way !== 'hidden' && way !== 'clip' : way === 'auto' || way === 'scroll';
    };
    const viewOf = box => {
        if (box === document.scrollingElement)
            return { top: 0, left: 0, bottom: innerHeight, right: innerWidth };
        const { top, left } = box.getBoundingClientRect();
        const y = top + box.clientTop, x = left + box.clientLeft;
        return { top: y, left: x, bottom: y + box.clientHeight, right: x + box.clientWidth };
    };
    const wayTo = (start, end, first, last, isMiddle) => {
        if (isMiddle) return (start + end) / 2 - (first + last) / 2;
        if (start >= first && end <= last) return 0;
        const isHigher = end - start > last - first ? end < last : start < first;
        return isHigher ? start - first : end - last;
    };
    const turnTo = (element, isMiddle) => {
        for (let box = element.parentElement; box; box = box.parentElement) {
            const view = viewOf(box), place = element.getBoundingClientRect();
            if (turns(box, 'Y'))
                box.scrollTop += wayTo(place.top, place.bottom, view.top, view.bottom, isMiddle);
            if (turns(box, 'X'))
                box.scrollLeft += wayTo(place.left, place.right, view.left, view.right, isMiddle);
            if (getComputedStyle(box).position === 'fixed') break;
        }
    };
    const isSeen = element =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // The way past the menu: it is for keys, and there once they lead to it.
    const isForKeys = element => element.matches('a[href="#content"]:not(:focus)');
    const nameOf = element => element.tagName + ' ' + (element.getAttribute('aria-label')
        || element.textContent.trim().slice(0, 40)
        || element.getAttribute('placeholder') || element.id);
    const layers = 'dialog[open], [role=dialog], [role=alertdialog], [role=menu]';
    const modal = [...document.querySelectorAll(layers)]
        .filter(e => e.checkVisibility({ visibilityProperty: true })).at(-1);
    // A list of suggestions lies over a part of the page, as a menu over all of it: a choice, a
    // press beside it or Escape ends it.
    const isSuggested = (element, hit) => {
        const list = hit?.closest('[role=listbox]');
        return list && !list.contains(element);
    };
    const isOpen = element => !element.closest('[inert], [aria-hidden=true]')
        && (!modal || modal.contains(element));
"""

# What fades or slides in is not there before it has come.
COME = """async () => {
    const ends = each => each.effect.getComputedTiming().iterations !== Infinity;
    const moving = document.getAnimations().filter(ends);
    await Promise.all(moving.map(each => each.finished.catch(() => null)));
}"""

# From the middle of what a finger presses, as far as a press still is one on it, and what lies over
# the middle. What stands inside a running text is exempt from the size, as the guidelines have it.
UNREACHED = (
    """least => {"""
    + TURN
    + """
    const selector = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab],'
        + '[role=menuitem], [role=option], [role=switch], [role=slider], [role=gridcell][tabindex],'
        + 'tr[tabindex]';
    const areaOf = element => {
        if (!element.matches('input')) return element;
        return element.closest('label') ?? element;
    };
    const found = [];
    const seen = new Set();
    let looked = 0;
    for (const element of document.querySelectorAll(selector)) {
        const area = areaOf(element);
        if (seen.has(area) || element.disabled || !isOpen(element) || isForKeys(element)) continue;
        seen.add(area);
        if (!isSeen(area)) continue;
        if (element.matches('p a, span.text a, [data-body] a')) continue;
        const size = area.getBoundingClientRect();
        if (size.width <= 1 || size.height <= 1) continue;
        looked += 1;
        let x = 0, y = 0;
        const meets = (px, py) => {
            const hit = document.elementFromPoint(px, py);
            return hit !== null && (area.contains(hit)
                || (hit.closest('label')?.control ?? null) === element);
        };
        const isMet = isMiddle => {
            turnTo(area, isMiddle);
            const box = area.getBoundingClientRect();
            x = box.x + box.width / 2;
            y = box.y + box.height / 2;
            return meets(x, y);
        };
        // Under a heading that sticks, one goes on turning until it is free.
        if (!isMet(false) && !isMet(true)) {
            const over = document.elementFromPoint(x, y);
            if (isSuggested(element, over)) continue;
            const what = over ? `under ${over.outerHTML.slice(0, 160)}` : 'beyond the screen';
            found.push(`${nameOf(element)}: ${what}`);
            continue;
        }
        const reach = (dx, dy) => {
            let far = 0;
            while (far < least && meets(x + dx * (far + 0.5), y + dy * (far + 0.5))) far += 0.5;
            return far;
        };
        const measure = () => [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
        const isWide = ([width, height]) => width + 0.5 >= least && height + 0.5 >= least;
        let room = measure();
        // What is met around itself is cut off at the end of a list, until one turns on.
        if (!isWide(room) && isMet(true)) room = measure();
        if (!isWide(room)) {
            found.push(`${nameOf(element)}: ${Math.round(room[0])} x ${Math.round(room[1])}`);
        }
    }
    return { looked, found };
}"""
)

# Buttons and fields that stand on the page and are not what a press in their middle meets.
COVERED = (
    """() => {"""
    + TURN
    + """
    const found = [];
    let looked = 0;
    const selector = 'button, input, textarea, select, [role=tab], [role=menuitem], [role=option]';
    for (const e of document.querySelectorAll(selector)) {
        const size = e.getBoundingClientRect();
        if (!isOpen(e) || !isSeen(e) || size.width <= 1 || size.height <= 1
            || getComputedStyle(e).pointerEvents === 'none') continue;
        looked += 1;
        turnTo(e, false);
        const box = e.getBoundingClientRect();
        const x = box.x + box.width / 2, y = box.y + box.height / 2;
        const hit = document.elementFromPoint(x, y);
        if (isSuggested(e, hit)) continue;
        if (hit === null || !(e.contains(hit) || hit.closest('label')?.control === e))
            found.push(`${nameOf(e)} at ${Math.round(x)}, ${Math.round(y)}`);
    }
    return { looked, found };
}"""
)


def unreached(page: Page, least_px: int) -> list[str]:
    """Return what a finger cannot press or has too little room on; asserts that it looked."""
    page.evaluate(COME)
    return _found(page.evaluate(UNREACHED, least_px))


def covered(page: Page) -> list[str]:
    """Return the buttons and fields that no press in their middle meets; asserts that it looked."""
    page.evaluate(COME)
    return _found(page.evaluate(COVERED))


def _found(answer: dict[str, Any]) -> list[str]:
    assert answer["looked"] > 0, "Nothing to press was looked at."
    return list(answer["found"])
