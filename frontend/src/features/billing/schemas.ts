import { z } from 'zod';

const needed = (message: string, most: number) =>
  z
    .string()
    .max(most, 'field.tooLong')
    .refine((text) => text.trim() !== '', message);

/** The payer's form (rules/billing §2); its messages are translation keys. */
export const payerSchema = z.object({
  firstName: needed('billing:payer.needed.firstName', 100),
  address2: needed('billing:payer.needed.address2', 200),
  city: needed('billing:payer.needed.city', 100),
  state: z.string().max(50, 'field.tooLong'),
  zipcode: needed('billing:payer.needed.zipcode', 20),
  country: needed('billing:payer.needed.country', 3),
});

export type PayerForm = z.infer<typeof payerSchema>;
