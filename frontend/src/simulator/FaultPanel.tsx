import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Select } from '@/components/Select';
import { Switch } from '@/components/Toggle';
import {
  clearFaults,
  post,
  useAct,
  type Bill,
  type Customer,
  type Fault,
  type Portfolio,
  type SimNumber,
  type State,
} from './api';
import { BillSection } from './BillSection';
import { OtherAgent } from './OtherAgent';

const KINDS = [
  'provider_down',
  'connection_reset',
  'answer_lost',
  'slow',
  'rate_limited',
  'token_expired',
  'not_on_whatsapp',
  'window_closed',
  'duplicate_webhooks',
  'out_of_order_statuses',
  'phone_silent',
  'control_refused',
  'direct_send_off',
  'direct_send_blocked',
  'marketing_closed',
  'marketing_terms',
  'template_held',
  'template_paused',
  'template_disabled',
  'form_blocked',
  'form_throttled',
  'free_entry',
] as const;
/** The faults that apply to a phone with linked devices. */
const OF_PHONES: readonly string[] = [
  'provider_down',
  'connection_reset',
  'answer_lost',
  'slow',
  'not_on_whatsapp',
  'duplicate_webhooks',
];
const SLOW_SECONDS = 20;
/** Meta's limits of a portfolio; −1 is none. */
const LIMITS = [250, 2_000, 10_000, 100_000, -1];

interface Props {
  faults: Fault[];
  outbox: State['outbox'] | undefined;
  number: SimNumber | undefined;
  portfolio: Portfolio | null;
  bill: Bill | null;
  /** The customer whose telephone is shown, with whether another agent leads the conversation. */
  customer: Customer | null;
  isElsewhere: boolean;
}

/**
 * Another agent of the number, the faults to simulate, the portfolio's limit, Meta's bill, and the
 * backlog of webhooks that the product has not accepted.
 */
export function FaultPanel(props: Props) {
  const { faults, outbox, number, portfolio, bill, customer, isElsewhere } = props;
  const { t } = useTranslation('simulator');
  const [times, setTimes] = useState('');
  const change = useAct(({ kind, on }: { kind: string; on: boolean }) =>
    on
      ? post('/faults', {
          kind,
          number: number?.id,
          times: times ? Number(times) : null,
          seconds: kind === 'slow' ? SLOW_SECONDS : 0,
        })
      : clearFaults(kind),
  );
  const clear = useAct(() => clearFaults());
  return (
    <chakra.section
      aria-label={t('faults.title')}
      data-testid="faults"
      display="flex"
      flexDirection="column"
      gap="3"
      p="4"
      overflowY="auto"
    >
      {number && !number.isPhone && customer && (
        <chakra.div pb="3" borderBottomWidth="1px">
          <OtherAgent number={number} customer={customer} isElsewhere={isElsewhere} />
        </chakra.div>
      )}
      <chakra.div display="flex" alignItems="center" justifyContent="space-between" minH="8">
        <chakra.h2 fontWeight="semibold">{t('faults.title')}</chakra.h2>
        {faults.length > 0 && (
          <Button size="sm" variant="outline" onClick={() => clear.mutate(undefined)}>
            {t('faults.clear')}
          </Button>
        )}
      </chakra.div>
      <chakra.p fontSize="sm" color="fg.muted">
        {t('faults.help')}
      </chakra.p>
      <Select
        size="sm"
        aria-label={t('faults.times')}
        value={times}
        onChange={(event) => setTimes(event.target.value)}
        options={[
          { value: '', label: t('faults.always') },
          { value: '1', label: t('faults.once') },
          { value: '3', label: t('faults.thrice') },
        ]}
      />
      <chakra.ul display="grid" gap="3">
        {KINDS.filter((kind) => !number?.isPhone || OF_PHONES.includes(kind)).map((kind) => {
          const fault = faults.find((one) => one.kind === kind);
          return (
            <chakra.li key={kind} data-testid={`fault-${kind}`}>
              <Switch
                checked={!!fault}
                onChange={(on) => change.mutate({ kind, on })}
                label={t(`faults.kinds.${kind}`)}
              />
              <chakra.p fontSize="xs" color="fg.muted" mt="0.5">
                {t(`faults.notes.${kind}`)}
                {fault?.times != null && ` · ${t('faults.left', { count: fault.times })}`}
              </chakra.p>
            </chakra.li>
          );
        })}
      </chakra.ul>
      {number && !number.isPhone && portfolio && (
        <LimitSelect number={number} portfolio={portfolio} />
      )}
      {number && !number.isPhone && bill && <BillSection bill={bill} />}
      <chakra.div
        role="status"
        data-testid="outbox"
        mt="2"
        pt="3"
        borderTopWidth="1px"
        fontSize="sm"
        color={outbox?.error ? 'status.danger.fg' : 'fg.muted'}
      >
        {outbox && outbox.waiting > 0
          ? t('outbox.waiting', { count: outbox.waiting })
          : t('outbox.empty')}
        {outbox?.error && (
          <chakra.span display="block" fontSize="xs" overflowWrap="anywhere">
            {outbox.error}
          </chakra.span>
        )}
      </chakra.div>
    </chakra.section>
  );
}

/** Changes to how many people the portfolio's numbers may write first in 24 hours, together. */
function LimitSelect({ number, portfolio }: { number: SimNumber; portfolio: Portfolio }) {
  const { t } = useTranslation('simulator');
  const change = useAct((limit: number) => post('/portfolio', { number: number.id, limit }));
  // Tests set limits that Meta does not have.
  const limits = LIMITS.includes(portfolio.limit) ? LIMITS : [portfolio.limit, ...LIMITS];
  return (
    <chakra.div data-testid="portfolio" mt="2" pt="3" borderTopWidth="1px">
      <chakra.h3 fontSize="sm" fontWeight="semibold">
        {t('portfolio.title')}
      </chakra.h3>
      <chakra.p fontSize="xs" color="fg.muted" mt="0.5" mb="2">
        {t('portfolio.help', { name: portfolio.name })}
      </chakra.p>
      <Select
        size="sm"
        aria-label={t('portfolio.title')}
        value={String(portfolio.limit)}
        onChange={(event) => change.mutate(Number(event.target.value))}
        options={limits.map((limit) => ({
          value: String(limit),
          label: limit === -1 ? t('portfolio.none') : t('portfolio.people', { count: limit }),
        }))}
      />
    </chakra.div>
  );
}
