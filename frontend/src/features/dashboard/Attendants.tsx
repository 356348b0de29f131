import { chakra } from '@chakra-ui/react';
import { Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { DataTable, type Column } from '@/components/DataTable';
import { Panel } from '@/components/Panel';
import { EmptyState } from '@/components/States';
import { PersonPresence, usePresences } from '@/features/desk/api';
import { formatCount } from '@/lib/format';
import { Minutes } from './minutes';
import { Stars } from './Stars';
import type { Attendant } from './types';

interface AttendantsProps {
  attendants: readonly Attendant[] | undefined;
  query: { error: unknown; refetch: () => Promise<unknown> };
  onOpenConversations?: (narrow: Record<string, string>) => void;
}

/** The attendants: ratings, times, and presence. */
export function Attendants({ attendants, query, onOpenConversations }: AttendantsProps) {
  const { t } = useTranslation('dashboard');
  const presences = usePresences();
  const online = attendants?.filter((each) => each.online).length ?? 0;
  const columns: Column<Attendant>[] = [
    {
      id: 'name',
      header: t('attendants.name'),
      primary: true,
      picture: ({ name }) => <Avatar name={name} size={28} />,
      cell: ({ name }) => <chakra.span fontWeight="medium">{name}</chakra.span>,
    },
    {
      id: 'rating',
      header: t('attendants.rating'),
      narrow: 'line',
      cell: ({ rating }) => <Stars rating={rating} />,
    },
    {
      id: 'tickets',
      header: t('attendants.tickets'),
      numeric: true,
      cell: ({ tickets }) => formatCount(tickets),
    },
    {
      id: 'support',
      header: t('attendants.support'),
      brief: t('average'),
      numeric: true,
      narrow: 'line',
      cell: ({ avgSupportTime }) => <Minutes value={avgSupportTime} />,
    },
    {
      id: 'presence',
      header: t('attendants.presence'),
      narrow: 'end',
      width: '160px',
      cell: ({ id, online: isOnline }) =>
        presences?.has(id) ? (
          <PersonPresence userId={id} words />
        ) : (
          <Presence isOnline={isOnline} />
        ),
    },
  ];
  return (
    <Panel
      title={t('attendants.title')}
      aside={
        attendants &&
        t('attendants.online', { online: formatCount(online), all: formatCount(attendants.length) })
      }
    >
      <DataTable
        label={t('attendants.title')}
        columns={columns}
        rows={attendants}
        query={query}
        grows
        isPart
        {...(onOpenConversations && {
          onRowClick: ({ id }: Attendant) => onOpenConversations({ userId: String(id) }),
        })}
        empty={<EmptyState icon={<Users size={20} />} title={t('attendants.empty')} />}
      />
    </Panel>
  );
}

function Presence({ isOnline }: { isOnline: boolean }) {
  const { t } = useTranslation('dashboard');
  return (
    <chakra.span
      display="inline-flex"
      alignItems="center"
      gap="2"
      color={isOnline ? 'fg.default' : 'fg.muted'}
    >
      <chakra.span
        aria-hidden
        w="2"
        h="2"
        borderRadius="full"
        {...(isOnline
          ? { bg: 'status.live.solid' }
          : { borderWidth: '1.5px', borderColor: 'border.control' })}
      />
      {t(isOnline ? 'attendants.isOnline' : 'attendants.isOffline')}
    </chakra.span>
  );
}
