import { chakra, useMediaQuery } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { AddButton } from '@/components/AddButton';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { Page } from '@/components/Page';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState, ErrorState } from '@/components/States';
import { contactQuery } from '@/features/contacts/api';
import { currentLanguage, HTML_LANG } from '@/i18n';
import { dayOf, firstDayOf } from '@/lib/dates';
import { formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useAddRequest } from '@/lib/useAddRequest';
import { NARROW_PX, usePageCount } from '@/stores/ui';
import { Agenda } from './Agenda';
import { rangeQuery, schedulesQuery, useDeleteSchedule } from './api';
import { CalendarSkeleton } from './CalendarSkeleton';
import { ContactGone } from './ContactGone';
import { useScheduleEvents } from './events';
import { ScheduleDialog } from './ScheduleDialog';
import { ScheduleList } from './ScheduleList';
import { Toolbar } from './Toolbar';
import type { Schedule } from './types';
import { useReschedule } from './useReschedule';
import { rangeOf, readView, titleOf, type PageView } from './view';

const Calendar = lazy(() => import('./Calendar').then((module) => ({ default: module.Calendar })));

type Open =
  | { dialog: 'add'; sendAt?: Date }
  | { dialog: 'edit'; schedule: Schedule }
  | { dialog: 'delete'; schedule: Schedule };

/** The schedules page: a calendar, a list by day on narrow screens, and a table. */
export function SchedulesPage() {
  const { t } = useTranslation(['schedules', 'common']);
  const [narrow = false] = useMediaQuery([`(max-width: ${NARROW_PX}px)`], { ssr: false });
  const [params, setParams] = useSearchParams();
  const [now] = useState(() => new Date());
  const shown = readView(params, narrow, now);
  const { view, date, status } = shown;
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  useAddRequest(() => setOpen({ dialog: 'add' }));
  const isList = view === 'list';
  const { start, end } = rangeOf(view, date, firstDayOf(currentLanguage()));
  const list = useInfiniteQuery({ ...schedulesQuery({ search, status }), enabled: isList });
  const range = useQuery({
    ...rangeQuery({ search, status, start: start.toISOString(), end: end.toISOString() }),
    enabled: !isList,
    placeholderData: (before) => before,
  });
  const remove = useDeleteSchedule();
  const move = useReschedule();
  useScheduleEvents();
  usePageCount(isList ? list.data?.pages[0]?.count : range.data?.count);

  const contactId = Number(params.get('contactId')) || null;
  const contact = useQuery({ ...contactQuery(contactId ?? 0), enabled: contactId !== null });

  const change = (changes: Partial<PageView>) => {
    const next = { ...shown, ...changes };
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.set('view', next.view);
        after.set('date', dayOf(next.date));
        if (next.status) after.set('status', next.status);
        else after.delete('status');
        return after;
      },
      { replace: true },
    );
  };
  const close = () => {
    setOpen(null);
    if (contactId === null) return;
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete('contactId');
        return after;
      },
      { replace: true },
    );
  };
  const edit = (schedule: Schedule) => setOpen({ dialog: 'edit', schedule });
  const askDelete = (schedule: Schedule) => setOpen({ dialog: 'delete', schedule });
  const addAt = (sendAt: Date | null) =>
    sendAt ? setOpen({ dialog: 'add', sendAt }) : toast.info(t('calendar.past'));

  const add = <AddButton label={t('add')} onClick={() => setOpen({ dialog: 'add' })} />;
  const filtered = Boolean(search || status);
  const empty = (
    <EmptyState
      icon={<CalendarPlus size={20} />}
      title={
        filtered
          ? t('empty.search')
          : isList
            ? t('empty.title')
            : t('empty.month', {
                month: titleOf('month', date, HTML_LANG[currentLanguage()], 0),
              })
      }
      {...(!filtered && { text: t('empty.text'), action: add })}
    />
  );
  const rows = range.data?.schedules;

  const calendar = () => {
    if (range.error && !rows)
      return <ErrorState error={range.error} onRetry={() => void range.refetch()} />;
    if (!rows) return <CalendarSkeleton />;
    if (view === 'agenda')
      return rows.length === 0 ? (
        empty
      ) : (
        <Agenda schedules={rows} onEdit={edit} onDelete={askDelete} />
      );
    return (
      <Suspense fallback={<CalendarSkeleton />}>
        <Calendar
          view={view === 'list' ? 'month' : view}
          date={date}
          schedules={rows}
          onEdit={edit}
          onDelete={askDelete}
          onAdd={addAt}
          onMove={move}
        />
      </Suspense>
    );
  };

  return (
    <Page
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      <Toolbar shown={shown} narrow={narrow} onChange={change} />
      {!isList && range.data?.hasMore && (
        <chakra.p role="status" textStyle="sm" color="status.waiting.fg">
          {t('calendar.cut', { shown: rows?.length, count: range.data.count })}
        </chakra.p>
      )}
      {!isList && view !== 'agenda' && filtered && rows?.length === 0 && (
        <chakra.div role="status" display="flex" alignItems="center" gap="2" textStyle="sm">
          <chakra.span color="fg.muted">{t('calendar.none')}</chakra.span>
          <Button variant="ghost" size="sm" onClick={() => change({ view: 'list' })}>
            {t('calendar.lookInList')}
          </Button>
        </chakra.div>
      )}
      {isList ? (
        <ScheduleList list={list} empty={empty} onEdit={edit} onDelete={askDelete} />
      ) : (
        calendar()
      )}
      {/* A dialog that suspends must not hide the page: the button that opened it gets the
          focus back. */}
      <Suspense>
        {contact.data && !open && <ScheduleDialog contact={contact.data} onClose={close} />}
        {open?.dialog === 'add' && <ScheduleDialog sendAt={open.sendAt} onClose={close} />}
        {open?.dialog === 'edit' && (
          <ScheduleDialog
            scheduleId={open.schedule.id}
            onDelete={() => askDelete(open.schedule)}
            onClose={close}
          />
        )}
      </Suspense>
      {contact.error && !open && contactId !== null && (
        <ContactGone onGone={close} error={contact.error} />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.schedule.contact.name })}
          id={open.schedule.id}
          remove={remove}
          done={t('deleted')}
          onClose={() => setOpen(null)}
        >
          {open.schedule.status === 'ENVIADA'
            ? t('delete.textSent')
            : t('delete.text', { moment: formatDateTime(open.schedule.sendAt) })}
        </ConfirmDelete>
      )}
    </Page>
  );
}
