import { chakra } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '@/components/TextInput';
import { Checkbox } from '@/components/Toggle';
import { foldText } from '@/lib/search';

export interface CheckOption {
  id: number;
  name: string;
  /** A dot or picture before the label. */
  mark?: ReactNode;
}

interface CheckGroupProps {
  label: string;
  options: readonly CheckOption[];
  value: readonly number[];
  onChange: (ids: number[]) => void;
  /** Shown if there are no options. */
  empty: string;
}

/** Up to this many options need no search field. */
const FEW = 8;
/** At most this many options are shown; the search finds the others. */
const SHOWN = 50;

/** A multiple choice in a popover, with a search field if there are many options. */
export function CheckGroup({ label, options, value, onChange, empty }: CheckGroupProps) {
  const { t } = useTranslation('inbox');
  const [typed, setTyped] = useState('');
  const wanted = foldText(typed);
  const fitting = options.filter(({ name }) => foldText(name).includes(wanted));
  // Chosen options come first, so that they stay in sight in a long list.
  const [order] = useState(() => new Set(value));
  const sorted = [
    ...fitting.filter(({ id }) => order.has(id)),
    ...fitting.filter(({ id }) => !order.has(id)),
  ];
  const hidden = sorted.length - SHOWN;
  return (
    <chakra.div role="group" aria-label={label} display="flex" flexDirection="column" gap="2">
      {options.length > FEW && (
        <TextInput
          size="sm"
          aria-label={t('filters.find', { label })}
          placeholder={t('filters.findPlaceholder')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <chakra.div
        display="flex"
        flexDirection="column"
        gap="2"
        maxH="200px"
        overflowY="auto"
        // Room for the focus rings, which the scroll container would clip.
        p="1"
        m="-1"
      >
        {sorted.length === 0 && (
          <chakra.p textStyle="sm" color="fg.muted">
            {options.length === 0 ? empty : t('filters.noneFits')}
          </chakra.p>
        )}
        {sorted.slice(0, SHOWN).map(({ id, name, mark }) => (
          <Checkbox
            key={id}
            checked={value.includes(id)}
            onChange={(on) => onChange(on ? [...value, id] : value.filter((each) => each !== id))}
            label={
              <chakra.span display="inline-flex" alignItems="center" gap="2" minW="0">
                {mark}
                <chakra.span overflowWrap="anywhere">{name}</chakra.span>
              </chakra.span>
            }
          />
        ))}
        {hidden > 0 && (
          <chakra.p textStyle="xs" color="fg.muted">
            {t('filters.more', { count: hidden })}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}

/** Round for a queue, square for a tag. */
export function Dot({ colour, square = false }: { colour?: string; square?: boolean }) {
  return (
    <chakra.span
      aria-hidden
      flexShrink="0"
      w="2"
      h="2"
      borderRadius={square ? '2px' : 'full'}
      bg="fg.subtle"
      {...(colour && { style: { backgroundColor: colour } })}
    />
  );
}
