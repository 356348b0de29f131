import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { CountBadge } from '@/components/Badge';
import { IconButton } from '@/components/IconButton';
import { Popover } from '@/components/Popover';
import { PersonPresence } from '@/features/desk/api';
import { mentionsQuery, type Mention } from '@/features/messages/api';
import { formatLastMessageTime } from '@/lib/format';
import { paths } from '@/routes/paths';

/**
 * The list 'Menções': the notes that mention the user, the new ones first to be seen. The
 * notifications fetch the list; here it is only shown.
 */
export function MentionsButton() {
  const { t } = useTranslation('inbox');
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useQuery({ ...mentionsQuery(), enabled: false });
  const mentions = data?.mentions ?? [];
  const fresh = mentions.filter(({ seen }) => !seen).length;
  const open = ({ ticket, note }: Mention) => {
    setIsOpen(false);
    void navigate({ pathname: paths.ticket(ticket.uuid), search: `note=${note.id}` });
  };
  return (
    <Popover
      label={t('mentions.title')}
      width="320px"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <IconButton
          size="sm"
          label={fresh > 0 ? t('mentions.new', { count: fresh }) : t('mentions.title')}
          icon={<AtSign size={20} />}
          mark={
            fresh > 0 && (
              <chakra.span position="absolute" top="-1" insetStart="5">
                <CountBadge count={fresh} tone="waiting" />
              </chakra.span>
            )
          }
        />
      }
    >
      <chakra.h2 textStyle="sm" fontWeight="semibold" pb="1">
        {t('mentions.title')}
      </chakra.h2>
      <chakra.ul listStyleType="none" maxH="min(420px, 60vh)" overflowY="auto" mx="-2">
        {mentions.map((mention) => (
          <chakra.li key={mention.id}>
            <chakra.button
              type="button"
              onClick={() => open(mention)}
              display="flex"
              flexDirection="column"
              gap="0.5"
              w="full"
              px="2"
              py="2"
              textAlign="start"
              borderRadius="sm"
              cursor="pointer"
              _hover={{ bg: 'bg.hover' }}
              _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            >
              <chakra.span display="flex" gap="2" w="full" textStyle="xs" color="fg.muted">
                <chakra.span flex="1" minW="0" truncate>
                  {t('mentions.from', {
                    name: mention.note.actorName,
                    contact: mention.ticket.contact.name,
                  })}
                </chakra.span>
                <PersonPresence userId={mention.note.actorId} />
                <chakra.span flexShrink="0" fontVariantNumeric="tabular-nums">
                  {formatLastMessageTime(mention.note.createdAt)}
                </chakra.span>
              </chakra.span>
              <chakra.span
                textStyle="sm"
                lineClamp="2"
                overflowWrap="anywhere"
                fontWeight={mention.seen ? 'normal' : 'semibold'}
              >
                {mention.note.note}
              </chakra.span>
            </chakra.button>
          </chakra.li>
        ))}
      </chakra.ul>
    </Popover>
  );
}
