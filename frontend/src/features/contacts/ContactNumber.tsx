import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { formatPhone, hasNumber } from '@/lib/format';
import type { Contact } from './types';

/** A contact's formatted number, and the username or else the user id; nothing for a group. */
export function ContactNumber({ contact }: { contact: Contact }) {
  const { t } = useTranslation('contacts');
  if (contact.isGroup) return <Badge>{t('group')}</Badge>;
  if (!hasNumber(contact.number) && contact.username)
    return <span title={contact.userId}>@{contact.username}</span>;
  if (!contact.number) return <chakra.span color="fg.muted">{t('noNumber')}</chakra.span>;
  return (
    <span title={contact.userId || undefined}>
      <chakra.span fontVariantNumeric="tabular-nums">{formatPhone(contact.number)}</chakra.span>
      {contact.username && <chakra.span color="fg.muted"> · @{contact.username}</chakra.span>}
    </span>
  );
}
