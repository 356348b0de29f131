import type { UseFormReturn } from 'react-hook-form';
import { SECTION_OF, type ConnectionField, type ConnectionForm } from './schemas';
import type { Connection, ConnectionInput } from './types';

export type Form = UseFormReturn<ConnectionForm>;

/** The server's default: texts for contacts are Portuguese in every language. */
const FALLBACK_MESSAGE = 'Vou chamar alguém da equipe. Um momento, por favor.';

/** The initial form values; a new connection gets the defaults of rules/connections §2. */
export function formOf(connection: Connection | undefined, isFirst: boolean): ConnectionForm {
  return {
    provider: connection?.provider ?? 'beta',
    name: connection?.name ?? '',
    phone_number_id: connection?.phone_number_id ?? '',
    waba_id: connection?.waba_id ?? '',
    accessToken: '',
    queueIds: connection?.queues.map(({ id }) => id) ?? [],
    isDefault: connection?.isDefault ?? isFirst,
    greetingMessage: connection?.greetingMessage ?? '',
    completionMessage: connection?.complationMessage ?? '',
    outOfHoursMessage: connection?.outOfHoursMessage ?? '',
    ratingMessage: connection?.ratingMessage ?? '',
    maxUseBotQueues: String(connection?.maxUseBotQueues ?? 3),
    timeUseBotQueues: String(connection?.timeUseBotQueues ?? 0),
    botQuietSeconds: String(connection?.botQuietSeconds ?? 3),
    joinBotTexts: connection?.joinBotTexts ?? true,
    textToTransfer: connection?.textToTransfer ?? '',
    textToTransferQueueId: connection?.textToTransferQueueId ?? null,
    integrationId: connection?.integrationId ?? null,
    promptId: connection?.promptId ?? null,
    fallbackMessage: connection?.fallbackMessage ?? FALLBACK_MESSAGE,
    integrationSilenceMinutes: String(connection?.integrationSilenceMinutes ?? 10),
    menuSilenceMinutes: String(connection?.menuSilenceMinutes ?? 10),
    timeToTransfer: String(connection?.timeToTransfer ?? 0),
    transferQueueId: connection?.transferQueueId ?? null,
    sendPauseSeconds: String(connection?.sendPauseSeconds ?? 1),
    sendJitterSeconds: String(connection?.sendJitterSeconds ?? 2),
    sendsPerSecond: String(connection?.sendsPerSecond ?? 80),
    warmupContacts: String(connection?.warmupContacts ?? 30),
    warmupGrowth: String(connection?.warmupGrowth ?? 20),
    warmupDays: String(connection?.warmupDays ?? 14),
    expiresTicket: String(connection?.expiresTicket ?? 0),
    expiresInactiveMessage: connection?.expiresInactiveMessage ?? '',
  };
}

export const FIELDS = Object.keys(SECTION_OF) as ConnectionField[];

/** The form's fields by their names in a refusal; only one differs. */
export const FIELD_OF_WIRE: Readonly<Record<string, ConnectionField>> = {
  ...Object.fromEntries(FIELDS.map((name) => [name, name])),
  complationMessage: 'completionMessage',
};

/** The fields to send; those that the plan hides are omitted and stay unchanged. */
export function inputOf(
  form: ConnectionForm,
  shown: { integrations: boolean; prompts: boolean },
): ConnectionInput {
  const { integrationId, promptId, completionMessage, ...texts } = form;
  const { phone_number_id, waba_id, accessToken, ...others } = texts;
  const { sendPauseSeconds, sendJitterSeconds, warmupContacts, warmupGrowth, ...rest } = others;
  const { warmupDays, sendsPerSecond, ...kept } = rest;
  return {
    ...kept,
    complationMessage: completionMessage,
    ...(form.provider === 'official'
      ? { phone_number_id, waba_id, accessToken, sendsPerSecond: Number(sendsPerSecond) }
      : {
          sendPauseSeconds: Number(sendPauseSeconds),
          sendJitterSeconds: Number(sendJitterSeconds),
          warmupContacts: Number(warmupContacts),
          warmupGrowth: Number(warmupGrowth),
          warmupDays: Number(warmupDays),
        }),
    maxUseBotQueues: Number(form.maxUseBotQueues),
    timeUseBotQueues: Number(form.timeUseBotQueues),
    botQuietSeconds: Number(form.botQuietSeconds),
    integrationSilenceMinutes: Number(form.integrationSilenceMinutes),
    menuSilenceMinutes: Number(form.menuSilenceMinutes),
    timeToTransfer: Number(form.timeToTransfer),
    expiresTicket: Number(form.expiresTicket),
    ...(shown.integrations && { integrationId }),
    ...(shown.prompts && { promptId }),
  };
}
