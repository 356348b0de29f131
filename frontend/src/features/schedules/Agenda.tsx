import { chakra } from '@chakra-ui/react';
import { Paperclip, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { dayOf } from '@/lib/dates';
import { formatTime } from '@/lib/format';
import { StatusBadge } from './StatusBadge';
import type { Schedule } from './types';
import { agendaDay, byDay } from './view';

interface AgendaProps {
  schedules: readonly Schedule[];
  onEdit: (schedule: Schedule) => void;
  onDelete: (schedule: Schedule) => void;
}

/** The schedules of a month, by day; scrolls to today or the next day that has a schedule. */
export function Agenda({ schedules, onEdit, onDelete }: AgendaProps) {
  const { t } = useTranslation(['schedules', 'common']);
  const today = dayOf(new Date());
  const days = byDay(schedules);
  const next = days.find(({ day }) => day >= today)?.day;
  const start = useRef<HTMLElement>(null);
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'start' });
  }, [next]);
  const language = HTML_LANG[currentLanguage()];
  const words = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });

  return (
    <chakra.div
      flex="1"
      minH="0"
      overflowY="auto"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
    >
      {days.map(({ day, date, rows }) => (
        <chakra.section
          key={day}
          aria-label={words.format(date)}
          {...(day === next && { ref: start })}
        >
          <chakra.h2
            position="sticky"
            top="0"
            zIndex="docked"
            px="4"
            py="2"
            bg="bg.subtle"
            borderBottomWidth="1px"
            textStyle="sm"
            fontWeight="semibold"
            color={day < today ? 'fg.muted' : 'fg.default'}
            fontVariantNumeric="tabular-nums"
          >
            {agendaDay(date, language)}
            {day === today && (
              <chakra.span color="brand.fg" ms="2">
                {t('calendar.today')}
              </chakra.span>
            )}
          </chakra.h2>
          {rows.map((schedule) => {
            const time = formatTime(schedule.sendAt);
            const names = { name: schedule.contact.name, time };
            return (
              <chakra.div
                key={schedule.id}
                display="flex"
                gap="3"
                px="4"
                py="2.5"
                borderBottomWidth="1px"
                cursor="pointer"
                _hover={{ bg: 'bg.hover' }}
                onClick={() => onEdit(schedule)}
              >
                <chakra.span
                  textStyle="sm"
                  fontWeight="semibold"
                  fontVariantNumeric="tabular-nums"
                  w="10"
                  flexShrink="0"
                >
                  {time}
                </chakra.span>
                <chakra.div flex="1" minW="0">
                  <chakra.div display="flex" alignItems="center" gap="1.5" minW="0">
                    <chakra.span fontWeight="semibold" truncate>
                      {schedule.contact.name}
                    </chakra.span>
                    {schedule.mediaName && (
                      <chakra.span color="fg.muted" display="flex" flexShrink="0">
                        <Paperclip size={14} aria-hidden />
                      </chakra.span>
                    )}
                  </chakra.div>
                  <chakra.p textStyle="sm" color="fg.muted" truncate>
                    {schedule.body}
                  </chakra.p>
                  <chakra.div mt="1">
                    <StatusBadge status={schedule.status} />
                  </chakra.div>
                </chakra.div>
                <chakra.div
                  display="flex"
                  flexShrink="0"
                  onClick={(event) => event.stopPropagation()}
                >
                  <IconButton
                    label={t('event.edit', names)}
                    icon={<Pencil size={16} />}
                    size="sm"
                    onClick={() => onEdit(schedule)}
                  />
                  <IconButton
                    label={t('event.delete', names)}
                    icon={<Trash2 size={16} />}
                    size="sm"
                    onClick={() => onDelete(schedule)}
                  />
                </chakra.div>
              </chakra.div>
            );
          })}
        </chakra.section>
      ))}
    </chakra.div>
  );
}
