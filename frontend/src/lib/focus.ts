/**
 * Layers: dialogs, menus and panels. Closing one returns the focus to the element that opened it.
 */
const LAYER =
  'dialog, [role=dialog], [role=alertdialog], [role=menu], aside, [data-scope=toast][data-part=group]';

const FOCUSABLE =
  'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';

/** A layer that is being closed. */
const CLOSING = '[data-part=content][data-state=closed]';

/** Fields for typing or choosing. */
const FIELD =
  'input:not([type=hidden], [type=file], [readonly]), select, textarea:not([readonly]), [contenteditable=true], [role=slider]';

/** A focused element and its ancestors, each with its siblings at the time of the focus. */
type Place = { element: Element; next: Element | null; before: Element | null }[];

let last: Place | null = null;
/** For each layer, the place of the focus before the layer got it. */
const openers = new WeakMap<Element, Place>();
/** For each layer, the last place of the focus inside it. */
const latest = new WeakMap<Element, Place>();

function placeOf(element: Element): Place {
  const place: Place = [];
  for (
    let each: Element | null = element;
    each && each !== document.body;
    each = each.parentElement
  )
    place.push({
      element: each,
      next: each.nextElementSibling,
      before: each.previousElementSibling,
    });
  return place;
}

/** The button of a layer, which gets no focus from a click in some browsers, a menu's in none. */
function buttonOf(layer: Element): Place | null {
  const button = layer.id && document.querySelector(`[aria-controls="${layer.id}"]`);
  return button ? placeOf(button) : null;
}

/**
 * Where a layer leads back to: what had the focus before it. A menu leads to its button where that
 * was nothing to work with, as the page.
 */
function openerOf(layer: Element, before: Place | null): Place | null {
  const had = before?.[0]?.element;
  const isControl = had instanceof HTMLElement && had.tabIndex >= 0;
  return isControl || (before && !layer.matches('[role=menu]'))
    ? before
    : (buttonOf(layer) ?? before);
}

const layerOf = (place: Place) => place.find(({ element }) => element.matches(LAYER))?.element;

function isFocusable(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.matches(FOCUSABLE) &&
    !element.matches(':disabled') &&
    !element.closest(CLOSING) &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

const within = (element: Element, selector: string) =>
  [...element.querySelectorAll(selector)].filter(isFocusable);

const isLeaving = (element: Element) => !element.isConnected || element.matches(CLOSING);

/** Returns the element that had the focus or, if it is gone, the nearest one that remains. */
function nearest(place: Place): HTMLElement | null {
  for (const { element, next, before } of place) {
    if (isFocusable(element)) return element;
    if (!isLeaving(element)) {
      // A layer that is still open keeps the focus inside.
      const inside = element.matches(LAYER) && within(element, FOCUSABLE)[0];
      if (inside) return inside;
      continue;
    }
    const opener = openers.get(element);
    if (opener) return nearest(opener);
    // If a row is gone, try the row after it, then the row before.
    for (const neighbour of [next, before]) {
      if (!neighbour?.isConnected || neighbour.tagName !== element.tagName) continue;
      if (neighbour.matches(LAYER)) continue;
      const found = [neighbour, ...neighbour.querySelectorAll(FOCUSABLE)].find(isFocusable);
      if (found) return found;
    }
  }
  return null;
}

const page = () => document.getElementById('content');

const hasFocus = () => document.activeElement !== null && document.activeElement !== document.body;

/** The element to focus when this dialog, menu or panel closes. */
export function placeBefore(layer: Element | null): HTMLElement | null {
  const opener = layer && openers.get(layer);
  return (opener && nearest(opener)) ?? page();
}

/** The element of this dialog that had the focus before a layer over it got it. */
export function placeWithin(layer: Element): HTMLElement | null {
  const place = latest.get(layer);
  const element = place && nearest(place);
  return element && element !== layer && layer.contains(element) ? element : null;
}

/** The first field of a dialog; of a radio group, the chosen button. */
export function firstField(dialog: Element): HTMLElement | null {
  const fields = within(dialog, FIELD);
  const first = fields[0];
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first ?? null;
  const chosen = fields.find(
    (field) => field instanceof HTMLInputElement && field.name === first.name && field.checked,
  );
  return chosen ?? first;
}

/**
 * Tracks the focus. If the focused element disappears, focuses the nearest one, so that the page
 * never loses the focus and the keys that are pressed.
 */
export function watchFocus(): () => void {
  /**
   * The focused element disappeared and nothing got the focus since; false after a click on an
   * empty place.
   */
  let isLost = false;
  /** The element that holds the focus for one that is hidden or disabled for a while. */
  let standIn: Element | null = null;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === document.body) return;
    isLost = false;
    standIn = null;
    const place = placeOf(target);
    const layer = layerOf(place);
    const opener = layer && !openers.has(layer) && openerOf(layer, last);
    if (opener && !opener.some(({ element }) => element === layer)) openers.set(layer, opener);
    if (layer) latest.set(layer, place);
    last = place;
  };
  let isAsked = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const lookAgain = () => {
    clearTimeout(again);
    again = setTimeout(look, 100);
  };
  const look = () => {
    isAsked = false;
    if (!last || (hasFocus() && document.activeElement !== standIn)) return;
    const before = last;
    const lost = before[0]?.element;
    if (!lost || (!isLost && !standIn && isFocusable(lost))) return;
    isLost = true;
    const place = nearest(before) ?? page();
    if (!place || place === standIn) return;
    place.focus({ preventScroll: true });
    // The page itself may be hidden while it waits for something.
    if (!hasFocus()) lookAgain();
    else if (place !== lost && !isLeaving(lost)) {
      last = before;
      standIn = place;
    }
  };
  const observer = new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    // A closing layer has returned the focus by then.
    requestAnimationFrame(look);
  });
  const notice = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget || !(target instanceof Element) || isFocusable(target)) return;
    isLost = true;
    lookAgain();
  };
  document.addEventListener('focusin', remember, true);
  document.addEventListener('focusout', notice, true);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden', 'data-state'],
  });
  return () => {
    observer.disconnect();
    clearTimeout(again);
    document.removeEventListener('focusin', remember, true);
    document.removeEventListener('focusout', notice, true);
    last = null;
  };
}
