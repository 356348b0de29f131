import { chakra } from '@chakra-ui/react';
import { AlarmClock, MessageCircleReply } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateTimeField } from '@/components/DateTimeField';
import { FormDialog } from '@/components/FormDialog';
import { formatTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useSnooze } from './api';
import { presetsFor } from './snooze';
import type { Ticket } from './types';

interface SnoozeDialogProps {
  ticket: Ticket;
  onClose: () => void;
  onDone: (ticket: Ticket) => void;
}

/** Puts a ticket aside: until a usual moment, until the contact writes, or until a date. */
export function SnoozeDialog({ ticket, onClose, onDone }: SnoozeDialogProps) {
  const { t, i18n } = useTranslation('snooze');
  const [now] = useState(() => new Date());
  const [presets] = useState(() => presetsFor(now));
  const [chosen, setChosen] = useState(() => ticket.snoozedUntil ?? presets[0]?.at.toISOString());
  const snooze = useSnooze(ticket.id);
  const until = chosen ? new Date(chosen) : now;
  const isPast = until <= now;

  const put = (moment: Date | null) =>
    snooze.mutate(moment, {
      onSuccess: (changed) => {
        toast.success(t('done', { name: ticket.contact.name }));
        onDone(changed);
      },
    });
  const dayOf = (at: Date) => {
    const day = at.toLocaleDateString(i18n.language, {
      weekday: 'long',
      day: '2-digit',
      month: '2-digit',
    });
    return day.charAt(0).toLocaleUpperCase(i18n.language) + day.slice(1);
  };

  return (
    <FormDialog
      onClose={onClose}
      dirty={false}
      title={t('title', { name: ticket.contact.name })}
      onSubmit={() => {
        if (!isPast) put(until);
      }}
      submitLabel={t('submit')}
      busy={snooze.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.ul display="flex" flexDirection="column" gap="2" listStyleType="none">
          {presets.map(({ id, at }) => (
            <chakra.li key={id}>
              <Button
                variant="outline"
                w="full"
                justifyContent="flex-start"
                icon={<AlarmClock size={16} />}
                onClick={() => put(at)}
              >
                <chakra.span flex="1" textAlign="start">
                  {id === 'tomorrow' ? t('tomorrow') : dayOf(at)}
                </chakra.span>
                <chakra.span color="fg.muted" fontVariantNumeric="tabular-nums">
                  {formatTime(at)}
                </chakra.span>
              </Button>
            </chakra.li>
          ))}
          <chakra.li>
            <Button
              variant="outline"
              w="full"
              justifyContent="flex-start"
              icon={<MessageCircleReply size={16} />}
              onClick={() => put(null)}
            >
              {t('reply')}
            </Button>
          </chakra.li>
        </chakra.ul>
        <chakra.div display="flex" flexDirection="column" gap="1.5">
          <chakra.span textStyle="sm" fontWeight="medium">
            {t('date')}
          </chakra.span>
          <DateTimeField
            label={t('date')}
            start={until}
            onChange={(moment) => setChosen(moment.toISOString())}
          />
          {isPast && (
            <chakra.p role="alert" textStyle="xs" color="status.danger.fg">
              {t('past')}
            </chakra.p>
          )}
        </chakra.div>
        <chakra.p textStyle="xs" color="fg.muted">
          {t('help')}
        </chakra.p>
      </chakra.div>
    </FormDialog>
  );
}
