import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { i18n } from '@/i18n';
import { ApiError } from '@/lib/api/errors';
import { reasonWords } from '@/lib/useReason';

/**
 * The key of a refusal's words, in every language: its own name's, or that of the rule a field
 * breaks. Without one, what the server wrote has to do, and for its own language it is better.
 */
function textKey(error: ApiError, wireName: string): string | undefined {
  if (error.code !== 'ERR_VALIDATION')
    return i18n.exists(`errors:${error.code}`) ? `errors:${error.code}` : undefined;
  const rule = error.fieldCodes[wireName];
  const key = `errors:field.${rule ?? ''}`;
  return rule && !i18n.language.startsWith('pt') && i18n.exists(key) ? key : undefined;
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
          message: textKey(error, wireName) ?? reasonWords(error) ?? message ?? '',
        },
        // Far up in a long form it would not be seen.
        { shouldFocus: index === 0 },
      );
  }
  return known.length > 0 && known.length === reasons.length;
}
