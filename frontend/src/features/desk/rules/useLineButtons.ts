import { useRef } from 'react';

/** Keeps the focus in a list of lines when one of them goes: lines are known by their place. */
export function useLineButtons() {
  const add = useRef<HTMLButtonElement>(null);
  const removes = useRef<(HTMLButtonElement | null)[]>([]);
  return {
    /** The button for another line, which gets the focus when no line can be removed any more. */
    add,
    removeAt: (index: number) => (button: HTMLButtonElement | null) => {
      removes.current[index] = button;
    },
    /** Before the line at `index` goes: the next one takes its place, the last one has none. */
    leave: (index: number, count: number) => {
      if (count === 1) add.current?.focus();
      else if (index === count - 1) removes.current[index - 1]?.focus();
    },
  };
}
