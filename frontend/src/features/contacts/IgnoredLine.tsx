import { chakra } from '@chakra-ui/react';
import { BellOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { toast } from '@/lib/toast';
import { useHearContact } from './api';

interface IgnoredLineProps {
  contact: { id: number; name: string };
}

/** Says that the contact's messages are ignored, and undoes it (rules/contacts §14). */
export function IgnoredLine({ contact }: IgnoredLineProps) {
  const { t } = useTranslation('contacts');
  const hear = useHearContact(contact.id);
  const { name } = contact;
  return (
    <chakra.div
      role="status"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      gap="2"
      px="3"
      py="1.5"
      borderRadius="md"
      bg="status.waiting.subtle"
      color="status.waiting.fg"
      textStyle="sm"
    >
      <chakra.span flexShrink="0" aria-hidden>
        <BellOff size={16} />
      </chakra.span>
      <chakra.span flex="1 1 180px" minW="0">
        {t('ignored.line')}
      </chakra.span>
      <Button
        variant="outline"
        size="sm"
        loading={hear.isPending}
        aria-label={t('ignored.hearOf', { name })}
        onClick={() =>
          hear.mutate(undefined, {
            onSuccess: () => toast.success(t('ignored.heard', { name })),
            onError: toast.error,
          })
        }
      >
        {t('ignored.hear')}
      </Button>
    </chakra.div>
  );
}
