import type { EventDropArg, EventInput } from '@fullcalendar/core';
import es from '@fullcalendar/core/locales/es';
import pt from '@fullcalendar/core/locales/pt-br';
import dayGrid from '@fullcalendar/daygrid';
import interaction from '@fullcalendar/interaction';
import FullCalendar from '@fullcalendar/react';
import timeGrid from '@fullcalendar/timegrid';
import { chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { dayOf, firstDayOf, midnight } from '@/lib/dates';
import { formatDate } from '@/lib/format';
import { calendarStyle } from './calendarStyle';
import { EventChip } from './EventChip';
import type { Schedule } from './types';
import { momentOnDay } from './view';

type CalendarView = 'month' | 'week' | 'day';

const FULL_CALENDAR_VIEWS = {
  month: 'dayGridMonth',
  week: 'timeGridWeek',
  day: 'timeGridDay',
} as const;
const SHOWN_MINUTES = 30;

interface CalendarProps {
  view: CalendarView;
  date: Date;
  schedules: readonly Schedule[];
  onEdit: (schedule: Schedule) => void;
  onDelete: (schedule: Schedule) => void;
  /** Called when a free slot is clicked; null for a past one. */
  onAdd: (sendAt: Date | null) => void;
  /** Called when a schedule is dragged to another time; `revert` puts it back. */
  onMove: (schedule: Schedule, sendAt: Date, revert: () => void) => void;
}

const eventOf = (schedule: Schedule): EventInput => ({
  id: String(schedule.id),
  start: schedule.sendAt,
  title: schedule.contact.name,
  editable: schedule.status === 'PENDENTE',
  extendedProps: { schedule },
});

/** The calendar itself, in a chunk of its own. */
export function Calendar(props: CalendarProps) {
  const { view, date, schedules, onEdit, onDelete, onAdd, onMove } = props;
  const { t } = useTranslation('schedules');
  const language = currentLanguage();
  const calendar = useRef<FullCalendar>(null);
  const events = useMemo(() => schedules.map(eventOf), [schedules]);
  const day = dayOf(date);

  useEffect(() => {
    // `changeView` renders synchronously, which React does not allow inside an effect.
    const timer = setTimeout(() =>
      calendar.current?.getApi().changeView(FULL_CALENDAR_VIEWS[view], day),
    );
    return () => clearTimeout(timer);
  }, [view, day]);

  const scheduleOf = ({ event }: { event: EventDropArg['event'] }) =>
    event.extendedProps.schedule as Schedule;
  const isOver = (moment: Date) => moment < midnight(new Date());

  const addButton = (moment: Date) =>
    !isOver(moment) && (
      <chakra.span data-add display="flex" ms="auto" opacity={view === 'month' ? '0' : '1'}>
        <IconButton
          label={t('calendar.addOn', { date: formatDate(moment) })}
          icon={<Plus size={14} />}
          size="sm"
          h="5"
          onClick={() => onAdd(momentOnDay(moment, new Date()))}
        />
      </chakra.span>
    );

  return (
    <chakra.div
      flex="1"
      minH="0"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      css={calendarStyle}
    >
      <FullCalendar
        ref={calendar}
        plugins={[dayGrid, timeGrid, interaction]}
        locales={[pt, es]}
        locale={HTML_LANG[language].toLowerCase()}
        firstDay={firstDayOf(language)}
        initialView={FULL_CALENDAR_VIEWS[view]}
        initialDate={day}
        headerToolbar={false}
        height="100%"
        fixedWeekCount={false}
        events={events}
        eventOrder="start,id"
        defaultTimedEventDuration={{ minutes: SHOWN_MINUTES }}
        forceEventDuration
        eventDurationEditable={false}
        dragScroll
        allDaySlot={false}
        nowIndicator
        scrollTime="08:00:00"
        slotEventOverlap={false}
        eventMaxStack={3}
        dayMaxEvents
        eventInteractive={false}
        slotLabelFormat={{ hour: '2-digit', minute: '2-digit', hour12: false }}
        moreLinkText={(count) => t('calendar.more', { count })}
        moreLinkHint={(count) => t('calendar.moreHint', { count })}
        // The link opens a popover and has aria-expanded, which needs the role of a button.
        moreLinkDidMount={({ el }) => el.setAttribute('role', 'button')}
        // The label would be the day's number alone, and would hide the cell's content from voice
        // control.
        dayCellDidMount={({ el }) => el.removeAttribute('aria-labelledby')}
        eventContent={(argument) => {
          const schedule = scheduleOf(argument);
          return (
            <EventChip
              schedule={schedule}
              tall={argument.view.type !== 'dayGridMonth'}
              onEdit={() => onEdit(schedule)}
              onDelete={() => onDelete(schedule)}
            />
          );
        }}
        eventClick={(argument) => {
          const target = argument.jsEvent.target as Element;
          if (!target.closest('button')) onEdit(scheduleOf(argument));
        }}
        dayCellContent={(argument) =>
          argument.view.type === 'dayGridMonth' && (
            <chakra.span display="flex" alignItems="center" h="6" w="full">
              <DayNumber today={argument.isToday} quiet={argument.isOther || isOver(argument.date)}>
                {argument.date.getDate()}
              </DayNumber>
              {addButton(argument.date)}
            </chakra.span>
          )
        }
        dayHeaderContent={(argument) =>
          argument.view.type === 'dayGridMonth' ? (
            argument.text.replace('.', '')
          ) : (
            <chakra.span display="flex" alignItems="center" justifyContent="center" gap="1.5" h="9">
              {argument.text.split(/[ ,]/)[0]?.replace('.', '')}
              <DayNumber today={argument.isToday} quiet={isOver(argument.date)}>
                {argument.date.getDate()}
              </DayNumber>
              {addButton(argument.date)}
            </chakra.span>
          )
        }
        dateClick={({ date: clicked, allDay, jsEvent }) => {
          if ((jsEvent.target as Element).closest('button, .fc-popover')) return;
          if (allDay) onAdd(momentOnDay(clicked, new Date()));
          else onAdd(clicked < new Date() ? null : clicked);
        }}
        eventDrop={(argument) => {
          const { start } = argument.event;
          if (start) onMove(scheduleOf(argument), start, argument.revert);
        }}
      />
    </chakra.div>
  );
}

function DayNumber(props: { today: boolean; quiet: boolean; children: number }) {
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      minW="6"
      h="6"
      px="1"
      borderRadius="full"
      textStyle="xs"
      fontWeight={props.today ? 'semibold' : 'medium'}
      fontVariantNumeric="tabular-nums"
      {...(props.today
        ? { bg: 'brand.solid', color: 'brand.on' }
        : { color: props.quiet ? 'fg.subtle' : 'fg.default' })}
    >
      {props.children}
    </chakra.span>
  );
}
