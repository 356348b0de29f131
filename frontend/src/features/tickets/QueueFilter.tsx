import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ListFilter } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Popover } from '@/components/Popover';
import { Checkbox } from '@/components/Toggle';
import { queuesQuery } from '@/features/queues/api';
import { useCurrentUser } from '@/stores/session';

interface QueueFilterProps {
  /** Chosen queues, 0 for 'without queue'; empty is all. */
  value: readonly number[];
  onChange: (queues: number[]) => void;
  /** Admins choose among all queues and 'without queue', others among their own. */
  isAdmin: boolean;
}

const NO_QUEUE = 0;

export function QueueFilter({ value, onChange, isAdmin }: QueueFilterProps) {
  const { t } = useTranslation('tickets');
  const user = useCurrentUser();
  const all = useQuery({ ...queuesQuery(), enabled: isAdmin });
  const queues = isAdmin ? (all.data ?? []) : user.queues;
  const options = [
    ...queues,
    ...(isAdmin ? [{ id: NO_QUEUE, name: t('row.withoutQueue'), color: '' }] : []),
  ];
  const chosen = options.filter(({ id }) => value.includes(id));
  const summary =
    chosen.length === 0
      ? t('filter.allQueues')
      : chosen.length === 1
        ? chosen[0]?.name
        : t('filter.someQueues', { count: chosen.length });
  const toggle = (id: number, on: boolean) =>
    onChange(on ? [...value, id] : value.filter((other) => other !== id));
  return (
    <Popover
      placement="bottom-start"
      width="240px"
      trigger={
        <Button variant="ghost" size="sm" px="0" fontWeight="normal" minW="0">
          <ListFilter size={16} strokeWidth={1.75} aria-hidden />
          <chakra.span fontWeight="semibold" color="fg.default">
            {t('filter.queues')}
          </chakra.span>
          <chakra.span overflow="hidden" textOverflow="ellipsis">
            {summary}
          </chakra.span>
          <ChevronDown size={16} aria-hidden />
        </Button>
      }
    >
      <chakra.div
        role="group"
        aria-label={t('filter.queues')}
        display="flex"
        flexDirection="column"
        gap="2"
        maxH="320px"
        overflowY="auto"
      >
        {options.length === 0 && (
          <chakra.p textStyle="sm" color="fg.muted">
            {t('filter.noQueues')}
          </chakra.p>
        )}
        {options.map((queue) => (
          <Checkbox
            key={queue.id}
            checked={value.includes(queue.id)}
            onChange={(on) => toggle(queue.id, on)}
            label={
              <chakra.span display="inline-flex" alignItems="center" gap="2">
                <chakra.span
                  aria-hidden
                  w="2"
                  h="2"
                  borderRadius="full"
                  bg="fg.subtle"
                  {...(queue.color && { style: { backgroundColor: queue.color } })}
                />
                {queue.name}
              </chakra.span>
            }
          />
        ))}
        {value.length > 0 && (
          <Button variant="ghost" size="sm" alignSelf="flex-start" onClick={() => onChange([])}>
            {t('filter.clear')}
          </Button>
        )}
      </chakra.div>
    </Popover>
  );
}
