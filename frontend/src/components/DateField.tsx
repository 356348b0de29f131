import { CalendarDays } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, dateOf, dayOf, readDay } from '@/lib/dates';
import { formatDay } from '@/lib/format';
import { IconButton } from './IconButton';
import { MonthGrid } from './MonthGrid';
import { Popover } from './Popover';
import { TextInput } from './TextInput';

export interface DateFieldProps {
  /** YYYY-MM-DD, or what was typed where that is no day. */
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  /** The first day that the calendar offers. */
  min?: string;
  readOnly?: boolean;
  size?: 'sm' | 'md';
  name?: string;
  ref?: Ref<HTMLInputElement>;
  /** Needed when no Field gives the name. */
  'aria-label'?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/**
 * A day that is typed, DD/MM/YYYY as on all pages, or chosen from a calendar. A browser's own field
 * speaks the browser's language; Chakra's puts an impossible day right without a word.
 */
export function DateField({
  value,
  onChange,
  onBlur,
  min,
  readOnly,
  ref,
  ...props
}: DateFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const date = dateOf(value);

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!direction || readOnly) return;
    event.preventDefault();
    if (event.altKey) {
      setOpen(true);
      return;
    }
    if (!date) return;
    setTyped(null);
    onChange(dayOf(addDays(date, direction)));
  };

  return (
    <TextInput
      ref={ref}
      inputMode="numeric"
      autoComplete="off"
      maxLength={16}
      fontVariantNumeric="tabular-nums"
      placeholder={t('date.placeholder')}
      readOnly={readOnly}
      value={typed ?? (date ? formatDay(value) : value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(readDay(event.target.value) ?? event.target.value.trim());
      }}
      onBlur={() => {
        setTyped(null);
        onBlur?.();
      }}
      onKeyDown={onKeyDown}
      {...props}
      end={
        !readOnly && (
          <Popover
            label={t('date.calendar')}
            width="344px"
            placement="bottom-start"
            open={open}
            onOpenChange={setOpen}
            initialFocus={() => grid.current?.querySelector('td[tabindex="0"]') ?? null}
            trigger={
              <IconButton
                size="sm"
                me="-1"
                icon={<CalendarDays size={16} />}
                label={t('date.open')}
              />
            }
          >
            <div ref={grid}>
              <MonthGrid
                value={value}
                min={min}
                onPick={(day) => {
                  setTyped(null);
                  onChange(day);
                  setOpen(false);
                }}
              />
            </div>
          </Popover>
        )
      }
    />
  );
}
