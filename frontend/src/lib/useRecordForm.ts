import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, type DefaultValues, type FieldPath, type Resolver } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';

interface RecordFormOptions<Row, Values extends object, Fields> {
  resolver: Resolver<Values, unknown, Values>;
  /** The form's values for a record; for null, the defaults of a new one. */
  valuesOf: (stored: Row | null) => Values;
  /** The field that gets the focus first. */
  first: FieldPath<Values>;
  save: Pick<
    UseMutationResult<unknown, Error, { id?: number | undefined; fields: Fields }>,
    'mutateAsync' | 'isPending'
  >;
  /** The fields to send, from the form's values. */
  fieldsOf: (values: Values, stored: Row | null) => Fields;
  /** The toast for a form with wrong fields. */
  failed: string;
}

/**
 * A form in the page that edits one record after another, or a new one. Unsaved input is not
 * dropped without confirmation: while `asking`, the form waits for `answer`.
 */
export function useRecordForm<Row extends { id: number }, Values extends object, Fields>(
  options: RecordFormOptions<Row, Values, Fields>,
) {
  const { resolver, valuesOf, first, save, fieldsOf, failed } = options;
  const { t } = useTranslation();
  const form = useForm<Values, unknown, Values>({
    resolver,
    defaultValues: valuesOf(null) as DefaultValues<Values>,
  });
  const [stored, setStored] = useState<Row | null>(null);
  const [wanted, setWanted] = useState<{ row: Row | null } | null>(null);
  const { isDirty } = form.formState;
  useUnsaved(isDirty, 'page');

  /** Shows a record, or an empty form, and drops the current input. */
  const show = (row: Row | null) => {
    setWanted(null);
    setStored(row);
    form.reset(valuesOf(row));
  };
  const showAndType = (row: Row | null) => {
    show(row);
    // After the fields of this record are rendered.
    requestAnimationFrame(() => form.setFocus(first));
  };
  const load = (row: Row | null) => (isDirty ? setWanted({ row }) : showAndType(row));
  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields: fieldsOf(values, stored) });
      toast.success(t('record.done'));
      show(null);
    } catch (error) {
      showRefusal(form, error, { words: failed });
    }
  });
  return {
    form,
    submit: () => void submit(),
    busy: save.isPending,
    /** The record being edited; null for a new one. */
    stored,
    clear: () => show(null),
    load,
    asking: wanted !== null,
    answer: (drops: boolean) => (drops && wanted ? showAndType(wanted.row) : setWanted(null)),
  };
}
