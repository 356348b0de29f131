import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Send, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { ErrorState, Skeleton } from '@/components/States';
import { formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { estimateQuery, useStartCampaign } from './api';
import { NumberLimit } from './NumberLimit';
import { countryName, money } from '@/lib/money';
import type { Campaign, Cost, Estimate } from './types';

interface StartDialogProps {
  campaign: Campaign;
  onClose: () => void;
  onStarted: () => void;
}

/** Asks before a campaign is started manually, with its recipients, expected end and cost. */
export function StartDialog({ campaign, onClose, onStarted }: StartDialogProps) {
  const { t } = useTranslation('campaigns');
  const estimate = useQuery(estimateQuery(campaign.id));
  const start = useStartCampaign();
  const isNobody = estimate.data?.recipients === 0;
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t('start.title', { name: campaign.name })}
      footer={
        <>
          <CancelButton>{t('common:actions.back')}</CancelButton>
          <Button
            icon={<Send size={16} />}
            loading={start.isPending}
            disabled={estimate.isPending || isNobody}
            onClick={() =>
              start.mutate(campaign.id, {
                onSuccess: () => {
                  toast.success(t('started'));
                  onStarted();
                },
                onError: toast.error,
              })
            }
          >
            {t('start.submit')}
          </Button>
        </>
      }
    >
      {estimate.data ? (
        <EstimateView estimate={estimate.data} connectionId={campaign.whatsappId} />
      ) : estimate.error ? (
        <ErrorState
          title={t('start.failed')}
          error={estimate.error}
          onRetry={() => void estimate.refetch()}
        />
      ) : (
        <chakra.div role="status" aria-label={t('start.loading')} display="grid" gap="3">
          <Skeleton display="block" h="10" />
          <Skeleton display="block" h="10" />
          <Skeleton display="block" h="10" />
        </chakra.div>
      )}
    </Dialog>
  );
}

/** The estimate: recipients, exclusions with reasons, duration and cost. */
function EstimateView({
  estimate,
  connectionId,
}: {
  estimate: Estimate;
  connectionId: number | null;
}) {
  const { t } = useTranslation('campaigns');
  const reason = useReason();
  const { recipients, leftOut, finishAt, cost, tierLimit, aboveTier } = estimate;
  const { portfolioUsed, portfolioPlanned } = estimate;
  const left = leftOut.reduce((sum, { count }) => sum + count, 0);
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.dl display="flex" flexDirection="column">
        <Line label={t('estimate.recipients')} strong>
          {formatCount(recipients)}
        </Line>
        {left > 0 && <Line label={t('estimate.leftOut')}>{formatCount(left)}</Line>}
        {leftOut.map(({ reason: code, count }) => (
          <Line
            key={code}
            inner
            label={t(`leftOut.${code}`, {
              defaultValue: reason({ reasonCode: code, reasonDetail: '' }, code),
            })}
          >
            {formatCount(count)}
          </Line>
        ))}
        <Line label={t('estimate.finish')}>
          {finishAt ? formatDateTime(finishAt) : t('estimate.unknown')}
        </Line>
        {!!portfolioPlanned && tierLimit !== null && (
          <Line label={t('estimate.planned')}>
            {t('estimate.people', {
              count: portfolioPlanned,
              shown: formatCount(portfolioPlanned),
            })}
          </Line>
        )}
        <CostLines cost={cost} />
      </chakra.dl>
      {cost.lines.length > 0 && <Billed estimate={estimate} />}
      {recipients === 0 && <Warning>{t('estimate.nobody')}</Warning>}
      {aboveTier > 0 && tierLimit !== null && (
        <Warning>
          {t('estimate.later', {
            count: aboveTier,
            shown: formatCount(aboveTier),
            limit: formatCount(tierLimit),
          })}
        </Warning>
      )}
      {/* A QR session has none. */}
      {portfolioUsed !== null && connectionId !== null && (
        <NumberLimit connectionId={connectionId} />
      )}
    </chakra.div>
  );
}

function CostLines({ cost }: { cost: Cost }) {
  const { t } = useTranslation(['campaigns', 'templates']);
  const { amount, currency, lines, isComplete } = cost;
  if (lines.length === 0)
    // Nothing that Meta bills, or a template whose category is unknown.
    return isComplete ? null : <Line label={t('estimate.cost')}>{t('estimate.unknown')}</Line>;
  return (
    <>
      <Line label={t('estimate.cost')} strong>
        {amount === null || currency === null
          ? t('estimate.noPrice')
          : t(isComplete ? 'estimate.amount' : 'estimate.atLeast', {
              amount: money(amount, currency),
            })}
      </Line>
      {lines.map((line) => (
        <Line
          key={`${line.category} ${line.country}`}
          inner
          label={t('estimate.line', {
            category: t(`templates:category.${line.category.toUpperCase()}`, {
              defaultValue: line.category,
            }),
            country: countryName(line.country),
            count: line.recipients,
            shown: formatCount(line.recipients),
          })}
        >
          {line.amount === null || currency === null
            ? t('estimate.noPrice')
            : money(line.amount, currency)}
        </Line>
      ))}
    </>
  );
}

const part = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 0 });

/** What of the messages the amount counts as billed. */
function Billed({ estimate: { cost, billedShares } }: { estimate: Estimate }) {
  const { t } = useTranslation(['campaigns', 'templates']);
  const categories = new Set(cost.lines.map(({ category }) => category));
  const known = billedShares.filter(({ category }) => categories.has(category));
  return (
    <chakra.p textStyle="xs" color="fg.muted">
      {categories.has('SERVICE') && `${t('estimate.service')} `}
      {known.length > 0
        ? t('estimate.billed', {
            what: known
              .map(({ category, share }) =>
                t('estimate.share', {
                  category: t(`templates:category.${category}`, { defaultValue: category }),
                  share: part.format(Number(share)),
                }),
              )
              .join(', '),
          })
        : t('estimate.allBilled')}
    </chakra.p>
  );
}

interface LineProps {
  label: string;
  strong?: boolean;
  /** A detail of the line before. */
  inner?: boolean;
  children: ReactNode;
}

function Line({ label, strong = false, inner = false, children }: LineProps) {
  return (
    <chakra.div
      display="flex"
      justifyContent="space-between"
      gap="4"
      py={inner ? '1' : '2'}
      ps={inner ? '4' : '0'}
      borderTopWidth={inner ? '0' : '1px'}
      borderColor="border.subtle"
      textStyle="sm"
      color={inner ? 'fg.muted' : 'fg.default'}
      _first={{ borderTopWidth: '0' }}
    >
      <chakra.dt minW="0" overflowWrap="anywhere">
        {label}
      </chakra.dt>
      <chakra.dd
        textAlign="end"
        fontVariantNumeric="tabular-nums"
        {...(strong && { fontWeight: 'semibold' })}
      >
        {children}
      </chakra.dd>
    </chakra.div>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <chakra.p
      role="alert"
      display="flex"
      gap="2"
      p="3"
      borderRadius="md"
      textStyle="sm"
      bg="status.waiting.subtle"
      color="status.waiting.fg"
    >
      <chakra.span display="flex" flexShrink="0" pt="0.5">
        <TriangleAlert size={16} aria-hidden />
      </chakra.span>
      {children}
    </chakra.p>
  );
}
