import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import type { Contact } from './types';

/** Marks a contact whose messages are ignored; nothing for any other. */
export function IgnoredBadge({ contact }: { contact: Contact }) {
  const { t } = useTranslation('contacts');
  if (!contact.ignoreMessages) return null;
  return (
    <chakra.span flexShrink="0" title={t('ignored.badgeTitle')}>
      <Badge tone="waiting">{t('ignored.badge')}</Badge>
    </chakra.span>
  );
}
