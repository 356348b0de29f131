import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { useShortcuts } from '@/lib/useShortcuts';
import { endListFocus, useListFocus } from './listFocus';
import { stepFrom } from './next';
import { PRIORITIES } from './priorities';
import type { Priority, Ticket } from './types';

interface ListKeys {
  tickets: readonly Ticket[];
  selected: string | undefined;
  virtuoso: RefObject<Pick<VirtuosoHandle, 'scrollIntoView'> | null>;
  region: RefObject<HTMLElement | null>;
  /** Opens a ticket's conversation. */
  onOpen: (ticket: Ticket) => void;
  onKeyAction: (ticket: Ticket, action: KeyAction) => void;
}

export type KeyAction = 'accept' | 'return' | 'resolve' | 'transfer' | Priority;

const MOVES: Record<string, (place: number, last: number) => number> = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  j: (place) => place + 1,
  k: (place) => place - 1,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * Keyboard control of a ticket list. One row is in the tab order; the arrows, j and k move the
 * focus, also to rows that are not rendered. Enter follows the row's link. A accepts, T transfers,
 * R returns, 1 to 4 set the priority and Ctrl-Enter resolves, but only on a row that the user
 * reached by key and has not opened since, and not on key repeat: a user who believes to be typing,
 * holds a key or presses it twice must not lose a conversation. A row that gets the focus because
 * another row left ignores letters until the user moves on the list. Alt with an arrow key opens
 * the next row from anywhere.
 */
export function useListKeys(props: ListKeys) {
  const { tickets, selected, virtuoso, region, onOpen, onKeyAction } = props;
  const [activeId, setActiveId] = useState<number | null>(null);
  /** The row that the user reached by key: letters act on it alone. */
  const meant = useRef<number | null>(null);
  const cameByTab = useCameByTab(() => {
    meant.current = null;
  });
  const placeOf = (id: number | null) => tickets.findIndex((ticket) => ticket.id === id);
  const selectedId = tickets.find(({ uuid }) => uuid === selected)?.id ?? null;
  const isActiveThere = placeOf(activeId) >= 0;
  const current = isActiveThere ? activeId : (selectedId ?? tickets[0]?.id ?? null);

  /**
   * Focuses a row now or, if `isStillMeant` then, after scrolling to it; returns whether it has the
   * focus now.
   */
  function lead(place: number, meansIt: boolean, isStillMeant = () => true): boolean {
    const ticket = tickets[place];
    if (!ticket) return false;
    const take = () => {
      const row = region.current?.querySelector<HTMLElement>(`[data-ticket="${ticket.id}"] a`);
      row?.focus({ preventScroll: true });
      meant.current = meansIt ? ticket.id : null;
      return row != null && row === document.activeElement;
    };
    virtuoso.current?.scrollIntoView({ index: place, done: () => isStillMeant() && take() });
    return take();
  }

  function move(key: string) {
    const change = MOVES[key];
    if (!change) return;
    const isInside = region.current?.contains(document.activeElement) ?? false;
    const from = placeOf(current);
    // The first press from outside the list focuses the current row, later ones move from it.
    const next = isInside || isActiveThere ? change(from, tickets.length - 1) : from;
    const place = Math.max(0, Math.min(tickets.length - 1, next));
    setActiveId(tickets[place]?.id ?? null);
    // From outside the list the letter may be the first of a word: a second press is required.
    lead(place, isInside);
  }

  /** Returns false if the list does not handle the keys. */
  function act(action: KeyAction, { repeat }: { repeat: boolean }) {
    if (!region.current?.contains(document.activeElement)) return false;
    const active = tickets[placeOf(activeId)];
    const isOpen = active !== undefined && active.uuid === selected;
    // A transfer asks first, so it needs no such protection, except from who believes to be typing
    // in the conversation that is open. Accepting that one is what the user is about to do.
    const isMeant =
      meant.current === activeId ||
      (action === 'transfer' && !isOpen) ||
      (action === 'accept' && isOpen);
    const ticket = isMeant && !repeat ? active : undefined;
    if (ticket) onKeyAction(ticket, action);
    return true;
  }

  function open(step: 1 | -1) {
    const next = stepFrom(tickets, selected, step, activeId);
    if (!next) return;
    setActiveId(next.id);
    onOpen(next);
  }

  useShortcuts({
    j: () => move('j'),
    k: () => move('k'),
    a: (event) => act('accept', event),
    t: (event) => act('transfer', event),
    r: (event) => act('return', event),
    'mod+enter': (event) => act('resolve', event),
    ...Object.fromEntries(
      PRIORITIES.map((priority, place) => [
        String(place + 1),
        (event: globalThis.KeyboardEvent) => act(priority, event),
      ]),
    ),
    'alt+ArrowDown': () => open(1),
    'alt+ArrowUp': () => open(-1),
  });

  const wanted = useListFocus((list) => list.wanted);
  const takeFocus = useEffectEvent((ticketId: number | null) => {
    const isInside = region.current?.contains(document.activeElement) ?? false;
    // From a conversation, the row of that conversation is meant, wherever it was opened.
    const place = placeOf(ticketId ?? (isInside ? current : (selectedId ?? current)));
    const isWanted = () => useListFocus.getState().wanted !== null;
    // A row that the user did not choose ignores letters: the user may believe to be typing still.
    if (lead(Math.max(place, 0), ticketId === null, isWanted)) endListFocus();
  });
  useEffect(() => {
    if (!wanted || !region.current) return;
    // A list that was just mounted renders its rows after it knows its height.
    const drawn = new MutationObserver(() => takeFocus(wanted.ticketId));
    drawn.observe(region.current, { childList: true, subtree: true });
    takeFocus(wanted.ticketId);
    return () => drawn.disconnect();
  }, [wanted, region]);

  // Scrolls the row of the open conversation into view, wherever it was opened.
  const isListed = selectedId !== null;
  const showSelected = useEffectEvent(() =>
    virtuoso.current?.scrollIntoView({ index: placeOf(selectedId) }),
  );
  useEffect(() => {
    if (isListed) showSelected();
  }, [selected, isListed]);

  return {
    current,
    /** For the list's region: arrow keys move only inside it; elsewhere they scroll. */
    onKeyDown: (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (!isPlain || event.key.length === 1 || !(event.key in MOVES)) return;
      event.preventDefault();
      move(event.key);
    },
    /** For a row that gets the focus by itself: by Tab, by a press, or because another row left. */
    onRowFocus: (ticket: Ticket) => {
      setActiveId(ticket.id);
      const byTab = cameByTab();
      if (meant.current !== ticket.id) meant.current = byTab ? ticket.id : null;
    },
    /** For the list's region: a row was clicked, or opened with Enter. */
    onClick: () => {
      meant.current = null;
    },
  };
}

/**
 * Returns whether the last key was Tab, without a pointer press since, once for each Tab; calls
 * `onPress` on pointer presses.
 */
function useCameByTab(onPress: () => void) {
  const isTab = useRef(false);
  const press = useEffectEvent(onPress);
  useEffect(() => {
    const hear = (event: Event) => {
      isTab.current = event instanceof globalThis.KeyboardEvent && event.key === 'Tab';
      if (event.type === 'pointerdown') press();
    };
    document.addEventListener('keydown', hear, true);
    document.addEventListener('pointerdown', hear, true);
    return () => {
      document.removeEventListener('keydown', hear, true);
      document.removeEventListener('pointerdown', hear, true);
    };
  }, []);
  return () => {
    const was = isTab.current;
    // The Tab counts for one row only: the next focus may have moved by itself.
    isTab.current = false;
    return was;
  };
}
