import { Combobox as Chakra, chakra, createListCollection } from '@chakra-ui/react';
import { Check, ChevronDown, Plus, X } from 'lucide-react';
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameRank } from '@/lib/search';
import { Spinner } from './Button';
import { labelId, useFieldProps } from './Field';
import { TextInput } from './TextInput';

/** Low enough to stay open over a form. */
const EAGER_HEIGHT = 'min(240px, var(--available-height))';

interface ComboboxProps<T> {
  items: readonly T[];
  itemKey: (item: T) => string;
  itemLabel: (item: T) => string;
  /** Renders an item in the list; its label by default. */
  renderItem?: (item: T) => ReactNode;
  /** The heading of an item. */
  itemGroup?: (item: T) => string;
  /** Items that are shown but cannot be chosen. */
  itemDisabled?: (item: T) => boolean;
  value: T | null;
  onChange: (item: T | null) => void;
  /**
   * Called with the typed text. The items are then the matches, also those that match by something
   * else than their label; while `loading`, only those that match by it are offered.
   */
  onSearch?: (text: string) => void;
  /** An entry after the matches that creates the typed item: its label and its action. */
  creation?: { label: string; onCreate: () => void } | false | undefined;
  /** Fewer typed characters than this show a hint instead of items. */
  minCharacters?: number;
  /** The matches are not known yet: the list says nothing about them. */
  loading?: boolean;
  /** Why no items could be loaded, in words. */
  error?: string | null;
  disabled?: boolean;
  /** Opens its list at the first focus. */
  eager?: boolean;
  placeholder?: string;
  /** Required if no Field supplies the name. */
  'aria-label'?: string;
}

/** A key that no item has. */
const CREATION = '\u0000';

/** An entry of the list; null means creating a new item. */
interface Choice<T> {
  item: T | null;
}

/**
 * The items in the order of their match with the typed text: by the beginning of the label, by that
 * of a word in it, inside it, then those that match by something else. Items of one heading are
 * adjacent.
 */
function ranked<T>(
  items: readonly T[],
  rankOf: (item: T) => number | null,
  itemGroup: ((item: T) => string) | undefined,
): T[] {
  const ranks = new Map(items.map((item) => [item, rankOf(item) ?? Infinity]));
  const rank = (item: T) => ranks.get(item) ?? Infinity;
  // Infinity minus itself is no number.
  const sorted = [...items].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  if (!itemGroup) return sorted;
  const headings = [...new Set(sorted.map(itemGroup))];
  return headings.flatMap((heading) => sorted.filter((item) => itemGroup(item) === heading));
}

/**
 * A text field with a list of matching items, of which one can be chosen. The best match is
 * highlighted; Enter and Tab choose the highlighted item. What is typed stays until an item is
 * chosen; typing over a chosen item unsets it.
 */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { items, itemKey, itemLabel, itemDisabled, renderItem, value, onChange, onSearch } = props;
  const creation = props.creation || undefined;
  const { minCharacters = 0, loading = false, disabled = false, eager = false, itemGroup } = props;
  const { error } = props;
  const { t } = useTranslation();
  const { id, 'aria-invalid': invalid } = useFieldProps();
  const valueKey = value === null ? null : itemKey(value);
  const [known, setKnown] = useState(valueKey);
  const [text, setText] = useState(value === null ? '' : itemLabel(value));
  /** The part of the text that searches: none while it is the name of the chosen item. */
  const [typed, setTyped] = useState('');
  if (valueKey !== known) {
    // Another item was chosen, here or by the form.
    setKnown(valueKey);
    setText(value === null ? '' : itemLabel(value));
    setTyped('');
  }
  const highlighted = useRef<T | null>(null);
  /** Whether the highlight was moved by key, not only by the pointer. */
  const isMoved = useRef(false);
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const control = useRef<HTMLDivElement>(null);
  /** A list that opens by itself must not cover a button below the form. */
  const boundary = () => control.current?.closest('[data-dialog-body]') ?? 'clippingAncestors';
  // Not earlier: a list that opens before its dialog would lie below it and receive no click.
  const onFocus = () => {
    if (!wasOpen.current) setOpen(true);
    wasOpen.current = true;
  };
  const creates = creation !== undefined;
  const isShort = typed.trim().length < minCharacters;

  const collection = useMemo(() => {
    const rankOf = (item: T) => nameRank(itemLabel(item), typed);
    const fitting = ranked(
      onSearch && !loading ? items : items.filter((item) => rankOf(item) !== null),
      rankOf,
      itemGroup,
    );
    // The chosen item and its name remain available while nothing is searched for.
    const offered = isShort ? (value === null || typed ? [] : [value]) : fitting;
    return createListCollection<Choice<T>>({
      items: [...offered.map((item) => ({ item })), ...(creates ? [{ item: null }] : [])],
      itemToValue: ({ item }) => (item === null ? CREATION : itemKey(item)),
      itemToString: ({ item }) => (item === null ? typed : itemLabel(item)),
      isItemDisabled: ({ item }) => item !== null && (itemDisabled?.(item) ?? false),
      ...(itemGroup && { groupBy: ({ item }) => (item === null ? '' : itemGroup(item)) }),
    });
  }, [
    items,
    value,
    typed,
    isShort,
    loading,
    creates,
    onSearch,
    itemKey,
    itemLabel,
    itemDisabled,
    itemGroup,
  ]);
  const option = (choice: Choice<T>) =>
    choice.item === null ? (
      <Chakra.Item key={CREATION} item={choice} color="brand.fg" fontWeight="medium">
        <Plus size={16} aria-hidden />
        <Chakra.ItemText overflowWrap="anywhere">{creation?.label}</Chakra.ItemText>
      </Chakra.Item>
    ) : (
      <Chakra.Item key={itemKey(choice.item)} item={choice}>
        <Chakra.ItemText>{renderItem?.(choice.item) ?? itemLabel(choice.item)}</Chakra.ItemText>
        <Chakra.ItemIndicator>
          <Check size={16} />
        </Chakra.ItemIndicator>
      </Chakra.Item>
    );

  const hint = isShort
    ? t('combobox.keepTyping', { count: minCharacters })
    : loading
      ? t('combobox.loading')
      : error
        ? null
        : t('combobox.empty');

  const search = (wanted: string) => {
    setTyped(wanted);
    onSearch?.(wanted);
  };
  const write = (written: string) => {
    isMoved.current = false;
    setText(written);
    search(written);
    if (value === null) return;
    // The text stays: it is what the user searches for now.
    setKnown(null);
    onChange(null);
  };
  const choose = (item: T | null) => {
    setText(item === null ? '' : itemLabel(item));
    search('');
    onChange(item);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (event.key.startsWith('Arrow')) isMoved.current = true;
    // The list stays open for the matches that are on their way.
    if (event.key === 'Enter' && isPlain && loading && typed && !highlighted.current)
      event.preventDefault();
    const isMeant = typed.trim() !== '' || isMoved.current;
    if (event.key === 'Tab' && isPlain && isMeant && highlighted.current)
      choose(highlighted.current);
  };

  return (
    <Chakra.Root
      {...(id && { ids: { input: id, label: labelId(id) } })}
      collection={collection}
      value={valueKey === null ? [] : [valueKey]}
      inputValue={text}
      onValueChange={({ value: [key], items: [chosen] }) => {
        if (key === CREATION) creation?.onCreate();
        else choose(chosen?.item ?? null);
      }}
      onHighlightChange={({ highlightedItem }) => {
        highlighted.current = highlightedItem?.item ?? null;
      }}
      // Leaving the field, Escape and Enter without a match keep what is typed.
      selectionBehavior="preserve"
      inputBehavior="autohighlight"
      openOnClick
      {...(eager && { open: isOpen, onOpenChange: ({ open }) => setOpen(open) })}
      positioning={{ strategy: 'fixed', sameWidth: true, ...(eager && { boundary }) }}
      disabled={disabled}
      invalid={invalid ?? false}
      placeholder={props.placeholder}
    >
      {/* Before the library's own handler of the key. */}
      <Chakra.Control ref={control} onKeyDownCapture={onKeyDown}>
        <Chakra.Input asChild>
          <TextInput
            aria-label={props['aria-label']}
            pe="14"
            // Not the library's event: it comes later, and a letter typed meanwhile would be lost.
            onChange={(event) => write(event.target.value)}
            {...(eager && { onFocus })}
          />
        </Chakra.Input>
        <Chakra.IndicatorGroup>
          {loading && !isShort && <Spinner />}
          {value !== null && (
            <Chakra.ClearTrigger aria-label={t('actions.clear')} cursor="pointer">
              <X size={16} />
            </Chakra.ClearTrigger>
          )}
          <Chakra.Trigger aria-label={t('combobox.open')} cursor="pointer">
            <ChevronDown size={16} />
          </Chakra.Trigger>
        </Chakra.IndicatorGroup>
      </Chakra.Control>
      {/* No portal: a dialog hides from screen readers what is outside it. */}
      <Chakra.Positioner>
        <Chakra.Content {...(eager && { maxH: EAGER_HEIGHT })}>
          <Chakra.Empty>
            {hint ?? (
              <chakra.span role="alert" color="status.danger.fg">
                {error}
              </chakra.span>
            )}
          </Chakra.Empty>
          {itemGroup
            ? collection.group().map(([heading, members]) => (
                <Chakra.ItemGroup key={heading}>
                  <Chakra.ItemGroupLabel>{heading}</Chakra.ItemGroupLabel>
                  {members.map(option)}
                </Chakra.ItemGroup>
              ))
            : collection.items.map(option)}
        </Chakra.Content>
      </Chakra.Positioner>
    </Chakra.Root>
  );
}
