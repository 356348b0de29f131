import { chakra } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '@/components/States';
import type { Ticket } from '@/features/tickets/api';
import { formatDate } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { reach } from '@/theme/screens';
import type { Contact } from '../types';
import { Notes } from './Notes';
import { EmptyLine, Section, SmallError } from '@/components/Section';

interface DetailsProps {
  query: UseQueryResult<Contact>;
  ticket: Ticket;
  /** The ticket's tags and their selector. */
  tags: ReactNode;
  edit: ReactNode;
  /** What the conversation cost, for those who may know. */
  cost: ReactNode;
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <chakra.div display="grid" gridTemplateColumns="84px minmax(0, 1fr)" columnGap="2" py="0.5">
      <chakra.dt textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {name}
      </chakra.dt>
      <chakra.dd textStyle="sm" overflowWrap="anywhere" whiteSpace="pre-wrap">
        {children}
      </chakra.dd>
    </chakra.div>
  );
}

function Data({ contact, referral }: { contact: Contact; referral: Ticket['referral'] }) {
  const { t } = useTranslation('contactDrawer');
  return (
    <chakra.dl>
      {!contact.isGroup && (
        <Line name={t('data.email')}>
          {contact.email ? (
            <chakra.a
              href={`mailto:${contact.email}`}
              css={reach}
              _hover={{ textDecoration: 'underline' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              {contact.email}
            </chakra.a>
          ) : (
            <chakra.span color="fg.muted">{t('data.none')}</chakra.span>
          )}
        </Line>
      )}
      {contact.username && <Line name={t('data.username')}>@{contact.username}</Line>}
      {contact.userId && <Line name={t('data.userId')}>{contact.userId}</Line>}
      <Line name={t('data.origin')}>
        {contact.whatsapp?.name ?? <chakra.span color="fg.muted">{t('data.byHand')}</chakra.span>}
      </Line>
      {referral && (
        <Line name={t('data.referral')}>
          {[t(referral.source_type === 'post' ? 'data.post' : 'data.ad'), referral.headline]
            .filter(Boolean)
            .join(': ')}
        </Line>
      )}
      <Line name={t('data.since')}>{formatDate(contact.createdAt)}</Line>
    </chakra.dl>
  );
}

/** The contact's data, the ticket's tags, and the colleagues' notes. */
export function Details({ query, ticket, tags, edit, cost }: DetailsProps) {
  const seesContacts = may(useCurrentUser(), 'contacts:see');
  const { t } = useTranslation('contactDrawer');
  const { data: contact, error, refetch } = query;
  return (
    <>
      {seesContacts && (
        <Section title={t('data.title')}>
          {contact ? (
            <Data contact={contact} referral={ticket.referral} />
          ) : error ? (
            <SmallError error={error} onRetry={() => void refetch()} />
          ) : (
            <chakra.div role="status" aria-label={t('loading')} display="grid" gap="2.5" py="1">
              <Skeleton display="block" h="3" w="full" />
              <Skeleton display="block" h="3" w="44" />
              <Skeleton display="block" h="3" w="32" />
            </chakra.div>
          )}
        </Section>
      )}
      {contact && (
        <Section title={t('extra.title')} aside={edit}>
          {contact.extraInfo.length > 0 ? (
            <chakra.dl>
              {contact.extraInfo.map((line) => (
                <Line key={line.id ?? line.name} name={line.name}>
                  {line.value}
                </Line>
              ))}
            </chakra.dl>
          ) : (
            <EmptyLine>{t('extra.empty')}</EmptyLine>
          )}
        </Section>
      )}
      <Section title={t('tags.title')}>{tags}</Section>
      {cost}
      {seesContacts && <Notes contactId={ticket.contactId} ticketId={ticket.id} />}
    </>
  );
}
