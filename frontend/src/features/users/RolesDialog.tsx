import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Copy, Eye, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { CancelButton, Dialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { useCurrentUser } from '@/stores/session';
import { mayGrant } from './permissionGroups';
import { FixedRole, RoleDialog } from './RoleDialog';
import { rolesQuery, useDeleteRole, type Role } from './rolesApi';

type Shown = { dialog: 'add' | 'edit' | 'show' | 'delete'; role?: Role };

/** The company's roles: what each allows, who may be given it, and how many have it. */
export function RolesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['roles', 'users', 'common']);
  const query = useQuery(rolesQuery());
  const remove = useDeleteRole();
  const [shown, setShown] = useState<Shown | null>(null);
  const back = () => setShown(null);
  const nameOf = (role: Role) => role.name || t(`users:profiles.${role.key}`);
  const requires = query.data?.requires ?? {};

  const own = query.data?.roles.filter(({ id }) => id !== null) ?? [];
  const fixed = query.data?.roles.filter(({ id }) => id === null) ?? [];
  const add = (
    <Button size="sm" icon={<Plus size={16} />} onClick={() => setShown({ dialog: 'add' })}>
      {t('add')}
    </Button>
  );
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      title={t('title')}
      footer={
        <>
          <CancelButton>{t('common:actions.close')}</CancelButton>
          {own.length > 0 && add}
        </>
      }
    >
      <chakra.div display="grid" gap="4" minW="0">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('text')}
        </chakra.p>
        {query.isPending && <SkeletonRows rows={4} />}
        {query.isError && !query.data && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.data && (
          <>
            <chakra.ul aria-label={t('fixed')} listStyleType="none" minW="0">
              {fixed.map((role) => (
                <RoleRow
                  key={role.key}
                  role={role}
                  name={nameOf(role)}
                  help={t(`about.${role.key}`)}
                  onShow={() => setShown({ dialog: 'show', role })}
                  onCopy={() => setShown({ dialog: 'add', role })}
                />
              ))}
            </chakra.ul>
            {own.length === 0 ? (
              <EmptyState
                icon={<Plus size={20} />}
                title={t('empty.title')}
                text={t('empty.text')}
                action={add}
              />
            ) : (
              <chakra.ul aria-label={t('own')} listStyleType="none" minW="0">
                {own.map((role) => (
                  <RoleRow
                    key={role.key}
                    role={role}
                    name={nameOf(role)}
                    help={t('allows', { count: role.permissions.length })}
                    onShow={() => setShown({ dialog: 'show', role })}
                    onCopy={() => setShown({ dialog: 'add', role })}
                    onEdit={() => setShown({ dialog: 'edit', role })}
                    onDelete={() => setShown({ dialog: 'delete', role })}
                  />
                ))}
              </chakra.ul>
            )}
          </>
        )}
        {shown?.dialog === 'show' && shown.role && (
          <FixedRole
            role={shown.role}
            title={nameOf(shown.role)}
            requires={requires}
            onClose={back}
          />
        )}
        {shown?.dialog === 'edit' && shown.role && (
          <RoleDialog role={shown.role} requires={requires} onClose={back} />
        )}
        {shown?.dialog === 'add' && (
          <RoleDialog
            {...(shown.role && { like: shown.role })}
            requires={requires}
            onClose={back}
          />
        )}
        {shown?.dialog === 'delete' && shown.role && shown.role.id !== null && (
          <ConfirmDelete
            title={t('deleteTitle', { name: shown.role.name })}
            id={shown.role.id}
            remove={remove}
            done={t('deleted')}
            onClose={back}
          >
            {shown.role.users > 0 ? t('deleteText', { count: shown.role.users }) : t('deleteNone')}
          </ConfirmDelete>
        )}
      </chakra.div>
    </Dialog>
  );
}

interface RoleRowProps {
  role: Role;
  name: string;
  help: string;
  onShow: () => void;
  onCopy: () => void;
  onEdit?: () => void;
  onDelete?: () => void;
}

function RoleRow({ role, name, help, onShow, onCopy, onEdit, onDelete }: RoleRowProps) {
  const { t } = useTranslation('roles');
  const { granted } = useCurrentUser();
  // Nobody changes a role that allows what they lack.
  const mayChange = mayGrant(granted, role.permissions);
  return (
    <chakra.li
      display="flex"
      alignItems="flex-start"
      gap="2"
      py="3"
      borderBottomWidth="1px"
      minW="0"
    >
      <chakra.div flex="1" minW="0" display="grid" gap="1">
        <chakra.p fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.p>
        <chakra.p textStyle="xs" color="fg.muted">
          {help} · {t('people', { count: role.users })}
        </chakra.p>
      </chakra.div>
      <chakra.div display="flex" gap="1" flexShrink="0">
        {onEdit && mayChange ? (
          <IconButton
            size="sm"
            label={t('edit', { name })}
            icon={<Pencil size={16} />}
            onClick={onEdit}
          />
        ) : (
          <IconButton
            size="sm"
            label={t('show', { name })}
            icon={<Eye size={16} />}
            onClick={onShow}
          />
        )}
        <IconButton
          size="sm"
          label={t('copy', { name })}
          icon={<Copy size={16} />}
          onClick={onCopy}
        />
        {onDelete && mayChange && (
          <IconButton
            size="sm"
            label={t('delete', { name })}
            icon={<Trash2 size={16} />}
            onClick={onDelete}
          />
        )}
      </chakra.div>
    </chakra.li>
  );
}
