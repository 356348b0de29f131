import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Ticket } from '@/features/tickets/api';
import { newClientId } from '@/lib/clientId';
import { fieldsInWords } from '@/lib/forms';
import { errorMessage } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import {
  filledTemplate,
  keyOf,
  mediaOf,
  sentComponents,
  slotsOf,
  suggestions,
  type Template,
} from '@/lib/templates/filling';
import type { Message } from '../types';
import { sendTemplate } from './api';
import { valuesSchema, type FormValues } from './schema';
import { useHeaderFile } from './useHeaderFile';

/** The chosen template, its form, and the call that sends it. */
export function useTemplateForm(ticket: Ticket, onSent: (message: Message) => void) {
  const { t } = useTranslation('templates');
  const user = useCurrentUser();
  const [chosen, setChosen] = useState<Template | null>(null);
  const [failure, setFailure] = useState('');
  const chosenKey = chosen ? keyOf(chosen) : '';
  const header = useHeaderFile(ticket.id, chosenKey);
  /** The values typed for other templates, by template and field. */
  const [kept, setKept] = useState<Readonly<Record<string, Record<string, string>>>>({});
  const slots = useMemo(() => (chosen ? slotsOf(chosen) : []), [chosen]);
  const media = chosen && mediaOf(chosen);
  const form = useForm<FormValues>({
    resolver: zodResolver(valuesSchema(slots)),
    defaultValues: { values: [] },
  });
  const typed = useWatch({ control: form.control, name: 'values' });
  const valuesOf = (list: readonly string[]) =>
    Object.fromEntries(slots.map(({ field }, index) => [field, list[index] ?? ''] as const));

  const choose = (template: Template | null) => {
    const others = Object.entries(kept).filter(([key]) => key !== chosenKey);
    const typedSoFar = Object.fromEntries(
      form.formState.isDirty
        ? [...others, [chosenKey, valuesOf(form.getValues('values'))] as const]
        : others,
    );
    setKept(typedSoFar);
    const people = { contact: ticket.contact.name, user: user.name };
    const found = template ? suggestions(template, people) : {};
    const before = template ? typedSoFar[keyOf(template)] : undefined;
    const fields = template ? slotsOf(template).map(({ field }) => field) : [];
    setChosen(template);
    setFailure('');
    form.reset({ values: fields.map((field) => found[field] ?? '') });
    if (!before) return;
    // The suggestions remain the default values, so that the form knows what was changed.
    form.reset(
      { values: fields.map((field) => before[field] ?? found[field] ?? '') },
      { keepDefaultValues: true },
    );
  };

  /** One id for each content: changed content after a lost answer is another message. */
  const submission = useRef({ content: '', clientId: '' });
  const clientIdOf = (content: string) => {
    if (submission.current.content !== content) {
      submission.current = { content, clientId: newClientId() };
    }
    return submission.current.clientId;
  };

  const sending = useMutation({
    mutationFn: ({ template, components }: { template: Template; components: object[] }) =>
      sendTemplate({
        ticketId: ticket.id,
        template,
        components,
        clientId: clientIdOf(JSON.stringify([template.id, template.name, components])),
      }),
    onSuccess: onSent,
    onError: (error) => {
      const fields = fieldsInWords(error);
      let unplaced = Object.keys(fields).length === 0;
      for (const [name, [reason = '']] of Object.entries(fields)) {
        const index = slots.findIndex(({ field }) => field === name);
        if (index >= 0) form.setError(`values.${index}`, { type: 'server', message: reason });
        else if (name.startsWith('header.') && media) header.setError(reason);
        else unplaced = true;
      }
      if (unplaced) setFailure(errorMessage(error));
    },
  });

  const checkFile = (): boolean => {
    if (!media || header.file?.id) return true;
    header.setError(header.upload ? t('media.wait') : t(`media.required.${media}`));
    return false;
  };

  const submit = form.handleSubmit(
    ({ values }) => {
      setFailure('');
      if (!chosen || !checkFile()) return;
      const components = sentComponents(chosen, valuesOf(values), header.file);
      sending.mutate({ template: chosen, components });
    },
    () => void checkFile(),
  );

  return {
    chosen,
    choose,
    slots,
    media,
    header,
    form,
    submit,
    failure,
    sending: sending.isPending,
    dirty:
      form.formState.isDirty || header.hasAny || Object.keys(kept).some((key) => key !== chosenKey),
    preview: chosen && filledTemplate(chosen, valuesOf(typed), header.file),
  };
}
