import { z } from 'zod';
import { addMonths, dateOf, dayOf, isDay } from '@/lib/dates';
import type { Company, CompanyInput, Recurrence } from './types';

/** The number of months that one payment covers (rules/companies §4). */
export const MONTHS = {
  MENSAL: 1,
  BIMESTRAL: 2,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
} as const satisfies Record<Recurrence, number>;

export const RECURRENCES = Object.keys(MONTHS) as Recurrence[];

export const BILLING = [
  'billingName',
  'addressZipCode',
  'addressStreet',
  'addressDistrict',
  'addressCity',
  'addressState',
] as const;

/** Company 1 operates the service: it does not expire and cannot be deactivated or deleted. */
export const isSuperCompany = (company: { id: number } | null) => company?.id === 1;

const text = (most: number) => z.string().max(most, 'field.tooLong');
const SWITCH = z.enum(['true', 'false']);

/** The form of a company (rules/companies §1); its messages are translation keys. */
export const companySchema = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'field.required')
      .min(2, 'field.tooShort')
      .max(100, 'field.tooLong'),
    email: z.union([z.literal(''), z.email('field.invalidEmail')]),
    phone: text(50),
    /** The password of a new company's first admin. */
    password: z
      .string()
      .max(50, 'field.tooLong')
      .refine((typed) => typed === '' || typed.length >= 5, 'field.tooShort'),
    planId: z.string().min(1, 'companies:errors.plan'),
    status: SWITCH,
    campaignsEnabled: SWITCH,
    dueDate: z.string(),
    recurrence: z.enum(['MENSAL', 'BIMESTRAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL']),
    billingName: text(200),
    addressZipCode: text(20),
    addressStreet: text(200),
    addressDistrict: text(100),
    addressCity: text(100),
    addressState: text(50),
  })
  .refine((form) => form.password === '' || form.email !== '', {
    path: ['email'],
    message: 'companies:errors.emailOfAdmin',
    when: () => true,
  });

export type CompanyForm = z.infer<typeof companySchema>;

const ON = new Set(['true', 'enabled']);

export const hasCampaigns = ({ settings }: Pick<Company, 'settings'>) =>
  settings.some(({ key, value }) => key === 'campaignsEnabled' && ON.has(value));

/** The form values of a company, or the defaults of a new one. */
export const companyValues = (company: Company | null): CompanyForm => ({
  name: company?.name ?? '',
  email: company?.email ?? '',
  phone: company?.phone ?? '',
  password: '',
  planId: company ? String(company.planId) : '',
  status: (company?.status ?? true) ? 'true' : 'false',
  campaignsEnabled: !company || hasCampaigns(company) ? 'true' : 'false',
  dueDate: company?.dueDate ?? '',
  recurrence: company?.recurrence ?? 'MENSAL',
  billingName: company?.billingName ?? '',
  addressZipCode: company?.addressZipCode ?? '',
  addressStreet: company?.addressStreet ?? '',
  addressDistrict: company?.addressDistrict ?? '',
  addressCity: company?.addressCity ?? '',
  addressState: company?.addressState ?? '',
});

/** Converts the form to the wire's fields; an invalid day becomes null (rules/companies §8). */
const asInput = (form: CompanyForm): CompanyInput => ({
  ...form,
  planId: Number(form.planId),
  status: form.status === 'true',
  campaignsEnabled: form.campaignsEnabled === 'true',
  dueDate: isDay(form.dueDate) ? form.dueDate : null,
});

/**
 * The fields to send: for a stored company only the changed ones, so that a due date changed by a
 * payment meanwhile is kept.
 */
export function companyFields(form: CompanyForm, stored: Company | null): Partial<CompanyInput> {
  const { password, ...fields } = asInput(form);
  if (!stored) return { ...fields, ...(password && { password }) };
  const before = companyValues(stored);
  const changed = Object.entries(fields).filter(
    ([name]) => form[name as keyof CompanyForm] !== before[name as keyof CompanyForm],
  );
  return Object.fromEntries(changed);
}

/** Extends a due date by months: from the date itself, or from today if it is past or missing. */
export function extended(dueDate: string, months: number, now: Date = new Date()): string {
  const due = dateOf(dueDate);
  return dayOf(addMonths(due && due > now ? due : now, months));
}
