import { z } from 'zod';

/** The server's limits. */
const MOST_MINUTES = 525_600;
const MOST_MENUS = 1000;
const MOST_QUIET_SECONDS = 30;
const MOST_SILENCE_MINUTES = 1440;
const MOST_PAUSE_SECONDS = 300;
const MOST_SENDS_PER_SECOND = 1000;
const MOST_CONTACTS = 1000;
const MOST_WARMUP_DAYS = 90;
const MAX_TEXT = 4096;
const MAX_KEYWORD = 200;

/** The minimum length of Meta's ids (rules/connections §2). */
const SHORTEST_META_ID = 15;
const META_IDS = ['phone_number_id', 'waba_id'] as const;

const metaId = z.string().trim().max(50, 'field.tooLong');

const text = z.string().max(MAX_TEXT, 'field.tooLong');
const reference = z.number().nullable();

/** A whole number as typed; an empty field is zero. */
const whole = (most: number, tooMuch: string) =>
  z
    .string()
    .trim()
    .regex(/^\d*$/, 'connections:wholeNumber')
    .refine((typed) => Number(typed) <= most, tooMuch);

const pause = whole(MOST_PAUSE_SECONDS, 'connections:tooLongPause');
const contacts = whole(MOST_CONTACTS, 'connections:tooManyContacts');
const minutes = whole(MOST_MINUTES, 'connections:tooManyMinutes');
const isZero = (typed: string) => Number(typed) === 0;
const silence = whole(MOST_SILENCE_MINUTES, 'connections:silenceRange').refine(
  (typed) => !isZero(typed),
  'connections:silenceRange',
);

/** The form of a number (rules/connections §2); its messages are translation keys. */
export const connectionSchema = z
  .object({
    provider: z.enum(['beta', 'official']),
    name: z
      .string()
      .trim()
      .min(1, 'field.required')
      .min(2, 'field.tooShort')
      .max(50, 'field.tooLong'),
    phone_number_id: metaId,
    waba_id: metaId,
    accessToken: z.string(),
    queueIds: z.array(z.number()),
    isDefault: z.boolean(),
    greetingMessage: text,
    completionMessage: text,
    outOfHoursMessage: text,
    ratingMessage: text,
    maxUseBotQueues: whole(MOST_MENUS, 'connections:tooManyMenus'),
    timeUseBotQueues: minutes,
    botQuietSeconds: whole(MOST_QUIET_SECONDS, 'connections:tooMuchQuiet'),
    joinBotTexts: z.boolean(),
    textToTransfer: z.string().trim().max(MAX_KEYWORD, 'field.tooLong'),
    textToTransferQueueId: reference,
    integrationId: reference,
    promptId: reference,
    fallbackMessage: text,
    integrationSilenceMinutes: silence,
    menuSilenceMinutes: silence,
    sendPauseSeconds: pause,
    sendJitterSeconds: pause,
    sendsPerSecond: whole(MOST_SENDS_PER_SECOND, 'connections:tooManyPerSecond'),
    warmupContacts: contacts,
    warmupGrowth: contacts,
    warmupDays: whole(MOST_WARMUP_DAYS, 'connections:warmupRange').refine(
      (typed) => !isZero(typed),
      'connections:warmupRange',
    ),
    timeToTransfer: minutes,
    transferQueueId: reference,
    expiresTicket: minutes,
    expiresInactiveMessage: text,
  })
  .superRefine((form, context) => {
    const refuse = (path: keyof typeof form, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (form.provider === 'official')
      for (const name of META_IDS)
        if (form[name].length < SHORTEST_META_ID)
          refuse(name, form[name] === '' ? 'field.required' : 'field.tooShort');
    if (form.queueIds.length > 1 && form.greetingMessage.trim() === '')
      refuse('greetingMessage', 'connections:greetingRequired');
    if (form.textToTransfer !== '' && form.textToTransferQueueId === null)
      refuse('textToTransferQueueId', 'connections:queueOfKeyword');
    if (form.textToTransfer === '' && form.textToTransferQueueId !== null)
      refuse('textToTransfer', 'connections:keywordOfQueue');
    if (!isZero(form.timeToTransfer) && form.transferQueueId === null)
      refuse('transferQueueId', 'connections:queueOfTime');
  });

export type ConnectionForm = z.infer<typeof connectionSchema>;
export type ConnectionField = keyof ConnectionForm;

export type SectionName = 'connection' | 'messages' | 'bot' | 'timers' | 'pace' | 'api';

/** The section of each field, so that its error can be shown. */
export const SECTION_OF: Readonly<Record<ConnectionField, SectionName>> = {
  provider: 'connection',
  name: 'connection',
  phone_number_id: 'connection',
  waba_id: 'connection',
  accessToken: 'connection',
  queueIds: 'connection',
  isDefault: 'connection',
  greetingMessage: 'messages',
  completionMessage: 'messages',
  outOfHoursMessage: 'messages',
  ratingMessage: 'messages',
  maxUseBotQueues: 'bot',
  timeUseBotQueues: 'bot',
  botQuietSeconds: 'bot',
  menuSilenceMinutes: 'bot',
  joinBotTexts: 'bot',
  textToTransfer: 'bot',
  textToTransferQueueId: 'bot',
  integrationId: 'bot',
  promptId: 'bot',
  fallbackMessage: 'bot',
  integrationSilenceMinutes: 'bot',
  timeToTransfer: 'timers',
  transferQueueId: 'timers',
  expiresTicket: 'timers',
  expiresInactiveMessage: 'timers',
  sendPauseSeconds: 'pace',
  sendJitterSeconds: 'pace',
  warmupContacts: 'pace',
  warmupGrowth: 'pace',
  warmupDays: 'pace',
  sendsPerSecond: 'pace',
};

/** The first of the given fields, in the form's order. */
export const firstField = (names: readonly string[]): ConnectionField | undefined =>
  (Object.keys(SECTION_OF) as ConnectionField[]).find((name) => names.includes(name));
