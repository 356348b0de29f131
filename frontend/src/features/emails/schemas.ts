import { z } from 'zod';

const MOST_RECIPIENTS = 50;

/** Reads the addresses of a comma-separated text. */
export const addressesIn = (typed: string) =>
  typed
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter(Boolean);

const isAddress = (text: string) => z.email().safeParse(text).success;

/** The first part of a text that is not an address. */
export const wrongAddress = (typed: string) =>
  addressesIn(typed).find((address) => !isAddress(address));

/** The form of an e-mail (rules/emails §1); its messages are translation keys. */
export const emailSchema = z.object({
  email: z.string().superRefine((text, context) => {
    const addresses = addressesIn(text);
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    if (addresses.length === 0) refuse('fields.recipients');
    else if (addresses.length > MOST_RECIPIENTS) refuse('fields.tooMany');
    else if (wrongAddress(text)) refuse('fields.address');
  }),
  assunto: z.string().trim().min(1, 'fields.subject').max(200, 'fields.subjectLong'),
  mensagem: z
    .string()
    .max(20_000, 'fields.messageLong')
    .refine((text) => text.trim() !== '', 'fields.message'),
});

export type EmailForm = z.infer<typeof emailSchema>;
