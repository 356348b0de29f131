import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical, Power, Square } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { RowProgress } from '@/components/RowProgress';
import { Select } from '@/components/Select';
import { ErrorState, SkeletonFields } from '@/components/States';
import { formatCount, formatDateTime } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import {
  isGone,
  isOver,
  rehearsalQuery,
  rehearsalsQuery,
  useDeleteRehearsal,
  useRehearse,
  type Proposal,
  type Rehearsal,
  type RehearsalDetail,
} from './api';
import { useRehearsalEvents } from './events';
import { Report } from './Report';

const DAYS = ['1', '3', '7', '14', '30'] as const;

interface RehearsalDialogProps {
  title: string;
  proposal: Proposal;
  /** What the change would do to is on already, so it is saved rather than switched on. */
  isOn: boolean;
  onSwitchOn: () => void;
  onClose: () => void;
}

/** Tries a change on what happened in the last days, before it goes live (rules/desk §16). */
export function RehearsalDialog(props: RehearsalDialogProps) {
  const { title, proposal, isOn, onSwitchOn, onClose } = props;
  const { t } = useTranslation('rehearsals');
  const [days, setDays] = useState('7');
  const [id, setId] = useState<number | null>(null);
  // The one that tried this very change: an earlier one may have tried another.
  const [ownId, setOwnId] = useState<number | null>(null);
  const rehearse = useRehearse();
  const start = () =>
    rehearse.mutate(
      { ...proposal, days: Number(days) },
      {
        onSuccess: (rehearsal) => {
          setId(rehearsal.id);
          setOwnId(rehearsal.id);
        },
      },
    );
  const detail = useQuery({ ...rehearsalQuery(id ?? 0), enabled: id !== null });
  const wasStopped = id !== null && isGone(detail.error);
  const found = id === null || wasStopped ? undefined : detail.data;
  useRehearsalEvents(id);
  const stop = useDeleteRehearsal();
  const isRunning = found !== undefined && !isOver(found.rehearsal);
  const footer = isRunning ? (
    <Button
      variant="outline"
      icon={<Square size={16} />}
      loading={stop.isPending}
      onClick={() => stop.mutate(found.rehearsal.id, { onSuccess: () => setId(null) })}
    >
      {t('stop')}
    </Button>
  ) : found?.report ? (
    <>
      <Button variant="outline" onClick={() => setId(null)}>
        {t('again')}
      </Button>
      {id === ownId && (
        <Button icon={<Power size={16} />} onClick={onSwitchOn}>
          {t(isOn ? 'save' : 'switchOn')}
        </Button>
      )}
    </>
  ) : (
    <>
      <CancelButton />
      <Button icon={<FlaskConical size={16} />} loading={rehearse.isPending} onClick={start}>
        {t('start')}
      </Button>
    </>
  );
  return (
    <Dialog open size="lg" onClose={onClose} title={t('title', { name: title })} footer={footer}>
      {id === null || wasStopped ? (
        <Begin
          days={days}
          onDays={setDays}
          onOpen={setId}
          proposal={proposal}
          fault={
            rehearse.error ? errorMessage(rehearse.error) : wasStopped ? t('wasStopped') : null
          }
        />
      ) : detail.error && !found ? (
        <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
      ) : !found ? (
        <SkeletonFields />
      ) : (
        <Progress detail={found} steps={proposal.sla?.steps?.length ?? 0} />
      )}
    </Dialog>
  );
}

interface BeginProps {
  days: string;
  onDays: (days: string) => void;
  onOpen: (id: number) => void;
  proposal: Proposal;
  /** Why none runs. */
  fault: string | null;
}

function Begin({ days, onDays, onOpen, proposal, fault }: BeginProps) {
  const { t } = useTranslation('rehearsals');
  const kept = useQuery(rehearsalsQuery());
  const running = kept.data?.find((each) => !isOver(each));
  const targetId = proposal.queueId ?? proposal.slaId ?? proposal.ruleId ?? null;
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.p textStyle="sm">{t(`about.${proposal.subject}`)}</chakra.p>
      <Field label={t('days')}>
        <Select
          options={DAYS.map((value) => ({ value, label: t('lastDays', { count: Number(value) }) }))}
          value={days}
          onChange={(event) => onDays(event.target.value)}
        />
      </Field>
      <chakra.p textStyle="xs" color="fg.muted">
        {t('nothingWritten')}
      </chakra.p>
      {fault !== null && (
        <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
          {fault}
        </chakra.p>
      )}
      {running && <Running rehearsal={running} />}
      <Earlier
        rehearsals={(kept.data ?? []).filter(
          (each) =>
            each.state === 'done' &&
            each.subject === proposal.subject &&
            each.targetId === targetId,
        )}
        onOpen={onOpen}
      />
    </chakra.div>
  );
}

/** One that somebody else has begun: only one goes at a time. */
function Running({ rehearsal }: { rehearsal: Rehearsal }) {
  const { t } = useTranslation('rehearsals');
  const stop = useDeleteRehearsal();
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="3" textStyle="sm">
      <chakra.span flex="1 1 220px">
        {t('runs', { name: rehearsal.userName ?? t('somebody') })}
      </chakra.span>
      <Button
        size="sm"
        variant="outline"
        loading={stop.isPending}
        onClick={() => stop.mutate(rehearsal.id)}
      >
        {t('stop')}
      </Button>
    </chakra.div>
  );
}

interface EarlierProps {
  rehearsals: readonly Rehearsal[];
  onOpen: (id: number) => void;
}

function Earlier({ rehearsals, onOpen }: EarlierProps) {
  const { t } = useTranslation('rehearsals');
  if (rehearsals.length === 0) return null;
  return (
    <chakra.section aria-label={t('earlier')}>
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="1.5">
        {t('earlier')}
      </chakra.h3>
      <chakra.ul listStyleType="none" m="0" p="0">
        {rehearsals.slice(0, 5).map((each) => (
          <chakra.li
            key={each.id}
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            gap="3"
            py="1.5"
            textStyle="sm"
            _notFirst={{ borderTopWidth: '1px' }}
          >
            <chakra.span flex="1 1 220px" minW="0">
              {t('by', {
                name: each.userName ?? t('somebody'),
                at: formatDateTime(each.createdAt),
                count: each.days,
              })}
            </chakra.span>
            <Button
              size="sm"
              variant="outline"
              aria-label={t('showOf', { at: formatDateTime(each.createdAt) })}
              onClick={() => onOpen(each.id)}
            >
              {t('show')}
            </Button>
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.section>
  );
}

function Progress({ detail, steps }: { detail: RehearsalDetail; steps: number }) {
  const { t } = useTranslation(['rehearsals', 'errors']);
  const { rehearsal, report } = detail;
  if (report) return <Report rehearsal={rehearsal} report={report} steps={steps} />;
  if (rehearsal.state === 'failed')
    return (
      <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
        {t(`errors:${rehearsal.errorCode || 'ERR_REHEARSAL_FAILED'}`)}
      </chakra.p>
    );
  const { ticketsDone, ticketsTotal } = rehearsal;
  return (
    <chakra.div display="flex" flexDirection="column" gap="3" aria-live="polite">
      <chakra.p textStyle="sm">{t('running')}</chakra.p>
      <RowProgress
        label={t('progress')}
        read={ticketsDone}
        count={ticketsTotal || null}
        isRunning
        words={t('done', { done: formatCount(ticketsDone), total: formatCount(ticketsTotal) })}
      />
    </chakra.div>
  );
}
