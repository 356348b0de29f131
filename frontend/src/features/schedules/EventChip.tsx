import { chakra } from '@chakra-ui/react';
import { Paperclip, Pencil, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatTime } from '@/lib/format';
import { STATUS_ICONS } from './StatusBadge';
import type { Schedule, ScheduleStatus } from './types';

const LOOKS: Record<ScheduleStatus, { bg: string; color: string }> = {
  PENDENTE: { bg: 'brand.subtle', color: 'brand.fg' },
  AGENDADA: { bg: 'status.info.subtle', color: 'status.info.fg' },
  ENVIADA: { bg: 'status.live.subtle', color: 'status.live.fg' },
  ERRO: { bg: 'status.danger.subtle', color: 'status.danger.fg' },
};

interface EventChipProps {
  schedule: Schedule;
  /** Whether there is room for the beginning of the text below the name. */
  tall?: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

/** Wide enough for name and buttons side by side. */
const ROOMY = '@container (min-width: 220px)';

/**
 * A schedule in the calendar: status, time and name, with buttons to edit and delete. A touch
 * screen has no hover: it shows the buttons if there is room, otherwise a tap opens the schedule.
 */
export function EventChip({ schedule, tall = false, onEdit, onDelete }: EventChipProps) {
  const { t } = useTranslation(['schedules', 'common']);
  const { status, contact } = schedule;
  const Icon = STATUS_ICONS[status];
  const time = formatTime(schedule.sendAt);
  const names = { name: contact.name, time };
  return (
    <chakra.div
      role="group"
      aria-label={t('event.label', { ...names, status: t(`status.${status}`) })}
      title={`${time} ${contact.name} · ${t(`status.${status}`)}`}
      position="relative"
      display="flex"
      alignItems="flex-start"
      gap="1"
      h="full"
      minH="6"
      w="full"
      px="1.5"
      py={tall ? '0.5' : '1'}
      borderRadius="sm"
      overflow="hidden"
      textStyle="xs"
      lineHeight="16px"
      {...LOOKS[status]}
      css={{
        containerType: 'inline-size',
        '@media (hover: hover)': {
          '& [data-actions]': { opacity: 0 },
          '&:is(:hover, :focus-within) [data-actions]': { opacity: 1 },
        },
        '@media (hover: none)': {
          '& [data-actions]': { display: 'none' },
          [ROOMY]: {
            '& [data-actions]': { display: 'flex', position: 'static', alignSelf: 'stretch' },
            '& [data-actions] button': { minH: '0', h: 'full' },
          },
        },
      }}
    >
      <chakra.span display="flex" flexShrink="0" mt="0.5">
        <Icon size={12} aria-hidden />
      </chakra.span>
      <chakra.span minW="0" flex="1">
        <chakra.span display="flex" gap="1" minW="0">
          <chakra.span fontVariantNumeric="tabular-nums" flexShrink="0">
            {time}
          </chakra.span>
          <chakra.span fontWeight="semibold" truncate>
            {contact.name}
          </chakra.span>
          {schedule.mediaName && (
            <chakra.span display="flex" flexShrink="0" mt="0.5">
              <Paperclip size={12} aria-hidden />
            </chakra.span>
          )}
        </chakra.span>
        {tall && (
          <chakra.span display="block" color="fg.muted" truncate>
            {schedule.body}
          </chakra.span>
        )}
      </chakra.span>
      <chakra.span
        data-actions
        position="absolute"
        insetEnd="0"
        top="0"
        display="flex"
        ps="2"
        borderRadius="sm"
        transition="opacity"
        transitionDuration="fast"
        {...LOOKS[status]}
      >
        <IconButton
          label={t('event.edit', names)}
          icon={<Pencil size={14} />}
          size="sm"
          h="6"
          color="inherit"
          onClick={onEdit}
        />
        <IconButton
          label={t('event.delete', names)}
          icon={<Trash2 size={14} />}
          size="sm"
          h="6"
          color="inherit"
          onClick={onDelete}
        />
      </chakra.span>
    </chakra.div>
  );
}
