import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { useNumberHelp } from '@/features/contacts/api';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useSaveListContact, type ContactListItem } from './api';
import { listContactSchema, type ListContactForm } from './schemas';

interface ListContactDialogProps {
  listId: number;
  /** The contact to edit; without it a new one is added. */
  stored?: ContactListItem;
  onClose: () => void;
}

/** Adds a contact to a list, or edits one. */
export function ListContactDialog({ listId, stored, onClose }: ListContactDialogProps) {
  const { t } = useTranslation(['contactLists', 'common']);
  const form = useForm<ListContactForm>({
    resolver: zodResolver(listContactSchema),
    defaultValues: {
      name: stored?.name ?? '',
      number: stored?.number ?? '',
      email: stored?.email ?? '',
    },
  });
  const save = useSaveListContact(listId);
  const errorText = useErrorText();
  const typed = useWatch({ control: form.control, name: 'number' });
  const numberHelp = useNumberHelp(typed === stored?.number ? '' : typed, t('fields.numberHelp'));
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit(async (fields) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields });
      toast.success(t('contact.saved'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <FormDialog
      size="sm"
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={stored ? t('contact.edit') : t('contact.add')}
      onSubmit={submit}
      submitLabel={stored ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.number')}
          help={numberHelp}
          error={errorText(errors.number?.message)}
          required
        >
          <TextInput type="tel" autoComplete="off" {...form.register('number')} />
        </Field>
        <Field label={t('fields.email')} error={errorText(errors.email?.message)}>
          <TextInput type="email" autoComplete="off" {...form.register('email')} />
        </Field>
      </chakra.div>
    </FormDialog>
  );
}
