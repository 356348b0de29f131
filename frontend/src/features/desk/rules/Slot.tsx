import { chakra } from '@chakra-ui/react';
import { useState, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Menu } from '@/components/Menu';
import { Popover } from '@/components/Popover';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { focusVisible } from '@/theme/recipes/controls';
import { touch } from '@/theme/screens';
import { minutesOf, spanOf, type Unit } from '../deadlines/form';

/** An underlined part of a sentence, which opens its chooser. */
const Underlined = chakra('button', {
  base: {
    display: 'inline',
    px: '0.5',
    minH: '6',
    textAlign: 'start',
    borderBottomWidth: '2px',
    borderBottomStyle: 'dotted',
    borderRadius: 'sm',
    borderBottomRadius: '0',
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    _hover: { bg: 'bg.hover' },
    _expanded: { bg: 'brand.subtle' },
    _focusVisible: focusVisible,
    [touch]: { display: 'inline-block', minW: '11', minH: '11', py: '2.5' },
  },
  variants: {
    isMissing: {
      true: { color: 'status.danger.fg', borderBottomColor: 'status.danger.fg' },
      false: { color: 'brand.fg', borderBottomColor: 'brand.fg' },
    },
  },
  defaultVariants: { isMissing: false },
});

interface SlotProps {
  /** What the part stands for, for screen readers: its word follows. */
  label: string;
  word: string;
  isMissing?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

function Slot({ label, word, ...props }: SlotProps) {
  return (
    <Underlined type="button" aria-label={`${label}: ${word}`} {...props}>
      {word}
    </Underlined>
  );
}

interface ChoiceSlotProps extends SlotProps {
  groups: readonly { label?: string; options: readonly { value: string; label: string }[] }[];
  value: string;
  onChange: (value: string) => void;
}

/** A part with one of a few choices. */
export function ChoiceSlot({ groups, value, onChange, ...slot }: ChoiceSlotProps) {
  return (
    <Menu
      placement="bottom-start"
      trigger={<Slot {...slot} />}
      groups={groups.map(({ label, options }) => ({
        ...(label && { label }),
        entries: options.map((option) => ({
          id: option.value,
          label: option.label,
          checked: option.value === value,
          onSelect: () => onChange(option.value),
        })),
      }))}
    />
  );
}

interface PanelSlotProps extends SlotProps {
  /** The chooser; `close` ends it. */
  children: (close: () => void) => ReactNode;
  width?: string;
}

/** A part with a chooser of its own. */
export function PanelSlot({ children, width = '320px', ...slot }: PanelSlotProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      label={slot.label}
      placement="bottom-start"
      width={width}
      trigger={<Slot {...slot} />}
      open={isOpen}
      onOpenChange={setOpen}
    >
      {children(() => setOpen(false))}
    </Popover>
  );
}

/** The button with which a chooser ends. */
export function Done({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('rules');
  return (
    <chakra.div display="flex" justifyContent="flex-end" mt="3">
      <Button size="sm" onClick={onClick}>
        {t('chooser.done')}
      </Button>
    </chakra.div>
  );
}

interface SpanPanelProps {
  minutes: number;
  onChange: (minutes: number) => void;
  /** Offers 0, with this word. */
  none?: string;
  onClose: () => void;
}

/** A length of time, in minutes, hours or days; what is none is not taken. */
export function SpanPanel({ minutes, onChange, none, onClose }: SpanPanelProps) {
  const { t } = useTranslation('rules');
  const [span, setSpan] = useState(() => spanOf(minutes));
  const take = (next: typeof span) => {
    setSpan(next);
    const found = minutesOf(next);
    if (found) onChange(found);
  };
  const isWrong = Number.isNaN(minutesOf(span));
  return (
    <>
      <chakra.div display="flex" gap="2">
        <TextInput
          size="sm"
          w="84px"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          aria-label={t('chooser.count')}
          aria-invalid={isWrong || undefined}
          value={span.count}
          onChange={(event) => take({ ...span, count: event.target.value })}
        />
        <Select
          size="sm"
          aria-label={t('chooser.unit')}
          options={(['minutes', 'hours', 'days'] as const).map((value) => ({
            value,
            label: t(`units.${value}`),
          }))}
          value={span.unit}
          onChange={(event) => take({ ...span, unit: event.target.value as Unit })}
        />
      </chakra.div>
      {none && (
        <chakra.div mt="2">
          <Button
            size="sm"
            variant="outline"
            onClick={() => {
              onChange(0);
              onClose();
            }}
          >
            {none}
          </Button>
        </chakra.div>
      )}
      <Done onClick={onClose} />
    </>
  );
}
