import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { LoadingDialog } from '@/components/LoadingDialog';
import { formatCount, formatDateTime } from '@/lib/format';
import { limitWords, qualityTone, verificationWords } from '@/lib/numberFigures';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { healthQuery, useDismissAlerts, useRefreshHealth } from './api';
import { Section } from './fields';
import { alertWords, rolesWords } from './figures';
import { PhoneSection } from './PhoneSection';
import type { Connection, Health } from './types';

/** Meta's data older than this is fetched again when the dialog opens. */
const OLD_MS = 3_600_000;

interface HealthDialogProps {
  connection: Connection;
  onClose: () => void;
}

const isOld = ({ qualityAt }: Health) =>
  qualityAt === null || Date.now() - Date.parse(qualityAt) > OLD_MS;

/** The health of a number: its last messages, failures, waiting messages, and Meta's data. */
export function HealthDialog({ connection, onClose }: HealthDialogProps) {
  const { t } = useTranslation('connections');
  const health = useQuery(healthQuery(connection.id));
  const refresh = useRefreshHealth(connection.id);
  const refetch = () => void health.refetch();
  useCompanyEvent('whatsapp', refetch);
  useCompanyEvent('whatsappSession', refetch);
  const { data } = health;
  const isOfficial = connection.provider === 'official';
  const isShown = data !== undefined;
  const askOnce = useEffectEvent(() => {
    // The user did not request it, so a failure is not reported.
    if (data && isOfficial && isOld(data)) refresh.mutate();
  });
  useEffect(() => {
    if (isShown) askOnce();
  }, [isShown]);
  const title = t('health.title', { name: connection.name });
  if (!data) return <LoadingDialog title={title} query={health} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        isOfficial && (
          <Button
            variant="outline"
            icon={<RotateCw size={16} />}
            loading={refresh.isPending}
            onClick={() => refresh.mutate(undefined, { onError: toast.error })}
          >
            {t('health.refresh')}
          </Button>
        )
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="6">
        {data.alerts.length > 0 && <Alerts connection={connection} alerts={data.alerts} />}
        {data.phone.length > 0 && <PhoneSection id={connection.id} syncs={data.phone} />}
        <Messages health={data} />
        {isOfficial && <Figures connection={connection} health={data} />}
      </chakra.div>
    </Dialog>
  );
}

function Fact({ label, children, aside }: { label: string; children: ReactNode; aside?: string }) {
  return (
    <chakra.div
      display="flex"
      justifyContent="space-between"
      alignItems="baseline"
      gap="4"
      textStyle="sm"
    >
      <chakra.dt color="fg.muted">{label}</chakra.dt>
      <chakra.dd textAlign="end" fontVariantNumeric="tabular-nums">
        {children}
        {aside && (
          <chakra.span display="block" textStyle="xs" color="fg.muted">
            {aside}
          </chakra.span>
        )}
      </chakra.dd>
    </chakra.div>
  );
}

const Facts = ({ children }: { children: ReactNode }) => (
  <chakra.dl display="flex" flexDirection="column" gap="2.5">
    {children}
  </chakra.dl>
);

function Messages({ health }: { health: Health }) {
  const { t } = useTranslation('connections');
  const reasonOf = useReason();
  const { lastInAt, lastOutAt, lastOutAck, failed, failures, waiting, waitingSince } = health;
  const at = (moment: string | null) => (moment ? formatDateTime(moment) : t('health.never'));
  const outcome = lastOutAck === -1 ? 'failed' : lastOutAck === 0 ? 'waiting' : null;
  return (
    <Section title={t('health.messages')}>
      <Facts>
        <Fact label={t('health.lastIn')}>{at(lastInAt)}</Fact>
        <Fact
          label={t('health.lastOut')}
          {...(outcome && { aside: t(`health.outcome.${outcome}`) })}
        >
          {at(lastOutAt)}
        </Fact>
        <Fact
          label={t('health.waiting')}
          {...(waitingSince && {
            aside: t('health.since', { time: formatDateTime(waitingSince) }),
          })}
        >
          {formatCount(waiting)}
        </Fact>
        <Fact label={t('health.failed')}>{formatCount(failed)}</Fact>
      </Facts>
      {failures.length > 0 && (
        <chakra.ul
          aria-label={t('health.reasons')}
          listStyleType="none"
          display="flex"
          flexDirection="column"
          gap="2"
          bg="bg.subtle"
          borderRadius="md"
          p="3"
        >
          {failures.map((each) => (
            <chakra.li
              key={`${each.reasonCode} ${each.reasonDetail}`}
              display="flex"
              justifyContent="space-between"
              gap="4"
              textStyle="sm"
            >
              <chakra.span overflowWrap="anywhere" minW="0">
                {reasonOf(each, each.sentence) || t('health.noReason')}
              </chakra.span>
              <chakra.span fontVariantNumeric="tabular-nums" fontWeight="semibold">
                {formatCount(each.count)}
              </chakra.span>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
    </Section>
  );
}

function Figures({ connection, health }: { connection: Connection; health: Health }) {
  const { t } = useTranslation('connections');
  const { qualityRating, qualityAt, messagingLimit, messagingLimitAt } = health;
  const { portfolioName, portfolioId, portfolioNumbers, portfolioUsed } = health;
  const learnt = (moment: string | null) =>
    moment ? { aside: t('health.learnt', { time: formatDateTime(moment) }) } : {};
  return (
    <Section title={t('health.meta')} text={t('health.metaText')}>
      <Facts>
        <Fact label={t('health.quality')} {...learnt(qualityAt)}>
          <Badge tone={qualityTone(qualityRating)}>
            {t(`quality.${qualityRating || 'UNKNOWN'}`)}
          </Badge>
        </Fact>
        <Fact label={t('health.limit')} {...learnt(messagingLimitAt)}>
          {limitWords(messagingLimit)}
        </Fact>
        {portfolioUsed !== null && (
          <Fact label={t('health.used')}>
            {t('health.begun', { count: portfolioUsed, people: formatCount(portfolioUsed) })}
          </Fact>
        )}
        <Fact label={t('health.business')} {...learnt(health.businessVerificationAt)}>
          {verificationWords(health.businessVerification)}
        </Fact>
        <Fact label={t('health.portfolio')} {...(portfolioName && { aside: portfolioId })}>
          {portfolioName || portfolioId || t('health.unknown')}
        </Fact>
        {portfolioNumbers.length > 0 && (
          <Fact label={t('health.sharing')}>
            {portfolioNumbers.map(({ name }) => name).join(', ')}
          </Fact>
        )}
        <Fact label={t('health.roles')} {...learnt(connection.routingRolesAt)}>
          {rolesWords(connection.routingRoles, t)}
        </Fact>
        <Fact label={t('directSend.title')} {...learnt(connection.directSendAt)}>
          {connection.directSend === 'may_not' && connection.directSendUntil
            ? t('directSend.may_not', { time: formatDateTime(connection.directSendUntil) })
            : t(`directSend.${connection.directSend}`)}
        </Fact>
      </Facts>
    </Section>
  );
}

function Alerts({ connection, alerts }: { connection: Connection; alerts: Health['alerts'] }) {
  const { t } = useTranslation('connections');
  const dismiss = useDismissAlerts(connection.id);
  return (
    <Section title={t('health.alerts')}>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="3">
        {alerts.map((alert) => (
          <chakra.li key={alert.kind} textStyle="sm">
            <chakra.span display="block" overflowWrap="anywhere">
              {alertWords(alert, t)}
            </chakra.span>
            <chakra.span textStyle="xs" color="fg.muted">
              {`${t(`severity.${alert.severity}`)} · ${formatDateTime(alert.at)}`}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
      <Button
        variant="outline"
        size="sm"
        alignSelf="flex-start"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate(undefined, { onError: toast.error })}
      >
        {t('health.dismiss')}
      </Button>
    </Section>
  );
}
