import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateTime } from '@/components/Cells';
import { Dialog } from '@/components/Dialog';
import { Facts } from '@/components/Facts';
import { ErrorState, SkeletonRows } from '@/components/States';
import { formatDay, inReais } from '@/lib/format';
import { ledgerQuery } from './api';
import { LedgerAction, type Action } from './LedgerAction';
import type { LedgerDetail } from './types';

/** An invoice with all that belongs to it, and what the super user can do (rules/billing §8). */
export function LedgerDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('ledger');
  const detail = useQuery(ledgerQuery(id));
  const [action, setAction] = useState<Action | null>(null);
  const found = detail.data;
  if (found && action) {
    return <LedgerAction detail={found} action={action} onClose={() => setAction(null)} />;
  }
  return (
    <Dialog
      open
      size="lg"
      title={t('title', { id })}
      onClose={onClose}
      footer={
        found && (
          <>
            {found.invoice.status === 'open' && (
              <Button variant="outline" onClick={() => setAction({ verb: 'cancel' })}>
                {t('actions.cancel')}
              </Button>
            )}
            <Button variant="outline" onClick={() => setAction({ verb: 'credit' })}>
              {t('actions.credit')}
            </Button>
            {found.invoice.status === 'open' && (
              <Button onClick={() => setAction({ verb: 'payments' })}>
                {t('actions.payments')}
              </Button>
            )}
          </>
        )
      }
    >
      {detail.isPending && <SkeletonRows rows={5} />}
      {detail.isError && <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />}
      {found && <Details detail={found} onAction={setAction} />}
    </Dialog>
  );
}

interface DetailsProps {
  detail: LedgerDetail;
  onAction: (action: Action) => void;
}

function Details({ detail, onAction }: DetailsProps) {
  const { t, i18n } = useTranslation(['ledger', 'audit']);
  const { invoice, due, credit, owed, payments, charges, credits, history } = detail;
  return (
    <chakra.div display="flex" flexDirection="column" gap="6">
      <Facts
        facts={[
          { term: t('columns.company'), value: invoice.companyName },
          { term: t('detail'), value: invoice.detail },
          { term: t('columns.status'), value: t(`status.${invoice.status}`) },
          { term: t('columns.dueDate'), value: formatDay(invoice.dueDate) },
          { term: t('columns.value'), value: inReais(invoice.value) },
          { term: t('due'), value: inReais(due) },
          owed > 0
            ? { term: t('owed'), value: inReais(owed) }
            : { term: t('credit'), value: inReais(credit) },
          { term: t('activeUntil'), value: formatDay(detail.companyDueDate) },
        ]}
      />
      <Lines title={t('payments')} none={t('none.payments')}>
        {payments.map((payment) => (
          <Line key={payment.id} at={payment.paidAt} value={inReais(payment.value)}>
            {t(`outcome.${payment.outcome}`)} · {t(`provider.${payment.provider}`)} ·{' '}
            {payment.reference}
            {payment.refunded > 0 && ` · ${t('refunded', { value: inReais(payment.refunded) })}`}
            {payment.refunded < payment.value && (
              <Button
                variant="outline"
                size="sm"
                ms="2"
                onClick={() => onAction({ verb: 'refund', payment })}
              >
                {t('actions.refund')}
              </Button>
            )}
          </Line>
        ))}
      </Lines>
      <Lines title={t('charges')} none={t('none.charges')}>
        {charges.map((charge) => (
          <Line key={charge.id} at={charge.createdAt} value={inReais(charge.value)}>
            {t(`provider.${charge.provider}`)} · {charge.txid}
            {charge.isReplaced && ` · ${t('replaced')}`}
            {charge.lastError && (
              <chakra.span display="block" color="status.danger.fg">
                {charge.lastError}
              </chakra.span>
            )}
          </Line>
        ))}
      </Lines>
      <Lines title={t('credits')} none={t('none.credits')}>
        {credits.map((each) => (
          <Line key={each.id} at={each.createdAt} value={inReais(each.value)}>
            {t(`creditKind.${each.kind}`)}
            {each.note && ` · ${each.note}`}
          </Line>
        ))}
      </Lines>
      <Lines title={t('history')} none={t('none.history')}>
        {history.map((entry) => {
          const key = `audit:actions.${entry.action}`;
          return (
            <Line key={entry.id} at={entry.createdAt} value={entry.actorName || t('audit:system')}>
              {i18n.exists(key) ? t(key) : entry.action}
            </Line>
          );
        })}
      </Lines>
    </chakra.div>
  );
}

interface LinesProps {
  title: string;
  none: string;
  children: ReactNode[];
}

function Lines({ title, none, children }: LinesProps) {
  return (
    <chakra.section>
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="1">
        {title}
      </chakra.h3>
      {children.length ? (
        <chakra.ul listStyleType="none">{children}</chakra.ul>
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          {none}
        </chakra.p>
      )}
    </chakra.section>
  );
}

function Line({ at, value, children }: { at: string; value: string; children: ReactNode }) {
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: '1fr auto', sm: '150px 1fr auto' }}
      alignItems="center"
      gap="3"
      py="2"
      borderBottomWidth="1px"
      textStyle="sm"
    >
      <chakra.span color="fg.muted">
        <DateTime at={at} />
      </chakra.span>
      <chakra.span minW="0" overflowWrap="anywhere" order={{ base: 1, sm: 0 }}>
        {children}
      </chakra.span>
      <chakra.span fontVariantNumeric="tabular-nums">{value}</chakra.span>
    </chakra.li>
  );
}
