import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { EmptyLine, SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { formatDateTime } from '@/lib/format';
import { handsQuery } from './calls';
import type { ChangeOfHands } from './types';

/** So many changes the server tells. */
const MOST = 100;

interface HandsDialogProps {
  ticketId: number;
  /** The user holds the ticket. */
  isMine: boolean;
  onClose: () => void;
}

/** Through whose hands a ticket went and why, the latest first (rules/desk §3). */
export function HandsDialog({ ticketId, isMine, onClose }: HandsDialogProps) {
  const { t } = useTranslation('desk');
  const hands = useQuery(handsQuery(ticketId));
  return (
    <Dialog open size="sm" onClose={onClose} title={t(isMine ? 'hands.mine' : 'hands.title')}>
      {hands.isError ? (
        <SmallError error={hands.error} onRetry={() => void hands.refetch()} />
      ) : hands.isPending ? (
        <SkeletonFields heights={['10', '10', '10']} />
      ) : hands.data.length === 0 ? (
        <EmptyLine>{t('hands.empty')}</EmptyLine>
      ) : (
        <>
          <chakra.ol listStyleType="none" p="0">
            {hands.data.toReversed().map((change) => (
              <Line key={change.id} change={change} />
            ))}
          </chakra.ol>
          {hands.data.length >= MOST && (
            <chakra.p mt="3" textStyle="sm" color="fg.muted">
              {t('hands.latest', { count: MOST })}
            </chakra.p>
          )}
        </>
      )}
    </Dialog>
  );
}

function Line({ change }: { change: ChangeOfHands }) {
  const { t } = useTranslation('desk');
  const { fromName, toName, actorName, queueName, why, at } = change;
  // A deleted user has no name any more.
  const way = fromName && toName ? 'both' : toName ? 'to' : fromName ? 'from' : 'unknown';
  const byName = (why === 'supervisor' || why === 'by_hand') && actorName ? 'By' : '';
  return (
    <chakra.li py="2.5" textStyle="sm" _notFirst={{ borderTopWidth: '1px' }}>
      <chakra.p overflowWrap="anywhere">
        <Trans
          t={t}
          i18nKey={`hands.ways.${way}`}
          values={{ from: fromName, to: toName }}
          components={{ b: <chakra.strong fontWeight="semibold" /> }}
        />
      </chakra.p>
      <chakra.p overflowWrap="anywhere">
        {t(`hands.why.${why}${byName}`, { actor: actorName })}
      </chakra.p>
      <chakra.p color="fg.muted" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
        {[queueName, formatDateTime(at)].filter(Boolean).join(' · ')}
      </chakra.p>
    </chakra.li>
  );
}
