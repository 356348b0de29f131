import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { i18n } from '@/i18n';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { isToldBetter, reasonWords } from '@/lib/useReason';

/**
 * The key of a refusal's words, in every language: its own name's, or that of the rule a field
 * breaks. None where what the server wrote is in the reader's language and says more.
 */
function textKey(error: ApiError, wireName: string): string | undefined {
  if (error.code !== 'ERR_VALIDATION')
    return i18n.exists(`errors:${error.code}`) && !isToldBetter(error)
      ? `errors:${error.code}`
      : undefined;
  if (i18n.language.startsWith('pt')) return undefined;
  const key = `errors:field.${error.fieldCodes[wireName] ?? ''}`;
  return i18n.exists(key) && !key.endsWith('.') ? key : 'errors:field.invalid';
}

/** The reasons of a refusal by the wire's names of its fields, in the reader's words. */
export function fieldsInWords(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    Object.entries(error.fields).map(([wireName, written]) => {
      const key = textKey(error, wireName);
      const words = reasonWords(error) ?? (key && i18n.t(key));
      return [wireName, words ? [words] : written];
    }),
  );
}

function ownNames<Values extends FieldValues>(form: UseFormReturn<Values>) {
  const names = Object.keys(form.getValues()) as Path<Values>[];
  return Object.fromEntries(names.map((name) => [name, name]));
}

/**
 * Puts a refusal's reasons at the fields they name; `names` maps the wire's names to the form's,
 * where they are not the form's own.
 * Answers whether every reason found its field, so that no toast has to say it again.
 */
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  names: Readonly<Record<string, Path<Values>>> = ownNames(form),
): boolean {
  if (!(error instanceof ApiError)) return false;
  const reasons = Object.entries(error.fields);
  const known = reasons.filter(([wireName]) => wireName in names);
  for (const [index, [wireName, [message]]] of known.entries()) {
    const name = names[wireName];
    if (name)
      form.setError(
        name,
        {
          type: 'server',
          message: reasonWords(error) ?? textKey(error, wireName) ?? message ?? '',
        },
        // Far up in a long form it would not be seen.
        { shouldFocus: index === 0 },
      );
  }
  return known.length > 0 && known.length === reasons.length;
}

/**
 * Puts a refusal's reasons at their fields, as `showFieldErrors` does, and tells the rest in a
 * toast. With `words` these are said of a form that is wrong.
 */
export function showRefusal<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  { words, names }: { words?: string; names?: Readonly<Record<string, Path<Values>>> } = {},
) {
  const isShown = showFieldErrors(form, error, names);
  if (words !== undefined && error instanceof ApiError && error.status === 400)
    toast.errorText(words);
  else if (!isShown) toast.error(error);
}
