import { chakra } from '@chakra-ui/react';
import { Check, Clock } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isTime, normaliseTime, shiftTime } from '@/lib/hours';
import { focusVisible } from '@/theme/recipes/controls';
import { PickedField, type PickedFieldProps } from './PickedField';

/** The step of the arrow keys, and of the times in the list. */
const STEP_MINUTES = 15;
const TIMES = Array.from({ length: (24 * 60) / STEP_MINUTES }, (_, index) =>
  shiftTime('00:00', index * STEP_MINUTES),
);
const PAGE = 60 / STEP_MINUTES;

/** A time of day, HH:mm, that is typed ('8', '830', '8h30') or chosen from quarter hours. */
export function TimeField({ value, ...props }: PickedFieldProps) {
  const { t } = useTranslation();
  return (
    <PickedField
      {...props}
      shown={value}
      placeholder="--:--"
      maxLength={8}
      read={normaliseTime}
      step={(direction) => shiftTime(value, direction * STEP_MINUTES)}
      icon={<Clock size={16} />}
      open={t('time.open')}
      label={t('time.list')}
      width="140px"
    >
      {(pick) => <Times value={value} onPick={pick} />}
    </PickedField>
  );
}

interface TimesProps {
  value: string;
  onPick: (time: string) => void;
}

function Times({ value, onPick }: TimesProps) {
  const { t } = useTranslation();
  // The quarter hour of the time; a default in the morning if there is none.
  const [active, setActive] = useState(() =>
    TIMES.findLastIndex((time) => time <= (isTime(value) ? value : '09:00')),
  );
  const list = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  useEffect(() => {
    const current = () => list.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (takesFocus.current) {
      current()?.focus();
      return;
    }
    // Scrolling works only after the list is rendered.
    const frame = requestAnimationFrame(() => current()?.scrollIntoView({ block: 'center' }));
    return () => cancelAnimationFrame(frame);
  }, [active]);

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
      ref={list}
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
