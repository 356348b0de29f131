import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import type { Ticket } from './api';
import { TagSelector } from './TagSelector';

/** A ticket's tags on as many lines as they need, and where they are chosen. */
export function TicketTags({ ticket, readOnly }: { ticket: Ticket; readOnly: boolean }) {
  const { t } = useTranslation('contactDrawer');
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      gap="1.5"
      alignItems="center"
      maxH="20"
      overflowY="auto"
      p="0.5"
      m="-0.5"
    >
      {ticket.tags.map((tag) => (
        <Chip key={tag.id} colour={tag.color} shape="tag">
          {tag.name}
        </Chip>
      ))}
      {readOnly ? (
        ticket.tags.length === 0 && (
          <chakra.p textStyle="sm" color="fg.muted">
            {t('tags.none')}
          </chakra.p>
        )
      ) : (
        <TagSelector ticket={ticket} />
      )}
    </chakra.div>
  );
}
