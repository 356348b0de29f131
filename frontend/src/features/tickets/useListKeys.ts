import { useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { useShortcuts } from '@/lib/useShortcuts';
import type { Ticket } from './types';

interface ListKeys {
  tickets: readonly Ticket[];
  selected: string | undefined;
  virtuoso: RefObject<VirtuosoHandle | null>;
  region: RefObject<HTMLElement | null>;
  onKeyAction: (ticket: Ticket, action: 'accept' | 'resolve') => void;
}

const MOVES: Record<string, (place: number, last: number) => number> = {
  ArrowDown: (place) => place + 1,
  ArrowUp: (place) => place - 1,
  j: (place) => place + 1,
  k: (place) => place - 1,
  Home: () => 0,
  End: (_, last) => last,
};

/**
 * One row of the list takes the focus by Tab; the arrows, j and k move it, also while it is not
 * drawn. Enter follows its link. A accepts and R resolves it, but only a row that the keyboard led
 * to and that was not opened since: who pressed or opened a row and believes to be writing must not
 * close a conversation by a letter.
 */
export function useListKeys({ tickets, selected, virtuoso, region, onKeyAction }: ListKeys) {
  const [activeId, setActiveId] = useState<number | null>(null);
  const takesLetters = useRef(false);
  const placeOf = (id: number | null) => tickets.findIndex((ticket) => ticket.id === id);
  const selectedId = tickets.find(({ uuid }) => uuid === selected)?.id ?? null;
  const isActiveThere = placeOf(activeId) >= 0;
  const current = isActiveThere ? activeId : (selectedId ?? tickets[0]?.id ?? null);

  function focus(place: number) {
    const ticket = tickets[place];
    if (!ticket) return;
    setActiveId(ticket.id);
    const take = () => {
      region.current
        ?.querySelector<HTMLElement>(`[data-ticket="${ticket.id}"] a`)
        ?.focus({ preventScroll: true });
      takesLetters.current = true;
    };
    virtuoso.current?.scrollIntoView({ index: place, done: take });
    take();
  }

  function move(key: string) {
    const change = MOVES[key];
    if (!change) return;
    const isInside = region.current?.contains(document.activeElement) ?? false;
    const place = placeOf(current);
    // The first press from elsewhere goes to the row where one is, the next ones on from it.
    const next = isInside || isActiveThere ? change(place, tickets.length - 1) : place;
    focus(Math.max(0, Math.min(tickets.length - 1, next)));
  }

  function act(action: 'accept' | 'resolve') {
    const isInside = region.current?.contains(document.activeElement) ?? false;
    const isMeant = isInside && takesLetters.current;
    const ticket = isMeant ? tickets[placeOf(activeId)] : undefined;
    if (ticket) onKeyAction(ticket, action);
  }

  useShortcuts({
    j: () => move('j'),
    k: () => move('k'),
    a: () => act('accept'),
    r: () => act('resolve'),
  });

  return {
    current,
    /** For the list's region: arrows only move inside it, elsewhere they scroll. */
    onKeyDown: (event: KeyboardEvent) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
      if (!isPlain || event.key.length === 1 || !(event.key in MOVES)) return;
      event.preventDefault();
      move(event.key);
    },
    /** For a row that takes the focus by itself, by Tab or a press. */
    onRowFocus: (ticket: Ticket, event: FocusEvent) => {
      setActiveId(ticket.id);
      takesLetters.current = event.target.matches(':focus-visible');
    },
    /** For the list's region: a row was pressed, or opened by Enter. */
    onClick: () => {
      takesLetters.current = false;
    },
  };
}
