import { useCallback, useState, type KeyboardEvent } from 'react';
import { useQuickMessages, type QuickMessage } from '@/features/quickMessages/api';
import { matching, termOf } from './quickMessageSearch';

const NONE: readonly QuickMessage[] = [];

interface Options {
  /** The text in the input. */
  text: string;
  enabled: boolean;
  onChoose: (chosen: QuickMessage) => void;
  /** The list was closed and the input gets the focus. */
  onLeave: () => void;
}

/** The offered quick messages, the highlighted one, and the handling of keys. */
export function useQuickMessagePicker({ text, enabled, onChoose, onLeave }: Options) {
  const { data = NONE } = useQuickMessages();
  /** The search text if opened by the button; else null. */
  const [search, setSearch] = useState<string | null>(null);
  /** The text for which Escape closed the list. */
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [markedId, setMarkedId] = useState<number | null>(null);

  const typed = termOf(text);
  const term = search ?? (typed !== null && closedFor !== text ? typed : null);
  const offered = term === null || !enabled ? NONE : matching(data, term);
  // If nothing matches, the typed text is not a shortcode: the list stays closed.
  const isOpen = enabled && (search !== null || offered.length > 0);
  const marked = offered.find(({ id }) => id === markedId) ?? offered[0];

  const close = useCallback(() => {
    setSearch(null);
    setMarkedId(null);
    setClosedFor(text);
  }, [text]);

  const choose = (chosen: QuickMessage) => {
    onChoose(chosen);
    setSearch(null);
    setMarkedId(null);
  };

  const move = (steps: number) => {
    const place = offered.findIndex(({ id }) => id === marked?.id);
    const next = offered[(place + steps + offered.length) % offered.length];
    if (next) setMarkedId(next.id);
  };

  /** Returns whether the list handled the key. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false;
    switch (event.key) {
      case 'ArrowDown':
        move(1);
        break;
      case 'ArrowUp':
        move(-1);
        break;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        if (marked) choose(marked);
        else if (event.key === 'Tab') return false;
        break;
      case 'Escape':
        close();
        if (search !== null) onLeave();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    isOpen,
    offered,
    activeId: isOpen ? (marked?.id ?? null) : null,
    mark: setMarkedId,
    choose,
    close,
    onKey,
    search: search === null ? null : { text: search, onChange: setSearch },
    toggle: () => setSearch((before) => (before === null ? '' : null)),
  };
}
