import { chakra } from '@chakra-ui/react';
import { Check, Clock } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { isTime, normaliseTime, shiftTime } from '@/lib/hours';
import { focusVisible } from '@/theme/recipes/controls';
import { IconButton } from './IconButton';
import { Popover } from './Popover';
import { TextInput } from './TextInput';

/** How far an arrow key moves a time, and two times of the list stand apart. */
const STEP_MINUTES = 15;
const TIMES = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, index) =>
  shiftTime('00:00', index * STEP_MINUTES),
);
const PAGE = 60 / STEP_MINUTES;

interface TimeFieldProps {
  /** HH:mm, or what was typed where that is no time. */
  value: string;
  onChange: (value: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  readOnly?: boolean;
  size?: 'sm' | 'md';
  name?: string;
  ref?: Ref<HTMLInputElement>;
  /** Needed when no Field gives the name. */
  'aria-label'?: string;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** A time of the day that is typed ('8', '830', '8h30') or chosen from its quarter hours. */
export function TimeField({ value, onChange, onBlur, readOnly, ref, ...props }: TimeFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!direction || readOnly) return;
    event.preventDefault();
    if (event.altKey) {
      setOpen(true);
      return;
    }
    setTyped(null);
    onChange(shiftTime(value, direction * STEP_MINUTES));
  };

  return (
    <TextInput
      ref={ref}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      fontVariantNumeric="tabular-nums"
      placeholder="--:--"
      readOnly={readOnly}
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(normaliseTime(event.target.value));
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
            label={t('time.list')}
            width="140px"
            open={open}
            onOpenChange={setOpen}
            initialFocus={() => list.current?.querySelector('[tabindex="0"]') ?? null}
            trigger={
              <IconButton size="sm" me="-1" icon={<Clock size={16} />} label={t('time.open')} />
            }
          >
            <Times
              ref={list}
              value={value}
              onPick={(time) => {
                setTyped(null);
                onChange(time);
                setOpen(false);
              }}
            />
          </Popover>
        )
      }
    />
  );
}

interface TimesProps {
  value: string;
  onPick: (time: string) => void;
  ref: React.RefObject<HTMLDivElement | null>;
}

function Times({ value, onPick, ref }: TimesProps) {
  const { t } = useTranslation();
  // The quarter hour of the time; a morning's first where there is none.
  const [active, setActive] = useState(() =>
    TIMES.findLastIndex((time) => time <= (isTime(value) ? value : '09:00')),
  );
  const takesFocus = useRef(false);
  useEffect(() => {
    const current = () => ref.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (takesFocus.current) {
      current()?.focus();
      return;
    }
    // Before it is drawn there is nothing to scroll.
    const frame = requestAnimationFrame(() => current()?.scrollIntoView({ block: 'center' }));
    return () => cancelAnimationFrame(frame);
  }, [active, ref]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = TIMES.length - 1;
    const next = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - PAGE,
      PageDown: active + PAGE,
      Home: 0,
      End: last,
    }[event.key];
    const time = TIMES[active];
    if (next !== undefined) {
      takesFocus.current = true;
      setActive(Math.min(last, Math.max(0, next)));
    } else if ((event.key === 'Enter' || event.key === ' ') && time) onPick(time);
    else return;
    event.preventDefault();
  };

  return (
    <chakra.div
      ref={ref}
      role="listbox"
      aria-label={t('time.list')}
      maxH="240px"
      overflowY="auto"
      m="-3"
      p="1"
      onKeyDown={onKeyDown}
    >
      {TIMES.map((time, index) => (
        <chakra.div
          key={time}
          role="option"
          aria-selected={time === value}
          tabIndex={index === active ? 0 : -1}
          onClick={() => onPick(time)}
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          h="8"
          px="3"
          textStyle="sm"
          fontVariantNumeric="tabular-nums"
          borderRadius="sm"
          cursor="pointer"
          _hover={{ bg: 'bg.hover' }}
          _selected={{ color: 'brand.fg', fontWeight: 'semibold' }}
          _focusVisible={{ ...focusVisible, outlineOffset: '-2px' }}
        >
          {time}
          {time === value && <Check size={16} aria-hidden />}
        </chakra.div>
      ))}
    </chakra.div>
  );
}
