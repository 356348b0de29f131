import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { StatusBadge } from './StatusBadge';
import type { Campaign } from './types';

/** The reason why a campaign waits or was stopped, in words; empty while it sends. */
export function useWaitReason() {
  const { t } = useTranslation('campaigns');
  const reason = useReason();
  return ({ waitCode }: Pick<Campaign, 'waitCode'>) => {
    if (!waitCode) return '';
    // The reasons of a message tell its sender to choose another template; a campaign waits.
    const words = reason({ reasonCode: waitCode, reasonDetail: '' }, waitCode);
    return t(`waits.${waitCode}`, { defaultValue: words });
  };
}

/** How many messages Meta assesses before it delivers them, in words; empty without any. */
export function useAssessed() {
  const { t } = useTranslation('campaigns');
  return ({ progress: { assessed } }: Pick<Campaign, 'progress'>) =>
    assessed > 0 ? t('progress.assessed', { count: assessed }) : '';
}

/** The share of finished recipients, as a bar with numbers. */
export function ProgressBar({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const { total, ended } = campaign.progress;
  if (total === 0) return null;
  const share = Math.min(100, Math.floor((ended / total) * 100));
  return (
    <chakra.div display="flex" alignItems="center" gap="2" minW="0">
      <chakra.div
        role="progressbar"
        aria-label={t('progress.label', { name: campaign.name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share}
        flex="1"
        minW="12"
        maxW="40"
        h="1"
        borderRadius="full"
        bg="bg.subtle"
        overflow="hidden"
      >
        <chakra.div h="full" bg="brand.solid" style={{ width: `${share}%` }} />
      </chakra.div>
      <chakra.span
        textStyle="xs"
        color="fg.muted"
        whiteSpace="nowrap"
        fontVariantNumeric="tabular-nums"
      >
        {t('progress.of', { ended: formatCount(ended), total: formatCount(total) })}
      </chakra.span>
    </chakra.div>
  );
}

/** The state of a campaign: its badge, progress, reason for waiting, and expected end. */
export function Standing({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const waits = useWaitReason()(campaign);
  const { status, estimatedFinishAt } = campaign;
  const assessed = useAssessed()(campaign);
  if (status === 'INATIVA' && !waits) return null;
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5">
      <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="3">
        <StatusBadge status={status} isWaiting={waits !== ''} />
        <chakra.div flex="1" minW="40">
          <ProgressBar campaign={campaign} />
        </chakra.div>
      </chakra.div>
      {waits && (
        <chakra.p role="status" textStyle="xs" color="status.waiting.fg">
          {waits}
        </chakra.p>
      )}
      {assessed && (
        <chakra.p role="status" textStyle="xs" color="status.waiting.fg">
          {assessed}
        </chakra.p>
      )}
      {estimatedFinishAt && (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('progress.finish', { at: formatDateTime(estimatedFinishAt) })}
        </chakra.p>
      )}
    </chakra.div>
  );
}
