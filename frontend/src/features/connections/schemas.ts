import { z } from 'zod';

const metaId = z
  .string()
  .trim()
  .min(1, 'field.required')
  .min(15, 'field.tooShort')
  .max(50, 'field.tooLong');

/** The form of an official number (specification 2 §5); messages are keys of the common texts. */
export const connectionSchema = z
  .object({
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
    greetingMessage: z.string(),
    isDefault: z.boolean(),
  })
  .refine(({ queueIds, greetingMessage }) => queueIds.length < 2 || greetingMessage.trim() !== '', {
    path: ['greetingMessage'],
    message: 'connections:greetingRequired',
  });

export type ConnectionForm = z.infer<typeof connectionSchema>;
