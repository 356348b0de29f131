import { useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { useUnsaved } from '@/lib/unsaved';

interface RecordFormOptions<Row, Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** What the form shows of a record; of none, what a new one begins with. */
  valuesOf: (stored: Row | null) => Values;
  /** Where one starts to type. */
  first: FieldPath<Values>;
}

/**
 * A form that stands in the page and works on one record after another, or on a new one. What is
 * typed is not dropped unasked: while `asking`, `answer` waits for the word.
 */
export function useRecordForm<Row, Values extends FieldValues>({
  form,
  valuesOf,
  first,
}: RecordFormOptions<Row, Values>) {
  const [stored, setStored] = useState<Row | null>(null);
  const [wanted, setWanted] = useState<{ row: Row | null } | null>(null);
  const { isDirty } = form.formState;
  useUnsaved(isDirty, 'page');

  /** Shows a record, or an empty form, whatever was typed. */
  const show = (row: Row | null) => {
    setWanted(null);
    setStored(row);
    form.reset(valuesOf(row));
  };
  const showAndType = (row: Row | null) => {
    show(row);
    // Once the fields of this record are drawn.
    requestAnimationFrame(() => form.setFocus(first));
  };
  const load = (row: Row | null) => (isDirty ? setWanted({ row }) : showAndType(row));
  return {
    /** The record that is edited; null for a new one. */
    stored,
    show,
    load,
    asking: wanted !== null,
    answer: (drops: boolean) => (drops && wanted ? showAndType(wanted.row) : setWanted(null)),
  };
}
