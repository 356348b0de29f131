import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { LoadingDialog } from '@/components/LoadingDialog';
import { Select } from '@/components/Select';
import { PasswordInput, TextInput } from '@/components/TextInput';
import { connectionsQuery } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { showRefusal } from '@/lib/forms';
import { may } from '@/lib/permissions';
import { errorMessage, toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { userQuery, useSaveUser } from './api';
import { UserTwoFactor } from './UserTwoFactor';
import { mayGrant } from './permissionGroups';
import { rolesQuery } from './rolesApi';
import { newUserSchema, ownUserSchema, userSchema, type UserForm } from './schemas';
import type { User } from './types';

interface UserDialogProps {
  /** The user to edit; without it a new one is created. */
  userId?: number;
  onClose: () => void;
}

/** Adds or edits a user; the account menu opens it for the current user. */
export function UserDialog({ userId, onClose }: UserDialogProps) {
  return userId === undefined ? (
    <Form onClose={onClose} />
  ) : (
    <EditDialog userId={userId} onClose={onClose} />
  );
}

function EditDialog({ userId, onClose }: { userId: number; onClose: () => void }) {
  const { t } = useTranslation('users');
  const own = useCurrentUser().id === userId;
  const stored = useQuery(userQuery(userId));
  if (stored.data) return <Form user={stored.data} onClose={onClose} />;
  return (
    <LoadingDialog
      title={own ? t('dialog.profile') : t('dialog.edit')}
      query={stored}
      onClose={onClose}
    />
  );
}

function Form({ user, onClose }: { user?: User; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common']);
  const me = useCurrentUser();
  const own = user?.id === me.id;
  const mayEditQueues = may(me, 'users:manage');
  // The server refuses a change of the own profile (rules/accounts §4).
  const mayEditProfile = may(me, 'users:manage') && !own;
  const queues = useQuery(queuesQuery());
  const connections = useQuery(connectionsQuery());
  const roles = useQuery({ ...rolesQuery(), enabled: mayEditProfile });
  const roleName = (key: string, name: string) => name || t(`profiles.${key}`);
  // The stored role is an option before the others are there; one that allows more is none.
  const present = {
    value: user?.role ?? 'user',
    label: roleName(user?.role ?? 'user', user?.roleName ?? ''),
  };
  const givable = (roles.data?.roles ?? []).filter(({ permissions }) =>
    mayGrant(me.granted, permissions),
  );
  const roleOptions = [
    ...(givable.some(({ key }) => key === present.value) ? [] : [present]),
    ...givable.map(({ key, name }) => ({ value: key, label: roleName(key, name) })),
  ];
  const form = useForm<UserForm>({
    resolver: zodResolver(own ? ownUserSchema(user.email) : user ? userSchema : newUserSchema),
    defaultValues: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      password: '',
      ...(own && { currentPassword: '' }),
      role: user?.role ?? 'user',
      queueIds: user?.queues.map(({ id }) => id) ?? [],
      whatsappId: user?.whatsappId ? String(user.whatsappId) : '',
    },
  });
  const save = useSaveUser(user?.id);
  const { errors, isDirty } = form.formState;
  const errorText = useErrorText();

  const submit = form.handleSubmit(({ currentPassword, ...values }) =>
    save
      .mutateAsync({
        ...values,
        ...(currentPassword && { currentPassword }),
        whatsappId: values.whatsappId ? Number(values.whatsappId) : null,
      })
      .then(
        () => {
          toast.success(t('saved'));
          onClose();
        },
        (error: unknown) => showRefusal(form, error),
      ),
  );

  return (
    <FormDialog
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={own ? t('dialog.profile') : user ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={user ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field label={t('fields.email')} error={errorText(errors.email?.message)} required>
          <TextInput type="email" autoComplete="off" {...form.register('email')} />
        </Field>
        <Field
          label={own ? t('fields.newPassword') : t('fields.password')}
          help={user ? t('fields.passwordHelp') : undefined}
          error={errorText(errors.password?.message)}
          required={!user}
        >
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        {own && (
          <Field
            label={t('fields.currentPassword')}
            help={t('fields.currentPasswordHelp')}
            error={errorText(errors.currentPassword?.message)}
          >
            <PasswordInput autoComplete="current-password" {...form.register('currentPassword')} />
          </Field>
        )}
        <Field
          label={t('fields.role')}
          help={own ? t('fields.ownRole') : undefined}
          error={errorText(errors.role?.message)}
        >
          <Select
            disabled={!mayEditProfile}
            key={roles.data ? 'loaded' : 'loading'}
            options={roleOptions}
            // `disabled` in `register` would remove the value from the form.
            {...form.register('role')}
          />
        </Field>
        <chakra.div gridColumn="1 / -1">
          <Field label={t('fields.queues')} error={errorText(errors.queueIds?.message)}>
            <Controller
              control={form.control}
              name="queueIds"
              render={({ field }) => (
                <CheckList
                  options={queues.data}
                  error={queues.error && errorMessage(queues.error)}
                  value={field.value}
                  onChange={field.onChange}
                  disabled={!mayEditQueues}
                  empty={t('fields.noQueues')}
                />
              )}
            />
          </Field>
        </chakra.div>
        <chakra.div gridColumn="1 / -1">
          <Field
            label={t('fields.connection')}
            help={t('fields.connectionHelp')}
            error={
              errorText(errors.whatsappId?.message) ??
              (connections.data || !connections.error ? undefined : errorMessage(connections.error))
            }
          >
            <Select
              disabled={!mayEditQueues}
              placeholder={t('fields.noConnection')}
              // A native select shows its value only if the option exists: remount it with the
              // options.
              key={connections.data ? 'loaded' : 'loading'}
              options={(connections.data ?? []).map(({ id, name }) => ({
                value: String(id),
                label: name,
              }))}
              {...form.register('whatsappId')}
            />
          </Field>
        </chakra.div>
        {user && !own && may(me, 'users:manage') && (
          <chakra.div gridColumn="1 / -1">
            {/* Its texts load later; the dialog must not wait for them. */}
            <Suspense>
              <UserTwoFactor userId={user.id} name={user.name} />
            </Suspense>
          </chakra.div>
        )}
      </chakra.div>
    </FormDialog>
  );
}
