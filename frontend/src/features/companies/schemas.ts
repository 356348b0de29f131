import { z } from 'zod';
import { addMonths, dateOf, dayOf, isDay } from '@/lib/dates';
import type { Company, CompanyInput, Recurrence } from './types';

/** For how many months one payment is (rules/companies §4). */
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

/** Company 1 runs the service: it neither expires nor is it switched off or deleted. */
export const isSuperCompany = (company: { id: number } | null) => company?.id === 1;

const text = (most: number) => z.string().max(most, 'field.tooLong');
const SWITCH = z.enum(['true', 'false']);

/** The form of a company (rules/companies §1); messages are keys of the texts. */
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
    /** Of a new company's first admin. */
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

/** What the form shows of a company, and what a new one begins with. */
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

/** A form as the wire has it; what is no day is null there (rules/companies §8). */
const asInput = (form: CompanyForm): CompanyInput => ({
  ...form,
  planId: Number(form.planId),
  status: form.status === 'true',
  campaignsEnabled: form.campaignsEnabled === 'true',
  dueDate: isDay(form.dueDate) ? form.dueDate : null,
});

/**
 * What goes to the server: of a stored company what differs from it as it was loaded, so that a
 * payment that came meanwhile keeps its due date.
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

/** A due date that many months on: from itself, or from today where it is past or none. */
export function extended(dueDate: string, months: number, now: Date = new Date()): string {
  const due = dateOf(dueDate);
  return dayOf(addMonths(due && due > now ? due : now, months));
}
