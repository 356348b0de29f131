import { chakra } from '@chakra-ui/react';
import { AlarmClock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { useSnooze, type Ticket } from '@/features/tickets/api';
import { formatDateTime } from '@/lib/format';

interface SnoozeBannerProps {
  ticket: Pick<Ticket, 'id' | 'snoozedAt' | 'snoozedUntil'>;
  /** Whether the user may end the snooze. */
  mayAct: boolean;
}

/** Until when an open conversation is put aside; brings it back. */
export function SnoozeBanner({ ticket, mayAct }: SnoozeBannerProps) {
  const { t } = useTranslation('messages');
  const snooze = useSnooze(ticket.id);
  if (!ticket.snoozedAt) return null;
  return (
    <chakra.section
      aria-label={t('snoozed.label')}
      flexShrink="0"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      justifyContent="space-between"
      columnGap="3"
      rowGap="2"
      px={{ base: '3', sm: '5' }}
      py="2"
      bg="bg.surface"
      color="fg.muted"
      borderBottomWidth="1px"
      textStyle="sm"
    >
      <chakra.span
        role="status"
        display="flex"
        alignItems="center"
        gap="2.5"
        flex="1 1 150px"
        minW="0"
      >
        <chakra.span flexShrink="0" display="flex">
          <AlarmClock size={18} aria-hidden />
        </chakra.span>
        {ticket.snoozedUntil
          ? t('snoozed.until', { time: formatDateTime(ticket.snoozedUntil) })
          : t('snoozed.reply')}
      </chakra.span>
      {mayAct && (
        <Button
          size="sm"
          variant="outline"
          loading={snooze.isPending}
          onClick={() => snooze.mutate(undefined)}
        >
          {t('snoozed.wake')}
        </Button>
      )}
    </chakra.section>
  );
}
