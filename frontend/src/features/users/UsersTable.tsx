import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AddButton } from '@/components/AddButton';
import { Avatar } from '@/components/Avatar';
import { Badge } from '@/components/Badge';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { DataTable, type Column } from '@/components/DataTable';
import { Page } from '@/components/Page';
import { QueueChips } from '@/components/QueueChips';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { useCompanyEvent } from '@/lib/socket';
import { useAddRequest } from '@/lib/useAddRequest';
import { useCurrentUser } from '@/stores/session';
import { useDeleteUser, usersQuery } from './api';
import type { User } from './types';
import { UserDialog } from './UserDialog';

type Open = { dialog: 'add' } | { dialog: 'edit'; id: number } | { dialog: 'delete'; user: User };

/** The users page: who works here, who is online, and in which queues. */
export function UsersTable() {
  const { t } = useTranslation(['users', 'common']);
  const me = useCurrentUser();
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  useAddRequest(() => setOpen({ dialog: 'add' }));
  const list = useInfiniteQuery(usersQuery(search));
  const remove = useDeleteUser();
  useCompanyEvent('user', () => void client.invalidateQueries({ queryKey: ['users'] }));
  const add = <AddButton label={t('dialog.add')} onClick={() => setOpen({ dialog: 'add' })} />;

  const columns: Column<User>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      primary: true,
      picture: (user) => <Avatar name={user.name} size={32} online={user.online} />,
      cell: (user) => (
        <>
          {user.name}
          {user.online && <chakra.span srOnly>{t('online')}</chakra.span>}
        </>
      ),
    },
    { id: 'email', header: t('columns.email'), narrow: 'line', cell: ({ email }) => email },
    {
      id: 'profile',
      header: t('columns.profile'),
      narrow: 'line',
      cell: ({ profile }) => (
        <Badge tone={profile === 'admin' ? 'soft' : 'neutral'}>{t(`profiles.${profile}`)}</Badge>
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
      tools={<SearchInput label={t('search')} value={search} onSearch={setSearch} />}
      action={add}
    >
      <DataTable
        label={t('label')}
        columns={columns}
        rows={list.data?.rows}
        query={list}
        onRowClick={({ id }) => setOpen({ dialog: 'edit', id })}
        empty={
          <EmptyState
            icon={<UserPlus size={20} />}
            title={search ? t('empty.search') : t('empty.title')}
            {...(!search && { action: add })}
          />
        }
        actions={(user) => (
          <RowActions
            name={user.name}
            editLabel={t('editUser', { name: user.name })}
            onEdit={() => setOpen({ dialog: 'edit', id: user.id })}
            deleteLabel={t('deleteUser', { name: user.name })}
            onDelete={
              user.id !== me.id && !user.super && (() => setOpen({ dialog: 'delete', user }))
            }
          />
        )}
      />
      {open?.dialog === 'add' && <UserDialog onClose={() => setOpen(null)} />}
      {open?.dialog === 'edit' && <UserDialog userId={open.id} onClose={() => setOpen(null)} />}
      {open?.dialog === 'delete' && (
        <ConfirmDelete
          title={t('delete.title', { name: open.user.name })}
          id={open.user.id}
          remove={remove}
          done={t('deleted')}
          onClose={() => setOpen(null)}
        >
          {t('delete.text')}
        </ConfirmDelete>
      )}
    </Page>
  );
}
