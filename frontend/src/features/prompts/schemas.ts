import { z } from 'zod';
import type { Prompt, PromptInput } from './types';
import { TEXT } from './voices';

export const MAX_PROMPT = 20_000;
const MAX_TOKENS = 8000;
const MAX_MESSAGES = 50;
export const MAX_TEMPERATURE = 2;

const count = (most: number, words: string) =>
  z
    .string()
    .trim()
    .refine((text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most, words);

/**
 * The prompt form (rules/automation §7); its messages are translation keys. The server decides
 * whether a model key is required: the operator's model may need none.
 */
export function promptSchema({ hasVoiceKey }: { hasVoiceKey: boolean }) {
  return z
    .object({
      name: z.string().trim().min(1, 'prompts:errors.name').max(100, 'field.tooLong'),
      prompt: z
        .string()
        .refine((text) => text.trim() !== '', 'prompts:errors.prompt')
        .max(MAX_PROMPT, 'prompts:errors.promptLong'),
      queueId: z.string().min(1, 'prompts:emptyQueue'),
      apiKey: z.string().trim().max(500, 'field.tooLong'),
      voice: z.string(),
      voiceKey: z.string().trim().max(500, 'field.tooLong'),
      voiceRegion: z.string().trim().max(50, 'field.tooLong'),
      maxTokens: count(MAX_TOKENS, 'prompts:errors.maxTokens'),
      maxMessages: count(MAX_MESSAGES, 'prompts:errors.maxMessages'),
      temperature: z.number().min(0).max(MAX_TEMPERATURE),
      model: z.string().trim().max(100, 'field.tooLong'),
      baseUrl: z
        .string()
        .trim()
        .max(500, 'field.tooLong')
        .refine((text) => text === '' || isWebAddress(text), 'prompts:errors.baseUrl'),
    })
    .superRefine((values, context) => {
      if (values.voice === TEXT) return;
      const lacks = (path: 'voiceKey' | 'voiceRegion') =>
        context.addIssue({ code: 'custom', path: [path], message: `prompts:errors.${path}` });
      if (!values.voiceKey && !hasVoiceKey) lacks('voiceKey');
      if (!/^[a-z][a-z0-9 -]+$/i.test(values.voiceRegion)) lacks('voiceRegion');
    });
}

export type PromptForm = z.infer<ReturnType<typeof promptSchema>>;

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { hostname, username, search, hash } = new URL(text);
  return hostname !== '' && username === '' && search === '' && hash === '';
}

/** The initial values; keys are never returned, so they start empty. */
export function formOf(prompt: Prompt | undefined): PromptForm {
  return {
    name: prompt?.name ?? '',
    prompt: prompt?.prompt ?? '',
    queueId: prompt ? String(prompt.queueId) : '',
    apiKey: '',
    voice: prompt?.voice ?? TEXT,
    voiceKey: '',
    voiceRegion: prompt?.voiceRegion ?? '',
    maxTokens: String(prompt?.maxTokens ?? 100),
    maxMessages: String(prompt?.maxMessages ?? 10),
    temperature: prompt?.temperature ?? 1,
    model: prompt?.model ?? '',
    baseUrl: prompt?.baseUrl ?? '',
  };
}

/** The form as a request body; an empty key keeps the stored one. */
export function inputOf(values: PromptForm): PromptInput {
  return {
    ...values,
    queueId: Number(values.queueId),
    maxTokens: Number(values.maxTokens),
    maxMessages: Number(values.maxMessages),
    voice: values.voice as NonNullable<PromptInput['voice']>,
  };
}
