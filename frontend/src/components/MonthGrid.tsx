import { chakra } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { addDays, addMonths, dateOf, dayOf, firstDayOf, midnight, weeksOf } from '@/lib/dates';
import { focusVisible } from '@/theme/recipes/controls';
import { touch } from '@/theme/screens';
import { Button } from './Button';
import { IconButton } from './IconButton';

interface MonthGridProps {
  /** YYYY-MM-DD; any other value shows the current month. */
  value: string;
  /** The earliest day that can be chosen. */
  min?: string | undefined;
  onPick: (day: string) => void;
}

/** The day to which a key moves from a day; Shift with a page key moves a year. */
function moved(date: Date, { key, shiftKey }: KeyboardEvent, firstDay: number): Date | null {
  const place = (date.getDay() - firstDay + 7) % 7;
  const page = shiftKey ? 12 : 1;
  switch (key) {
    case 'ArrowLeft':
      return addDays(date, -1);
    case 'ArrowRight':
      return addDays(date, 1);
    case 'ArrowUp':
      return addDays(date, -7);
    case 'ArrowDown':
      return addDays(date, 7);
    case 'Home':
      return addDays(date, -place);
    case 'End':
      return addDays(date, 6 - place);
    case 'PageUp':
      return addMonths(date, -page);
    case 'PageDown':
      return addMonths(date, page);
    default:
      return null;
  }
}

/** A month in the chosen language to choose a day from; one of its days is in the tab order. */
export function MonthGrid({ value, min, onPick }: MonthGridProps) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const firstDay = firstDayOf(language);
  const titleId = useId();
  const [active, setActive] = useState(() => dateOf(value) ?? midnight(new Date()));
  const body = useRef<HTMLTableSectionElement>(null);
  const takesFocus = useRef(false);
  useEffect(() => {
    if (takesFocus.current)
      body.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [active]);

  const words = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(HTML_LANG[language], options);
  const weekday = { short: words({ weekday: 'short' }), long: words({ weekday: 'long' }) };
  const fullDay = words({ dateStyle: 'full' });
  const weeks = weeksOf(active, firstDay);
  const today = dayOf(new Date());
  const isOpen = (day: string) => min === undefined || day >= min;
  const pick = (day: string) => {
    if (isOpen(day)) onPick(day);
  };
  const monthBefore = addDays(new Date(active.getFullYear(), active.getMonth(), 1), -1);

  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.div display="flex" alignItems="center" gap="1">
        <chakra.h2
          id={titleId}
          aria-live="polite"
          flex="1"
          textStyle="sm"
          fontWeight="semibold"
          _firstLetter={{ textTransform: 'uppercase' }}
        >
          {words({ month: 'long', year: 'numeric' }).format(active)}
        </chakra.h2>
        <IconButton
          size="sm"
          icon={<ChevronLeft size={20} />}
          label={t('date.previousMonth')}
          disabled={!isOpen(dayOf(monthBefore))}
          onClick={() => setActive(addMonths(active, -1))}
        />
        <IconButton
          size="sm"
          icon={<ChevronRight size={20} />}
          label={t('date.nextMonth')}
          onClick={() => setActive(addMonths(active, 1))}
        />
      </chakra.div>
      <chakra.table
        role="grid"
        aria-labelledby={titleId}
        w="full"
        tableLayout="fixed"
        borderCollapse="collapse"
        onKeyDown={(event) => {
          const next = moved(active, event, firstDay);
          if (next) {
            takesFocus.current = true;
            setActive(next);
          } else if (event.key === 'Enter' || event.key === ' ') pick(dayOf(active));
          else return;
          event.preventDefault();
        }}
      >
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, index) => {
              // The first of November 2026 is a Sunday.
              const date = new Date(2026, 10, 1 + firstDay + index);
              return (
                <chakra.th
                  key={index}
                  scope="col"
                  abbr={weekday.long.format(date)}
                  h="8"
                  textStyle="xs"
                  fontWeight="medium"
                  color="fg.muted"
                >
                  {weekday.short.format(date).replace('.', '')}
                </chakra.th>
              );
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          {weeks.map((week, row) => (
            <tr key={row}>
              {week.map((date, index) => {
                if (!date) return <td key={index} />;
                const day = dayOf(date);
                return (
                  <chakra.td
                    key={index}
                    role="gridcell"
                    aria-label={fullDay.format(date)}
                    aria-selected={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    aria-disabled={!isOpen(day) || undefined}
                    tabIndex={day === dayOf(active) ? 0 : -1}
                    onClick={() => pick(day)}
                    h="9"
                    textAlign="center"
                    textStyle="sm"
                    fontVariantNumeric="tabular-nums"
                    borderRadius="sm"
                    cursor="pointer"
                    userSelect="none"
                    _hover={{ bg: 'bg.hover' }}
                    _current={{ color: 'brand.fg', fontWeight: 'semibold', boxShadow: TODAY }}
                    _selected={{ bg: 'brand.solid', color: 'brand.on', fontWeight: 'semibold' }}
                    _disabled={{ color: 'fg.subtle', opacity: 0.6, cursor: 'not-allowed' }}
                    _focusVisible={focusVisible}
                    css={{ [touch]: { h: '12' } }}
                  >
                    {date.getDate()}
                  </chakra.td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </chakra.table>
      <Button size="sm" variant="ghost" alignSelf="center" onClick={() => pick(today)}>
        {t('date.today')}
      </Button>
    </chakra.div>
  );
}

const TODAY = 'inset 0 0 0 1px var(--chakra-colors-brand-border)';
