import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import { ApiError } from '@/lib/api/errors';

/**
 * Puts a refusal's reasons at the fields they name; `names` maps the wire's names to the form's.
 * Answers whether every reason found its field, so that no toast has to say it again.
 */
export function showFieldErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  names: Readonly<Record<string, Path<Values>>>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const reasons = Object.entries(error.fields);
  const known = reasons.filter(([wireName]) => wireName in names);
  for (const [wireName, [message]] of known) {
    const name = names[wireName];
    // A refusal with a name of its own has words in every language; others are the server's.
    const named = error.code !== 'ERR_VALIDATION' && i18n.exists(`errors:${error.code}`);
    if (name)
      form.setError(name, {
        type: 'server',
        message: named ? `errors:${error.code}` : (message ?? ''),
      });
  }
  return known.length > 0 && known.length === reasons.length;
}

/** Words for a field's error: a key of the texts ('field.…', 'connections:…'), or a sentence. */
export function useFieldWords() {
  const { t, i18n } = useTranslation();
  return (message: string | undefined) =>
    message !== undefined && i18n.exists(message) ? t(message) : message;
}
