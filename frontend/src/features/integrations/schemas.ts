import { z } from 'zod';
import { hasAddress, TYPE_NAMES } from './integrationTypes';
import type { Integration, IntegrationInput } from './types';

export const LANGUAGES = ['pt-BR', 'en', 'es'] as const;
const MAX_EXPIRES_MINUTES = 525_600;
const MAX_DELAY_MS = 60_000;
/** Our own default: after the server's one minute a flow would restart for slow readers. */
const EXPIRES_MINUTES = 60;

const text = (length: number) => z.string().trim().max(length, 'field.tooLong');
const count = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d*$/, 'integrations:errors.number')
    .refine((value) => Number(value) <= max, { message: 'integrations:errors.tooHigh' });

/** The error of a service account's JSON, as a translation key; undefined if it is empty. */
export function keyProblem(json: string): string | undefined {
  if (!json.trim()) return undefined;
  try {
    const key = JSON.parse(json) as unknown;
    const isAccount =
      typeof key === 'object' &&
      key !== null &&
      'type' in key &&
      key.type === 'service_account' &&
      'private_key' in key &&
      'client_email' in key;
    return isAccount ? undefined : 'integrations:errors.notAServiceAccount';
  } catch {
    return 'integrations:errors.notJson';
  }
}

/** The form of an integration (rules/automation §3); messages are keys of the texts. */
export const integrationSchema = z
  .object({
    type: z.enum(TYPE_NAMES as [string, ...string[]]),
    name: text(50).min(1, 'field.required').min(2, 'field.tooShort'),
    projectName: text(100),
    jsonContent: z.string().max(20_000, 'field.tooLong'),
    /** A key is stored: an empty field leaves it. */
    hasKey: z.boolean(),
    language: z.enum(LANGUAGES),
    urlN8N: text(500),
    typebotSlug: text(200),
    typebotExpires: count(MAX_EXPIRES_MINUTES),
    typebotDelayMessage: count(MAX_DELAY_MS),
    typebotKeywordFinish: text(100),
    typebotKeywordRestart: text(100),
    typebotRestartMessage: z.string().max(4096, 'field.tooLong'),
    typebotUnknownMessage: z.string().max(4096, 'field.tooLong'),
    /** The queue's id; empty: the connection's fallback. */
    queueId: z.string(),
  })
  .superRefine((values, context) => {
    const lack = (path: keyof Integration, message = 'field.required') =>
      context.addIssue({ code: 'custom', path: [path], message });
    const type = values.type as Integration['type'];
    if (hasAddress(type)) {
      if (!values.urlN8N) lack('urlN8N');
      else if (!/^https?:\/\/[^\s/]/i.test(values.urlN8N))
        lack('urlN8N', 'integrations:errors.address');
    }
    if (type === 'typebot' && !values.typebotSlug) lack('typebotSlug');
    if (type !== 'dialogflow') return;
    if (!values.projectName) lack('projectName');
    const problem = keyProblem(values.jsonContent);
    if (problem) lack('jsonContent', problem);
    else if (!values.jsonContent.trim() && !values.hasKey) lack('jsonContent');
  });

export type IntegrationForm = z.infer<typeof integrationSchema>;

/** What the form starts with; a new one is a Typebot (rules/automation §3). */
export function formOf(integration?: Integration): IntegrationForm {
  return {
    type: integration?.type ?? 'typebot',
    name: integration?.name ?? '',
    projectName: integration?.type === 'dialogflow' ? integration.projectName : '',
    jsonContent: '',
    hasKey: Boolean(integration?.jsonContent),
    language: LANGUAGES.find((language) => language === integration?.language) ?? 'pt-BR',
    urlN8N: integration?.urlN8N ?? '',
    typebotSlug: integration?.typebotSlug ?? '',
    typebotExpires: String(integration?.typebotExpires ?? EXPIRES_MINUTES),
    typebotDelayMessage: String(integration?.typebotDelayMessage ?? 1000),
    typebotKeywordFinish: integration?.typebotKeywordFinish ?? '',
    typebotKeywordRestart: integration?.typebotKeywordRestart ?? '',
    typebotRestartMessage: integration?.typebotRestartMessage ?? '',
    typebotUnknownMessage: integration?.typebotUnknownMessage ?? '',
    queueId: String(integration?.queueId ?? ''),
  };
}

/**
 * The call's body, with the fields of the type only, so that incomplete fields of other types are
 * not validated.
 */
export function bodyOf(form: IntegrationForm): IntegrationInput {
  const type = form.type as Integration['type'];
  const { name, urlN8N } = form;
  const queueId = form.queueId === '' ? null : Number(form.queueId);
  if (type === 'asaas') return { type, name, queueId };
  if (type === 'dialogflow') {
    const { projectName, jsonContent, language } = form;
    return { type, name, queueId, projectName, jsonContent, language };
  }
  if (type !== 'typebot') return { type, name, queueId, urlN8N };
  return {
    type,
    name,
    queueId,
    urlN8N,
    typebotSlug: form.typebotSlug,
    typebotExpires: numberOr(form.typebotExpires, EXPIRES_MINUTES),
    typebotDelayMessage: numberOr(form.typebotDelayMessage, 1000),
    typebotKeywordFinish: form.typebotKeywordFinish,
    typebotKeywordRestart: form.typebotKeywordRestart,
    typebotRestartMessage: form.typebotRestartMessage,
    typebotUnknownMessage: form.typebotUnknownMessage,
  };
}

const numberOr = (value: string, otherwise: number) => (value === '' ? otherwise : Number(value));
