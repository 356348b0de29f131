import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { userOptionsQuery } from '@/features/users/api';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useCurrentUser } from '@/stores/session';
import { useSaveChat } from './api';
import { othersOf } from './people';
import { PeopleField } from './PeopleField';
import { chatSchema, type ChatForm } from './schemas';
import type { Chat } from './types';

interface ChatDialogProps {
  /** The chat to edit; without it a new one is created. */
  stored?: Chat | undefined;
  onClose: () => void;
  onSaved?: (chat: Chat) => void;
}

/** Creates or edits a chat: its title and members. */
export function ChatDialog({ stored, onClose, onSaved }: ChatDialogProps) {
  const { t } = useTranslation(['chat', 'common']);
  const { id: userId } = useCurrentUser();
  const users = useQuery(userOptionsQuery());
  const members = stored ? othersOf(stored, userId) : [];
  const form = useForm<ChatForm>({
    resolver: zodResolver(chatSchema),
    defaultValues: {
      title: stored?.title ?? '',
      users: members.map((member) => member.userId),
    },
  });
  const save = useSaveChat(stored?.id);
  const errorText = useErrorText();
  const [saved, setSaved] = useState(false);
  const { errors, isDirty } = form.formState;

  // A deactivated user stays a member, but is not offered otherwise.
  const offered = users.data
    ?.filter(({ id }) => id !== userId)
    .map(({ id, name, online }) => ({
      id,
      name,
      online,
    }));
  const known = new Set(offered?.map(({ id }) => id));
  const left = members.filter((member) => !known.has(member.userId));
  const people = offered && [...offered, ...left.map(({ user }) => ({ ...user, online: false }))];

  const submit = form.handleSubmit(async (fields) => {
    try {
      const chat = await save.mutateAsync(fields);
      setSaved(true);
      toast.success(stored ? t('dialog.saved') : t('dialog.created'));
      onClose();
      onSaved?.(chat);
    } catch (error) {
      showRefusal(form, error);
    }
  });

  return (
    <FormDialog
      onClose={onClose}
      dirty={isDirty && !saved}
      title={stored ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={stored ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('dialog.title')} error={errorText(errors.title?.message)} required>
          <TextInput autoFocus autoComplete="off" maxLength={100} {...form.register('title')} />
        </Field>
        <Controller
          control={form.control}
          name="users"
          render={({ field }) => (
            <Field label={t('dialog.users')} error={errorText(errors.users?.message)} required>
              <PeopleField
                people={people}
                error={users.error}
                onRetry={() => void users.refetch()}
                value={field.value}
                onChange={field.onChange}
              />
            </Field>
          )}
        />
      </chakra.div>
    </FormDialog>
  );
}
