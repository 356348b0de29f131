import { z } from 'zod';

/** The contact form (rules/contacts §1); messages are keys of the common texts. */
export const contactSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(2, 'field.tooShort')
    .max(50, 'field.tooLong'),
  // A contact that was stored without a number may be saved without it.
  number: z
    .string()
    .trim()
    .max(50, 'field.tooLong')
    .refine((number) => number === '' || number.length >= 8, 'field.tooShort'),
  email: z.union([z.literal(''), z.email('field.invalidEmail')]),
  extraInfo: z.array(
    z.object({
      id: z.number().optional(),
      name: z.string().trim().min(1, 'field.required').max(100, 'field.tooLong'),
      value: z.string().trim().max(5000, 'field.tooLong'),
    }),
  ),
  ignoreMessages: z.boolean(),
});

/** For a new contact, and one that has a number. */
export const reachableContactSchema = contactSchema.extend({
  number: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(8, 'field.tooShort')
    .max(50, 'field.tooLong'),
});

export type ContactForm = z.infer<typeof contactSchema>;
