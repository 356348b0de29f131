import { z } from 'zod';

const name = z
  .string()
  .trim()
  .min(1, 'field.required')
  .min(2, 'field.tooShort')
  .max(50, 'field.tooLong');

/** The forms of rules/contact-lists §1; messages are keys of the common texts. */
export const contactListSchema = z.object({ name });

export const listContactSchema = z.object({
  name,
  number: z
    .string()
    .trim()
    .min(1, 'field.required')
    .min(8, 'field.tooShort')
    .max(50, 'field.tooLong'),
  email: z.union([z.literal(''), z.email('field.invalidEmail')]),
});

export type ContactListForm = z.infer<typeof contactListSchema>;
export type ListContactForm = z.infer<typeof listContactSchema>;
