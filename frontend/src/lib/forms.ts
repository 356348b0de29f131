import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { i18n } from '@/i18n';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { isToldBetter, reasonWords } from '@/lib/useReason';

/**
 * The translation key for a refusal: of its own code, or of the rule that a field breaks. Undefined
 * if the server's sentence is in the user's language and says more.
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

/** The reasons of a refusal in the user's language, by the wire names of the fields. */
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
 * Shows the reasons of a refusal at their fields; `names` maps wire names to form names where they
 * differ. Returns whether every reason has a field; if so, no toast is needed.
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
        // In a long form the field may be out of sight, so it gets the focus.
        { shouldFocus: index === 0 },
      );
  }
  return known.length > 0 && known.length === reasons.length;
}

/**
 * Shows the reasons of a refusal at their fields, like `showFieldErrors`, and the rest in a toast.
 * `words`, if given, is the toast for a form with wrong fields.
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
