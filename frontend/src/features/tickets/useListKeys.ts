import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { VirtuosoHandle } from 'react-virtuoso';
import { useShortcuts } from '@/lib/useShortcuts';
import { endListFocus, useListFocus } from './listFocus';
import type { Ticket } from './types';

interface ListKeys {
  tickets: readonly Ticket[];
  selected: string | undefined;
  virtuoso: RefObject<VirtuosoHandle | null>;
  region: RefObject<HTMLElement | null>;
  /** Opens a ticket's conversation. */
  onOpen: (ticket: Ticket) => void;
  onKeyAction: (ticket: Ticket, action: KeyAction) => void;
}

export type KeyAction = 'accept' | 'return' | 'resolve' | 'transfer';

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
 * drawn. Enter follows its link. A accepts, T transfers, R returns and Ctrl-Enter resolves it, but
 * only a row that the keyboard led to and that was not opened since: who pressed or opened a row
 * and believes to be writing must not give a conversation away by a letter. Alt with an arrow opens
 * the next one from anywhere.
 */
export function useListKeys(props: ListKeys) {
  const { tickets, selected, virtuoso, region, onOpen, onKeyAction } = props;
  const [activeId, setActiveId] = useState<number | null>(null);
  const takesLetters = useRef(false);
  const placeOf = (id: number | null) => tickets.findIndex((ticket) => ticket.id === id);
  const selectedId = tickets.find(({ uuid }) => uuid === selected)?.id ?? null;
  const isActiveThere = placeOf(activeId) >= 0;
  const current = isActiveThere ? activeId : (selectedId ?? tickets[0]?.id ?? null);

  function lead(place: number, meansIt = true) {
    const ticket = tickets[place];
    if (!ticket) return;
    const take = () => {
      region.current
        ?.querySelector<HTMLElement>(`[data-ticket="${ticket.id}"] a`)
        ?.focus({ preventScroll: true });
      takesLetters.current = meansIt;
    };
    virtuoso.current?.scrollIntoView({ index: place, done: take });
    take();
  }

  function focus(place: number) {
    setActiveId(tickets[place]?.id ?? null);
    lead(place);
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

  /** False where the keys are not the list's. */
  function act(action: KeyAction) {
    if (!region.current?.contains(document.activeElement)) return false;
    // A transfer asks before it does anything.
    const isMeant = takesLetters.current || action === 'transfer';
    const ticket = isMeant ? tickets[placeOf(activeId)] : undefined;
    if (ticket) onKeyAction(ticket, action);
    return true;
  }

  function open(step: 1 | -1) {
    const place = placeOf(selectedId ?? activeId);
    const next = tickets[place < 0 ? 0 : place + step];
    if (!next) return;
    setActiveId(next.id);
    onOpen(next);
  }

  useShortcuts({
    j: () => move('j'),
    k: () => move('k'),
    a: () => act('accept'),
    t: () => act('transfer'),
    r: () => act('return'),
    'mod+enter': (event) => !event.repeat && act('resolve'),
    'alt+ArrowDown': () => open(1),
    'alt+ArrowUp': () => open(-1),
  });

  const wanted = useListFocus((list) => list.wanted);
  const takeFocus = useEffectEvent((ticketId: number | null) => {
    endListFocus();
    const place = placeOf(ticketId ?? current);
    // A row that one did not choose takes no letters: one may believe to be writing still.
    lead(Math.max(place, 0), ticketId === null);
  });
  useEffect(() => {
    if (wanted) takeFocus(wanted.ticketId);
  }, [wanted]);

  // The open conversation's row comes into sight with it, wherever it was opened from.
  const isListed = selectedId !== null;
  const showSelected = useEffectEvent(() =>
    virtuoso.current?.scrollIntoView({ index: placeOf(selectedId) }),
  );
  useEffect(() => {
    if (isListed) showSelected();
  }, [selected, isListed]);

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
