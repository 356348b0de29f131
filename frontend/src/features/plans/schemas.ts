import { z } from 'zod';
import type { Plan, PlanInput } from './types';

export const LIMITS = ['users', 'connections', 'queues', 'campaigns', 'schedules'] as const;
export const FEATURES = [
  'useCampaigns',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
] as const;

const MOST = 1_000_000;
const MOST_VALUE = 99_999_999.99;

/**
 * Converts '1.234,50', 'R$ 49,9' or '49.90' to the wire's format, '1234.50'; null for invalid
 * input.
 */
export function readReais(typed: string): string | null {
  const text = typed.replace(/R\$|\s/g, '');
  const plain = text.includes(',') ? text.replace(/\./g, '').replace(',', '.') : text;
  if (!/^\d{1,8}(\.\d{1,2})?$/.test(plain)) return null;
  return Number(plain) <= MOST_VALUE ? Number(plain).toFixed(2) : null;
}

const writeReais = (value: number) => value.toFixed(2).replace('.', ',');

const limit = z
  .string()
  .trim()
  .refine((text) => /^\d{1,7}$/.test(text) && Number(text) <= MOST, 'plans:errors.limit');

const flag = z.boolean();

/** The form of a plan (rules/companies §3); its messages are translation keys. */
export const planSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(100, 'field.tooLong'),
  value: z.string().refine((text) => readReais(text) !== null, 'plans:errors.value'),
  users: limit,
  connections: limit,
  queues: limit,
  campaigns: limit,
  schedules: limit,
  useCampaigns: flag,
  useSchedules: flag,
  useInternalChat: flag,
  useExternalApi: flag,
  useKanban: flag,
  useOpenAi: flag,
  useIntegrations: flag,
  isPublic: flag,
});

export type PlanForm = z.infer<typeof planSchema>;

/** The form values of a plan. A new plan has no limits (0) and all features. */
export function planValues(plan: Plan | null): PlanForm {
  const counts = LIMITS.map((name) => [name, String(plan?.[name] ?? 0)]);
  const flags = [...FEATURES, 'isPublic' as const].map((name) => [name, plan?.[name] ?? true]);
  return {
    name: plan?.name ?? '',
    value: writeReais(plan?.value ?? 0),
    ...Object.fromEntries([...counts, ...flags]),
  } as PlanForm;
}

/** The form as a request body. */
export const planFields = ({ value, ...form }: PlanForm): PlanInput => ({
  ...form,
  value: readReais(value) ?? '0.00',
  users: Number(form.users),
  connections: Number(form.connections),
  queues: Number(form.queues),
  campaigns: Number(form.campaigns),
  schedules: Number(form.schedules),
});
