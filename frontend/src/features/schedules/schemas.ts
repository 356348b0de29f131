import { z } from 'zod';
import type { ScheduleStatus } from './types';

const STATUS = z.enum(['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO']);

export const isStatus = (text: string | null): text is ScheduleStatus =>
  STATUS.safeParse(text).success;

/** The moment that a date and a time name in the browser's zone; null when they name none. */
export function momentOf(date: string, time: string): Date | null {
  const moment = new Date(`${date}T${time}`);
  return date && time && !Number.isNaN(moment.getTime()) ? moment : null;
}

/** Minutes that pass while a dialog with 'now' in it is saved, as the server allows them. */
const GRACE_MS = 120_000;

export const isPast = (moment: Date, now: Date = new Date()) =>
  moment.getTime() < now.getTime() - GRACE_MS;

/** The schedule form (rules/schedules §1); messages are keys of the feature's texts. */
export const scheduleSchema = z
  .object({
    contact: z
      .object({ id: z.number(), name: z.string() })
      .nullable()
      .refine((contact): boolean => contact !== null, 'schedules:errors.required'),
    body: z
      .string()
      .trim()
      .min(1, 'schedules:errors.required')
      .min(5, 'schedules:errors.tooShort')
      .max(4096, 'schedules:errors.tooLong'),
    date: z.string().min(1, 'schedules:errors.required'),
    time: z.string().min(1, 'schedules:errors.required'),
  })
  .refine(({ date, time }) => !date || !time || momentOf(date, time) !== null, {
    path: ['date'],
    message: 'schedules:errors.noTime',
  });

export type ScheduleForm = z.infer<typeof scheduleSchema>;
