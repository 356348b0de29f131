import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { ErrorState, Skeleton } from '@/components/States';
import { scheduleQuery } from './api';
import { ScheduleForm } from './ScheduleForm';

interface ScheduleDialogProps {
  /** Who it goes to, already chosen. */
  contact?: { id: number; name: string } | undefined;
  /** The schedule to show or edit; without it a new one is made. */
  scheduleId?: number;
  /** The conversation in which it is planned. */
  ticketId?: number;
  /** When a new one is to go; in one hour when left out. */
  sendAt?: Date | undefined;
  onClose: () => void;
}

/** Plans a message, or shows what became of one (specification 2 §2 'Schedules page'). */
export function ScheduleDialog({ scheduleId, ...props }: ScheduleDialogProps) {
  return scheduleId === undefined ? (
    <ScheduleForm {...props} />
  ) : (
    <StoredDialog scheduleId={scheduleId} onClose={props.onClose} />
  );
}

function StoredDialog({ scheduleId, onClose }: { scheduleId: number; onClose: () => void }) {
  const { t } = useTranslation('schedules');
  const { data, error, refetch } = useQuery(scheduleQuery(scheduleId));
  // The form's dialog takes the place of the loading one, which then is nothing to go back to.
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  if (data) return <ScheduleForm schedule={data} onClose={onClose} finalFocus={() => opener} />;
  return (
    <Dialog open size="lg" onClose={onClose} title={t('dialog.loading')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <chakra.div role="status" display="flex" flexDirection="column" gap="4">
          <Skeleton h="9" />
          <Skeleton h="32" />
          <Skeleton h="9" />
        </chakra.div>
      )}
    </Dialog>
  );
}
