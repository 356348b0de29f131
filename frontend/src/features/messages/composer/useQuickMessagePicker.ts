import { useCallback, useState, type KeyboardEvent } from 'react';
import { useQuickMessages, type QuickMessage } from '@/features/quickMessages/api';
import { matching, termOf } from './quickMessageSearch';

const NONE: readonly QuickMessage[] = [];

interface Options {
  /** What stands in the input. */
  text: string;
  enabled: boolean;
  onChoose: (chosen: QuickMessage) => void;
  /** The list closed and the input is to have the focus. */
  onLeave: () => void;
}

/** Which quick messages are offered now, which one is marked, and what the keys do with them. */
export function useQuickMessagePicker({ text, enabled, onChoose, onLeave }: Options) {
  const { data = NONE } = useQuickMessages();
  /** Opened by the button: what is searched for; null while it is not. */
  const [search, setSearch] = useState<string | null>(null);
  /** The text for which Escape closed the list. */
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const [markedId, setMarkedId] = useState<number | null>(null);

  const typed = termOf(text);
  const term = search ?? (typed !== null && closedFor !== text ? typed : null);
  const offered = term === null || !enabled ? NONE : matching(data, term);
  // What is typed may be no shortcode at all: then nothing is in its way.
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

  /** Answers whether the key was for the list. */
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
