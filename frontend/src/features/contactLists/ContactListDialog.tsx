import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useSaveContactList, type ContactList } from './api';
import { contactListSchema, type ContactListForm } from './schemas';

interface ContactListDialogProps {
  /** The list to rename; without it a new one is created. */
  stored?: ContactList;
  onClose: () => void;
}

/** Adds or renames a contact list. */
export function ContactListDialog({ stored, onClose }: ContactListDialogProps) {
  const { t } = useTranslation(['contactLists', 'common']);
  const form = useForm<ContactListForm>({
    resolver: zodResolver(contactListSchema),
    defaultValues: { name: stored?.name ?? '' },
  });
  const save = useSaveContactList();
  const errorText = useErrorText();
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit(async (fields) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields });
      toast.success(t('saved'));
      onClose();
    } catch (error) {
      showRefusal(form, error);
    }
  });
  return (
    <FormDialog
      low
      size="sm"
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={stored ? t('dialog.edit') : t('dialog.add')}
      onSubmit={submit}
      submitLabel={stored ? t('common:actions.save') : t('dialog.submit')}
      busy={save.isPending}
    >
      <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
        <TextInput autoFocus autoComplete="off" {...form.register('name')} />
      </Field>
    </FormDialog>
  );
}
