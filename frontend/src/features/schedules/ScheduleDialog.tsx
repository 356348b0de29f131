import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LoadingDialog } from '@/components/LoadingDialog';
import { scheduleQuery } from './api';
import { ScheduleForm } from './ScheduleForm';

interface ScheduleDialogProps {
  /** The preselected recipient. */
  contact?: { id: number; name: string } | undefined;
  /** The schedule to show or edit; without it a new one is created. */
  scheduleId?: number;
  /** The conversation in which the message is scheduled. */
  ticketId?: number;
  /** The initial time of a new schedule; in one hour if left out. */
  sendAt?: Date | undefined;
  /** Asks whether to delete the shown schedule. */
  onDelete?: () => void;
  onClose: () => void;
}

/** Schedules a message, or shows the outcome of a schedule (rules/schedules §5). */
export function ScheduleDialog({ scheduleId, ...props }: ScheduleDialogProps) {
  return scheduleId === undefined ? (
    <ScheduleForm {...props} />
  ) : (
    <StoredDialog
      scheduleId={scheduleId}
      onClose={props.onClose}
      {...(props.onDelete && { onDelete: props.onDelete })}
    />
  );
}

interface StoredDialogProps {
  scheduleId: number;
  onDelete?: () => void;
  onClose: () => void;
}

function StoredDialog({ scheduleId, ...actions }: StoredDialogProps) {
  const { t } = useTranslation('schedules');
  const stored = useQuery(scheduleQuery(scheduleId));
  if (stored.data) return <ScheduleForm schedule={stored.data} {...actions} />;
  return (
    <LoadingDialog
      size="lg"
      title={t('dialog.loading')}
      query={stored}
      heights={['9', '32', '9']}
      onClose={actions.onClose}
    />
  );
}
