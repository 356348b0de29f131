import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useSaveSchedule } from './api';
import { isPast } from './schemas';
import type { Schedule } from './types';

/**
 * Moves a schedule to another time and offers an undo; `revert` restores the calendar on failure.
 */
export function useReschedule() {
  const { t } = useTranslation('schedules');
  const save = useSaveSchedule();
  return (schedule: Schedule, sendAt: Date, revert: () => void) => {
    if (isPast(sendAt)) {
      revert();
      toast.warning(t('calendar.past'));
      return;
    }
    save.mutate(
      { id: schedule.id, fields: { sendAt: sendAt.toISOString() } },
      {
        onSuccess: () =>
          toast.undo(
            t('calendar.moved', { moment: formatDateTime(sendAt) }),
            t('calendar.undo'),
            () =>
              save.mutate(
                { id: schedule.id, fields: { sendAt: schedule.sendAt } },
                { onError: toast.error },
              ),
          ),
        onError: (error) => {
          revert();
          toast.error(error);
        },
      },
    );
  };
}
