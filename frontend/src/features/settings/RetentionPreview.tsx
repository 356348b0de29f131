import { chakra } from '@chakra-ui/react';
import { MessageSquare, Paperclip, ScrollText, StickyNote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { SmallError } from '@/components/Section';
import { Skeleton } from '@/components/States';
import { formatBytes, formatCount, formatDate, formatDateTime } from '@/lib/format';
import { useDebounced } from '@/lib/useDebounced';
import { useRetentionPreview } from './retentionApi';
import type { RetentionAmount, RetentionValues } from './types';

const ICONS = { messages: MessageSquare, notes: StickyNote, media: Paperclip, logs: ScrollText };

/** What would go by these values with the first run, and when that is. */
export function RetentionPreview({ values }: { values: RetentionValues }) {
  const { t } = useTranslation(['settings', 'common']);
  const { data, error, isPlaceholderData, refetch } = useRetentionPreview(
    useDebounced(values, 300),
  );
  return (
    <chakra.section
      aria-label={t('retention.preview.title')}
      aria-busy={isPlaceholderData || undefined}
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
      px={{ base: '4', sm: '5' }}
      py="4"
    >
      <chakra.h3 textStyle="md" fontWeight="semibold">
        {t('retention.preview.title')}
      </chakra.h3>
      <chakra.div mt="2" textStyle="sm" role="status" opacity={isPlaceholderData ? 0.6 : 1}>
        {error && !data ? (
          <SmallError error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <chakra.div aria-label={t('common:loading')}>
            <Skeleton display="block" h="5" mb="2" />
            <Skeleton display="block" h="5" w="60%" />
          </chakra.div>
        ) : data.runAt === null ? (
          <chakra.p color="fg.muted">{t('retention.preview.nothing')}</chakra.p>
        ) : (
          <>
            <chakra.p color="fg.muted">
              {t('retention.preview.when', { when: formatDateTime(data.runAt) })}
            </chakra.p>
            <chakra.ul mt="3" display="flex" flexDirection="column" gap="2.5" listStyleType="none">
              {data.amounts.map((amount) => (
                <Line key={amount.kind} amount={amount} />
              ))}
            </chakra.ul>
          </>
        )}
      </chakra.div>
    </chakra.section>
  );
}

function Line({ amount }: { amount: RetentionAmount }) {
  const { t } = useTranslation('settings');
  const Icon = ICONS[amount.kind];
  const formatted = formatCount(amount.rows);
  const count = t(`retention.kinds.${amount.kind}`, { count: amount.rows, formatted });
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: 'auto 1fr', sm: 'auto 1fr auto' }}
      alignItems="center"
      columnGap="2.5"
      fontVariantNumeric="tabular-nums"
      color={amount.rows === 0 ? 'fg.muted' : undefined}
    >
      <Icon size={16} aria-hidden />
      <chakra.span fontWeight="medium">
        {amount.isMore ? t('retention.preview.more', { count }) : count}
        {amount.bytes > 0 && `, ${formatBytes(amount.bytes)}`}
      </chakra.span>
      <chakra.span color="fg.muted" gridColumnStart={{ base: '2', sm: 'auto' }}>
        {t('retention.preview.before', { day: formatDate(amount.before) })}
      </chakra.span>
    </chakra.li>
  );
}
