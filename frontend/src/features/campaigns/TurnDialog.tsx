import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useCancelCampaign, useRestartCampaign } from './api';
import type { Campaign } from './types';

export type Turn = 'cancel' | 'unschedule' | 'restart';

interface TurnDialogProps {
  turn: Turn;
  campaign: Campaign;
  onClose: () => void;
  onDone?: () => void;
}

/** Asks before a campaign is cancelled, unscheduled, or resumed. */
export function TurnDialog({ turn, campaign, onClose, onDone }: TurnDialogProps) {
  const { t } = useTranslation('campaigns');
  const cancel = useCancelCampaign();
  const restart = useRestartCampaign();
  const act = turn === 'restart' ? restart : cancel;
  const left = Math.max(0, campaign.progress.total - campaign.progress.ended);
  return (
    <ConfirmDialog
      open
      calm={turn !== 'cancel'}
      onClose={onClose}
      title={t(`${turn}.title`, { name: campaign.name })}
      confirmLabel={t(`${turn}.submit`)}
      cancelLabel={t('common:actions.back')}
      loading={act.isPending}
      onConfirm={() =>
        act.mutate(campaign.id, {
          onSuccess: () => {
            toast.success(t(`${turn}.done`));
            onDone?.();
          },
          onError: toast.error,
          onSettled: onClose,
        })
      }
    >
      {t(`${turn}.text`, { count: left, shown: formatCount(left) })}
    </ConfirmDialog>
  );
}
