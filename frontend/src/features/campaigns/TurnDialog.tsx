import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useCancelCampaign, useRestartCampaign } from './api';
import { reportQuery } from './report/api';
import type { Campaign } from './types';

export type Turn = 'cancel' | 'unschedule' | 'restart';

interface TurnDialogProps {
  turn: Turn;
  campaign: Campaign;
  onClose: () => void;
  onDone?: () => void;
}

/**
 * The number of people who have not received the campaign, asked anew at opening: while it sends,
 * every cached number is too old. Undefined until the answer; without one, the last known number.
 */
function useLeft(campaign: Campaign, isCounted: boolean): number | undefined {
  const report = useQuery({ ...reportQuery(campaign.id), enabled: isCounted, staleTime: 0 });
  if (isCounted && !report.isFetchedAfterMount) return undefined;
  const { total, ended } = (report.data?.campaign ?? campaign).progress;
  return Math.max(0, total - ended);
}

/** Asks before a campaign is cancelled, unscheduled, or resumed. */
export function TurnDialog({ turn, campaign, onClose, onDone }: TurnDialogProps) {
  const { t } = useTranslation('campaigns');
  const cancel = useCancelCampaign();
  const restart = useRestartCampaign();
  const act = turn === 'restart' ? restart : cancel;
  const left = useLeft(campaign, turn !== 'unschedule');
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
      {left === undefined ? (
        <chakra.span role="status">{t('segments.counting')}</chakra.span>
      ) : (
        t(`${turn}.text`, { count: left, shown: formatCount(left) })
      )}
    </ConfirmDialog>
  );
}
