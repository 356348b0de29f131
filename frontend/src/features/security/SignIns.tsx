import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MoreButton } from '@/components/ListEnd';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { formatDateTime } from '@/lib/format';
import { signInsQuery } from './api';

/** The account's logins, each with its time, device and address. */
export function SignIns() {
  const { t } = useTranslation(['security', 'common']);
  const list = useInfiniteQuery(signInsQuery());
  if (list.error && !list.data)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) {
    return (
      <chakra.div display="flex" flexDirection="column" gap="4" pt="4" aria-busy="true">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} h="10" />
        ))}
      </chakra.div>
    );
  }
  if (list.data.length === 0) {
    return <EmptyState icon={<MonitorSmartphone size={20} />} title={t('signIns.empty')} />;
  }
  return (
    <chakra.div pt="4">
      <chakra.p textStyle="sm" color="fg.muted" mb="3">
        {t('signIns.help')}
      </chakra.p>
      <chakra.ul listStyleType="none" aria-label={t('signIns.tab')}>
        {list.data.map((signIn) => (
          <chakra.li
            key={signIn.id}
            display="flex"
            justifyContent="space-between"
            gap="4"
            py="3"
            borderTopWidth="1px"
            _first={{ borderTopWidth: '0' }}
          >
            <chakra.div minW="0">
              <chakra.p textStyle="md" fontWeight="medium" overflowWrap="anywhere">
                {signIn.device || t('signIns.unknownDevice')}
                {signIn.isAdmin && (
                  <chakra.span color="fg.muted" fontWeight="normal">
                    {' · '}
                    {t('signIns.admin')}
                  </chakra.span>
                )}
              </chakra.p>
              <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">
                {[signIn.place, signIn.ipAddress].filter(Boolean).join(' · ')}
              </chakra.p>
            </chakra.div>
            <chakra.time
              dateTime={signIn.createdAt}
              flexShrink="0"
              textStyle="sm"
              color="fg.muted"
              fontVariantNumeric="tabular-nums"
            >
              {formatDateTime(signIn.createdAt)}
            </chakra.time>
          </chakra.li>
        ))}
      </chakra.ul>
      <chakra.div mt="2">
        <MoreButton pages={list} label={t('signIns.more')} />
      </chakra.div>
    </chakra.div>
  );
}
