import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
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
    if (name) form.setError(name, { type: 'server', message: message ?? '' });
  }
  return known.length > 0 && known.length === reasons.length;
}
