import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EmptyLine, Section, SmallError } from '@/components/Section';
import { formatCount } from '@/lib/format';
import { ticketCostQuery } from './api';
import { Cost } from './Amounts';

/** What the messages of a conversation cost; nothing where none was delivered officially. */
export function TicketCost({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation('costs');
  const cost = useQuery(ticketCostQuery(ticketId));
  if (cost.error)
    return (
      <Section title={t('ticket.title')}>
        <SmallError error={cost.error} onRetry={() => void cost.refetch()} />
      </Section>
    );
  const figures = cost.data;
  if (!figures?.messages) return null;
  return (
    <Section title={t('ticket.title')} aside={figures.billable > 0 && <Cost figures={figures} />}>
      <EmptyLine>
        {t('ticket.counts', {
          count: figures.messages,
          messages: formatCount(figures.messages),
          billable: formatCount(figures.billable),
          free: formatCount(figures.free),
        })}
      </EmptyLine>
    </Section>
  );
}
