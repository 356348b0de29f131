import { Combobox as Chakra, chakra, createListCollection } from '@chakra-ui/react';
import { Check, ChevronDown, Plus, X } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from './Button';
import { labelId, useFieldProps } from './Field';
import { TextInput } from './TextInput';

/** Low enough to be left open over a form. */
const EAGER_HEIGHT = 'min(240px, var(--available-height))';

interface ComboboxProps<T> {
  items: readonly T[];
  itemKey: (item: T) => string;
  itemLabel: (item: T) => string;
  /** How an item is drawn in the list; its label when left out. */
  renderItem?: (item: T) => ReactNode;
  /** Under which heading an item stands; those of one heading follow each other. */
  itemGroup?: (item: T) => string;
  /** Items that are shown and can not be chosen. */
  itemDisabled?: (item: T) => boolean;
  value: T | null;
  onChange: (item: T | null) => void;
  /** Called with what is typed. The items are then taken as already searched for. */
  onSearch?: (text: string) => void;
  /** Offered after what fits: making what was looked for. Its words, and what it does. */
  creation?: { label: string; onCreate: () => void } | false | undefined;
  /** Fewer typed characters than this show a hint instead of items. */
  minCharacters?: number;
  /** The items that fit are not known yet: nothing is said of them. */
  loading?: boolean;
  /** Why there is nothing to offer, in words. */
  error?: string | null;
  disabled?: boolean;
  /** Shows its items at its first focus; Enter takes the first that fits what is typed. */
  eager?: boolean;
  placeholder?: string;
  /** Needed when no Field gives the name. */
  'aria-label'?: string;
}

/** No item's key. */
const CREATION = '\u0000';

/** What the list offers; null stands for making a new one. */
interface Choice<T> {
  item: T | null;
}

/** A field to type in that offers what fits; one choice. */
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
  /** Opened unasked, its list hides no button below the form. */
  const boundary = () => control.current?.closest('[data-dialog-body]') ?? 'clippingAncestors';
  // Not before: a list that opens ahead of its dialog would lie below it and take no click.
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
    // The chosen one stays known when nothing is searched for, and so does its name.
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
