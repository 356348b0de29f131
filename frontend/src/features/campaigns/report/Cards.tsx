import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatDateTime } from '@/lib/format';
import { money } from '../money';
import type { CampaignReport } from './types';

/** A figure or fact with its name; `share` says of which whole the figure is a part. */
function Card({ label, value, share }: { label: string; value: ReactNode; share?: string }) {
  return (
    <chakra.div
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      px="4"
      py="3"
      minW="0"
      display="flex"
      flexDirection="column"
      gap="1"
    >
      <chakra.dt textStyle="xs" color="fg.muted">
        {label}
      </chakra.dt>
      <chakra.dd m="0" minW="0" display="flex" flexWrap="wrap" alignItems="baseline" columnGap="2">
        {value}
        {share && (
          <chakra.span textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
            {share}
          </chakra.span>
        )}
      </chakra.dd>
    </chakra.div>
  );
}

const Figure = ({ value }: { value: number }) => (
  <chakra.span textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
    {formatCount(value)}
  </chakra.span>
);

const Fact = ({ children }: { children: ReactNode }) => (
  <chakra.span textStyle="md" fontWeight="medium" overflowWrap="anywhere" minW="0">
    {children}
  </chakra.span>
);

interface CardsProps {
  label: string;
  /** More than two rows of four cards: the cards are narrower. */
  many?: boolean;
  children: ReactNode;
}

function Cards({ label, many = false, children }: CardsProps) {
  return (
    <chakra.dl
      aria-label={label}
      m="0"
      display="grid"
      gap="3"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        md: many ? 'repeat(auto-fill, minmax(144px, 1fr))' : 'repeat(4, minmax(0, 1fr))',
      }}
    >
      {children}
    </chakra.dl>
  );
}

/** The progress of the campaign, and its settings. */
export function MainCards({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { campaign } = report;
  const share = (part: number, whole: number) =>
    whole > 0 ? { share: `${Math.round((part / whole) * 100)}%` } : {};
  return (
    <Cards label={t('cards.label')}>
      <Card label={t('cards.valid')} value={<Figure value={report.valid} />} />
      {campaign.confirmation && (
        <>
          <Card
            label={t('cards.confirmationRequested')}
            value={<Figure value={report.confirmationRequested} />}
            {...share(report.confirmationRequested, report.valid)}
          />
          <Card
            label={t('cards.confirmed')}
            value={<Figure value={report.confirmed} />}
            {...share(report.confirmed, report.confirmationRequested)}
          />
        </>
      )}
      <Card
        label={t('cards.delivered')}
        value={<Figure value={report.delivered} />}
        {...share(report.delivered, report.valid)}
      />
      <Card
        label={t('cards.connection')}
        value={<Fact>{campaign.whatsapp?.name ?? t('cards.noConnection')}</Fact>}
      />
      <Card
        label={t('cards.contactList')}
        value={<Fact>{campaign.contactList?.name ?? t('cards.noList')}</Fact>}
      />
      <Card
        label={t('cards.scheduledAt')}
        value={
          <Fact>
            {campaign.scheduledAt ? formatDateTime(campaign.scheduledAt) : t('cards.notScheduled')}
          </Fact>
        }
      />
      <Card
        label={t('cards.completedAt')}
        value={
          <Fact>
            {campaign.completedAt ? formatDateTime(campaign.completedAt) : t('cards.notCompleted')}
          </Fact>
        }
      />
    </Cards>
  );
}

/** The results of the campaign. */
export function ResultCards({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { delivered, cost } = report;
  const ofDelivered = (part: number) =>
    delivered > 0 ? { share: `${Math.round((part / delivered) * 100)}%` } : {};
  return (
    <Cards label={t('results.label')} many>
      <Card
        label={t('results.reached')}
        value={<Figure value={report.reached} />}
        {...ofDelivered(report.reached)}
      />
      <Card
        label={t('results.read')}
        value={<Figure value={report.read} />}
        {...ofDelivered(report.read)}
      />
      <Card
        label={t('results.answered')}
        value={<Figure value={report.answered} />}
        {...ofDelivered(report.answered)}
      />
      <Card label={t('results.failed')} value={<Figure value={report.failed} />} />
      <Card label={t('results.skipped')} value={<Figure value={report.skipped} />} />
      {report.campaign.confirmation && (
        <Card label={t('results.notConfirmed')} value={<Figure value={report.notConfirmed} />} />
      )}
      <Card label={t('results.optedOut')} value={<Figure value={report.optedOut} />} />
      <Card label={t('results.blocked')} value={<Figure value={report.blocked} />} />
      {cost.amount !== null && cost.currency && (
        <Card
          label={t('results.cost')}
          value={
            <chakra.span textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
              {money(cost.amount, cost.currency)}
            </chakra.span>
          }
          {...(!cost.isComplete && { share: t('results.incomplete') })}
        />
      )}
      {cost.amount === null && !cost.isComplete && (
        <Card label={t('results.cost')} value={<Fact>{t('results.noPrice')}</Fact>} />
      )}
    </Cards>
  );
}
