import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ListFilter } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Popover } from '@/components/Popover';
import { queuesQuery } from '@/features/queues/api';
import { useCurrentUser } from '@/stores/session';
import { CheckGroup, Dot, type CheckOption } from './CheckGroup';
import { NO_QUEUE } from './fold';

interface QueueFilterProps {
  /** The chosen queues, 0 for 'without queue'; empty means all. */
  value: readonly number[];
  onChange: (queues: number[]) => void;
  /** Admins can choose all queues and 'without queue', others their own queues. */
  isAdmin: boolean;
}

/** The queues that can be chosen. */
export function useQueueOptions(isAdmin: boolean): CheckOption[] {
  const { t } = useTranslation('tickets');
  const user = useCurrentUser();
  const all = useQuery({ ...queuesQuery(), enabled: isAdmin });
  const queues = isAdmin ? (all.data ?? []) : user.queues;
  const options = queues.map(({ id, name, color }) => ({
    id,
    name,
    mark: <Dot colour={color} />,
  }));
  return isAdmin
    ? [...options, { id: NO_QUEUE, name: t('row.withoutQueue'), mark: <Dot /> }]
    : options;
}

/** The queue filter of the list ('Filas Todas'). */
export function QueueFilter({ value, onChange, isAdmin }: QueueFilterProps) {
  const { t } = useTranslation('tickets');
  const options = useQueueOptions(isAdmin);
  const chosen = options.filter(({ id }) => value.includes(id));
  const summary =
    chosen.length === 0
      ? t('filter.allQueues')
      : chosen.length === 1
        ? chosen[0]?.name
        : t('filter.someQueues', { count: chosen.length });
  return (
    <Popover
      label={t('filter.queues')}
      placement="bottom-start"
      width="264px"
      trigger={
        <Button variant="ghost" size="sm" px="0" fontWeight="normal" minW="0">
          <ListFilter size={16} strokeWidth={1.75} aria-hidden />
          <chakra.span fontWeight="semibold" color="fg.default">
            {t('filter.queues')}
          </chakra.span>
          <chakra.span overflow="hidden" textOverflow="ellipsis">
            {summary}
          </chakra.span>
          <chakra.span flexShrink="0" display="flex" aria-hidden>
            <ChevronDown size={16} />
          </chakra.span>
        </Button>
      }
    >
      <CheckGroup
        label={t('filter.queues')}
        options={options}
        value={value}
        onChange={onChange}
        empty={t('filter.noQueues')}
      />
      {value.length > 0 && (
        <Button
          variant="ghost"
          size="sm"
          mt="2"
          alignSelf="flex-start"
          onClick={() => onChange([])}
        >
          {t('filter.clear')}
        </Button>
      )}
    </Popover>
  );
}
