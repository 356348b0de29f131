/** What opens over the page, or beside it for a while: leaving it leads back to what opened it. */
const LAYER =
  'dialog, [role=dialog], [role=alertdialog], [role=menu], aside, [data-scope=toast][data-part=group]';

const FOCUSABLE =
  'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]';

/** On its way out. */
const CLOSING = '[data-part=content][data-state=closed]';

/** Where one types or chooses. */
const FIELD =
  'input:not([type=hidden], [type=file], [readonly]), select, textarea:not([readonly]), [contenteditable=true], [role=slider]';

/** An element with its ancestors as they stood when it had the focus, and what stood beside each. */
type Place = { element: Element; next: Element | null; before: Element | null }[];

let last: Place | null = null;
/** Where the focus was before it entered a layer. */
const openers = new WeakMap<Element, Place>();
/** Where the focus was last in a layer. */
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

/** What a menu belongs to, where nothing had the focus before it: a press on that gives it none. */
function buttonOf(layer: Element): Place | null {
  const button = layer.id && document.querySelector(`[aria-controls="${layer.id}"]`);
  return button ? placeOf(button) : null;
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

/** The element that had the focus there or, when it is gone, what is nearest to it now. */
function nearest(place: Place): HTMLElement | null {
  for (const { element, next, before } of place) {
    if (isFocusable(element)) return element;
    if (!isLeaving(element)) {
      // What is still open keeps the focus inside.
      const inside = element.matches(LAYER) && within(element, FOCUSABLE)[0];
      if (inside) return inside;
      continue;
    }
    const opener = openers.get(element);
    if (opener) return nearest(opener);
    // A row that is gone: the one after it, or before.
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

/** Where the focus belongs when this dialog, menu or panel closes. */
export function placeBefore(layer: Element | null): HTMLElement | null {
  const opener = layer && openers.get(layer);
  return (opener && nearest(opener)) ?? page();
}

/** Where the focus was in this dialog before something over it had it. */
export function placeWithin(layer: Element): HTMLElement | null {
  const place = latest.get(layer);
  const element = place && nearest(place);
  return element && element !== layer && layer.contains(element) ? element : null;
}

/** The field of a dialog that one fills in first; the chosen one of radio buttons. */
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
 * Remembers where the focus is; when what has it goes away, gives it to what is nearest, so that
 * it never falls out of the page and with it the keys that are pressed.
 */
export function watchFocus(): () => void {
  /** What had the focus went away and nothing has it since: not where somebody clicked beside. */
  let isLost = false;
  /** What has it for what is hidden or disabled for a while. */
  let standIn: Element | null = null;
  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || target === document.body) return;
    isLost = false;
    standIn = null;
    const place = placeOf(target);
    const layer = layerOf(place);
    const opener = layer && !openers.has(layer) && (last ?? buttonOf(layer));
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
    // The page itself may be hidden, for as long as it waits for something.
    if (!hasFocus()) lookAgain();
    else if (place !== lost && !isLeaving(lost)) {
      last = before;
      standIn = place;
    }
  };
  const observer = new MutationObserver(() => {
    if (isAsked) return;
    isAsked = true;
    // What closes itself gives the focus back by then.
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
