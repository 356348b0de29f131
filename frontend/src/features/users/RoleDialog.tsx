import { zodResolver } from '@hookform/resolvers/zod';
import { chakra } from '@chakra-ui/react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { CancelButton, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import type { Permission } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { PermissionGroups } from './PermissionGroups';
import { useSaveRole, type Role, type Roles } from './rolesApi';

/** Messages are keys of the common texts. */
const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  permissions: z.array(z.custom<Permission>()),
});

interface RoleDialogProps {
  /** The role to change; without it a new one is made. */
  role?: Role;
  /** The permissions with which a new role begins. */
  like?: Role;
  requires: Roles['requires'];
  onClose: () => void;
}

/** Makes a role of the company, or changes one for all who have it (rules/accounts §2). */
export function RoleDialog({ role, like, requires, onClose }: RoleDialogProps) {
  const { t } = useTranslation(['roles', 'common']);
  const me = useCurrentUser();
  const save = useSaveRole(role?.id ?? undefined);
  const errorText = useErrorText();
  // Of a role that is copied, the user grants what they have.
  const begun = (role ?? like)?.permissions ?? [];
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: {
      name: role?.name ?? '',
      permissions: role ? begun : begun.filter((each) => me.granted.includes(each)),
    },
  });
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit((values) =>
    save.mutateAsync(values).then(
      () => {
        toast.success(t('saved'));
        onClose();
      },
      (error: unknown) => showRefusal(form, error),
    ),
  );

  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={role ? t('edit', { name: role.name }) : t('add')}
      onSubmit={submit}
      submitLabel={role ? t('common:actions.save') : t('create')}
      busy={save.isPending}
    >
      <chakra.div display="grid" gap="5" minW="0">
        <Field label={t('name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" maxLength={50} {...form.register('name')} />
        </Field>
        {role && role.users > 0 && (
          <chakra.p textStyle="sm" color="fg.muted">
            {t('countsAtOnce', { count: role.users })}
          </chakra.p>
        )}
        <Controller
          control={form.control}
          name="permissions"
          render={({ field }) => (
            <>
              <PermissionGroups
                value={field.value}
                requires={requires}
                granted={me.granted}
                onChange={field.onChange}
              />
              {errors.permissions && (
                <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
                  {errorText(errors.permissions.message)}
                </chakra.p>
              )}
            </>
          )}
        />
      </chakra.div>
    </FormDialog>
  );
}

interface FixedRoleProps {
  role: Role;
  title: string;
  requires: Roles['requires'];
  onClose: () => void;
}

/** What a role that can't be changed allows. */
export function FixedRole({ role, title, requires, onClose }: FixedRoleProps) {
  const { t } = useTranslation(['roles', 'common']);
  const { granted } = useCurrentUser();
  return (
    <Dialog
      open
      size="lg"
      onClose={onClose}
      title={title}
      footer={<CancelButton>{t('common:actions.close')}</CancelButton>}
    >
      <PermissionGroups value={role.permissions} requires={requires} granted={granted} />
    </Dialog>
  );
}
