import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { ErrorState, Skeleton } from '@/components/States';
import { healthQuery } from '@/features/connections/api';
import type { components } from '@/lib/api/schema';
import { formatCount } from '@/lib/format';
import { limitWords, qualityTone, verificationWords } from '@/lib/numberFigures';

/** The limit of a portfolio that Meta has not allowed more yet. */
const FIRST_LIMIT = 250;

/**
 * What Meta says of the number of a campaign: its quality, the limit that it shares with the other
 * numbers of its portfolio, and whether the business is verified.
 */
export function NumberLimit({ connectionId }: { connectionId: number }) {
  const { t } = useTranslation(['campaigns', 'connections']);
  const heading = useId();
  const health = useQuery(healthQuery(connectionId));
  const { data } = health;
  return (
    <chakra.section
      aria-labelledby={heading}
      display="flex"
      flexDirection="column"
      gap="2"
      p="3"
      borderRadius="md"
      bg="bg.subtle"
      textStyle="sm"
    >
      <chakra.h3 id={heading} fontWeight="semibold">
        {t('limit.title')}
      </chakra.h3>
      {data ? (
        <Figures health={data} />
      ) : health.error ? (
        <ErrorState
          title={t('limit.failed')}
          error={health.error}
          onRetry={() => void health.refetch()}
        />
      ) : (
        <chakra.div role="status" aria-label={t('limit.loading')} display="grid" gap="2">
          <Skeleton display="block" h="5" />
          <Skeleton display="block" h="5" />
          <Skeleton display="block" h="5" />
        </chakra.div>
      )}
    </chakra.section>
  );
}

function Figures({ health }: { health: components['schemas']['Health'] }) {
  const { t } = useTranslation(['campaigns', 'connections']);
  const { messagingLimit, portfolioUsed, portfolioNumbers, portfolioName } = health;
  const { qualityRating, businessVerification } = health;
  const isLimited = messagingLimit !== null && messagingLimit > 0;
  const isFirst = isLimited && messagingLimit <= FIRST_LIMIT;
  return (
    <>
      <chakra.dl display="flex" flexDirection="column" gap="1.5">
        <Fact label={t('connections:health.quality')}>
          <Badge tone={qualityTone(qualityRating)}>
            {t(`connections:quality.${qualityRating || 'UNKNOWN'}`)}
          </Badge>
        </Fact>
        <Fact label={t('connections:health.limit')}>{limitWords(messagingLimit)}</Fact>
        {isLimited && portfolioUsed !== null && (
          <Fact label={t('limit.used')}>
            {t('limit.usedOf', {
              used: formatCount(portfolioUsed),
              limit: formatCount(messagingLimit),
            })}
          </Fact>
        )}
        <Fact label={t('connections:health.business')}>
          {verificationWords(businessVerification)}
        </Fact>
        {portfolioName && <Fact label={t('connections:health.portfolio')}>{portfolioName}</Fact>}
        {portfolioNumbers.length > 0 && (
          <Fact label={t('connections:health.sharing')}>
            {portfolioNumbers.map(({ name }) => name).join(', ')}
          </Fact>
        )}
      </chakra.dl>
      {isFirst && businessVerification !== '' && businessVerification !== 'verified' && (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('limit.notVerified', { limit: formatCount(messagingLimit) })}
        </chakra.p>
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <chakra.div display="flex" justifyContent="space-between" gap="4">
      <chakra.dt color="fg.muted" flexShrink="0">
        {label}
      </chakra.dt>
      <chakra.dd minW="0" textAlign="end" overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
        {children}
      </chakra.dd>
    </chakra.div>
  );
}
