import { z } from 'zod';

/** The form of a number that campaigns leave alone; messages are keys of the common texts. */
export const optOutSchema = z.object({
  number: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(8, 'field.tooShort')
    .max(50, 'field.tooLong'),
});

export type OptOutForm = z.infer<typeof optOutSchema>;
