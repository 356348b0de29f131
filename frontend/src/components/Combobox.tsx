import { Combobox as Chakra, createListCollection } from '@chakra-ui/react';
import { Check, ChevronDown, X } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from './Button';
import { labelId, useFieldProps } from './Field';
import { TextInput } from './TextInput';

interface ComboboxProps<T> {
  items: readonly T[];
  itemKey: (item: T) => string;
  itemLabel: (item: T) => string;
  /** How an item is drawn in the list; its label when left out. */
  renderItem?: (item: T) => ReactNode;
  /** Items that are shown and can not be chosen. */
  itemDisabled?: (item: T) => boolean;
  value: T | null;
  onChange: (item: T | null) => void;
  /** Called with what is typed. The items are then taken as already searched for. */
  onSearch?: (text: string) => void;
  /** Fewer typed characters than this show a hint instead of items. */
  minCharacters?: number;
  loading?: boolean;
  disabled?: boolean;
  placeholder?: string;
  /** Needed when no Field gives the name. */
  'aria-label'?: string;
}

/** A field to type in that offers what fits; one choice. */
export function Combobox<T>(props: ComboboxProps<T>) {
  const { items, itemKey, itemLabel, itemDisabled, renderItem, value, onChange, onSearch } = props;
  const { minCharacters = 0, loading = false, disabled = false } = props;
  const { t } = useTranslation();
  const { id, 'aria-invalid': invalid } = useFieldProps();
  const [typed, setTyped] = useState('');
  const isShort = typed.trim().length < minCharacters;

  const collection = useMemo(() => {
    const wanted = typed.trim().toLocaleLowerCase();
    const fitting = onSearch
      ? items
      : items.filter((item) => itemLabel(item).toLocaleLowerCase().includes(wanted));
    return createListCollection({
      // The chosen one stays known when nothing is searched for, and so does its name.
      items: isShort ? (value === null || typed ? [] : [value]) : [...fitting],
      itemToValue: itemKey,
      itemToString: itemLabel,
      ...(itemDisabled && { isItemDisabled: itemDisabled }),
    });
  }, [items, value, typed, isShort, onSearch, itemKey, itemLabel, itemDisabled]);

  const hint = isShort
    ? t('combobox.keepTyping', { count: minCharacters })
    : loading
      ? t('combobox.loading')
      : t('combobox.empty');

  return (
    <Chakra.Root
      {...(id && { ids: { input: id, label: labelId(id) } })}
      collection={collection}
      value={value === null ? [] : [itemKey(value)]}
      defaultInputValue={value === null ? '' : itemLabel(value)}
      onValueChange={({ items: chosen }) => onChange(chosen[0] ?? null)}
      onInputValueChange={({ inputValue, reason }) => {
        const text = reason === 'input-change' ? inputValue : '';
        setTyped(text);
        onSearch?.(text);
      }}
      openOnClick
      positioning={{ strategy: 'fixed', sameWidth: true }}
      disabled={disabled}
      invalid={invalid ?? false}
      placeholder={props.placeholder}
    >
      <Chakra.Control>
        <Chakra.Input asChild>
          <TextInput aria-label={props['aria-label']} pe="14" />
        </Chakra.Input>
        <Chakra.IndicatorGroup>
          {loading && <Spinner />}
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
        <Chakra.Content>
          <Chakra.Empty>{hint}</Chakra.Empty>
          {collection.items.map((item) => (
            <Chakra.Item key={itemKey(item)} item={item}>
              <Chakra.ItemText>{renderItem?.(item) ?? itemLabel(item)}</Chakra.ItemText>
              <Chakra.ItemIndicator>
                <Check size={16} />
              </Chakra.ItemIndicator>
            </Chakra.Item>
          ))}
        </Chakra.Content>
      </Chakra.Positioner>
    </Chakra.Root>
  );
}
