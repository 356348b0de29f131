import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Facts } from '@/components/Facts';
import { formatCount, formatDateTime } from '@/lib/format';
import { money } from '@/lib/money';
import { useSources } from '../sources';
import type { CampaignReport } from './types';

function Panel({ children }: { children: ReactNode }) {
  return (
    <chakra.div bg="bg.surface" borderWidth="1px" borderRadius="md" flexShrink="0">
      {children}
    </chakra.div>
  );
}

/** From which number, to whom and when; before the start also how many would get it. */
export function MainFacts({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { campaign } = report;
  const sources = useSources()(campaign);
  return (
    <Panel>
      <chakra.div px="4" py="3">
        <Facts
          label={t('cards.label')}
          facts={[
            ...(campaign.startedAt
              ? []
              : [{ term: t('cards.valid'), value: formatCount(report.valid) }]),
            {
              term: t('cards.connection'),
              value: campaign.whatsapp?.name ?? t('cards.noConnection'),
            },
            { term: t('cards.contactList'), value: sources || t('cards.noList') },
            {
              term: t('cards.scheduledAt'),
              value: campaign.scheduledAt
                ? formatDateTime(campaign.scheduledAt)
                : t('cards.notScheduled'),
            },
            {
              term: t('cards.completedAt'),
              value: campaign.completedAt
                ? formatDateTime(campaign.completedAt)
                : t('cards.notCompleted'),
            },
          ]}
        />
      </chakra.div>
    </Panel>
  );
}

interface Step {
  label: string;
  count: number;
  /** Of which whole the count is a part, as words; '' for the first step. */
  share: string;
}

/** The steps from the people who could be written to, to those who answered or left. */
function useSteps(report: CampaignReport): Step[] {
  const { t } = useTranslation('campaignReport');
  const { valid, delivered, confirmationRequested } = report;
  const of = (whole: number, part: number, name: 'valid' | 'requested' | 'delivered') =>
    whole > 0 ? t(`shares.${name}`, { share: `${Math.round((part / whole) * 100)}%` }) : '';
  const ofDelivered = (count: number) => ({ count, share: of(delivered, count, 'delivered') });
  return [
    { label: t('cards.valid'), count: valid, share: '' },
    ...(report.campaign.confirmation
      ? [
          {
            label: t('cards.confirmationRequested'),
            count: confirmationRequested,
            share: of(valid, confirmationRequested, 'valid'),
          },
          {
            label: t('cards.confirmed'),
            count: report.confirmed,
            share: of(confirmationRequested, report.confirmed, 'requested'),
          },
        ]
      : []),
    { label: t('cards.delivered'), count: delivered, share: of(valid, delivered, 'valid') },
    { label: t('results.reached'), ...ofDelivered(report.reached) },
    { label: t('results.read'), ...ofDelivered(report.read) },
    { label: t('results.answered'), ...ofDelivered(report.answered) },
    { label: t('results.optedOut'), ...ofDelivered(report.optedOut) },
  ];
}

/** The results as a funnel: each step with its bar, as a part of the valid contacts. */
export function Results({ report }: { report: CampaignReport }) {
  const { t } = useTranslation('campaignReport');
  const { cost, valid } = report;
  const steps = useSteps(report);
  const price =
    cost.amount !== null && cost.currency
      ? `${money(cost.amount, cost.currency)}${cost.isComplete ? '' : ` (${t('results.incomplete')})`}`
      : !cost.isComplete && t('results.noPrice');
  return (
    <Panel>
      <chakra.dl
        aria-label={t('results.label')}
        m="0"
        p="4"
        display="flex"
        flexDirection="column"
        gap={{ base: '3', md: '2' }}
      >
        {steps.map((step) => (
          <Bar key={step.label} step={step} whole={valid} />
        ))}
      </chakra.dl>
      <chakra.div px="4" py="3" borderTopWidth="1px">
        <Facts
          label={t('results.beside')}
          facts={[
            { term: t('results.failed'), value: formatCount(report.failed) },
            { term: t('results.skipped'), value: formatCount(report.skipped) },
            ...(report.campaign.confirmation
              ? [{ term: t('results.notConfirmed'), value: formatCount(report.notConfirmed) }]
              : []),
            { term: t('results.blocked'), value: formatCount(report.blocked) },
            ...(price ? [{ term: t('results.cost'), value: price }] : []),
          ]}
        />
      </chakra.div>
    </Panel>
  );
}

/** The narrowest bar of a step with anybody in it, in percent. */
const LEAST = 0.5;

function Bar({ step: { label, count, share }, whole }: { step: Step; whole: number }) {
  const part = whole > 0 ? Math.min(100, (count / whole) * 100) : 0;
  return (
    <chakra.div
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', md: '176px 184px minmax(0, 1fr)' }}
      alignItems="center"
      columnGap="4"
      rowGap="1"
    >
      <chakra.dt textStyle="sm" color="fg.muted">
        {label}
      </chakra.dt>
      <chakra.dd
        m="0"
        display="flex"
        alignItems="baseline"
        justifyContent={{ base: 'flex-end', md: 'flex-start' }}
        gap="2"
        fontVariantNumeric="tabular-nums"
      >
        <chakra.span textStyle="md" fontWeight="semibold" minW={{ md: '14' }} textAlign="end">
          {formatCount(count)}
        </chakra.span>
        {share && (
          <chakra.span textStyle="xs" color="fg.muted">
            {share}
          </chakra.span>
        )}
      </chakra.dd>
      <chakra.span
        aria-hidden
        gridColumn={{ base: '1 / -1', md: 'auto' }}
        h={{ base: '2', md: '4' }}
        borderRadius="xs"
        bg="bg.subtle"
        overflow="hidden"
      >
        <chakra.span
          display="block"
          h="full"
          borderRadius="xs"
          bg="brand.solid"
          transition="width"
          transitionDuration="slow"
          style={{ width: `${count > 0 ? Math.max(part, LEAST) : 0}%` }}
        />
      </chakra.span>
    </chakra.div>
  );
}
