import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { MoreButton } from '@/components/ListEnd';
import { EmptyLine } from '@/components/Section';
import { EmptyState, ErrorState, Skeleton, SkeletonRows } from '@/components/States';
import { formatCount, formatDateTime } from '@/lib/format';
import { missedQuery, reportQuery, useHasDeadlines, type Days } from './api';
import type { MissedAsked, SlaReport } from './types';
import { useWords } from './useWords';

interface DeadlinesPartProps {
  /** The days of the dashboard. */
  days: Days;
  onOpenTicket: (uuid: string) => void;
}

/** Deadlines met and missed, in companies that have some (rules/desk §11). */
export function DeadlinesPart(props: DeadlinesPartProps) {
  return useHasDeadlines() ? <Report {...props} /> : null;
}

interface Line {
  key: string;
  name: string;
  met: number;
  missed: number;
  asked: MissedAsked;
}

function Report({ days, onOpenTicket }: DeadlinesPartProps) {
  const { t } = useTranslation('deadlines');
  const report = useQuery(reportQuery(days));
  const [shown, setShown] = useState<Line | null>(null);
  if (report.error && !report.data)
    return <ErrorState error={report.error} onRetry={() => void report.refetch()} />;
  return (
    <chakra.section
      aria-label={t('report.title')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      flexShrink="0"
      p="4"
    >
      <chakra.h2 textStyle="md" fontWeight="semibold" mb="3">
        {t('report.title')}
      </chakra.h2>
      {report.data ? (
        <Groups report={report.data} onShow={setShown} />
      ) : (
        <Skeleton display="block" w="full" h="24" />
      )}
      {shown && (
        <MissedDialog
          days={days}
          line={shown}
          onClose={() => setShown(null)}
          onOpenTicket={onOpenTicket}
        />
      )}
    </chakra.section>
  );
}

function Groups({ report, onShow }: { report: SlaReport; onShow: (line: Line) => void }) {
  const { t } = useTranslation('deadlines');
  if (report.kinds.length === 0) return <EmptyLine>{t('report.empty')}</EmptyLine>;
  const groups: Record<'kinds' | 'queues' | 'users' | 'hours', Line[]> = {
    kinds: report.kinds.map(({ kind, ...counts }) => ({
      key: kind,
      name: t(`kinds.${kind}`),
      asked: { kind },
      ...counts,
    })),
    queues: report.queues.map(({ id, name, ...counts }) => ({
      key: String(id),
      name: name ?? t('report.noQueue'),
      asked: { queueId: id ?? 0 },
      ...counts,
    })),
    users: report.users.map(({ id, name, ...counts }) => ({
      key: String(id),
      name: name ?? t('report.nobody'),
      asked: { userId: id ?? 0 },
      ...counts,
    })),
    hours: report.hours.map(({ hour, ...counts }) => ({
      key: String(hour),
      name: t('report.hour', { hour }),
      asked: { hour },
      ...counts,
    })),
  };
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
    >
      {(['kinds', 'queues', 'users', 'hours'] as const).map((name) => (
        <chakra.div key={name} minW="0">
          <chakra.h3 textStyle="sm" fontWeight="semibold" mb="1.5">
            {t(`report.${name}`)}
          </chakra.h3>
          <chakra.ul
            listStyleType="none"
            m="0"
            p="0"
            maxH="224px"
            overflowY="auto"
            // A list that scrolls is reached by keys.
            tabIndex={0}
            aria-label={t(`report.${name}`)}
          >
            {groups[name].map((line) => (
              <CountLine key={line.key} line={line} onShow={onShow} />
            ))}
          </chakra.ul>
        </chakra.div>
      ))}
    </chakra.div>
  );
}

function CountLine({ line, onShow }: { line: Line; onShow: (line: Line) => void }) {
  const { t } = useTranslation('deadlines');
  const total = line.met + line.missed;
  return (
    <chakra.li
      display="flex"
      // On narrow screens the name has a line of its own, above its figures.
      flexWrap={{ base: 'wrap', sm: 'nowrap' }}
      alignItems="center"
      columnGap="3"
      minH="8"
      textStyle="sm"
    >
      <chakra.span flex={{ base: '1 0 100%', sm: '1' }} minW="0" truncate title={line.name}>
        {line.name}
      </chakra.span>
      <chakra.span
        w={{ sm: '20' }}
        flex={{ base: '1', sm: 'none' }}
        h="2"
        borderRadius="full"
        bg="status.danger.solid"
        overflow="hidden"
        aria-hidden
      >
        <chakra.span
          display="block"
          h="full"
          bg="status.live.solid"
          style={{ width: `${(line.met / total) * 100}%` }}
        />
      </chakra.span>
      <chakra.span minW="20" textAlign="end" fontVariantNumeric="tabular-nums" color="fg.muted">
        {t('report.met', { count: line.met, shown: formatCount(line.met) })}
      </chakra.span>
      <chakra.span minW="28" textAlign="end">
        {line.missed > 0 ? (
          <Button variant="ghost" size="sm" onClick={() => onShow(line)}>
            {t('report.missed', { count: line.missed, shown: formatCount(line.missed) })}
          </Button>
        ) : (
          <chakra.span color="fg.muted">{t('report.noneMissed')}</chakra.span>
        )}
      </chakra.span>
    </chakra.li>
  );
}

interface MissedDialogProps {
  days: Days;
  line: Line;
  onClose: () => void;
  onOpenTicket: (uuid: string) => void;
}

/** The missed deadlines behind a figure, each with its conversation. */
function MissedDialog({ days, line, onClose, onOpenTicket }: MissedDialogProps) {
  const { t } = useTranslation('deadlines');
  const { span } = useWords();
  const missed = useInfiniteQuery(missedQuery(days, line.asked));
  const clocks = missed.data?.pages.flatMap((page) => page.clocks);
  return (
    <Dialog open size="lg" onClose={onClose} title={t('report.missedOf', { name: line.name })}>
      {missed.error && !clocks ? (
        <ErrorState error={missed.error} onRetry={() => void missed.refetch()} />
      ) : !clocks ? (
        <SkeletonRows rows={5} />
      ) : clocks.length === 0 ? (
        <EmptyState title={t('report.empty')} />
      ) : (
        <chakra.ul listStyleType="none" m="0" p="0">
          {clocks.map(({ clock, ticket, queueName, userName }) => (
            <chakra.li
              key={clock.id}
              display="flex"
              flexWrap="wrap"
              alignItems="center"
              gap="3"
              py="2.5"
              _notFirst={{ borderTopWidth: '1px' }}
            >
              <chakra.div flex="1 1 220px" minW="0">
                <chakra.p fontWeight="medium" overflowWrap="anywhere">
                  {ticket.contact.name}
                </chakra.p>
                <chakra.p textStyle="sm" color="fg.muted">
                  {t('report.line', {
                    kind: t(`kinds.${clock.kind}`),
                    span: span(clock.minutes),
                    at: formatDateTime(clock.missedAt ?? clock.startedAt),
                  })}
                </chakra.p>
                <chakra.p textStyle="sm" color="fg.muted">
                  {[queueName ?? t('report.noQueue'), userName ?? t('report.nobody')].join(' · ')}
                </chakra.p>
              </chakra.div>
              <Button variant="outline" size="sm" onClick={() => onOpenTicket(ticket.uuid)}>
                {t('report.open')}
              </Button>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      <MoreButton pages={missed} label={t('report.more')} />
    </Dialog>
  );
}
