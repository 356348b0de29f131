import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { TextButton } from '@/components/TextButton';
import { formatDateTime } from '@/lib/format';
import { plainText } from '@/lib/markup';
import { useCompanyEvent } from '@/lib/socket';
import { toast } from '@/lib/toast';
import { contactSchedulesQuery, useDeleteSchedule } from './api';
import type { Schedule } from './types';

interface ContactSchedulesProps {
  contactId: number;
  /** Shows the next one only, until the user asks for all. */
  folded?: boolean;
  onEdit: (scheduleId: number) => void;
}

/** The messages that are scheduled for a contact, each with its time; nothing if there are none. */
export function ContactSchedules({ contactId, folded = false, onEdit }: ContactSchedulesProps) {
  const { t } = useTranslation('schedules');
  const client = useQueryClient();
  const query = contactSchedulesQuery(contactId);
  const { data } = useQuery(query);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<Schedule | null>(null);
  const { mutate, isPending } = useDeleteSchedule();
  useCompanyEvent('schedule', () => void client.invalidateQueries({ queryKey: query.queryKey }));
  const schedules = data?.schedules ?? [];
  if (schedules.length === 0) return null;
  const isFolded = folded && !isOpen;
  const shown = isFolded ? schedules.slice(0, 1) : schedules;
  const rest = schedules.length - 1;
  return (
    <chakra.section
      aria-label={t('contact.title')}
      bg={folded ? 'bg.surface' : 'transparent'}
      {...(folded && { borderTopWidth: '1px', px: { base: '3', sm: '5' } })}
      py="1"
      maxH={folded ? '40' : undefined}
      overflowY="auto"
      flexShrink="0"
    >
      {!folded && (
        <chakra.h3 textStyle="sm" fontWeight="semibold">
          {t('contact.title')}
        </chakra.h3>
      )}
      <chakra.ul listStyleType="none">
        {shown.map((schedule) => (
          <chakra.li key={schedule.id} display="flex" alignItems="center" gap="2" minH="9">
            <chakra.span display="flex" color="fg.muted" flexShrink="0">
              <CalendarClock size={16} aria-hidden />
            </chakra.span>
            <chakra.span flex="1" minW="0" textStyle="sm" truncate={folded}>
              <chakra.time
                dateTime={schedule.sendAt}
                fontWeight="medium"
                fontVariantNumeric="tabular-nums"
                {...(!folded && { display: 'block' })}
              >
                {formatDateTime(schedule.sendAt)}
              </chakra.time>{' '}
              <chakra.span
                color="fg.muted"
                {...(!folded && { lineClamp: 2, overflowWrap: 'anywhere' })}
              >
                {plainText(schedule.body) || schedule.mediaName}
              </chakra.span>
            </chakra.span>
            <IconButton
              size="sm"
              label={t('contact.edit')}
              icon={<Pencil size={16} />}
              onClick={() => onEdit(schedule.id)}
            />
            <IconButton
              size="sm"
              label={t('contact.cancel')}
              icon={<Trash2 size={16} />}
              onClick={() => setAsked(schedule)}
            />
          </chakra.li>
        ))}
      </chakra.ul>
      {folded && rest > 0 && (
        <TextButton
          type="button"
          textStyle="sm"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('contact.less') : t('contact.more', { count: rest })}
        </TextButton>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        onConfirm={() =>
          asked &&
          mutate(asked.id, {
            onSuccess: () => toast.success(t('contact.cancelled')),
            onError: toast.error,
            onSettled: () => setAsked(null),
          })
        }
        loading={isPending}
        title={t('contact.question')}
        confirmLabel={t('contact.cancel')}
        cancelLabel={t('contact.keep')}
      >
        {asked && t('contact.questionText', { moment: formatDateTime(asked.sendAt) })}
      </ConfirmDialog>
    </chakra.section>
  );
}
