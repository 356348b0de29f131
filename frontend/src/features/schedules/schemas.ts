import { z } from 'zod';
import { isDay } from '@/lib/dates';
import { isTime } from '@/lib/hours';
import type { ScheduleStatus } from './types';

const STATUS = z.enum(['PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO']);

export const isStatus = (text: string | null): text is ScheduleStatus =>
  STATUS.safeParse(text).success;

/**
 * A time may be this far in the past, as on the server: the user needs time to save a form with
 * 'now'.
 */
const GRACE_MS = 120_000;

export const isPast = (moment: Date, now: Date = new Date()) =>
  moment.getTime() < now.getTime() - GRACE_MS;

/** The schedule form (rules/schedules §1); its messages are translation keys. */
export const scheduleSchema = z.object({
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
  date: z
    .string()
    .min(1, 'schedules:errors.required')
    .refine((day) => !day || isDay(day), 'common:date.impossible'),
  time: z
    .string()
    .min(1, 'schedules:errors.required')
    .refine((time) => !time || isTime(time), 'common:hours.invalid'),
});

export type ScheduleForm = z.infer<typeof scheduleSchema>;
