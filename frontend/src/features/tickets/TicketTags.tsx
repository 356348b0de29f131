import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import { touch } from '@/theme/screens';
import { TagSelector } from './TagSelector';
import type { Ticket } from './types';

/** More tags than this fill the available lines: the selector then comes first. */
const FEW = 6;

/** A ticket's tags, on as many lines as needed, and their selector. */
export function TicketTags({ ticket, readOnly }: { ticket: Ticket; readOnly: boolean }) {
  const { t } = useTranslation('contactDrawer');
  const selector = !readOnly && <TagSelector ticket={ticket} />;
  const isFew = ticket.tags.length <= FEW;
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="1.5"
      maxH="28"
      overflowY="auto"
      p="0.5"
      m="-0.5"
      // A larger touch target around the button.
      css={{ [touch]: { p: '2.5', m: '-2.5' } }}
      tabIndex={isFew ? undefined : 0}
      role="group"
      aria-label={t('tags.title')}
    >
      {!isFew && selector}
      {ticket.tags.map((tag) => (
        <Chip key={tag.id} colour={tag.color} shape="tag">
          {tag.name}
        </Chip>
      ))}
      {isFew && selector}
      {readOnly && ticket.tags.length === 0 && (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('tags.none')}
        </chakra.p>
      )}
    </chakra.div>
  );
}
