import { chakra } from '@chakra-ui/react';
import {
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { useTranslation } from 'react-i18next';
import { isTouch } from '@/lib/useMedia';
import { touch } from '@/theme/screens';
import { markOf, toggleMark } from './marks';
import { LIST_ID, optionId } from './QuickMessagePicker';

const LINE_PX = 20;
const MAX_ROWS = 5;

export interface TextFieldHandle {
  focus: () => void;
  /** Focuses the input with the caret at the end. */
  focusEnd: () => void;
  /** Inserts a text at the caret, or replaces the selection. */
  insert: (text: string) => void;
  /**
   * Returns the whole text with the selection, or all of it, replaced; the caret moves behind the
   * replacement.
   */
  replaced: (text: string, all: boolean) => string;
  element: () => HTMLTextAreaElement | null;
}

interface TextFieldProps {
  ref: Ref<TextFieldHandle>;
  /** The name of the input, where it is not the composer's. */
  label?: string;
  text: string;
  onChange: (text: string) => void;
  placeholder: string;
  /** Receives pasted files. */
  onFiles?: ((files: File[]) => void) | undefined;
  onSubmit: () => void;
  /** Ctrl-Enter: sends and resolves. */
  onSubmitLast: () => void;
  /** Arrow up in the empty input; returns whether there was anything to edit. */
  onEditLast: () => boolean;
  /** Handles a key before the field does; returns whether it did. */
  onKeyFirst: (event: KeyboardEvent) => boolean;
  /** Returns whether there was anything to cancel. */
  onEscape: () => boolean;
  /** The index of the quick message that Enter would insert. */
  activeOption: number | null;
}

const isPlain = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && !shiftKey;

/**
 * The input: grows to five rows. Enter sends, Ctrl-Enter also resolves, and Shift-Enter breaks the
 * line. On a touch screen, which has no other way, Enter breaks the line and the button sends.
 */
export function TextField(props: TextFieldProps) {
  const { ref, text, onChange, onFiles, activeOption } = props;
  const { t } = useTranslation('messages');
  const input = useRef<HTMLTextAreaElement>(null);
  /** The selection to set after the changed text is rendered. */
  const selection = useRef<[number, number] | null>(null);

  useLayoutEffect(() => {
    const element = input.current;
    if (!element) return;
    element.style.height = 'auto';
    const { paddingTop, paddingBottom } = getComputedStyle(element);
    const most = MAX_ROWS * LINE_PX + parseFloat(paddingTop) + parseFloat(paddingBottom);
    element.style.height = `${Math.min(element.scrollHeight, most)}px`;
    if (selection.current === null) return;
    element.setSelectionRange(...selection.current);
    selection.current = null;
  }, [text]);

  const selected = (): [number, number] => [
    input.current?.selectionStart ?? text.length,
    input.current?.selectionEnd ?? text.length,
  ];
  const replaced = (inserted: string, all: boolean) => {
    const [start, end] = all ? [0, text.length] : selected();
    const caret = start + inserted.length;
    selection.current = [caret, caret];
    return text.slice(0, start) + inserted + text.slice(end);
  };
  useImperativeHandle(ref, () => ({
    focus: () => input.current?.focus({ preventScroll: true }),
    focusEnd: () => {
      input.current?.focus({ preventScroll: true });
      input.current?.setSelectionRange(text.length, text.length);
    },
    insert: (inserted) => onChange(replaced(inserted, false)),
    replaced,
    element: () => input.current,
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (props.onKeyFirst(event)) return;
    const mark = markOf(event);
    const breaks = event.shiftKey || (isTouch() && !event.ctrlKey && !event.metaKey);
    if (event.key === 'Enter' && event.altKey) {
      // It saves a note: who believes to write one must not send it.
      event.preventDefault();
    } else if (event.key === 'Enter' && !breaks && !event.nativeEvent.isComposing) {
      event.preventDefault();
      if (!event.ctrlKey && !event.metaKey) props.onSubmit();
      // A key that is held must not resolve the next conversation as well.
      else if (!event.repeat) props.onSubmitLast();
    } else if (event.key === 'ArrowUp' && text === '' && isPlain(event)) {
      if (props.onEditLast()) event.preventDefault();
    } else if (event.key === 'Escape') {
      if (props.onEscape()) event.preventDefault();
    } else if (mark) {
      event.preventDefault();
      const [start, end] = selected();
      const marked = toggleMark({ text, start, end }, mark);
      selection.current = [marked.start, marked.end];
      onChange(marked.text);
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || !onFiles) return;
    event.preventDefault();
    onFiles(pasted);
  };

  return (
    <chakra.textarea
      ref={input}
      aria-label={props.label ?? t('composer.input')}
      aria-autocomplete="list"
      aria-controls={activeOption === null ? undefined : LIST_ID}
      aria-activedescendant={activeOption === null ? undefined : optionId(activeOption)}
      placeholder={props.placeholder}
      enterKeyHint={isTouch() ? 'enter' : 'send'}
      rows={1}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      display="block"
      w="full"
      px="4"
      pt="3"
      pb="1"
      css={{ [touch]: { pb: '3.5' } }}
      resize="none"
      outline="none"
      bg="transparent"
      // Below 16 px a phone zooms in.
      fontSize={{ base: '16px', sm: 'md' }}
      lineHeight={`${LINE_PX}px`}
      overflowY="auto"
      _placeholder={{ color: 'fg.subtle', opacity: 1 }}
    />
  );
}
