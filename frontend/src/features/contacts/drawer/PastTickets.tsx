import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, type To } from 'react-router';
import { Badge } from '@/components/Badge';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { lastWords, type Ticket } from '@/features/tickets/api';
import { formatDate } from '@/lib/format';
import { pastTicketsQuery } from './api';
import { pastTicketsOf } from './fold';
import { PagedScroller } from './PagedScroller';

const RowLink = chakra(Link);
const TONES = { open: 'live', pending: 'waiting', closed: 'neutral' } as const;

interface PastTicketsProps {
  contactId: number;
  /** The ticket that is open beside the drawer. */
  currentId: number;
  addressOf: (ticket: Ticket) => To;
}

/** The contact's tickets that the user may read, newest first. */
export function PastTickets({ contactId, currentId, addressOf }: PastTicketsProps) {
  const { t } = useTranslation('contactDrawer');
  const query = useInfiniteQuery(pastTicketsQuery(contactId));
  if (query.error && !query.data)
    return (
      <ErrorState
        title={t('history.failed')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data)
    return (
      <chakra.div role="status" aria-label={t('loading')} display="grid" gap="5" p="5">
        {[0, 1, 2].map((row) => (
          <chakra.div key={row} display="grid" gap="2">
            <Skeleton display="block" h="3" w="44" />
            <Skeleton display="block" h="3" w="full" />
            <Skeleton display="block" h="3" w="28" />
          </chakra.div>
        ))}
      </chakra.div>
    );
  const tickets = pastTicketsOf(query.data);
  if (tickets.length === 0)
    return (
      <EmptyState
        icon={<Inbox size={20} />}
        title={t('history.empty')}
        text={t('history.emptyText')}
      />
    );
  return (
    <PagedScroller query={query}>
      <chakra.ul aria-label={t('history.label')} listStyleType="none">
        {tickets.map((ticket) => (
          <chakra.li key={ticket.id} borderBottomWidth="1px">
            <Row ticket={ticket} isCurrent={ticket.id === currentId} to={addressOf(ticket)} />
          </chakra.li>
        ))}
      </chakra.ul>
    </PagedScroller>
  );
}

function Row({ ticket, isCurrent, to }: { ticket: Ticket; isCurrent: boolean; to: To }) {
  const { t } = useTranslation('contactDrawer');
  const days = [ticket.createdAt, ticket.closedAt]
    .filter((time) => time !== null)
    .map((time) => formatDate(time));
  const place = [ticket.user?.name, ticket.whatsapp?.name].filter(Boolean).join(' · ');
  return (
    <RowLink
      to={to}
      display="block"
      px="5"
      py="3"
      aria-current={isCurrent || undefined}
      bg={isCurrent ? 'brand.subtle' : undefined}
      _hover={isCurrent ? {} : { bg: 'bg.hover' }}
      _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
    >
      <chakra.span display="flex" alignItems="center" gap="2">
        <chakra.span
          textStyle="sm"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          flex="1"
        >
          #{ticket.id}
        </chakra.span>
        <Badge tone={TONES[ticket.status]}>{t(`status.${ticket.status}`)}</Badge>
      </chakra.span>
      <chakra.span display="block" textStyle="sm" mt="0.5" truncate>
        {lastWords(ticket) || t('history.noMessage')}
      </chakra.span>
      <chakra.span
        display="flex"
        alignItems="center"
        gap="1.5"
        mt="1"
        textStyle="xs"
        color="fg.muted"
      >
        <chakra.span
          aria-hidden
          w="2"
          h="2"
          flexShrink="0"
          borderRadius="full"
          style={{ backgroundColor: ticket.queue?.color ?? 'currentColor' }}
        />
        <chakra.span truncate>
          {ticket.queue?.name ?? t('history.noQueue')}
          {place && ` · ${place}`}
        </chakra.span>
      </chakra.span>
      <chakra.span
        display="block"
        mt="0.5"
        textStyle="xs"
        color="fg.muted"
        fontVariantNumeric="tabular-nums"
      >
        {[...new Set(days)].join(' – ')}
      </chakra.span>
    </RowLink>
  );
}
