import { chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, UserPlus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Avatar } from '@/components/Avatar';
import { Badge } from '@/components/Badge';
import type { Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { PresenceMark } from '@/components/PresenceMark';
import { QueueChips } from '@/components/QueueChips';
import { RecordDialogs, RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { usePresences, usePresenceWords } from '@/features/desk/api';
import { useCompanyEvent } from '@/lib/socket';
import { useAddRequest } from '@/lib/useAddRequest';
import { useRecords } from '@/lib/useRecords';
import { useCurrentUser } from '@/stores/session';
import { useDeleteUser, usersQuery } from './api';
import { RolesDialog } from './RolesDialog';
import type { User } from './types';
import { UserDialog } from './UserDialog';

/** The users page: each user with their queues and whether they are online. */
export function UsersTable() {
  const { t } = useTranslation(['users', 'common']);
  const me = useCurrentUser();
  const client = useQueryClient();
  const records = useRecords(usersQuery);
  const presences = usePresences();
  const words = usePresenceWords();
  useAddRequest(records.add);
  const remove = useDeleteUser();
  const [isShowingRoles, setShowingRoles] = useState(false);
  useCompanyEvent('user', () => {
    void client.invalidateQueries({ queryKey: ['users'] });
    // How many have each role.
    void client.invalidateQueries({ queryKey: ['roles'] });
  });
  useCompanyEvent('role', () => {
    void client.invalidateQueries({ queryKey: ['roles'] });
    void client.invalidateQueries({ queryKey: ['users'] });
  });
  const add = <AddButton label={t('dialog.add')} onClick={records.add} />;

  const columns: Column<User>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      picture: (user) => (
        <Avatar name={user.name} size={32} online={!presences?.has(user.id) && user.online} />
      ),
      cell: (user) => {
        const presence = presences?.get(user.id);
        return (
          <chakra.span display="inline-flex" alignItems="center" gap="2" minW="0">
            {user.name}
            {presence ? (
              <PresenceMark presence={presence.presence} label={words(presence)} words />
            ) : (
              user.online && <chakra.span srOnly>{t('online')}</chakra.span>
            )}
          </chakra.span>
        );
      },
    },
    { id: 'email', header: t('columns.email'), narrow: 'line', cell: ({ email }) => email },
    {
      id: 'profile',
      header: t('columns.profile'),
      narrow: 'line',
      cell: ({ role, roleName }) => (
        <Badge tone={role === 'admin' ? 'soft' : 'neutral'}>
          {roleName || t(`profiles.${role}`)}
        </Badge>
      ),
    },
    {
      id: 'queues',
      header: t('columns.queues'),
      cell: ({ queues }) => <QueueChips queues={queues} empty={t('noQueues')} />,
    },
  ];

  return (
    <Page
      tools={<SearchInput label={t('search')} {...records.searching} />}
      action={
        <chakra.div display="flex" gap="2">
          <AddButton
            label={t('roles')}
            icon={<ShieldCheck size={16} aria-hidden />}
            variant="outline"
            onClick={() => setShowingRoles(true)}
          />
          {add}
        </chakra.div>
      }
    >
      <RecordTable
        records={records}
        label={t('label')}
        columns={columns}
        empty={{
          icon: <UserPlus size={20} />,
          title: t('empty.title'),
          action: add,
          search: t('empty.search'),
        }}
        actions={({ id, name, super: isSuper }) => ({
          name,
          edit: t('editUser', { name }),
          remove: id !== me.id && !isSuper && t('deleteUser', { name }),
        })}
      />
      <RecordDialogs
        records={records}
        form={(user) => <UserDialog userId={user?.id} onClose={records.close} />}
        remove={remove}
        deletion={({ name }) => ({
          title: t('delete.title', { name }),
          text: t('delete.text'),
          done: t('deleted'),
        })}
      />
      {isShowingRoles && (
        <Suspense>
          <RolesDialog onClose={() => setShowingRoles(false)} />
        </Suspense>
      )}
    </Page>
  );
}
