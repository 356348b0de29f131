import { Combobox as Chakra, chakra, createListCollection } from '@chakra-ui/react';
import { Check, ChevronDown, Plus, X } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
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
  /** The heading of an item; items of one heading must be adjacent. */
  itemGroup?: (item: T) => string;
  /** Items that are shown but cannot be chosen. */
  itemDisabled?: (item: T) => boolean;
  value: T | null;
  onChange: (item: T | null) => void;
  /** Called with the typed text. The items are then not filtered again. */
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
  /** Opens its list at the first focus; Enter takes the first item that matches the typed text. */
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

/** A text field with a list of matching items, of which one can be chosen. */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { items, itemKey, itemLabel, itemDisabled, renderItem, value, onChange, onSearch } = props;
  const creation = props.creation || undefined;
  const { minCharacters = 0, loading = false, disabled = false, eager = false, itemGroup } = props;
  const { error } = props;
  const { t } = useTranslation();
  const { id, 'aria-invalid': invalid } = useFieldProps();
  const [typed, setTyped] = useState('');
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
    const wanted = typed.trim().toLocaleLowerCase();
    const fitting = onSearch
      ? items
      : items.filter((item) => itemLabel(item).toLocaleLowerCase().includes(wanted));
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

  return (
    <Chakra.Root
      {...(id && { ids: { input: id, label: labelId(id) } })}
      collection={collection}
      value={value === null ? [] : [itemKey(value)]}
      defaultInputValue={value === null ? '' : itemLabel(value)}
      onValueChange={({ value: [key], items: [chosen] }) => {
        if (key === CREATION) creation?.onCreate();
        else onChange(chosen?.item ?? null);
      }}
      onInputValueChange={({ inputValue, reason }) => {
        const text = reason === 'input-change' ? inputValue : '';
        setTyped(text);
        onSearch?.(text);
      }}
      openOnClick
      {...(eager && {
        open: isOpen,
        onOpenChange: ({ open }) => setOpen(open),
        inputBehavior: 'autohighlight',
      })}
      positioning={{ strategy: 'fixed', sameWidth: true, ...(eager && { boundary }) }}
      disabled={disabled}
      invalid={invalid ?? false}
      placeholder={props.placeholder}
    >
      <Chakra.Control ref={control}>
        <Chakra.Input asChild>
          <TextInput aria-label={props['aria-label']} pe="14" {...(eager && { onFocus })} />
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
