import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { TextInput, type TextInputProps } from './TextInput';

export const SEARCH_DEBOUNCE_MS = 500;

interface SearchInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'startIcon'> {
  /** Names the field; also shown in the empty field, unless there is a placeholder. */
  label: string;
  /** The current search; a change from outside updates the field. */
  value: string;
  /** Called 500 ms after the last keystroke, on Enter at once. */
  onSearch: (text: string) => void;
}

/** A search field. */
export function SearchInput({ label, value, onSearch, ...props }: SearchInputProps) {
  const [typed, setTyped] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  const search = useEffectEvent(onSearch);
  if (value !== shownValue) {
    setShownValue(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => search(typed), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <TextInput
      type="search"
      autoComplete="off"
      aria-label={label}
      placeholder={label}
      startIcon={<Search size={16} />}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(typed);
      }}
      {...props}
    />
  );
}
