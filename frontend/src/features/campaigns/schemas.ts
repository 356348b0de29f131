import type { Path } from 'react-hook-form';
import { z } from 'zod';
import { clockOf, dayOf, isDay } from '@/lib/dates';
import { isTime } from '@/lib/hours';
import { PERSONAL } from './filling';
import type { Campaign } from './types';

export const TEXTS = [0, 1, 2, 3, 4] as const;
const TEXT_LENGTH = 4096;

/** The time that may pass while a dialog with 'now' in it is saved, as the server allows. */
const GRACE_MS = 120_000;

export const isPast = (moment: Date, now: Date = new Date()) =>
  moment.getTime() < now.getTime() - GRACE_MS;

const text = z.string().max(TEXT_LENGTH, 'field.tooLong');

/** The campaign's form (rules/campaigns §1); ids are strings for their selects, '' for none. */
export const campaignSchema = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'field.required')
      .min(2, 'field.tooShort')
      .max(50, 'field.tooLong'),
    contactListId: z.string(),
    tagListId: z.string(),
    segmentId: z.string(),
    connectionId: z.string(),
    fileListId: z.string(),
    date: z.string().refine((day) => !day || isDay(day), 'common:date.impossible'),
    time: z.string().refine((time) => !time || isTime(time), 'common:hours.invalid'),
    confirmation: z.boolean(),
    messages: z.array(text),
    confirmations: z.array(text),
  })
  .refine(({ date, time }) => !time || date, {
    path: ['date'],
    message: 'campaigns:errors.dateMissing',
  })
  .refine(({ date, time }) => !date || time, {
    path: ['time'],
    message: 'campaigns:errors.timeMissing',
  });

export type CampaignValues = z.infer<typeof campaignSchema>;

const idText = (id: unknown) => (typeof id === 'number' ? String(id) : '');

/** The initial values of the form. */
export function valuesOf(campaign: Campaign | undefined): CampaignValues {
  const moment = campaign?.scheduledAt ? new Date(campaign.scheduledAt) : null;
  return {
    name: campaign?.name ?? '',
    contactListId: idText(campaign?.contactListId),
    tagListId: idText(campaign?.tagListId),
    segmentId: idText(campaign?.segmentId),
    connectionId: idText(campaign?.whatsappId),
    fileListId: idText(campaign?.fileListId),
    date: moment ? dayOf(moment) : '',
    time: moment ? clockOf(moment) : '',
    confirmation: campaign?.confirmation ?? false,
    messages: TEXTS.map((index) => campaign?.[`message${numberOf(index)}`] ?? ''),
    confirmations: TEXTS.map((index) => campaign?.[`confirmationMessage${numberOf(index)}`] ?? ''),
  };
}

type Place = (typeof TEXTS)[number];
const NUMBERS = [1, 2, 3, 4, 5] as const;
const numberOf = (index: Place) => NUMBERS[index];

/** The texts under the wire's names; an empty one is null (rules/campaigns §1). */
export const textFields = ({ messages, confirmations }: CampaignValues) =>
  Object.fromEntries(
    TEXTS.flatMap((index) => [
      [`message${numberOf(index)}`, messages[index] || null],
      [`confirmationMessage${numberOf(index)}`, confirmations[index] || null],
    ]),
  );

/** The form fields at which errors of the wire's fields are shown. */
export const FIELD_NAMES: Readonly<Record<string, Path<CampaignValues>>> = {
  name: 'name',
  contactListId: 'contactListId',
  tagListId: 'tagListId',
  segmentId: 'segmentId',
  whatsappId: 'connectionId',
  fileListId: 'fileListId',
  scheduledAt: 'date',
  message1: 'messages.0',
  message2: 'messages.1',
  message3: 'messages.2',
  message4: 'messages.3',
  message5: 'messages.4',
  confirmationMessage1: 'confirmations.0',
  confirmationMessage2: 'confirmations.1',
  confirmationMessage3: 'confirmations.2',
  confirmationMessage4: 'confirmations.3',
  confirmationMessage5: 'confirmations.4',
};

/** The index of the message tab that contains a wire's field. */
export function tabOf(wireName: string): number | undefined {
  const found = /^(?:m|confirmationM)essage([1-5])$/.exec(wireName);
  return found ? Number(found[1]) - 1 : undefined;
}

/** A variable of the company (rules/campaigns §3). */
export const variableSchema = z.object({
  key: z
    .string()
    .trim()
    .min(1, 'field.required')
    .max(50, 'field.tooLong')
    .regex(/^[^{}]*$/, 'campaigns:errors.braces')
    .refine(
      (key) => !(PERSONAL as readonly string[]).includes(key),
      'campaigns:errors.personalVariable',
    ),
  value: z.string().max(1000, 'field.tooLong'),
});
export type VariableForm = z.infer<typeof variableSchema>;

export const segmentSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
});
