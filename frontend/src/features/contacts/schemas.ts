import { z } from 'zod';

/** The contact form (specification 1 §5); messages are keys of the common texts. */
export const contactSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  number: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(8, 'field.tooShort')
    .max(50, 'field.tooLong'),
  email: z.union([z.literal(''), z.email('field.invalidEmail')]),
  extraInfo: z.array(
    z.object({
      id: z.number().optional(),
      name: z.string().trim().min(1, 'field.required').max(100, 'field.tooLong'),
      value: z.string().trim().min(1, 'field.required'),
    }),
  ),
});

export type ContactForm = z.infer<typeof contactSchema>;
