import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { MessageSquarePlus, Plus, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Controller, useFieldArray, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FormFooter } from '@/components/FormFooter';
import { IconButton } from '@/components/IconButton';
import { LoadingDialog } from '@/components/LoadingDialog';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { ApiError } from '@/lib/api/errors';
import { hasNumber } from '@/lib/format';
import { showFieldErrors } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { contactQuery, useNumberHelp, useSaveContact } from './api';
import { contactSchema, reachableContactSchema, type ContactForm } from './schemas';
import type { Contact } from './types';

/** Error codes that concern the number, whatever field the server names. */
const NUMBER_CODES = ['ERR_DUPLICATED_CONTACT', 'ERR_WAPP_INVALID_CONTACT'] as const;

interface ContactDialogProps {
  /** The contact to edit; without it a new one is created. */
  contactId?: number;
  initialName?: string;
  initialNumber?: string;
  onClose: () => void;
  onSaved: (contact: Contact) => void;
  /** Offers to save and start a conversation at once. */
  onSavedToStart?: (contact: Contact) => void;
  /** The contact is created for a conversation, so it must have a number. */
  needsNumber?: boolean;
}

/** Adds or edits a contact with its extra info (rules/contacts §1). */
export function ContactDialog({ contactId, ...props }: ContactDialogProps) {
  return contactId === undefined ? (
    <Form {...props} />
  ) : (
    <EditDialog contactId={contactId} {...props} />
  );
}

function EditDialog(props: ContactDialogProps & { contactId: number }) {
  const { t } = useTranslation('contacts');
  const stored = useQuery(contactQuery(props.contactId));
  if (stored.data) return <Form {...props} contact={stored.data} />;
  return <LoadingDialog title={t('dialog.edit')} query={stored} onClose={props.onClose} />;
}

const typedNumber = ({ number, isGroup }: Contact) => (isGroup || hasNumber(number) ? number : '');

/** A typed name that is a number goes into the number field. */
function startValues(
  contact: Contact | undefined,
  initialName = '',
  initialNumber = '',
): ContactForm {
  const isNumber = /^[+\d\s()-]{8,}$/.test(initialName);
  return {
    name: contact?.name ?? (isNumber ? '' : initialName),
    // A user id is not a number that a user can read or type.
    number: contact
      ? typedNumber(contact)
      : (isNumber ? initialName : initialNumber).replace(/(?!^\+)\D/g, ''),
    email: contact?.email ?? '',
    extraInfo:
      contact?.extraInfo.map(({ id, name, value }) => ({
        ...(id ? { id } : {}),
        name,
        value: value ?? '',
      })) ?? [],
    ignoreMessages: contact?.ignoreMessages ?? false,
  };
}

interface FormProps extends Omit<ContactDialogProps, 'contactId'> {
  contact?: Contact;
}

function Form({
  contact,
  initialName,
  initialNumber,
  onClose,
  onSaved,
  onSavedToStart,
  needsNumber: isToBeWritten = false,
}: FormProps) {
  const needsNumber = isToBeWritten || !contact || typedNumber(contact) !== '';
  const { t } = useTranslation(['contacts', 'common', 'errors']);
  const form = useForm<ContactForm>({
    resolver: zodResolver(needsNumber ? reachableContactSchema : contactSchema),
    defaultValues: startValues(contact, initialName, initialNumber),
  });
  const extra = useFieldArray({ control: form.control, name: 'extraInfo', keyName: 'key' });
  const ignoredHelp = useId();
  const save = useSaveContact(contact?.id);
  const { errors, isDirty } = form.formState;
  const errorText = useErrorText();
  const typed = useWatch({ control: form.control, name: 'number' });
  const isChanged = !contact || typed !== contact.number;
  const numberHelp = useNumberHelp(isChanged ? typed : '', t('fields.numberHelp'));

  function refused(error: unknown) {
    const code = error instanceof ApiError && NUMBER_CODES.find((known) => known === error.code);
    if (code) form.setError('number', { message: t(`errors:${code}`) }, { shouldFocus: true });
    else if (!showFieldErrors(form, error, { name: 'name', number: 'number', email: 'email' }))
      toast.error(error);
  }

  const submitThen = (next: (saved: Contact) => void) =>
    form.handleSubmit((values) =>
      save.mutateAsync(values).then((saved) => {
        toast.success(t('saved'));
        next(saved);
      }, refused),
    );

  /** A contact without a number cannot receive messages. */
  function start(event: React.SyntheticEvent) {
    if (form.getValues('number').trim() || !onSavedToStart)
      return void submitThen(onSavedToStart ?? onSaved)(event);
    form.setError('number', { message: 'contacts:numberToStart' }, { shouldFocus: true });
  }

  return (
    <Dialog
      open
      onClose={onClose}
      dirty={isDirty && !save.isSuccess}
      title={contact ? t('dialog.edit') : t('dialog.add')}
      onSubmit={(event) => void submitThen(onSaved)(event)}
      footer={
        <chakra.div
          display="flex"
          flexWrap={{ base: 'wrap', sm: 'nowrap' }}
          justifyContent="flex-end"
          gap="2"
          w="full"
        >
          {onSavedToStart && (
            <Button
              variant="ghost"
              icon={<MessageSquarePlus size={16} />}
              me="auto"
              w={{ base: 'full', sm: 'auto' }}
              disabled={save.isPending}
              onClick={start}
            >
              {t('dialog.submitAndStart')}
            </Button>
          )}
          <FormFooter
            submit={contact ? t('common:actions.save') : t('dialog.submit')}
            busy={save.isPending}
          />
        </chakra.div>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <Field label={t('fields.name')} error={errorText(errors.name?.message)} required>
          <TextInput autoFocus autoComplete="off" {...form.register('name')} />
        </Field>
        <Field
          label={t('fields.number')}
          help={numberHelp}
          error={errorText(errors.number?.message)}
          required={needsNumber}
        >
          <TextInput
            inputMode="tel"
            autoComplete="off"
            placeholder="11 98432-1107"
            fontVariantNumeric="tabular-nums"
            {...form.register('number')}
          />
        </Field>
        <Field label={t('fields.email')} error={errorText(errors.email?.message)}>
          <TextInput type="email" autoComplete="off" {...form.register('email')} />
        </Field>
        <chakra.fieldset display="flex" flexDirection="column" gap="3" minW="0">
          <chakra.legend textStyle="sm" fontWeight="semibold" mb="1.5">
            {t('extra.title')}
          </chakra.legend>
          {extra.fields.map((line, index) => (
            <chakra.div key={line.key} display="flex" gap="2" alignItems="flex-end">
              <Field
                label={t('extra.name')}
                error={errorText(errors.extraInfo?.[index]?.name?.message)}
              >
                <TextInput autoComplete="off" {...form.register(`extraInfo.${index}.name`)} />
              </Field>
              <Field
                label={t('extra.value')}
                error={errorText(errors.extraInfo?.[index]?.value?.message)}
              >
                <TextInput autoComplete="off" {...form.register(`extraInfo.${index}.value`)} />
              </Field>
              <IconButton
                label={t('extra.remove')}
                icon={<Trash2 size={16} />}
                onClick={() => extra.remove(index)}
              />
            </chakra.div>
          ))}
          <Button
            variant="outline"
            size="sm"
            alignSelf="flex-start"
            icon={<Plus size={16} />}
            onClick={() => extra.append({ name: '', value: '' })}
          >
            {t('extra.add')}
          </Button>
        </chakra.fieldset>
        <chakra.div display="flex" flexDirection="column" gap="1">
          <Controller
            control={form.control}
            name="ignoreMessages"
            render={({ field }) => (
              <Switch
                label={t('ignored.field')}
                aria-describedby={ignoredHelp}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
          <chakra.span id={ignoredHelp} textStyle="xs" color="fg.muted">
            {t('ignored.help')}
          </chakra.span>
        </chakra.div>
      </chakra.div>
    </Dialog>
  );
}
